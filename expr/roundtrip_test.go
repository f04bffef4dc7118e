package expr_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// generator makes random expressions with the builders. What it makes is mostly right, and sometimes refused.
type generator struct{ *rand.Rand }

var someNames = []string{"a", "b", "status", "a.b", "", "#x", ":v", "and", "größe", "a b", "\"", "_x", "long_name_1"}

func (g generator) name() string {
	if n := someNames[g.IntN(len(someNames))]; n != "" || g.IntN(20) == 0 {
		return n
	}
	return "n"
}

func (g generator) path() expr.Path {
	p := expr.Name(g.name())
	for g.IntN(3) == 0 {
		if g.IntN(2) == 0 {
			p = p.Field(g.name())
		} else {
			p = p.Index(g.IntN(12))
		}
	}
	return p
}

func (g generator) value() attr.Value {
	switch g.IntN(11) {
	case 0, 1:
		return attr.Text(g.name())
	case 2, 3, 4:
		return attr.Num(attr.Int(int64(g.IntN(2000) - 1000)))
	case 5:
		return attr.Binary([]byte{byte(g.IntN(256))})
	case 6:
		return attr.Bool(g.IntN(2) == 0)
	case 7:
		return attr.Null()
	case 8:
		return attr.List(g.value(), g.value())
	case 9:
		return attr.TextSet("x", "y")
	}
	return attr.Map(attr.ItemOf(attr.Field{Name: g.name() + "m", Value: g.value()}))
}

func (g generator) operand() expr.Operand {
	switch g.IntN(8) {
	case 0, 1, 2:
		return g.path()
	case 3:
		return expr.Size(g.path())
	}
	return expr.Literal(g.value())
}

func (g generator) condition(depth int) *expr.Condition {
	if depth > 0 && g.IntN(3) > 0 {
		switch g.IntN(5) {
		case 0, 1:
			return expr.And(g.condition(depth-1), g.condition(depth-1), g.condition(depth-1))
		case 2, 3:
			return expr.Or(g.condition(depth-1), g.condition(depth-1))
		}
		return expr.Not(g.condition(depth - 1))
	}
	compare := []func(a, b expr.Operand) *expr.Condition{expr.Equal, expr.NotEqual, expr.Less, expr.AtMost, expr.Greater, expr.AtLeast, expr.BeginsWith, expr.Contains}
	switch n := g.IntN(len(compare) + 4); n {
	case 0:
		return expr.Between(g.operand(), g.operand(), g.operand())
	case 1:
		return expr.In(g.operand(), g.operand(), g.operand())
	case 2:
		return expr.Exists(g.path())
	case 3:
		return expr.Or(expr.NotExists(g.path()), expr.HasType(g.path(), attr.Kind(1+g.IntN(10))))
	default:
		return compare[n-4](g.operand(), g.operand())
	}
}

func (g generator) assigned() expr.Operand {
	simple := func() expr.Operand {
		switch g.IntN(3) {
		case 0:
			return g.path()
		case 1:
			return expr.IfNotExists(g.path(), expr.Literal(g.value()))
		}
		return expr.Literal(g.value())
	}
	switch g.IntN(6) {
	case 0:
		return expr.Plus(simple(), simple())
	case 1:
		return expr.Minus(simple(), simple())
	case 2:
		return expr.ListAppend(simple(), simple())
	}
	return simple()
}

func (g generator) update() *expr.Update {
	var changes []expr.Change
	for range 1 + g.IntN(5) {
		switch g.IntN(4) {
		case 0:
			changes = append(changes, expr.Remove(g.path()))
		case 1:
			changes = append(changes, expr.Add(g.path(), g.value()))
		case 2:
			changes = append(changes, expr.Delete(g.path(), g.value()))
		default:
			changes = append(changes, expr.Set(g.path(), g.assigned()))
		}
	}
	return expr.NewUpdate(changes...)
}

func (g generator) item() attr.Item {
	var it attr.Item
	for _, n := range someNames {
		if n != "" && g.IntN(2) == 0 {
			it.Set(n, g.value())
		}
	}
	return it
}

// TestBuild builds expressions at random. What the printer writes must be read as what was built, and mean the same; and
// what it refuses, no one can send.
func TestBuild(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	var p expr.Printer
	printed := 0
	const rounds = 20000
	for range rounds {
		p.Reset()
		c := g.condition(3)
		text, err := p.AppendFilter([]byte("before"), c)
		if err != nil {
			if string(text) != "before" {
				t.Fatalf("%v: %s: wrote %s", c, err, text)
			}
			continue
		}
		printed++
		s := p.Substitutions()
		if err := s.Check(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := expr.ParseFilter(string(text[len("before"):]), s)
		if err != nil || s.Unused() != nil {
			t.Fatalf("%s: %v, %v", text, err, s.Unused())
		}
		if !expr.SameCondition(c, again) {
			t.Fatalf("built %s\nread %s", c, again)
		}
		if it := g.item(); c.Eval(it) != again.Eval(it) {
			t.Fatalf("%s: differs on an item", c)
		}
	}
	if printed < rounds/4 {
		t.Errorf("only %d of %d conditions could be printed: the generator is too wild to test much", printed, rounds)
	}
	printed = 0
	for range rounds {
		p.Reset()
		u := g.update()
		text, err := p.AppendUpdate(nil, u)
		if err != nil {
			continue
		}
		printed++
		s := p.Substitutions()
		again, err := expr.ParseUpdate(string(text), s)
		if err != nil || s.Unused() != nil || s.Check() != nil {
			t.Fatalf("%s: %v, %v", text, err, s.Unused())
		}
		if !expr.SameUpdate(u, again) {
			t.Fatalf("built %s\nread %s", u, again)
		}
		it := g.item()
		a, _, err1 := u.Apply(it)
		b, _, err2 := again.Apply(it)
		if (err1 == nil) != (err2 == nil) || !attr.EqualItems(a, b) {
			t.Fatalf("%s: differs on an item: %v, %v", u, err1, err2)
		}
	}
	if printed < rounds/10 {
		t.Errorf("only %d of %d updates could be printed", printed, rounds)
	}
}

// TestBuildOthers does the same for projections and key conditions.
func TestBuildOthers(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	var p expr.Printer
	for range 5000 {
		p.Reset()
		r := expr.Project(g.path(), g.path())
		text, err := p.AppendProjection(nil, r)
		if err == nil {
			again, err := expr.ParseProjection(string(text), p.Substitutions())
			if err != nil || !expr.SameProjection(r, again) {
				t.Fatalf("%s: %v", r, err)
			}
		}
		p.Reset()
		k := expr.NewKeyExpression(
			expr.KeyTerm{Attribute: g.name(), Op: expr.KeyEqual, Low: g.value()},
			expr.KeyTerm{Attribute: g.name(), Op: expr.KeyOp(1 + g.IntN(7)), Low: g.value()},
		)
		if terms := k.Terms(); terms[1].Op == expr.KeyBetween {
			terms[1].High = terms[1].Low
		}
		text, err = p.AppendKey(nil, k)
		if err == nil {
			again, err := expr.ParseKey(string(text), p.Substitutions())
			if err != nil || !expr.SameKey(k, again) {
				t.Fatalf("%s: %v", k, err)
			}
		}
	}
}
