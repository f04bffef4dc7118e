package attr_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
)

// Items whose sizes are found without building them.
var skimmed = []string{
	`{}`,
	` { "a" : { "S" : "x" } } `,
	`{"a":{"S":""},"b":{"N":"0"},"c":{"N":"-0"},"d":{"N":"007"},"e":{"N":"1.50"},"f":{"N":"1e3"},"g":{"N":"-123.45"},"h":{"N":"0.001"}}`,
	`{"n":{"N":"12345678901234567890123456789012345678"},"m":{"N":"1E-130"},"o":{"N":".5"},"p":{"N":"5."},"q":{"N":"120"}}`,
	`{"a\u00e9\n":{"S":"\u00e9\"\\\/\b\ud83d\ude00 \u20ac"},"é":{"S":"😀"}}`,
	`{"b":{"B":"AAEC"},"c":{"B":"AAE="},"d":{"B":"AA=="},"e":{"B":"\/\/\/\/"},"f":{"B":""}}`,
	`{"l":{"L":[{"S":"a"},{"L":[]},{"M":{}},{"BOOL":true},{"NULL":true}]},"m":{"M":{"x":{"N":"1"},"y":{"L":[{"S":"[]{},:"}]}}}}`,
	`{"s":{"SS":["a","bc","\"]"]},"n":{"NS":["1","-2","300"]},"b":{"BS":["AA==","AAEC"]}}`,
}

func TestItemSize(t *testing.T) {
	for _, text := range skimmed {
		it, err := attr.ParseItem([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, want := attr.ItemSize([]byte(text)), it.Size(); got != want {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
		sum := 0
		for _, size := range attr.Sizes([]byte(text + `,"more":{"S":"x"}`)) {
			sum += size
		}
		if sum != it.Size() {
			t.Errorf("%s: sizes add up to %d bytes, want %d", text, sum, it.Size())
		}
		n := 0
		for name, value := range attr.Members([]byte(text)) {
			v, err := attr.ParseValue(value)
			if got, want := attr.ValueSize(value), v.Size(); err != nil || got != want {
				t.Errorf("%s: %d bytes, want %d (%v)", value, got, want, err)
			}
			if !strings.Contains(string(name), `\`) && !attr.Equal(it.Get(string(name)), v) {
				t.Errorf("%s is no member of %s", name, text)
			}
			n++
		}
		if n != it.Len() {
			t.Errorf("%s: %d members, want %d", text, n, it.Len())
		}
	}
	text := []byte(skimmed[6])
	if n := testing.AllocsPerRun(100, func() { attr.ItemSize(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Whatever is an item has the size that it has when it is built; whatever is not does no harm.
func FuzzItemSize(f *testing.F) {
	for _, text := range skimmed {
		f.Add(text)
	}
	f.Add(`{"a":{"L":[`)
	f.Add(`{"a":{"S":"\ud800\u12`)
	f.Fuzz(func(t *testing.T, text string) {
		size := attr.ItemSize([]byte(text))
		sum := 0
		for _, size := range attr.Sizes([]byte(text)) {
			sum += size
		}
		if sum != size {
			t.Errorf("sizes add up to %d bytes, want %d", sum, size)
		}
		for e := range attr.Elements([]byte(text)) {
			attr.ValueSize(e)
		}
		it, err := attr.ParseItem([]byte(text))
		members := 0
		for range attr.Members([]byte(text)) {
			members++
		}
		if err == nil && members == it.Len() && !repeats(it) && size != it.Size() {
			t.Errorf("%d bytes, want %d", size, it.Size())
		}
	})
}

// repeats reports whether a map in the item may have had a name twice, of which the last counts: where there is a map at
// all, nobody can tell afterwards.
func repeats(it attr.Item) bool {
	for _, v := range it.All() {
		if v.Kind() == attr.KindM || v.Kind() == attr.KindL {
			return true
		}
	}
	return false
}

func BenchmarkItemSize(b *testing.B) {
	item := []byte(`{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},"status":{"S":"paid"},` +
		`"placedAt":{"S":"2026-11-21T12:00:00.000Z"},"total":{"N":"19.9"},"note":{"S":"ring twice"},"version":{"N":"1"}}`)
	b.SetBytes(int64(len(item)))
	for b.Loop() {
		attr.ItemSize(item)
	}
}
