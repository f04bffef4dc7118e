package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestFormat: a directory that a newer program has written is left alone, and what is written is the owner's alone.
func TestFormat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "tables.db"): 0o600} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
	b, err := kv.OpenDurable(dir, kv.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = b.Update(func(w kv.Writer) error {
		if got := string(w.Get(0, []byte("format"))); got != "3" {
			t.Errorf("the format is %q: an older program must be told by a higher number", got)
		}
		w.Put(0, []byte("format"), []byte("4"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err := engine.Open(dir, nil); err == nil || !strings.Contains(err.Error(), "format 4") {
		t.Errorf("opened: %v", err)
		if err == nil {
			e.Close()
		}
	}
}
