package tablewright_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// A call ends within a millisecond of its context at whatever moment that ends: between tries, while an answer is awaited,
// between pages. The machine may have other things to do: half of all have to, and a millisecond after a loop sees it that does nothing
// but look whether its context has ended.
func TestContextEndsAtAnyMoment(t *testing.T) {
	const page = `{"Count":1,"ScannedCount":1,"Items":[{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},` +
		`"status":{"S":"paid"},"placedAt":{"S":"2026-11-21T12:00:00.000Z"}}],"LastEvaluatedKey":{"PK":{"S":"o#o1"},"SK":{"S":"o"}}}`
	patience := tablewright.Retry{Attempts: 1 << 30, Budget: time.Hour}
	throttled := func(context.Context, *tablewright.Call) error {
		return wire.NewError(wire.CodeThroughputExceeded, "slow down")
	}
	silent := func(ctx context.Context, _ *tablewright.Call) error {
		<-ctx.Done()
		return ctx.Err()
	}
	endless := func(_ context.Context, c *tablewright.Call) error {
		c.Response = append(c.Response[:0], page...)
		return nil
	}
	looks := func(ctx context.Context) error {
		for ctx.Err() == nil {
		}
		return ctx.Err()
	}
	late := func(where string, call func(ctx context.Context) error) time.Duration {
		var all []time.Duration
		for range 100 {
			ctx, cancel := context.WithCancel(t.Context())
			var ended time.Time
			time.AfterFunc(rand.N(3*time.Millisecond), func() { ended = time.Now(); cancel() })
			err := call(ctx)
			all = append(all, time.Since(ended))
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", where, err)
			}
		}
		slices.Sort(all)
		t.Logf("%s: half within %v, 9 of 10 within %v, all within %v", where, all[50], all[90], all[99])
		return all[50]
	}
	for where, transport := range map[string]tablewright.TransportFunc{"between tries": throttled, "in flight": silent, "between pages": endless} {
		db := tablewright.New(transport, tablewright.Options{Retry: patience})
		const tries = 3 // a machine that is busy for a moment is no defect
		for try := 1; ; try++ {
			half := late(where, func(ctx context.Context) error {
				_, err := Orders.ByCustomer.Of("c1").Count(ctx, db)
				return err
			})
			if half <= time.Millisecond || half <= time.Millisecond+2*late("a loop", looks) {
				break
			}
			if try == tries {
				t.Errorf("%s: half of the calls ended %v after their context or later, in each of %d tries", where, half, tries)
				break
			}
		}
	}
}
