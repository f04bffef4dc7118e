package model

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// out is a part of a document to be written: a scalar, a list or a map whose order is kept.
type out struct {
	text  string // of a scalar
	kind  outKind
	keys  []string // of a map
	parts []*out   // elements, or values of the keys
	block bool     // never on one line
}

type outKind uint8

const (
	outScalar outKind = iota
	outProse          // text for people, folded over several lines
	outList
	outMap
)

func scalarOut(text string) *out { return &out{text: text} }

func listOut(texts ...string) *out {
	l := &out{kind: outList}
	for _, t := range texts {
		l.parts = append(l.parts, scalarOut(t))
	}
	return l
}

// severalOut is a list whose only element stands without brackets.
func severalOut(texts []string) *out {
	if len(texts) == 1 {
		return scalarOut(texts[0])
	}
	return listOut(texts...)
}

func mapOut() *out { return &out{kind: outMap} }

// set adds a key. A map without content is left out.
func (o *out) set(key string, value *out) {
	if value != nil && (value.kind != outMap || len(value.parts) > 0) {
		o.always(key, value)
	}
}

// always adds a key.
func (o *out) always(key string, value *out) {
	if len(value.parts) == 0 {
		value.block = false // {} stands on the line of its key
	}
	o.keys, o.parts = append(o.keys, key), append(o.parts, value)
}

// word adds a key with a text; an empty one is left out.
func (o *out) word(key, text string) {
	if text != "" {
		o.set(key, scalarOut(text))
	}
}

// lineWidth is how long a line may be.
const lineWidth = 120

// appendYAML writes a document: what fits stands on one line in {} and [], the rest in lines of its own.
func appendYAML(dst []byte, o *out) []byte {
	w := &yamlWriter{dst: dst}
	w.mapping(o, 0)
	return w.dst
}

type yamlWriter struct{ dst []byte }

func (w *yamlWriter) print(s string) { w.dst = append(w.dst, s...) }

func (w *yamlWriter) column() int {
	i := len(w.dst)
	for i > 0 && w.dst[i-1] != '\n' {
		i--
	}
	return utf8.RuneCount(w.dst[i:])
}

func (w *yamlWriter) mapping(o *out, indent int) {
	for i, k := range o.keys {
		if i > 0 || indent > 0 && w.column() == 0 {
			w.print(strings.Repeat(" ", indent))
		}
		w.print(plainOrQuoted(k, false) + ":")
		w.value(o.parts[i], indent)
	}
}

// value writes what stands behind a key.
func (w *yamlWriter) value(o *out, indent int) {
	if line, ok := o.inline(false); ok && w.column()+1+utf8.RuneCountInString(line) <= lineWidth {
		w.print(" " + line + "\n")
		return
	}
	switch o.kind {
	case outMap:
		w.print("\n")
		w.mapping(o, indent+2)
	case outList:
		w.print("\n")
		w.list(o, indent+2)
	case outProse:
		w.prose(o.text, indent+2)
	default:
		w.print(" " + plainOrQuoted(o.text, false) + "\n")
	}
}

func (w *yamlWriter) list(o *out, indent int) {
	for _, e := range o.parts {
		w.print(strings.Repeat(" ", indent) + "- ")
		line, ok := e.inline(false)
		switch {
		case ok && (indent+2+utf8.RuneCountInString(line) <= lineWidth || e.kind != outMap):
			w.print(line + "\n")
		default:
			w.mapping(e, indent+2)
		}
	}
}

// prose folds a text over several lines, which reads back as one line.
func (w *yamlWriter) prose(text string, indent int) {
	words := strings.Split(text, " ")
	if !printable(text) || text != strings.Join(strings.Fields(text), " ") {
		w.print(" " + quoted(text) + "\n")
		return
	}
	w.print(" >-\n")
	line := strings.Repeat(" ", indent)
	start := len(line)
	for _, word := range words {
		if len(line) > start && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > lineWidth {
			w.print(line + "\n")
			line = line[:start]
		}
		if len(line) > start {
			line += " "
		}
		line += word
	}
	w.print(line + "\n")
}

// inline is the value on one line; flow: inside {} or [].
func (o *out) inline(flow bool) (string, bool) {
	if o.block {
		return "", false
	}
	switch o.kind {
	case outScalar:
		return plainOrQuoted(o.text, flow), true
	case outProse:
		return plainOrQuoted(o.text, flow), !strings.Contains(o.text, "\n")
	}
	var b strings.Builder
	open, end := "[", "]"
	if o.kind == outMap {
		open, end = "{", "}"
	}
	b.WriteString(open)
	for i, p := range o.parts {
		if i > 0 {
			b.WriteString(", ")
		}
		if o.kind == outMap {
			b.WriteString(plainOrQuoted(o.keys[i], true) + ": ")
		}
		line, ok := p.inline(true)
		if !ok {
			return "", false
		}
		b.WriteString(line)
	}
	b.WriteString(end)
	return b.String(), true
}

// plainOrQuoted writes a scalar as it is if YAML reads it back so, else in double quotes. Every reader of the documents
// takes scalars as text, so that no and 1_000 need no quotes.
func plainOrQuoted(s string, flow bool) string {
	if isPlain(s, flow) {
		return s
	}
	return quoted(s)
}

func isPlain(s string, flow bool) bool {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, "{}#\"\\`") || s == "~" || s == "null" {
		return false
	}
	if strings.ContainsAny(s[:1], "?:,[]&*!|>'%@=") || s[0] == '-' && (len(s) == 1 || s[1] < '0' || s[1] > '9') || s[0] == '.' {
		return false
	}
	if strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "?") {
		return false
	}
	if flow && strings.ContainsAny(s, ",[]:?") { // yaml.v3 takes ? inside {} for a key
		return false
	}
	return printable(s)
}

// printable reports whether all characters may stand in YAML as they are.
func printable(s string) bool {
	for _, r := range s {
		ascii := r >= 0x20 && r < 0x7f
		other := r >= 0xa1 && r <= 0xd7ff || r >= 0xe000 && r < 0xfffd || r >= 0x10000
		if !ascii && !other || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return false
		}
	}
	return true
}

// quoted writes a scalar in double quotes.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r >= 0x7f && r <= 0xa0:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
