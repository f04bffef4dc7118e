package expr

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is what a token is; its order has no meaning.
type tokenKind uint8

const (
	tEOF          tokenKind = iota
	tName                   // letter, then letters, digits, underscores
	tNameRef                // #placeholder
	tValueRef               // :placeholder
	tNumber                 // list index: 0, or digits that do not begin with 0
	tAnd                    // the words of the language, in any case
	tOr                     //
	tNot                    //
	tBetween                //
	tIn                     //
	tSet                    //
	tRemove                 //
	tAdd                    //
	tDelete                 //
	tEqual                  // =
	tNotEqual               // <>
	tLess                   // <
	tAtMost                 // <=
	tGreater                // >
	tAtLeast                // >=
	tLeftParen              // (
	tRightParen             // )
	tLeftBracket            // [
	tRightBracket           // ]
	tComma                  // ,
	tDot                    // .
	tPlus                   // +
	tMinus                  // -
	tInvalid                // any other character
)

// token is a piece of the text. Expressions are short, so 16 bits would do; 32 keep the arithmetic plain.
type token struct {
	kind       tokenKind
	start, end int32
}

// lexer cuts an expression into tokens. Blanks (space, tab, newline, carriage return) separate and mean nothing; no other
// character counts as blank.
type lexer struct {
	text string
	pos  int32
}

func (l *lexer) next() token {
	for int(l.pos) < len(l.text) && isBlank(l.text[l.pos]) {
		l.pos++
	}
	start := l.pos
	if int(start) == len(l.text) {
		return token{tEOF, start, start}
	}
	kind := tInvalid
	c := l.text[start]
	l.pos++
	switch {
	case isLetter(c):
		l.word()
		kind = wordKind(l.text[start:l.pos])
	case c == '#' || c == ':':
		if l.word(); l.pos > start+1 {
			kind = tNameRef
			if c == ':' {
				kind = tValueRef
			}
		}
	case c == '0':
		kind = tNumber
	case '1' <= c && c <= '9':
		for int(l.pos) < len(l.text) && '0' <= l.text[l.pos] && l.text[l.pos] <= '9' {
			l.pos++
		}
		kind = tNumber
	case c < utf8.RuneSelf:
		kind = l.sign(c)
	default:
		_, n := utf8.DecodeRuneInString(l.text[start:])
		l.pos = start + int32(n)
	}
	return token{kind, start, l.pos}
}

// word moves over letters, digits and underscores.
func (l *lexer) word() {
	for int(l.pos) < len(l.text) && isWord(l.text[l.pos]) {
		l.pos++
	}
}

// sign is the kind of a token that begins with c, which is read already, and is no word or number.
func (l *lexer) sign(c byte) tokenKind {
	switch c {
	case '=':
		return tEqual
	case '<':
		if l.follows('>') {
			return tNotEqual
		}
		if l.follows('=') {
			return tAtMost
		}
		return tLess
	case '>':
		if l.follows('=') {
			return tAtLeast
		}
		return tGreater
	case '(':
		return tLeftParen
	case ')':
		return tRightParen
	case '[':
		return tLeftBracket
	case ']':
		return tRightBracket
	case ',':
		return tComma
	case '.':
		return tDot
	case '+':
		return tPlus
	case '-':
		return tMinus
	}
	return tInvalid
}

// follows reads c if it comes next.
func (l *lexer) follows(c byte) bool {
	if int(l.pos) < len(l.text) && l.text[l.pos] == c {
		l.pos++
		return true
	}
	return false
}

// wordKind tells the words of the language, which no attribute can be named without a placeholder, from names.
func wordKind(word string) tokenKind {
	switch len(word) {
	case 2:
		if strings.EqualFold(word, "OR") {
			return tOr
		}
		if strings.EqualFold(word, "IN") {
			return tIn
		}
	case 3:
		switch {
		case strings.EqualFold(word, "AND"):
			return tAnd
		case strings.EqualFold(word, "NOT"):
			return tNot
		case strings.EqualFold(word, "SET"):
			return tSet
		case strings.EqualFold(word, "ADD"):
			return tAdd
		}
	case 6:
		if strings.EqualFold(word, "REMOVE") {
			return tRemove
		}
		if strings.EqualFold(word, "DELETE") {
			return tDelete
		}
	case 7:
		if strings.EqualFold(word, "BETWEEN") {
			return tBetween
		}
	}
	return tName
}

func isBlank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || '0' <= c && c <= '9' || c == '_' }

// isPlaceholder reports whether key is sigil and at least one letter, digit or underscore.
func isPlaceholder(key string, sigil byte) bool {
	if len(key) < 2 || key[0] != sigil {
		return false
	}
	for i := 1; i < len(key); i++ {
		if !isWord(key[i]) {
			return false
		}
	}
	return true
}
