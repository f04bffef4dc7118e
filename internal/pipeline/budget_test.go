package pipeline

import (
	"context"
	"errors"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
)

// TestBudgetOfRefusedWrites: a write that a condition refuses is paid for although its answer does not say so.
func TestBudgetOfRefusedWrites(t *testing.T) {
	var failed error
	b := &budget{limit: capacity.Dollar, prices: capacity.DefaultPrices(), exceeded: func(err error) { failed = err }}
	var answer error
	units := capacity.WriteUnits(0)
	do := b.hook(tablewright.TransportFunc(func(_ context.Context, c *tablewright.Call) error {
		c.Write = units
		return answer
	})).Do
	for _, step := range []struct {
		operation string
		request   int
		units     capacity.WriteUnits
		answer    error
		total     capacity.WriteUnits
	}{
		{"PutItem", 1_000, 3, nil, 3},
		{"PutItem", 1_280, 0, errors.New("refused"), 3 + 11},
		{"GetItem", 1_280, 0, errors.New("refused"), 14},
		{"TransactWriteItems", 5_000, 40, nil, 54},
		{"UpdateItem", 100, 0, errors.New("refused"), 54 + 40},
	} {
		units, answer = step.units, step.answer
		if err := do(t.Context(), &tablewright.Call{Operation: step.operation, Request: make([]byte, step.request)}); err != step.answer {
			t.Fatal(err)
		}
		if b.write != step.total {
			t.Errorf("after %s: %v write units, want %v", step.operation, b.write, step.total)
		}
	}
	if failed != nil {
		t.Error(failed)
	}
	answer = errors.New("refused")
	for range 100_000 { // each as expensive as the largest so far: 40 units
		_ = do(t.Context(), &tablewright.Call{Operation: "PutItem"})
	}
	if failed == nil {
		t.Errorf("%s are spent, and nothing ended", b.cost())
	}
}
