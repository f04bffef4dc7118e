package tablewright

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Cond is a condition of a write or a filter of a read, on an item of type T. The zero Cond holds always.
type Cond[T any] struct{ t test }

// And holds if both hold.
func (c Cond[T]) And(d Cond[T]) Cond[T] { return Cond[T]{test{op: opAnd, kids: []test{c.t, d.t}}} }

// Or holds if one of them holds.
func (c Cond[T]) Or(d Cond[T]) Cond[T] { return Cond[T]{test{op: opOr, kids: []test{c.t, d.t}}} }

// Not holds if c does not.
func (c Cond[T]) Not() Cond[T] { return Cond[T]{test{op: opNot, kids: []test{c.t}}} }

// test is a condition as it was built: values only, so that building it allocates nothing for one comparison.
type test struct {
	op   testOp
	n    *node
	size bool // of the attribute, not its value, is compared
	a, b attr.Value
	list []attr.Value
	kids []test
	text *expr.Condition // of Where
	err  error           // a mistake made while building
}

type testOp uint8

const (
	opTrue testOp = iota
	opEqual
	opNotEqual
	opLess
	opAtMost
	opGreater
	opAtLeast
	opBetween
	opIn
	opExists
	opAbsent
	opBegins
	opContains
	opAnd
	opOr
	opNot
	opText
)

// on is a test of a place; one that was not declared makes it a mistake.
func on(n *node, op testOp) test {
	if err := n.mistake(); err != nil {
		return test{op: op, err: err}
	}
	return test{op: op, n: n}
}

func compare[T, V any](n *node, op testOp, codec attr.Codec[V], v V) Cond[T] {
	t := on(n, op)
	if t.err != nil {
		return Cond[T]{t}
	}
	t.a = t.value(codec.Value(v))
	return Cond[T]{t}
}

// value notes what is wrong with a value that a condition compares with.
func (t *test) value(v attr.Value, err error) attr.Value {
	switch {
	case t.err != nil:
	case err != nil:
		t.err = fmt.Errorf("%s: %w", t.n.path, err)
	case v.IsZero():
		t.err = fmt.Errorf("%s: compared with a value that is stored as absent: ask with Exists or Absent", t.n.path)
	}
	return v
}

// condition builds the expression; nil holds always.
func (t *test) condition() (*expr.Condition, error) {
	switch {
	case t.err != nil:
		return nil, t.err
	case t.n != nil && t.n.err != nil:
		return nil, t.n.err
	}
	switch t.op {
	case opTrue:
		return nil, nil
	case opText:
		return t.text, nil
	case opAnd, opOr, opNot:
		kids := make([]*expr.Condition, len(t.kids))
		for i := range t.kids {
			var err error
			if kids[i], err = t.kids[i].condition(); err != nil {
				return nil, err
			}
		}
		switch {
		case t.op == opAnd:
			return expr.And(kids...), nil
		case t.op == opOr:
			return expr.Or(kids...), nil
		case kids[0] == nil:
			return nil, errors.New("the negation of no condition never holds")
		}
		return expr.Not(kids[0]), nil
	case opExists:
		return expr.Exists(t.n.path), nil
	case opAbsent:
		return expr.NotExists(t.n.path), nil
	case opIn:
		list := make([]expr.Operand, len(t.list))
		for i, v := range t.list {
			list[i] = expr.Literal(v)
		}
		return expr.In(t.n.path, list...), nil
	}
	a, of := expr.Literal(t.a), expr.Operand(t.n.path)
	if t.size {
		of = expr.Size(t.n.path)
	}
	switch t.op {
	case opEqual:
		return expr.Equal(of, a), nil
	case opNotEqual:
		return expr.NotEqual(t.n.path, a), nil
	case opLess:
		return expr.Less(of, a), nil
	case opAtMost:
		return expr.AtMost(of, a), nil
	case opGreater:
		return expr.Greater(of, a), nil
	case opAtLeast:
		return expr.AtLeast(of, a), nil
	case opBetween:
		return expr.Between(t.n.path, a, expr.Literal(t.b)), nil
	case opBegins:
		return expr.BeginsWith(t.n.path, a), nil
	}
	return expr.Contains(t.n.path, a), nil
}

// allOf builds the condition that all tests make together.
func allOf(tests []test) (*expr.Condition, error) {
	switch len(tests) {
	case 0:
		return nil, nil
	case 1:
		return tests[0].condition()
	}
	t := test{op: opAnd, kids: tests}
	return t.condition()
}
