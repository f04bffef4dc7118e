package expr

// function describes a function of the language.
type function struct {
	op        op // of conditions
	operand   operandKind
	operands  int
	condition bool // it is a condition, not an operand
	update    bool // it is for update expressions, not for conditions
}

// functions are all there are (page Expressions.OperatorsAndFunctions of the developer guide). Names are case-sensitive.
var functions = map[string]function{
	"attribute_exists":     {op: opExists, operands: 1, condition: true},
	"attribute_not_exists": {op: opNotExists, operands: 1, condition: true},
	"attribute_type":       {op: opType, operands: 2, condition: true},
	"begins_with":          {op: opBeginsWith, operands: 2, condition: true},
	"contains":             {op: opContains, operands: 2, condition: true},
	"size":                 {operand: oSize, operands: 1},
	"if_not_exists":        {operand: oIfNotExists, operands: 2, update: true},
	"list_append":          {operand: oListAppend, operands: 2, update: true},
}

// search looks for what the grammar lets pass and the service refuses before it looks at placeholders: doubled parentheses
// anywhere, then functions, reserved words and indexes in the order of the text.
func (p *parser) search() *Error {
	if p.redundant > 0 {
		return RuleParentheses.fail(p.kind).from(p.redundant)
	}
	for i := range p.nodes {
		switch n := &p.nodes[i]; n.kind {
		case sFunction:
			if err := p.checkFunction(n).from(n.start + 1); err != nil {
				return err
			}
		case sName:
			if name := p.text(n); IsReserved(name) {
				return RuleReserved.fail(p.kind, name).from(n.start + 1)
			}
		case sIndex:
			if _, ok := position(p.text(n)); !ok {
				return RuleIndex.fail(p.kind, p.text(n)).from(n.start + 1)
			}
		}
	}
	return nil
}

// checkFunction checks that the function exists and is used as what it is, in an expression that may use it.
func (p *parser) checkFunction(n *syntaxNode) *Error {
	name := p.text(n)
	f, ok := functions[name]
	update := p.kind == UpdateExpression
	switch {
	case !ok:
		return RuleFunctionUnknown.fail(p.kind, name)
	case f.update && !update:
		return RuleFunctionCondition.fail(p.kind, name)
	case !f.update && update:
		return RuleFunctionUpdate.fail(p.kind, name)
	case f.condition != n.asCondition:
		return RuleFunctionUse.fail(p.kind, name)
	case f.operand == oListAppend && n.nested: // it must be all that SET assigns
		return RuleFunctionUse.fail(p.kind, name)
	}
	return nil
}

// text is what the node's token says.
func (p *parser) text(n *syntaxNode) string { return p.lex.text[n.start:n.end] }
