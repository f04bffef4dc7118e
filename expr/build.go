package expr

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Operand is what conditions compare and SET assigns: a Path, a Literal, or a function or sum of these. What may stand
// where is checked when the expression is printed.
type Operand interface{ operand() operand }

func (p Path) operand() operand { return operand{kind: oPath, path: p} }

func (o operand) operand() operand { return o }

func operands(list ...Operand) []operand {
	args := make([]operand, len(list))
	for i, o := range list {
		args[i] = o.operand()
	}
	return args
}

// Literal makes an operand of a value.
func Literal(v attr.Value) Operand { return operand{kind: oValue, value: v} }

// Size is size(o), for conditions: the length of a string in UTF-16 units, of a binary in bytes, of a set, list or map in
// elements.
func Size(o Operand) Operand { return operand{kind: oSize, args: operands(o)} }

// IfNotExists is if_not_exists(p, o), for updates: what is at p, or else o.
func IfNotExists(p Path, o Operand) Operand {
	return operand{kind: oIfNotExists, args: operands(p, o)}
}

// ListAppend is list_append(a, b), for updates: the elements of a, then those of b. It must be all that Set assigns.
func ListAppend(a, b Operand) Operand { return operand{kind: oListAppend, args: operands(a, b)} }

// Plus is a + b, for updates. It must be all that Set assigns.
func Plus(a, b Operand) Operand { return operand{kind: oPlus, args: operands(a, b)} }

// Minus is a - b, for updates. It must be all that Set assigns.
func Minus(a, b Operand) Operand { return operand{kind: oMinus, args: operands(a, b)} }

func leaf(o op, args ...Operand) *Condition { return &Condition{node{op: o, args: operands(args...)}} }

// Equal is a = b: same type and same content, maps and lists deep, sets without regard to order, numbers by value.
func Equal(a, b Operand) *Condition { return leaf(opEqual, a, b) }

// NotEqual is a <> b. It is true if either is missing.
func NotEqual(a, b Operand) *Condition { return leaf(opNotEqual, a, b) }

// Less is a < b. Strings are ordered by their UTF-8 bytes, binaries by unsigned bytes; other types than these and numbers
// have no order.
func Less(a, b Operand) *Condition { return leaf(opLess, a, b) }

// AtMost is a <= b.
func AtMost(a, b Operand) *Condition { return leaf(opAtMost, a, b) }

// Greater is a > b.
func Greater(a, b Operand) *Condition { return leaf(opGreater, a, b) }

// AtLeast is a >= b.
func AtLeast(a, b Operand) *Condition { return leaf(opAtLeast, a, b) }

// Between is a BETWEEN low AND high, both included.
func Between(a, low, high Operand) *Condition { return leaf(opBetween, a, low, high) }

// In is a IN (list…): up to 100 operands, at least one.
func In(a Operand, list ...Operand) *Condition {
	return leaf(opIn, append([]Operand{a}, list...)...)
}

// Exists is attribute_exists(p). An attribute that is NULL exists.
func Exists(p Path) *Condition { return leaf(opExists, p) }

// NotExists is attribute_not_exists(p).
func NotExists(p Path) *Condition { return leaf(opNotExists, p) }

// HasType is attribute_type(p, k).
func HasType(p Path, k attr.Kind) *Condition { return leaf(opType, p, Literal(attr.Text(k.String()))) }

// BeginsWith is begins_with(a, prefix): both strings, or both binaries.
func BeginsWith(a, prefix Operand) *Condition { return leaf(opBeginsWith, a, prefix) }

// Contains is contains(a, b): b is part of the string or binary a, or an element of the set or list a.
func Contains(a, b Operand) *Condition { return leaf(opContains, a, b) }

// And holds if all of c hold. Nil conditions hold always and are left out; if none remains, And is nil.
func And(c ...*Condition) *Condition {
	return join(opAnd, slices.DeleteFunc(slices.Clone(c), isNil))
}

// Or holds if any of c holds. A nil condition holds always, and so does an Or with one: it is nil. An Or of nothing is nil
// too.
func Or(c ...*Condition) *Condition {
	if slices.ContainsFunc(c, isNil) {
		return nil
	}
	return join(opOr, c)
}

func isNil(c *Condition) bool { return c == nil }

func join(o op, c []*Condition) *Condition {
	switch len(c) {
	case 0:
		return nil
	case 1:
		return c[0]
	}
	n := node{op: o, kids: make([]node, len(c))}
	for i := range c {
		n.kids[i] = c[i].root
	}
	return &Condition{n}
}

// Not holds if c does not. It panics if c is nil: the language has no condition that never holds.
func Not(c *Condition) *Condition {
	if c == nil {
		panic("expr: Not(nil) would never hold, which no expression can say")
	}
	return &Condition{node{op: opNot, kids: []node{c.root}}}
}

// Change is an action made in Go.
type Change = Action

// Set is SET p = o.
func Set(p Path, o Operand) Change { return Action{Section: SET, Path: p, right: o.operand()} }

// Remove is REMOVE p.
func Remove(p Path) Change { return Action{Section: REMOVE, Path: p} }

// Add is ADD p v: a number adds to a number, a set to a set; what is missing is created.
func Add(p Path, v attr.Value) Change {
	return Action{Section: ADD, Path: p, right: operand{kind: oValue, value: v}}
}

// Added is what an ADD adds; false: the change is no ADD.
func (a Action) Added() (attr.Value, bool) { return a.right.value, a.Section == ADD }

// Delete is DELETE p v: takes the elements of the set v out of a set. A set that becomes empty is removed.
func Delete(p Path, v attr.Value) Change {
	return Action{Section: DELETE, Path: p, right: operand{kind: oValue, value: v}}
}

// NewUpdate makes an update of changes, which it sorts by section. Without any it is nil. What is wrong with it, such
// as paths that overlap, is the error of applying and of printing it.
func NewUpdate(a ...Change) *Update {
	if len(a) == 0 {
		return nil
	}
	a = slices.Clone(a)
	slices.SortStableFunc(a, func(x, y Action) int { return int(x.Section) - int(y.Section) })
	paths := make([]Path, len(a))
	for i := range a {
		paths[i] = a[i].Path
	}
	u := newUpdate(a, paths, newPathTree(paths, sortPaths(paths)))
	u.err = u.verify().nowhere()
	return u
}
