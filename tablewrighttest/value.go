package tablewrighttest

import (
	"encoding/base64"
	"reflect"
	"strconv"
	"time"

	"github.com/tablewright/tablewright/attr"
)

var timeType = reflect.TypeFor[time.Time]()

// structure makes the map of a struct's attributes.
func structure(n node, t reflect.Type) (attr.Value, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	fields, err := attr.Fields(t)
	if err != nil {
		return attr.Value{}, n.errorf("%w", err)
	}
	if n.kind != nodeMap {
		return attr.Value{}, n.errorf("the attributes of a %s are wanted, not %v", t.Name(), n.kind)
	}
	rest := false
	byName := map[string]attr.StructField{}
	var names []string
	for _, f := range fields {
		if f.Role == attr.RoleRest {
			rest = true
			continue
		}
		byName[f.Name], names = f, append(names, f.Name)
	}
	var it attr.Item
	for _, m := range n.fields {
		f, ok := byName[m.name]
		if !ok && !rest {
			m.node.at = m.at
			return attr.Value{}, m.node.errorf("%s has no attribute %s%s", t.Name(), m.name, meant(m.name, names))
		}
		v, err := value(m.node, f)
		if err != nil {
			return v, err
		}
		if !v.IsZero() {
			it.Set(m.name, v)
		}
	}
	return attr.Map(it), nil
}

// value makes the value of a field; the zero Value, which is absent, of null.
func value(n node, f attr.StructField) (attr.Value, error) {
	if n.kind == nodeNull {
		return attr.Value{}, nil
	}
	held := f
	for f.Type != nil { // what is guessed has none
		inner, ok := held.Held()
		if !ok {
			break
		}
		inner.Kind = held.Kind
		held = inner
	}
	if held.Type == timeType {
		return timeOf(n, f)
	}
	scalar := n.kind <= nodeBinary
	switch f.Kind {
	case attr.KindS:
		if !scalar {
			return attr.Value{}, n.errorf("%s is a text, not %v", f.Name, n.kind)
		}
		return attr.Text(n.text), nil
	case attr.KindN:
		number, err := attr.ParseNumber(n.text)
		if err != nil || n.kind != nodeNumber && n.kind != nodeText {
			return attr.Value{}, n.errorf("%s is a number, not %v", f.Name, n.kind)
		}
		return attr.Num(number), nil
	case attr.KindBOOL:
		b, err := strconv.ParseBool(n.text)
		if err != nil || n.kind != nodeBool {
			return attr.Value{}, n.errorf("%s is true or false, not %v", f.Name, n.kind)
		}
		return attr.Bool(b), nil
	case attr.KindB:
		b, err := base64.StdEncoding.DecodeString(n.text)
		if err != nil || n.kind != nodeBinary && n.kind != nodeText {
			return attr.Value{}, n.errorf("%s is binary, written as base64", f.Name)
		}
		return attr.Binary(b), nil
	case attr.KindSS, attr.KindNS, attr.KindBS, attr.KindL:
		return list(n, f)
	case attr.KindM:
		if held.Type != nil && held.Type.Kind() == reflect.Struct {
			return structure(n, held.Type)
		}
		if elem, ok := f.Elem(); ok {
			return mapping(n, elem)
		}
	}
	return guess(n)
}

// timeOf is a time in the form that its field has; one that is written as a number is stored as it is.
func timeOf(n node, f attr.StructField) (attr.Value, error) {
	if n.kind == nodeNumber && f.Kind == attr.KindN {
		number, err := attr.ParseNumber(n.text)
		if err != nil {
			return attr.Value{}, n.errorf("%s: %w", f.Name, err)
		}
		return attr.Num(number), nil
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", time.DateOnly} {
		at, err := time.Parse(form, n.text)
		if err != nil {
			continue
		}
		v := reflect.New(f.Type).Elem()
		if f.Type == timeType {
			v.Set(reflect.ValueOf(at))
		} else if f.Type == reflect.PointerTo(timeType) {
			v.Set(reflect.ValueOf(&at))
		} else {
			return attr.Text(n.text), nil
		}
		out, err := f.Value(v)
		if err != nil {
			return out, n.errorf("%s: %w", f.Name, err)
		}
		return out, nil
	}
	return attr.Value{}, n.errorf("%s is a time, such as 2026-11-21T12:00:00Z", f.Name)
}

func list(n node, f attr.StructField) (attr.Value, error) {
	if n.kind != nodeList {
		return attr.Value{}, n.errorf("%s is a list, not %v", f.Name, n.kind)
	}
	elem, ok := attr.StructField{}, false
	if f.Type != nil {
		elem, ok = f.Elem()
	}
	elem.Name = f.Name
	values := make([]attr.Value, len(n.list))
	for i, c := range n.list {
		var err error
		if !ok {
			values[i], err = guess(c)
		} else if values[i], err = value(c, elem); err == nil && values[i].IsZero() {
			values[i] = attr.Null()
		}
		if err != nil {
			return attr.Value{}, err
		}
	}
	switch f.Kind {
	case attr.KindSS:
		var all []string
		for _, v := range values {
			all = append(all, v.Str())
		}
		return attr.TextSet(all...), nil
	case attr.KindNS:
		var all []attr.Number
		for _, v := range values {
			all = append(all, v.Number())
		}
		return attr.NumSet(all...), nil
	case attr.KindBS:
		var all [][]byte
		for _, v := range values {
			all = append(all, v.Bytes())
		}
		return attr.BinarySet(all...), nil
	}
	return attr.List(values...), nil
}

func mapping(n node, elem attr.StructField) (attr.Value, error) {
	if n.kind != nodeMap {
		return attr.Value{}, n.errorf("a mapping is wanted, not %v", n.kind)
	}
	var it attr.Item
	for _, m := range n.fields {
		elem.Name = m.name
		v, err := value(m.node, elem)
		if err != nil {
			return v, err
		}
		if v.IsZero() {
			v = attr.Null()
		}
		it.Set(m.name, v)
	}
	return attr.Map(it), nil
}

// guess makes a value of the type that it is written with.
func guess(n node) (attr.Value, error) {
	switch n.kind {
	case nodeNull:
		return attr.Null(), nil
	case nodeList:
		return list(n, attr.StructField{Kind: attr.KindL})
	case nodeMap:
		return mapping(n, attr.StructField{})
	case nodeNumber:
		return value(n, attr.StructField{Kind: attr.KindN})
	case nodeBool:
		return value(n, attr.StructField{Kind: attr.KindBOOL})
	case nodeBinary:
		return value(n, attr.StructField{Kind: attr.KindB})
	}
	return attr.Text(n.text), nil
}

// json appends the node as JSON: an item that is written as it is stored.
func (n node) json(dst []byte) []byte {
	switch n.kind {
	case nodeList:
		dst = append(dst, '[')
		for i, c := range n.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = c.json(dst)
		}
		return append(dst, ']')
	case nodeMap:
		dst = append(dst, '{')
		for i, m := range n.fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.node.json(append(attr.AppendText(dst, m.name), ':'))
		}
		return append(dst, '}')
	case nodeBool:
		return append(dst, n.text...)
	case nodeNull:
		return append(dst, "null"...)
	}
	return attr.AppendText(dst, n.text) // DynamoDB JSON has numbers as text
}
