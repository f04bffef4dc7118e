package expr

import "github.com/tablewright/tablewright/attr"

// Enters reports whether a path of the condition leads into the attribute, to a field or element of it: key attributes are
// scalars, so the service refuses that.
func (c *Condition) Enters(attribute string) bool { return c != nil && c.root.enters(attribute) }

func (n *node) enters(attribute string) bool {
	for i := range n.kids {
		if n.kids[i].enters(attribute) {
			return true
		}
	}
	return argsEnter(n.args, attribute)
}

func argsEnter(args []operand, attribute string) bool {
	for i := range args {
		if args[i].path.enters(attribute) || argsEnter(args[i].args, attribute) {
			return true
		}
	}
	return false
}

func (p Path) enters(attribute string) bool { return len(p.steps) > 1 && p.steps[0].name == attribute }

// Enters reports whether a path of the projection leads into the attribute, to a field or element of it.
func (p *Projection) Enters(attribute string) bool {
	if p == nil {
		return false
	}
	for _, path := range p.paths {
		if path.enters(attribute) {
			return true
		}
	}
	return false
}

// Enters reports whether the update changes or reads a field or element of the attribute.
func (u *Update) Enters(attribute string) bool {
	for _, a := range u.Actions() {
		if a.Path.enters(attribute) || a.right.path.enters(attribute) || argsEnter(a.right.args, attribute) {
			return true
		}
	}
	return false
}

// Literal is the value that SET, ADD or DELETE is given as such; false for REMOVE and for what is computed of an item.
func (a *Action) Literal() (attr.Value, bool) {
	if a.Section == REMOVE || a.right.kind != oValue {
		return attr.Value{}, false
	}
	return a.right.value, true
}
