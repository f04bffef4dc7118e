package prove_test

import (
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
)

// Entities that lie in several items are written, changed, tested, read and deleted as if each lay in one.
func TestParts(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	m, r := museum(t)
	program, problems := plan.Compile(m, r)
	for _, p := range problems {
		t.Error(p)
	}
	evidence, err := prove.Run(t.Context(), program, onEngine(t))
	if err != nil {
		t.Fatal(err)
	}
	allProven(t, evidence)
}
