package stats

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

var classes, words = regexp.MustCompile(`<[A-Za-z]+>|\{[^{}]*\}`), regexp.MustCompile(`[A-Za-z0-9]`)

// Whatever an item looks like, its prints are bounded, and no mark of a word is left where they are shown.
func FuzzPrint(f *testing.F) {
	f.Add([]byte(`{"PK":{"S":"o#17#l#3"},"orderId":{"S":"17"},"at":{"N":"1763800000"},"m":{"M":{"a":{"L":[{"NULL":true}]}}},"s":{"NS":["1.0","2e3"]}}`), false)
	f.Add([]byte(`{"PK":{"S":"2026-11-22T10:00:00.123+01:00|ann@example.com|7f3b9c1e-aaaa-4bbb-8ccc-0123456789ab"},"x":{"S":"a\u0001b"},"y":{"S":""},"z":{}}`), true)
	f.Add([]byte(`{"a":{"S":"`), true)
	f.Add([]byte("{\"\x02\":{\"S\":\"x-1\"},\"PK\":{\"S\":\"x-1#x-1\"}}"), false)
	f.Add([]byte(`{"}0":{"S":"x-1"},"PK":{"S":"x-1#x-1"}}`), true)
	f.Fuzz(func(t *testing.T, item []byte, hashed bool) {
		o := Options{Keys: 64}
		if hashed {
			o.HashKeys = []byte("secret")
		}
		c := NewCollector(o)
		var p printer
		k := attr.Skim(item)
		fields, _ := k.AppendFields(nil)
		list := p.print(c, &tableKeys{partition: "PK"}, fields)
		if len(list) > printsKept {
			t.Fatalf("%d attributes", len(list))
		}
		items := make([]SizedItem, 3)
		for i := range items {
			items[i].see(list)
			items[i].see(list)
		}
		literals(items)
		for _, a := range items[0].Attributes {
			if strings.ContainsAny(a.Shape, "\x01\x02") || a.Bytes < 0 || a.Changes != 0 {
				t.Errorf("%+v of %q", a, item)
			}
			if hashed && words.MatchString(classes.ReplaceAllString(a.Shape, "")) {
				t.Errorf("%q shows a word", a.Shape)
			}
		}
	})
}

// Texts that are a day or a moment have its number, others none.
func TestTimeText(t *testing.T) {
	for text, want := range map[string]float64{
		"2026-11-22":                     1795305600,
		"2026-11-22T12:00:00Z":           1795348800,
		"2026-11-22T12:00:00.123456789Z": 1795348800,
		"2026-11-22 12:00:00":            1795348800,
		"2026-11-22T12:00:00":            1795348800,
		"2026-11-22T13:00:00+01:00":      1795348800,
		"2026-11-22T10:30:00-0130":       1795348800,
		"2026-11-22T12:00":               0,
		"2026-13-22":                     0,
		"2026-11-22T25:00:00Z":           0,
		"2026-11-22T12:00:00+x1:00":      0,
		"2026-11-22Tnoon-it-is":          0,
		"1926-11-22":                     0,
		"abcd-ef-gh":                     0,
		"2026-11-2":                      0,
		"":                               0,
	} {
		if got := timeText([]byte(text)); got != want {
			t.Errorf("%q is %.0f, not %.0f", text, got, want)
		}
	}
}

// Numbers that can be a time, of seconds or milliseconds, are one.
func TestTimeNumber(t *testing.T) {
	for text, want := range map[string]float64{"1795305600": 1795305600, "1795305600.5": 1795305600.5, "1795305600123": 1795305600123, "4102444800": 4102444800, "4102444800000": 4102444800000,
		"4102444801": 0, "978307199": 0, "17": 0, "99999999999": 0, "1e9": 0, "": 0} {
		if got := timeNumber([]byte(text)); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}
