package attr_test

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"

	"github.com/tablewright/tablewright/attr"
)

// An ItemCodec does without a type parameter what the functions do with one.
func TestItemCodec(t *testing.T) {
	type book struct {
		ISBN  string `ddb:"isbn"`
		Pages int    `ddb:"pages"`
	}
	c, err := attr.ItemCodecOf(reflect.TypeFor[book]())
	if err != nil || c.IsZero() {
		t.Fatal(err)
	}
	in := book{"978-0", 300}
	want, err := attr.Encode(nil, &in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Encode([]byte("x"), reflect.ValueOf(&in).Elem())
	if err != nil || string(text) != "x"+string(want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	it, err := c.Marshal(reflect.ValueOf(&in).Elem())
	if same, _ := attr.MarshalItem(&in); err != nil || !attr.EqualItems(it, same) {
		t.Errorf("%v, %v", it, err)
	}
	out := book{ISBN: "before"}
	if whole, err := c.Decode(text[1:], reflect.ValueOf(&out).Elem()); !whole || err != nil || out != in {
		t.Errorf("%v, %v, %v", out, whole, err)
	}
	if whole, err := c.Decode([]byte(`{"isbn":{"S":"978-0"}}`), reflect.ValueOf(&out).Elem()); whole || err != nil || out.Pages != 0 {
		t.Errorf("%v, %v, %v", out, whole, err)
	}
	out = book{}
	if err := c.Unmarshal(it, reflect.ValueOf(&out).Elem()); err != nil || out != in {
		t.Errorf("%v, %v", out, err)
	}
	var no *attr.PlanError
	if c, err := attr.ItemCodecOf(reflect.TypeFor[int]()); !errors.As(err, &no) || !c.IsZero() {
		t.Errorf("an item of a number: %v", err)
	}
}

// Texts are cut from one buffer, one behind the other, unless the codec keeps them apart.
func TestItemCodecApart(t *testing.T) {
	type pair struct {
		A string `ddb:"a"`
		B string `ddb:"b"`
		C []byte `ddb:"c"`
	}
	const text = `{"a":{"S":"of twenty bytes, all"},"b":{"S":"of twenty bytes, too"},"c":{"B":"AAEC"}}`
	shared, err := attr.ItemCodecOf(reflect.TypeFor[pair]())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		codec  attr.ItemCodec
		behind bool
	}{{shared, true}, {shared.Apart(), false}, {shared, true}} {
		behind := false
		for range 3 { // the room that texts share may end between two of them
			var p pair
			if _, err := c.codec.Decode([]byte(text), reflect.ValueOf(&p).Elem()); err != nil {
				t.Fatal(err)
			}
			if p.A != "of twenty bytes, all" || p.B != "of twenty bytes, too" || string(p.C) != "\x00\x01\x02" {
				t.Errorf("%+v", p)
			}
			end := uintptr(unsafe.Pointer(unsafe.StringData(p.A))) + uintptr(len(p.A))
			behind = behind || end == uintptr(unsafe.Pointer(unsafe.StringData(p.B)))
		}
		if behind != c.behind {
			t.Errorf("the second text lies behind the first: %v, want %v", behind, c.behind)
		}
	}
}
