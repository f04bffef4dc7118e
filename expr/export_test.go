package expr

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// The Same functions compare trees, for tests that print and parse.

func SameCondition(a, b *Condition) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameNode(a.root, b.root)
}

func sameNode(a, b node) bool {
	return a.op == b.op && slices.EqualFunc(a.kids, b.kids, sameNode) && slices.EqualFunc(a.args, b.args, sameOperand)
}

func sameOperand(a, b operand) bool {
	return a.kind == b.kind && a.path.Equal(b.path) && attr.Equal(a.value, b.value) && slices.EqualFunc(a.args, b.args, sameOperand)
}

func SameUpdate(a, b *Update) bool {
	return slices.EqualFunc(a.actions, b.actions, func(x, y Action) bool {
		return x.Section == y.Section && x.Path.Equal(y.Path) && sameOperand(x.right, y.right)
	})
}

func SameProjection(a, b *Projection) bool { return slices.EqualFunc(a.paths, b.paths, Path.Equal) }

func SameKey(a, b *KeyExpression) bool {
	return slices.EqualFunc(a.terms, b.terms, func(x, y KeyTerm) bool {
		return x.Attribute == y.Attribute && x.Op == y.Op && attr.Equal(x.Low, y.Low) && attr.Equal(x.High, y.High)
	})
}
