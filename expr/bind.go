package expr

import (
	"iter"

	"github.com/tablewright/tablewright/attr"
)

// Use says where a value stands in an expression, for those who know what the paths lead to: what the value is compared
// with or written to, and how.
type Use struct {
	Path  Path // no steps where the value stands beside nothing but values
	At    int  // where the path stands in the text, in bytes from 1
	As    As
	Value attr.Value // as it is
}

// As says what a value is to what is at the path of its Use.
type As uint8

// What a value is.
const (
	AsWhole   As = iota // what is compared with it, written there, begins it, or is added to it: of its type
	AsElement           // an element of the list or set, or a part of the text or binary
	AsSize              // a number of characters, bytes or elements
	AsType              // the name of a type
	AsItself            // a text, list or set in which what is at the path is looked for
)

// ParseConditionFor is ParseCondition of a text whose values are told by f, which is called with each one, in the order of the
// text. What is checked of their types is checked of what f answers. Errors are *Error, or f's.
func ParseConditionFor(text string, s *Substitutions, f func(Use) (attr.Value, error)) (*Condition, error) {
	c, err := parseCondition(ConditionExpression, text, s, true)
	if err != nil {
		return nil, err
	}
	if err := c.root.bind(f); err != nil {
		return nil, err
	}
	if err := c.root.verify(ConditionExpression); err != nil {
		return nil, err
	}
	return c, nil
}

// bind puts what f says in the place of the values.
func (n *node) bind(f func(Use) (attr.Value, error)) error {
	for i := range n.kids {
		if err := n.kids[i].bind(f); err != nil {
			return err
		}
	}
	beside, at := firstPath(n.args)
	as := AsWhole
	for i := range n.args {
		if n.args[i].kind == oSize {
			as = AsSize
		}
	}
	for i := range n.args {
		use := Use{Path: beside, At: at, As: as}
		switch {
		case n.op == opType:
			use.As = AsType
		case n.op == opContains && i == 1:
			use.As = AsElement
		case n.op == opContains:
			use.As = AsItself
		}
		if err := n.args[i].bind(use, f); err != nil {
			return err
		}
	}
	return nil
}

// bind puts what f says in the place of the operand's values, which are used as use says.
func (o *operand) bind(use Use, f func(Use) (attr.Value, error)) (err error) {
	if o.kind == oValue {
		use.Value = o.value
		o.value, err = f(use)
		return err
	}
	if p, at := firstPath(o.args); len(p.steps) > 0 {
		use.Path, use.At = p, at
	}
	for i := range o.args {
		if err := o.args[i].bind(use, f); err != nil {
			return err
		}
	}
	return nil
}

// firstPath is the path that stands first in operands, and where; one without steps if there is none.
func firstPath(args []operand) (p Path, at int) {
	for i := range args {
		if args[i].kind == oPath {
			return args[i].path, int(args[i].at)
		}
		if p, at = firstPath(args[i].args); len(p.steps) > 0 {
			return p, at
		}
	}
	return Path{}, 0
}

// ParseUpdateFor is ParseUpdate of a text whose values are told by f, which is called with each one, in the order of the text.
// What is checked of their types is checked of what f answers. Errors are *Error, or f's.
func ParseUpdateFor(text string, s *Substitutions, f func(Use) (attr.Value, error)) (*Update, error) {
	u, err := parseUpdate(text, s, true)
	if err != nil {
		return nil, err
	}
	for i := range u.actions {
		a := &u.actions[i]
		if a.Section == REMOVE {
			continue
		}
		if err := a.right.bind(Use{Path: a.Path, At: a.At}, f); err != nil {
			return nil, err
		}
	}
	if err := u.verify(); err != nil {
		return nil, err
	}
	return u, nil
}

// Places are the document paths of the condition, each time that one is written, with where it stands in the text, in bytes
// from 1.
func (c *Condition) Places() iter.Seq2[int, Path] {
	return func(yield func(int, Path) bool) {
		if c != nil {
			c.root.places(yield)
		}
	}
}

func (n *node) places(yield func(int, Path) bool) bool {
	for i := range n.kids {
		if !n.kids[i].places(yield) {
			return false
		}
	}
	return argPlaces(n.args, yield)
}

func argPlaces(args []operand, yield func(int, Path) bool) bool {
	for i := range args {
		if o := &args[i]; o.kind == oPath && !yield(int(o.at), o.path) || !argPlaces(o.args, yield) {
			return false
		}
	}
	return true
}

// Places are the document paths that the update changes or reads, each time that one is written, with where it stands in the
// text, in bytes from 1.
func (u *Update) Places() iter.Seq2[int, Path] {
	return func(yield func(int, Path) bool) {
		for i := range u.Actions() {
			a := &u.actions[i]
			if !yield(a.At, a.Path) || a.Section != REMOVE && !argPlaces([]operand{a.right}, yield) {
				return
			}
		}
	}
}
