package keys_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// TestCodecs holds codecs to testdata/codecs.txt, and reads back what they wrote.
func TestCodecs(t *testing.T) {
	file, err := os.ReadFile("testdata/codecs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(file), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		input, output, _ := strings.Cut(rest, " = ")
		c, err := keys.ParseCodec(name)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		var v attr.Value
		if s, err := strconv.Unquote(input); err == nil {
			v = attr.Text(s)
		} else {
			v = attr.Num(attr.Dec(input))
		}
		got, err := c.Append([]byte("before "), v)
		if want, fails := strings.CutPrefix(output, "error "); fails {
			if err == nil || err.Error() != want || string(got) != "before " {
				t.Errorf("line %d: %q, %v", i+1, got, err)
			}
			continue
		}
		want, unquoteErr := strconv.Unquote(output)
		if unquoteErr != nil {
			t.Fatalf("line %d: %v", i+1, unquoteErr)
		}
		if err != nil || string(got) != "before "+want {
			t.Errorf("line %d: %q, %v", i+1, got, err)
		}
		back, err := c.Decode(want)
		if c.ReadsBack() && (err != nil || !attr.Equal(back, v)) {
			t.Errorf("line %d: reads back as %v, %v", i+1, back, err)
		}
		if !c.ReadsBack() && err == nil {
			t.Errorf("line %d: reads back", i+1)
		}
		wire, err := c.Wire(v)
		kind := attr.KindS
		if c.Numeric() {
			kind = attr.KindN
		}
		if err != nil || wire.Kind() != kind || wire.Str() != want {
			t.Errorf("line %d: on the wire %v, %v", i+1, wire, err)
		}
	}
}

func TestParseCodec(t *testing.T) {
	for _, s := range allCodecs {
		c, err := keys.ParseCodec(s)
		if err != nil || c.String() != s {
			t.Errorf("%s: %s, %v", s, c, err)
		}
	}
	if c, _ := keys.ParseCodec("signed10.2"); c != keys.Signed(10, 2) {
		t.Errorf("signed10.2 is %v", c)
	}
	if c, _ := keys.ParseCodec("pad10.2"); c != keys.Pad(10, 2) {
		t.Error("codecs are comparable values")
	}
	const pad = ": pad takes the number of digits, such as pad10 or pad10.2, at most 38 in all"
	for s, want := range map[string]string{
		"":                      `keys: unknown codec ""`,
		"TEXT":                  `keys: unknown codec "TEXT"`,
		"shard":                 `keys: unknown codec "shard"`,
		"pad":                   `keys: codec "pad"` + pad,
		"pad0":                  `keys: codec "pad0"` + pad,
		"pad01":                 `keys: codec "pad01"` + pad,
		"pad39":                 `keys: codec "pad39"` + pad,
		"pad100":                `keys: codec "pad100"` + pad,
		"pad+1":                 `keys: codec "pad+1"` + pad,
		"pad4.0":                `keys: codec "pad4.0"` + pad,
		"pad4.":                 `keys: codec "pad4."` + pad,
		"pad30.9":               `keys: codec "pad30.9"` + pad,
		"text:inverted":         "keys: codec text cannot be inverted: only iso, ms13, pad, signed and day can",
		"epoch-ms:inverted":     "keys: codec epoch-ms cannot be inverted: only iso, ms13, pad, signed and day can",
		"month:inverted":        "keys: codec month cannot be inverted: only iso, ms13, pad, signed and day can",
		"iso:":                  `keys: after codec iso only inverted can follow, not ""`,
		"minutes":               `keys: codec "minutes": minutes takes a number that divides 60, such as minutes15`,
		"minutes60":             `keys: codec "minutes60": minutes takes a number that divides 60, such as minutes15`,
		"hours1":                `keys: codec "hours1": hours takes a number that divides 24, such as hours6`,
		"hours6:inverted":       "keys: codec hours6 cannot be inverted: only iso, ms13, pad, signed and day can",
		"iso:text":              `keys: after codec iso only inverted can follow, not "text"`,
		"iso:inverted:inverted": `keys: after codec iso only inverted can follow, not "inverted:inverted"`,
	} {
		if c, err := keys.ParseCodec(s); err == nil || err.Error() != want || c != (keys.Codec{}) {
			t.Errorf("%q: %v, %v", s, c, err)
		}
	}
	for _, f := range []func(){func() { keys.Pad(0, 0) }, func() { keys.Pad(38, 1) }, func() { keys.Pad(3, -1) }, func() { keys.Minutes(7) }, func() { keys.Minutes(60) }, func() { keys.Hours(1) }, func() { keys.Hours(5) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
	if _, err := (keys.Codec{}).Append(nil, attr.Text("a")); err == nil {
		t.Error("no codec writes")
	}
}

var allCodecs = []string{
	"text", "raw", "lower", "iso", "iso:inverted", "ms13", "ms13:inverted", "epoch-ms", "epoch-s", "hour", "day", "day:inverted", "month",
	"minutes1", "minutes5", "minutes30", "hours2", "hours12",
	"pad1", "pad10", "pad10:inverted", "pad12.3", "pad12.3:inverted", "pad38", "pad1.37",
	"signed1", "signed10", "signed10:inverted", "signed12.3", "signed12.3:inverted", "signed38", "signed1.37",
}

// sample draws a value that the codec takes, from few and extreme ones so that ties, prefixes and borders come up.
func sample(r *rand.Rand, c keys.Codec) attr.Value {
	switch {
	case c.Takes(keys.String):
		return attr.Text(sampleText(r))
	case c.Takes(keys.Timestamp):
		if c.Takes(keys.Date) && r.IntN(4) == 0 {
			return attr.Text(sampleTime(r, c).Format(keys.DateLayout))
		}
		v, err := keys.TimestampOf(sampleTime(r, c))
		if err != nil {
			panic(err)
		}
		return v
	}
	if c.Takes(keys.Date) {
		return attr.Text(sampleTime(r, keys.DayCodec).Format(keys.DateLayout))
	}
	size := strings.TrimSuffix(strings.TrimPrefix(c.String(), "pad"), ":inverted")
	whole, fraction, _ := strings.Cut(size, ".")
	return attr.Num(attr.Dec("0" + sampleDigits(r, whole) + "." + sampleDigits(r, fraction) + "0"))
}

func sampleDigits(r *rand.Rand, most string) string {
	n, _ := strconv.Atoi(most) // "": no decimals
	var b []byte
	for range r.IntN(n + 1) {
		b = append(b, "0019"[r.IntN(4)])
	}
	return string(b)
}

var runes = []rune("\x00\x01 !\"#$%&0Aaz~\x7fÄKİé漢\ud7ff\ue000\uffff😀\U0010ffff")

func sampleText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

func sampleTime(r *rand.Rand, c keys.Codec) time.Time {
	if r.IntN(2) == 0 {
		return time.UnixMilli(1_795_251_840_000 + r.Int64N(5_000)*r.Int64N(100_000_000)).UTC()
	}
	if _, err := c.AppendTime(nil, time.UnixMilli(-1)); err == nil && r.IntN(2) == 0 {
		return time.UnixMilli(-62_167_219_200_000 + r.Int64N(62_167_219_200_001)).UTC()
	}
	return time.UnixMilli(r.Int64N(5_000)).UTC()
}

// compareValues orders logical values: texts by their UTF-8 bytes, timestamps and dates by time, numbers by value.
func compareValues(t *testing.T, a, b attr.Value) int {
	if a.Kind() == attr.KindN {
		return attr.Compare(a, b)
	}
	moment := func(v attr.Value) (time.Time, bool) {
		if at, err := keys.TimeOf(v); err == nil {
			return at, true
		}
		at, err := time.Parse(keys.DateLayout, v.Str())
		return at, err == nil
	}
	if at, ok := moment(a); ok {
		bt, _ := moment(b)
		return at.Compare(bt)
	}
	return cmp.Compare(a.Str(), b.Str())
}

// TestProperties draws pairs of values and holds every codec to what it says of itself: order, reading back, prefixes,
// bytes and lengths.
func TestProperties(t *testing.T) {
	for _, name := range allCodecs {
		t.Run(name, func(t *testing.T) {
			c, _ := keys.ParseCodec(name)
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			for range 20_000 {
				a, b := sample(r, c), sample(r, c)
				if r.IntN(10) == 0 {
					b = a
				}
				x, err := c.Append(nil, a)
				if err != nil {
					t.Fatalf("%v: %v", a, err)
				}
				y, err := c.Append(nil, b)
				if err != nil {
					t.Fatalf("%v: %v", b, err)
				}
				checkOrder(t, c, a, b, string(x), string(y))
				checkShape(t, c, a, string(x))
				if c.ReadsBack() {
					if back, err := c.Decode(string(x)); err != nil || !attr.Equal(back, a) {
						t.Fatalf("%v is written %q and read %v, %v", a, x, back, err)
					}
				}
				if c.KeepsPrefix() && strings.HasPrefix(a.Str(), b.Str()) != strings.HasPrefix(string(x), string(y)) {
					t.Fatalf("%v begins with %v, %q with %q: not both", a, b, x, y)
				}
			}
		})
	}
}

func checkOrder(t *testing.T, c keys.Codec, a, b attr.Value, x, y string) {
	t.Helper()
	values, texts := compareValues(t, a, b), cmp.Compare(x, y)
	if c.Numeric() {
		texts = attr.Dec(x).Cmp(attr.Dec(y))
	}
	ok := false
	switch c.Order() {
	case keys.Same:
		ok = texts == values
	case keys.Reversed:
		ok = texts == -values
	case keys.Weakly:
		ok = texts == values || texts == 0
	case keys.NoOrder:
		ok = values != 0 || texts == 0
	}
	if !ok {
		t.Fatalf("%v order: %v and %v are written %q and %q", c.Order(), a, b, x, y)
	}
}

// TestNearest: the end of a range may be any number. What is written beyond it on one side is what is written from the
// nearest number on.
func TestNearest(t *testing.T) {
	for _, test := range []struct{ codec, value, up, down string }{
		{"pad4.2", "-5", "0", ""}, {"pad4.2", "12.345", "12.35", "12.34"}, {"pad4.2", "9999.995", "", "9999.99"}, {"pad4.2", "12.3", "12.3", "12.3"},
		{"pad3", "0.5", "1", "0"}, {"pad3", "1000", "", "999"}, {"pad3:inverted", "-1", "0", ""},
		{"signed3.1", "-0.05", "0", "-0.1"}, {"signed3.1", "-1000", "-999.9", ""}, {"signed3.1", "0.05", "0.1", "0"},
		{"epoch-s", "-5", "-5", "-5"},
	} {
		c, err := keys.ParseCodec(test.codec)
		if err != nil {
			t.Fatal(err)
		}
		for up, want := range map[bool]string{true: test.up, false: test.down} {
			got, ok := c.Nearest(attr.Num(attr.Dec(test.value)), up)
			if ok != (want != "") || ok && got.Number().Cmp(attr.Dec(want)) != 0 {
				t.Errorf("%s: next to %s (up %v) is %v, %v, want %q", test.codec, test.value, up, got, ok, want)
			}
		}
	}
	if v, ok := keys.RawCodec.Nearest(attr.Text("x"), true); !ok || v.Str() != "x" {
		t.Errorf("of a text it is %v, %v", v, ok)
	}
}

func checkShape(t *testing.T, c keys.Codec, v attr.Value, s string) {
	t.Helper()
	if s != "" && !c.First().Has(s[0]) {
		t.Fatalf("%q begins with an unexpected byte", s)
	}
	for i := range len(s) {
		if !c.Holds().Has(s[i]) {
			t.Fatalf("%q holds the unexpected byte %#x", s, s[i])
		}
	}
	if least, most := c.Len(len(v.Str()), len(v.Str())); len(s) < least || len(s) > most {
		t.Fatalf("%q has %d bytes, not %d to %d", s, len(s), least, most)
	}
	if !utf8.ValidString(s) {
		t.Fatalf("%q is no UTF-8", s)
	}
}

// TestByteSetsAreTight: every byte that a codec of few bytes says it can begin with or hold does come up.
func TestByteSetsAreTight(t *testing.T) {
	for _, name := range []string{"iso", "iso:inverted", "ms13:inverted", "epoch-ms", "epoch-s", "hour", "day", "month", "minutes1", "minutes15", "hours6", "pad10", "pad12.3"} {
		c, _ := keys.ParseCodec(name)
		r := rand.New(rand.NewPCG(3, 4))
		var first, held keys.ByteSet
		for i := range 20_000 {
			v := attr.Num(attr.Uint(r.Uint64N(10_000_000_000)))
			if name == "pad12.3" {
				v = attr.Num(attr.Dec(strconv.FormatUint(r.Uint64N(1_000_000_000_000), 10) + "." + strconv.Itoa(r.IntN(1_000))))
			}
			if c.Takes(keys.Timestamp) {
				ms := int64(-62_167_219_200_000) + r.Int64N(315_569_519_999_999)
				if name == "ms13:inverted" {
					ms = r.Int64N(10_000_000_000_000)
				}
				if i == 0 {
					ms = 0
				}
				v, _ = keys.TimestampOf(time.UnixMilli(ms))
			}
			s, err := c.Append(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			first = first.With(s[0], s[0])
			for _, b := range s {
				held = held.With(b, b)
			}
		}
		if first != c.First() || held != c.Holds() {
			t.Errorf("%s begins with %d kinds of bytes and holds %d, not %d and %d", name, first.Len(), held.Len(), c.First().Len(), c.Holds().Len())
		}
	}
}

func TestByteSet(t *testing.T) {
	letters, digits := keys.ByteSet{}.With('a', 'z'), keys.ByteSet{}.With('0', '9')
	both := letters.Union(digits)
	if both.Len() != 36 || letters.Intersects(digits) || !both.Intersects(digits) || both.Has('A') || !both.Has('q') {
		t.Errorf("%v", both)
	}
	if all := (keys.ByteSet{}).With(0, 255); all.Len() != 256 || !all.Has(255) || !all.Has(0) {
		t.Errorf("%v", all)
	}
}

func TestTakes(t *testing.T) {
	for name, want := range map[string][]keys.Type{
		"text": {keys.String, keys.Date}, "raw": {keys.String, keys.Date}, "lower": {keys.String},
		"iso": {keys.Timestamp}, "epoch-s": {keys.Timestamp}, "hour": {keys.Timestamp},
		"day": {keys.Timestamp, keys.Date}, "day:inverted": {keys.Date}, "pad3": {keys.Number},
	} {
		c, _ := keys.ParseCodec(name)
		taken := 0
		for _, ty := range []keys.Type{keys.String, keys.Number, keys.Timestamp, keys.Date} {
			if c.Takes(ty) {
				taken++
			}
		}
		for _, ty := range want {
			if !c.Takes(ty) {
				t.Errorf("%s does not take type %d", name, ty)
			}
		}
		if taken != len(want) {
			t.Errorf("%s takes %d types, not %d", name, taken, len(want))
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, texts := range map[string][]string{
		"text":          {"a b", "a#", "$", "$2", "$25", "$2a", "$GG", "a$0"},
		"iso":           {"", "2026-11-21", "2026-11-21T09:04:00,000Z", "2026-13-21T09:04:00.000Z", "2026-11-21T24:00:00.000Z"},
		"iso:inverted":  {"2026-11-21T09:04:00.000Z"},
		"ms13":          {"", "1", "-000000000001", "+000000000001", "00000000000000", "000000000000x"},
		"ms13:inverted": {"1", "x000000000000"},
		"epoch-ms":      {"", "01", "+1", "-0", "1.5", "253402300800000", "99999999999999999999"},
		"pad4":          {"", "1", "00001", "-001", "00x1", " 001", "1.00"},
		"pad4.2":        {"0001,50", "000150", "0001.5", "00.1.50", "0001.5x", "0001.500"},
		"pad4:inverted": {"999", "99990"},
		"lower":         {"a"},
		"day":           {"2026-11-21"},
		"day:inverted":  {"", "2026-11-21", "7973-88-67", "7973-88-78T"},
		"epoch-s":       {"1"},
		"pad1.1":        {"1..", ".11", "1.."},
	} {
		c, err := keys.ParseCodec(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range texts {
			if v, err := c.Decode(s); err == nil {
				t.Errorf("%s reads %q as %v", name, s, v)
			}
		}
	}
}

func TestTimestampOf(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 4, 0, 123_999_999, time.FixedZone("", 3600))
	v, err := keys.TimestampOf(at)
	if err != nil || v.Str() != "2026-11-21T09:04:00.123Z" {
		t.Errorf("%v, %v", v, err)
	}
	back, err := keys.TimeOf(v)
	if err != nil || !back.Equal(at.Truncate(time.Millisecond)) || back.Location() != time.UTC {
		t.Errorf("%v, %v", back, err)
	}
	before1970, _ := keys.TimestampOf(time.Unix(0, -1))
	if before1970.Str() != "1969-12-31T23:59:59.999Z" {
		t.Errorf("what is finer is cut off towards the past: %v", before1970)
	}
	for _, at := range []time.Time{time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 12, 31, 23, 0, 0, 0, time.UTC)} {
		if v, err := keys.TimestampOf(at); err == nil {
			t.Errorf("%v", v)
		}
		if _, err := keys.ISOCodec.AppendTime(nil, at); err == nil {
			t.Errorf("%v is written", at)
		}
	}
	if _, err := keys.TextCodec.AppendTime(nil, at); err == nil {
		t.Error("text takes no timestamp")
	}
	if _, err := keys.TimeOf(attr.Num(attr.Int(1))); err == nil {
		t.Error("a number is no timestamp")
	}
}

// TestEveryDay compares all days of four centuries, and some invalid ones, with package time.
func TestEveryDay(t *testing.T) {
	for _, from := range []int{0, 1700, 9600} {
		for y := from; y < from+400; y++ {
			for m := range 14 {
				for d := range 33 {
					s := fmt.Sprintf("%04d-%02d-%02dT23:59:59.999Z", y, m, d)
					want, wantErr := time.Parse(keys.TimestampLayout, s)
					got, err := keys.TimeOf(attr.Text(s))
					if (err == nil) != (wantErr == nil) || err == nil && !got.Equal(want) {
						t.Fatalf("%s: %v, %v, not %v, %v", s, got, err, want, wantErr)
					}
				}
			}
		}
	}
}

// FuzzParseCodec: what parses prints the same, and codecs that parse read back only what they wrote.
func FuzzParseCodec(f *testing.F) {
	for _, s := range allCodecs {
		f.Add(s, "2026-11-21T09:04:00.000Z")
		f.Add(s, "1795251840000")
		f.Add(s, "$00a$24")
	}
	f.Fuzz(func(t *testing.T, name, s string) {
		c, err := keys.ParseCodec(name)
		if err != nil {
			return
		}
		if c.String() != name {
			t.Fatalf("%q prints as %q", name, c)
		}
		v, err := c.Decode(s)
		if err != nil {
			return
		}
		again, err := c.Append(nil, v)
		if err != nil || string(again) != s {
			t.Errorf("%s reads %q as %v and writes it %q, %v", c, s, v, again, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	at, _ := keys.TimestampOf(time.UnixMilli(1_795_251_840_000))
	for name, v := range map[string]attr.Value{
		"text": attr.Text("01J9ZQ2M3N4P5Q6R7S8T9V0W1X"), "iso:inverted": at, "ms13": at, "pad10": attr.Num(attr.Int(4711)),
	} {
		c, _ := keys.ParseCodec(name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			buf := make([]byte, 0, 64)
			for b.Loop() {
				buf, _ = c.Append(buf[:0], v)
			}
		})
	}
}

// TestOutside: a value of the right type past what a codec writes is told from one of another type.
func TestOutside(t *testing.T) {
	for _, c := range []struct {
		codec   string
		value   attr.Value
		outside bool
	}{
		{"pad3", attr.Num(attr.Int(1_000)), true},
		{"pad3", attr.Num(attr.Int(-1)), true},
		{"pad3.1", attr.Num(attr.Dec("1.25")), true},
		{"ms13", attr.Text("1969-12-31T23:59:59.999Z"), true},
		{"pad3", attr.Text("1000"), false},
		{"ms13", attr.Text("yesterday"), false},
	} {
		codec, err := keys.ParseCodec(c.codec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = codec.Append(nil, c.value); err == nil || errors.Is(err, keys.ErrOutside) != c.outside {
			t.Errorf("%s of %v: %v", c.codec, c.value, err)
		}
	}
}
