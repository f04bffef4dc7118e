package attr_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/norace"
)

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
		delete(v.I, "") // the service takes no empty names
		delete(v.R, "")
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
	if !norace.Here(t) {
		return
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
