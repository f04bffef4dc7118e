package attr_test

import (
	"errors"
	"reflect"
	"testing"

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
