package attr_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// What a condition compares with is written as the field is, through pointers, and also what the field leaves out.
func TestWritten(t *testing.T) {
	fields, err := attr.Fields(reflect.TypeFor[struct {
		At   *time.Time `ddb:"at,epoch-s"`
		Note string     `ddb:"note,omitzero"`
		Tags []string   `ddb:"tags,set,omitzero"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		given any
		want  attr.Value
		ok    bool
	}{
		{time.Unix(5, 0), attr.Num(attr.Int(5)), true},
		{"", attr.Text(""), true},
		{[]string{"a"}, attr.TextSet("a"), true},
	} {
		got, ok, err := fields[i].Written(reflect.ValueOf(c.given))
		if err != nil || ok != c.ok || !attr.Equal(got, c.want) {
			t.Errorf("%v: %v, %t, %v", c.given, got, ok, err)
		}
	}
	if _, ok, err := fields[0].Written(reflect.ValueOf(7)); ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
}
