package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
)

// TestCopyAndCompact: a copy of an open engine opens with all of it, and so does what was compacted.
func TestCopyAndCompact(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	benchLoad(t, func(operation, request string) error {
		_, err := e.Do(t.Context(), operation, []byte(request))
		return err
	})
	copied := filepath.Join(t.TempDir(), "copy")
	if err := e.CopyTo(copied); err != nil {
		t.Fatal(err)
	}
	if _, _, err := engine.Compact(dir); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("compacted what is open: %v", err)
	}
	// What was in the log may take more in the file; a second time nothing changes any more.
	_, first, err := engine.Compact(copied)
	if err != nil {
		t.Fatal(err)
	}
	if before, after, err := engine.Compact(copied); err != nil || before != first || after > first {
		t.Errorf("%d bytes, then %d, became %d: %v", first, before, after, err)
	}
	c, err := engine.Open(copied, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	var got [2]string
	for i, e := range []*engine.Engine{e, c} {
		answer, err := e.Do(t.Context(), "Query", []byte(benchOperations[3].request(7)))
		if err != nil {
			t.Fatal(err)
		}
		got[i] = string(answer)
	}
	if got[0] != got[1] || !strings.Contains(got[0], `"Count":100`) {
		t.Errorf("the copy answers %.100s, the original %.100s", got[1], got[0])
	}
	if _, _, err := engine.Compact(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no data") {
		t.Errorf("compacted nothing: %v", err)
	}
	memory, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	if err := memory.CopyTo(t.TempDir()); err == nil {
		t.Error("copied what is in memory")
	}
}
