package design_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
)

// TestStrategies designs small requirements, each made so that one strategy is the cheapest, and holds the design to what
// it was when somebody last looked: structures, operations, rules. Every one has to compile without a problem and to be
// proven on the engine.
func TestStrategies(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, err := filepath.Glob("testdata/strategies/*.yaml")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	var all accurate
	t.Cleanup(func() { all.hold(t) })
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			r, d, err := designedFile(t, file)
			if err != nil || d == nil {
				t.Fatal(r, err)
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", summary(d))
			all.add(proven(t, compiled(t, r, d)))
		})
	}
}
