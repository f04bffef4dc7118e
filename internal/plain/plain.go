// Package plain goes between attribute values and JSON as people and other programs write it: {"isbn": "978-0", "copies": 2}.
// It is for files and terminals, where DynamoDB's own JSON ({"copies": {"N": "2"}}) is in the way.
//
// What plain JSON cannot say is lost: a set is written as an array and read as a list, a binary is written as base64 and
// read as text. Numbers keep all their digits.
package plain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tablewright/tablewright/attr"
)

// Append writes a value; the zero Value as null.
func Append(dst []byte, v attr.Value) []byte {
	switch v.Kind() {
	case attr.KindS:
		return attr.AppendText(dst, v.Str())
	case attr.KindN:
		return append(dst, v.Number().String()...)
	case attr.KindB:
		return appendBinary(dst, v.Bytes())
	case attr.KindBOOL:
		if v.Bool() {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case attr.KindM:
		return AppendItem(dst, v.Map())
	case attr.KindL, attr.KindSS, attr.KindNS, attr.KindBS:
		dst = append(dst, '[')
		for i, e := range v.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(dst, e)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}

func appendBinary(dst, b []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}

// AppendItem writes an item as an object, its attributes by name.
func AppendItem(dst []byte, it attr.Item) []byte {
	dst = append(dst, '{')
	first := true
	for name, v := range it.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(attr.AppendText(dst, name), ':')
		dst = Append(dst, v)
	}
	return append(dst, '}')
}

// Value is any JSON value.
func Value(text []byte) (attr.Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := read(d, 0)
	if err != nil {
		return attr.Value{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return attr.Value{}, errors.New("something follows behind the value")
	}
	return v, nil
}

// Item is an item of a JSON object.
func Item(text []byte) (attr.Item, error) {
	v, err := Value(text)
	if err != nil {
		return attr.Item{}, err
	}
	if v.Kind() != attr.KindM {
		return attr.Item{}, errors.New("a JSON object is wanted")
	}
	return v.Map(), nil
}

func read(d *json.Decoder, depth int) (attr.Value, error) {
	token, err := next(d)
	if err != nil {
		return attr.Value{}, err
	}
	if depth > attr.MaxDepth+1 {
		return attr.Value{}, attr.ErrDepth
	}
	switch t := token.(type) {
	case string:
		return attr.Text(t), nil
	case bool:
		return attr.Bool(t), nil
	case json.Number:
		n, err := attr.ParseNumber(t.String())
		return attr.Num(n), err
	case json.Delim:
		if t == '[' {
			var elems []attr.Value
			for d.More() {
				e, err := read(d, depth+1)
				if err != nil {
					return attr.Value{}, err
				}
				elems = append(elems, e)
			}
			_, err := next(d)
			return attr.List(elems...), err
		}
		var it attr.Item
		for d.More() {
			name, err := next(d)
			if err != nil {
				return attr.Value{}, err
			}
			key := name.(string) // what else stands there Token refuses
			if it.Has(key) {
				return attr.Value{}, fmt.Errorf("it has %q twice", key)
			}
			v, err := read(d, depth+1)
			if err != nil {
				return attr.Value{}, err
			}
			it.Set(key, v)
		}
		_, err := next(d)
		return attr.Map(it), err
	}
	return attr.Null(), nil
}

func next(d *json.Decoder) (json.Token, error) {
	token, err := d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	return token, nil
}
