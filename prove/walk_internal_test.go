package prove

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// tracked is the program of a model for the tracker.
func tracked(t *testing.T) (*spec.Requirements, *plan.Program) {
	t.Helper()
	r, _, _, err := model.LoadRequirements(filepath.Join("testdata", "tracker.yaml"))
	if err != nil || r == nil {
		t.Fatal(err)
	}
	m, _, _, err := model.LoadModel(filepath.Join("testdata", "tracker.model.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(m, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	return r, compiled
}

// TestWalkByShard: a key that says in which shard its item lies is followed like any other.
func TestWalkByShard(t *testing.T) {
	r, compiled := tracked(t)
	src := newSource(1, time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	o := NewOracle(r)
	o.put(r.Entity("Activity"), attr.ItemOf(attr.Field{Name: "activityId", Value: attr.Text("there")}))
	proc := compiled.Procedure("getActivity")
	w := newWalk(o, proc, src)
	for _, id := range []string{"there", "gone"} {
		w.call(attr.ItemOf(attr.Field{Name: "activityId", Value: attr.Text(id)}))
	}
	runs, known := w.met(proc.Stages[0])
	if !known || len(runs) != 2 {
		t.Errorf("%v %v", runs, known)
	}
}

// TestWalkEndsEarly: what queries only pass counts as well, or calls that list very much would be followed for minutes.
func TestWalkEndsEarly(t *testing.T) {
	r, _, found := model.ReadRequirements("bills.yaml", []byte(`tablewright: 1
application: bills
entities:
  Bill: {identity: [billId], attributes: {billId: {type: string, generated: ulid}, due: timestamp}, bytes: 90, count: 50_000}
patterns:
  add: {write: {create: Bill}, rate: {average: 1/s, peak: 2/s}}
  list: {read: Bill, order: due, rate: {average: 1/day, peak: 1/day}}
`))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, problems := plan.Compile(d.Model, r)
	if compiled == nil {
		t.Fatal(problems)
	}
	list := r.Pattern("list")
	calls := func(n int) int {
		clock := NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
		src := newSource(1, clock.Now())
		s := &session{ctx: t.Context(), req: r, asked: r.Patterns, oracle: NewOracle(r), compiled: compiled, src: src, o: Options{Seed: 1, Clock: clock}}
		s.cast = newCast(populate(r, r.Patterns, rootCount, 1), src)
		for i := range n {
			s.oracle.put(r.Entity("Bill"), attr.ItemOf(
				attr.Field{Name: "billId", Value: attr.Text(fmt.Sprint(i))},
				attr.Field{Name: "due", Value: attr.Text("2026-01-15T09:00:00.000Z")}))
		}
		x := newEncounters(s)
		x.walk(list)
		return x.walks[list].calls
	}
	if few, many := calls(10), calls(20_000); few != mostDrawn || many > 8*leastDrawn {
		t.Errorf("%d calls that find few are followed, and %d that find many", few, many)
	}
}
