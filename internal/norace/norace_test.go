package norace

import (
	"os"
	"strings"
	"testing"
)

// end tells the tests below how to end; in the binary without the detector they find it in their environment.
const end = "TABLEWRIGHT_NORACE_END"

func TestHere(t *testing.T) {
	if !Here(t) {
		return
	}
	if detector {
		t.Error("the race detector is here")
	}
}

// TestEnds ends as it is told.
func TestEnds(t *testing.T) {
	switch os.Getenv(end) {
	case "failed":
		t.Error("as told")
	case "skipped":
		t.Skip("as told")
	}
}

func TestVerdict(t *testing.T) {
	for told, want := range map[string]string{"": "--- PASS: TestEnds (", "failed": "--- FAIL: TestEnds (", "skipped": "--- SKIP: TestEnds ("} {
		t.Setenv(end, told)
		out, err := run(t.Context(), "TestEnds")
		if !strings.Contains(out, want) || (err != nil) != (told == "failed") {
			t.Errorf("told %q: %v %s", told, err, out)
		}
	}
}
