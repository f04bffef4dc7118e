package attr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
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

func TestCodecOptions(t *testing.T) {
	type set struct {
		V []string `ddb:"v,set"`
	}
	tripBox(t, set{[]string{"b", "a", "b"}}, `{"SS":["a","b"]}`, func(b set) []string { return b.V }, []string{"a", "b"})
	tripBox(t, set{[]string{}}, ``, func(b set) []string { return b.V }, nil)
	type numbers struct {
		V map[int]struct{} `ddb:"v,set"`
	}
	tripBox(t, numbers{map[int]struct{}{10: {}, 9: {}}}, `{"NS":["9","10"]}`, func(b numbers) map[int]struct{} { return b.V }, map[int]struct{}{9: {}, 10: {}})
	type flags struct {
		V map[status]bool `ddb:"v,set"`
	}
	tripBox(t, flags{map[status]bool{"a": true, "b": false}}, `{"SS":["a"]}`, func(b flags) map[status]bool { return b.V }, map[status]bool{"a": true})
	type binaries struct {
		V [][]byte `ddb:"v,set"`
	}
	tripBox(t, binaries{[][]byte{{1}, {}, nil}}, `{"BS":["","AQ=="]}`, func(b binaries) [][]byte { return b.V }, [][]byte{{}, {1}})
	type times struct {
		V []time.Time `ddb:"v,set,epoch-ms"`
	}
	tripBox(t, times{[]time.Time{noon}}, `{"NS":["1779019200123"]}`, func(b times) []time.Time { return b.V }, []time.Time{noon})
	type optSet struct {
		V attr.Opt[[]int] `ddb:"v,set"`
	}
	tripBox(t, optSet{attr.Some([]int{2, 1})}, `{"NS":["1","2"]}`, func(b optSet) attr.Opt[[]int] { return b.V }, attr.Some([]int{1, 2}))
	type seconds struct {
		V *time.Time `ddb:"v,epoch-s"`
	}
	tripBox(t, seconds{&noon}, `{"N":"1779019200"}`, func(b seconds) time.Time { return *b.V }, noon.Truncate(time.Second))
	tripBox(t, seconds{}, ``, func(b seconds) *time.Time { return b.V }, nil)
	type millis struct {
		V []time.Time `ddb:"v,epoch-ms"`
	}
	tripBox(t, millis{[]time.Time{noon}}, `{"L":[{"N":"1779019200123"}]}`, func(b millis) []time.Time { return b.V }, []time.Time{noon})
	type zero struct {
		V time.Time `ddb:"v,omitzero"`
	}
	tripBox(t, zero{}, ``, func(b zero) time.Time { return b.V }, time.Time{})
	type empty struct {
		V []int `ddb:"v,omitzero"`
	}
	tripBox(t, empty{[]int{}}, `{"L":[]}`, func(b empty) []int { return b.V }, []int{})
}

// The tags of package attributevalue of the AWS SDK.
func TestCodecForeignTags(t *testing.T) {
	type inner struct {
		X int `dynamodbav:"x,omitempty"`
	}
	type foreign struct {
		A string            `dynamodbav:"a,omitempty"`
		B []string          `dynamodbav:"b,omitempty"`
		C []string          `dynamodbav:"c,stringset"`
		D []int             `dynamodbav:"d,numberset,omitempty"`
		E [][]byte          `dynamodbav:"e,binaryset"`
		F time.Time         `dynamodbav:"f,unixtime"`
		G int               `dynamodbav:"g,string"`
		H bool              `dynamodbav:"h,string"`
		I string            `dynamodbav:"-"`
		J []string          `dynamodbav:"j,omitemptyelem"`
		K map[string]string `dynamodbav:"k,omitemptyelem"`
		L string            `dynamodbav:"l,nullempty"`
		M []string          `dynamodbav:"m,nullemptyelem"`
		N time.Time         `dynamodbav:",unknown"`
		O string            `dynamodbav:"o" ddb:"ours"`
		Q [][]byte          `dynamodbav:"q"`
		R []time.Time       `dynamodbav:"r,unixtime"`
		S []int             `dynamodbav:"s,omitempty"`
		T map[string]int    `dynamodbav:"t,stringset,omitempty"`
		U time.Time         `dynamodbav:"u,omitempty"`
		P inner             `dynamodbav:"p,omitempty"`
		inner
	}
	v := foreign{C: []string{"b", "a"}, D: []int{2, 1}, E: [][]byte{{1}}, F: noon, G: 5, H: true, I: "no",
		J: []string{"", "x"}, K: map[string]string{"a": "", "b": "y"}, M: []string{"", "z"}, N: noon.Add(time.Nanosecond), O: "o", Q: [][]byte{{1}}, R: []time.Time{noon}, S: []int{}, T: map[string]int{}, inner: inner{X: 1}}
	want := `{"N":{"S":"2026-05-17T12:00:00.123000001Z"},"c":{"SS":["a","b"]},"d":{"NS":["1","2"]},"e":{"BS":["AQ=="]},"f":{"N":"1779019200"},"g":{"S":"5"},"h":{"BOOL":true},` +
		`"j":{"L":[{"S":"x"}]},"k":{"M":{"b":{"S":"y"}}},"l":{"NULL":true},"m":{"L":[{"NULL":true},{"S":"z"}]},"ours":{"S":"o"},"p":{"M":{}},"q":{"BS":["AQ=="]},"r":{"L":[{"S":"2026-05-17T12:00:00.123Z"}]},"s":{"L":[]},"t":{"M":{}},"u":{"S":"0001-01-01T00:00:00Z"},"x":{"N":"1"}}`
	text, err := attr.Encode(nil, &v)
	if err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	var got foreign
	if err := attr.Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	v.C, v.D, v.F, v.I, v.J, v.K = []string{"a", "b"}, []int{1, 2}, noon.Truncate(time.Second), "", []string{"x"}, map[string]string{"b": "y"}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%+v", got)
	}
}

type Base struct {
	ID   string `ddb:"id"`
	Name string `ddb:"name"`
	Deep
}
type Deep struct {
	Name  string `ddb:"name"` // hidden by Base's
	Depth int    `ddb:"depth"`
}
type lower struct {
	Low string `ddb:"low"`
}
type Loop struct {
	*Loop
	Level int `ddb:"level"`
}

func TestCodecEmbedded(t *testing.T) {
	v := struct {
		*Base
		lower
		Own string `ddb:"own"`
	}{&Base{"i", "n", Deep{"hidden", 3}}, lower{"l"}, "o"}
	text, err := attr.Encode(nil, &v)
	if want := `{"depth":{"N":"3"},"id":{"S":"i"},"low":{"S":"l"},"name":{"S":"n"},"own":{"S":"o"}}`; err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	got := v
	got.Base = nil
	if err := attr.Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	v.Deep.Name = ""
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%+v", got)
	}
	v.Base = nil
	if text, err = attr.Encode(nil, &v); err != nil || string(text) != `{"low":{"S":"l"},"own":{"S":"o"}}` {
		t.Errorf("%s %v", text, err)
	}
	if err := attr.Decode(text, &got); err != nil || got.Base != nil {
		t.Errorf("%+v %v", got, err)
	}
	named := struct {
		Base `ddb:"base"`
	}{Base{ID: "i"}}
	if text, err = attr.Encode(nil, &named); err != nil || !strings.HasPrefix(string(text), `{"base":{"M":{`) {
		t.Errorf("%s %v", text, err)
	}
	loop := Loop{&Loop{nil, 2}, 1}
	if text, err = attr.Encode(nil, &loop); err != nil || string(text) != `{"level":{"N":"1"}}` {
		t.Errorf("%s %v", text, err)
	}
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

func TestCodecDecodeErrors(t *testing.T) {
	type all struct {
		Int   int8              `ddb:"int"`
		Uint  uint              `ddb:"uint"`
		F32   float32           `ddb:"f32"`
		Bool  bool              `ddb:"bool"`
		Text  string            `ddb:"text"`
		Time  time.Time         `ddb:"time"`
		Epoch time.Time         `ddb:"epoch,epoch-s"`
		Big   *big.Int          `ddb:"big"`
		Bytes [2]byte           `ddb:"bytes"`
		Pair  [2]int            `ddb:"pair"`
		Lines []line            `ddb:"lines"`
		By    map[string][]line `ddb:"by"`
		Keys  map[int]string    `ddb:"keys"`
		Temp  celsius           `ddb:"temp"`
		Level level             `ddb:"level"`
		Set   []int             `ddb:"set,set"`
		Face  fmt.Stringer      `ddb:"face"`
		Opt   attr.Opt[address] `ddb:"opt"`
	}
	for _, c := range []struct{ attribute, path, says string }{
		{`"int":{"S":"5"}`, "int", "type S does not go into int8"},
		{`"int":{"N":"128"}`, "int", "does not fit into int8"},
		{`"int":{"N":"1.5"}`, "int", "does not fit into int8"},
		{`"uint":{"N":"-1"}`, "uint", "does not fit into uint"},
		{`"f32":{"N":"1E100"}`, "f32", "does not fit into float32"},
		{`"bool":{"N":"1"}`, "bool", "type N"},
		{`"text":{"N":"1"}`, "text", "type N does not go into string"},
		{`"text":{"M":{}}`, "text", "type M does not go into string"},
		{`"time":{"S":"yesterday"}`, "time", "no time"},
		{`"time":{"N":"5"}`, "time", "type N"},
		{`"epoch":{"S":"2026-05-17T12:00:00Z"}`, "epoch", "type S"},
		{`"epoch":{"N":"1.5"}`, "epoch", "does not fit"},
		{`"big":{"N":"1.5"}`, "big", "does not fit into big.Int"},
		{`"bytes":{"B":"AAEC"}`, "bytes", "3 bytes"},
		{`"pair":{"L":[{"N":"1"},{"N":"1"},{"N":"1"}]}`, "pair", "3 elements"},
		{`"lines":{"M":{}}`, "lines", "type M does not go into []attr_test.line"},
		{`"lines":{"L":[{"M":{}},{"M":{"qty":{"S":"x"}}}]}`, "lines[1].qty", "type S does not go into int"},
		{`"by":{"M":{"x":{"L":[{"M":{"price":{"BOOL":true}}}]}}}`, "by.x[0].price", "type BOOL"},
		{`"by":{"L":[]}`, "by", "type L"},
		{`"keys":{"M":{"x":{"S":""}}}`, "keys.x", "the name does not go into int"},
		{`"temp":{"N":"1"}`, "temp", "no temperature"},
		{`"level":{"S":"x"}`, "level", "not stars"},
		{`"set":{"SS":["x"]}`, "set", "type SS does not go into []int"},
		{`"set":{"L":[{"S":"x"}]}`, "set[0]", "type S"},
		{`"face":{"S":"x"}`, "face", "type S does not go into fmt.Stringer"},
		{`"opt":{"M":{"city":{"N":"1"}}}`, "opt.city", "type N"},
		{`"text":{}`, "text", "a value without a type"},
		{`"lines":{"L":[{"M":{},"S":"x"}]}`, "lines[0]", "more than one type"},
		{`"by":{"M":{"x":{"L":[],"L":[]}}}`, "by.x", "more than one type"},
		{`"lines":{"L":[{"M":{"price":{"N":"x"}}}]}`, "lines[0].price", "a number that is malformed"},
	} {
		text := `[{"before":{"S":""},` + c.attribute + `,"zz":{"S":""}},{"int":{"N":"7"}}]`
		// From a longer text: reading goes on behind the item.
		d := attr.NewDecoder([]byte(text))
		for i := range d.Elems() {
			var v all
			err := attr.DecodeFrom(d, &v)
			if i == 1 {
				if err != nil || v.Int != 7 {
					t.Errorf("%s: the next item: %v %v", c.attribute, v.Int, err)
				}
				continue
			}
			f, ok := errors.AsType[*attr.FieldError](err)
			if !ok || f.Path != c.path || !strings.Contains(f.Error(), c.says) {
				t.Errorf("%s: %v, want %s: %s", c.attribute, err, c.path, c.says)
			}
		}
		if err := d.End(); err != nil {
			t.Errorf("%s: %v", c.attribute, err)
		}
		if it, err := attr.ParseItem([]byte("{" + c.attribute + "}")); err == nil && !strings.Contains(c.attribute, `"L":[],"L"`) {
			var v all
			err := attr.UnmarshalItem(it, &v)
			f, ok := errors.AsType[*attr.FieldError](err)
			if !ok || f.Path != c.path || !strings.Contains(f.Error(), c.says) {
				t.Errorf("item %s: %v, want %s: %s", c.attribute, err, c.path, c.says)
			}
		}
	}
	var v all
	for text, want := range map[string]string{
		`{"text":{"S":"a"}`:                       "syntax",
		`{"text":{"S":"a"}}x`:                     "syntax",
		`{"int":{"S":"a"},"text":{"S":}}`:         "syntax",
		`{"int":{"N":"500"},"text":{"S":1}}`:      "field", // what comes behind the first error is skipped
		`{"lines":{"L":[{"M":{"qty":{"N":1}}}]}}`: "type: NUMBER_VALUE cannot be converted to String",
		`{"lines":[]}`:                            "type: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
		`[]`:                                      "type: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>",
		`{"unknown":{"S":1e}}`:                    "syntax",
	} {
		err := attr.Decode([]byte(text), &v)
		if _, ok := errors.AsType[*attr.FieldError](err); ok && want == "field" {
			continue
		}
		if got := outcome(attr.Value{}, err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestCodecEncodeErrors(t *testing.T) {
	type inner struct {
		F any `ddb:"f"`
	}
	type outer struct {
		L []inner        `ddb:"l"`
		M map[string]any `ddb:"m"`
	}
	for _, c := range []struct {
		v          outer
		path, says string
	}{
		{outer{L: []inner{{}, {math.NaN()}}}, "l[1].f", "numeric value"},
		{outer{L: []inner{{1e200}}}, "l[0].f", "overflow"},
		{outer{M: map[string]any{"x": time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}, "m.x", "four digits"},
		{outer{M: map[string]any{"x": json.Number("")}}, "m.x", "numeric value"},
		{outer{M: map[string]any{"x": func() {}}}, "m.x", "has no attribute type"},
	} {
		text, err := attr.Encode([]byte("kept"), &c.v)
		f, ok := errors.AsType[*attr.FieldError](err)
		if !ok || f.Path != c.path || !strings.Contains(err.Error(), c.says) || string(text) != "kept" {
			t.Errorf("%s %v, want %s: %s", text, err, c.path, c.says)
		}
		if _, err := attr.MarshalItem(&c.v); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("as item: %v", err)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		says string
	}{
		{second(attr.Marshal(struct{ F func() }{})), "func() has no attribute type"},
		{second(attr.Marshal(struct{ C []chan int }{})), "chan int"},
		{second(attr.Marshal(complex(1, 2))), "complex128"},
		{second(attr.Marshal(map[float64]int{})), "keys of a map"},
		{second(attr.Marshal(struct {
			A string `ddb:"x"`
			B string `ddb:"x"`
		}{})), `attribute "x" is that of field B too`},
		{second(attr.Marshal(struct {
			A string `ddb:"a,omitempty"`
		}{})), `no option "omitempty"`},
		{second(attr.Marshal(struct {
			A string `ddb:"a,epoch-s"`
		}{})), "time.Time"},
		{second(attr.Marshal(struct {
			A string `ddb:"a,set"`
		}{})), "a set is a slice"},
		{second(attr.Marshal(struct {
			A []bool `ddb:"a,set"`
		}{})), "sets are of texts"},
		{second(attr.Marshal(struct {
			A map[string]int `ddb:"a,set"`
		}{})), "struct{} or bool"},
		{second(attr.Marshal(struct {
			A []int `dynamodbav:"a,stringset"`
		}{})), "sets are of texts"},
		{second(attr.Marshal(struct {
			A string `ddb:"a,version"`
		}{})), "a version is an integer"},
		{second(attr.Marshal(struct {
			A string `ddb:"a,created"`
		}{})), "created and updated"},
		{second(attr.Marshal(struct {
			A map[string]string `ddb:"a,rest"`
		}{})), "rest is for attr.Item"},
		{second(attr.Marshal(struct {
			A, B attr.Item `ddb:",rest"`
		}{})), "a second field"},
		{second(attr.Marshal(struct {
			A time.Time `ddb:"a,created,updated"`
		}{})), "two roles"},
		{second(attr.Marshal(struct {
			A time.Time `ddb:"a,iso,epoch-s"`
		}{})), "two forms"},
		{second(attr.Marshal(struct{ *lower }{})), "can not be set"},
		{second(attr.Marshal(strings.Builder{})), "content would be lost"},
	} {
		if _, ok := errors.AsType[*attr.PlanError](c.err); !ok || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%v, want %s", c.err, c.says)
		}
	}
}

func TestFields(t *testing.T) {
	type described struct {
		Base
		ID      attr.Opt[string] `ddb:"key" check:"len=1"`
		At      *time.Time       `ddb:"at,epoch-s"`
		Created time.Time        `ddb:"created,created"`
		Version uint8            `ddb:"version,version"`
		Tags    map[status]bool  `ddb:"tags,set"`
		Times   []time.Time      `ddb:"times,epoch-ms"`
		By      map[string]line  `ddb:"by,omitzero"`
		Any     any
		Rest    attr.Item `ddb:",rest"`
	}
	fields, err := attr.Fields(reflect.TypeFor[described]())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	v := reflect.ValueOf(described{})
	for _, f := range fields {
		fmt.Fprintf(&b, "%s %s %v %v role=%d omit=%v", f.Go, f.Name, f.Type, f.Kind, f.Role, f.Omit)
		if v.FieldByIndex(f.Index).Type() != f.Type {
			t.Errorf("%s: the index leads elsewhere", f.Go)
		}
		if e, ok := f.Elem(); ok {
			fmt.Fprintf(&b, " of %v %v", e.Type, e.Kind)
		}
		b.WriteByte('\n')
	}
	want := `Any Any interface {}  role=0 omit=false
At at *time.Time N role=0 omit=false
By by map[string]attr_test.line M role=0 omit=true of attr_test.line M
Created created time.Time S role=2 omit=false
Depth depth int N role=0 omit=false
ID id string S role=0 omit=false
ID key attr.Opt[string] S role=0 omit=false
Name name string S role=0 omit=false
Tags tags map[attr_test.status]bool SS role=0 omit=false of attr_test.status S
Times times []time.Time L role=0 omit=false of time.Time N
Version version uint8 N role=1 omit=false
Rest  attr.Item M role=4 omit=false
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[time.Time](), reflect.TypeFor[*line](), reflect.TypeFor[struct{ F func() }]()} {
		if _, err := attr.Fields(typ); err == nil {
			t.Errorf("%v has fields", typ)
		}
	}
}

func TestCodecOf(t *testing.T) {
	type holder struct {
		ID    status           `ddb:"id"`
		At    *time.Time       `ddb:"at,epoch-s"`
		Note  attr.Opt[string] `ddb:"note"`
		Tags  []string         `ddb:"tags,set"`
		Count int32            `ddb:"count"`
		Price attr.Number      `ddb:"price"`
	}
	all, err := attr.Fields(reflect.TypeFor[holder]())
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]attr.StructField{}
	for _, f := range all {
		fields[f.Name] = f
	}
	checkCodec(t, fields["id"], status("x"), `{"S":"x"}`)
	checkCodec(t, fields["at"], noon.Truncate(time.Second), `{"N":"1779019200"}`)
	checkCodec(t, fields["at"], (*time.Time)(nil), `{}`)
	checkCodec(t, fields["note"], "x", `{"S":"x"}`)
	checkCodec(t, fields["note"], attr.None[string](), `{"NULL":true}`)
	checkCodec(t, fields["tags"], []string{"a", "b"}, `{"SS":["a","b"]}`)
	checkCodec(t, fields["count"], int32(-500), `{"N":"-500"}`)
	checkCodec(t, fields["price"], attr.Dec("1.5"), `{"N":"1.5"}`)
	elem, _ := fields["tags"].Elem()
	checkCodec(t, elem, "a", `{"S":"a"}`)
	if _, err := attr.CodecOf[int](fields["id"]); err == nil {
		t.Error("a text as an int")
	}
	if _, err := attr.CodecOf[string](fields["id"]); err == nil {
		t.Error("a status as a string")
	}
	id, _ := attr.CodecOf[status](fields["id"])
	count, _ := attr.CodecOf[int32](fields["count"])
	if raceDetector {
		return
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = id.Value("paid") }); n > 0 {
		t.Errorf("a text: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = count.Value(1234) }); n > 1 {
		t.Errorf("a number: %v allocations", n)
	}
}

func checkCodec[V any](t *testing.T, f attr.StructField, v V, want string) {
	t.Helper()
	c, err := attr.CodecOf[V](f)
	if err != nil {
		t.Error(err)
		return
	}
	value, err := c.Value(v)
	if err != nil || value.String() != want {
		t.Errorf("%v %v, want %s", value, err, want)
	}
	if c.Kind() != f.Kind {
		t.Errorf("kind %v", c.Kind())
	}
	var again V
	if err := c.Set(&again, value); err != nil || !reflect.DeepEqual(again, v) {
		t.Errorf("%s reads as %#v %v", want, again, err)
	}
}

// wide has a field of every kind that testing/quick can fill.
type wide struct {
	A bool
	B int8
	C uint32
	D float64
	E float32
	F string
	G []byte
	H []string
	I map[string]int16
	J *string
	K [3]uint8
	L []*struct {
		X string
		Y map[int]string
	}
	M [2][]int
	N struct{ O, P string }
	Q status
	R map[string][]string
	S []int `ddb:",set"`
	T attr.Opt[[]int]
	U string `ddb:",omitzero"`
}

func TestCodecProperties(t *testing.T) {
	seed := rand.New(rand.NewSource(15))
	for range 500 {
		x, ok := quick.Value(reflect.TypeFor[wide](), seed)
		if !ok {
			t.Fatal("testing/quick can not fill the type")
		}
		v := x.Interface().(wide)
		v.T.State %= 3
		if v.T.State != attr.StatePresent || v.T.V == nil {
			v.T = attr.Opt[[]int]{State: v.T.State % 2}
		}
		v.D, v.E = math.Remainder(v.D, 1e9), 1/(1+v.E*v.E)
		if math.Abs(v.D) < 1e-100 {
			v.D = 0
		}
		it, err := attr.MarshalItem(&v)
		if err != nil {
			t.Fatal(err)
		}
		text, err := attr.Encode(nil, &v)
		if err != nil || string(text) != it.String() {
			t.Fatalf("Encode and MarshalItem differ:\n%s\n%v %v", text, it, err)
		}
		if parsed, err := attr.ParseItem(text); err != nil || !attr.EqualItems(parsed, it) {
			t.Fatalf("%s\nparses as %v %v", text, parsed, err)
		}
		var fromText, fromItem wide
		if err := attr.Decode(text, &fromText); err != nil {
			t.Fatal(err)
		}
		if err := attr.UnmarshalItem(it, &fromItem); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(fromText, fromItem) {
			t.Fatalf("Decode and UnmarshalItem differ:\n%+v\n%+v", fromText, fromItem)
		}
		again, err := attr.Encode(nil, &fromText)
		if err != nil || string(again) != string(text) {
			t.Fatalf("written again it differs:\n%s\n%s %v", text, again, err)
		}
		clear(text)
		if !reflect.DeepEqual(fromText, fromItem) {
			t.Fatal("what Decode set aliases the text")
		}
	}
}

var anOrderValue = order{ID: "01HZX3V7M8", Status: "paid", PlacedAt: noon, Ship: &address{"Storgata 1", "Oslo"},
	Lines: []line{{"p-77120", 2, attr.Dec("19.9")}, {"p-10003", 1, attr.Int(5)}}, Tags: []string{"gift", "web"}, Note: "Leave it at the door, please.", Version: 3}

func TestCodecAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector pools forget on purpose")
	}
	v := anOrderValue
	buf, err := attr.Encode(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	text := append([]byte(nil), buf...)
	for name, c := range map[string]struct {
		max float64
		f   func()
	}{
		"encode": {0, func() { buf, _ = attr.Encode(buf[:0], &v) }},
		// the order, its texts, address, lines and tags, and two for the set before it becomes tags
		"decode": {7, func() { var o order; _ = attr.Decode(text, &o) }},
	} {
		if got := testing.AllocsPerRun(200, c.f); got > c.max {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.max)
		}
	}
}

func BenchmarkCodec(b *testing.B) {
	v := anOrderValue
	buf, err := attr.Encode(nil, &v)
	if err != nil {
		b.Fatal(err)
	}
	text := append([]byte(nil), buf...)
	it, _ := attr.MarshalItem(&v)
	var o order
	for name, f := range map[string]func(){
		"encode":         func() { buf, _ = attr.Encode(buf[:0], &v) },
		"decode":         func() { _ = attr.Decode(text, &o) },
		"marshal item":   func() { _, _ = attr.MarshalItem(&v) },
		"unmarshal item": func() { _ = attr.UnmarshalItem(it, &o) },
		"encoding/json":  func() { _, _ = json.Marshal(&v) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

// mixed has the kinds of fields that read in different ways.
type mixed struct {
	A string                  `ddb:"a"`
	B *mixed                  `ddb:"b"`
	C []mixed                 `ddb:"c"`
	D map[string]mixed        `ddb:"d"`
	E any                     `ddb:"e"`
	F attr.Opt[map[int]int8]  `ddb:"f"`
	G []string                `ddb:"g,set"`
	H [2]time.Time            `ddb:"h,epoch-s"`
	I attr.Value              `ddb:"i"`
	J attr.Item               `ddb:"j"`
	K [][]byte                `ddb:"k"`
	L float64                 `ddb:"l"`
	M attr.Opt[[]attr.Number] `ddb:"m"`
	Z attr.Item               `ddb:"z,rest"`
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"a":{"S":"x"},"b":{"M":{"a":{"S":"y"}}},"c":{"L":[{"M":{"a":{"NULL":true}}},{"M":{}}]},"d":{"M":{"k":{"M":{"l":{"N":"1.5"}}}}}}`,
		`{"e":{"M":{"x":{"L":[{"SS":["a"]},{"NULL":true},{"B":"AA=="}]}}},"f":{"M":{"1":{"N":"2"}}},"g":{"SS":["b","a"]},"h":{"L":[{"N":"1"}]}}`,
		`{"i":{"BOOL":true},"j":{"M":{"x":{"NS":["1"]}}},"k":{"BS":["AA=="]},"m":{"NS":["1","2"]},"other":{"S":"rest"}}`,
		`{"f":{"NULL":true},"a":{"S":null,"N":"5"},"b":{"M":{},"L":[]},"c":{"L":[{"X":0,"M":{}}]}}`,
		`{"h":{"L":[{"N":"1"},{"N":"1"},{"N":"1"}]},"k":{"L":[{"S":""}]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var direct, viaItem mixed
		directErr := attr.Decode(text, &direct)
		it, itemErr := attr.ParseItem(text)
		if (outcome(attr.Value{}, directErr) == "syntax") != (outcome(attr.Value{}, itemErr) == "syntax") {
			t.Fatalf("%s: Decode %v, ParseItem %v", text, directErr, itemErr)
		}
		if itemErr == nil && !repeatsKey(text) {
			err := attr.UnmarshalItem(it, &viaItem)
			if (err == nil) != (directErr == nil) {
				t.Fatalf("%s: Decode %v, UnmarshalItem %v", text, directErr, err)
			}
			if err != nil {
				return
			}
			if !same(&direct, &viaItem) {
				t.Fatalf("%s: Decode\n%+v\nUnmarshalItem\n%+v", text, direct, viaItem)
			}
		}
		if directErr != nil {
			return
		}
		out, err := attr.Encode(nil, &direct)
		if errors.Is(err, attr.ErrDepth) || err != nil && strings.Contains(err.Error(), "four digits") {
			return
		}
		if err != nil {
			t.Fatalf("%s: %+v: %v", text, direct, err)
		}
		if it, err := attr.MarshalItem(&direct); err != nil || it.String() != string(out) {
			t.Fatalf("Encode\n%s\nMarshalItem\n%v %v", out, it, err)
		}
		var again mixed
		if err := attr.Decode(out, &again); err != nil || !same(&again, &direct) {
			t.Fatalf("%s\nis written\n%s\nand read %+v %v", text, out, again, err)
		}
	})
}

// same compares by what is written.
func same(a, b *mixed) bool {
	x, err1 := attr.Encode(nil, a)
	y, err2 := attr.Encode(nil, b)
	return (err1 == nil) == (err2 == nil) && string(x) == string(y)
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
