package tablewrighttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// node is a value of a file, with its place, whatever the file's form.
type node struct {
	at     string // file:line
	kind   nodeKind
	text   string // of a scalar, as it is written
	list   []node
	fields []member
}

type member struct {
	name string
	at   string
	node node
}

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeBool
	nodeNumber
	nodeText
	nodeBinary // text is base64
	nodeList
	nodeMap
)

func (k nodeKind) String() string {
	return [...]string{"null", "a truth value", "a number", "a text", "binary", "a list", "a mapping"}[k]
}

// get finds a member.
func (n node) get(name string) (node, bool) {
	for _, m := range n.fields {
		if m.name == name {
			return m.node, true
		}
	}
	return node{}, false
}

// errorf makes an error with the node's place.
func (n node) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", n.at, fmt.Errorf(format, args...))
}

// parseYAML reads one document.
func parseYAML(file string, text []byte) (node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return node{}, fmt.Errorf("%s: %w", file, err)
	}
	if doc.Kind == 0 { // empty
		return node{at: file, kind: nodeMap}, nil
	}
	return fromYAML(file, doc.Content[0])
}

func fromYAML(file string, y *yaml.Node) (n node, err error) {
	n = node{at: file + ":" + strconv.Itoa(y.Line), text: y.Value}
	switch y.Kind {
	case yaml.AliasNode:
		return fromYAML(file, y.Alias)
	case yaml.SequenceNode:
		n.kind = nodeList
		for _, c := range y.Content {
			one, err := fromYAML(file, c)
			if err != nil {
				return n, err
			}
			n.list = append(n.list, one)
		}
	case yaml.MappingNode:
		n.kind = nodeMap
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := y.Content[i]
			value, err := fromYAML(file, y.Content[i+1])
			if err != nil {
				return n, err
			}
			if key.Tag == "!!merge" {
				for _, m := range value.fields {
					if _, own := n.get(m.name); !own {
						n.fields = append(n.fields, m)
					}
				}
				continue
			}
			// One of a merge gives way: YAML itself refuses those that are written twice.
			n.fields = slices.DeleteFunc(n.fields, func(m member) bool { return m.name == key.Value })
			n.fields = append(n.fields, member{key.Value, file + ":" + strconv.Itoa(key.Line), value})
		}
	default:
		switch y.Tag {
		case "!!null":
			n.kind = nodeNull
		case "!!bool":
			n.kind, n.text = nodeBool, strings.ToLower(y.Value)
		case "!!int", "!!float":
			n.kind = nodeNumber
		case "!!binary":
			n.kind = nodeBinary
		default: // !!str, !!timestamp
			n.kind = nodeText
		}
	}
	return n, nil
}

// jsonReader reads JSON values with their lines.
type jsonReader struct {
	file string
	text []byte
	d    *json.Decoder
	line int
	seen int // bytes of text whose lines are counted
}

func newJSONReader(file string, text []byte) *jsonReader {
	r := &jsonReader{file: file, text: text, d: json.NewDecoder(bytes.NewReader(text)), line: 1}
	r.d.UseNumber()
	return r
}

// next reads a value; io.EOF is the end.
func (r *jsonReader) next() (node, error) {
	token, err := r.d.Token()
	end := int(r.d.InputOffset())
	r.line += bytes.Count(r.text[r.seen:end], []byte("\n"))
	r.seen = end
	n := node{at: r.file + ":" + strconv.Itoa(r.line)}
	if err == io.EOF {
		return n, err
	}
	if err != nil {
		return n, n.errorf("%w", err)
	}
	switch v := token.(type) {
	case nil:
		n.kind = nodeNull
	case bool:
		n.kind, n.text = nodeBool, strconv.FormatBool(v)
	case json.Number:
		n.kind, n.text = nodeNumber, v.String()
	case string:
		n.kind, n.text = nodeText, v
	case json.Delim:
		n.kind = nodeList
		if v == '{' {
			n.kind = nodeMap
		}
		for r.d.More() {
			name, err := node{}, error(nil)
			if n.kind == nodeMap {
				if name, err = r.next(); err != nil {
					return n, whole(err, n)
				}
			}
			one, err := r.next()
			if err != nil {
				return n, whole(err, n)
			}
			if n.kind == nodeMap {
				n.fields = append(n.fields, member{name.text, name.at, one})
			} else {
				n.list = append(n.list, one)
			}
		}
		if _, err := r.d.Token(); err != nil {
			return n, whole(err, n)
		}
	}
	return n, nil
}

// whole makes the end of a text within a value an error.
func whole(err error, n node) error {
	if err == io.EOF {
		return n.errorf("it does not end")
	}
	return err
}

// parseFile reads a file by its extension: one node for YAML and JSON, one for each value of NDJSON.
func parseFile(file string, text []byte) (nodes []node, err error) {
	switch ext := filepath.Ext(file); ext {
	case ".yaml", ".yml":
		n, err := parseYAML(file, text)
		return []node{n}, err
	case ".json", ".ndjson", ".jsonl":
		r := newJSONReader(file, text)
		for {
			n, err := r.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, n)
		}
		if ext == ".json" && len(nodes) != 1 {
			return nil, fmt.Errorf("%s: %d values, not one", file, len(nodes))
		}
		return nodes, nil
	default:
		return nil, fmt.Errorf("%s: items are read from .yaml, .yml, .json, .ndjson and .jsonl", file)
	}
}
