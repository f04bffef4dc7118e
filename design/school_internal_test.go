package design

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// TestFewestIndexes places indexes of kinds, named by letters, on as few as possible.
func TestFewestIndexes(t *testing.T) {
	kinds := map[rune]*plan.Kind{}
	for _, r := range "abcdefghijklmnopqrstuvwxy" {
		kinds[r] = &plan.Kind{Name: string(r)}
	}
	many := func(n int, text string) (out []string) {
		for range n {
			out = append(out, text)
		}
		return out
	}
	for _, x := range []struct {
		name    string
		indexes []string // the kinds of each; ! it is scanned, = its key is of attributes
		want    int
	}{
		{"none", nil, 0},
		{"one for each kind", []string{"a", "b", "c"}, 1},
		{"as many as one kind has", []string{"a", "b", "a", "c", "a"}, 3},
		{"several kinds in one", []string{"ab", "cd", "ac", "bd"}, 2},
		{"a triangle", []string{"ab", "bc", "ca"}, 3},
		{"a ring of five", []string{"ab", "bc", "cd", "de", "ea"}, 3},
		{"scanned ones are not shared", []string{"a", "!b", "c"}, 2},
		{"nor those of attributes", []string{"a", "=b", "=c"}, 3},
		{"many", slices.Concat(many(20, "a"), many(20, "b")), 20},
	} {
		s, of := &overload{}, []*overlay{}
		for _, text := range x.indexes {
			o := &overlay{was: &plan.Access{Project: plan.Keys}}
			for _, r := range text {
				switch r {
				case '!':
					o.whole = true
				case '=':
					o.bare = true
				default:
					o.kinds = append(o.kinds, kinds[r])
				}
			}
			of = append(of, o)
		}
		if got := s.colour(of); got != x.want {
			t.Errorf("%s: %d indexes, want %d", x.name, got, x.want)
		}
		for i, o := range of {
			for _, p := range of[:i] {
				if o.number == p.number && !o.beside(p) {
					t.Errorf("%s: %s and %s lie on one", x.name, x.indexes[i], x.indexes[slices.Index(of, p)])
				}
			}
		}
	}
}

// TestTwentyIndexes: a table that would need more than the 20 indexes that an account starts with leaves one out.
func TestTwentyIndexes(t *testing.T) {
	s := &overload{}
	for _, n := range []int{3, 19} {
		j := &joining{was: &plan.Schema{Name: fmt.Sprint(n)}}
		s.tables = append(s.tables, j)
		for range n { // none of them can be shared
			s.indexes = append(s.indexes, &overlay{of: j, bare: true, was: &plan.Access{Table: j.was, Project: plan.Keys}})
		}
	}
	s.place()
	if s.tables[0].apart != "" || s.tables[1].apart == "" {
		t.Errorf("the table with 3 indexes: %q; that with 19: %q", s.tables[0].apart, s.tables[1].apart)
	}
}

// TestSimilarProjections: of the places that are free an index takes the one whose projection is most like its own.
func TestSimilarProjections(t *testing.T) {
	index := func(kind *plan.Kind, project string, include ...string) *overlay {
		return &overlay{was: &plan.Access{Project: project, Include: include}, kinds: []*plan.Kind{kind}}
	}
	a, b := &plan.Kind{Name: "a"}, &plan.Kind{Name: "b"}
	of := []*overlay{index(a, plan.All), index(a, plan.Include, "x", "y"), index(b, plan.Include, "x"), index(b, plan.All)}
	(&overload{}).colour(of)
	if of[2].number != of[1].number || of[3].number != of[0].number {
		t.Errorf("placed on %d, %d, %d and %d", of[0].number, of[1].number, of[2].number, of[3].number)
	}
}

// TestSettings: tables join only those of their class, of their way to be billed and of their group.
func TestSettings(t *testing.T) {
	table := func(group string, d plan.Table) *plan.Schema {
		return &plan.Schema{Document: &d, Kinds: []*plan.Kind{{Entity: &spec.Entity{Group: group}}}}
	}
	s := &overload{}
	plainly := s.settings(table("", plan.Table{}))
	for name, other := range map[string]*plan.Schema{
		"class":   table("", plan.Table{Class: "infrequent-access"}),
		"billing": table("", plan.Table{Billing: plan.Billing{Read: 10, Write: 10}}),
		"group":   table("records", plan.Table{}),
	} {
		if s.settings(other) == plainly {
			t.Errorf("%s: they join", name)
		}
	}
	if s.settings(table("", plan.Table{Class: "standard", Stream: plan.NewAndOld, TTL: "ttl"})) != plainly {
		t.Error("a stream, a time to live or the usual class keeps tables apart")
	}
	for local, want := range map[bool]bool{true: true, false: false} {
		x := &plan.Schema{Indexes: []*plan.Access{{Local: local}}}
		if got := s.unfit(x, false) != ""; got != want {
			t.Errorf("local %v: apart %v", local, got)
		}
	}
	if s.unfit(&plan.Schema{}, true) == "" {
		t.Error("what is scanned joins")
	}
}

// TestLiterals of names.
func TestLiterals(t *testing.T) {
	for name, want := range map[string]string{
		"Customer": "CUSTOMER", "OrderItem": "ORDER_ITEM", "customerEmail": "CUSTOMER_EMAIL", "URLPath": "URLPATH", "Unit2Price": "UNIT2_PRICE",
		"out-of-stock": "OUT_OF_STOCK", "étage": "ÉTAGE",
	} {
		if got := screaming(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
