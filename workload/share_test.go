package workload

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

func TestHolds(t *testing.T) {
	e := &spec.Entity{Name: "Ticket"}
	state := &spec.Attribute{Name: "state", Entity: e, Shares: []spec.Share{{Value: "open", Of: 0.2}, {Value: "held", Of: 0.3}, {Value: "done", Of: 0.5}}}
	note := &spec.Attribute{Name: "note", Entity: e, Optional: true, Present: 0.1}
	grade := &spec.Attribute{Name: "grade", Entity: e, Optional: true, Present: 0.5, Shares: []spec.Share{{Value: "a", Of: 0.4}, {Value: "b", Of: 0.6}}}
	size := &spec.Attribute{Name: "size", Entity: e}
	e.Attributes = []*spec.Attribute{state, note, grade, size}
	test := func(name, op string, values ...string) spec.Condition {
		c := &spec.Test{Path: spec.Path{name}, Op: op}
		for _, v := range values {
			c.Args = append(c.Args, spec.Expr{Literal: attr.Text(v)})
		}
		return c
	}
	logic := func(op string, args ...spec.Condition) spec.Condition { return &spec.Logic{Op: op, Args: args} }
	w := New(&spec.Requirements{Entities: []*spec.Entity{e}}, Figures{})
	for _, x := range []struct {
		what string
		c    spec.Condition
		sure Known
		want float64
	}{
		{"equal", test("state", "=", "open"), nil, 0.2},
		{"one of", test("state", "in", "open", "held"), nil, 0.5},
		{"unequal", test("state", "!=", "open"), nil, 0.8},
		{"not", logic("not", test("state", "=", "open")), nil, 0.8},
		{"and", logic("and", test("state", "=", "done"), test("note", "exists")), nil, 0.05},
		{"or", logic("or", test("state", "=", "done"), test("note", "exists")), nil, 1 - 0.5*0.9},
		{"absent", test("note", "absent"), nil, 0.9},
		{"optional and equal", test("grade", "=", "a"), nil, 0.5 * 0.4},
		{"optional and unequal: what is absent is not compared", test("grade", "!=", "a"), nil, 0.5 * 0.6},
		{"nothing stated", test("size", ">", "3"), nil, 1},
		{"an attribute of somebody else", test("colour", "=", "red"), nil, 1},
		{"known value", test("state", "in", "open", "held"), Known{"state": "held"}, 1},
		{"known other value", test("state", "=", "open"), Known{"state": "held"}, 0},
		{"known to be there", test("note", "exists"), Known{"note": There}, 1},
		{"there with a value nobody knows", test("grade", "=", "a"), Known{"grade": There}, 0.4},
		{"known to be gone", test("note", "exists"), Known{"note": Gone}, 0},
		{"gone, so not equal", test("grade", "=", "a"), Known{"grade": Gone}, 0},
	} {
		if got := w.Share(x.c, e, x.sure); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", x.what, got, x.want)
		}
	}
}
