package tablewright_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// What a call does again, because somebody else was faster, draws on one budget with the tries of each of its requests.
func TestOneBudget(t *testing.T) {
	const total = time.Minute
	ctx, clock := t.Context(), newClock()
	var began time.Time // of the last round: it writes after 40 s of throttling, and comes too late
	var interfere func()
	trouble := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			switch {
			case interfere == nil:
			case c.Operation == "GetItem":
				began = clock.Now()
			case clock.Now().Sub(began) < 40*time.Second:
				return &wire.Error{Code: "ProvisionedThroughputExceededException", Status: 400}
			default:
				f := interfere
				interfere = nil
				f()
				interfere = f
			}
			return next.Do(ctx, c)
		})
	}
	db := open(t, tablewright.Options{Clock: clock, Hooks: []tablewright.Hook{trouble}, Retry: tablewright.Retry{Attempts: 1000, Budget: total}}, Shop, Forum)
	if err := Orders.Create(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		call      func() error
		interfere func() error
	}{
		"edit": {
			func() error {
				return Orders.Edit("o1", func(o *Order) error { o.Note += "x"; return nil }).Run(ctx, db)
			},
			func() error {
				return Orders.Edit("o1", func(o *Order) error { o.Lines[0].Qty++; return nil }).Run(ctx, db)
			},
		},
		"number": {
			func() error {
				_, err := Numbers.Give(ctx, db, tallyKey{Name: "n"}, func(int64) ([]tablewright.TxWrite, error) { return nil, nil })
				return err
			},
			func() error { _, err := Numbers.Next(ctx, db, tallyKey{Name: "n"}); return err },
		},
	} {
		rounds := 0
		interfere = func() {
			rounds++
			if err := test.interfere(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		start := clock.Now()
		err := test.call()
		interfere = nil
		if took := clock.Now().Sub(start); took > total || rounds != 1 || !errors.Is(err, tablewright.ErrThrottled) {
			t.Errorf("%s: after %v and %d rounds, of %v: %v", name, took, rounds, total, err)
		}
	}
}
