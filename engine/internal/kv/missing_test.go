package kv_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestMissingLog: what follows a log that is gone is not taken for all there is.
func TestMissingLog(t *testing.T) {
	dir, stopped, begun := t.TempDir(), make(chan struct{}), make(chan struct{}, 100)
	store, err := kv.OpenDurable(dir, kv.Options{Memory: 1, Step: func() func() {
		begun <- struct{}{}
		<-stopped // none of the logs is written to the file of tables
		return func() {}
	}})
	if err != nil {
		t.Fatal(err)
	}
	put := func(key string) {
		t.Helper()
		if err := store.Update(func(w kv.Writer) error { w.Put(1, []byte(key), []byte("value")); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	put("a")
	put("b") // in the second log
	<-begun
	names, err := filepath.Glob(filepath.Join(dir, "log-*"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	for _, c := range []struct{ without, want string }{
		{"", ""},
		{"log-00000001", "log-00000001 is missing: log-00000002 follows it, and tables.db does not have what is in it"},
	} {
		copied := t.TempDir()
		for _, name := range []string{"tables.db", "log-00000001", "log-00000002"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil && name != c.without {
				err = os.WriteFile(filepath.Join(copied, name), text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		s, err := kv.OpenDurable(copied, kv.Options{})
		switch {
		case c.want != "" && err == nil:
			t.Errorf("opened without %s, with %v", c.without, everything(t, s))
		case c.want != "" && err.Error() != c.want:
			t.Errorf("the error is %q, want %q", err, c.want)
		case c.want == "" && err != nil:
			t.Fatal(err)
		case c.want == "":
			if got, want := everything(t, s), everything(t, store); !maps.Equal(got, want) {
				t.Errorf("there is %v, want %v", got, want)
			}
		}
		if err == nil {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(stopped)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
