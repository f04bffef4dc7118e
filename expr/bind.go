package expr

import "github.com/tablewright/tablewright/attr"

// Use says where a value stands in an expression, for those who know what the paths lead to: what the value is compared
// with or written to, and how.
type Use struct {
	Path  Path // no steps where the value stands beside nothing but values
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

// Bind is the condition with other values: f is called with each one, in the order of the text, and answers what stands in its
// place. Nothing of c is changed.
func (c *Condition) Bind(f func(Use) (attr.Value, error)) (*Condition, error) {
	if c == nil {
		return nil, nil
	}
	root, err := c.root.bind(f)
	if err != nil {
		return nil, err
	}
	return &Condition{root}, nil
}

func (n *node) bind(f func(Use) (attr.Value, error)) (node, error) {
	out := node{op: n.op, kids: make([]node, len(n.kids)), args: make([]operand, len(n.args))}
	for i := range n.kids {
		var err error
		if out.kids[i], err = n.kids[i].bind(f); err != nil {
			return out, err
		}
	}
	beside := firstPath(n.args)
	as := AsWhole
	for i := range n.args {
		if n.args[i].kind == oSize {
			as = AsSize
		}
	}
	for i := range n.args {
		use := Use{Path: beside, As: as}
		switch {
		case n.op == opType:
			use.As = AsType
		case n.op == opContains && i == 1:
			use.As = AsElement
		case n.op == opContains:
			use.As = AsItself
		}
		var err error
		if out.args[i], err = n.args[i].bind(use, f); err != nil {
			return out, err
		}
	}
	return out, nil
}

// bind is the operand with other values, which are used as use says.
func (o *operand) bind(use Use, f func(Use) (attr.Value, error)) (operand, error) {
	out := *o
	var err error
	if o.kind == oValue {
		use.Value = o.value
		out.value, err = f(use)
		return out, err
	}
	if len(o.args) == 0 {
		return out, nil
	}
	if p := firstPath(o.args); len(p.steps) > 0 {
		use.Path = p
	}
	out.args = make([]operand, len(o.args))
	for i := range o.args {
		if out.args[i], err = o.args[i].bind(use, f); err != nil {
			return out, err
		}
	}
	return out, nil
}

// firstPath is the path that stands first in operands; one without steps if there is none.
func firstPath(args []operand) Path {
	for i := range args {
		if args[i].kind == oPath {
			return args[i].path
		}
		if p := firstPath(args[i].args); len(p.steps) > 0 {
			return p
		}
	}
	return Path{}
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
		if a.right, err = a.right.bind(Use{Path: a.Path}, f); err != nil {
			return nil, err
		}
		if err := a.check(); err != nil {
			return nil, err
		}
	}
	return u, nil
}
