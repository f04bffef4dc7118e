package expr

import (
	"strconv"
	"strings"
)

// sqlNode is a part of a statement's syntax tree.
type sqlNode struct {
	kind sqlKind
	tok  sqlToken // what it is made of, its operator, or what it begins with
	kids []*sqlNode
}

type sqlKind uint8

const (
	yNone      sqlKind = iota
	yName              // an attribute
	yLiteral           // string, number, Ion, true, false, null
	yMissing           //
	yParameter         // ?; its place among the parameters is in tok.text
	yPath              // kids: where it begins, then yField, yIndex, yEvery
	yField             // .name
	yIndex             // [kid]
	yEvery             // .*
	yCall              // of the function tok; kids are its arguments
	yAggregate         // COUNT(*)
	yUnary             // +, -
	yNot               //
	yAnd               //
	yOr                //
	yBinary            // all other operators of two operands
	yBetween           // three kids
	yIn                //
	yIs                // kids: what, and the type
	yType              //
	yList              // [ ] and ( , )
	yBag               // << >>
	yStruct            // { }; kids: name, value, name, value
	yQuery             // SELECT in an expression
)

// negated is what NOT makes of a node.
func negated(tok sqlToken, n *sqlNode) *sqlNode { return &sqlNode{yNot, tok, []*sqlNode{n}} }

// sqlParser reads tokens by the grammar of PartiQL (partiql.org), as far as DynamoDB looks at what is read. After the first
// error it is at the end of the text.
type sqlParser struct {
	tokens     []sqlToken
	pos        int
	parameters int // seen so far
	err        *Error
}

func (p *sqlParser) tok() sqlToken { return p.tokens[p.pos] }

// second is the token after the next one.
func (p *sqlParser) second() sqlToken { return p.tokens[min(p.pos+1, len(p.tokens)-1)] }

// take goes on to the next token and answers the one that it leaves.
func (p *sqlParser) take() sqlToken {
	t := p.tok()
	if p.pos < len(p.tokens)-1 {
		p.pos++
	}
	return t
}

// fail notes the first error: what the parser says.
func (p *sqlParser) fail(detail string) *sqlNode {
	if p.tok().kind == qUnreadable {
		detail = "Invalid character"
	}
	return p.refuse(RuleStatement.fail(PartiQL, detail))
}

// refuse notes the first error. The node stands for what could not be read.
func (p *sqlParser) refuse(err *Error) *sqlNode {
	if p.err == nil {
		p.err = err
		p.tokens = append(p.tokens[:p.pos:p.pos], sqlToken{})
	}
	return &sqlNode{}
}

func (p *sqlParser) accept(symbol string) bool {
	if !p.tok().is(symbol) {
		return false
	}
	p.take()
	return true
}

func (p *sqlParser) acceptWord(word string) bool {
	if !p.tok().keyword(word) {
		return false
	}
	p.take()
	return true
}

// expect wants a symbol, called by its name in messages.
func (p *sqlParser) expect(symbol, name string) {
	if !p.accept(symbol) {
		p.fail("Expected " + name)
	}
}

// Precedences of operators.
const (
	bindOr = 10 * (iota + 1)
	bindAnd
	bindNot
	bindEqual
	bindCompare
	bindSum
	bindProduct
)

// infix is how strong the operator at the next token binds; 0 if there is none.
func (p *sqlParser) infix() int {
	t := p.tok()
	switch t.kind {
	case qSymbol:
		switch t.text {
		case "=", "<>", "!=":
			return bindEqual
		case "<", "<=", ">", ">=":
			return bindCompare
		case "+", "-", "||":
			return bindSum
		case "*", "/", "%":
			return bindProduct
		}
	case qKeyword:
		word, not := t.text, t.text == "not"
		if not {
			word = p.second().text
		}
		switch {
		case word == "or" && !not:
			return bindOr
		case word == "and" && !not:
			return bindAnd
		case word == "in", word == "is" && !not:
			return bindEqual
		case word == "between", word == "like":
			return bindCompare
		}
	}
	return 0
}

// expression reads operators that bind stronger than those around it.
func (p *sqlParser) expression(around int) *sqlNode {
	left := p.unary()
	for p.err == nil {
		bind := p.infix()
		if bind <= around {
			return left
		}
		not := p.tok()
		negative := p.acceptWord("not")
		left = p.operator(left, bind)
		if negative {
			left = negated(not, left)
		}
	}
	return left
}

// operator reads an operator and what follows it.
func (p *sqlParser) operator(left *sqlNode, bind int) *sqlNode {
	op := p.take()
	if op.keyword("is") {
		return p.isType(left, op)
	}
	if op.keyword("in") && p.tok().is("(") && !p.second().keyword("select") && !p.second().keyword("values") {
		open := p.take()
		list := &sqlNode{yList, open, p.list(func() *sqlNode { return p.expression(0) })}
		p.expect(")", "RIGHT_PAREN")
		return &sqlNode{yIn, op, []*sqlNode{left, list}}
	}
	if p.tok().kind == qEOF {
		return p.fail("Missing right-hand side expression of infix operator")
	}
	n := &sqlNode{yBinary, op, []*sqlNode{left, p.expression(bind)}}
	if op.kind != qKeyword {
		return n
	}
	switch op.text {
	case "and":
		n.kind = yAnd
	case "or":
		n.kind = yOr
	case "in":
		n.kind = yIn
	case "between":
		n.kind = yBetween
		if !p.acceptWord("and") {
			return p.fail("Expected AND")
		}
		if p.tok().kind == qEOF {
			return p.fail("Expected expression after AND")
		}
		n.kids = append(n.kids, p.expression(bind))
	}
	return n
}

// isType reads what follows IS.
func (p *sqlParser) isType(left *sqlNode, op sqlToken) *sqlNode {
	negative := p.acceptWord("not")
	t := p.tok()
	if _, ok := sqlTypes[t.text]; !ok || t.kind != qKeyword {
		return p.fail("Expected type name")
	}
	p.take()
	if p.accept("(") {
		p.list(func() *sqlNode { return p.expression(0) })
		p.expect(")", "RIGHT_PAREN")
	}
	n := &sqlNode{yIs, op, []*sqlNode{left, {kind: yType, tok: t}}}
	if negative {
		return negated(op, n)
	}
	return n
}

// unary reads NOT, + and - before a term.
func (p *sqlParser) unary() *sqlNode {
	t := p.tok()
	switch {
	case t.is("-") || t.is("+"):
		p.take()
		n := p.unary()
		if n.kind == yLiteral && n.tok.kind == qNumber { // a sign is a part of a number
			if t.text == "-" {
				n.tok.text = negative(n.tok.text)
			}
			return n
		}
		return &sqlNode{yUnary, t, []*sqlNode{n}}
	case t.keyword("not"):
		p.take()
		return negated(t, p.expression(bindNot))
	}
	return p.path()
}

// negative is a number's text with the other sign.
func negative(text string) string {
	if text[0] == '-' {
		return text[1:]
	}
	return "-" + text
}

// path reads a term and the steps that lead on from it.
func (p *sqlParser) path() *sqlNode {
	n := p.term()
	steps := p.steps(false)
	if len(steps) == 0 {
		return n
	}
	return &sqlNode{yPath, n.tok, append([]*sqlNode{n}, steps...)}
}

// simplePath reads what SET, REMOVE, INTO, UPDATE and DELETE FROM take.
func (p *sqlParser) simplePath() *sqlNode {
	if !p.tok().isName() {
		return p.fail("Expected identifier for simple path")
	}
	n := &sqlNode{kind: yName, tok: p.take()}
	steps := p.steps(true)
	if len(steps) == 0 {
		return n
	}
	return &sqlNode{yPath, n.tok, append([]*sqlNode{n}, steps...)}
}

func (p *sqlParser) steps(simple bool) (steps []*sqlNode) {
	for p.err == nil {
		open := p.tok()
		switch {
		case p.accept("."):
			t := p.tok()
			switch {
			case t.isName():
				steps = append(steps, &sqlNode{kind: yField, tok: p.take()})
			case t.is("*") && simple:
				p.fail("Invalid path dot component for simple path")
			case t.is("*"):
				steps = append(steps, &sqlNode{kind: yEvery, tok: p.take()})
			default:
				p.fail("Invalid path dot component")
			}
		case p.accept("["):
			if p.tok().is("*") {
				p.fail("Invalid use of * in select list")
				break
			}
			index := p.expression(0)
			if simple && index.kind != yLiteral && index.kind != yName {
				p.fail("Invalid path component for simple path")
				break
			}
			p.expect("]", "RIGHT_BRACKET")
			steps = append(steps, &sqlNode{yIndex, open, []*sqlNode{index}})
		default:
			return steps
		}
	}
	return steps
}

// term reads a literal, name, call, constructor or parenthesis.
func (p *sqlParser) term() *sqlNode {
	t := p.tok()
	switch t.kind {
	case qString, qNumber, qIon:
		return &sqlNode{kind: yLiteral, tok: p.take()}
	case qName, qQuoted:
		p.take()
		if p.accept("(") {
			return p.call(t)
		}
		return &sqlNode{kind: yName, tok: t}
	case qKeyword:
		return p.keywordTerm(t)
	case qSymbol:
		return p.symbolTerm(t)
	}
	return p.fail("Unexpected term")
}

func (p *sqlParser) keywordTerm(t sqlToken) *sqlNode {
	switch {
	case t.text == "true" || t.text == "false" || t.text == "null":
		return &sqlNode{kind: yLiteral, tok: p.take()}
	case t.text == "missing":
		return &sqlNode{kind: yMissing, tok: p.take()}
	case t.text == "select":
		p.take()
		p.query()
		return &sqlNode{kind: yQuery, tok: t}
	case t.text == "case": // not read, as CAST: DynamoDB has them in no statement
		return p.refuse(RuleStatementToken.at(t.at, "CASE"))
	case t.text == "cast" && p.second().is("("):
		return p.refuse(RuleStatementToken.at(p.second().at, "cast"))
	case sqlFunctionWords[t.text] && p.second().is("("):
		p.take()
		p.take()
		return p.call(t)
	}
	return p.fail("Unexpected keyword")
}

func (p *sqlParser) symbolTerm(t sqlToken) *sqlNode {
	each := func() *sqlNode { return p.expression(0) }
	switch t.text {
	case "?":
		p.take()
		p.parameters++
		return &sqlNode{kind: yParameter, tok: sqlToken{qSymbol, strconv.Itoa(p.parameters - 1), t.at}}
	case "@": // the scope operator, which has no effect here
		p.take()
		if !p.tok().isName() {
			return p.fail("Identifier must follow @-operator")
		}
		return &sqlNode{kind: yName, tok: p.take()}
	case "(":
		p.take()
		if p.tok().is(")") {
			return p.fail("Expression group cannot be empty")
		}
		l := p.list(each)
		p.expect(")", "RIGHT_PAREN")
		if len(l) == 1 {
			return l[0]
		}
		return &sqlNode{yList, t, l}
	case "[":
		return p.sequence(yList, "]", "RIGHT_BRACKET", each)
	case "<<":
		return p.sequence(yBag, ">>", "RIGHT_DOUBLE_ANGLE_BRACKET", each)
	case "{":
		return p.tuple()
	case ".", ",", ")", "]", "}", ">>", ":", ";":
		return p.fail("Unexpected term")
	}
	return p.fail("Unexpected operator")
}

// sequence reads a list or bag.
func (p *sqlParser) sequence(kind sqlKind, end, name string, each func() *sqlNode) *sqlNode {
	n := &sqlNode{kind: kind, tok: p.take()}
	if p.accept(end) {
		return n
	}
	n.kids = p.list(each)
	p.expect(end, name)
	return n
}

func (p *sqlParser) tuple() *sqlNode {
	n := &sqlNode{kind: yStruct, tok: p.take()}
	if p.accept("}") {
		return n
	}
	p.list(func() *sqlNode {
		name := p.expression(0)
		p.expect(":", "COLON")
		n.kids = append(n.kids, name, p.expression(0))
		return n
	})
	p.expect("}", "RIGHT_CURLY")
	return n
}

// call reads the arguments of a function, behind the parenthesis.
func (p *sqlParser) call(name sqlToken) *sqlNode {
	n := &sqlNode{kind: yCall, tok: name}
	switch {
	case p.accept(")"):
		return n
	case p.tok().is("*") && name.text == "count":
		p.take()
		n.kind = yAggregate
	case p.tok().is("*"):
		return p.fail(name.text + "(*) is not allowed")
	default:
		n.kids = p.list(func() *sqlNode { return p.expression(0) })
	}
	p.expect(")", "RIGHT_PAREN")
	return n
}

// list reads what each reads, with commas between.
func (p *sqlParser) list(each func() *sqlNode) (l []*sqlNode) {
	for p.err == nil {
		l = append(l, each())
		if !p.accept(",") {
			break
		}
	}
	return l
}

// isCondition reports whether the node can only be true or false.
func (n *sqlNode) isCondition() bool {
	switch n.kind {
	case yAnd, yOr, yNot, yBinary, yBetween, yIn, yIs, yUnary, yQuery, yAggregate:
		return true
	case yCall:
		return strings.ToLower(n.tok.text) != "size"
	}
	return false
}
