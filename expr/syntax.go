package expr

import (
	"strconv"
	"sync"
)

// maxText is the length in bytes that the text of an expression may have, blanks included; names behind placeholders do not
// count (page Constraints of the developer guide; that it is the raw text was measured on AWS, 2026-08).
const maxText = 4096

// Reading goes in three steps, because the service reports errors in this order: first the whole text is read into a syntax
// tree; then the tree is searched for redundant parentheses, functions that are not allowed where they stand, reserved words
// and indexes; at last resolve.go makes the tree that is evaluated, looking up placeholders and checking
// operands on its way.

// syntaxKind is what a node of the syntax tree stands for.
type syntaxKind uint8

const (
	sAnd        syntaxKind = iota + 1 // two or more conditions
	sOr                               // two or more conditions
	sNot                              // a condition
	sCompare                          // two operands; op
	sBetween                          // three operands
	sIn                               // an operand and the list
	sFunction                         // operands; the token is the name
	sPath                             // sName, sNameRef and sIndex; the token is the first of them
	sName                             // a name written out
	sNameRef                          // #placeholder
	sIndex                            // a list index
	sValue                            // :placeholder
	sPlus                             // two operands
	sMinus                            // two operands
	sSection                          // sAction; the token is its word
	sAction                           // a path, and for all but REMOVE what is written
	sProjection                       // paths
)

// syntaxNode is a node of the syntax tree: a piece of the text and a list of children. Nodes refer to each other by
// their place in parser.nodes, where nodes that stand for one token (names, functions) are in the order of the text.
type syntaxNode struct {
	kind        syntaxKind
	op          op   // of sCompare
	asCondition bool // of sFunction: it stands where a condition does
	nested      bool // of sFunction: it is an operand of a function or sum
	enclosed    bool // it stands in parentheses
	start, end  int32
	first, last int32 // children; 0 is none
	next        int32 // sibling
}

// parser reads a text into a syntax tree. After the first error it is at the end of the text for good, so that all loops
// end and no error comes on top.
type parser struct {
	kind      Kind
	lex       lexer
	prev, tok token
	nodes     []syntaxNode
	redundant int32 // where the first doubled parentheses are, from 1; 0 if there are none
	err       *Error
}

var parsers = sync.Pool{New: func() any { return &parser{nodes: make([]syntaxNode, 0, 64)} }}

// read checks the size of text and hands it to parse, with a parser that is at its first token.
func read(kind Kind, text string, parse func(*parser) *Error) *Error {
	if len(text) > maxText {
		return tooLong(kind, len(text)).from(maxText + 1)
	}
	if text == "" {
		return RuleEmpty.fail(kind).from(1)
	}
	p := parsers.Get().(*parser)
	p.kind, p.lex, p.prev, p.redundant, p.err = kind, lexer{text: text}, token{}, 0, nil
	p.nodes = append(p.nodes[:0], syntaxNode{}) // place 0 is no node
	p.tok = p.lex.next()
	err := parse(p)
	p.lex.text = ""
	parsers.Put(p)
	return err
}

// tooLong is the error for a text of n bytes. The service tells the size of a Scan's filter only (measured on AWS,
// 2026-09: floci's issue threads): who reads a Query's, which is a filter here too, takes it off.
func tooLong(kind Kind, n int) *Error {
	if kind != FilterExpression {
		return RuleSize.fail(kind, "")
	}
	return RuleSize.fail(kind, " expression size: "+strconv.Itoa(n))
}

func (p *parser) advance() {
	p.prev, p.tok = p.tok, p.lex.next()
}

// unexpected is the error of a token that cannot stand where it does. The message shows it with the tokens around it.
func (p *parser) unexpected() {
	if p.err != nil {
		return
	}
	text := p.lex.text
	found := "<EOF>"
	end := int32(len(text))
	if p.tok.kind != tEOF {
		found = text[p.tok.start:p.tok.end]
		if end = p.lex.next().end; end < p.tok.end {
			end = p.tok.end
		}
	}
	p.err = RuleSyntax.fail(p.kind, found, text[p.prev.start:end]).from(p.tok.start + 1)
	p.lex.pos = int32(len(text))
	p.tok = token{tEOF, p.lex.pos, p.lex.pos}
}

// expect reads a token of the kind.
func (p *parser) expect(kind tokenKind) {
	if p.tok.kind != kind {
		p.unexpected()
		return
	}
	p.advance()
}

// accept reads a token if it is of the kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.tok.kind != kind {
		return false
	}
	p.advance()
	return true
}

// add makes a node of a token.
func (p *parser) add(kind syntaxKind, t token, children ...int32) int32 {
	p.nodes = append(p.nodes, syntaxNode{kind: kind, start: t.start, end: t.end})
	n := int32(len(p.nodes) - 1)
	for _, c := range children {
		p.append(n, c)
	}
	return n
}

// append makes child the last child of parent.
func (p *parser) append(parent, child int32) {
	n := &p.nodes[parent]
	if n.first == 0 {
		n.first = child
	} else {
		p.nodes[n.last].next = child
	}
	n.last = child
}

// class is what an expression in the text can be used as.
type class uint8

const (
	anOperand  class = iota // a path or value
	aFunction               // what its name tells: an operand or a condition
	aCondition              //
	aSum                    // a + b or a - b
)

// condition reads a whole condition.
func (p *parser) condition() int32 {
	n, class := p.or(false)
	p.use(n, class)
	if p.tok.kind != tEOF {
		p.unexpected()
	}
	return n
}

// use notes that node n is used as a condition.
func (p *parser) use(n int32, c class) {
	if c == aFunction {
		p.nodes[n].asCondition = true
	}
}

// or reads conditions joined by OR. If lone, it may be a single operand as well: the content of parentheses.
func (p *parser) or(lone bool) (int32, class) {
	n, c := p.and(lone)
	if p.tok.kind != tOr {
		return n, c
	}
	p.use(n, c)
	list := p.add(sOr, p.tok, n)
	for p.accept(tOr) {
		n, c := p.and(false)
		p.use(n, c)
		p.append(list, n)
	}
	return list, aCondition
}

func (p *parser) and(lone bool) (int32, class) {
	n, c := p.not(lone)
	if p.tok.kind != tAnd {
		return n, c
	}
	p.use(n, c)
	list := p.add(sAnd, p.tok, n)
	for p.accept(tAnd) {
		n, c := p.not(false)
		p.use(n, c)
		p.append(list, n)
	}
	return list, aCondition
}

func (p *parser) not(lone bool) (int32, class) {
	word := p.tok
	if !p.accept(tNot) {
		return p.comparison(lone)
	}
	n, c := p.not(false)
	p.use(n, c)
	return p.add(sNot, word, n), aCondition
}

// comparison reads a condition that is not joined by AND, OR, NOT.
func (p *parser) comparison(lone bool) (int32, class) {
	n, c := p.primary()
	if c == aCondition {
		return n, c
	}
	sign := p.tok
	var op op
	switch sign.kind {
	case tEqual:
		op = opEqual
	case tNotEqual:
		op = opNotEqual
	case tLess:
		op = opLess
	case tAtMost:
		op = opAtMost
	case tGreater:
		op = opGreater
	case tAtLeast:
		op = opAtLeast
	case tBetween:
		p.advance()
		low := p.operand()
		p.expect(tAnd)
		high := p.operand()
		return p.add(sBetween, sign, n, low, high), aCondition
	case tIn:
		p.advance()
		in := p.add(sIn, sign, n)
		p.list(in, false)
		return in, aCondition
	default:
		if c == anOperand && !(lone && p.tok.kind == tRightParen) {
			p.unexpected()
		}
		return n, c
	}
	p.advance()
	right := p.operand()
	compare := p.add(sCompare, sign, n, right)
	p.nodes[compare].op = op
	return compare, aCondition
}

// primary reads an operand, or anything in parentheses.
func (p *parser) primary() (int32, class) {
	left := p.tok
	if !p.accept(tLeftParen) {
		return p.atom()
	}
	n, c := p.or(true)
	p.enclose(left, n)
	return n, c
}

// enclose reads the parenthesis that closes around n.
func (p *parser) enclose(left token, n int32) {
	p.expect(tRightParen)
	if p.nodes[n].enclosed && (p.redundant == 0 || left.start < p.redundant) {
		p.redundant = left.start + 1
	}
	p.nodes[n].enclosed = true
}

// operand reads an operand, which may stand in parentheses.
func (p *parser) operand() int32 {
	left := p.tok
	if !p.accept(tLeftParen) {
		n, _ := p.atom()
		return n
	}
	n := p.operand()
	p.enclose(left, n)
	return n
}

// atom reads a path, a value or a function.
func (p *parser) atom() (int32, class) {
	switch p.tok.kind {
	case tValueRef:
		n := p.add(sValue, p.tok)
		p.advance()
		return n, anOperand
	case tName:
		name := p.tok
		p.advance()
		if p.tok.kind == tLeftParen {
			f := p.add(sFunction, name)
			p.list(f, true)
			return f, aFunction
		}
		return p.steps(sName, name), anOperand
	case tNameRef:
		return p.path(), anOperand
	}
	p.unexpected()
	return 0, anOperand
}

// list reads operands in parentheses and appends them to n.
func (p *parser) list(n int32, nested bool) {
	p.expect(tLeftParen)
	for {
		o := p.operand()
		p.nodes[o].nested = nested
		p.append(n, o)
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRightParen)
}

// path reads a document path.
func (p *parser) path() int32 {
	first := p.tok
	kind := sName
	switch first.kind {
	case tName:
	case tNameRef:
		kind = sNameRef
	default:
		p.unexpected()
		return 0
	}
	p.advance()
	return p.steps(kind, first)
}

// steps reads what follows the attribute of a path.
func (p *parser) steps(kind syntaxKind, first token) int32 {
	path := p.add(sPath, first)
	p.append(path, p.add(kind, first))
	for {
		switch {
		case p.accept(tDot):
			kind := sName
			if p.tok.kind == tNameRef {
				kind = sNameRef
			} else if p.tok.kind != tName {
				p.unexpected()
				return path
			}
			p.append(path, p.add(kind, p.tok))
			p.advance()
		case p.accept(tLeftBracket):
			index := p.tok
			p.expect(tNumber)
			p.append(path, p.add(sIndex, index))
			p.expect(tRightBracket)
		default:
			return path
		}
	}
}
