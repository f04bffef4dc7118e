package model

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

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
			return nil, &syntaxError{Range{1, 1, 2}, "the document is empty", emptyRemedy}
		}
		return nil, s.yamlError(err)
	}
	r := yamlReader{source: s}
	root := r.node(&doc, 0)
	if r.err != nil {
		return nil, r.err
	}
	if root.empty {
		return nil, &syntaxError{root.place, "the document is empty", emptyRemedy}
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		return nil, &syntaxError{Range{more.Line, more.Column, more.Column + 1}, "there is a second document in this file", "keep one document per file"}
	} else if !errors.Is(err, io.EOF) {
		return nil, s.yamlError(err)
	}
	return root, nil
}

const emptyRemedy = "`tablewright new FILE` writes requirements to begin with, `tablewright design` a model"

// halfQuoted is a line whose value goes on behind its closing quote.
var halfQuoted = regexp.MustCompile(`^[^"'{\[#]*: +(?:"[^"]*"|'[^']*') +[^#\s]`)

var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.+)' referenced`)

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+)(?:, column \d+)?: )?(.*)$`)

var parserMessage = regexp.MustCompile(`^did not find expected (?:',' or|'-' indicator|key|node content|<)`)

func (s *Source) yamlError(err error) *syntaxError {
	m := yamlLine.FindStringSubmatch(strings.ReplaceAll(err.Error(), "\n", " "))
	if m == nil {
		m = []string{"", "", err.Error()}
	}
	if a := unknownAnchor.FindStringSubmatch(m[2]); a != nil {
		return &syntaxError{s.alias(a[1]), "nothing is named by the anchor &" + a[1], "write &" + a[1] + " before the value that is meant, or quote a text that begins with *"}
	}
	line, _ := strconv.Atoi(m[1])
	// The library counts lines from 0 in the messages of its parser, and from 1 in those of its scanner.
	if parserMessage.MatchString(m[2]) {
		line++
	}
	if at := s.misindented(); at > 0 && (strings.Contains(m[2], "expected key") || strings.Contains(m[2], "expected '-' indicator") || strings.Contains(m[2], "mapping values")) {
		line = at // the library names where the block begins
	} else if at := slices.IndexFunc(s.lines, halfQuoted.MatchString); at >= 0 && strings.Contains(m[2], "expected key") {
		line = at + 1
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
		remedy = "close every { and [; inside them, quote a value that holds a comma, a brace or a colon"
	case strings.Contains(m[2], "mapping values are not allowed"):
		remedy = "quote a value that holds a colon and a space; or check the indentation, here or on the line before"
	}
	if halfQuoted.MatchString(s.lines[line-1]) {
		remedy = "quote the whole value, or nothing of it"
	}
	return &syntaxError{at, "this is not YAML: " + m[2], remedy}
}

// alias is where *name stands as a value: the library does not say.
func (s *Source) alias(name string) Range {
	at := regexp.MustCompile(`(?:^|[\s\[{,:-])(\*` + regexp.QuoteMeta(name) + `)(?:$|[\s,\]}])`)
	for i, l := range s.lines {
		if m := at.FindStringSubmatchIndex(l); m != nil && !strings.HasPrefix(strings.TrimSpace(l), "#") {
			column := utf8.RuneCountInString(l[:m[2]]) + 1
			return Range{i + 1, column, column + utf8.RuneCountInString(l[m[2]:m[3]])}
		}
	}
	return Range{1, 1, 2}
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
		if n.kind == mapping && y.Style&yaml.FlowStyle != 0 && y.Kind == yaml.MappingNode {
			n.children = mended(n.children, y.Content)
		}
	default:
		n.kind, n.text = scalar, y.Value
		n.empty = y.Tag == "!!null" && y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 && y.Value == ""
		n.place.EndColumn = r.source.end(y)
	}
	return n
}

// mended joins the values of a map in braces that a comma inside parentheses has cut: what stands behind it was read as keys
// without values.
func mended(children []*node, content []*yaml.Node) []*node {
	var out []*node
	for i := 0; i < len(children); i += 2 {
		key, value := children[i], children[i+1]
		out = append(out, key, value)
		if value.kind != scalar || content[i+1].Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
			continue
		}
		text := value.text
		for j := i + 2; unclosed(text) && j < len(children) && children[j+1].empty; j += 2 {
			if text += ", " + children[j].text; !unclosed(text) {
				value.text, value.torn, i = text, true, j
			}
		}
	}
	return out
}

func unclosed(text string) bool { return strings.Count(text, "(") > strings.Count(text, ")") }

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
