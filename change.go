package tablewright

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Change is one clause of an update of a T.
type Change[T any] struct{ e *edit }

// edit is a change as it was built.
type edit struct {
	do   editKind
	n    *node
	v    attr.Value
	text *expr.Update // of Clause
	err  error
}

type editKind uint8

const (
	doSet editKind = iota + 1
	doSetIfAbsent
	doRemove
	doAdd
	doPlus
	doMinus
	doInsert
	doDrop
	doAppend
	doPrepend
	doText
)

// editsOf are changes whatever their type; see testsOf.
//
//go:noinline
func editsOf[T any](changes []Change[T]) []edit {
	edits := make([]edit, len(changes))
	for i := range changes {
		if e := changes[i].e; e != nil {
			edits[i] = *e
		}
	}
	return edits
}

// removal is the change that removes what is at n.
//
//go:noinline
func removal(n *node) *edit {
	if err := n.mistake(); err != nil {
		return &edit{do: doRemove, err: err}
	}
	return &edit{do: doRemove, n: n}
}

// change is compiled for each type of values, not for each entity.
//
//go:noinline
func change[V any](n *node, do editKind, codec attr.Codec[V], v V) *edit {
	if err := n.mistake(); err != nil {
		return &edit{do: do, err: err}
	}
	value, err := codec.Value(v)
	return (&edit{do: do, n: n, v: value}).checked(err)
}

// checked notes what is wrong with the value of a change.
func (e *edit) checked(err error) *edit {
	switch {
	case err != nil:
		e.err = fmt.Errorf("%s: %w", e.n.path, err)
	case !e.v.IsZero():
	case e.do == doSet:
		e.do = doRemove
	default:
		e.err = fmt.Errorf("%s: a value that is stored as absent changes nothing", e.n.path)
	}
	return e
}

// changes appends the expression's actions.
func (e *edit) changes(dst []expr.Change) ([]expr.Change, error) {
	switch {
	case e.err != nil:
		return dst, e.err
	case e.do == 0:
		return dst, errors.New("the zero Change changes nothing")
	case e.n != nil && e.n.err != nil:
		return dst, e.n.err
	}
	v := e.v
	switch e.do {
	case doText:
		return append(dst, e.text.Actions()...), nil
	case doSet:
		return append(dst, expr.Set(e.n.path, expr.Literal(v))), nil
	case doSetIfAbsent:
		return append(dst, expr.Set(e.n.path, expr.IfNotExists(e.n.path, expr.Literal(v)))), nil
	case doRemove:
		return append(dst, expr.Remove(e.n.path)), nil
	case doAdd, doInsert:
		return append(dst, expr.Add(e.n.path, v)), nil
	case doDrop:
		return append(dst, expr.Delete(e.n.path, v)), nil
	case doPlus:
		return append(dst, expr.Set(e.n.path, expr.Plus(e.n.path, expr.Literal(v)))), nil
	case doMinus:
		return append(dst, expr.Set(e.n.path, expr.Minus(e.n.path, expr.Literal(v)))), nil
	}
	list := expr.IfNotExists(e.n.path, expr.Literal(attr.List()))
	if e.do == doAppend {
		return append(dst, expr.Set(e.n.path, expr.ListAppend(list, expr.Literal(v)))), nil
	}
	return append(dst, expr.Set(e.n.path, expr.ListAppend(expr.Literal(v), list))), nil
}

// repeatable says what carrying out the change twice does.
func (e *edit) repeatable() repeatable {
	switch e.do {
	case doAdd, doPlus, doMinus, doAppend, doPrepend:
		return harmful
	case doRemove:
		return repeatable(e.n.at[len(e.n.at)-1].index < 0) // of a list, the next element would follow
	case doText:
		return harmful // it may count or append
	}
	return harmless
}
