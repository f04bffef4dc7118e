package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tablewright/tablewright/internal/pipeline"
)

func TestWriteAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	files := []pipeline.File{{Name: "a.md", Text: []byte("one")}, {Name: "b.json", Text: []byte("two")}}
	for range 2 { // again, over what is there
		if err := writeAll(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil || string(text) != string(f.Text) {
			t.Errorf("%s holds %q (%v), want %q", f.Name, text, err, f.Text)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestWriteAllFails: a file that cannot be written leaves what was there, and nothing half written beside it.
func TestWriteAllFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := writeAll(dir, []pipeline.File{{Name: "a.md", Text: []byte("after")}, {Name: "no/such/folder", Text: []byte("x")}})
	if err == nil {
		t.Fatal("no error")
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a.md")); string(text) != "before" {
		t.Errorf("a.md holds %q after a failure", text)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
