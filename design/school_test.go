package design_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// inOne puts a design into one table, which has to compile without a problem that the design has not.
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
	overlaid(t, m, p)
	return m, p
}

// overlaid holds one table to the school's rules: keys of text that begin with a literal, an attribute that tells the kind, no kind
// twice on an index, and no more indexes than an account starts with.
func overlaid(t *testing.T, m *plan.Model, p *plan.Program) {
	t.Helper()
	for _, table := range p.Tables {
		if table.Base.Partition[0].Name != "PK" {
			continue
		}
		if n := len(table.Document.GSI); n > 20 {
			t.Errorf("%s has %d indexes", table.Name, n)
		}
		for _, k := range table.Kinds {
			told := false
			for _, name := range []string{"type", "entityType", "itemType"} {
				told = told || k.Document.Set[name].Value == k.Name
			}
			if !told {
				t.Errorf("no attribute of %s tells what it is", k.Name)
			}
			for wire, text := range k.Document.Key {
				if text == "" || text[0] < 'A' || text[0] > 'Z' {
					t.Errorf("%s of %s is %s: it begins with no literal", wire, k.Name, text)
				}
			}
		}
	}
	for _, proc := range p.Procedures {
		for _, s := range proc.Stages {
			if s.Verb != plan.Query || len(s.Kinds) > 1 {
				continue
			}
			for _, k := range s.Access.Table.Kinds {
				if in, _ := k.In(s.Access); in && k != s.Kind && !begins(s) {
					t.Errorf("%s: %s is in the range of a query of %s", proc.Name, k.Name, s.Kind.Name)
				}
			}
		}
	}
}

// begins reports whether the key that a query reads begins with a literal that only one kind's items have, in its partition key or
// in its sort key.
func begins(s *plan.Stage) bool {
	for _, w := range slices.Concat(s.Access.Partition, s.Access.Sort) {
		mine, alone := s.Kind.Recipe(w.Name), true
		for _, k := range s.Access.Table.Kinds {
			if o := k.Recipe(w.Name); o != nil && k != s.Kind && (mine.Literals == nil || o.Literals == nil || o.Literals[0] == mine.Literals[0]) {
				alone = false
			}
		}
		if alone {
			return true
		}
	}
	return false
}

func TestSchoolExamples(t *testing.T) {
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			r, d := designedExample(t, name)
			m, p := inOne(t, r, d)
			report(t, d.Model, m, r, p)
			proven(t, p)
		})
	}
}

func report(t *testing.T, was, m *plan.Model, r *spec.Requirements, p *plan.Program) {
	old, _ := plan.Compile(was, r)
	n := func(m *plan.Model) (x int) {
		for _, t := range m.Tables {
			x += len(t.GSI)
		}
		return x
	}
	t.Logf("%d tables, %d indexes, %s -> %d tables, %d indexes, %s", len(was.Tables), n(was), cost.Price(old, nil).Total(), len(m.Tables), n(m), cost.Price(p, nil).Total())
	for _, d := range m.Decisions {
		if d.Rule == "table of its own" {
			t.Logf("  apart: %s: %s", d.About, d.Because)
		}
		if d.Rule == "index of attributes" {
			t.Logf("  %s: %s", d.About, d.Because)
		}
	}
	for _, x := range m.Tables {
		for _, name := range slices.Sorted(maps.Keys(x.Items)) {
			_ = fmt.Sprint(name)
		}
	}
}

func TestSchoolStrategies(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, _ := filepath.Glob("testdata/strategies/*.yaml")
	for _, f := range []string{"../prove/testdata/tracker.yaml", "../prove/testdata/desk.yaml", "../plan/testdata/club.yaml"} {
		files = append(files, f)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			r := load(t, file)
			d := designed(t, r)
			m, p := inOne(t, r, d)
			report(t, d.Model, m, r, p)
			proven(t, p)
		})
	}
}
