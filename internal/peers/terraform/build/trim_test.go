package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutImports(t *testing.T) {
	const text = `package p

import (
	"fmt"

	"example.com/state/local"
	far "example.com/remote-state/s3"
	"example.com/remote-state/gcs"
)

func table() map[string]any {
	fmt.Println("kept")
	if err := gcs.Check(); err != nil {
		panic(err)
	}
	return map[string]any{
		"local": local.New(),
		"s3":    func() any { return far.New() },
	}
}
`
	out, err := withoutImports("p.go", []byte(text), []string{"/remote-state/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"s3", "gcs", "far", "panic"} {
		if strings.Contains(string(out), gone) {
			t.Errorf("%s is left:\n%s", gone, out)
		}
	}
	for _, kept := range []string{`"fmt"`, `local.New()`, `fmt.Println("kept")`} {
		if !strings.Contains(string(out), kept) {
			t.Errorf("%s is gone:\n%s", kept, out)
		}
	}
	if _, err := withoutImports("p.go", []byte(text), []string{"/other/"}); err == nil {
		t.Error("no import to leave out is no error")
	}
}

func TestReachable(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a.go": `package p

import (
	"fmt"
	"os"
)

type kind int

const (
	none kind = iota
	some
)

func (k kind) String() string { return names[k] }

var names = []string{"none", "some"}

func Root(c *client) { fmt.Println(some, helper()) }

func unused() { os.Exit(int(none)) }
`,
		"b.go":      "package p\n\nimport \"strings\"\n\nfunc helper() string { return strings.ToUpper(\"x\") }\n\ntype client struct{ everything []byte }\n",
		"c.go":      "package p\n\nfunc elsewhere() {}\n",
		"a_test.go": "package p\n\nfunc Root() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := reachable(from, to, []string{"Root"}, []string{"client"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ has, lacks []string }{
		"a.go": {[]string{"package main", `fmt "fmt"`, "func Root", "none kind = iota", "func (k kind) String", "var names"}, []string{"os", "unused"}},
		"b.go": {[]string{"func helper", `strings "strings"`}, []string{"client"}},
	} {
		text, err := os.ReadFile(filepath.Join(to, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range want.has {
			if !strings.Contains(string(text), s) {
				t.Errorf("%s lacks %q:\n%s", name, s, text)
			}
		}
		for _, s := range want.lacks {
			if strings.Contains(string(text), s) {
				t.Errorf("%s has %q:\n%s", name, s, text)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(to, "c.go")); err == nil {
		t.Error("a file of which nothing is reached was written")
	}
	if err := reachable(from, to, []string{"Missing"}, nil); err == nil {
		t.Error("a root that is not declared is no error")
	}
}

// TestMoves moves a piece of the kind that the provider is made of.
func TestMoves(t *testing.T) {
	text := `import (
	hashcode "github.com/hashicorp/terraform/helper/hashcode"
	resource "github.com/hashicorp/terraform/helper/resource"
	schema "github.com/hashicorp/terraform/helper/schema"
)

var x = hashcode.String("a")
var y = func(diff *schema.ResourceDiff, v interface{}) error { return nil }
`
	for _, m := range moves {
		text = m.from.ReplaceAllString(text, m.to)
	}
	for _, want := range []string{`resource "github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"`, `schema.HashString("a")`,
		"func(_ context.Context, diff *schema.ResourceDiff"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "hashcode") {
		t.Errorf("hashcode is left:\n%s", text)
	}
}
