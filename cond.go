package tablewright

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Cond is a condition of a write or a filter of a read, on an item of type T. The zero Cond holds always.
type Cond[T any] struct{ t *test }

// And holds if both hold.
func (c Cond[T]) And(d Cond[T]) Cond[T] { return Cond[T]{logic(opAnd, c.t, d.t)} }

// Or holds if one of them holds.
func (c Cond[T]) Or(d Cond[T]) Cond[T] { return Cond[T]{logic(opOr, c.t, d.t)} }

// Not holds if c does not.
func (c Cond[T]) Not() Cond[T] { return Cond[T]{logic(opNot, c.t)} }

// testsOf are conditions whatever their type. It is a function of its own in the compiled code of each type: one loop, not
// one in every method that takes conditions.
//
//go:noinline
func testsOf[T any](c []Cond[T]) []test {
	tests := make([]test, len(c))
	for i := range c {
		tests[i] = c[i].t.value()
	}
	return tests
}

// value is the test; of nil, one that always holds.
func (t *test) value() test {
	if t == nil {
		return test{}
	}
	return *t
}

// both are all tests, in a slice of their own: calls are values, whose copies share them.
func both(a, b []test) []test { return append(append(make([]test, 0, len(a)+len(b)), a...), b...) }

// test is a condition as it was built.
type test struct {
	op   testOp
	n    *node
	size bool // of the attribute, not its value, is compared
	a, b attr.Value
	list []attr.Value
	kids []test
	text *expr.Condition // of Where
	err  error           // a mistake made while building

	phrase *phrase // what text was read from
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
//
//go:noinline
func on(n *node, op testOp) *test {
	if err := n.mistake(); err != nil {
		return &test{op: op, err: err}
	}
	return &test{op: op, n: n}
}

// logic is a test made of others.
//
//go:noinline
func logic(op testOp, of ...*test) *test {
	t := &test{op: op, kids: make([]test, len(of))}
	for i := range of {
		t.kids[i] = of[i].value()
	}
	return t
}

// sized is a test of a size.
//
//go:noinline
func sized(n *node, op testOp, size int) *test {
	t := on(n, op)
	t.size, t.a = true, attr.Num(attr.Int(int64(size)))
	return t
}

// compare, between and oneOf are compiled for each type of values, not for each entity.
//
//go:noinline
func compare[V any](n *node, op testOp, codec attr.Codec[V], v V) *test {
	t := on(n, op)
	if t.err == nil {
		t.a = t.checked(codec.Value(v))
	}
	return t
}

//go:noinline
func between[V any](n *node, codec attr.Codec[V], lo, hi V) *test {
	t := compare(n, opBetween, codec, lo)
	if t.err == nil {
		t.b = t.checked(codec.Value(hi))
	}
	return t
}

//go:noinline
func oneOf[V any](n *node, codec attr.Codec[V], v []V) *test {
	t := on(n, opIn)
	if t.err != nil {
		return t
	}
	t.list = make([]attr.Value, len(v))
	for i := range v {
		t.list[i] = t.checked(codec.Value(v[i]))
	}
	if len(v) == 0 {
		t.err = fmt.Errorf("%s: In needs a value", n.path)
	}
	return t
}

// checked notes what is wrong with a value that a condition compares with.
func (t *test) checked(v attr.Value, err error) attr.Value {
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

// names calls check with each attribute that a test names; of what it refuses in a text the error tells the place.
func (t *test) names(check func(name string) error) error {
	for i := range t.kids {
		if err := t.kids[i].names(check); err != nil {
			return err
		}
	}
	switch {
	case t.n != nil:
		return check(t.n.top())
	case t.text == nil:
		return nil
	}
	for at, p := range t.text.Places() {
		if err := check(p.Attribute()); err != nil {
			return t.phrase.here(at, err)
		}
	}
	return nil
}

// eachName is names of all tests.
func eachName(tests []test, check func(name string) error) error {
	for i := range tests {
		if err := tests[i].names(check); err != nil {
			return err
		}
	}
	return nil
}
