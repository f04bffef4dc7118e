package design_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// inOne puts a design into one table. It has to compile without a problem that the design has not, and to keep the
// school's rules.
func inOne(t *testing.T, r *spec.Requirements, d *design.Result) (*plan.Model, *plan.Program) {
	t.Helper()
	m, err := design.OneTable(t.Context(), r, d.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Error(x)
	}
	overlaid(t, p)
	return m, p
}

// overlaid holds one table to the school's rules: keys of text that begin with a literal, an attribute that tells the
// kind, no more indexes than an account starts with, no index that a query finds other kinds in than it lists.
func overlaid(t *testing.T, p *plan.Program) {
	t.Helper()
	for _, table := range p.Tables {
		if !generic(table) {
			continue
		}
		if n := len(table.Document.GSI); n > 20 {
			t.Errorf("%s has %d indexes", table.Name, n)
		}
		for _, k := range table.Kinds {
			if !slices.ContainsFunc([]string{"type", "entityType", "itemType"}, func(n string) bool { return k.Document.Set[n].Value == k.Name }) {
				t.Errorf("no attribute of %s tells what it is", k.Name)
			}
			for wire, text := range k.Document.Key {
				if head(text) == "" {
					t.Errorf("%s of %s is %s: it begins with no literal", wire, k.Name, text)
				}
			}
		}
	}
	for _, proc := range p.Procedures {
		for _, s := range proc.Stages {
			if s.Verb == plan.Query && generic(s.Access.Table) {
				for _, k := range s.Access.Table.Kinds {
					if in, _ := k.In(s.Access); in && !slices.Contains(s.Kinds, k) && !beyond(s, k) {
						t.Errorf("%s: %s can lie in the range of %s", proc.Name, k.Name, s.Name)
					}
				}
			}
		}
	}
}

func generic(t *plan.Schema) bool { return strings.HasPrefix(t.Base.Partition[0].Name, "PK") }

// head is the literal that a template begins with.
func head(text string) string { return text[:(strings.IndexAny(text+"#", "#{"))] }

// beyond reports whether no item of a kind can lie in the range of a query: its partition key begins with another
// literal, or its sort key with one that lies before or behind all that the query lists.
func beyond(s *plan.Stage, k *plan.Kind) bool {
	w := s.Access.Partition[0].Name
	if head(s.Kind.Recipe(w).Text) != head(k.Recipe(w).Text) {
		return true
	}
	if len(s.Access.Sort) == 0 {
		return false
	}
	w = s.Access.Sort[0].Name
	var heads []string
	for _, x := range s.Kinds {
		heads = append(heads, head(x.Recipe(w).Text))
	}
	mine := head(k.Recipe(w).Text)
	return mine != "" && (mine < slices.Min(heads) || mine > slices.Max(heads))
}

// outcomes are what came out of putting designs into one table, by their names.
type outcomes struct {
	sync.Mutex
	lines map[string]string
}

func (o *outcomes) add(t *testing.T, name string, r *spec.Requirements, d *design.Result, m *plan.Model, p *plan.Program) {
	was, _ := plan.Compile(d.Model, r)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s in one\n", name, shape(d.Model, was), shape(m, p))
	for _, x := range m.Decisions {
		switch x.Rule {
		case "table of its own", "index of attributes":
			fmt.Fprintf(&b, "  %s: %s\n", x.About, x.Because)
		}
	}
	o.Lock()
	defer o.Unlock()
	if o.lines == nil {
		o.lines = map[string]string{}
	}
	o.lines[name] = b.String()
}

// hold compares them with a file.
func (o *outcomes) hold(t *testing.T, file string) {
	var names []string
	for n := range o.lines {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, n := range names {
		b.WriteString(o.lines[n])
	}
	golden(t, file, b.String())
}

func shape(m *plan.Model, p *plan.Program) string {
	indexes := 0
	for _, t := range m.Tables {
		indexes += len(t.GSI) + len(t.LSI)
	}
	return fmt.Sprintf("%d tables and %d indexes for %s", len(m.Tables), indexes, cost.Price(p, nil).Total())
}

// TestOneTable designs small requirements and whole applications, puts each design into one table, and proves it. The
// golden file has what came of it, with what could not be shared.
func TestOneTable(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, err := filepath.Glob("testdata/strategies/*.yaml")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	own, err := filepath.Glob("testdata/schools/*.yaml")
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	var all accurate
	var out outcomes
	t.Run("each", func(t *testing.T) {
		for _, file := range slices.Concat(files, own, applications) {
			name := strings.TrimSuffix(filepath.Base(file), ".yaml")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := load(t, file)
				d := designed(t, r)
				m, p := inOne(t, r, d)
				out.add(t, name, r, d, m, p)
				if slices.Contains(own, file) {
					golden(t, strings.TrimSuffix(file, ".yaml")+".golden", described(m))
					proven(t, compiled(t, r, d))
				}
				all.add(proven(t, p))
			})
		}
	})
	all.hold(t)
	out.hold(t, "testdata/schools/outcome.golden")
}

// TestOneTableExamples holds the examples in one table to what they were when somebody last looked. `make examples`
// proves them.
func TestOneTableExamples(t *testing.T) {
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			r, d := designedExample(t, name)
			m, p := inOne(t, r, d)
			was, _ := plan.Compile(d.Model, r)
			golden(t, "testdata/schools/"+name+".golden", shape(d.Model, was)+", "+shape(m, p)+" in one\n"+described(m))
		})
	}
}

// TestSchoolOfRequirements: the requirements say which school the designed model follows.
func TestSchoolOfRequirements(t *testing.T) {
	r := example(t, "session-management")
	r.Application.School = design.SingleTable
	_, d := designedExample(t, "session-management")
	want, err := design.OneTable(t.Context(), r, d.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := designed(t, r); described(got.Model) != described(want) {
		t.Errorf("got\n%s\nwant\n%s", described(got.Model), described(want))
	}
	bad := *d.Model
	bad.Plans = bad.Plans[1:]
	if _, err := design.OneTable(t.Context(), r, &bad, nil); err == nil || !strings.Contains(err.Error(), "no plan serves") {
		t.Errorf("a model that lacks a plan: %v", err)
	}
}
