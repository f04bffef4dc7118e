package design_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

var update = flag.Bool("update", false, "rewrite golden files")

// examples are the requirements that the repository shows.
var examples = []string{"online-shop", "complaint-management", "session-management", "recurring-payments", "rubis-auction", "social-network"}

func example(t testing.TB, name string) *spec.Requirements {
	t.Helper()
	return load(t, examplePath(name))
}

func examplePath(name string) string { return filepath.Join("..", "examples", name+".yaml") }

func load(t testing.TB, file string) *spec.Requirements {
	t.Helper()
	r, _, found, err := model.LoadRequirements(file)
	if err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Fatal(found)
	}
	return r
}

// parse reads requirements from text.
func parse(t testing.TB, text string) *spec.Requirements {
	t.Helper()
	file := filepath.Join(t.TempDir(), "requirements.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return load(t, file)
}

func designed(t testing.TB, r *spec.Requirements) *design.Result {
	t.Helper()
	d, err := design.Design(t.Context(), r, design.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "", d)
	return d
}

// sound reports what the compiler refused of models that the search took for sound. The search goes around it, and
// silence would hide a mistake of this package.
func sound(t testing.TB, path string, d *design.Result) {
	t.Helper()
	for _, why := range design.Refused(d) {
		t.Errorf("%s: the compiler refused a plan of the search: %s", path, why)
	}
}

// file is the design of a file of requirements, for tests that only look at it.
type file struct {
	sync.Mutex
	requirements *spec.Requirements // nil: it has mistakes
	design       *design.Result
	err          error
}

// files are those that some test has designed. A search takes seconds, and several tests look at what it found.
var files sync.Map // of paths to *file

// designedFile designs a file of requirements, once for all tests.
func designedFile(t testing.TB, path string) (*spec.Requirements, *design.Result, error) {
	t.Helper()
	of, _ := files.LoadOrStore(path, &file{})
	f := of.(*file)
	f.Lock()
	defer f.Unlock()
	if f.design == nil && f.err == nil {
		var err error
		if f.requirements, _, _, err = model.LoadRequirements(path); err != nil {
			t.Fatal(err)
		}
		if f.requirements != nil {
			if f.design, f.err = design.Design(t.Context(), f.requirements, design.Options{}); f.err == nil {
				sound(t, path, f.design)
			}
		}
	}
	return f.requirements, f.design, f.err
}

// compiled is the program of a design, which has to be without problems.
func compiled(t testing.TB, r *spec.Requirements, d *design.Result) *plan.Program {
	t.Helper()
	p, problems := plan.Compile(d.Model, r)
	for _, x := range problems {
		t.Error(x)
	}
	if p == nil {
		t.FailNow()
	}
	return p
}

// proven runs a design on the engine against the oracle, indexes lagging.
func proven(t testing.TB, p *plan.Program) *prove.Evidence {
	t.Helper()
	const lag = 200 * time.Millisecond
	clock := prove.NewSimulated(time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC))
	e, err := engine.Open("", &engine.Options{Clock: clock, Lag: &engine.Lag{Max: lag, Seed: 1}, SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	evidence, err := prove.Run(t.Context(), p, prove.Options{Clock: clock, Lag: lag, Calls: 8, Scale: 0.25,
		Open: func(o tablewright.Options) (*tablewright.DB, error) {
			return tablewright.New(tablewright.InProcess(e), o), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range evidence.Patterns {
		if !q.Proven {
			t.Errorf("%s is not proven: %s\ninput %v\nexpected %v\ngot %v\nestimated %v, consumed %v", q.Name, q.Failure, q.Failure.Input, q.Failure.Expected, q.Failure.Got, q.Estimated, q.Consumed)
		}
	}
	return evidence
}

// accurate demands of some proofs that their estimates came as near to what calls consumed as they are said to.
type accurate struct {
	sync.Mutex
	all []*prove.Evidence
}

func (a *accurate) add(e *prove.Evidence) {
	a.Lock()
	defer a.Unlock()
	a.all = append(a.all, e)
}

func (a *accurate) hold(t *testing.T) {
	got := prove.AccuracyOf(a.all...)
	t.Logf("%d patterns consume %.4f times their estimate in the median, %.1f %% of them within 5 %%", got.Patterns, got.Median, 100*got.Near)
	if len(a.all) > 0 && (math.Abs(got.Median-1) > 0.01 || got.Near < 0.95) {
		t.Errorf("want within 1 %%, and 95 %% of them within 5 %%")
	}
}

// golden compares text with a file beside the test.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s is not what was expected (-update rewrites it):\n%s", file, text)
	}
}

// summary is a design in a few lines: structures, the operations of every plan, and the rule behind each decision.
func summary(d *design.Result) string {
	var b strings.Builder
	for _, c := range d.Components {
		fmt.Fprintf(&b, "component %s: cheapest %s with %d points, chosen %s with %d\n", strings.Join(c.Entities, ", "), c.Cheapest.Cost, c.Cheapest.Points, c.Chosen.Cost, c.Chosen.Points)
	}
	return b.String() + described(d.Model)
}

// described are the structures, operations and rules of a model.
func described(m *plan.Model) string {
	var b strings.Builder
	for _, t := range m.Tables {
		key := t.Key.Partition
		if t.Key.Sort != "" {
			key += "; " + t.Key.Sort
		}
		fmt.Fprintf(&b, "table %s {%s}\n", t.Name, key)
		if t.TTL != "" {
			fmt.Fprintf(&b, "  expires by %s\n", t.TTL)
		}
		for _, name := range slices.Sorted(maps.Keys(t.Items)) {
			it := t.Items[name]
			fmt.Fprintf(&b, "  item %s", name)
			for _, k := range slices.Sorted(maps.Keys(it.Key)) {
				fmt.Fprintf(&b, " %s=%q", k, it.Key[k])
			}
			for _, k := range slices.Sorted(maps.Keys(it.Set)) {
				fmt.Fprintf(&b, " %s=%q", k, it.Set[k].Value)
				if it.Set[k].When != "" {
					fmt.Fprintf(&b, " when %s", it.Set[k].When)
				}
				if it.Set[k].Else != "" {
					fmt.Fprintf(&b, " else %q", it.Set[k].Else)
				}
			}
			for _, k := range slices.Sorted(maps.Keys(it.Copies)) {
				fmt.Fprintf(&b, " copies %s", it.Copies[k].From)
			}
			for _, k := range slices.Sorted(maps.Keys(it.Embed)) {
				fmt.Fprintf(&b, " embeds %s as %s", k, it.Embed[k].As)
			}
			if it.Pack != "" {
				fmt.Fprintf(&b, " packed by %s", it.Pack)
			}
			if it.Shard != nil {
				fmt.Fprintf(&b, " in %d shards by %s", it.Shard.Of, it.Shard.By)
			}
			b.WriteByte('\n')
		}
		for _, kind := range []string{"index", "local index"} {
			indexes := t.GSI
			if kind == "local index" {
				indexes = t.LSI
			}
			for _, name := range slices.Sorted(maps.Keys(indexes)) {
				x := indexes[name]
				fmt.Fprintf(&b, "  %s %s {%s} projects %s %s\n", kind, name, indexKey(x), x.Project, strings.Join(x.Include, ", "))
			}
		}
	}
	for _, p := range m.Plans {
		var steps []string
		for _, name := range slices.Sorted(maps.Keys(p.Steps)) {
			steps = append(steps, operation(p.Steps[name]))
		}
		if p.Answer.Cursor == plan.CutAnswer {
			steps = append(steps, "cut by the client")
		}
		fmt.Fprintf(&b, "plan %s: %s\n", p.Name, strings.Join(steps, ", "))
	}
	for _, x := range m.Decisions {
		fmt.Fprintf(&b, "decision %s: %s\n", x.About, x.Rule)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return strings.Join(lines, "\n") + "\n"
}

func indexKey(x plan.Index) string {
	key := strings.Join(x.Partition, ", ")
	if len(x.Sort) > 0 {
		key += "; " + strings.Join(x.Sort, ", ")
	}
	return key
}

func operation(s plan.Step) string {
	var text string
	switch {
	case s.Get != "":
		text = "get " + s.Get
	case s.BatchGet != "":
		text = "batch-get " + s.BatchGet
	case s.Query != "":
		text = "query " + s.Query
	case s.Scan != "":
		text = "scan " + s.Scan
	case s.Put != "":
		text = "put " + s.Put
	case s.Update != "":
		text = "update " + s.Update
	case s.Delete != "":
		text = "delete " + s.Delete
	case s.Check != "":
		text = "check " + s.Check
	case len(s.Transact) > 0:
		var parts []string
		for _, a := range s.Transact {
			parts = append(parts, operation(a))
		}
		text = "transact (" + strings.Join(parts, ", ") + ")"
	case len(s.TransactGet) > 0:
		var parts []string
		for _, a := range s.TransactGet {
			parts = append(parts, operation(a))
		}
		text = "transact-get (" + strings.Join(parts, ", ") + ")"
	}
	if s.Order != "" {
		text += " " + s.Order
	}
	if s.Each != "" {
		text += " each " + s.Each
	}
	if s.Scatter != "" {
		text += " scatter " + s.Scatter
	}
	if s.Consistent {
		text += " consistent"
	}
	if s.Filter != "" {
		text += " filter " + s.Filter
	}
	if len(s.If) > 0 {
		text += " if " + strings.Join(s.If, " and ")
	}
	return text
}
