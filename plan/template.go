package plan

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// templateText is a template as it is written, before its names are looked up.
type templateText struct {
	literals []string // before, between and after the parts: one more than parts
	parts    []partText
}

type partText struct {
	path   spec.Path // [shard] for {shard}
	codecs []string
	pos    int // byte offset of its {
}

// parseTemplate reads text with parts {path:codec:codec}. Literals are taken as they are and cannot hold braces.
func parseTemplate(text string) (templateText, error) {
	var t templateText
	rest, pos := text, 0
	for {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			t.literals = append(t.literals, rest)
			return t, nil
		}
		if rest[open] == '}' {
			return t, fmt.Errorf("} without { at byte %d", pos+open)
		}
		size := strings.IndexAny(rest[open+1:], "{}")
		if size < 0 || rest[open+1+size] == '{' {
			return t, fmt.Errorf("{ at byte %d is not closed", pos+open)
		}
		part, err := parsePart(rest[open+1:open+1+size], pos+open)
		if err != nil {
			return t, err
		}
		t.literals = append(t.literals, rest[:open])
		t.parts = append(t.parts, part)
		pos += open + size + 2
		rest = rest[open+size+2:]
	}
}

func parsePart(text string, pos int) (partText, error) {
	fields := strings.Split(text, ":")
	for _, f := range fields {
		if f == "" || strings.TrimSpace(f) != f {
			return partText{}, fmt.Errorf("{%s} at byte %d is not path:codec:codec", text, pos)
		}
	}
	path := strings.Split(fields[0], ".")
	for _, name := range path {
		if !isName(name) {
			return partText{}, fmt.Errorf("%q in {%s} at byte %d is no name", name, text, pos)
		}
	}
	return partText{path: path, codecs: fields[1:], pos: pos}, nil
}

// isName reports whether s is a letter followed by letters, digits, _ and -.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '_' && c != '-') {
			return false
		}
	}
	return s != ""
}

// String writes the template back.
func (t templateText) String() string {
	var b strings.Builder
	for i, l := range t.literals {
		b.WriteString(l)
		if i < len(t.parts) {
			p := t.parts[i]
			b.WriteString("{" + strings.Join(append([]string{strings.Join(p.path, ".")}, p.codecs...), ":") + "}")
		}
	}
	return b.String()
}
