package design_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tablewright/tablewright/design"
)

// TestCancelled: whenever its context ends, a design ends soon, with the error of the context and nothing half designed.
func TestCancelled(t *testing.T) {
	r := example(t, "online-shop") // the search for it takes seconds
	for _, after := range []time.Duration{0, 30 * time.Millisecond, 300 * time.Millisecond, 900 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		d, err := design.Design(ctx, r, design.Options{})
		deadline, _ := ctx.Deadline()
		late := time.Since(deadline)
		cancel()
		if d != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %s: %v, %v", after, d, err)
		}
		if late > 2*time.Second {
			t.Errorf("a design that was to end after %s ended %s later", after, late)
		}
		t.Logf("cancelled after %s, ended %s later", after, late)
	}
}
