package invent

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Requirements are made, changed and shrunk as trees of YAML nodes: their keys keep an order, and what is done to them
// knows nothing of how they are read.

func word(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

// words is a list on one line.
func words(texts ...string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, t := range texts {
		n.Content = append(n.Content, word(t))
	}
	return n
}

func list(nodes ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: nodes}
}

// pairs is a map on one line, of keys and values in turn; a value is a text or a node.
func pairs(kv ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for i := 0; i < len(kv); i += 2 {
		set(n, kv[i].(string), kv[i+1])
	}
	return n
}

func block() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

// set gives a key of a map its value, at the end if it has none yet.
func set(m *yaml.Node, key string, value any) {
	var v *yaml.Node
	switch value := value.(type) {
	case string:
		v = word(value)
	case *yaml.Node:
		v = value
	default:
		panic(fmt.Sprintf("invent: %T is no value", value))
	}
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content[i+1] = v
			return
		}
	}
	m.Content = append(m.Content, word(key), v)
}

// get is the value of a key, or of keys inside one another; nil if there is none.
func get(m *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if m == nil || m.Kind != yaml.MappingNode {
			return nil
		}
		var found *yaml.Node
		for i := 0; i < len(m.Content); i += 2 {
			if m.Content[i].Value == key {
				found = m.Content[i+1]
			}
		}
		m = found
	}
	return m
}

// drop takes a key out of a map.
func drop(m *yaml.Node, key string) {
	for i := 0; m != nil && i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content = append(m.Content[:i:i], m.Content[i+2:]...)
			return
		}
	}
}

// entries yields the keys of a map with their values.
func entries(m *yaml.Node) func(yield func(key string, value *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		for i := 0; m != nil && m.Kind == yaml.MappingNode && i < len(m.Content); i += 2 {
			if !yield(m.Content[i].Value, m.Content[i+1]) {
				return
			}
		}
	}
}

// texts are the scalars of a list, or of one that stands for a list of it.
func texts(n *yaml.Node) []string {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.ScalarNode:
		return []string{n.Value}
	}
	var out []string
	for _, c := range n.Content {
		out = append(out, c.Value)
	}
	return out
}

// clone copies a tree.
func clone(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, clone(child))
	}
	return &c
}

// parse reads a document as a tree.
func parse(text []byte) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("the document is no map")
	}
	plain(document.Content[0])
	return document.Content[0], nil
}

// plain forgets what the parser takes scalars for: they are text, quoted only where YAML needs it.
func plain(n *yaml.Node) {
	n.Tag, n.HeadComment, n.LineComment, n.FootComment = "", "", "", ""
	if n.Kind == yaml.ScalarNode {
		n.Style = 0
	}
	for _, c := range n.Content {
		plain(c)
	}
}

// print writes a tree as a document.
func print(n *yaml.Node) []byte {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		panic(fmt.Sprintf("invent: %v", err)) // a tree made here can be written
	}
	return b.Bytes()
}
