package streams_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/streams"
	"github.com/tablewright/tablewright/wire"
)

// noTimes refuses AT_TIMESTAMP, as the service did before it had it.
func noTimes(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		if c.Operation == "GetShardIterator" && strings.Contains(string(c.Request), "AT_TIMESTAMP") {
			return wire.Invalid("1 validation error detected: Value 'AT_TIMESTAMP' at 'shardIteratorType' failed to satisfy constraint")
		}
		return next.Do(ctx, c)
	})
}

// A group begins where it is told to, once; where it was it goes on.
func TestStart(t *testing.T) {
	for _, hooks := range [][]tablewright.Hook{nil, {noTimes}} {
		synctest.Test(t, func(t *testing.T) {
			_, db := newEngine(t, engine.Options{Streams: engine.StreamOptions{Shards: 2}}, hooks...)
			began := time.Now()
			for i := range 4 {
				put(t, db, fmt.Sprint("o", i), i)
				time.Sleep(time.Hour)
			}
			for _, test := range []struct {
				name  string
				start streams.Start
				want  []int
			}{
				{"oldest", streams.Oldest(), []int{0, 1, 2, 3}},
				{"latest", streams.Latest(), nil},
				{"at", streams.At(began.Add(2 * time.Hour)), []int{2, 3}},
				{"at, to the second", streams.At(began.Add(time.Hour + 400*time.Millisecond)), []int{1, 2, 3}},
				{"long ago", streams.At(began.Add(-100 * time.Hour)), []int{0, 1, 2, 3}},
			} {
				var mu sync.Mutex // shards are handled side by side
				var seen []int
				h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error {
					mu.Lock()
					defer mu.Unlock()
					seen = append(seen, c.New.Total)
					return nil
				})
				o := drain
				o.Group, o.Start = test.name, test.start
				must(t, streams.Run(t.Context(), db, Shop, o, h))
				slices.Sort(seen)
				if !slices.Equal(seen, test.want) {
					t.Errorf("%s: %v", test.name, seen)
				}
			}
			put(t, db, "o9", 9)
			time.Sleep(time.Minute)
			for _, group := range []string{"oldest", "latest", "at", "long ago"} {
				var n atomic.Int64
				o := drain
				o.Group, o.Start = group, streams.Oldest() // they have begun
				must(t, streams.Run(t.Context(), db, Shop, o, streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error {
					if n.Add(1); c.New.Total != 9 {
						t.Errorf("%s again: %d", group, c.New.Total)
					}
					return nil
				})))
				if n.Load() != 1 {
					t.Errorf("%s again: %d changes", group, n.Load())
				}
			}
		})
	}
}

// A stream that was enabled anew is another one: the old one is handled first, to its end.
func TestStreamAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, db := newEngine(t, engine.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		set := func(spec string) {
			t.Helper()
			_, err := e.Do(ctx, "UpdateTable", []byte(`{"TableName":"Shop","StreamSpecification":`+spec+`}`))
			must(t, err)
			time.Sleep(time.Minute)
		}
		const on = `{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`
		var seen []int
		h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { seen = append(seen, c.New.Total); return nil })
		put(t, db, "o1", 1)
		must(t, streams.Run(ctx, db, Shop, drain, h))
		put(t, db, "o1", 2)
		set(`{"StreamEnabled":false}`)
		set(on)
		put(t, db, "o1", 3)
		done := make(chan error, 1)
		go func() {
			done <- streams.Run(ctx, db, Shop, streams.Options{Group: "g", Start: streams.Latest()}, h)
		}()
		time.Sleep(time.Minute)
		put(t, db, "o1", 4)
		time.Sleep(time.Minute)
		synctest.Wait()
		if !slices.Equal(seen, []int{1, 2, 3, 4}) {
			t.Error(seen)
		}
		set(`{"StreamEnabled":false}`) // and now there is no more
		time.Sleep(time.Minute)
		if err := <-done; !errors.Is(err, streams.ErrEnded) {
			t.Error(err)
		}
	})
}

// What cannot work is refused before anything is handled.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		keysOnly := tablewright.NewTable(plan.Table{Name: "KeysOnly", Key: plan.Key{Partition: "PK", Sort: "SK"}, Stream: plan.Keys})
		items := tablewright.Declare[tablewright.Entity[string, Order]](keysOnly, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})
		numbers := tablewright.NewTable(plan.Table{Name: "Numbers", Key: plan.Key{Partition: "PK", Sort: "n"}, Attributes: map[string]plan.Type{"PK": plan.S, "n": plan.N}})
		must(t, keysOnly.CreateIn(t.Context(), db))
		h := streams.On(Orders, func(context.Context, streams.Change[Order]) error { return nil })
		sums := streams.Aggregate(items, AllTotals, func(o Order) (string, bool) { return o.Customer, true }, streams.Count[Order](AllTotals.Orders))
		for _, test := range []struct {
			table *tablewright.Table
			o     streams.Options
			h     []streams.Handler
			want  string
		}{
			{Shop, streams.Options{}, []streams.Handler{h}, "Group"},
			{Shop, streams.Options{Group: "g"}, nil, "no handlers"},
			{Shop, streams.Options{Group: "g"}, []streams.Handler{{}}, "zero Handler"},
			{Shop, streams.Options{Group: "g", Batch: 1001}, []streams.Handler{h}, "1000"},
			{Shop, streams.Options{Group: "g", Lease: 1}, []streams.Handler{h}, "second"},
			{Shop, streams.Options{Group: "g", Leases: numbers}, []streams.Handler{h}, "two texts"},
			{Shop, streams.Options{Group: "g"}, []streams.Handler{h}, "Options.Create"},
			{TotalsTable, streams.Options{Group: "g", Create: true}, []streams.Handler{h}, "lies in table Shop"},
			{TotalsTable, streams.Options{Group: "g", Create: true}, []streams.Handler{streams.Else(nothing)}, "has no stream"},
			{keysOnly, streams.Options{Group: "g", Create: true}, []streams.Handler{sums}, "KEYS_ONLY"},
		} {
			if err := streams.Run(t.Context(), db, test.table, test.o, test.h...); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		}
		// Keys are told whatever the view.
		must(t, items.Put(Order{ID: "o1"}).Run(t.Context(), db))
		n := 0
		must(t, streams.Run(t.Context(), db, keysOnly, streams.Options{Group: "g", Drain: true}, streams.On(items, func(_ context.Context, c streams.Change[Order]) error {
			n++
			if c.Old != nil || c.New != nil || c.Event != "INSERT" || c.Keys.Get("PK").Str() != "o#o1" {
				t.Errorf("%+v", c)
			}
			return nil
		})))
		if n != 1 {
			t.Error(n)
		}
	})
}
