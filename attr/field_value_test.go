package attr_test

import (
	"reflect"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

type fields struct {
	S     string              `ddb:"s"`
	Omit  string              `ddb:"omit,omitzero"`
	P     *int                `ddb:"p"`
	O     attr.Opt[[]string]  `ddb:"o,set"`
	L     []int               `ddb:"l"`
	Set   map[string]bool     `ddb:"set,set"`
	PSet  []*string           `ddb:"pset,set"`
	M     map[string]int      `ddb:"m"`
	B     []byte              `ddb:"b"`
	Any   any                 `ddb:"any"`
	V     attr.Value          `ddb:"v"`
	Inner struct{ X int }     `ddb:"inner"`
	Foe   string              `dynamodbav:"foe,omitempty"`
	Null  string              `dynamodbav:"null,nullempty"`
	Deep  []struct{ Y *bool } `ddb:"deep"`
	*Part
}

type Part struct {
	Z int `ddb:"z"`
}

// A field is absent exactly where the codec writes nothing, and its value is what the codec writes.
func TestFieldValuesAreTheCodecs(t *testing.T) {
	seven, yes, x := 7, true, "x"
	for i, v := range []fields{
		{},
		{S: "a", Omit: "b", P: &seven, O: attr.Some([]string{"x"}), L: []int{}, Set: map[string]bool{"k": true}, PSet: []*string{&x}, M: map[string]int{},
			B: []byte{}, Any: 1, V: attr.Null(), Foe: "f", Null: "n", Deep: []struct{ Y *bool }{{&yes}, {}}, Part: &Part{3}},
		{O: attr.None[[]string](), Set: map[string]bool{"k": false}, PSet: []*string{nil}},
		{O: attr.Some[[]string](nil), L: []int{1}, Any: (*int)(nil)},
	} {
		it, err := attr.MarshalItem(&v)
		if err != nil {
			t.Fatal(err)
		}
		all, err := attr.Fields(reflect.TypeFor[fields]())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			field, err := reflect.ValueOf(&v).Elem().FieldByIndexErr(f.Index)
			if err != nil {
				continue // in an embedded struct that is not there
			}
			if got, written := f.Absent(field), it.Has(f.Name); got == written {
				t.Errorf("%d: %s: absent %v, written %v", i, f.Name, got, written)
			}
			got, err := f.Value(field)
			if err != nil || !attr.Equal(got, it.Get(f.Name)) {
				t.Errorf("%d: %s: %v, written %v (%v)", i, f.Name, got, it.Get(f.Name), err)
			}
			back := reflect.New(f.Type).Elem()
			if err := f.Set(back, got); err != nil {
				t.Errorf("%d: %s: %v", i, f.Name, err)
			} else if again, _ := f.Value(back); !attr.Equal(again, got) && !got.IsZero() {
				t.Errorf("%d: %s: read back %v", i, f.Name, again)
			}
			if held, ok := f.Held(); ok != (f.Type.Kind() == reflect.Pointer || f.Name == "o") || ok && held.Type == f.Type {
				t.Errorf("%s holds %v %v", f.Name, held.Type, ok)
			}
		}
	}
}

type whole struct {
	A string  `ddb:"a"`
	B *string `ddb:"b"`
	C []inner `ddb:"c"`
	D inner   `ddb:"d"`
	E string  `ddb:"e,omitzero"`
}

type inner struct {
	X int `ddb:"x"`
}

// What is whole has everything that the type always writes; of the rest, the answer is no.
func TestDecodeWhole(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":{"S":"x"},"d":{"M":{"x":{"N":"1"}}}}`:                                                  true,
		`{"a":{"S":"x"},"c":{"L":[{"M":{"x":{"N":"1"}}}]},"d":{"M":{"x":{"N":"1"}}}}`:                true,
		`{"a":{"S":"x"},"b":{"NULL":true},"d":{"M":{"x":{"N":"1"}}},"f":{"S":"more"}}`:               true,
		`{"d":{"M":{"x":{"N":"1"}}}}`:                                                                false,
		`{"a":{"NULL":true},"d":{"M":{"x":{"N":"1"}}}}`:                                              false,
		`{"a":{"S":"x"},"d":{"NULL":true}}`:                                                          false,
		`{"a":{"S":"x"},"d":{"M":{}}}`:                                                               false,
		`{"a":{"S":"x"},"c":{"L":[{"M":{}}]},"d":{"M":{"x":{"N":"1"}}}}`:                             false,
		`{"a":{"S":"x"},"c":{"NULL":true},"d":{"M":{"x":{"N":"1"}}}}`:                                false,
		`{"a":{"S":"x"},"a":{"S":"y"},"c":{"L":[]}}`:                                                 false,
		`{"a":{"S":"x"},"c":{"L":[{"M":{"x":{"N":"1"}}},{"NULL":true}]},"d":{"M":{}},"e":{"S":"x"}}`: false,
	} {
		var v, plain whole
		got, err := attr.DecodeWhole([]byte(text), &v)
		if err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
		if err := attr.Decode([]byte(text), &plain); err != nil || !reflect.DeepEqual(v, plain) {
			t.Errorf("%s: %+v, not %+v (%v)", text, v, plain, err)
		}
	}
	var v whole
	if got, err := attr.DecodeWhole([]byte(`{"a":{"N":"1"}}`), &v); got || err == nil {
		t.Error("what does not fit is whole")
	}
	if got, err := attr.DecodeWhole([]byte(`{"a"`), &v); got || err == nil {
		t.Error("what is no item is whole")
	}
}
