package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/plan"
)

// TestFragments resolves tables and plans one at a time, and finds in each what the whole model has.
func TestFragments(t *testing.T) {
	whole := shop(t)
	f := plan.NewFragments(whole.Requirements)
	var tables []*plan.Schema
	for _, d := range whole.Model.Tables {
		s, err := f.Table(d)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, s)
	}
	for _, d := range whole.Model.Plans {
		got, err := f.Plan(d, tables...)
		if err != nil {
			t.Fatal(err)
		}
		want := whole.Procedure(d.Name)
		if len(got.Stages) != len(want.Stages) {
			t.Errorf("%s has %d stages, in the whole model %d", d.Name, len(got.Stages), len(want.Stages))
			continue
		}
		for i, s := range got.Stages {
			if o := want.Stages[i]; s.Name != o.Name || s.Verb != o.Verb || s.Wanted() != o.Wanted() || s.Access != nil && s.Access.Name() != o.Access.Name() {
				t.Errorf("%s: step %s is %s, in the whole model %s %s", d.Name, s.Name, s.Verb, o.Name, o.Verb)
			}
		}
	}
	bad := whole.Model.Plans[0]
	bad.Name = "nobody"
	if _, err := f.Plan(bad, tables...); err == nil {
		t.Error("a plan of no pattern is resolved")
	}
}
