package pages_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/docs/internal/pages"
)

var update = flag.Bool("update", false, "write the code of all pages anew")

const docs = "../.."

// walk calls f with every file of docs with an extension.
func walk(t *testing.T, end string, f func(path string, text []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "internal" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, end) {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			n++
			f(path, text)
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatal(n, "files, ", err)
	}
}

// Every page shows the code that the tests run, and every example is on a page.
func TestPages(t *testing.T) {
	shown := map[string]bool{}
	walk(t, ".md", func(page string, text []byte) {
		filled, used, err := pages.Fill(page, text)
		if err != nil {
			t.Error(err)
			return
		}
		for _, u := range used {
			shown[u] = true
		}
		if bytes.Equal(filled, text) {
			return
		}
		if !*update {
			t.Errorf("%s: the code from line %d on is another than the file's; go test ./docs/internal/pages -update takes it over", page, differ(filled, text))
			return
		}
		if err := os.WriteFile(page, filled, 0o644); err != nil {
			t.Error(err)
		}
	})
	walk(t, "_test.go", func(file string, _ []byte) {
		names, err := pages.Examples(file)
		if err != nil {
			t.Error(err)
		}
		for _, name := range names {
			if !shown[file+":"+name] {
				t.Errorf("%s: no page shows %s", file, name)
			}
		}
	})
}

// differ is the first line in which two texts differ.
func differ(a, b []byte) int {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return i + 1
		}
	}
	return min(len(x), len(y)) + 1
}

// Links lead somewhere, and the index leads to every page.
func TestLinks(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(docs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	walk(t, ".md", func(page string, text []byte) {
		if err := pages.Links(page, text); err != nil {
			t.Error(err)
		}
		name, err := filepath.Rel(docs, page)
		if err != nil {
			t.Fatal(err)
		}
		if name != "README.md" && !bytes.Contains(index, []byte("]("+filepath.ToSlash(name)+")")) {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	})
}

// TestFill looks at what becomes of a page.
func TestFill(t *testing.T) {
	dir := t.TempDir()
	code := "package p\n\n// A is one.\ntype A struct {\n\tX int // x\n}\n\nvar (\n\tb = 1\n\tc = 2\n)\n\n" +
		"func Example_it() {\n\tif b > 0 {\n\t\tprintln(c) // shown\n\t}\n\t// Output: 2\n}\n\nfunc help() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "x.md")
	for _, c := range []struct{ in, out string }{
		{"plain\n", "plain\n"},
		{"a\n<!-- code: x_test.go A -->\nz\n", "a\n<!-- code: x_test.go A -->\n```go\n// A is one.\ntype A struct {\n\tX int // x\n}\n```\nz\n"},
		{"<!-- code: x_test.go c help -->\n```go\nold\n\n```\nz", "<!-- code: x_test.go c help -->\n```go\nvar (\n\tb = 1\n\tc = 2\n)\n\nfunc help() {}\n```\nz"},
		{"<!-- code: x_test.go Example_it -->\n```text\nother\n```\n",
			"<!-- code: x_test.go Example_it -->\n```go\nif b > 0 {\n\tprintln(c) // shown\n}\n// Output: 2\n```\n```text\nother\n```\n"},
	} {
		got, _, err := pages.Fill(page, []byte(c.in))
		if err != nil || string(got) != c.out {
			t.Errorf("%q became %q, not %q: %v", c.in, got, c.out, err)
			continue
		}
		if again, _, err := pages.Fill(page, got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%q became %q when it was filled again: %v", got, again, err)
		}
	}
	for in, say := range map[string]string{
		"\n<!-- code: x_test.go Nowhere -->":            "x.md:2: ",
		"<!-- code: y_test.go A -->":                    "y_test.go",
		"<!-- code x_test.go A -->":                     "not of the form",
		"<!-- code: x_test.go A -->\n```go\ntype A int": "does not end",
	} {
		if _, _, err := pages.Fill(page, []byte(in)); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: %v", in, err)
		}
	}
	if names, err := pages.Examples(filepath.Join(dir, "x_test.go")); err != nil || !slices.Equal(names, []string{"Example_it"}) {
		t.Error(names, err)
	}
	if err := pages.Links(page, []byte("[a](x_test.go#L3) [b](https://example.org) `f` [c](#here)\n```\n[d](gone)\n```\n")); err != nil {
		t.Error(err)
	}
	if err := pages.Links(page, []byte("\n[a](gone.md)\n")); err == nil || !strings.Contains(err.Error(), "x.md:2: a link to gone.md") {
		t.Error(err)
	}
}
