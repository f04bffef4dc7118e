package streams_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/streams"
)

// Several Aggregates keep sums of one item, some of them of the same attribute: what one change does to an item is one
// write.
func TestAggregatesOfOneItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		ctx := t.Context()
		orders := streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, true }, streams.Count[Order](AllTotals.Orders))
		paid := streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, o.Status == "paid" },
			streams.SumOf(AllTotals.Spent, func(o Order) int { return o.Total }))
		fees := streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, true },
			streams.SumOf(AllTotals.Spent, func(Order) int { return 1 }), streams.SumOf(AllTotals.Spent, func(Order) int { return 1 }))
		for i, step := range []struct {
			write func() error
			want  map[string]Totals
		}{
			{func() error { return Orders.Put(Order{ID: "o1", Customer: "a", Total: 5}).Run(ctx, db) }, map[string]Totals{"a": {"a", 1, 2}}},
			{func() error { return Orders.Update("o1", Orders.Status.Set("paid")).Run(ctx, db) }, map[string]Totals{"a": {"a", 1, 7}}},
			{func() error { return Orders.Put(Order{ID: "o1", Customer: "b", Total: 9, Status: "paid"}).Run(ctx, db) }, map[string]Totals{"a": {"a", 0, 0}, "b": {"b", 1, 11}}},
			// What is taken away by one is added by another: nothing is left to write of Spent.
			{func() error {
				return Orders.Put(Order{ID: "o2", Customer: "b", Total: -2, Status: "paid"}).Run(ctx, db)
			}, map[string]Totals{"b": {"b", 2, 11}}},
			{func() error { return Orders.Delete("o1").Run(ctx, db) }, map[string]Totals{"b": {"b", 1, 0}}},
		} {
			must(t, step.write())
			must(t, streams.Run(ctx, db, Shop, drain, orders, paid, fees))
			for key, want := range step.want {
				if got, err := AllTotals.Get(key).Run(ctx, db); err != nil || got != want {
					t.Errorf("step %d: %+v, %v, want %+v", i, got, err, want)
				}
			}
		}
	})
}

// Sums of two kinds of items in one item are a mistake that is told.
func TestAggregatesOfTwoKinds(t *testing.T) {
	type Visits struct {
		Customer string `ddb:"customerId"`
		Visits   int    `ddb:"visits"`
	}
	other := tablewright.NewTable(plan.Table{Name: "Totals", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	visits := tablewright.Declare[struct {
		tablewright.Entity[string, Visits]
		Visits tablewright.Number[Visits, int]
	}](other, plan.Item{Name: "Visits", Key: map[string]string{"PK": "t#{customerId}", "SK": "t"}})
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		by := func(o Order) (string, bool) { return o.Customer, true }
		must(t, Orders.Put(Order{ID: "o1", Customer: "a", Total: 5}).Run(t.Context(), db))
		o := drain
		o.Retry = streams.Retry{Attempts: 1}
		err := streams.Run(t.Context(), db, Shop, o, streams.Aggregate(Orders, AllTotals, by, streams.Count[Order](AllTotals.Orders)),
			streams.Aggregate(Orders, visits, by, streams.Count[Order](visits.Visits)))
		var poison *streams.PoisonError
		if !errors.As(err, &poison) || !strings.Contains(err.Error(), "two kinds, streams_test.Totals and streams_test.Visits") {
			t.Error(err)
		}
	})
}

// A change that cannot be read is handed to Poison once, also where the bundle that it is in is taken apart for another
// change.
func TestPoisonOfABundle(t *testing.T) {
	type Visits struct {
		Customer string `ddb:"customerId"`
		Visits   int    `ddb:"visits"`
	}
	visits := tablewright.Declare[struct {
		tablewright.Entity[string, Visits]
		Visits tablewright.Number[Visits, int]
	}](tablewright.NewTable(plan.Table{Name: "Totals", Key: plan.Key{Partition: "PK", Sort: "SK"}}),
		plan.Item{Name: "Visits", Key: map[string]string{"PK": "t#{customerId}", "SK": "t"}})
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		by := func(o Order) (string, bool) { return o.Customer, true }
		put(t, db, "o1", 1)
		it, err := attr.MarshalItem(&Order{ID: "o2", Customer: "c2"})
		must(t, err)
		for name, text := range map[string]string{"PK": "o#o2", "SK": "o", "total": "not a number"} {
			it.Set(name, attr.Text(text))
		}
		must(t, Shop.Raw().Put(it).Run(t.Context(), db))
		var dead []string
		o := drain
		o.Retry = streams.Retry{Attempts: 1}
		o.Poison = func(_ context.Context, c streams.Change[attr.Item], err error) error {
			dead = append(dead, c.New.Get("orderId").Str())
			return nil
		}
		must(t, streams.Run(t.Context(), db, Shop, o, streams.Aggregate(Orders, AllTotals, by, streams.Count[Order](AllTotals.Orders)),
			streams.Aggregate(Orders, visits, by, streams.Count[Order](visits.Visits))))
		if slices.Sort(dead); !slices.Equal(dead, []string{"o1", "o2"}) {
			t.Error(dead)
		}
	})
}

// What the changes of a batch add to one item is one write, in a transaction with the checkpoint. It has room for 99
// items.
func TestAggregatesOfABatch(t *testing.T) {
	for _, x := range []struct {
		customers, orders int
		others            bool // changes that add to nothing, and such that have a transaction of their own
		want              int64
	}{
		{1, 500, false, 5}, {98, 100, false, 1}, {150, 300, false, 6}, {1, 0, true, 0}, {1, 200, true, 7},
	} {
		synctest.Test(t, func(t *testing.T) {
			e, db := newEngine(t, engine.Options{})
			ctx := t.Context()
			for i := range x.orders {
				must(t, Orders.Put(Order{ID: fmt.Sprint("o", i), Customer: fmt.Sprint("c", i%x.customers), Total: 2}).Run(ctx, db))
				if x.others && i%100 == 50 {
					must(t, Customers.Put(Customer{ID: fmt.Sprint("c", i)}).Run(ctx, db))
				}
			}
			var transactions atomic.Int64
			counting := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{func(next tablewright.Transport) tablewright.Transport {
				return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
					if c.Operation == "TransactWriteItems" {
						transactions.Add(1)
					}
					return next.Do(ctx, c)
				})
			}}})
			var seen atomic.Int64
			handlers := []streams.Handler{
				streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, true },
					streams.Count[Order](AllTotals.Orders), streams.SumOf(AllTotals.Spent, func(o Order) int { return o.Total })),
				streams.On(Orders, func(context.Context, streams.Change[Order]) error { seen.Add(1); return nil }),
			}
			if x.others {
				handlers = append(handlers, streams.OnTx(Customers, func(_ context.Context, c streams.Change[Customer]) ([]tablewright.TxWrite, error) {
					return []tablewright.TxWrite{AllTotals.Update(c.New.ID, AllTotals.Spent.Add(1)).Upsert()}, nil
				}))
			}
			must(t, streams.Run(ctx, counting, Shop, drain, handlers...))
			if got := transactions.Load(); got != x.want {
				t.Errorf("%+v: %d transactions, want %d", x, got, x.want)
			}
			if seen.Load() != int64(x.orders) {
				t.Errorf("%+v: %d changes seen", x, seen.Load())
			}
			orders := 0
			for c := range x.customers {
				got, err := AllTotals.Get(fmt.Sprint("c", c)).Run(ctx, db)
				if err != nil && x.orders > 0 || got.Spent != 2*got.Orders {
					t.Errorf("%+v: %+v, %v", x, got, err)
				}
				orders += got.Orders
			}
			if orders != x.orders {
				t.Errorf("%+v: %d orders counted", x, orders)
			}
		})
	}
}

// Of no more than Options.Ahead shards are changes in memory, and yet every change is handled.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const shards, ahead = 16, 3
		e, db := newEngine(t, engine.Options{Streams: engine.StreamOptions{Shards: shards, ShardLife: -1}})
		for i := range 200 {
			put(t, db, fmt.Sprint("o", i), i)
		}
		var reading, most, handled atomic.Int64
		slow := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{func(next tablewright.Transport) tablewright.Transport {
			return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
				if c.Operation == "GetRecords" {
					n := reading.Add(1)
					defer reading.Add(-1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					time.Sleep(100 * time.Millisecond) // of the bubble's clock
				}
				return next.Do(ctx, c)
			})
		}}})
		o := drain
		o.Workers, o.Ahead, o.Wait = 2, ahead, time.Second
		must(t, streams.Run(t.Context(), slow, Shop, o, streams.On(Orders, func(context.Context, streams.Change[Order]) error { handled.Add(1); return nil })))
		if handled.Load() != 200 || most.Load() != ahead {
			t.Errorf("%d changes handled, %d shards read at a time", handled.Load(), most.Load())
		}
	})
}
