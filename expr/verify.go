package expr

import "github.com/tablewright/tablewright/attr"

// This file checks what was built in Go for what the parser makes sure of otherwise, and then as the parser does.

// verify checks a whole condition.
func (n *node) verify(k Kind) *Error {
	if err := n.verifyParts(k); err != nil {
		return err
	}
	return n.checkOperators(k)
}

func (n *node) verifyParts(k Kind) *Error {
	for i := range n.kids {
		if err := n.kids[i].verifyParts(k); err != nil {
			return err
		}
	}
	if len(n.kids) > 0 {
		return nil
	}
	for i := range n.args {
		if err := n.args[i].verify(k, false); err != nil {
			return err
		}
	}
	if n.op == opIn && len(n.args) == 1 {
		return RuleSyntax.fail(k, ")", "()")
	}
	return n.check(k).from(n.at)
}

// verify checks an operand. whole tells that it is all that SET assigns.
func (o *operand) verify(k Kind, whole bool) *Error {
	update := k == UpdateExpression
	switch o.kind {
	case oPath:
		return verifyPath(k, o.path).from(o.at)
	case oValue:
		return verifyValue(k, o.value).from(o.at)
	case oSize:
		if update {
			return RuleFunctionUpdate.fail(k, o.kind).from(o.at)
		}
	default:
		if !update {
			return RuleFunctionCondition.fail(k, o.kind).from(o.at)
		}
		if o.kind != oIfNotExists && !whole {
			return RuleFunctionUse.fail(k, o.kind).from(o.at)
		}
	}
	for i := range o.args {
		if err := o.args[i].verify(k, false); err != nil {
			return err
		}
	}
	return o.check(k).from(o.at)
}

func verifyValue(k Kind, v attr.Value) *Error {
	if v.IsZero() {
		return RuleValue.fail(k)
	}
	return nil
}

// verifyPath checks that all names of a path can stand behind a placeholder.
func verifyPath(k Kind, p Path) *Error {
	for _, s := range p.steps {
		if !s.isField() {
			continue
		}
		if s.name == "" {
			return RuleNameEmpty.fail(k, "#")
		}
		if len(s.name) > maxName {
			return RuleNameLong.fail(k, "#")
		}
	}
	return p.check(k)
}

func verifyPaths(k Kind, paths []Path) *Error {
	for i := len(paths) - 1; i >= 0; i-- {
		if err := verifyPath(k, paths[i]); err != nil {
			return err
		}
	}
	return disjoint(k, paths, sortPaths(paths), nil)
}

func (u *Update) verify() *Error {
	if err := verifyPaths(UpdateExpression, u.touched); err != nil {
		return err
	}
	for i := range u.actions {
		a := &u.actions[i]
		if a.Section == REMOVE {
			continue
		}
		if err := a.right.verify(UpdateExpression, true); err != nil {
			return err
		}
		if err := a.check(); err != nil {
			return err
		}
	}
	return checkActionOperators(UpdateExpression, u.actions)
}
