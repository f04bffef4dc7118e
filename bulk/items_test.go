package bulk_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/bulk"
)

func TestItems(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprintln(z, `{"Item":{"a":{"N":"1"}}}`)
	_ = z.Close()
	for _, c := range []struct {
		name, text, want string
		format           bulk.Format
	}{
		{"as exported", "{\"Item\":{\"a\":{\"N\":\"1\"}}}\n\n{\"Item\":{\"a\":{\"S\":\"x\"}}}", "1 x", ""},
		{"without Item", `{"a":{"N":"1"}}`, "1", ""},
		{"plain", "\ufeff{\"a\":1}\n{\"a\":\"x\"}\n", "1 x", ""},
		{"the first line decides", "{\"a\":{\"N\":\"1\"}}\n{\"a\":2}\n", "1 line 2", ""},
		{"plain by its format: a map", `{"a":{"N":"1"}}`, "M", bulk.JSON},
		{"no items between items", "{\"a\":1}\nx\n[]\n{\"a\":2}\n", "1 line 2 line 3 2", ""},
		{"packed", packed.String(), "1", ""},
		{"nothing", "", "", ""},
	} {
		var got []string
		for it, err := range bulk.Items(strings.NewReader(c.text), c.format, func(r bulk.Refusal) { got = append(got, fmt.Sprintf("line %d", r.Line)) }) {
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			switch v := it.Get("a"); v.Kind() {
			case attr.KindN:
				got = append(got, v.Number().String())
			case attr.KindS:
				got = append(got, v.Str())
			default:
				got = append(got, fmt.Sprint(v.Kind()))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	for _, err := range bulk.Items(io.MultiReader(strings.NewReader("{\"a\":1}\n"), failing{}), "", nil) {
		if err != nil {
			return
		}
	}
	t.Error("what keeps a file from being read is not told")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
