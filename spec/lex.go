package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token of the language. Names joined by dots are one token, and so are a reference and a number.
type token struct {
	kind  tokenKind
	text  string // as written; of a text literal, its content
	start int    // byte offsets
	end   int
}

type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokName             // a name or path: status, order.customerId
	tokRef              // $name, $name.name; text is without the $
	tokNumber           // digits, grouped, with at most one dot
	tokText             // '…'
	tokOp               // ( ) , = != < <= > >= + - %
)

// reads in diagnostics
func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "the end"
	case tokRef:
		return "$" + t.text
	case tokText:
		return quote(t.text)
	}
	return "`" + t.text + "`"
}

// quote writes a text literal. A quote inside is doubled.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func isLetter(r rune) bool {
	return r < utf8.RuneSelf && isASCIILetter(byte(r)) || r >= utf8.RuneSelf && unicode.IsLetter(r)
}
func isASCIILetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// name is the length of the name at the start of s: a letter, then letters, digits, _ and -; 0 if there is none.
func name(s string) int {
	for i, r := range s {
		if isLetter(r) || i > 0 && (r == '_' || r == '-' || r < utf8.RuneSelf && isDigit(byte(r))) {
			continue
		}
		return i
	}
	return len(s)
}

// IsName reports whether s is a name: a letter, then letters, digits, _ and -.
func IsName(s string) bool { return s != "" && utf8.ValidString(s) && name(s) == len(s) }

// dotted is the length of the names joined by dots at the start of s.
func dotted(s string) int {
	n := name(s)
	if n == 0 {
		return 0
	}
	for n < len(s) && s[n] == '.' {
		m := name(s[n+1:])
		if m == 0 {
			break
		}
		n += 1 + m
	}
	return n
}

// number is the length of the number at the start of s, without a sign: digits grouped by _, at most one dot with
// digits on both sides; 0 if there is none.
func number(s string) int {
	n := digits(s)
	if n > 0 && n+1 < len(s) && s[n] == '.' {
		if d := digits(s[n+1:]); d > 0 {
			n += 1 + d
		}
	}
	return n
}

func digits(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '_' && n > 0 && isDigit(s[n-1]) && n+1 < len(s) && isDigit(s[n+1])) {
		n++
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// next reads the token at or after offset i.
func next(s string, i int) (token, *Error) {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	t := token{start: i}
	cut := func(kind tokenKind, n int) (token, *Error) {
		t.kind, t.text, t.end = kind, s[i:i+n], i+n
		return t, nil
	}
	if i == len(s) {
		return cut(tokEnd, 0)
	}
	rest := s[i:]
	if n := dotted(rest); n > 0 {
		return cut(tokName, n)
	}
	if n := number(rest); n > 0 {
		return cut(tokNumber, n)
	}
	switch rest[0] {
	case '$':
		n := dotted(rest[1:])
		if n == 0 {
			return t, errorf(i, "", "a name is missing after $")
		}
		t.kind, t.text, t.end = tokRef, rest[1:1+n], i+1+n
		return t, nil
	case '\'':
		var text strings.Builder
		for j := 1; j < len(rest); j++ {
			if rest[j] != '\'' {
				text.WriteByte(rest[j])
				continue
			}
			if j+1 < len(rest) && rest[j+1] == '\'' {
				text.WriteByte('\'')
				j++
				continue
			}
			t.kind, t.text, t.end = tokText, text.String(), i+j+1
			if !utf8.ValidString(t.text) {
				return t, errorf(i, "", "the text is not UTF-8")
			}
			return t, nil
		}
		return t, errorf(i, "close it with '; a quote inside is written twice", "the text that begins here has no end")
	case '!', '<', '>':
		if len(rest) > 1 && rest[1] == '=' {
			return cut(tokOp, 2)
		}
		if strings.HasPrefix(rest, "<>") {
			return t, errorf(i, "write !=", "<> is not known")
		}
		if rest[0] == '!' {
			return t, errorf(i, "write `not`", "! is not known")
		}
		return cut(tokOp, 1)
	case '=':
		if strings.HasPrefix(rest, "==") {
			return t, errorf(i, "write =", "== is not known")
		}
		return cut(tokOp, 1)
	case '(', ')', ',', '+', '-', '%':
		return cut(tokOp, 1)
	case '"':
		return t, errorf(i, "text stands in single quotes: '…'", "a double quote is not known here")
	case '&':
		return t, errorf(i, "write `and`", "& is not known")
	case '|':
		return t, errorf(i, "write `or`", "| is not known")
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return t, errorf(i, "", "%q is not known here", r)
}
