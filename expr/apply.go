package expr

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Apply computes the item after the update; it itself is not changed, and what the update does not touch is shared. All
// right sides read it. written are the paths that SET, ADD and DELETE write, the same for every item: what UPDATED_NEW
// answers (Pick them from the item after). Errors are *Error, with DynamoDB's run-time messages.
//
// List elements are addressed as they are in it: SET beyond the end appends, in the order of indexes and without gaps, and
// elements are removed last, so that REMOVE l[0], l[2] takes the first and the third.
func (u *Update) Apply(it attr.Item) (after attr.Item, written []Path, err error) {
	if u == nil {
		return it, nil, nil
	}
	if u.err != nil {
		return attr.Item{}, nil, u.err
	}
	var few [8]attr.Value
	values, appended := few[:0], 0
	for i := range u.actions {
		v, err := u.actions[i].value(it)
		if err != nil {
			return attr.Item{}, nil, err
		}
		if u.actions[i].Section == SET && u.actions[i].right.kind == oListAppend {
			if appended += len(v.Elems()); appended > mostElements {
				return attr.Item{}, nil, RuleItemSize.fail(UpdateExpression)
			}
		}
		values = append(values, v)
	}
	a := applier{u.actions, values}
	after = it.Clone()
	if err := a.fields(u.tree, &after); err != nil {
		return attr.Item{}, nil, err
	}
	return after, u.written, nil
}

// mostElements are more than an item of 400 KB can have in its lists, where each takes at least a byte: an expression of
// 4 KB can ask for gigabytes.
const mostElements = 400 << 10

// value is what the action writes or combines with what is there; the zero Value for REMOVE.
func (a *Action) value(it attr.Item) (attr.Value, *Error) {
	if a.Section != SET {
		return a.right.value, nil
	}
	return a.right.assign(it)
}

// assign is the value of an operand of SET.
func (o *operand) assign(it attr.Item) (attr.Value, *Error) {
	switch o.kind {
	case oIfNotExists:
		if v := o.args[0].path.Get(it); !v.IsZero() {
			return v, nil
		}
		return o.args[1].assign(it)
	case oListAppend:
		a, b, err := o.both(it, attr.KindL)
		if err != nil {
			return attr.Value{}, err
		}
		if len(a.Elems())+len(b.Elems()) > mostElements {
			return attr.Value{}, RuleItemSize.fail(UpdateExpression)
		}
		return attr.List(slices.Concat(a.Elems(), b.Elems())...), nil
	case oPlus, oMinus:
		a, b, err := o.both(it, attr.KindN)
		if err != nil {
			return attr.Value{}, err
		}
		if o.kind == oPlus {
			return number(a.Number().Add(b.Number()))
		}
		return number(a.Number().Sub(b.Number()))
	}
	v := o.get(it)
	if v.IsZero() {
		return v, RuleAttributeMissing.fail(UpdateExpression)
	}
	return v, nil
}

// both are the values of two operands that must have type k.
func (o *operand) both(it attr.Item, k attr.Kind) (a, b attr.Value, err *Error) {
	if a, err = o.args[0].assign(it); err != nil {
		return a, b, err
	}
	if a.Kind() != k {
		return a, b, RuleOperandTypeStored.fail(UpdateExpression)
	}
	if b, err = o.args[1].assign(it); err != nil {
		return a, b, err
	}
	if b.Kind() != k {
		return a, b, RuleOperandTypeStored.fail(UpdateExpression)
	}
	return a, b, nil
}

func number(n attr.Number, err error) (attr.Value, *Error) {
	if err != nil {
		return attr.Value{}, RuleNumber.fail(UpdateExpression, err)
	}
	return attr.Num(n), nil
}

// applier walks an item along the tree of an update's paths. Values are by action.
type applier struct {
	actions []Action
	values  []attr.Value
}

// fields changes the fields that t names, in place.
func (a *applier) fields(t *pathTree, m *attr.Item) *Error {
	for i := range t.kids {
		kid := &t.kids[i]
		v, err := a.change(kid, m.Get(kid.name))
		if err != nil {
			return err
		}
		m.Set(kid.name, v)
	}
	return nil
}

// change is what becomes of the value at the branch t. The zero Value is absence, before and after.
func (a *applier) change(t *pathTree, old attr.Value) (attr.Value, *Error) {
	switch {
	case len(t.kids) == 0:
		return a.act(t.leaf, old)
	case t.kids[0].isField():
		if old.Kind() != attr.KindM {
			return old, RulePath.fail(UpdateExpression)
		}
		m := old.Map().Clone()
		if err := a.fields(t, &m); err != nil {
			return old, err
		}
		return attr.Map(m), nil
	}
	if old.Kind() != attr.KindL {
		return old, RulePath.fail(UpdateExpression)
	}
	elems := slices.Clone(old.Elems())
	before := len(elems)
	for i := range t.kids {
		kid := &t.kids[i]
		v, err := a.change(kid, kid.of(old))
		if err != nil {
			return old, err
		}
		if kid.index < before {
			elems[kid.index] = v
		} else {
			elems = append(elems, v)
		}
	}
	return attr.List(slices.DeleteFunc(elems, attr.Value.IsZero)...), nil
}

// act is what action i makes of the value at its path.
func (a *applier) act(i int, old attr.Value) (attr.Value, *Error) {
	v := a.values[i]
	switch a.actions[i].Section {
	case ADD:
		if old.IsZero() {
			return v, nil
		}
		if old.Kind() != v.Kind() {
			return v, RuleOperandTypeStored.fail(UpdateExpression)
		}
		if v.Kind() == attr.KindN {
			return number(old.Number().Add(v.Number()))
		}
		return setOf(v.Kind(), slices.Concat(old.Elems(), v.Elems())), nil
	case DELETE:
		if old.IsZero() {
			return old, nil
		}
		if old.Kind() != v.Kind() {
			return v, RuleOperandTypeStored.fail(UpdateExpression)
		}
		rest := difference(old.Elems(), v.Elems())
		if len(rest) == 0 {
			return attr.Value{}, nil // a set that becomes empty is removed
		}
		return setOf(v.Kind(), rest), nil
	}
	return v, nil
}

// difference are the elements of a set that are not in another. Both are in order.
func difference(from, drop []attr.Value) []attr.Value {
	var rest []attr.Value
	for _, e := range from {
		for len(drop) > 0 && attr.Compare(drop[0], e) < 0 {
			drop = drop[1:]
		}
		if len(drop) == 0 || attr.Compare(drop[0], e) > 0 {
			rest = append(rest, e)
		}
	}
	return rest
}

// setOf makes a set of elements, of which some may be equal.
func setOf(k attr.Kind, elems []attr.Value) attr.Value {
	switch k {
	case attr.KindNS:
		list := make([]attr.Number, len(elems))
		for i, e := range elems {
			list[i] = e.Number()
		}
		return attr.NumSet(list...)
	case attr.KindBS:
		list := make([][]byte, len(elems))
		for i, e := range elems {
			list[i] = e.Bytes()
		}
		return attr.BinarySet(list...)
	}
	list := make([]string, len(elems))
	for i, e := range elems {
		list[i] = e.Str()
	}
	return attr.TextSet(list...)
}
