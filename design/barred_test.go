package design

import (
	"slices"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

// solved searches the last component of a strategy's requirements.
func solved(t *testing.T, strategy string) (*facts, *solution) {
	t.Helper()
	r, _, found, err := model.LoadRequirements("testdata/strategies/" + strategy + ".yaml")
	if err != nil || r == nil {
		t.Fatal(err, found)
	}
	f := study(r)
	ds, err := f.demands()
	if err != nil {
		t.Fatal(err)
	}
	cs := components(f, ds)
	p := newPlanner(t.Context(), f, newPricer(r, capacity.DefaultPrices()), cs[len(cs)-1])
	p.budget = DefaultSteps
	return f, p.solve()
}

// errorsOf are the problems of a model that forbid it.
func errorsOf(f *facts, found []*solution) (out []plan.Problem) {
	_, problems := plan.Compile(emit(f, found).model, f.req)
	for _, x := range problems {
		if x.Severity == plan.Error {
			out = append(out, x)
		}
	}
	return out
}

// TestBarred spoils the plan of a write in the layout that was chosen. The compiler refuses it, and the search takes another layout.
func TestBarred(t *testing.T) {
	f, s := solved(t, "split")
	i := slices.IndexFunc(s.chosen.writing, func(w *writePlan) bool {
		return slices.ContainsFunc(w.acts, func(a *act) bool { return a.verb == actUpdate })
	})
	w := s.chosen.writing[i]
	for _, a := range w.acts {
		a.key = nil
	}
	found := []*solution{s}
	if len(errorsOf(f, found)) == 0 {
		t.Fatal("the compiler takes a plan without keys")
	}
	if err := sound(t.Context(), f, found); err != nil {
		t.Fatal(err)
	}
	if left := errorsOf(f, found); len(left) > 0 || found[0].chosen.name == s.chosen.name || found[0].chosen.cost <= s.chosen.cost {
		t.Errorf("after %s at %v: %s at %v, and %v", s.chosen.name, s.chosen.cost, found[0].chosen.name, found[0].chosen.cost, left)
	}
}

// TestBarredBeside bars a write beside an index, and beside everything: no configuration has both afterwards.
func TestBarredBeside(t *testing.T) {
	_, s := solved(t, "order-of-values")
	p, c := s.planner, s.chosen
	var at int
	w := c.writing[slices.IndexFunc(c.writing, func(w *writePlan) bool {
		at = slices.IndexFunc(c.indexes, func(x chosenIndex) bool { return w.keeps(x.shape) })
		return at >= 0
	})]
	p.barred[p.barring(c, w, &c.indexes[at])] = "it is barred"
	p.anew()
	again := p.solve()
	if slices.ContainsFunc(again.chosen.indexes, func(x chosenIndex) bool { return x.shape.id == c.indexes[at].shape.id }) && again.chosen.admissible() {
		t.Errorf("%s is used beside %s", c.indexes[at].shape.id, w.pattern.Name)
	}
	clear(p.barred)
	unknown := plan.Problem{Severity: plan.Error, Message: "nobody knows", Path: []string{"plans", w.pattern.Name}}
	if !s.bar(w.pattern.Name, unknown) || p.barred[p.barring(c, w, nil)] != "nobody knows" {
		t.Errorf("what no index is the reason of bars %q", p.barred)
	}
	if again = p.solve(); again.chosen.admissible() && p.barring(again.chosen, w, nil) == p.barring(c, w, nil) {
		t.Errorf("there is again what is barred: %s", again.chosen.describe())
	}
	if s.bar("nobody", unknown) {
		t.Error("it bars what it does not write")
	}
}

// TestUnseat has the search find another key for what the compiler refuses under the one that was chosen.
func TestUnseat(t *testing.T) {
	f, s := solved(t, "sequence")
	m := emit(f, []*solution{s}).model
	about := func(path ...string) plan.Problem { return plan.Problem{Severity: plan.Error, Path: path} }
	for _, x := range []plan.Problem{
		about("plans", "createIssue"), about("tables", "IssueNumbers", "items", "IssueNumber", "key"), about("tables", "Issues", "key"),
	} {
		if s.unseat(m, x) {
			t.Errorf("%v is about no key of an entity", x.Path)
		}
	}
	before := s.chosen.options[0].own.key()
	if !s.unseat(m, about("tables", "Issues", "items", "Issue", "key")) {
		t.Fatal("nothing else is left")
	}
	if again := s.planner.solve(); !again.chosen.admissible() || again.chosen.options[0].own.key() == before {
		t.Errorf("after %s it is %s", before, again.chosen.describe())
	}
}
