package expr

import (
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// item reads the tuple of INSERT.
func (t *translator) item(n *sqlNode) (attr.Item, *Error) {
	if n.kind != yStruct {
		if n.kind == yPath { // paths have no place
			return attr.Item{}, RuleStatementItem.fail(PartiQL)
		}
		return attr.Item{}, RuleStatementItem.at(n.tok.at)
	}
	var it attr.Item
	for i := 0; i < len(n.kids); i += 2 {
		name, err := tupleName(n.kids[i])
		if err != nil {
			return it, err
		}
		if !it.Get(name).IsZero() {
			return it, RuleStatementTupleTwice.at(n.kids[i].tok.at, name, "root")
		}
		v, err := t.value(n.kids[i+1], "root", true)
		if err != nil {
			return it, err
		}
		it.Set(name, v)
	}
	return it, nil
}

func tupleName(n *sqlNode) (string, *Error) {
	if n.kind != yLiteral || n.tok.kind != qString {
		return "", RuleStatementTupleName.at(n.tok.at, typeInMessage(n))
	}
	if n.tok.text == "" {
		return "", RuleStatementNameEmpty.fail(PartiQL)
	}
	return n.tok.text, nil
}

// typeInMessage is what the parser of the service calls a node.
func typeInMessage(n *sqlNode) string {
	switch n.kind {
	case yName:
		return "VariableReference"
	case yPath:
		return "PATH"
	case yMissing:
		return "LiteralMissing"
	case yParameter:
		return "Parameter"
	case yLiteral:
		if n.tok.kind == qNumber && digitsLen(strings.TrimPrefix(n.tok.text, "-")) == len(strings.TrimPrefix(n.tok.text, "-")) {
			return "INT"
		}
		if n.tok.kind == qNumber {
			return "DECIMAL"
		}
		return strings.ToUpper(n.tok.text)
	}
	return n.tok.text
}

// value reads a literal. Parameters stand for whole values only: key says where it is below what, which messages tell, and
// top that it is not below anything.
func (t *translator) value(n *sqlNode, key string, top bool) (attr.Value, *Error) {
	switch n.kind {
	case yLiteral:
		return literalValue(n, key)
	case yList:
		return t.list(n, key)
	case yBag:
		return t.bag(n)
	case yStruct:
		m, err := t.tuple(n, key)
		return attr.Map(m), err
	case yPath:
		word := "Path" // as DynamoDB Local writes it, in two ways
		if key == "root" {
			word = "PATH"
		}
		return attr.Value{}, RuleStatementValue.fail(PartiQL, word, key)
	case yQuery:
		return attr.Value{}, RuleStatementValue.at(n.tok.at, "SELECT", key)
	}
	if top {
		switch n.kind {
		case yParameter:
			return t.parameter(n)
		case yName:
			return attr.Value{}, RuleStatementValue.at(n.tok.at, n.tok.text, key)
		case yMissing:
			return attr.Value{}, RuleStatementValue.at(n.tok.at, "MISSING", key)
		}
	}
	return attr.Value{}, RuleStatementValue.at(n.tok.at, typeInMessage(n), key)
}

func (t *translator) parameter(n *sqlNode) (attr.Value, *Error) {
	i, _ := strconv.Atoi(n.tok.text)
	if i >= len(t.parameters) {
		return attr.Value{}, RuleStatementParameters.fail(PartiQL)
	}
	return t.parameters[i], nil
}

func literalValue(n *sqlNode, key string) (attr.Value, *Error) {
	switch n.tok.kind {
	case qString:
		return attr.Text(n.tok.text), nil
	case qNumber:
		x, err := attr.ParseNumber(n.tok.text)
		if err != nil {
			return attr.Value{}, RuleNumber.fail(PartiQL, err)
		}
		return attr.Num(x), nil
	case qIon:
		return attr.Value{}, RuleStatementIon.at(n.tok.at, ionType(n.tok.text), key)
	}
	if n.tok.text == "null" {
		return attr.Null(), nil
	}
	return attr.Bool(n.tok.text == "true"), nil
}

// ionType is what Ion calls the literal, as far as it shows at its beginning.
func ionType(text string) string {
	switch {
	case digitsLen(text) == len(text):
		return "INT"
	case isDigit(text[0]):
		return "DECIMAL"
	case text[0] == '"':
		return "STRING"
	}
	return "SYMBOL"
}

func (t *translator) list(n *sqlNode, key string) (attr.Value, *Error) {
	elems := make([]attr.Value, len(n.kids))
	for i, k := range n.kids {
		var err *Error
		if elems[i], err = t.value(k, key+"."+strconv.Itoa(i), false); err != nil {
			return attr.Value{}, err
		}
	}
	return attr.List(elems...), nil
}

func (t *translator) tuple(n *sqlNode, key string) (m attr.Item, err *Error) {
	for i := 0; i < len(n.kids); i += 2 {
		name, err := tupleName(n.kids[i])
		if err != nil {
			return m, err
		}
		if !m.Get(name).IsZero() {
			return m, RuleStatementTupleTwice.at(n.tok.at, name, key)
		}
		v, err := t.value(n.kids[i+1], key+"."+name, false)
		if err != nil {
			return m, err
		}
		m.Set(name, v)
	}
	return m, nil
}

// bag reads a set: strings or numbers, each once. Sets of binaries come as parameters.
func (t *translator) bag(n *sqlNode) (attr.Value, *Error) {
	if len(n.kids) == 0 {
		return attr.Value{}, RuleStatementBagEmpty.at(n.tok.at)
	}
	var values []attr.Value
	for _, k := range n.kids {
		if k.kind != yLiteral || k.tok.kind != qString && k.tok.kind != qNumber {
			return attr.Value{}, RuleStatementBag.at(k.tok.at)
		}
		v, err := literalValue(k, "root")
		if err != nil {
			return attr.Value{}, err
		}
		if len(values) > 0 && v.Kind() != values[0].Kind() {
			return attr.Value{}, RuleStatementBag.fail(PartiQL)
		}
		values = append(values, v)
	}
	kind := attr.KindSS
	if values[0].Kind() == attr.KindN {
		kind = attr.KindNS
	}
	set := setOf(kind, values)
	if len(set.Elems()) < len(values) {
		return attr.Value{}, RuleStatementBagTwice.fail(PartiQL)
	}
	return set, nil
}
