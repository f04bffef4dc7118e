package schema

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// isoLayout is the layout in which package attr writes times.
const isoLayout = "2006-01-02T15:04:05.000Z"

// ParseJSON makes an item of a plain JSON object, with defaults and computed attributes, if it is as it must be; else the
// error is an *Error. An empty array is an absent set, or NULL if
// that will do, unless its length has a rule.
func (s *Shape) ParseJSON(text []byte) (attr.Item, error) {
	x, err := decodeJSON(text)
	if err != nil {
		p := Problem{Rule: RuleJSON, Text: "must be JSON"}
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			p.Text += fmt.Sprintf(", which it is not at byte %d", e.Offset)
		}
		return attr.Item{}, &Error{Problems: []Problem{p}, cause: err}
	}
	if _, ok := x.(map[string]any); !ok {
		return attr.Item{}, &Error{Problems: []Problem{{Rule: RuleType, Text: "must be an object"}}}
	}
	var r report
	it := s.self.fromJSON(x, &r).Map()
	if it.Depth() > attr.MaxDepth {
		r.add(RuleType, fmt.Sprintf("must not be nested deeper than %d levels", attr.MaxDepth))
		return attr.Item{}, r.result()
	}
	it = s.fill(it, true)
	if len(r.err.Problems) == 0 && s.check(it, nil) {
		return it, nil
	}
	read := len(r.err.Problems)
	var rules report
	s.check(it, &rules)
	for _, p := range rules.err.Problems {
		if !slices.ContainsFunc(r.err.Problems[:read], func(q Problem) bool { return q.Path == p.Path }) {
			r.put(p)
		}
	}
	r.err.More += rules.err.More
	return attr.Item{}, r.result()
}

// decodeJSON reads one JSON value, its numbers as they are written.
func decodeJSON(text []byte) (x any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&x); err != nil {
		return nil, err
	}
	if _, err = d.Token(); err != io.EOF {
		return nil, &json.SyntaxError{Offset: d.InputOffset()}
	}
	return x, nil
}

// fromJSON makes a value of what encoding/json has read. What does not suit the type becomes what it looks like, so that
// check finds it; only what no value can be made of is told to r. An empty set is the zero Value.
func (n *node) fromJSON(x any, r *report) attr.Value {
	switch x := x.(type) {
	case string:
		return n.textFromJSON(x, r)
	case json.Number:
		number, err := attr.ParseNumber(x.String())
		if err != nil {
			r.add(RuleType, "must be a number of at most 38 digits, in DynamoDB's range")
			return attr.Null()
		}
		return attr.Num(number)
	case bool:
		return attr.Bool(x)
	case []any:
		return n.listFromJSON(x, r)
	case map[string]any:
		var it attr.Item
		for _, name := range slices.Sorted(maps.Keys(x)) {
			elem := &anything
			switch {
			case n.form == mapForm:
				elem = n.elem
			case n.form == objectForm && n.shape.find(name) != nil:
				elem = n.shape.find(name).typ
			}
			r.enter(name)
			v := elem.fromJSON(x[name], r)
			r.leave()
			if v.IsZero() && n.form != objectForm {
				v = attr.Null() // the key is kept
			}
			it.Set(name, v)
		}
		return attr.Map(it)
	}
	return attr.Null()
}

func (n *node) textFromJSON(x string, r *report) attr.Value {
	switch n.form {
	case timeForm:
		if t, err := time.Parse(time.RFC3339Nano, x); err == nil {
			if t = t.UTC(); t.Year() >= 0 && t.Year() <= 9999 {
				return attr.Text(t.Format(isoLayout))
			}
			r.add(RuleType, "must be a time from the year 0 to 9999, in UTC")
		}
	case binaryForm:
		if b, err := base64.StdEncoding.DecodeString(x); err == nil {
			return attr.Binary(b)
		}
	}
	return attr.Text(x)
}

func (n *node) listFromJSON(x []any, r *report) attr.Value {
	elem := &anything
	if n.form == listForm || n.form == setForm {
		elem = n.elem
	}
	if n.form == setForm && len(x) == 0 && n.size.min == 0 {
		if n.null {
			return attr.Null()
		}
		return attr.Value{}
	}
	elems := make([]attr.Value, len(x))
	fit := true
	for i := range x {
		r.element(i)
		v := elem.fromJSON(x[i], r)
		r.leave()
		if v.IsZero() {
			v = attr.Null()
		}
		elems[i] = v
		fit = fit && elem.holds(v.Kind())
	}
	if n.form != setForm || !fit {
		return attr.List(elems...)
	}
	set := setOf(n.setKind(), elems)
	if len(set.Elems()) < len(elems) {
		r.add(RuleUnique, "must not have an element twice")
	}
	return set
}

// setOf makes a set of elements that are of the right kind.
func setOf(kind attr.Kind, elems []attr.Value) attr.Value {
	switch kind {
	case attr.KindNS:
		numbers := make([]attr.Number, len(elems))
		for i, e := range elems {
			numbers[i] = e.Number()
		}
		return attr.NumSet(numbers...)
	case attr.KindBS:
		binaries := make([][]byte, len(elems))
		for i, e := range elems {
			binaries[i] = e.Bytes()
		}
		return attr.BinarySet(binaries...)
	}
	texts := make([]string, len(elems))
	for i, e := range elems {
		texts[i] = e.Str()
	}
	return attr.TextSet(texts...)
}

// toJSON is the plain JSON of a value, for encoding/json.
func toJSON(v attr.Value) any {
	switch v.Kind() {
	case attr.KindS:
		return v.Str()
	case attr.KindN:
		return v.Number()
	case attr.KindB:
		return v.Bytes()
	case attr.KindBOOL:
		return v.Bool()
	case attr.KindM:
		m := make(map[string]any, v.Map().Len())
		for name, x := range v.Map().All() {
			m[name] = toJSON(x)
		}
		return m
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		l := make([]any, len(v.Elems()))
		for i, x := range v.Elems() {
			l[i] = toJSON(x)
		}
		return l
	}
	return nil
}
