package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
)

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
