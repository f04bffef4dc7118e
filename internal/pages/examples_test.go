package pages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/pages"
)

// failures is a test that notes what fails.
type failures struct {
	testing.TB
	text strings.Builder
}

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) { fmt.Fprintf(&f.text, format+"\n", args...) }

func (f *failures) Error(args ...any) { fmt.Fprintln(&f.text, args...) }

func TestExamplesAndIndex(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": "package a\n\nfunc Example_one() {\n}\n\nfunc Example_two() {}\n\nfunc helper() {}\n",
		"a.md":      "<!-- code: a_test.go helper Example_one -->\n",
		"b.md":      "<!-- code: other_test.go Example_two -->\n",
		"index.md":  "[a](a.md#here)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := &failures{TB: t}
	pages.CheckExamples(f, filepath.Join(dir, "*_test.go"), filepath.Join(dir, "*.md"))
	pages.CheckIndex(f, filepath.Join(dir, "index.md"), filepath.Join(dir, "*.md"))
	pages.CheckIndex(f, filepath.Join(dir, "gone.md"), filepath.Join(dir, "*.none"))
	got := strings.Split(strings.ReplaceAll(strings.TrimSpace(f.text.String()), dir+string(filepath.Separator), ""), "\n")
	want := []string{"a_test.go: no page shows Example_two", "index.md has no link to b.md", "no such file", "no files *.none"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%q has no %q", got[i], want[i])
		}
	}
}
