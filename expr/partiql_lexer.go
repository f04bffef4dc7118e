package expr

import (
	"strings"
	"unicode/utf8"
)

// sqlToken is a word of a statement. Keywords have their text in lower case, strings and quoted names without quotes.
type sqlToken struct {
	kind sqlTokenKind
	text string
	at   sqlPlace
}

type sqlTokenKind uint8

const (
	qEOF     sqlTokenKind = iota
	qName                 // a name without quotes that is no keyword
	qQuoted               // "name"
	qKeyword              // also true, false, null and missing
	qString               // 'text'
	qNumber
	qIon        // `literal of Ion`
	qSymbol     // operators and punctuation
	qUnreadable // a character that begins no token, or a text without its end
)

func (t sqlToken) is(symbol string) bool    { return t.kind == qSymbol && t.text == symbol }
func (t sqlToken) keyword(word string) bool { return t.kind == qKeyword && t.text == word }
func (t sqlToken) isName() bool             { return t.kind == qName || t.kind == qQuoted }

// sqlPlace is where a token stands: line and column from 1, and its length, in characters.
type sqlPlace struct{ line, column, length int }

// sqlLexer cuts a statement into tokens.
type sqlLexer struct {
	text         string
	pos          int
	line, column int
}

// sqlSymbols are the operators and punctuation, longer ones before those that they begin with.
var sqlSymbols = []string{"<<", ">>", "<>", "<=", ">=", "!=", "||", "=", "<", ">", "+", "-", "*", "/", "%", "@", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "?"}

// tokens are those of a whole statement, with qEOF at the end.
func (l *sqlLexer) tokens() (list []sqlToken) {
	l.line, l.column = 1, 1
	for {
		l.skip()
		t := l.next()
		list = append(list, t)
		if t.kind == qEOF || t.kind == qUnreadable {
			return list
		}
	}
}

// skip goes over blanks and comments, both -- to the end of the line and /* */.
func (l *sqlLexer) skip() {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			l.advance(1)
		case strings.HasPrefix(rest, "--"):
			l.advance(endOf(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			l.advance(endOf(rest, "*/"))
		default:
			return
		}
	}
}

// endOf is the length of what ends with mark; all of it if there is none.
func endOf(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

// advance goes n bytes on.
func (l *sqlLexer) advance(n int) {
	for _, c := range l.text[l.pos : l.pos+n] {
		if c == '\n' {
			l.line, l.column = l.line+1, 1
		} else {
			l.column++
		}
	}
	l.pos += n
}

// take makes a token of the next n bytes.
func (l *sqlLexer) take(kind sqlTokenKind, n int, text string) sqlToken {
	t := sqlToken{kind, text, sqlPlace{l.line, l.column, utf8.RuneCountInString(l.text[l.pos : l.pos+n])}}
	l.advance(n)
	return t
}

func (l *sqlLexer) next() sqlToken {
	rest := l.text[l.pos:]
	if rest == "" {
		return l.take(qEOF, 0, "")
	}
	switch c := rest[0]; {
	case c == '\'':
		return l.quoted(qString, rest)
	case c == '"':
		return l.quoted(qQuoted, rest)
	case c == '`':
		if end := strings.IndexByte(rest[1:], '`'); end > 0 {
			return l.take(qIon, end+2, rest[1:end+1])
		}
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		n := numberLen(rest)
		return l.take(qNumber, n, rest[:n])
	case isSQLName(c):
		n := 1
		for n < len(rest) && (isSQLName(rest[n]) || isDigit(rest[n])) {
			n++
		}
		if word := strings.ToLower(rest[:n]); sqlKeywords[word] {
			return l.take(qKeyword, n, word)
		}
		return l.take(qName, n, rest[:n])
	}
	for _, s := range sqlSymbols {
		if strings.HasPrefix(rest, s) {
			return l.take(qSymbol, len(s), s)
		}
	}
	return l.take(qUnreadable, 0, "")
}

// quoted reads a text between two of the quote that it begins with; the quote doubled stands for itself.
func (l *sqlLexer) quoted(kind sqlTokenKind, rest string) sqlToken {
	q := rest[:1]
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] != q[0]:
		case i+1 < len(rest) && rest[i+1] == q[0]:
			i++
		default:
			return l.take(kind, i+1, strings.ReplaceAll(rest[1:i], q+q, q))
		}
	}
	return l.take(qUnreadable, 0, "")
}

// numberLen is the length of the number that text begins with: digits, a dot among them, an exponent.
func numberLen(text string) int {
	n := digitsLen(text)
	if n < len(text) && text[n] == '.' {
		n++
		n += digitsLen(text[n:])
	}
	if n < len(text) && text[n]|0x20 == 'e' {
		e := n + 1
		if e < len(text) && (text[e] == '+' || text[e] == '-') {
			e++
		}
		if d := digitsLen(text[e:]); d > 0 {
			return e + d
		}
	}
	return n
}

func digitsLen(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// isSQLName reports whether a name without quotes may begin with c.
func isSQLName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
}

// sqlKeywords are the words that are no names, unless they stand in double quotes (found on DynamoDB Local 3.3.1, which has
// the service's parser, by trying all words of SQL-92, of Ion's types and of DynamoDB's own list).
var sqlKeywords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`
absolute action add all allocate alter and any are as asc assertion at authorization avg bag begin between bit bit_length blob
bool boolean by cascade cascaded case cast catalog char char_length character character_length check clob close coalesce
collate collation column commit conflict connect connection constraint constraints continue convert corresponding count create
cross current current_date current_time current_timestamp current_user cursor date date_add date_diff deallocate dec decimal
declare default deferrable deferred delete desc describe descriptor diagnostics disconnect distinct do domain double drop else
end escape except exception exec execute exists external extract false fetch first float for foreign found from full get global
go goto grant group having identity immediate in index indicator initially inner input insensitive insert int integer intersect
interval into is isolation join key language last left let level like limit list local lower match max min missing modified
module names national natural nchar new next no not nothing null nullif numeric octet_length of old on only open option or order
outer output overlaps pad partial pivot position precision prepare preserve primary prior privileges procedure public read real
references relative remove restrict returning revoke right rollback rows schema scroll section select session session_user set
sexp size smallint some space sql sqlcode sqlerror sqlstate string struct substring sum symbol system_user table temporary then
time timestamp to transaction translate translation trim true tuple union unique unknown unpivot update upper usage user using
value values varchar varying view when whenever where with work write zone`) {
		m[w] = true
	}
	return m
}()

// sqlFunctionWords are the keywords that name functions when a parenthesis follows.
var sqlFunctionWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("avg bag bit_length char_length character_length coalesce count exists list lower max min nullif octet_length sexp size sum upper") {
		m[w] = true
	}
	return m
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
