package attr_test

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

func TestValue(t *testing.T) {
	b := []byte{1, 2}
	m := attr.ItemOf(attr.Field{Name: "x", Value: attr.Text("y")})
	for _, c := range []struct {
		v     attr.Value
		kind  attr.Kind
		text  string
		str   string
		isSet bool
	}{
		{attr.Text("a"), attr.KindS, `{"S":"a"}`, "a", false},
		{attr.Num(attr.Dec("1.50")), attr.KindN, `{"N":"1.5"}`, "1.5", false},
		{attr.Num(attr.Number{}), attr.KindN, `{"N":"0"}`, "0", false},
		{attr.Binary(b), attr.KindB, `{"B":"AQI="}`, "\x01\x02", false},
		{attr.Bool(true), attr.KindBOOL, `{"BOOL":true}`, "", false},
		{attr.Null(), attr.KindNULL, `{"NULL":true}`, "", false},
		{attr.Map(m), attr.KindM, `{"M":{"x":{"S":"y"}}}`, "", false},
		{attr.List(attr.Text("a"), attr.Null()), attr.KindL, `{"L":[{"S":"a"},{"NULL":true}]}`, "", false},
		{attr.TextSet("b", "a", "b"), attr.KindSS, `{"SS":["a","b"]}`, "", true},
		{attr.NumSet(attr.Int(10), attr.Int(9), attr.Dec("9.0")), attr.KindNS, `{"NS":["9","10"]}`, "", true},
		{attr.BinarySet(b, []byte{}, b), attr.KindBS, `{"BS":["","AQI="]}`, "", true},
		{attr.Value{}, 0, `{}`, "", false},
	} {
		if c.v.Kind() != c.kind || c.v.String() != c.text || c.v.Str() != c.str || c.v.IsSet() != c.isSet || c.v.IsZero() != (c.kind == 0) {
			t.Errorf("%v: kind %v, text %q", c.v, c.v.Kind(), c.v.Str())
		}
		if text, err := json.Marshal(c.v); err != nil || string(text) != c.text {
			t.Errorf("%s %v", text, err)
		}
	}
	b[0] = 9
	if got := attr.Binary([]byte{1}); string(got.Bytes()) != "\x01" {
		t.Errorf("%v", got)
	}
	if attr.Text("a").Number() != (attr.Number{}) || attr.Text("a").Bool() || attr.Text("a").Elems() != nil || attr.Text("a").Map().Len() != 0 {
		t.Error("a text answers as another type")
	}
	var v struct {
		V attr.Value
		I attr.Item
	}
	if err := json.Unmarshal([]byte(`{"V":{"L":[{"S":"a"}]},"I":{"x":{"S":"y"}}}`), &v); err != nil || v.V.Elems()[0].Str() != "a" || !attr.EqualItems(v.I, m) {
		t.Errorf("%+v %v", v, err)
	}
}

func TestEqual(t *testing.T) {
	values := []attr.Value{
		{}, attr.Text("a"), attr.Text("1"), attr.Num(attr.Int(1)), attr.Binary([]byte("a")), attr.Bool(true), attr.Bool(false), attr.Null(),
		attr.List(), attr.List(attr.Text("a")), attr.List(attr.Text("a"), attr.Text("b")), attr.List(attr.Text("b"), attr.Text("a")), attr.Map(attr.Item{}),
		attr.Map(attr.ItemOf(attr.Field{Name: "a", Value: attr.Null()})), attr.Map(attr.ItemOf(attr.Field{Name: "b", Value: attr.Null()})), attr.Map(attr.ItemOf(attr.Field{Name: "a", Value: attr.Bool(true)})),
		attr.TextSet("a"), attr.TextSet("a", "b"), attr.NumSet(attr.Int(1)), attr.BinarySet([]byte("a")),
	}
	for i, a := range values {
		for j, b := range values {
			if attr.Equal(a, b) != (i == j) {
				t.Errorf("%v equals %v: %v", a, b, i != j)
			}
		}
	}
	if !attr.Equal(attr.Num(attr.Dec("1.0")), attr.Num(attr.Dec("1E0"))) || !attr.Equal(attr.NumSet(attr.Int(2), attr.Dec("1.0")), attr.NumSet(attr.Int(1), attr.Int(2))) {
		t.Error("numbers are not compared by value")
	}
}

func TestComparePanics(t *testing.T) {
	for _, p := range [][2]attr.Value{{attr.Text("1"), attr.Num(attr.Int(1))}, {attr.Bool(true), attr.Bool(true)}, {attr.Value{}, attr.Value{}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v and %v have an order", p[0], p[1])
				}
			}()
			attr.Compare(p[0], p[1])
		}()
	}
}

// Items behave as maps do.
func TestItemAgainstMap(t *testing.T) {
	r := rand.New(rand.NewSource(17))
	var it attr.Item
	m := map[string]attr.Value{}
	for range 5000 {
		name := string(rune('a' + r.Intn(20)))
		switch r.Intn(4) {
		case 0:
			it.Remove(name)
			delete(m, name)
		case 1:
			before, n := it.Clone(), it.Len()
			c := it.Clone()
			c.Set(name, attr.Null())
			c.Remove("b")
			if it.Len() != n || !attr.EqualItems(before, it) {
				t.Fatal("a clone changed its original")
			}
		case 2:
			it.Set(name, attr.Value{})
			delete(m, name)
		default:
			v := attr.Num(attr.Int(int64(r.Intn(3))))
			it.Set(name, v)
			m[name] = v
		}
		if v, ok := m[name]; it.Has(name) != ok || !attr.Equal(it.Get(name), v) {
			t.Fatalf("%s: %v, want %v", name, it.Get(name), v)
		}
		var names []string
		for n, v := range it.All() {
			names = append(names, n)
			if !attr.Equal(v, m[n]) {
				t.Fatalf("%s: %v, want %v", n, v, m[n])
			}
		}
		if it.Len() != len(m) || !slices.IsSorted(names) || len(names) > 0 && it.At(0).Name != names[0] {
			t.Fatalf("%v, want %v", names, m)
		}
	}
	for range it.All() {
		break // stops without a panic
	}
	last := attr.ItemOf(attr.Field{Name: "b", Value: attr.Null()}, attr.Field{Name: "a", Value: attr.Null()}, attr.Field{Name: "b", Value: attr.Bool(true)})
	if last.String() != `{"a":{"NULL":true},"b":{"BOOL":true}}` {
		t.Error(last)
	}
	if attr.EqualItems(last, attr.Item{}) || reflect.ValueOf(attr.Item{}).Field(0).Len() != 0 {
		t.Error("items with and without attributes are equal")
	}
}
