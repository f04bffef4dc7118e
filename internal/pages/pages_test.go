package pages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
)

const source = `// Package shop is an example.
package shop

// Pay pays.
func Pay(id string) error {
	//page:begin check
	if id == "" {
		// nothing to pay
		return errNone
	}
	//page:end check
	return nil
}

var (
	// first is explained.
	first = 1
	second = ` + "`two\nlines`" + ` // and this
)

type Order struct {
	ID string
}

func (o *Order) Total() int { return 0 }

func ExamplePay() {
	err := Pay("o1")
	//page:begin check
	print(err)
	//page:end check
	// Output:
}

//page:begin open
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCode(t *testing.T) {
	file := write(t, "shop.go", source)
	for _, c := range []struct{ name, want string }{
		{"check", "if id == \"\" {\n\t// nothing to pay\n\treturn errNone\n}\n\nprint(err)\n"},
		{"Pay", "// Pay pays.\nfunc Pay(id string) error {\n\tif id == \"\" {\n\t\t// nothing to pay\n\t\treturn errNone\n\t}\n\treturn nil\n}\n"},
		{"first", "// first is explained.\nfirst = 1\n"},
		{"second", "second = `two\nlines` // and this\n"},
		{"Order", "type Order struct {\n\tID string\n}\n"},
		{"Order.Total", "func (o *Order) Total() int { return 0 }\n"},
		{"ExamplePay", "err := Pay(\"o1\")\nprint(err)\n// Output:\n"},
	} {
		if got, err := pages.Code(file, c.name); err != nil || got != c.want {
			t.Errorf("%s: %v\n%q\n%q", c.name, err, got, c.want)
		}
	}
	for name, want := range map[string]string{"Refund": "no region and no declaration Refund", "open": "region open does not end"} {
		if _, err := pages.Code(file, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if two, err := pages.Code(file, "Order.Total", "first"); err != nil || two != "func (o *Order) Total() int { return 0 }\n\n// first is explained.\nfirst = 1\n" {
		t.Errorf("%v %q", err, two)
	}
	whole, err := pages.Code(file)
	if err != nil || strings.Contains(whole, "page:") || !strings.HasPrefix(whole, "// Package shop") {
		t.Error(whole, err)
	}
}

func TestRender(t *testing.T) {
	file := write(t, "shop.go", source)
	page := filepath.Join(filepath.Dir(file), "page.md")
	before := "# Shop\n\n<!-- code: shop.go Order.Total -->\n```go\nold\n```\n\n```sh\n<!-- code: not a mark -->\n```\n<!-- begin: sum -->\nold\n<!-- end: sum -->\nend\n"
	want := "# Shop\n\n<!-- code: shop.go Order.Total -->\n```go\nfunc (o *Order) Total() int { return 0 }\n```\n\n```sh\n<!-- code: not a mark -->\n```\n<!-- begin: sum -->\n2\n<!-- end: sum -->\nend\n"
	generated := pages.Generated{"sum": func() (string, error) { return "2\n", nil }}
	got, err := pages.Render(page, []byte(before), generated)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	again, err := pages.Render(page, got, generated)
	if err != nil || string(again) != want {
		t.Errorf("a second time it is another: %v\n%s", err, again)
	}
	bare := "[s](shop.go#L1) [a](https://example.org)\n<!-- code: shop.go first -->\n<!-- begin: sum -->\n<!-- end: sum -->\n"
	if got, err := pages.Render(page, []byte(bare), nil); err != nil || string(got) != strings.Replace(bare, "first -->\n", "first -->\n```go\n// first is explained.\nfirst = 1\n```\n", 1) {
		t.Errorf("%v\n%s", err, got)
	}
	for text, want := range map[string]string{
		"a\n```go\nx\n```\n":                           "page.md:2: where does this block of Go come from?",
		"<!-- code: shop.go Pay -->\n```go\n":          "page.md:2: the block does not end",
		"see [it](missing.md#there)\n":                 "page.md:1: a link to missing.md",
		"<!-- code:  -->\n":                            "page.md:1: no file",
		"<!-- code: shop.go Refund -->\n```go\n```\n":  "no region and no declaration Refund",
		"<!-- code: other.go Refund -->\n```go\n```\n": "no such file",
		"<!-- begin: product -->\n":                    "page.md:1: nothing makes product",
		"<!-- begin: sum -->\n<!-- end: other -->\n":   "page.md:1: sum does not end",
		"```sh\n": "page.md:1: the block does not end",
	} {
		if _, err := pages.Render(page, []byte(text), generated); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// record is a test that is told what is wrong, so that Check can be seen to fail.
type record struct {
	testing.TB
	said []string
}

func (*record) Helper()                          {}
func (r *record) Error(args ...any)              { r.said = append(r.said, "error") }
func (r *record) Errorf(format string, _ ...any) { r.said = append(r.said, format) }

func TestCheck(t *testing.T) {
	file := write(t, "shop.go", source)
	page := filepath.Join(filepath.Dir(file), "page.md")
	if err := os.WriteFile(page, []byte("<!-- code: shop.go Order -->\n```go\nstale\n```\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stale := &record{TB: t}
	pages.Check(stale, false, nil, page, filepath.Dir(file)+"/*.none")
	if len(stale.said) != 2 {
		t.Errorf("a stale page and a pattern without pages: %q", stale.said)
	}
	pages.Check(t, true, nil, page)
	pages.Check(t, false, nil, page)
}

func TestSize(t *testing.T) {
	lines, tokens := pages.Size("// c\nx := f(1,\n\n\t2) // d\n/* e */ y = `a\nb`\n")
	if lines != 4 || tokens != 11 {
		t.Error(lines, tokens)
	}
}
