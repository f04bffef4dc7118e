package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Edit changes one value of a document: what is not part of it stays as it was written, comments and layout included.
type Edit struct {
	// Path is where the value stands, as for [Source.Place]. All but its last key must be there.
	Path []string
	// Value is a single value, as it is written without quotes: 40_000_000, 3/s, zipf 1.0. It is for paths whose value is one,
	// or that are not there yet.
	Value string
	// Fields are keys of the map at Path with their values, instead of Value. Where its short form stands, {average, max} as one
	// number, it becomes a map; keys that are there and not named stay.
	Fields []EditField
}

// EditField is one key of a map.
type EditField struct{ Name, Value string }

// Rewrite makes edits in the text of a document, YAML or JSON, one after the other. The error says which of them cannot be made
// and why: a path that leads nowhere, a value that several places share by an alias, a text over several lines. Then nothing
// is changed.
func Rewrite(file string, text []byte, edits []Edit) ([]byte, error) {
	for i := range edits {
		var err error
		if text, err = rewrite(file, text, &edits[i]); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, strings.Join(edits[i].Path, "."), err)
		}
	}
	return text, nil
}

func rewrite(file string, text []byte, e *Edit) ([]byte, error) {
	r := rewriter{text: text, json: isJSON(file, text)}
	if err := r.parse(); err != nil {
		return nil, err
	}
	if err := r.edit(e); err != nil {
		return nil, err
	}
	// What was written is what is read: a place that was mistaken shows here, before anybody uses the text.
	check := rewriter{text: r.text}
	if err := check.parse(); err != nil {
		return nil, fmt.Errorf("the change would break the document: %w", err)
	}
	if !check.has(e) {
		return nil, fmt.Errorf("the change would not be read as it is meant: make it by hand")
	}
	return r.text, nil
}

// rewriter is a text with the places of its values.
type rewriter struct {
	text  []byte
	json  bool
	root  *yaml.Node
	lines []int // offsets at which lines begin
}

func (r *rewriter) parse() error {
	if bytes.ContainsAny(r.text, "\u0085\u2028\u2029") || bytes.Contains(bytes.ReplaceAll(r.text, []byte("\r\n"), nil), []byte("\r")) {
		return fmt.Errorf("lines end with other characters than line feeds")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(r.text, &doc); err != nil {
		return err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return fmt.Errorf("the document is empty")
	}
	r.root = doc.Content[0]
	r.lines = append(r.lines[:0], 0)
	for i, c := range r.text {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	return nil
}

// find walks a path as far as it goes: the node there, and how many keys of the path were found.
func (r *rewriter) find(path []string) (n *yaml.Node, found int, shared bool) {
	n = r.root
	for i, name := range path {
		if n.Kind == yaml.AliasNode || n.Anchor != "" {
			shared = true
		}
		var next *yaml.Node
		switch n.Kind {
		case yaml.MappingNode:
			if at := keyIn(n, name); at >= 0 {
				next = n.Content[at+1]
			}
		case yaml.SequenceNode:
			if j, err := strconv.Atoi(name); err == nil && j >= 0 && j < len(n.Content) {
				next = n.Content[j]
			}
		}
		if next == nil {
			return n, i, shared
		}
		n = next
	}
	return n, len(path), shared || n.Kind == yaml.AliasNode || n.Anchor != ""
}

func keyIn(n *yaml.Node, name string) int {
	for j := 0; j+1 < len(n.Content); j += 2 {
		if n.Content[j].Value == name {
			return j
		}
	}
	return -1
}

// has reports whether the document says what an edit wants.
func (r *rewriter) has(e *Edit) bool {
	n, found, _ := r.find(e.Path)
	if found < len(e.Path) {
		return false
	}
	if len(e.Fields) == 0 {
		return n.Kind == yaml.ScalarNode && n.Value == e.Value
	}
	for _, f := range e.Fields {
		if n.Kind != yaml.MappingNode {
			return false
		}
		at := keyIn(n, f.Name)
		if at < 0 || n.Content[at+1].Value != f.Value {
			return false
		}
	}
	return true
}

func (r *rewriter) edit(e *Edit) error {
	n, found, shared := r.find(e.Path)
	switch {
	case shared:
		return fmt.Errorf("the value is shared with other places by an anchor: change it by hand")
	case found < len(e.Path)-1:
		return fmt.Errorf("there is no %s", strings.Join(e.Path[:found+1], "."))
	case found < len(e.Path) && n.Kind != yaml.MappingNode:
		return fmt.Errorf("%s is written in its short form: write it as a map first", strings.Join(e.Path[:found], "."))
	case found < len(e.Path):
		return r.insert(n, e.Path[found], r.flow(e))
	case len(e.Fields) == 0 && n.Kind != yaml.ScalarNode:
		return fmt.Errorf("it is a map or list, not a single value")
	case n.Kind == yaml.ScalarNode:
		return r.replace(n, r.flow(e))
	case n.Kind != yaml.MappingNode:
		return fmt.Errorf("it is a list, not a map")
	}
	for _, f := range e.Fields {
		if err := r.edit(&Edit{Path: append(slices.Clone(e.Path), f.Name), Value: f.Value}); err != nil {
			return err
		}
		if err := r.parse(); err != nil {
			return err
		}
	}
	return nil
}

// flow is the value of an edit on one line.
func (r *rewriter) flow(e *Edit) string {
	if len(e.Fields) == 0 {
		return r.scalar(e.Value)
	}
	var parts []string
	for _, f := range e.Fields {
		parts = append(parts, r.key(f.Name)+": "+r.scalar(f.Value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (r *rewriter) key(name string) string {
	if r.json {
		return r.scalar(name)
	}
	return name
}

// scalar writes a value so that it is one wherever it stands. In JSON it is a text, or a number as it is.
func (r *rewriter) scalar(value string) string {
	if r.json {
		if json.Valid([]byte(value)) {
			return value
		}
		text, _ := json.Marshal(value)
		return string(text)
	}
	if value == "" || strings.ContainsAny(value, ":#,[]{}\"'`&*!|>%@\\\n\t") && !plainPercent(value) || strings.TrimSpace(value) != value {
		text, _ := json.Marshal(value)
		return string(text)
	}
	return value
}

// plainPercent reports whether a value is fine without quotes though it has a %: that only begins something at the beginning.
func plainPercent(value string) bool {
	return !strings.HasPrefix(value, "%") && !strings.ContainsAny(strings.ReplaceAll(value, "%", ""), ":#,[]{}\"'`&*!|>@\\\n\t")
}

// offset is where a line and column, in characters, lie in the text.
func (r *rewriter) offset(line, column int) int {
	if line < 1 || line > len(r.lines) {
		return -1
	}
	at := r.lines[line-1]
	rest := r.text[at:]
	if line == 1 {
		rest = bytes.TrimPrefix(rest, []byte("\xef\xbb\xbf"))
		at = len(r.text) - len(rest)
	}
	runes := 0
	for i := range string(rest) {
		if runes == column-1 {
			return at + i
		}
		runes++
	}
	if runes == column-1 {
		return len(r.text)
	}
	return -1
}

// replace puts a value in the place of a single one.
func (r *rewriter) replace(n *yaml.Node, value string) error {
	start := r.offset(n.Line, n.Column)
	if start < 0 || n.Value == "" && n.Style == 0 {
		return fmt.Errorf("no value stands there: write one by hand")
	}
	end := scalarEnd(r.text[start:], n)
	if end < 0 {
		return fmt.Errorf("the value is written over several lines: change it by hand")
	}
	r.text = slices.Concat(r.text[:start], []byte(value), r.text[start+end:])
	return nil
}

// scalarEnd is how long a scalar is that a text begins with; -1 if it cannot be told.
func scalarEnd(text []byte, n *yaml.Node) int {
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0 || len(text) == 0:
		return -1
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return quotedEnd(text)
	case bytes.HasPrefix(text, []byte(n.Value)):
		return len(n.Value)
	}
	return -1
}

// quotedEnd is how long a quoted text is; -1 if it does not end on its line.
func quotedEnd(text []byte) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return -1
		case c == '\\' && quote == '"', c == '\'' && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case c == quote:
			return i + 1
		}
	}
	return -1
}

// insert adds a key to a map, as its last one.
func (r *rewriter) insert(n *yaml.Node, name, value string) error {
	if n.Style&yaml.FlowStyle != 0 || r.json {
		return r.insertFlow(n, name, value)
	}
	if len(n.Content) == 0 {
		return fmt.Errorf("the map is empty: write its first key by hand")
	}
	// Behind everything that belongs to the map, but before blank lines and comments, which are about what follows.
	key := n.Content[0]
	start := r.lines[key.Line-1]
	indent := r.text[start:r.offset(key.Line, key.Column)]
	if len(bytes.Trim(indent, " ")) > 0 { // - key: the map stands in a list
		indent = bytes.Repeat([]byte(" "), key.Column-1)
	}
	last := r.lastLine(n)
	for last > key.Line {
		line := bytes.TrimSpace(r.line(last))
		if len(line) > 0 && line[0] != '#' {
			break
		}
		last--
	}
	end := "\n"
	if bytes.HasSuffix(r.line(key.Line), []byte("\r\n")) {
		end = "\r\n"
	}
	at := len(r.text)
	if last < len(r.lines) {
		at = r.lines[last]
	}
	line := string(indent) + name + ": " + value + end
	if at == len(r.text) && !bytes.HasSuffix(r.text, []byte("\n")) {
		line = end + strings.TrimSuffix(line, end)
	}
	r.text = slices.Concat(r.text[:at], []byte(line), r.text[at:])
	return nil
}

// line is a line with its end.
func (r *rewriter) line(i int) []byte {
	if i == len(r.lines) {
		return r.text[r.lines[i-1]:]
	}
	return r.text[r.lines[i-1]:r.lines[i]]
}

// lastLine is the line before the one where what follows a block begins.
func (r *rewriter) lastLine(n *yaml.Node) int {
	next := len(r.lines) + 1
	var walk func(m *yaml.Node) bool // reports whether n is m or inside
	walk = func(m *yaml.Node) bool {
		if m == n {
			return true
		}
		for i, c := range m.Content {
			if !walk(c) {
				continue
			}
			if i+1 < len(m.Content) {
				next = min(next, m.Content[i+1].Line)
			}
			return true
		}
		return false
	}
	walk(r.root)
	return next - 1
}

// insertFlow adds a key before the brace that closes a map.
func (r *rewriter) insertFlow(n *yaml.Node, name, value string) error {
	start := r.offset(n.Line, n.Column)
	if start < 0 || r.text[start] != '{' {
		return fmt.Errorf("where the map is written cannot be told: change it by hand")
	}
	end := closing(r.text[start:])
	if end < 0 {
		return fmt.Errorf("where the map ends cannot be told: change it by hand")
	}
	at := start + len(bytes.TrimRight(r.text[start:start+end], " \t\r\n"))
	text := r.key(name) + ": " + value
	switch r.text[at-1] {
	case '{':
	case ',':
		text = " " + text
	default:
		text = ", " + text
	}
	r.text = slices.Concat(r.text[:at], []byte(text), r.text[at:])
	return nil
}

// closing is where the brace stands that closes the one a text begins with; -1 if there is none, or a comment stands between
// that ends the last line before it.
func closing(text []byte) int {
	depth := 0
	comment := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			comment = false
		case comment:
		case c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == '\n'):
			comment = true
		case (c == '"' || c == '\'') && bytes.IndexByte([]byte(" \t\r\n:,[{"), text[i-1]) >= 0:
			n := quotedEnd(text[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth > 0 {
				continue
			}
			before := bytes.TrimRight(text[:i], " \t\r\n")
			line := before[bytes.LastIndexByte(before, '\n')+1:]
			if len(before) < i && bytes.IndexByte(text[len(before):i], '\n') >= 0 && bytes.Contains(line, []byte(" #")) {
				return -1
			}
			return i
		}
	}
	return -1
}
