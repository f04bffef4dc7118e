package attr_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
)

var noon = time.Date(2026, 5, 17, 12, 0, 0, 123_000_000, time.UTC)

type (
	status  string
	address struct {
		Street string `ddb:"street"`
		City   string `ddb:"city,omitzero"`
	}
	line struct {
		SKU   string      `ddb:"sku"`
		Qty   int         `ddb:"qty"`
		Price attr.Number `ddb:"price"`
	}
	order struct {
		ID       string         `ddb:"orderId"`
		Status   status         `ddb:"status"`
		PlacedAt time.Time      `ddb:"placedAt,iso"`
		Draft    time.Time      `ddb:"draftUntil,epoch-s,omitzero"`
		Ship     *address       `ddb:"ship"`
		Lines    []line         `ddb:"lines"`
		Tags     []string       `ddb:"tags,set"`
		Note     string         `ddb:"note,omitzero"`
		Extra    map[string]any `ddb:"extra"`
		Version  int            `ddb:"version,version"`
		Rest     attr.Item      `ddb:",rest"`
	}
)

// level is stored as a text by its methods, on the pointer only.
type level struct{ n int }

func (l *level) MarshalText() ([]byte, error) { return []byte(strings.Repeat("*", l.n)), nil }
func (l *level) UnmarshalText(b []byte) error {
	if strings.Trim(string(b), "*") != "" {
		return errors.New("not stars")
	}
	l.n = len(b)
	return nil
}

// celsius is stored as a map with a unit, by our methods.
type celsius float64

func (c celsius) MarshalValue() (attr.Value, error) {
	if math.IsNaN(float64(c)) {
		return attr.Value{}, nil
	}
	n, err := attr.Float(float64(c))
	return attr.Map(attr.ItemOf(attr.Field{Name: "C", Value: attr.Num(n)})), err
}

func (c *celsius) UnmarshalValue(v attr.Value) error {
	if v.Kind() != attr.KindM {
		return errors.New("no temperature")
	}
	*c = celsius(v.Map().Get("C").Number().Float64())
	return nil
}

// upper only writes itself.
type upper string

func (u upper) MarshalValue() (attr.Value, error) {
	return attr.Text(strings.ToUpper(string(u))), nil
}

// day is made of time.Time without its methods.
type day time.Time

func ptr[T any](v T) *T { return &v }

// box gives every value a field, and so all the ways to be written and read.
type box[T any] struct {
	V T `ddb:"v"`
}

// trip checks that v is written as want ("" for absent), in all ways, and that all of them are read back as v, or as back
// if it is given.
func trip[T any](t *testing.T, v T, want string, back ...T) {
	t.Helper()
	tripBox(t, box[T]{v}, want, func(b box[T]) T { return b.V }, append(back, v)[0])
	value, err := attr.Marshal(v)
	if got := value.String(); err != nil || want != "" && got != want || want == "" && !value.IsZero() {
		t.Errorf("%T: Marshal %s %v, want %s", v, got, err, want)
	}
	var again T
	if err := attr.Unmarshal(value, &again); err != nil || !reflect.DeepEqual(again, append(back, v)[0]) {
		t.Errorf("%T: Unmarshal of %s: %#v %v, want %#v", v, want, again, err, append(back, v)[0])
	}
}

func tripBox[B, T any](t *testing.T, b B, want string, get func(B) T, back T) {
	t.Helper()
	if want != "" {
		want = `{"v":` + want + `}`
	} else {
		want = `{}`
	}
	text, err := attr.Encode([]byte("before"), &b)
	if string(text) != "before"+want || err != nil {
		t.Errorf("%T: Encode %s %v, want %s", b, text, err, want)
		return
	}
	it, err := attr.MarshalItem(&b)
	if it.String() != want || err != nil {
		t.Errorf("%T: MarshalItem %v %v, want %s", b, it, err, want)
	}
	var again B
	if err := attr.Decode([]byte(want), &again); err != nil || !reflect.DeepEqual(get(again), back) {
		t.Errorf("%T: Decode of %s: %#v %v, want %#v", b, want, get(again), err, back)
	}
	again = b
	if err := attr.UnmarshalItem(it, &again); err != nil || !reflect.DeepEqual(get(again), back) {
		t.Errorf("%T: UnmarshalItem of %s: %#v %v, want %#v", b, want, get(again), err, back)
	}
}

func TestCodecScalars(t *testing.T) {
	trip(t, "text", `{"S":"text"}`)
	trip(t, "", `{"S":""}`)
	trip(t, status("paid"), `{"S":"paid"}`)
	trip(t, "quote\" é\x00", `{"S":"quote\" é\u0000"}`)
	trip(t, true, `{"BOOL":true}`)
	trip(t, false, `{"BOOL":false}`)
	trip(t, 0, `{"N":"0"}`)
	trip(t, math.MinInt64, `{"N":"-9223372036854775808"}`)
	trip(t, int8(-128), `{"N":"-128"}`)
	trip(t, uint64(math.MaxUint64), `{"N":"18446744073709551615"}`)
	trip(t, 1.5, `{"N":"1.5"}`)
	trip(t, 1e100, `{"N":"1`+strings.Repeat("0", 100)+`"}`)
	trip(t, float32(0.1), `{"N":"0.1"}`)
	trip(t, math.Copysign(0, -1), `{"N":"0"}`, 0)
	trip(t, attr.Dec("12345678901234567890.12345"), `{"N":"12345678901234567890.12345"}`)
	trip(t, attr.Number{}, `{"N":"0"}`)
	trip(t, json.Number("1.50"), `{"N":"1.5"}`, "1.5")
	trip(t, *big.NewInt(-123), `{"N":"-123"}`)
	trip(t, big.NewInt(5), `{"N":"5"}`)
	trip(t, time.Minute, `{"N":"60000000000"}`)
	trip(t, []byte{0, 1, 2}, `{"B":"AAEC"}`)
	trip(t, []byte{}, `{"B":""}`)
	trip(t, []byte(nil), ``)
	trip(t, [3]byte{0, 1, 2}, `{"B":"AAEC"}`)
	trip(t, json.RawMessage("{}"), `{"B":"e30="}`)
	trip(t, noon, `{"S":"2026-05-17T12:00:00.123Z"}`)
	trip(t, noon.In(time.FixedZone("", 7200)), `{"S":"2026-05-17T12:00:00.123Z"}`, noon)
	trip(t, time.Time{}, `{"S":"0001-01-01T00:00:00.000Z"}`)
	trip(t, day(noon), `{"S":"2026-05-17T12:00:00.123Z"}`)
	trip(t, struct{}{}, `{"M":{}}`)
	trip(t, netip.MustParseAddr("::1"), `{"S":"::1"}`)
	trip(t, level{3}, `{"S":"***"}`)
	trip(t, celsius(21.5), `{"M":{"C":{"N":"21.5"}}}`)
	trip(t, celsius(math.NaN()), ``, 0)
	trip(t, upper("x"), `{"S":"X"}`, "X")
}

func TestCodecContainers(t *testing.T) {
	trip(t, ptr("text"), `{"S":"text"}`)
	trip(t, ptr(ptr(5)), `{"N":"5"}`)
	trip(t, (*string)(nil), ``)
	trip(t, []string{"b", "a"}, `{"L":[{"S":"b"},{"S":"a"}]}`)
	trip(t, []string{}, `{"L":[]}`)
	trip(t, []string(nil), ``)
	trip(t, [2]int{1, 2}, `{"L":[{"N":"1"},{"N":"2"}]}`)
	trip(t, []*int{ptr(1), nil}, `{"L":[{"N":"1"},{"NULL":true}]}`)
	trip(t, [][]int{{1}, nil, {}}, `{"L":[{"L":[{"N":"1"}]},{"NULL":true},{"L":[]}]}`)
	trip(t, []celsius{1}, `{"L":[{"M":{"C":{"N":"1"}}}]}`)
	trip(t, []line{{SKU: "p", Qty: 1}, {}}, `{"L":[{"M":{"price":{"N":"0"},"qty":{"N":"1"},"sku":{"S":"p"}}},{"M":{"price":{"N":"0"},"qty":{"N":"0"},"sku":{"S":""}}}]}`)
	trip(t, map[string]int{"b": 2, "a": 1}, `{"M":{"a":{"N":"1"},"b":{"N":"2"}}}`)
	trip(t, map[string]int{}, `{"M":{}}`)
	trip(t, map[string]int(nil), ``)
	trip(t, map[status]*int{"a": nil}, `{"M":{"a":{"NULL":true}}}`)
	trip(t, map[int8]bool{-1: true, 10: false}, `{"M":{"-1":{"BOOL":true},"10":{"BOOL":false}}}`)
	trip(t, map[uint16]string{7: ""}, `{"M":{"7":{"S":""}}}`)
	trip(t, map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, `{"M":{"::1":{"N":"1"}}}`)
	trip(t, map[level]level{{1}: {2}}, `{"M":{"*":{"S":"**"}}}`)
	trip(t, map[string]address{"home": {Street: "s"}}, `{"M":{"home":{"M":{"street":{"S":"s"}}}}}`)
	trip(t, map[string][]byte{"a": nil, "b": {1}}, `{"M":{"a":{"NULL":true},"b":{"B":"AQ=="}}}`)
	trip(t, attr.Some("x"), `{"S":"x"}`)
	trip(t, attr.Some(""), `{"S":""}`)
	trip(t, attr.None[string](), `{"NULL":true}`)
	trip(t, attr.Opt[string]{}, ``)
	trip(t, attr.Some(address{Street: "s"}), `{"M":{"street":{"S":"s"}}}`)
	trip(t, []attr.Opt[int]{attr.Some(1), attr.None[int]()}, `{"L":[{"N":"1"},{"NULL":true}]}`)
	trip(t, attr.Text("x"), `{"S":"x"}`)
	trip(t, attr.Null(), `{"NULL":true}`)
	trip(t, attr.Value{}, ``)
	trip(t, []attr.Value{attr.Bool(true), {}}, `{"L":[{"BOOL":true},{"NULL":true}]}`, []attr.Value{attr.Bool(true), attr.Null()})
	trip(t, attr.Item{}, `{"M":{}}`)
	trip(t, attr.ItemOf(attr.Field{Name: "a", Value: attr.Text("x")}), `{"M":{"a":{"S":"x"}}}`)
	trip[any](t, nil, ``)
	trip[any](t, "x", `{"S":"x"}`)
	trip[any](t, 5, `{"N":"5"}`, attr.Int(5))
	trip[any](t, []byte{1}, `{"B":"AQ=="}`)
	trip[any](t, true, `{"BOOL":true}`)
	trip[any](t, level{1}, `{"S":"*"}`, "*")
	trip[any](t, map[string]any{"a": []any{"x", nil, attr.Dec("1.5")}}, `{"M":{"a":{"L":[{"S":"x"},{"NULL":true},{"N":"1.5"}]}}}`)
	trip[any](t, attr.TextSet("a", "b"), `{"SS":["a","b"]}`)
}

type tree struct {
	Name string          `ddb:"name"`
	Kids []tree          `ddb:"kids"`
	Left *tree           `ddb:"left"`
	By   map[string]tree `ddb:"by"`
}
type nest []nest

func TestCodecRecursive(t *testing.T) {
	trip(t, tree{Name: "a", Kids: []tree{{Name: "b", Left: &tree{Name: "c"}}}, By: map[string]tree{"x": {Name: "d"}}},
		`{"M":{"by":{"M":{"x":{"M":{"name":{"S":"d"}}}}},"kids":{"L":[{"M":{"left":{"M":{"name":{"S":"c"}}},"name":{"S":"b"}}}]},"name":{"S":"a"}}}`)
	trip(t, nest{nest{}, nest{nest{}}}, `{"L":[{"L":[]},{"L":[{"L":[]}]}]}`)
	p := &tree{Name: "a"}
	text, err := attr.Encode(nil, &p)
	if err != nil || string(text) != `{"name":{"S":"a"}}` {
		t.Errorf("%s %v", text, err)
	}
	var again *tree
	if err := attr.Decode(text, &again); err != nil || again.Name != "a" {
		t.Errorf("%+v %v", again, err)
	}
	again.Left = again // endless
	if _, err := attr.Encode(nil, again); !errors.Is(err, attr.ErrDepth) {
		t.Errorf("a cycle: %v", err)
	}
	deep := func(n int) (v any) {
		v = "x"
		for range n {
			v = []any{v}
		}
		return v
	}
	if _, err := attr.Marshal(deep(31)); err != nil {
		t.Error(err)
	}
	if _, err := attr.Marshal(deep(32)); !errors.Is(err, attr.ErrDepth) {
		t.Errorf("32 levels: %v", err)
	}
}

func TestCodecRest(t *testing.T) {
	const text = `{"PK":{"S":"o#1"},"gsi":{"S":"g"},"orderId":{"S":"1"},"status":{"S":"paid"},"zz":{"L":[{"N":"1"}]}}`
	var o order
	if err := attr.Decode([]byte(text), &o); err != nil || o.ID != "1" || o.Rest.Len() != 3 || o.Rest.Get("PK").Str() != "o#1" {
		t.Fatalf("%+v %v", o, err)
	}
	var o2 order
	if it, err := attr.ParseItem([]byte(text)); err != nil || attr.UnmarshalItem(it, &o2) != nil || !reflect.DeepEqual(o, o2) {
		t.Fatalf("%+v %v", o2, err)
	}
	o.Rest.Set("status", attr.Text("of a field, does not count"))
	o.Rest.Set("note", attr.Text("of a field too"))
	out, err := attr.Encode(nil, &o)
	want := `{"PK":{"S":"o#1"},"gsi":{"S":"g"},"orderId":{"S":"1"},"placedAt":{"S":"0001-01-01T00:00:00.000Z"},"status":{"S":"paid"},"version":{"N":"0"},"zz":{"L":[{"N":"1"}]}}`
	if err != nil || string(out) != want {
		t.Errorf("%s %v", out, err)
	}
	if it, err := attr.MarshalItem(&o); err != nil || it.String() != want {
		t.Errorf("%v %v", it, err)
	}
}

func TestCodecItems(t *testing.T) {
	m := map[string]any{"b": 1, "a": "x", "c": nil}
	text, err := attr.Encode(nil, &m)
	if err != nil || string(text) != `{"a":{"S":"x"},"b":{"N":"1"},"c":{"NULL":true}}` {
		t.Errorf("%s %v", text, err)
	}
	it := attr.ItemOf(attr.Field{Name: "b", Value: attr.Null()}, attr.Field{Name: "a", Value: attr.Text("x")})
	if text, err = attr.Encode(nil, &it); err != nil || string(text) != it.String() {
		t.Errorf("%s %v", text, err)
	}
	var it2 attr.Item
	if err := attr.Decode(text, &it2); err != nil || !attr.EqualItems(it, it2) {
		t.Errorf("%v %v", it2, err)
	}
	var o *order
	if _, err := attr.Encode(nil, &o); err == nil {
		t.Error("a nil pointer was encoded")
	}
	for _, err := range []error{
		second(attr.Encode(nil, ptr(5))), second(attr.Encode(nil, &noon)), second(attr.MarshalItem(ptr([]int{}))), second(attr.Encode(nil, ptr(ptr(5)))),
	} {
		if _, ok := errors.AsType[*attr.PlanError](err); !ok {
			t.Errorf("no item: %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestCodecLenient(t *testing.T) {
	// What DynamoDB JSON may look like besides the plain form, and values of types that other programs wrote.
	var o order
	for text, check := range map[string]func() bool{
		`{"status":{"S":"a"},"orderId":{"S":"b"},"status":{"S":"c"}}`:                              func() bool { return o.Status == "c" && o.ID == "b" },
		`{"lines":{"L":[{"M":{}}]},"orderId":{"S":"b"},"lines":{"L":[]}}`:                          func() bool { return o.Lines != nil && len(o.Lines) == 0 },
		` { "ship" : { "M" : { "city" : { "S" : "Oslo" } } , "S" : null } } `:                      func() bool { return o.Ship.City == "Oslo" },
		`{"ship":{"S":null,"X":1,"M":{"city":{"S":"Oslo"}}}}`:                                      func() bool { return o.Ship.City == "Oslo" },
		`{"lines":{"S":null,"L":[{"X":{},"M":{"qty":{"N":"1"}}}]}}`:                                func() bool { return o.Lines[0].Qty == 1 },
		`{"ship":{"NULL":true},"lines":{"NULL":true},"tags":{"NULL":true},"status":{"NULL":true}}`: func() bool { return reflect.ValueOf(o).IsZero() },
		`{"tags":{"L":[{"S":"b"},{"S":"a"}]}}`:                                                     func() bool { return reflect.DeepEqual(o.Tags, []string{"b", "a"}) },
		`{"lines":{"L":[{"NULL":true},{"M":{}}]}}`:                                                 func() bool { return len(o.Lines) == 2 },
		`{"placedAt":{"S":"2026-05-17T14:00:00+02:00"}}`:                                           func() bool { return o.PlacedAt.Equal(noon.Truncate(time.Second)) && o.PlacedAt.Location() == time.UTC },
		`{"\u0073tatus":{"S":"x"}}`:                                                                func() bool { return o.Status == "x" },
		`{"extra":{"M":{"a":{"SS":["x"]}}}}`:                                                       func() bool { return o.Extra["a"].(attr.Value).Kind() == attr.KindSS },
	} {
		if err := attr.Decode([]byte(text), &o); err != nil || !check() {
			t.Errorf("%s: %+v %v", text, o, err)
		}
		it, err := attr.ParseItem([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := attr.UnmarshalItem(it, &o); err != nil || !check() {
			t.Errorf("%s: %+v %v", text, o, err)
		}
	}
	var list struct {
		V []string `ddb:"v"`
	}
	if err := attr.Decode([]byte(`{"v":{"SS":["b","a"]}}`), &list); err != nil || !reflect.DeepEqual(list.V, []string{"a", "b"}) {
		t.Errorf("a set as a list: %+v %v", list, err)
	}
}

// onlyReads has one of our two methods.
type onlyReads struct{ S string }

func (o *onlyReads) UnmarshalValue(v attr.Value) error {
	o.S = "read " + v.Kind().String()
	return nil
}

func TestCodecEdges(t *testing.T) {
	p := &order{ID: "old", Rest: attr.ItemOf(attr.Field{Name: "z", Value: attr.Null()})}
	if err := attr.UnmarshalItem(attr.ItemOf(attr.Field{Name: "orderId", Value: attr.Text("new")}), &p); err != nil || p.ID != "new" || p.Rest.Len() != 0 {
		t.Errorf("an item into a pointer: %+v %v", p, err)
	}
	var it attr.Item
	if err := attr.UnmarshalItem(attr.ItemOf(attr.Field{Name: "a", Value: attr.Null()}), &it); err != nil || it.Len() != 1 {
		t.Errorf("%v %v", it, err)
	}
	n := 5
	for _, v := range []attr.Value{{}, attr.Null()} {
		n = 5
		if err := attr.Unmarshal(v, &n); err != nil || n != 0 {
			t.Errorf("%v reads as %d %v", v, n, err)
		}
	}
	if err := attr.Unmarshal(attr.Text("x"), &n); err == nil || err.Error() != "attr: type S does not go into int" {
		t.Error(err)
	}
	trip(t, onlyReads{"x"}, `{"M":{"S":{"S":"x"}}}`, onlyReads{"read M"})

	deep := attr.Null()
	for range 31 {
		deep = attr.List(deep)
	}
	type wrap struct {
		V any       `ddb:"v"`
		R attr.Item `ddb:",rest"`
	}
	tooDeep := attr.ItemOf(attr.Field{Name: "x", Value: attr.List(deep)})
	for _, v := range []any{deep, attr.ItemOf(attr.Field{Name: "x", Value: deep.Elems()[0]}), struct{ V attr.Value }{deep.Elems()[0]}} {
		if _, err := attr.Encode(nil, &wrap{V: v}); err != nil {
			t.Errorf("31 levels in %T: %v", v, err)
		}
	}
	for _, w := range []wrap{{V: attr.List(deep)}, {V: []any{deep}}, {V: attr.ItemOf(attr.Field{Name: "x", Value: deep})}, {R: tooDeep}} {
		if _, err := attr.Encode(nil, &w); !errors.Is(err, attr.ErrDepth) {
			t.Errorf("32 levels: %v", err)
		}
		if _, err := attr.MarshalItem(&w); !errors.Is(err, attr.ErrDepth) {
			t.Errorf("32 levels: %v", err)
		}
	}
	if _, err := attr.Encode(nil, &tooDeep); !errors.Is(err, attr.ErrDepth) {
		t.Errorf("32 levels in an item: %v", err)
	}

	type quoted struct {
		N int         `dynamodbav:"n,string"`
		D attr.Number `dynamodbav:"d,string"`
	}
	var q quoted
	for text, says := range map[string]string{
		`{"n":{"N":"1"}}`: "attr: n: type N does not go into int", `{"n":{"S":"secret"}}`: "attr: n: The parameter cannot be converted to a numeric value",
		`{"n":{"S":"1e30"}}`: "attr: n: the number does not fit into int",
	} {
		if err := attr.Decode([]byte(text), &q); err == nil || err.Error() != says {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := attr.Decode([]byte(`{"n":{"S":"12"},"d":{"S":"1.50"}}`), &q); err != nil || q != (quoted{12, attr.Dec("1.5")}) {
		t.Errorf("%+v %v", q, err)
	}
	if _, err := attr.Marshal(map[int]map[level]int{1: {{1}: 1, {2}: 2}}); err != nil {
		t.Error(err)
	}
	if _, err := attr.Marshal(map[clash]int{1: 1, 2: 2}); err == nil {
		t.Error("two keys with one text")
	}
	for check := attr.CheckNumber; check <= attr.CheckDepth; check++ {
		if strings.HasPrefix(check.String(), "unknown") {
			t.Errorf("check %d has no text", check)
		}
	}
}

// clash is a key whose values all have one text.
type clash int

func (clash) MarshalText() ([]byte, error)  { return []byte("same"), nil }
func (*clash) UnmarshalText(_ []byte) error { return nil }

func TestOptJSON(t *testing.T) {
	type change struct {
		Note attr.Opt[string] `json:"note,omitzero"`
	}
	for text, want := range map[string]attr.Opt[string]{`{}`: {}, `{"note":null}`: attr.None[string](), `{"note":""}`: attr.Some("")} {
		var c change
		if err := json.Unmarshal([]byte(text), &c); err != nil || c.Note != want {
			t.Errorf("%s: %+v %v", text, c, err)
		}
		if got, err := json.Marshal(c); err != nil || string(got) != text {
			t.Errorf("%s: %s %v", text, got, err)
		}
		if v, ok := c.Note.Get(); ok != (want.State == attr.StatePresent) || v != "" {
			t.Errorf("%s: %q %v", text, v, ok)
		}
	}
}
