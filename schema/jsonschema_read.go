package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
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

// words is a schema whose keywords are taken one by one; what is left was not understood.
type words struct {
	m    map[string]any
	at   string
	left map[string]bool
	err  error
}

func (p *parser) words(m map[string]any, at string) *words {
	w := &words{m: m, at: at, left: map[string]bool{}}
	for name := range m {
		if !slices.Contains(annotations, name) && (!strings.HasPrefix(name, "x-") || name == minBytes || name == maxBytes) {
			w.left[name] = true
		}
	}
	return w
}

func (w *words) take(name string) (any, bool) {
	x, ok := w.m[name]
	delete(w.left, name)
	return x, ok
}

func (w *words) fail(name, format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("%s/%s: %s", w.at, escape(name), fmt.Sprintf(format, args...))
	}
}

// escape writes a name as a step of a JSON pointer.
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func (w *words) text(name string) (string, bool) {
	x, ok := w.take(name)
	s, isText := x.(string)
	if ok && !isText {
		w.fail(name, "is no string")
	}
	return s, ok
}

func (w *words) flag(name string) bool {
	x, ok := w.take(name)
	b, isBool := x.(bool)
	if ok && !isBool {
		w.fail(name, "is neither true nor false")
	}
	return b
}

// count reads a length; otherwise it is what it was.
func (w *words) count(name string, into *int) {
	x, ok := w.take(name)
	if !ok {
		return
	}
	number, _ := x.(json.Number)
	n, err := attr.ParseNumber(number.String())
	i, whole := n.Int64()
	if err != nil || !whole || i < 0 || i > 1<<31-1 {
		w.fail(name, "is no length")
		return
	}
	*into = int(i)
}

func (w *words) number(name string) (attr.Number, bool) {
	x, ok := w.take(name)
	if !ok {
		return attr.Number{}, false
	}
	number, _ := x.(json.Number)
	n, err := attr.ParseNumber(number.String())
	if err != nil {
		w.fail(name, "is no number that DynamoDB has")
	}
	return n, true
}

// end is the error of a schema that was not understood.
func (w *words) end() error {
	if w.err == nil && len(w.left) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(w.left)))
		w.fail(name, "the keyword cannot be kept here")
	}
	return w.err
}

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

// typeName is the type, and whether null is one besides.
func (w *words) typeName() (name string, null bool) {
	x, ok := w.take("type")
	if !ok {
		return w.guess()
	}
	list, several := x.([]any)
	if !several {
		list = []any{x}
	}
	for _, x := range list {
		switch s, _ := x.(string); {
		case s == "null" && len(list) > 1:
			null = true
		case name == "" || name == "integer" && s == "number" || name == "number" && s == "integer":
			if name = s; len(list) > 1 && name == "integer" && slices.Contains(list, any("number")) {
				name = "number"
			}
		default:
			w.fail("type", "several types besides null")
		}
	}
	return name, null
}

// guess is the type of an enumeration without one.
func (w *words) guess() (name string, null bool) {
	list, _ := w.m["enum"].([]any)
	if c, ok := w.m["const"]; ok {
		list = append(list, c)
	}
	for _, x := range list {
		kind := ""
		switch x.(type) {
		case nil:
			null = true
			continue
		case string:
			kind = "string"
		case json.Number:
			kind = "number"
		case bool:
			kind = "boolean"
		}
		if kind == "" || name != "" && name != kind {
			w.fail("enum", "values of several types, or none that is a text, a number, true or false")
			return "", null
		}
		name = kind
	}
	return name, null
}

// untyped is the error of restrictions that count for some type that is not told.
func (w *words) untyped() error {
	if w.err != nil {
		return w.err
	}
	name := slices.Min(slices.Collect(maps.Keys(w.left)))
	return fmt.Errorf("%s/%s: restricts values of one type only: a type is missing, or the keyword cannot be kept", w.at, escape(name))
}

// enumerate reads enum and const.
func (w *words) enumerate(n *node) error {
	list, ok := w.take("enum")
	values, isList := list.([]any)
	if ok && !isList {
		w.fail("enum", "is no array")
	}
	if c, is := w.take("const"); is {
		values, ok = []any{c}, true
	}
	if !ok || w.err != nil {
		return w.err
	}
	null := false
	for _, x := range values {
		if x == nil {
			null = true
			continue
		}
		v := n.fromJSON(x, nil)
		if n.form != stringForm && n.form != numberForm && n.form != boolForm || !n.holds(v.Kind()) {
			w.fail("enum", "a value that is no %s", n.want())
			return w.err
		}
		if !n.among(v) {
			n.enum = append(n.enum, v)
		}
	}
	if n.enum == nil {
		w.fail("enum", "no value but null")
	}
	n.null = n.null && null
	return w.err
}

func (w *words) texts() *node {
	n := newNode(stringForm)
	format, _ := w.text("format")
	switch encoding, ok := w.text("contentEncoding"); {
	case ok && encoding != "base64":
		w.fail("contentEncoding", "is not base64")
	case ok:
		n.form = binaryForm
		w.byteLengths(&n)
		return &n
	case format == "date-time":
		n.form = timeForm
		return &n
	}
	w.count("minLength", &n.size.min)
	w.count("maxLength", &n.size.max)
	if re, ok := w.text("pattern"); ok {
		var err error
		if n.pattern, err = regexp.Compile(re); err != nil {
			w.fail("pattern", "%v", err)
		}
	}
	return &n
}

// byteLengths turns the lengths of base64 into those of what it holds, unless these are told.
func (w *words) byteLengths(n *node) {
	low, high := 0, -1
	w.count("minLength", &low)
	w.count("maxLength", &high)
	if low > 0 {
		n.size.min = ((low+3)/4-1)*3 + 1
	}
	if high >= 0 {
		n.size.max = high / 4 * 3
	}
	w.count(minBytes, &n.size.min)
	w.count(maxBytes, &n.size.max)
}

func (w *words) numbers(name string) *node {
	n := newNode(numberForm)
	n.integer = name == "integer"
	w.text("format") // int32, double: notes
	for _, b := range []struct {
		name string
		end  *bound
		open bool
	}{{"minimum", &n.low, false}, {"exclusiveMinimum", &n.low, true}, {"maximum", &n.high, false}, {"exclusiveMaximum", &n.high, true}} {
		x, ok := w.number(b.name)
		if !ok {
			continue
		}
		if b.end.set { // both kinds: the narrower one counts
			c := x.Cmp(b.end.n)
			if b.end == &n.high {
				c = -c
			}
			if c < 0 {
				continue
			}
		}
		*b.end = boundAt(x, b.open)
	}
	if x, ok := w.number("multipleOf"); ok {
		if x.Sign() <= 0 {
			w.fail("multipleOf", "is not above 0")
		}
		if places := decimals(x); x == attr.Dec(fmt.Sprint("1e-", places)) {
			n.setPlaces(places)
		} else {
			n.step, n.stepped = x, true
		}
	}
	return &n
}

func (p *parser) array(w *words) (*node, error) {
	n := newNode(listForm)
	elem := anything
	n.elem = &elem
	if items, ok := w.take("items"); ok {
		e, about, err := p.schema(items, w.at+"/items")
		if err != nil {
			return nil, err
		}
		if about.defaults {
			w.fail("items", "elements have no default")
		}
		n.elem = e
	}
	if w.flag("uniqueItems") {
		n.form = setForm
		if f := n.elem.form; n.elem.null || f != stringForm && f != timeForm && f != numberForm && f != binaryForm {
			w.fail("uniqueItems", "there are sets of texts, numbers and binaries only")
		}
	}
	w.count("minItems", &n.size.min)
	w.count("maxItems", &n.size.max)
	return &n, nil
}

func (p *parser) object(w *words) (*node, error) {
	_, known := w.m["properties"]
	_, some := w.m["required"]
	if free, ok := w.m["additionalProperties"]; !known && !some && (ok && free != false || w.m["propertyNames"] != nil ||
		w.m["minProperties"] != nil || w.m["maxProperties"] != nil) {
		return p.mapOf(w)
	}
	n := newNode(objectForm)
	s := &Shape{}
	s.name, _ = w.m["title"].(string)
	if of, name, _ := cutLast(w.at, "/"); s.name == "" && (of == "#/$defs" || of == "#/definitions") {
		s.name = name
	}
	p.shapes[w.at] = s
	n.shape = s
	x, _ := w.take("properties")
	properties, ok := x.(map[string]any)
	if x != nil && !ok {
		w.fail("properties", "is no object")
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		t, about, err := p.schema(properties[name], w.at+"/properties/"+escape(name))
		if err != nil {
			return nil, err
		}
		s.fields = append(s.fields, field{name: name, typ: t, optional: true, doc: about.doc, readOnly: about.readOnly})
	}
	x, _ = w.take("required")
	list, ok := x.([]any)
	if x != nil && !ok {
		w.fail("required", "is no array")
	}
	for _, x := range list {
		name, _ := x.(string)
		i := slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			i = len(s.fields)
			s.fields = append(s.fields, field{name: name, typ: &anything})
		}
		if !s.fields[i].typ.missing.IsZero() {
			w.fail("required", "%s has a default, which is what an absent one means", name)
		}
		s.fields[i].optional = false
	}
	if free, ok := w.take("additionalProperties"); ok {
		s.closed = free == false
		if m, isMap := free.(map[string]any); free != false && free != true && (!isMap || len(m) > 0) {
			w.fail("additionalProperties", "restricts what is not named, besides properties")
		}
	}
	if err := s.seal(); err != nil && w.err == nil {
		return nil, fmt.Errorf("%s: %w", w.at, err)
	}
	return &n, nil
}

// cutLast cuts a text at the last separator.
func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// mapOf reads an object without known members.
func (p *parser) mapOf(w *words) (*node, error) {
	n := newNode(mapForm)
	elem := anything
	n.elem = &elem
	if free, ok := w.take("additionalProperties"); ok {
		e, about, err := p.schema(free, w.at+"/additionalProperties")
		if err != nil {
			return nil, err
		}
		if about.defaults {
			w.fail("additionalProperties", "elements have no default")
		}
		n.elem = e
	}
	if names, ok := w.take("propertyNames"); ok {
		m, _ := names.(map[string]any)
		keys := p.words(m, w.at+"/propertyNames")
		keys.take("type")
		n.keys = keys.texts()
		err := keys.enumerate(n.keys)
		if err == nil {
			err = keys.end()
		}
		if err == nil && (m == nil || n.keys.form != stringForm) {
			err = fmt.Errorf("%s/propertyNames: is no schema of texts", w.at)
		}
		if err != nil {
			return nil, err
		}
	}
	w.count("minProperties", &n.size.min)
	w.count("maxProperties", &n.size.max)
	return &n, nil
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
