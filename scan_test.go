package tablewright_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tablewright/tablewright"
)

// A scan whose context ends has read everything or says that it has not, whichever segment noticed it.
func TestScanCancelled(t *testing.T) {
	cancel := context.CancelFunc(func() {})
	over := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(context.WithoutCancel(ctx), c)
			if c.Operation == "Scan" {
				cancel() // after the answer, before it is handed on
			}
			return err
		})
	}
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{over}}, Shop)
	fillOrders(t, db)
	for range 100 {
		for _, segments := range []int{1, 4} {
			ctx, stop := context.WithCancel(t.Context())
			cancel = stop
			n := 0
			var failed error
			for _, err := range Orders.Scan().Intended().Parallel(segments).All(ctx, db) {
				if err != nil {
					failed = err
					break
				}
				n++
			}
			stop()
			if n < 30 && !errors.Is(failed, context.Canceled) {
				t.Fatalf("%d segments: %d of 30 orders and no word of the cancelled context: %v", segments, n, failed)
			}
		}
	}
}
