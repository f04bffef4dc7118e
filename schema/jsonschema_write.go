package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// dialect is the draft of JSON Schema that is written.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// The keywords of ours: lengths of binaries in bytes, where JSON Schema counts the characters of their base64.
const (
	minBytes = "x-minBytes"
	maxBytes = "x-maxBytes"
)

// JSONSchema is a JSON Schema, draft 2020-12, of the plain JSON that ParseJSON takes, indented, and always the same for the
// same shape. A computed attribute is readOnly. The range of Go's 64-bit integers is not told.
func (s *Shape) JSONSchema() []byte {
	w := writer{refs: map[*Shape]string{}, defs: map[string]keywords{}}
	top := keywords{{"$schema", dialect}}
	if s.name != "" {
		top = append(top, keyword{"title", s.name})
	}
	if s.within(s, map[*Shape]bool{}) {
		w.refs[s] = "#"
	}
	top = append(top, w.object(s)...)
	if len(w.defs) > 0 {
		top = append(top, keyword{"$defs", w.defs})
	}
	text, err := encodeJSON(top)
	if err != nil {
		panic("schema: " + err.Error()) // there is nothing in it that has no JSON
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		panic("schema: " + err.Error())
	}
	return out.Bytes()
}

// encodeJSON is json.Marshal without escapes for HTML.
func encodeJSON(x any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// keyword is a keyword of a schema with its value; keywords are a schema, in the order they are written.
type keyword struct {
	name  string
	value any
}

type keywords []keyword

// MarshalJSON writes an object.
func (k keywords) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range k {
		text, err := encodeJSON(x.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(attr.AppendText(b, x.name), ':'), text...)
	}
	return append(b, '}'), nil
}

// writer writes schemas; shapes that contain themselves are written once and referred to.
type writer struct {
	refs map[*Shape]string
	defs map[string]keywords
}

// within reports whether s is part of what from consists of.
func (s *Shape) within(from *Shape, seen map[*Shape]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	for i := range from.fields {
		n := from.fields[i].typ
		for n.form == listForm || n.form == mapForm {
			n = n.elem
		}
		if n.form == objectForm && (n.shape == s || s.within(n.shape, seen)) {
			return true
		}
	}
	return false
}

// schema writes a type. sure says that it is there: of a set, that it is not empty.
func (w *writer) schema(n *node, sure bool) keywords {
	var k keywords
	add := func(name string, value any) { k = append(k, keyword{name, value}) }
	typed := func(name string) {
		if n.null {
			add("type", []string{name, "null"})
		} else {
			add("type", name)
		}
	}
	switch n.form {
	case stringForm:
		typed("string")
		k = append(k, n.lengths("minLength", "maxLength")...)
		if n.pattern != nil {
			add("pattern", n.pattern.String())
		}
	case timeForm:
		typed("string")
		add("format", "date-time")
	case numberForm:
		if n.integer {
			typed("integer")
		} else {
			typed("number")
		}
		k = append(k, n.bounds()...)
	case boolForm:
		typed("boolean")
	case binaryForm:
		typed("string")
		add("contentEncoding", "base64")
		k = append(k, n.byteLengths()...)
	case listForm:
		typed("array")
		add("items", w.property(n.elem, true))
		k = append(k, n.lengths("minItems", "maxItems")...)
	case setForm:
		typed("array")
		add("uniqueItems", true)
		add("items", w.property(n.elem, true))
		if c := *n; sure && n.size.min == 0 && !n.null {
			c.size.min = 1
			n = &c
		}
		k = append(k, n.lengths("minItems", "maxItems")...)
	case mapForm:
		typed("object")
		add("additionalProperties", w.property(n.elem, true))
		if n.keys != nil {
			c := w.schema(n.keys, true)
			add("propertyNames", c[1:]) // without its type: names are texts
		}
		k = append(k, n.lengths("minProperties", "maxProperties")...)
	case objectForm:
		return w.shape(n)
	}
	if n.enum != nil {
		values := make([]any, len(n.enum))
		for i, v := range n.enum {
			values[i] = toJSON(v)
		}
		if n.null {
			values = append(values, nil)
		}
		add("enum", values)
	}
	return k
}

// property is a schema, or true for any value.
func (w *writer) property(n *node, sure bool) any {
	if k := w.schema(n, sure); len(k) > 0 {
		return k
	}
	return true
}

// shape writes an object, or refers to it if it contains itself.
func (w *writer) shape(n *node) keywords {
	s := n.shape
	if w.refs[s] == "" && s.within(s, map[*Shape]bool{}) {
		name := strings.Map(inReference, s.name)
		if name == "" {
			name = "Object"
		}
		for i := 2; w.defs[name] != nil; i++ {
			name = fmt.Sprint(strings.TrimRight(name, "0123456789"), i)
		}
		w.refs[s] = "#/$defs/" + name
		w.defs[name] = keywords{} // the name is taken
		w.defs[name] = w.object(s)
	}
	if ref := w.refs[s]; ref != "" {
		k := keywords{{"$ref", ref}}
		if n.null {
			k = keywords{{"anyOf", []keywords{k, {{"type", "null"}}}}}
		}
		return k
	}
	k := w.object(s)
	if n.null {
		k[0].value = []string{"object", "null"}
	}
	return k
}

// inReference keeps what may stand in a reference as it is.
func inReference(r rune) rune {
	if r == '-' || r == '_' || r == '.' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
		return r
	}
	return '_'
}

// object writes the fields of a shape.
func (w *writer) object(s *Shape) keywords {
	k := keywords{{"type", "object"}}
	var properties keywords
	var required []string
	for i := range s.fields {
		f := &s.fields[i]
		p := w.schema(f.typ, !f.optional)
		if f.readOnly {
			p = append(p, keyword{"readOnly", true})
		}
		if f.doc != "" {
			p = append(p, keyword{"description", f.doc})
		}
		if !f.typ.missing.IsZero() {
			p = append(p, keyword{"default", toJSON(f.typ.missing)})
		}
		if len(p) == 0 {
			properties = append(properties, keyword{f.name, true})
		} else {
			properties = append(properties, keyword{f.name, p})
		}
		if !f.optional {
			required = append(required, f.name)
		}
	}
	if properties != nil {
		k = append(k, keyword{"properties", properties})
	}
	if required != nil {
		k = append(k, keyword{"required", required})
	}
	if s.closed {
		k = append(k, keyword{"additionalProperties", false})
	}
	return k
}

func (n *node) lengths(least, most string) (k keywords) {
	if n.size.min > 0 {
		k = append(k, keyword{least, n.size.min})
	}
	if n.size.max >= 0 {
		k = append(k, keyword{most, n.size.max})
	}
	return k
}

// byteLengths writes the length of a binary, of its base64 and in bytes.
func (n *node) byteLengths() (k keywords) {
	encoded := func(bytes int) int { return (bytes + 2) / 3 * 4 }
	if n.size.min > 0 {
		k = append(k, keyword{"minLength", encoded(n.size.min)}, keyword{minBytes, n.size.min})
	}
	if n.size.max >= 0 {
		k = append(k, keyword{"maxLength", encoded(n.size.max)}, keyword{maxBytes, n.size.max})
	}
	return k
}

func (n *node) bounds() (k keywords) {
	for _, b := range []struct {
		*bound
		closed, open string
	}{{&n.low, "minimum", "exclusiveMinimum"}, {&n.high, "maximum", "exclusiveMaximum"}} {
		name := b.closed
		if b.bound.open {
			name = b.open
		}
		if b.set && !b.wide() {
			k = append(k, keyword{name, b.n})
		}
	}
	switch {
	case n.stepped:
		k = append(k, keyword{"multipleOf", n.step})
	case n.places > 0:
		k = append(k, keyword{"multipleOf", attr.Dec(fmt.Sprint("1e-", n.places))})
	}
	return k
}
