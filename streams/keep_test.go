package streams_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/streams"
)

func nothing(context.Context, streams.Change[attr.Item]) error { return nil }

// Sums follow what is made, changed, moved and deleted.
func TestAggregate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		ctx := t.Context()
		h := streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, o.Status != "draft" },
			streams.Count[Order](AllTotals.Orders), streams.SumOf(AllTotals.Spent, func(o Order) int { return o.Total }))
		for _, step := range []struct {
			write func() error
			want  map[string]Totals
		}{
			{func() error { return Orders.Put(Order{ID: "o1", Customer: "a", Total: 5}).Run(ctx, db) }, map[string]Totals{"a": {"a", 1, 5}}},
			{func() error {
				return Orders.Put(Order{ID: "o2", Customer: "a", Total: 7, Status: "draft"}).Run(ctx, db)
			}, map[string]Totals{"a": {"a", 1, 5}}},
			{func() error { return Orders.Put(Order{ID: "o2", Customer: "a", Total: 7}).Run(ctx, db) }, map[string]Totals{"a": {"a", 2, 12}}},
			{func() error { return Orders.Update("o1", Orders.Total.Set(1)).Run(ctx, db) }, map[string]Totals{"a": {"a", 2, 8}}},
			{func() error { return Orders.Update("o1", Orders.Name.Set("Ada")).Run(ctx, db) }, map[string]Totals{"a": {"a", 2, 8}}},
			{func() error { return Orders.Put(Order{ID: "o2", Customer: "b", Total: 9}).Run(ctx, db) }, map[string]Totals{"a": {"a", 1, 1}, "b": {"b", 1, 9}}},
			{func() error { return Orders.Delete("o1").Run(ctx, db) }, map[string]Totals{"a": {"a", 0, 0}, "b": {"b", 1, 9}}},
		} {
			must(t, step.write())
			must(t, streams.Run(ctx, db, Shop, drain, h))
			for key, want := range step.want {
				if got, err := AllTotals.Get(key).Run(ctx, db); err != nil || got != want {
					t.Errorf("%+v, %v, want %+v", got, err, want)
				}
			}
		}
	})
}

// Copies follow what they are copies of, and nothing is written where they do not change.
func TestCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		ctx := t.Context()
		var used tablewright.Usage
		measured := db.Measure(&used)
		ordersOf := func(ctx context.Context, db *tablewright.DB, c Customer) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				for o, err := range Orders.ByCustomer.Of(c.ID).All(ctx, db) {
					if !yield(o.ID, err) {
						return
					}
				}
				yield("gone", nil) // meanwhile
			}
		}
		h := streams.Copy(Customers, Orders, ordersOf, func(c Customer) []tablewright.Change[Order] {
			return []tablewright.Change[Order]{Orders.Name.Set(c.Name)}
		})
		must(t, Orders.Put(Order{ID: "o1", Customer: "c1"}).Run(ctx, db))
		must(t, Orders.Put(Order{ID: "o2", Customer: "c1"}).Run(ctx, db))
		must(t, Orders.Put(Order{ID: "o3", Customer: "c2"}).Run(ctx, db))
		must(t, Customers.Put(Customer{ID: "c1", Name: "Ada"}).Run(ctx, db))
		must(t, Customers.Put(Customer{ID: "c1", Name: "Eve"}).Run(ctx, db))
		must(t, streams.Run(ctx, measured, Shop, drain, h))
		for id, want := range map[string]string{"o1": "Eve", "o2": "Eve", "o3": ""} {
			if got, err := Orders.Get(id).Run(ctx, db); err != nil || got.Name != want {
				t.Errorf("%+v, %v", got, err)
			}
		}
		before := used.Arms["Shop"].Write
		must(t, Customers.Update("c1", Customers.Count.Add(1)).Run(ctx, db))
		must(t, Customers.Delete("c1").Run(ctx, db))
		must(t, streams.Run(ctx, measured, Shop, drain, h))
		if after := used.Arms["Shop"].Write; after != before || before == 0 {
			t.Errorf("copies were written that did not change: %v, %v", before, after)
		}
	})
}
