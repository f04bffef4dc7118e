package attr_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
)

type plainly struct {
	S     string           `ddb:"s"`
	I     int              `ddb:"i"`
	I8    int8             `ddb:"i8"`
	U     uint             `ddb:"u"`
	F     float64          `ddb:"f"`
	F32   float32          `ddb:"f32"`
	B     bool             `ddb:"b"`
	N     attr.Number      `ddb:"n"`
	T     time.Time        `ddb:"t"`
	ISO   time.Time        `ddb:"iso,iso"`
	Sec   time.Time        `ddb:"sec,epoch-s"`
	Milli time.Time        `ddb:"milli,epoch-ms"`
	P     *string          `ddb:"p"`
	PI    *int             `ddb:"pi"`
	O     attr.Opt[int]    `ddb:"o"`
	OS    attr.Opt[string] `ddb:"os"`
	In    struct {
		S string `ddb:"s"`
		I int    `ddb:"i"`
	} `ddb:"in"`
	Q *address `ddb:"q\"uote"`
}

// What the service writes is read a short way, all else the general way; white space makes the difference, and must not make
// any in what comes out.
func TestPlainAndSpaced(t *testing.T) {
	texts := []string{"", "a", "seven b", "eight by", "nine byte", "a text of more than eight bytes", `with \"quotes\" and \\`, `\u00e9\n`, "æøå",
		"12345678é", "1234567\x7f", "2026-05-17T12:00:00Z", "2026-05-17T12:00:00.123456789+02:00", "2026-13-17T12:00:00Z", "2026-05-17"}
	numbers := []string{"0", "-0", "7", "-7", "007", "127", "128", "-128", "-129", "255", "999999999999999999", "1000000000000000000", "-999999999999999999",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1.5", "1.50", "0.1", "-0.5", ".5", "5.", "1e3", "1E-130",
		"3.4e39", "12345678901234567890.123456789012345678", "", "-", "x", "1x", " 1"}
	others := []string{`{"BOOL":true}`, `{"BOOL":false}`, `{"BOOL":truex}`, `{"NULL":true}`, `{"NULL":false}`, `null`, `{"M":{"s":{"S":"x"},"i":{"N":"5"}}}`,
		`{"M":{}}`, `{"L":[{"S":"x"}]}`, `{"SS":["a"]}`, `{"B":"AAEC"}`, `{"S":"a","N":"1"}`, `{"S":"a","X":"1"}`, `{"S":null,"N":"1"}`, `{"S":5}`, `{}`,
		`{"S":"a"`, `{"S":"a`, `{"S":"a"]`, `{"S"`, `5`, `"a"`, `[]`}
	names := []string{"s", "i", "i8", "u", "f", "f32", "b", "n", "t", "iso", "sec", "milli", "p", "pi", "o", "os", "in", `q\"uote`, "unknown", ""}
	random := rand.New(rand.NewPCG(1, 2))
	value := func() string {
		switch random.IntN(4) {
		case 0:
			return `{"S":"` + texts[random.IntN(len(texts))] + `"}`
		case 1, 2:
			return `{"N":"` + numbers[random.IntN(len(numbers))] + `"}`
		}
		return others[random.IntN(len(others))]
	}
	right := map[string]string{"s": `{"S":"a text"}`, "i": `{"N":"-12"}`, "i8": `{"N":"-128"}`, "u": `{"N":"12"}`, "f": `{"N":"1.25"}`, "f32": `{"N":"0.5"}`,
		"b": `{"BOOL":true}`, "n": `{"N":"12.5"}`, "t": `{"S":"2026-05-17T12:00:00Z"}`, "iso": `{"S":"2026-05-17T12:00:00.000Z"}`, "sec": `{"N":"1779019200"}`,
		"milli": `{"N":"1779019200123"}`, "p": `{"S":"p"}`, "pi": `{"N":"5"}`, "o": `{"N":"6"}`, "os": `{"S":""}`, "in": `{"M":{"i":{"N":"1"},"s":{"S":"x"}}}`,
		`q\"uote`: `{"M":{"city":{"S":"Oslo"}}}`, "unknown": `{"N":"1"}`, "": `{"S":"x"}`}
	decoded, refused, malformed := 0, 0, 0
	for range 20_000 {
		var members []string
		for range random.IntN(6) + 1 {
			name := names[random.IntN(len(names))]
			v := right[name]
			if random.IntN(4) == 0 {
				v = value()
			}
			members = append(members, `"`+name+`":`+v)
		}
		text := "{" + strings.Join(members, ",") + "}"
		var got plainly
		whole, err := attr.DecodeWhole([]byte(text), &got)
		var spaced bytes.Buffer
		if json.Indent(&spaced, []byte(text), " ", "\t") != nil {
			malformed++
			if err == nil {
				t.Fatalf("%s was read, which is no JSON", text)
			}
			if _, perr := attr.ParseItem([]byte(text)); perr == nil || perr.Error() != err.Error() {
				t.Fatalf("%s: decoding says %v, parsing %v", text, err, perr)
			}
			continue
		}
		var want plainly
		wholly, wrong := attr.DecodeWhole(spaced.Bytes(), &want)
		if fmt.Sprint(err) != fmt.Sprint(wrong) && !shifted(err) {
			t.Fatalf("%s: %v; spaced: %v", text, err, wrong)
		}
		if (err == nil) != (wrong == nil) || whole != wholly {
			t.Fatalf("%s: %v, %v; spaced: %v, %v", text, err, whole, wrong, wholly)
		}
		if err != nil {
			refused++
			continue
		}
		decoded++
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %+v\nwant %+v", text, got, want)
		}
		it, err := attr.ParseItem([]byte(text))
		spread, serr := attr.ParseItem(spaced.Bytes())
		if err != nil || serr != nil {
			continue // attributes that nobody asks for may be wrong
		}
		if a, b := attr.AppendItem(nil, it), attr.AppendItem(nil, spread); !bytes.Equal(a, b) {
			t.Fatalf("%s parses as %s, spaced as %s", text, a, b)
		}
		var fromItem plainly
		if err := attr.UnmarshalItem(it, &fromItem); err != nil || !reflect.DeepEqual(got, fromItem) {
			t.Fatalf("%s\n got %+v\nfrom the item %+v, %v", text, got, fromItem, err)
		}
	}
	if decoded < 1000 || refused < 1000 || malformed < 100 {
		t.Errorf("%d decoded, %d refused, %d malformed: too few of one", decoded, refused, malformed)
	}
}

// shifted reports whether an error tells an offset, which white space moves.
func shifted(err error) bool {
	return err != nil && strings.Contains(err.Error(), "offset")
}

// The order of attributes is learned from item to item, and wrong as soon as one is missing or stands elsewhere.
func TestDecodeInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	type wide struct {
		A, B, C, D, E, F, G, H string
	}
	for range 500 {
		order := random.Perm(8)[:random.IntN(9)]
		var text []string
		var want wide
		for _, i := range order {
			name := string(rune('A' + i))
			reflect.ValueOf(&want).Elem().Field(i).SetString(name + "!")
			text = append(text, fmt.Sprintf(`%q:{"S":"%s!"}`, name, name))
		}
		got := wide{A: "old", H: "old"}
		whole, err := attr.DecodeWhole([]byte("{"+strings.Join(text, ",")+"}"), &got)
		if err != nil || got != want || whole != (len(order) == 8) {
			t.Fatalf("%v: %+v, whole %v, %v", order, got, whole, err)
		}
	}
}

// A type of more fields than there are bits in a few words.
func TestDecodeManyFields(t *testing.T) {
	var fields []reflect.StructField
	for i := range 200 {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%03d", i), Type: reflect.TypeFor[int]()})
	}
	typ := reflect.StructOf(fields)
	codec, err := attr.ItemCodecOf(typ)
	if err != nil {
		t.Fatal(err)
	}
	in := reflect.New(typ).Elem()
	for i := range fields {
		in.Field(i).SetInt(int64(i) - 100)
	}
	text, err := codec.Encode(nil, in)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time in the order that was learned
		out := reflect.New(typ).Elem()
		whole, err := codec.Decode(text, out)
		if err != nil || !whole || !reflect.DeepEqual(in.Interface(), out.Interface()) {
			t.Fatalf("whole %v, %v: %v", whole, err, out)
		}
	}
}
