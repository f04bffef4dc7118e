package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
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

// diagnostic makes a finding at a place.
func (s *Source) diagnostic(at Range, severity Severity, code, message, remedy string) Diagnostic {
	d := Diagnostic{File: s.File, Range: at, Severity: severity, Code: code, Message: message, Remedy: remedy}
	if at.Line > 0 && at.Line <= len(s.lines) {
		d.Source = s.lines[at.Line-1]
	}
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

func (s *Source) readYAML(text []byte) (*node, *syntaxError) {
	if !utf8.Valid(text) {
		line := 1
		for i, l := range bytes.Split(text, []byte("\n")) {
			if !utf8.Valid(l) {
				line = i + 1
				break
			}
		}
		return nil, &syntaxError{Range{line, 1, 2}, "the text is not UTF-8", "save the file as UTF-8"}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &syntaxError{Range{1, 1, 2}, "the document is empty", ""}
		}
		return nil, s.yamlError(err)
	}
	r := yamlReader{source: s}
	root := r.node(&doc, 0)
	if r.err != nil {
		return nil, r.err
	}
	if root.empty {
		return nil, &syntaxError{root.place, "the document is empty", ""}
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		return nil, &syntaxError{Range{more.Line, more.Column, more.Column + 1}, "there is a second document in this file", "keep one document per file"}
	} else if !errors.Is(err, io.EOF) {
		return nil, s.yamlError(err)
	}
	return root, nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+)(?:, column \d+)?: )?(.*)$`)

var parserMessage = regexp.MustCompile(`^did not find expected (?:',' or|'-' indicator|key|node content|<)`)

func (s *Source) yamlError(err error) *syntaxError {
	m := yamlLine.FindStringSubmatch(strings.ReplaceAll(err.Error(), "\n", " "))
	if m == nil {
		m = []string{"", "", err.Error()}
	}
	line, _ := strconv.Atoi(m[1])
	// The library counts lines from 0 in the messages of its parser, and from 1 in those of its scanner.
	if parserMessage.MatchString(m[2]) {
		line++
	}
	line = max(1, min(line, len(s.lines)))
	at := Range{Line: line, Column: 1}
	if l := strings.TrimLeft(s.lines[line-1], " \t"); l != "" {
		at.Column += utf8.RuneCountInString(s.lines[line-1]) - utf8.RuneCountInString(l)
		at.EndColumn = at.Column + utf8.RuneCountInString(strings.TrimRight(l, " \t"))
	}
	remedy := "here or on the line before: check the indentation, and that a space follows each colon"
	switch {
	case strings.Contains(m[2], "cannot start any token"):
		remedy = "indent with spaces, not tabs, and quote a value that begins with @, `, %, & or *"
	case strings.Contains(m[2], "',' or '}'") || strings.Contains(m[2], "',' or ']'") || strings.Contains(m[2], "node content"):
		remedy = "inside {} and [], quote a value that holds a comma, a brace or a colon"
	}
	return &syntaxError{at, "this is not YAML: " + m[2], remedy}
}

type yamlReader struct {
	source *Source
	count  int
	err    *syntaxError
}

func (r *yamlReader) node(y *yaml.Node, depth int) *node {
	n := &node{place: Range{y.Line, y.Column, y.Column + 1}}
	if last := len(r.source.lines); y.Line > last { // nothing, where the text ends
		n.place = Range{last, 1, 2}
	}
	if r.count++; r.err == nil && (r.count > maxNodes || depth > maxDepth) {
		r.err = &syntaxError{n.place, "the document is too large or too deep", ""}
	}
	if r.err != nil {
		n.kind = scalar
		return n
	}
	switch y.Kind {
	case yaml.DocumentNode:
		return r.node(y.Content[0], depth+1)
	case yaml.AliasNode:
		return r.node(y.Alias, depth+1)
	case yaml.MappingNode, yaml.SequenceNode:
		n.kind = sequence
		if y.Kind == yaml.MappingNode {
			n.kind = mapping
		}
		for i, c := range y.Content {
			child := r.node(c, depth+1)
			if n.kind == mapping && i%2 == 0 && child.kind != scalar && r.err == nil {
				r.err = &syntaxError{child.place, "a key is a single value, not " + child.kind.String(), "quote a key that begins with { or ["}
			}
			n.children = append(n.children, child)
		}
	default:
		n.kind, n.text = scalar, y.Value
		n.empty = y.Tag == "!!null" && y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 && y.Value == ""
		n.place.EndColumn = r.source.end(y)
	}
	return n
}

// end is the column after a scalar.
func (s *Source) end(y *yaml.Node) int {
	if y.Line < 1 || y.Line > len(s.lines) {
		return y.Column + 1
	}
	line := []rune(s.lines[y.Line-1])
	if y.Column < 1 || y.Column > len(line) {
		return y.Column + 1
	}
	rest := string(line[y.Column-1:])
	switch {
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return y.Column + 1
	case strings.HasPrefix(rest, y.Value) && y.Value != "":
		return y.Column + utf8.RuneCountInString(y.Value)
	case rest[0] == '"' || rest[0] == '\'':
		for i := 1; i < len(rest); i++ {
			switch {
			case rest[i] == '\\' && rest[0] == '"', rest[i] == '\'' && strings.HasPrefix(rest[i:], "''") && rest[0] == '\'':
				i++ // what follows is escaped
			case rest[i] == rest[0]:
				return y.Column + utf8.RuneCountInString(rest[:i+1])
			}
		}
	}
	return y.Column + 1
}

// readJSON reads JSON with its places. It tells repeated keys, which encoding/json does not.
func readJSON(text []byte) (*node, *syntaxError) {
	r := &jsonReader{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber()
	root, err := r.value(0)
	if err == nil {
		if _, more := r.decoder.Token(); more == nil {
			err = &syntaxError{r.placeOf(int(r.decoder.InputOffset()) - 1), "something follows the document", ""}
		} else if !errors.Is(more, io.EOF) {
			err = r.failure(more)
		}
	}
	if err != nil {
		return nil, err
	}
	return root, nil
}

type jsonReader struct {
	text    []byte
	decoder *json.Decoder
	count   int

	line, lineStart, seen int // where placeOf last was
}

func (r *jsonReader) failure(err error) *syntaxError {
	at := int(r.decoder.InputOffset())
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = max(at, int(syntax.Offset)-1)
	}
	message := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, message = len(bytes.TrimRight(r.text, " \t\r\n")), "it ends too early"
	}
	return &syntaxError{r.placeOf(at), "this is not JSON: " + message, ""}
}

// placeOf is the place of a byte; offsets come in ascending order, but for errors.
func (r *jsonReader) placeOf(offset int) Range {
	offset = min(max(offset, 0), len(r.text))
	if offset < r.seen {
		r.line, r.lineStart, r.seen = 0, 0, 0
	}
	for i := r.seen; i < offset; i++ {
		if r.text[i] == '\n' {
			r.line, r.lineStart = r.line+1, i+1
		}
	}
	r.seen = offset
	column := 1 + utf8.RuneCount(r.text[r.lineStart:offset])
	return Range{r.line + 1, column, column + 1}
}

func (r *jsonReader) value(depth int) (*node, *syntaxError) {
	start := int(r.decoder.InputOffset())
	for start < len(r.text) && bytes.IndexByte([]byte(" \t\r\n,:"), r.text[start]) >= 0 {
		start++
	}
	t, err := r.decoder.Token()
	if err != nil {
		return nil, r.failure(err)
	}
	n := &node{kind: scalar, place: r.placeOf(start)}
	if r.count++; r.count > maxNodes || depth > maxDepth {
		return nil, &syntaxError{n.place, "the document is too large or too deep", ""}
	}
	switch t := t.(type) {
	case json.Delim:
		n.kind = sequence
		if t == '{' {
			n.kind = mapping
		}
		for r.decoder.More() {
			child, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
			if n.kind == mapping {
				if child, err = r.value(depth + 1); err != nil {
					return nil, err
				}
				n.children = append(n.children, child)
			}
		}
		if _, err := r.decoder.Token(); err != nil {
			return nil, r.failure(err)
		}
		return n, nil
	case string:
		n.text = t
	case nil:
		n.empty = true
	default: // a number or a truth value
		n.text = fmt.Sprint(t)
	}
	n.place.EndColumn = n.place.Column + utf8.RuneCount(r.text[start:r.decoder.InputOffset()])
	return n, nil
}
