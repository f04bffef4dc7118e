package invent_test

import (
	"testing"

	"github.com/tablewright/tablewright/internal/invent"
	"github.com/tablewright/tablewright/model"
)

// TestOrdinary reads what Ordinary makes: it is of the size asked for, and nothing in it is wrong.
func TestOrdinary(t *testing.T) {
	for _, size := range []struct{ entities, patterns int }{{10, 30}, {100, 300}} {
		r, _, found := model.ReadRequirements("requirements.yaml", invent.Ordinary(1, size.entities, size.patterns))
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		if len(r.Entities) != size.entities || len(r.Patterns) != size.patterns {
			t.Errorf("%d entities and %d access patterns, want %d and %d", len(r.Entities), len(r.Patterns), size.entities, size.patterns)
		}
	}
}
