package expr

import (
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// condition makes a condition of a node that is one.
func (t *translator) condition(n *sqlNode, out *node) *Error {
	switch n.kind {
	case yAnd, yOr:
		out.op = opAnd
		if n.kind == yOr {
			out.op = opOr
		}
		return t.sides(n, n.kind, out)
	case yNot:
		out.op = opNot
		if !n.kids[0].isCondition() {
			return RuleStatementNot.fail(PartiQL)
		}
		out.kids = make([]node, 1)
		return t.condition(n.kids[0], &out.kids[0])
	case yIs:
		return t.is(n, out)
	case yIn:
		return t.in(n, out)
	case yBetween:
		out.op = opBetween
		return t.operands(n.kids, out)
	case yCall:
		return t.predicate(n, out)
	case yBinary:
		op, ok := comparisons[n.tok.text]
		if !ok {
			return RuleStatementOperator.fail(PartiQL, n.tok.text)
		}
		out.op = op
		return t.operands(n.kids, out)
	}
	return t.operand(n, new(operand)) // what is left is neither condition nor operand
}

var comparisons = map[string]op{"=": opEqual, "<>": opNotEqual, "!=": opNotEqual, "<": opLess, "<=": opAtMost, ">": opGreater, ">=": opAtLeast}

// sides collects the conditions that AND or OR joins: those of a AND b AND c side by side.
func (t *translator) sides(n *sqlNode, kind sqlKind, out *node) *Error {
	for _, k := range n.kids {
		if k.kind == kind {
			if err := t.sides(k, kind, out); err != nil {
				return err
			}
			continue
		}
		if !k.isCondition() {
			return RuleStatementAndOr.fail(PartiQL)
		}
		var c node
		if err := t.condition(k, &c); err != nil {
			return err
		}
		out.kids = append(out.kids, c)
	}
	return nil
}

// operands reads all operands of a condition and checks them.
func (t *translator) operands(list []*sqlNode, out *node) *Error {
	out.args = make([]operand, len(list))
	for i, n := range list {
		if err := t.operand(n, &out.args[i]); err != nil {
			return err
		}
	}
	return out.check(PartiQL)
}

// operand reads an attribute, path, value or size.
func (t *translator) operand(n *sqlNode, out *operand) (err *Error) {
	switch n.kind {
	case yName, yPath:
		out.kind = oPath
		out.path, err = t.path(n)
		return err
	case yMissing:
		return RuleStatementMissing.fail(PartiQL)
	case yCall:
		return t.size(n, out)
	case yLiteral, yParameter, yList, yBag, yStruct:
		out.kind = oValue
		out.value, err = t.value(n, "root", true)
		return err
	case yAggregate:
		return RuleStatementFunction.fail(PartiQL, strings.ToLower(n.tok.text))
	case yQuery:
		return RuleStatementToken.at(n.tok.at, "SELECT")
	}
	return RuleStatementOperator.fail(PartiQL, n.tok.text)
}

// size reads a function that is an operand, of which there is one.
func (t *translator) size(n *sqlNode, out *operand) *Error {
	name := strings.ToLower(n.tok.text)
	f, ok := functions[name]
	switch {
	case !ok:
		return RuleStatementFunction.fail(PartiQL, name)
	case f.operand == 0:
		return RuleFunctionUse.fail(PartiQL, name)
	case f.operand != oSize:
		return RuleFunctionCondition.fail(PartiQL, name)
	}
	out.kind = oSize
	return t.arguments(n, out, t.operand)
}

// arguments reads the operands of an operand and checks them.
func (t *translator) arguments(n *sqlNode, out *operand, read func(*sqlNode, *operand) *Error) *Error {
	out.args = make([]operand, len(n.kids))
	for i, k := range n.kids {
		if err := read(k, &out.args[i]); err != nil {
			return err
		}
	}
	return out.check(PartiQL)
}

// predicate reads a function that is a condition. Names of functions are in any case.
func (t *translator) predicate(n *sqlNode, out *node) *Error {
	name := strings.ToLower(n.tok.text)
	f, ok := functions[name]
	switch {
	case name == "exists" && len(n.kids) > 0 && n.kids[0].kind == yQuery:
		return RuleStatementToken.at(n.kids[0].tok.at, "SELECT")
	case !ok:
		return RuleStatementFunction.fail(PartiQL, name)
	case f.op == 0:
		return RuleFunctionCondition.fail(PartiQL, name)
	}
	out.op = f.op
	return t.operands(n.kids, out)
}

// in reads IN with its list, or a bag.
func (t *translator) in(n *sqlNode, out *node) *Error {
	list := n.kids[1]
	if list.kind != yList && list.kind != yBag || len(list.kids) == 0 {
		return RuleStatementIn.fail(PartiQL)
	}
	out.op = opIn
	return t.operands(append([]*sqlNode{n.kids[0]}, list.kids...), out)
}

// sqlTypes are the types that IS can be asked for in PartiQL: what DynamoDB calls them, or the name in the refusal.
var sqlTypes = map[string]struct{ kind, refused string }{
	"missing": {}, "null": {kind: "NULL"}, "bool": {kind: "BOOL"}, "boolean": {kind: "BOOL"}, "blob": {kind: "B"},
	"string": {kind: "S"}, "numeric": {kind: "N"}, "struct": {kind: "M"}, "tuple": {kind: "M"}, "list": {kind: "L"},
	"int": {refused: "INTEGER"}, "integer": {refused: "INTEGER"}, "smallint": {refused: "SMALLINT"}, "float": {refused: "FLOAT"},
	"real": {refused: "REAL"}, "double": {refused: "DOUBLE_PRECISION"}, "dec": {refused: "DECIMAL"}, "decimal": {refused: "DECIMAL"},
	"timestamp": {refused: "TIMESTAMP"}, "date": {refused: "DATE"}, "time": {refused: "TIME"},
	"char": {refused: "CHARACTER"}, "character": {refused: "CHARACTER"}, "varchar": {refused: "CHARACTER_VARYING"},
	"symbol": {refused: "SYMBOL"}, "clob": {refused: "CLOB"}, "sexp": {refused: "SEXP"}, "bag": {refused: "BAG"}, "any": {refused: "ANY"},
}

// is reads IS MISSING, IS NULL and the other types.
func (t *translator) is(n *sqlNode, out *node) *Error {
	what, kind := n.kids[0], sqlTypes[n.kids[1].tok.text]
	switch {
	case kind.refused != "":
		return RuleStatementIsType.at(n.tok.at, kind.refused)
	case what.kind != yName && what.kind != yPath && what.kind != yLiteral:
		return RuleStatementIs.fail(PartiQL)
	case kind.kind == "":
		out.op = opNotExists
		return t.operands(n.kids[:1], out)
	}
	out.op, out.args = opType, make([]operand, 2)
	if err := t.operand(what, &out.args[0]); err != nil {
		return err
	}
	out.args[1] = operand{kind: oValue, value: attr.Text(kind.kind)}
	return out.check(PartiQL)
}
