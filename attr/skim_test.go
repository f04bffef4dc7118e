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
		skim := attr.Skim([]byte(text + `,"more":{"S":"x"}`))
		fields, whole := skim.AppendFields(nil)
		for i := range fields {
			f := &fields[i]
			sum += f.Size
			v, err := attr.ParseValue(f.Value)
			if err != nil || !attr.Equal(it.Get(nameOf(it, f)), v) {
				t.Errorf("%s: %s is %s (%v)", text, f.Name, f.Value, err)
			}
		}
		if len(fields) != it.Len() || string(whole) != strings.TrimSpace(text) {
			t.Errorf("%s: %d attributes in %s, want %d", text, len(fields), whole, it.Len())
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

// nameOf is which attribute of an item a field is, "" if none or several.
func nameOf(it attr.Item, f *attr.RawField) (found string) {
	for name := range it.All() {
		if f.Named(name) {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

// Parts that are gone into are passed as those are that are not.
func TestSkimmer(t *testing.T) {
	s := attr.Skim([]byte(` { "a" : [ { "S" : "x" } , [ ] , {"b":1, "c" : [2, 3]}, "t" ] , "n\u0061me" : {} , "d":{"N":"1"}}, "e"`))
	var got strings.Builder
	var read func()
	read = func() {
		switch s.Begins() {
		case '{':
			got.WriteString("{")
			for name, ok := s.Member(); ok; name, ok = s.Member() {
				got.Write(name)
				read()
			}
			got.WriteString("}")
		case '[':
			got.WriteString("[")
			for s.Element() {
				read()
			}
			got.WriteString("]")
		default:
			got.Write(s.Value())
		}
	}
	read()
	if want := `{a[{S"x"}[]{b1c[23]}"t"]n\u0061me{}d{N"1"}}`; got.String() != want || s.Begins() != ',' {
		t.Errorf("%s, then %q; want %s", got.String(), s.Begins(), want)
	}
	s = attr.Skim([]byte(`{"#a" : "b", "\u0023c":[1,{"d":2}],"e":3},4`))
	members := s.AppendMembers(nil)
	if len(members) != 3 || !members[1].Named("#c") || string(members[0].Value) != `"b"` || string(members[1].Value) != `[1,{"d":2}]` ||
		string(members[2].Value) != "3" || s.Begins() != ',' {
		t.Errorf("%v, then %q", members, s.Begins())
	}
	for _, damaged := range []string{``, `{`, `[`, `{"a"`, `{"a":`, `{"a":}`, `{1:2}`, `[1`, `[,]`, `[}`, `{]`, `nothing`, `{"a":1]`} {
		s := attr.Skim([]byte(damaged))
		n := 0
		for _, ok := s.Member(); ok && n < 9; _, ok = s.Member() {
			s.Value()
			n++
		}
		for s.Element() && n < 9 {
			s.Value()
			n++
		}
		if n == 9 {
			t.Errorf("%s has no end", damaged)
		}
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
		skim := attr.Skim([]byte(text))
		fields, _ := skim.AppendFields(nil)
		for i := range fields {
			sum += fields[i].Size
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
