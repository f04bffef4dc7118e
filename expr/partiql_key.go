package expr

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// KeyBox is a part of a table or index that a condition leads to: one partition, and terms on its RANGE attributes that all
// have to hold.
type KeyBox struct {
	Hash  []attr.Value // values of the HASH attributes, in the order of the schema
	Range []KeyTerm
}

// maxBoxes is how many parts a condition is taken apart into. What has more, a product of several long lists, is reached
// with fewer terms.
const maxBoxes = 5000

// Boxes are the parts of a table or index that hold all items for which the condition can be true, as far as equality and
// IN on the HASH attributes tell; ok is false if they do not, and all of it has to be looked at (page ql-reference.select
// of the developer guide). They may overlap, and what is in them need not meet the condition. There are no boxes where
// the condition cannot be true.
func (c *Condition) Boxes(key KeySchema) (boxes []KeyBox, ok bool) {
	if c == nil {
		return nil, false
	}
	for _, b := range c.root.boxes(key) {
		if slices.ContainsFunc(b.Hash, attr.Value.IsZero) {
			return nil, false
		}
		boxes = append(boxes, b)
	}
	return boxes, true
}

// boxes takes a condition apart. A zero value in Hash is an attribute that is not fixed.
func (n *node) boxes(key KeySchema) []KeyBox {
	all := []KeyBox{{Hash: make([]attr.Value, len(key.Hash))}}
	switch n.op {
	case opAnd:
		for i := range n.kids {
			all = intersect(all, n.kids[i].boxes(key))
		}
		return all
	case opOr:
		var union []KeyBox
		for i := range n.kids {
			if union = append(union, n.kids[i].boxes(key)...); len(union) > maxBoxes {
				return all
			}
		}
		return union
	case opIn:
		var union []KeyBox
		for i := range n.args[1:] {
			t, ok := keyTerm(opEqual, []operand{n.args[0], n.args[1+i]})
			if !ok {
				return all
			}
			union = append(union, t.boxes(key, all)...)
		}
		return union
	}
	t, ok := keyTerm(n.op, n.args)
	if !ok {
		return all
	}
	return t.boxes(key, all)
}

// intersect combines every box of one list with every box of the other.
func intersect(a, b []KeyBox) (both []KeyBox) {
	if len(a)*len(b) > maxBoxes {
		return a
	}
	for _, x := range a {
		for _, y := range b {
			if z, ok := x.and(y); ok {
				both = append(both, z)
			}
		}
	}
	return both
}

// and is what is in both boxes; false if nothing can be.
func (x KeyBox) and(y KeyBox) (KeyBox, bool) {
	z := KeyBox{Hash: slices.Clone(x.Hash), Range: slices.Concat(x.Range, y.Range)}
	for i, v := range y.Hash {
		switch {
		case v.IsZero():
		case z.Hash[i].IsZero():
			z.Hash[i] = v
		case !attr.Equal(z.Hash[i], v):
			return z, false
		}
	}
	return z, true
}

// keyTerm is the term that a comparison of an attribute with values is; false if it is none.
func keyTerm(o op, args []operand) (t KeyTerm, ok bool) {
	op := KeyOp(max(0, slices.Index(keyOps[:], o)))
	if op == 0 || len(args) < 2 {
		return t, false
	}
	name, values := &args[0], args[1:]
	if name.kind == oValue && op < KeyBetween {
		name, values, op = &args[1], args[:1], mirrored[op]
	}
	if name.kind != oPath || name.path.Len() > 1 || slices.ContainsFunc(values, func(v operand) bool { return v.kind != oValue }) {
		return t, false
	}
	t = KeyTerm{Attribute: name.path.Attribute(), Op: op, Low: values[0].value}
	if op == KeyBetween {
		t.High = values[1].value
	}
	return t, true
}

// boxes is the part of all that the term leaves.
func (t KeyTerm) boxes(key KeySchema, all []KeyBox) []KeyBox {
	named := func(a KeyAttr) bool { return a.Name == t.Attribute }
	if i := slices.IndexFunc(key.Hash, named); i >= 0 && t.Op == KeyEqual {
		b := KeyBox{Hash: make([]attr.Value, len(key.Hash))}
		b.Hash[i] = t.Low
		return []KeyBox{b}
	}
	if slices.ContainsFunc(key.Range, named) {
		return []KeyBox{{Hash: all[0].Hash, Range: []KeyTerm{t}}}
	}
	return all
}

// KeyTerms are all comparisons of top-level attributes with values that the condition has, wherever they stand: what the
// types of a key's attributes are checked against. Those by <> and contains, which lead to no part of a table, have the Op 0.
func (c *Condition) KeyTerms() (terms []KeyTerm) {
	if c == nil {
		return nil
	}
	return c.root.keyTerms(nil)
}

func (n *node) keyTerms(terms []KeyTerm) []KeyTerm {
	for i := range n.kids {
		terms = n.kids[i].keyTerms(terms)
	}
	if n.op == opIn {
		for i := range n.args[1:] {
			if t, ok := keyTerm(opEqual, []operand{n.args[0], n.args[1+i]}); ok {
				terms = append(terms, t)
			}
		}
		return terms
	}
	leads := n.op
	if n.op == opNotEqual || n.op == opContains && n.args[0].kind == oPath {
		leads = opEqual
	}
	if t, ok := keyTerm(leads, n.args); ok {
		if leads != n.op {
			t.Op = 0
		}
		terms = append(terms, t)
	}
	return terms
}

// Key is the key that the condition fixes, as the WHERE of a write has to: an equality for each of names, which may stand
// anywhere among what AND joins. rest is the condition without them, nil if nothing is left. Errors are *Error.
func (c *Condition) Key(names []string) (key attr.Item, rest *Condition, err error) {
	if c == nil {
		return key, nil, RuleStatementKey.fail(PartiQL)
	}
	left, e := c.root.fix(names, &key)
	if e != nil {
		return key, nil, e
	}
	if key.Len() < len(names) {
		return key, nil, RuleStatementKey.fail(PartiQL)
	}
	if left != nil {
		rest = &Condition{*left}
	}
	return key, rest, nil
}

// fix takes the equalities of key attributes out of a condition.
func (n *node) fix(names []string, key *attr.Item) (rest *node, err *Error) {
	if n.op == opAnd {
		out := node{op: opAnd}
		for i := range n.kids {
			kid, err := n.kids[i].fix(names, key)
			if err != nil {
				return nil, err
			}
			if kid != nil {
				out.kids = append(out.kids, *kid)
			}
		}
		switch len(out.kids) {
		case 0:
			return nil, nil
		case 1:
			return &out.kids[0], nil
		}
		return &out, nil
	}
	t, ok := keyTerm(n.op, n.args)
	if !ok || t.Op != KeyEqual || !slices.Contains(names, t.Attribute) {
		return n, nil
	}
	if v := key.Get(t.Attribute); !v.IsZero() && !attr.Equal(v, t.Low) {
		return nil, RuleStatementKeyTwice.fail(PartiQL, t.Attribute)
	}
	key.Set(t.Attribute, t.Low)
	return nil, nil
}

// LongestIn is the number of values in the longest IN on a top-level attribute; 0 without one.
func (c *Condition) LongestIn(attribute string) int {
	if c == nil {
		return 0
	}
	return c.root.longestIn(attribute)
}

func (n *node) longestIn(attribute string) int {
	longest := 0
	for i := range n.kids {
		longest = max(longest, n.kids[i].longestIn(attribute))
	}
	if n.op == opIn && n.args[0].kind == oPath && n.args[0].path.Len() == 1 && n.args[0].path.Attribute() == attribute {
		longest = len(n.args) - 1
	}
	return longest
}

// TooManyIn is the error of an IN with n values, where it may not have so many.
func TooManyIn(n int) error { return RuleInCount.fail(PartiQL, n) }
