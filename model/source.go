package model

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Source is the text of one document, YAML or JSON, with the place of everything in it.
type Source struct {
	File string // its name in diagnostics

	lines []string
	root  *node
}

// A node is a value of the document. Scalars are text: what they mean is decided by the key they stand under.
type node struct {
	kind     nodeKind
	text     string // of a scalar
	empty    bool   // a scalar that is not written at all, or JSON's null
	children []*node
	place    Range
	torn     bool // a scalar that a comma has cut into several keys: text is all of it
}

// has reports whether a map has a key.
func (n *node) has(key string) bool {
	for i := 0; n.kind == mapping && i < len(n.children); i += 2 {
		if n.children[i].text == key {
			return true
		}
	}
	return false
}

type nodeKind uint8

const (
	scalar   nodeKind = 1 << iota
	sequence          // children are the elements
	mapping           // children are keys and values in turn
)

func (k nodeKind) String() string {
	var names []string
	for i, n := range []string{"a single value", "a list", "a map"} {
		if k&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " or ")
}

// maxNodes bounds a document, aliases expanded, so that a small text cannot stand for an endless one.
const (
	maxNodes = 200_000
	maxDepth = 1_000
)

// NewSource reads the text of a document. file is only its name; a text that begins with { is read as JSON if it is
// that, all others as YAML. The diagnostics are errors of syntax; with one there is nothing in the Source but its lines.
func NewSource(file string, text []byte) (*Source, Diagnostics) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	s := &Source{File: file}
	var err *syntaxError
	if isJSON(file, text) {
		s.splitLines(string(text))
		s.root, err = readJSON(text)
	} else {
		s.splitLines(yamlBreaks.Replace(string(text)))
		s.root, err = s.readYAML(text)
	}
	if err != nil {
		return s, Diagnostics{s.diagnostic(err.place, Error, "syntax", err.message, err.remedy)}
	}
	return s, nil
}

// yamlBreaks brings everything that YAML counts as the end of a line into one form.
var yamlBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func (s *Source) splitLines(text string) {
	s.lines = strings.Split(text, "\n")
	for i, l := range s.lines {
		s.lines[i] = strings.ToValidUTF8(strings.TrimSuffix(l, "\r"), "\ufffd")
	}
}

type syntaxError struct {
	place           Range
	message, remedy string
}

func isJSON(file string, text []byte) bool {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return true
	}
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed)
}

// diagnostic makes a finding at a place. Without a remedy of its own it has that of its code.
func (s *Source) diagnostic(at Range, severity Severity, code, message, remedy string) Diagnostic {
	if remedy == "" {
		remedy = remedyFor(code)
	}
	d := Diagnostic{File: s.File, Range: at, Severity: severity, Code: code, Message: message, Remedy: remedy}
	if at.Line > 0 && at.Line <= len(s.lines) {
		d.Source = s.lines[at.Line-1]
	}
	return d
}

// Finding is an error about what stands at a document path, or at a byte offset in the text there. Without a remedy of its own it
// has that of its code.
func (s *Source) Finding(path []string, offset int, code, of, message, remedy string) Diagnostic {
	place := s.KeyPlace(path...)
	if offset > 0 || len(path) > 2 {
		place = s.Inside(offset, path...)
	}
	d := s.diagnostic(place, Error, code, message, remedy)
	d.Of = of
	return d
}

// Place is where the value at a document path stands: names of keys and indices of lists, such as
// "patterns", "placeOrder", "write", "1", "set". Of a map or list it is the place of its key. A path that leads on inside
// a short form ends at the short form; one that leads to something that is not there ends at what it would stand in.
func (s *Source) Place(path ...string) Range {
	place, _ := s.find(path)
	return place
}

// find is Place, and the node if the whole path exists.
func (s *Source) find(path []string) (Range, *node) {
	if s.root == nil {
		return Range{Line: 1, Column: 1, EndColumn: 1}, nil
	}
	n, place := s.root, s.root.place
	found := true
walk:
	for i, name := range path {
		switch n.kind {
		case mapping:
			for j := 0; j < len(n.children); j += 2 {
				if n.children[j].text == name {
					place, n = n.children[j].place, n.children[j+1]
					continue walk
				}
			}
		case sequence:
			if j, err := strconv.Atoi(name); err == nil && j >= 0 && j < len(n.children) {
				n = n.children[j]
				place = n.place
				continue walk
			}
			for _, c := range n.children { // the short form of a map: [a] means {a: $a}
				if c.kind == scalar && c.text == name {
					return c.place, c
				}
			}
		}
		if name == "0" { // an element where a list of one is expected
			continue
		}
		found = found && i == len(path)-1 && n.kind == scalar // the obvious key of a short form
		if n.kind == scalar {
			place = n.place
		}
		if !found {
			return place, nil
		}
		return place, n
	}
	if n.kind == scalar && !n.empty {
		place = n.place
	}
	return place, n
}

// KeyPlace is where the last key of a document path stands, whatever its value is.
func (s *Source) KeyPlace(path ...string) Range {
	if len(path) > 0 {
		if _, n := s.find(path[:len(path)-1]); n != nil && n.kind == mapping {
			for j := 0; j < len(n.children); j += 2 {
				if n.children[j].text == path[len(path)-1] {
					return n.children[j].place
				}
			}
		}
	}
	return s.Place(path...)
}

// Inside narrows the place of a scalar to a byte offset in its text, if the text is written as it is: a column cannot
// be told where quotes are doubled, characters escaped or lines folded, and then it is the place itself.
func (s *Source) Inside(offset int, path ...string) Range {
	place, n := s.find(path)
	if n == nil || n.kind != scalar {
		return place
	}
	return s.inside(n, offset)
}

func (s *Source) inside(n *node, offset int) Range {
	place := n.place
	if place.Line < 1 || place.Line > len(s.lines) || offset < 0 || offset > len(n.text) {
		return place
	}
	line := []rune(s.lines[place.Line-1])
	start := place.Column - 1
	if start < len(line) && (line[start] == '"' || line[start] == '\'') && !strings.HasPrefix(string(line[start:]), n.text) {
		start++
	}
	if start > len(line) || !strings.HasPrefix(string(line[start:]), n.text[:offset]) {
		return place
	}
	place.Column = start + 1 + utf8.RuneCountInString(n.text[:offset])
	place.EndColumn = place.Column + 1
	if word := strings.IndexAny(n.text[offset:]+" ", " ,()"); word > 0 {
		place.EndColumn = place.Column + utf8.RuneCountInString(n.text[offset:offset+word])
	}
	return place
}

// Has reports whether the document has a value at a path.
func (s *Source) Has(path ...string) bool {
	_, n := s.find(path)
	return n != nil
}
