package attr_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/norace"
)

// outcome tells a value or error in the words of testdata/values.txt.
func outcome(v attr.Value, err error) string {
	var syntax *attr.SyntaxError
	var kind *attr.TypeError
	var value *attr.ValueError
	switch {
	case err == nil:
		return v.String()
	case errors.As(err, &syntax):
		return "syntax"
	case errors.As(err, &kind):
		return "type: " + kind.Message
	case errors.As(err, &value):
		return "value: " + value.Message
	}
	return "unknown: " + err.Error()
}

// valueCases are the blocks of testdata/values.txt: text and outcome.
func valueCases(t testing.TB) [][2]string {
	t.Helper()
	file, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][2]string
	for block := range strings.SplitSeq(strings.TrimSpace(string(file)), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		in, want, ok := strings.Cut(block, "\n")
		if !ok || strings.Contains(want, "\n") {
			t.Fatalf("malformed block:\n%s", block)
		}
		cases = append(cases, [2]string{in, want})
	}
	return cases
}

func TestParseValue(t *testing.T) {
	for _, c := range valueCases(t) {
		in, want := c[0], c[1]
		v, err := attr.ParseValue([]byte(in))
		if got := outcome(v, err); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
		if err != nil && !v.IsZero() {
			t.Errorf("%s: a value beside the error: %v", in, v)
		}
		// The same must hold in depth, and for an item's attribute.
		if it, err := attr.ParseItem([]byte(`{"a":{"M":{"b":{"L":[` + in + `]}}}}`)); true {
			got := outcome(attr.Value{}, err)
			if err == nil {
				got = it.Get("a").Map().Get("b").Elems()[0].String()
			}
			if got != want {
				t.Errorf("nested %s\n got %s\nwant %s", in, got, want)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	_, err := attr.ParseValue([]byte(`{"M": {"a": {"S": 1}}}`))
	if e, ok := errors.AsType[*attr.TypeError](err); !ok || e.Offset != 18 {
		t.Errorf("%v", err)
	}
	_, err = attr.ParseValue([]byte("{\"S\": \"\xff\"}"))
	if e, ok := errors.AsType[*attr.SyntaxError](err); !ok || e.Offset != 7 {
		t.Errorf("%v", err)
	}
	_, err = attr.ParseValue([]byte(`{"N": "1e999"}`))
	if e, ok := errors.AsType[*attr.ValueError](err); !ok || e.Check != attr.CheckNumber || !errors.Is(err, attr.ErrNumberOverflow) {
		t.Errorf("%v", err)
	}
	for check, text := range map[attr.Check]string{
		attr.CheckNoType: `{}`, attr.CheckManyType: `{"S":"","N":"1"}`, attr.CheckEmptySet: `{"SS":[]}`,
		attr.CheckSetTwice: `{"NS":["1","1"]}`, attr.CheckNull: `{"NULL":false}`,
		attr.CheckDepth: strings.Repeat(`{"L":[`, 2000) + strings.Repeat(`]}`, 2000),
	} {
		_, err := attr.ParseValue([]byte(text))
		if e, ok := errors.AsType[*attr.ValueError](err); !ok || e.Check != check {
			t.Errorf("%.20s: %v", text, err)
		}
	}
	if _, err := attr.ParseValue([]byte(strings.Repeat(`{"L":[`, 1_000_000))); outcome(attr.Value{}, err) != "syntax" {
		t.Errorf("a million brackets: %v", err)
	}
}

func TestDepth(t *testing.T) {
	for wraps, text := range map[int]string{
		0:  `{"SS":["a"]}`,
		1:  `{"L":[]}`,
		2:  `{"M":{"a":{"N":"1"},"b":{"L":[]}}}`,
		31: strings.Repeat(`{"L":[`, 31) + `{"S":""}` + strings.Repeat(`]}`, 31),
		32: strings.Repeat(`{"M":{"x":`, 32) + `{"S":""}` + strings.Repeat(`}}`, 32),
	} {
		v, err := attr.ParseValue([]byte(text))
		if err != nil || v.Depth() != wraps {
			t.Errorf("%s: depth %d, %v", text, v.Depth(), err)
		}
		if it := attr.ItemOf(attr.Field{Name: "a", Value: v}); it.Depth() != wraps {
			t.Errorf("%s: item's depth %d", text, it.Depth())
		}
	}
}

func TestAppendInvalidUTF8(t *testing.T) {
	it := attr.ItemOf(attr.Field{Name: "n\xff", Value: attr.Text("a\xc3b\xe2\x82")})
	if got := it.String(); got != `{"n�":{"S":"a�b�"}}` && got != `{"n�":{"S":"a�b��"}}` {
		t.Error(got)
	}
	if text := attr.AppendItem(nil, it); !utf8.Valid(text) || !json.Valid(text) {
		t.Errorf("%q", text)
	}
}

// randomValue makes values of all types with texts that need escapes.
func randomValue(r *rand.Rand, depth int) attr.Value {
	text := func() string {
		const letters = "ab\"\\/\n\t\x00\x1f é€😀\u2028<&"
		runes := []rune(letters)
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteRune(runes[r.IntN(len(runes))])
		}
		return b.String()
	}
	bin := func() []byte {
		b := make([]byte, r.IntN(6))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	switch r.IntN(kinds) {
	case 0:
		return attr.Text(text())
	case 1:
		return attr.Num(randomNumber(r))
	case 2:
		return attr.Binary(bin())
	case 3:
		return attr.Bool(r.IntN(2) == 0)
	case 4:
		return attr.Null()
	case 5:
		return attr.TextSet(text(), text(), text())
	case 6:
		return attr.NumSet(randomNumber(r), randomNumber(r))
	case 7:
		return attr.BinarySet(bin(), bin())
	case 8:
		var l []attr.Value
		for range r.IntN(4) {
			l = append(l, randomValue(r, depth-1))
		}
		return attr.List(l...)
	default:
		return attr.Map(randomItem(r, depth-1))
	}
}

func randomItem(r *rand.Rand, depth int) attr.Item {
	var it attr.Item
	for range r.IntN(5) {
		it.Set(string(rune('a'+r.IntN(26)))+strings.Repeat("\"é", r.IntN(2)), randomValue(r, depth))
	}
	return it
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		it := randomItem(r, 4)
		text := attr.AppendItem(nil, it)
		again, err := attr.ParseItem(text)
		if err != nil || !attr.EqualItems(it, again) {
			t.Fatalf("%s\nreads as %v %v", text, again, err)
		}
		if !json.Valid(text) {
			t.Fatalf("encoding/json does not take %s", text)
		}
		for name, v := range it.All() {
			got, ok := attr.Lookup(text, name)
			if !ok || !attr.Equal(got, v) {
				t.Fatalf("%s\nlookup of %q: %v %v", text, name, got, ok)
			}
		}
		if v, ok := attr.Lookup(text, "not there"); ok {
			t.Fatalf("%s has %v", text, v)
		}
		if it.Size() != again.Size() {
			t.Fatalf("%s: sizes %d and %d", text, it.Size(), again.Size())
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct{ item, name, want string }{
		{`{}`, "a", ""},
		{`{"a":{"S":"x"}}`, "a", `{"S":"x"}`},
		{` { "b" : { "S" : "}],\"" } , "a" : { "L" : [ { "S" : "\\" } ] } } `, "a", `{"L":[{"S":"\\"}]}`},
		{`{"x":{"M":{"a":{"S":"inner"}}},"a":{"N":"1"}}`, "a", `{"N":"1"}`},
		{`{"x":{"M":{"a":{"S":"inner"}}}}`, "a", ""},
		{`{"\u0061":{"N":"1"}}`, "a", `{"N":"1"}`},
		{`{"a":{"N":"1"},"a":{"N":"2"}}`, "a", `{"N":"2"}`},
		{`{"a":{"N":"x"}}`, "a", ""},
		{``, "a", ""}, {`{`, "a", ""}, {`{"a`, "a", ""}, {`{"a"`, "a", ""}, {`{"a":`, "a", ""}, {`{"a":}`, "a", ""}, {`[]`, "a", ""}, {`"a"`, "a", ""},
	} {
		v, ok := attr.Lookup([]byte(c.item), c.name)
		got := ""
		if ok {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.name, c.item, got, c.want)
		}
	}
}

// simple reads DynamoDB JSON by way of encoding/json's maps: slow, obvious, and written only to be compared with. Texts
// that are no attribute values give false.
func simple(x any) (attr.Value, bool) {
	m, ok := x.(map[string]any)
	if !ok {
		return attr.Value{}, false
	}
	var out []attr.Value
	for letter, content := range m {
		if content == nil {
			continue
		}
		text, isText := content.(string)
		truth, isBool := content.(bool)
		list, isList := content.([]any)
		object, isObject := content.(map[string]any)
		good := true
		texts := func() (l []string) {
			for _, e := range list {
				s, ok := e.(string)
				good = good && ok
				l = append(l, s)
			}
			return l
		}
		binary := func(s string) []byte {
			b, err := base64.StdEncoding.Strict().DecodeString(s)
			good = good && err == nil && base64.StdEncoding.EncodeToString(b) == s
			return b
		}
		number := func(s string) attr.Number {
			n, err := attr.ParseNumber(s)
			good = good && err == nil
			return n
		}
		var v attr.Value
		switch letter {
		case "S":
			v, good = attr.Text(text), isText
		case "N":
			v = attr.Num(number(text))
			good = good && isText
		case "B":
			v = attr.Binary(binary(text))
			good = good && isText
		case "BOOL":
			v, good = attr.Bool(truth), isBool
		case "NULL":
			v, good = attr.Null(), isBool && truth
		case "SS":
			v = attr.TextSet(texts()...)
			good = good && isList && len(v.Elems()) == len(list) && len(list) > 0
		case "NS":
			var l []attr.Number
			for _, s := range texts() {
				l = append(l, number(s))
			}
			v = attr.NumSet(l...)
			good = good && isList && len(v.Elems()) == len(list) && len(list) > 0
		case "BS":
			var l [][]byte
			for _, s := range texts() {
				l = append(l, binary(s))
			}
			v = attr.BinarySet(l...)
			good = good && isList && len(v.Elems()) == len(list) && len(list) > 0
		case "L":
			var l []attr.Value
			for _, e := range list {
				x, ok := simple(e)
				good = good && ok
				l = append(l, x)
			}
			v = attr.List(l...)
			good = good && isList
		case "M":
			var it attr.Item
			for name, e := range object {
				x, ok := simple(e)
				good = good && ok && name != ""
				it.Set(name, x)
			}
			v = attr.Map(it)
			good = good && isObject
		default:
			continue
		}
		if !good {
			return attr.Value{}, false
		}
		out = append(out, v)
	}
	if len(out) != 1 {
		return attr.Value{}, false
	}
	return out[0], true
}

func FuzzParseValue(f *testing.F) {
	for _, c := range valueCases(f) {
		f.Add([]byte(c[0]))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		f.Add(attr.AppendValue(nil, randomValue(r, 3)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		v, err := attr.ParseValue(text)
		if !bytes.Equal(before, text) {
			t.Fatal("the input was changed")
		}
		if _, isSyntax := errors.AsType[*attr.SyntaxError](err); isSyntax != (!json.Valid(text) || !utf8.Valid(text)) {
			t.Fatalf("%q: %v, but encoding/json says %v, utf8 %v", text, err, json.Valid(text), utf8.Valid(text))
		}
		if !repeatsKey(text) && utf8.Valid(text) {
			var x any
			var want attr.Value
			good := json.Unmarshal(text, &x) == nil
			if good {
				want, good = simple(x)
			}
			if check, ok := errors.AsType[*attr.ValueError](err); ok && check.Check == attr.CheckDepth {
				return
			}
			if good != (err == nil) || good && !attr.Equal(v, want) {
				t.Fatalf("%q: %v %v, want %v", text, v, err, want)
			}
		}
		if err != nil {
			return
		}
		printed := attr.AppendValue(nil, v)
		clear(text) // the value must not alias it
		again, err := attr.ParseValue(printed)
		if err != nil || !attr.Equal(v, again) || !bytes.Equal(printed, attr.AppendValue(nil, again)) {
			t.Fatalf("%q is printed %s, which reads as %v %v", before, printed, again, err)
		}
	})
}

// repeatsKey reports whether an object has a key twice: then encoding/json and DynamoDB JSON may take another one, at
// any rate in what is not read.
func repeatsKey(text []byte) bool {
	d := attr.NewDecoder(text)
	var look func() bool
	look = func() bool {
		repeated := false
		switch d.Next() {
		case attr.JSONObject:
			seen := map[string]bool{}
			for key := range d.Fields("") {
				repeated = repeated || seen[string(key)]
				seen[string(key)] = true
				repeated = look() || repeated
			}
		case attr.JSONArray:
			for range d.Elems() {
				repeated = look() || repeated
			}
		default:
			d.Skip()
		}
		return repeated
	}
	return look()
}

func FuzzParseItem(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		f.Add(attr.AppendItem(nil, randomItem(r, 3)), "a")
	}
	f.Add([]byte(`{"a":{"S":"x"},"a":{"N":"1"}}`), "a")
	f.Add([]byte(`[]`), "")
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		found, ok := attr.Lookup(text, name) // never panics
		it, err := attr.ParseItem(text)
		if err != nil {
			return
		}
		if ok != it.Has(name) || !attr.Equal(found, it.Get(name)) {
			t.Fatalf("%s: lookup of %q: %v %v", text, name, found, ok)
		}
		for i := 1; i < it.Len(); i++ {
			if it.At(i-1).Name >= it.At(i).Name {
				t.Fatalf("%s: %q before %q", text, it.At(i-1).Name, it.At(i).Name)
			}
		}
		printed := attr.AppendItem(nil, it)
		again, err := attr.ParseItem(printed)
		if err != nil || !attr.EqualItems(it, again) {
			t.Fatalf("%s is printed %s, which reads as %v %v", text, printed, again, err)
		}
		if v, err := attr.ParseValue([]byte(`{"M":` + string(text) + `}`)); err != nil || !attr.EqualItems(v.Map(), it) {
			t.Fatalf("%s as a map: %v %v", text, v, err)
		}
	})
}

// anOrder is an item as applications store it.
const anOrder = `{"PK":{"S":"o#01HZX3V7M8"},"SK":{"S":"o"},"customerId":{"S":"c-1843"},"lines":{"L":[` +
	`{"M":{"price":{"N":"19.9"},"qty":{"N":"2"},"sku":{"S":"p-77120"}}},{"M":{"price":{"N":"5"},"qty":{"N":"1"},"sku":{"S":"p-10003"}}}]},` +
	`"note":{"S":"Leave it at the door, please."},"placedAt":{"S":"2026-05-17T09:30:00Z"},"ship":{"M":{"city":{"S":"Oslo"},"street":{"S":"Storgata 1"}}},` +
	`"status":{"S":"paid"},"tags":{"SS":["gift","web"]},"total":{"N":"44.8"},"version":{"N":"3"}}`

func TestJSONAllocations(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	text := []byte(anOrder)
	it, err := attr.ParseItem(text)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	for name, c := range map[string]struct {
		max float64
		f   func()
	}{
		"append": {0, func() { buf = attr.AppendItem(buf[:0], it) }},
		"size":   {0, func() { _ = it.Size() }},
		"equal":  {0, func() { _ = attr.EqualItems(it, it) }},
		// texts, attributes, and two for each of 4 containers and the list
		"parse":  {2 + 2*5, func() { _, _ = attr.ParseItem(text) }},
		"lookup": {1, func() { _, _ = attr.Lookup(text, "status") }},
	} {
		if got := testing.AllocsPerRun(200, c.f); got > c.max {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.max)
		}
	}
}

func BenchmarkJSON(b *testing.B) {
	text := []byte(anOrder)
	it, err := attr.ParseItem(text)
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	for name, f := range map[string]func(){
		"parse":               func() { _, _ = attr.ParseItem(text) },
		"append":              func() { buf = attr.AppendItem(buf[:0], it) },
		"lookup":              func() { _, _ = attr.Lookup(text, "version") },
		"skip":                func() { d := attr.NewDecoder(text); d.Skip() },
		"encoding/json parse": func() { var x any; _ = json.Unmarshal(text, &x) },
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
