package schema_test

import (
	"reflect"
	"testing"

	"github.com/tablewright/tablewright/schema"
)

// A Bound does without a type parameter what a Typed does with one.
func TestBound(t *testing.T) {
	type part struct {
		Name string `ddb:"name" check:"len=1..9"`
		Unit string `ddb:"unit,omitzero" check:"default=piece"`
	}
	b, err := schema.CompileType(reflect.TypeFor[part]())
	if err != nil {
		t.Fatal(err)
	}
	bolt := part{Name: "bolt"}
	v := reflect.ValueOf(&bolt).Elem()
	if err := b.Check(v); err != nil || bolt.Unit != "" {
		t.Errorf("%v, %v", bolt, err)
	}
	if b.Complete(v); bolt.Unit != "piece" {
		t.Errorf("%v", bolt)
	}
	bolt.Unit = ""
	if b.Default(v); bolt.Unit != "piece" {
		t.Errorf("%v", bolt)
	}
	bolt.Name = ""
	want := schema.Of[part]().Prepare(&bolt)
	if err := b.Prepare(v); err == nil || err.Error() != want.Error() {
		t.Errorf("%v, want %v", err, want)
	}
	if same, err := schema.CompileType(v.Type()); err != nil || same != b || same.Shape != schema.Of[part]().Shape {
		t.Errorf("%v, %v", same, err)
	}
	if _, err := schema.CompileType(reflect.TypeFor[struct {
		Name string `check:"len"`
	}]()); err == nil {
		t.Error("a mistake in a tag")
	}
}
