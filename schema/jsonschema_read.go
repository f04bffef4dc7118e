package schema

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

// FromJSONSchema is the shape that a JSON Schema describes: draft 2020-12, and older ones as far as they say the same. It
// reads type, enum, const, the limits of texts, numbers, arrays and objects, pattern, properties, required,
// additionalProperties, propertyNames, items, uniqueItems of scalars (a set), format date-time, contentEncoding base64,
// default, readOnly, description, null besides one type (by type, anyOf or oneOf), and $ref within the document. Where a
// schema uses others that restrict, the error names the keyword and its place: what is read means what was written.
// Titles, examples, comments, formats besides date-time and keywords that begin with x- restrict nothing and are left out.
func FromJSONSchema(text []byte) (*Shape, error) {
	doc, err := decodeJSON(text)
	if err != nil {
		return nil, fmt.Errorf("schema: no JSON: %w", err)
	}
	top, ok := doc.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("schema: a JSON Schema of an item is an object")
	}
	if top["type"] == nil && top["$ref"] == nil && (top["properties"] != nil || top["required"] != nil) {
		top["type"] = "object" // items are nothing else
	}
	p := parser{doc: doc, shapes: map[string]*Shape{}, open: map[string]bool{}}
	n, _, err := p.schema(top, "#")
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if n.form != objectForm || n.null {
		return nil, fmt.Errorf("schema: #: describes %s, and not an item: an object with properties", n.want())
	}
	return n.shape, nil
}

// parser reads the schemas of a document.
type parser struct {
	doc    any
	shapes map[string]*Shape // by their places: objects, which may refer to themselves
	open   map[string]bool   // places that are being read
}

// annotations restrict nothing.
var annotations = []string{"$schema", "$id", "$comment", "$defs", "definitions", "$anchor", "$vocabulary", "title", "examples", "deprecated", "writeOnly"}

// notes are what a schema says besides: of a property.
type notes struct {
	doc      string
	readOnly bool
	missing  any // the default
	defaults bool
}

func (w *words) notes() (x notes) {
	x.doc, _ = w.text("description")
	x.readOnly = w.flag("readOnly")
	x.missing, x.defaults = w.take("default")
	return x
}

// schema reads the schema x at a place in the document.
func (p *parser) schema(x any, at string) (*node, notes, error) {
	if b, ok := x.(bool); ok && b {
		n := anything
		return &n, notes{}, nil
	}
	m, ok := x.(map[string]any)
	if !ok {
		return nil, notes{}, fmt.Errorf("%s: is no schema that can be kept", at)
	}
	w := p.words(m, at)
	about := w.notes()
	n, err := p.kind(w)
	if err != nil {
		return nil, about, err
	}
	if err := w.end(); err != nil {
		return nil, about, err
	}
	if about.defaults {
		var r report
		n.missing = n.fromJSON(about.missing, &r)
		if n.missing.IsZero() || n.missing.Kind() == attr.KindNULL || len(r.err.Problems) > 0 {
			return nil, about, fmt.Errorf("%s/default: is no default", at)
		}
	}
	if err := n.settle(); err != nil {
		return nil, about, fmt.Errorf("%s: %w", at, err)
	}
	return n, about, nil
}

// kind reads what kind of values a schema describes, with all that restricts them.
func (p *parser) kind(w *words) (*node, error) {
	if ref, ok := w.text("$ref"); ok {
		return p.ref(w, ref)
	}
	for _, either := range []string{"anyOf", "oneOf"} {
		if list, ok := w.take(either); ok {
			return p.orNull(w, either, list)
		}
	}
	name, null := w.typeName()
	var n *node
	var err error
	switch name {
	case "":
		if len(w.left) > 0 {
			return nil, w.untyped()
		}
		c := anything
		return &c, nil
	case "string":
		n = w.texts()
	case "number", "integer":
		n = w.numbers(name)
	case "boolean":
		c := newNode(boolForm)
		n = &c
	case "array":
		n, err = p.array(w)
	case "object":
		n, err = p.object(w)
	default:
		w.fail("type", "%q alone or among others", name)
	}
	if err == nil {
		err = w.err
	}
	if err != nil {
		return nil, err
	}
	n.null = null
	return n, w.enumerate(n)
}

// orNull reads two schemas of which one is null.
func (p *parser) orNull(w *words, name string, x any) (*node, error) {
	list, _ := x.([]any)
	rest := slices.DeleteFunc(slices.Clone(list), func(x any) bool {
		m, _ := x.(map[string]any)
		return len(m) == 1 && m["type"] == "null"
	})
	if len(list) != 2 || len(rest) != 1 {
		w.fail(name, "can be kept of one type and null only")
		return nil, w.err
	}
	i := slices.IndexFunc(list, func(x any) bool { m, _ := x.(map[string]any); return !(len(m) == 1 && m["type"] == "null") })
	n, about, err := p.schema(rest[0], w.at+"/"+name+"/"+strconv.Itoa(i))
	if err != nil {
		return nil, err
	}
	if n.null && name == "oneOf" || about.defaults {
		w.fail(name, "null twice, or a default inside")
	}
	c := *n
	c.null = true
	return &c, w.err
}

// ref reads what a reference leads to.
func (p *parser) ref(w *words, ref string) (*node, error) {
	if ref == "#" {
		ref = "#/"
	}
	pointer, ok := strings.CutPrefix(ref, "#/")
	if decoded, err := url.PathUnescape(pointer); err == nil {
		pointer = decoded
	}
	if !ok {
		w.fail("$ref", "leads out of the document")
		return nil, w.err
	}
	x := p.doc
	at := "#"
	if pointer != "" {
		for step := range strings.SplitSeq(pointer, "/") {
			name := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			at += "/" + step
			switch c := x.(type) {
			case map[string]any:
				x = c[name]
			case []any:
				i, err := strconv.Atoi(name)
				if x = nil; err == nil && i >= 0 && i < len(c) {
					x = c[i]
				}
			default:
				x = nil
			}
		}
	}
	if s := p.shapes[at]; s != nil {
		n := newNode(objectForm)
		n.shape = s
		return &n, nil
	}
	if x == nil || p.open[at] {
		w.fail("$ref", "leads nowhere")
		return nil, w.err
	}
	p.open[at] = true
	defer delete(p.open, at)
	n, about, err := p.schema(x, at)
	if err == nil && about.defaults {
		w.fail("$ref", "a default stands where the type is used, not where it is defined")
		return nil, w.err
	}
	if err != nil {
		return nil, err
	}
	c := *n
	return &c, nil
}
