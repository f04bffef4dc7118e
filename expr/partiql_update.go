package expr

import (
	"slices"
	"strings"
)

// update reads SET and REMOVE, which make the same changes as those of an update expression; set_add and set_delete are ADD
// and DELETE.
func (t *translator) update(list []sqlAssignment) (*Update, *Error) {
	actions := make([]Action, len(list))
	paths := make([]Path, len(list))
	for i, y := range list {
		a := &actions[i]
		var err *Error
		if a.Path, err = t.path(y.path); err != nil {
			return nil, err
		}
		paths[i] = a.Path
		if a.Section = REMOVE; y.value == nil {
			continue
		}
		if a.Section, err = t.assigned(y.value, a); err != nil {
			return nil, err
		}
	}
	if err := disjointBackwards(paths); err != nil {
		return nil, err
	}
	if err := checkActionOperators(PartiQL, actions); err != nil {
		return nil, err
	}
	return newUpdate(actions, paths, newPathTree(paths, sortPaths(paths))), nil
}

// assigned reads what SET assigns.
func (t *translator) assigned(n *sqlNode, a *Action) (Section, *Error) {
	if n.kind == yCall {
		switch name := strings.ToUpper(n.tok.text); name {
		case "SET_ADD":
			return ADD, t.setChange(n, name, a)
		case "SET_DELETE":
			return DELETE, t.setChange(n, name, a)
		}
	}
	return SET, t.change(n, &a.right)
}

// setChange reads the operands of set_add and set_delete: the set itself, and what to add or take out.
func (t *translator) setChange(n *sqlNode, name string, a *Action) *Error {
	if len(n.kids) != 2 {
		return RuleStatementSetCount.at(n.tok.at, name)
	}
	set, change := n.kids[0], n.kids[1]
	if set.kind != yName && set.kind != yPath {
		return RuleStatementSetFirst.fail(PartiQL, name)
	}
	p, err := t.path(set)
	if err != nil {
		return err
	}
	if !p.Equal(a.Path) {
		return RuleStatementSetFirst.fail(PartiQL, name)
	}
	if !slices.Contains([]sqlKind{yBag, yParameter}, change.kind) {
		return RuleStatementSetSecond.at(set.tok.at, name)
	}
	if err := t.operand(change, &a.right); err != nil {
		return err
	}
	if !deleteKinds.has(a.right.value.Kind()) {
		return RuleStatementSetSecond.at(set.tok.at, name)
	}
	return nil
}

// change reads an operand of SET: as in update expressions, but sums of any length, and functions within each other.
func (t *translator) change(n *sqlNode, out *operand) *Error {
	switch n.kind {
	case yUnary:
		return RuleOperandCount.fail(PartiQL, n.tok.text, 1)
	case yBinary:
		switch n.tok.text {
		case "+":
			out.kind = oPlus
		case "-":
			out.kind = oMinus
		default:
			return RuleStatementOperatorUpdate.fail(PartiQL, n.tok.text)
		}
		return t.arguments(n, out, t.change)
	case yAnd, yOr, yNot, yBetween, yIn, yIs:
		return RuleStatementOperatorUpdate.fail(PartiQL, n.tok.text)
	case yCall:
		name := strings.ToLower(n.tok.text)
		f, ok := functions[name]
		switch {
		case !ok:
			return RuleStatementFunction.fail(PartiQL, name)
		case !f.update:
			return RuleFunctionUpdate.fail(PartiQL, name)
		}
		out.kind = f.operand
		return t.arguments(n, out, t.change)
	}
	return t.operand(n, out)
}
