package expr_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// formerly are the names before: of a, of m, and of x inside m.
func formerly(p expr.Path, from int) (at int, was string, ok bool) {
	first, _ := p.Step(0)
	if from == 0 {
		switch first {
		case "a":
			return 0, "a before", true
		case "m":
			return 0, "m before", true
		}
	}
	if from <= 1 && p.Len() > 1 && first == "m" {
		if second, _ := p.Step(1); second == "x" {
			return 1, "x before", true
		}
	}
	return 0, "", false
}

// settle puts everything in an item under its name.
func settle(it attr.Item) attr.Item {
	move := func(it attr.Item, name, was string) attr.Item {
		it = it.Clone()
		if v := it.Get(was); !it.Has(name) && it.Has(was) {
			it.Set(name, v)
		}
		it.Remove(was)
		return it
	}
	it = move(move(it, "a", "a before"), "m", "m before")
	if v := it.Get("m"); v.Kind() == attr.KindM {
		it.Set("m", attr.Map(move(v.Map(), "x", "x before")))
	}
	return it
}

// TestRenamed: a condition that is written out holds for items as they are exactly if it held for them with everything
// under its name.
func TestRenamed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	value := func() attr.Value {
		return []attr.Value{attr.Text("u"), attr.Text("v"), attr.Num(attr.Int(int64(r.IntN(3)))), attr.Null(), attr.TextSet("u"), attr.List(attr.Text("u"))}[r.IntN(6)]
	}
	var paths = []expr.Path{expr.Name("a"), expr.Name("b"), expr.Name("m"), expr.Name("m").Field("x"), expr.Name("m").Field("z"), expr.Name("a").Index(0), expr.Name("m").Field("x").Index(0)}
	path := func() expr.Path { return paths[r.IntN(len(paths))] }
	operand := func() expr.Operand {
		switch r.IntN(6) {
		case 0, 1:
			return path()
		case 2:
			return expr.Size(path())
		}
		return expr.Literal(value())
	}
	var condition func(depth int) *expr.Condition
	condition = func(depth int) *expr.Condition {
		if depth > 0 {
			switch r.IntN(4) {
			case 0:
				return expr.And(condition(depth-1), condition(depth-1))
			case 1:
				return expr.Or(condition(depth-1), condition(depth-1), condition(depth-1))
			case 2:
				return expr.Not(condition(depth - 1))
			}
		}
		switch r.IntN(9) {
		case 0:
			return expr.Exists(path())
		case 1:
			return expr.NotExists(path())
		case 2:
			return expr.NotEqual(path(), operand())
		case 3:
			return expr.HasType(path(), attr.KindS)
		case 4:
			return expr.Between(path(), operand(), operand())
		case 5:
			return expr.In(path(), operand(), operand())
		case 6:
			return expr.Contains(path(), operand())
		case 7:
			return expr.Less(operand(), path())
		}
		return expr.Equal(path(), operand())
	}
	item := func() attr.Item {
		var it, inner attr.Item
		if name := []string{"x", "x before", ""}[r.IntN(3)]; name != "" {
			inner.Set(name, value())
		}
		if r.IntN(2) == 0 {
			inner.Set("z", value())
		}
		for _, name := range []string{"a", "a before", "b", "m", "m before"} {
			switch r.IntN(3) {
			case 0:
				it.Set(name, value())
			case 1:
				if name[0] == 'm' {
					it.Set(name, attr.Map(inner))
				}
			}
		}
		return it
	}
	held := 0
	for range 4_000 {
		c := condition(2)
		both := c.Renamed(formerly)
		for range 4 {
			it := item()
			want := c.Eval(settle(it))
			if got := both.Eval(it); got != want {
				t.Fatalf("%s\nwritten out: %s\nof %v: %v, want %v", c, both, it, got, want)
			}
			if want {
				held++
			}
		}
	}
	if held < 2_000 {
		t.Errorf("only %d conditions held", held)
	}
	a, b := expr.Name("a"), expr.Name("b")
	c := expr.And(expr.Exists(a), expr.Not(expr.HasType(a, attr.KindS)), expr.Less(expr.Size(b), expr.Literal(attr.Num(attr.Int(1)))))
	if got := c.Compared(); len(got) != 1 || !got[0].Equal(b) || (*expr.Condition)(nil).Compared() != nil {
		t.Errorf("compares %v", got)
	}
	if (*expr.Condition)(nil).Renamed(formerly) != nil {
		t.Error("what holds always still does")
	}
}

// An attribute t that was called title.
func ExampleCondition_Renamed() {
	title := expr.Equal(expr.Name("t"), expr.Literal(attr.Text("Dawn")))
	both := title.Renamed(func(p expr.Path, from int) (int, string, bool) { return 0, "title", from == 0 && p.Attribute() == "t" })
	fmt.Println(both)
	// Output: t = :0 OR attribute_not_exists(t) AND title = :1
}
