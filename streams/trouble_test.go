package streams_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/streams"
	"github.com/tablewright/tablewright/wire"
)

var drain = streams.Options{Group: "g", Create: true, Drain: true}

// A change that cannot be handled ends Run, and stands in the way, or is taken away: as the options say.
func TestPoison(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		for i := 1; i <= 3; i++ {
			put(t, db, fmt.Sprint("o", i), i)
		}
		bad := errors.New("bad")
		calls := map[string]int{}
		var attempts []int
		h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error {
			calls[c.New.ID]++
			if c.New.ID == "o2" {
				attempts = append(attempts, c.Attempt)
				return bad
			}
			return nil
		})
		o := drain
		o.Retry.Attempts = 3
		began := time.Now()
		for range 2 {
			err := streams.Run(t.Context(), db, Shop, o, h)
			var poison *streams.PoisonError
			if !errors.As(err, &poison) || !errors.Is(err, bad) || poison.Attempts != 3 || poison.Sequence == "" || !strings.Contains(err.Error(), poison.Shard) {
				t.Fatal(err)
			}
		}
		if calls["o1"] != 1 || calls["o2"] != 6 || calls["o3"] != 0 || !slices.Equal(attempts, []int{1, 2, 3, 1, 2, 3}) {
			t.Error(calls, attempts)
		}
		if d := time.Since(began); d < 2*150*time.Millisecond {
			t.Errorf("no waiting between attempts: %v", d)
		}
		var dead []string
		var w streams.Watch
		o.Watch = &w
		o.Poison = func(_ context.Context, c streams.Change[attr.Item], err error) error {
			if !errors.Is(err, bad) {
				t.Error(err)
			}
			dead = append(dead, c.New.Get("orderId").Str())
			return nil
		}
		must(t, streams.Run(t.Context(), db, Shop, o, h))
		if !slices.Equal(dead, []string{"o2"}) || calls["o3"] != 1 {
			t.Error(dead, calls)
		}
		if s := w.Shards()[0]; s.Poison != 1 || s.Retried != 3 || s.Handled != 2 || s.Failing != nil {
			t.Errorf("%+v", s)
		}
		// A letter that cannot be kept ends Run, too.
		put(t, db, "o2", 5)
		o.Poison = func(context.Context, streams.Change[attr.Item], error) error { return errors.New("full") }
		var poison *streams.PoisonError
		if err := streams.Run(t.Context(), db, Shop, o, h); !errors.As(err, &poison) || !errors.Is(err, bad) || !strings.Contains(err.Error(), "full") {
			t.Error(err)
		}
	})
}

// Whether a handler's error may pass is this package's question, and none of the program's.
func TestErrorsOfHandlersAreNotAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h tablewright.Handling
		_, db := newEngine(t, engine.Options{}, func(next tablewright.Transport) tablewright.Transport {
			return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
				err := next.Do(ctx, c)
				if c.Table == "Shop" && c.Operation == "PutItem" {
					c.Follow(&h, 1)
				}
				return err
			})
		})
		put(t, db, "o1", 1)
		o := drain
		o.Retry.Attempts = 3
		err := streams.Run(t.Context(), db, Shop, o, streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
			return fmt.Errorf("again: %w", Orders.Create(*c.New).Run(ctx, db))
		}))
		if h.Surfaced.Load() != 3 || h.Asked.Load() != 0 {
			t.Errorf("%v: %d errors, asked about %d", err, h.Surfaced.Load(), h.Asked.Load())
		}
		if !errors.Is(err, tablewright.ErrExists) || h.Asked.Load() != 1 {
			t.Errorf("%v is asked about %d times", err, h.Asked.Load())
		}
	})
}

// What does not go into its type is poison at once.
func TestUnreadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		it := attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("o#o1")}, attr.Field{Name: "SK", Value: attr.Text("o")},
			attr.Field{Name: "total", Value: attr.Text("much")})
		must(t, Shop.Raw().Put(it).Run(t.Context(), db))
		err := streams.Run(t.Context(), db, Shop, drain, streams.On(Orders, func(context.Context, streams.Change[Order]) error { return nil }))
		var poison *streams.PoisonError
		var unread *tablewright.DecodeError
		if !errors.As(err, &poison) || !errors.As(err, &unread) || poison.Attempts != 1 || unread.Attribute != "total" {
			t.Error(err)
		}
	})
}

// What is nobody's fault is tried until it passes.
func TestLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		put(t, db, "o1", 1)
		n := 0
		began := time.Now()
		must(t, streams.Run(t.Context(), db, Shop, drain, streams.On(Orders, func(context.Context, streams.Change[Order]) error {
			n++
			switch {
			case n > 40:
				return nil
			case n%2 == 0:
				return wire.NewError(wire.CodeThroughputExceeded, "")
			}
			return streams.Later(errors.New("the other service is down"))
		})))
		if n != 41 || time.Since(began) < time.Minute {
			t.Error(n, time.Since(began))
		}
		if streams.Later(nil) != nil {
			t.Error("no error is no error")
		}
	})
}

// Batches are filled as far as the time to wait lets them, and one that fails is taken apart.
func TestBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		var sizes, handled []int
		var dead []string
		bad := 3
		done := make(chan error, 1)
		go func() {
			done <- streams.Run(ctx, db, Shop, streams.Options{Group: "g", Create: true, Batch: 5, Wait: 10 * time.Second, Retry: streams.Retry{Attempts: 2},
				Poison: func(_ context.Context, c streams.Change[attr.Item], _ error) error {
					dead = append(dead, c.New.Get("orderId").Str())
					return nil
				}}, streams.OnBatch(Orders, func(_ context.Context, all []streams.Change[Order]) error {
				for _, c := range all {
					if c.New.Total == bad {
						return errors.New("bad")
					}
				}
				sizes = append(sizes, len(all))
				for _, c := range all {
					handled = append(handled, c.New.Total)
				}
				return nil
			}))
		}()
		time.Sleep(time.Second)
		for i := range 12 {
			put(t, db, fmt.Sprint("o", i), i)
			time.Sleep(time.Second)
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		cancel()
		must(t, <-done)
		if !slices.Equal(sizes, []int{1, 1, 1, 1, 5, 2}) || !slices.Equal(dead, []string{"o3"}) || !slices.Equal(handled, []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}) {
			t.Error(sizes, dead, handled)
		}
	})
}

// A transaction of the handler's own takes effect once, though the change comes twice.
func TestOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		put(t, db, "o1", 1)
		n, again := 0, 0
		o := drain
		o.Leases = TotalsTable
		must(t, streams.Run(t.Context(), db, Shop, o, streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
			n++
			err := tablewright.Transact(AllTotals.Update("all", AllTotals.Orders.Add(1)).Upsert(), c.Once()).Run(ctx, db)
			if errors.Is(err, streams.ErrHandled) {
				again++
				err = nil
			}
			if n == 1 {
				return errors.New("too late")
			}
			return err
		})))
		got, err := AllTotals.Get("all").Run(t.Context(), db)
		if err != nil || got.Orders != 1 || n != 2 || again != 1 {
			t.Errorf("%+v, %v, %d calls, %d again", got, err, n, again)
		}
	})
}

// A consumer that was away for too long says what it has not seen.
func TestLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, life := range map[string]time.Duration{"the shard is there": -1, "the shard is gone": 0} {
			_, db := newEngine(t, engine.Options{Streams: engine.StreamOptions{ShardLife: life}})
			var seen []string
			h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { seen = append(seen, c.New.ID); return nil })
			put(t, db, "o1", 1)
			must(t, streams.Run(t.Context(), db, Shop, drain, h))
			put(t, db, "o2", 1)
			time.Sleep(32 * time.Hour)
			put(t, db, "o3", 1)
			err := streams.Run(t.Context(), db, Shop, drain, h)
			var loss *streams.Loss
			if !errors.As(err, &loss) || loss.After == "" || loss.Since.IsZero() || loss.Stream == "" || (life < 0) != (loss.Next != "") {
				t.Errorf("%s: %v, %+v", name, err, loss)
			}
			var told []*streams.Loss
			o := drain
			o.Lost = func(_ context.Context, l *streams.Loss) error { told = append(told, l); return nil }
			must(t, streams.Run(t.Context(), db, Shop, o, h))
			if !slices.Equal(seen, []string{"o1", "o3"}) || len(told) != 1 || !strings.Contains(told[0].Error(), told[0].After) {
				t.Errorf("%s: %v, %v", name, seen, told)
			}
		}
	})
}

// The beginning of a child of a shard that was handled can be lost, too.
func TestLossInChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, db := newEngine(t, engine.Options{Streams: engine.StreamOptions{ShardLife: -1}})
		h := streams.On(Orders, func(context.Context, streams.Change[Order]) error { return nil })
		put(t, db, "o1", 1)
		must(t, streams.Run(t.Context(), db, Shop, drain, h))
		split(t, e, 0)
		must(t, streams.Run(t.Context(), db, Shop, drain, h))
		put(t, db, "o1", 2)
		time.Sleep(25 * time.Hour)
		put(t, db, "o1", 3)
		err := streams.Run(t.Context(), db, Shop, drain, h)
		var loss *streams.Loss
		if !errors.As(err, &loss) || loss.After != "" || loss.Next == "" {
			t.Errorf("%v", err)
		}
	})
}

// An iterator lives for a quarter of an hour; a handler may take longer.
func TestSlowHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		for i := range 3 {
			put(t, db, fmt.Sprint("o", i), i)
		}
		var seen []int
		o := drain
		o.Batch = 1
		must(t, streams.Run(t.Context(), db, Shop, o, streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
			seen = append(seen, c.New.Total)
			time.Sleep(20 * time.Minute)
			return ctx.Err()
		})))
		if !slices.Equal(seen, []int{0, 1, 2}) {
			t.Error(seen)
		}
	})
}

// A handler that does not end is told to, when the time for stopping is over.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		put(t, db, "o1", 1)
		ctx, cancel := context.WithCancel(t.Context())
		var cause error
		began := time.Time{}
		must(t, streams.Run(ctx, db, Shop, streams.Options{Group: "g", Create: true, Grace: 7 * time.Second}, streams.On(Orders, func(ctx context.Context, _ streams.Change[Order]) error {
			cancel()
			began = time.Now()
			<-ctx.Done()
			cause = context.Cause(ctx)
			return cause
		})))
		if !errors.Is(cause, streams.ErrStopped) || time.Since(began) != 7*time.Second {
			t.Error(cause, time.Since(began))
		}
	})
}

// A shard that is gone while a batch of it waits to be full: what was read is handled, and the loss is told until somebody takes
// it.
func TestGoneWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, db := newEngine(t, engine.Options{})
		for i := range 3 {
			put(t, db, fmt.Sprint("o", i), i)
		}
		read := 0
		gone := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{func(next tablewright.Transport) tablewright.Transport {
			return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
				switch {
				case c.Operation == "GetRecords":
					if read++; read > 1 {
						return wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Shard does not exist")
					}
				case c.Operation == "GetShardIterator" && read > 0:
					return wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Shard does not exist")
				}
				return next.Do(ctx, c)
			})
		}}})
		var seen []string
		h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { seen = append(seen, c.New.ID); return nil })
		o := streams.Options{Group: "g", Create: true, Drain: true, Wait: time.Hour}
		var loss *streams.Loss
		if err := streams.Run(t.Context(), gone, Shop, o, h); !errors.As(err, &loss) {
			t.Error(err)
		}
		if !slices.Equal(seen, []string{"o0", "o1", "o2"}) {
			t.Errorf("handled %v of what was read", seen)
		}
		told := 0
		o.Lost = func(context.Context, *streams.Loss) error { told++; return nil }
		must(t, streams.Run(t.Context(), gone, Shop, o, h))
		if told != 1 || len(seen) != 3 {
			t.Errorf("told of %d losses, %v", told, seen)
		}
	})
}
