package plain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/plain"
)

func TestPlain(t *testing.T) {
	it := attr.ItemOf(
		attr.Field{Name: "b", Value: attr.Binary([]byte{1, 2})},
		attr.Field{Name: "l", Value: attr.List(attr.Null(), attr.Bool(false))},
		attr.Field{Name: "n", Value: attr.Num(attr.Dec("12345678901234567890.5"))},
		attr.Field{Name: "s", Value: attr.Text("a\"\n")},
		attr.Field{Name: "ss", Value: attr.TextSet("y", "x")},
	)
	text := string(plain.AppendItem(nil, it))
	const want = `{"b":"AQI=","l":[null,false],"n":12345678901234567890.5,"s":"a\"\n","ss":["x","y"]}`
	if text != want {
		t.Errorf("written %s, want %s", text, want)
	}
	back, err := plain.Item([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const read = `{"b":{"S":"AQI="},"l":{"L":[{"NULL":true},{"BOOL":false}]},"n":{"N":"12345678901234567890.5"},"s":{"S":"a\"\n"},"ss":{"L":[{"S":"x"},{"S":"y"}]}}`
	if got := string(attr.AppendItem(nil, back)); got != read {
		t.Errorf("read %s, want %s", got, read)
	}
}

func TestPlainRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``: "no JSON", `{`: "no JSON", `[1]`: "a JSON object is wanted", `{"a":1}{}`: "follows", `{"a":1,"a":2}`: `"a" twice`,
		`{"a":1e999}`: "", `{"a":tru}`: "no JSON", `{"a":[1,}`: "no JSON",
	} {
		if _, err := plain.Item([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := plain.Item([]byte(strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40))); !errors.Is(err, attr.ErrDepth) {
		t.Error(err)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}],"c":"d"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		it, err := plain.Item(text)
		if err != nil {
			return
		}
		again, err := plain.Item(plain.AppendItem(nil, it))
		if err != nil || !attr.EqualItems(it, again) {
			t.Errorf("%s: %v", text, err)
		}
	})
}
