package streams_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/streams"
)

// inMemory is a database for one example: an engine in the same process.
func inMemory() (context.Context, *tablewright.DB) {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	for _, table := range []*tablewright.Table{Shop, TotalsTable} {
		if err := table.CreateIn(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	return ctx, db
}

// A service runs this in each of its processes until it is told to end. Drain is for the example: it ends when all is handled.
func ExampleRun() {
	ctx, db := inMemory()
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Total: 5}).Run(ctx, db)
	_ = Orders.Update("o1", Orders.Status.Set("paid")).Run(ctx, db)
	_ = Orders.Delete("o1").Run(ctx, db)
	err := streams.Run(ctx, db, Shop, streams.Options{Group: "mailer", Create: true, Drain: true},
		streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
			switch {
			case c.Old == nil:
				fmt.Println("new:", c.New.ID)
			case c.New == nil:
				fmt.Println("deleted:", c.Old.ID)
			case c.Old.Status != c.New.Status:
				fmt.Printf("%s: %q is now %q\n", c.New.ID, c.Old.Status, c.New.Status)
			}
			return nil
		}))
	fmt.Println(err)
	// Output:
	// new: o1
	// o1: "" is now "paid"
	// deleted: o1
	// <nil>
}

// The writes of OnTx and the checkpoint are one transaction: a change has its effect once, also if the process ends at any
// moment and the change comes again.
func ExampleOnTx() {
	ctx, db := inMemory()
	for i := range 3 {
		_ = Orders.Create(Order{ID: fmt.Sprint("o", i), Customer: "c1", Total: 5}).Run(ctx, db)
	}
	calls := 0
	err := streams.Run(ctx, db, Shop, streams.Options{Group: "bonus", Create: true, Drain: true},
		streams.OnTx(Orders, func(ctx context.Context, c streams.Change[Order]) ([]tablewright.TxWrite, error) {
			if calls++; calls == 2 {
				return nil, errors.New("it is called again")
			}
			if c.Old != nil {
				return nil, nil
			}
			return []tablewright.TxWrite{AllTotals.Update(c.New.Customer, AllTotals.Spent.Add(c.New.Total)).Upsert()}, nil
		}))
	totals, _ := AllTotals.Get("c1").Run(ctx, db)
	fmt.Println(calls, totals.Spent, err)
	// Output: 4 15 <nil>
}

// Counts and sums by customer, kept exactly.
func ExampleAggregate() {
	ctx, db := inMemory()
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Total: 5}).Run(ctx, db)
	_ = Orders.Create(Order{ID: "o2", Customer: "c1", Total: 7}).Run(ctx, db)
	_ = Orders.Update("o1", Orders.Total.Set(6)).Run(ctx, db)
	err := streams.Run(ctx, db, Shop, streams.Options{Group: "totals", Create: true, Drain: true},
		streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, true },
			streams.Count[Order](AllTotals.Orders),
			streams.SumOf(AllTotals.Spent, func(o Order) int { return o.Total })))
	totals, _ := AllTotals.Get("c1").Run(ctx, db)
	fmt.Println(totals.Orders, totals.Spent, err)
	// Output: 2 13 <nil>
}

// A customer's name is repeated in the orders, and follows when it changes.
func ExampleCopy() {
	ctx, db := inMemory()
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Name: "Ada"}).Run(ctx, db)
	_ = Customers.Put(Customer{ID: "c1", Name: "Ada Lovelace"}).Run(ctx, db)
	ordersOf := func(ctx context.Context, db *tablewright.DB, c Customer) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for order, err := range Orders.ByCustomer.Of(c.ID).All(ctx, db) {
				if !yield(order.ID, err) {
					return
				}
			}
		}
	}
	err := streams.Run(ctx, db, Shop, streams.Options{Group: "names", Create: true, Drain: true},
		streams.Copy(Customers, Orders, ordersOf, func(c Customer) []tablewright.Change[Order] {
			return []tablewright.Change[Order]{Orders.Name.Set(c.Name)}
		}))
	order, _ := Orders.Get("o1").Run(ctx, db)
	fmt.Println(order.Name, err)
	// Output: Ada Lovelace <nil>
}

// What a handler cannot handle is kept elsewhere, and the rest goes on.
func ExampleOptions_poison() {
	ctx, db := inMemory()
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Total: -1}).Run(ctx, db)
	_ = Orders.Create(Order{ID: "o2", Customer: "c1", Total: 3}).Run(ctx, db)
	var watch streams.Watch
	err := streams.Run(ctx, db, Shop, streams.Options{
		Group: "invoices", Create: true, Drain: true, Watch: &watch,
		Retry: streams.Retry{Attempts: 2, Wait: time.Millisecond},
		Poison: func(ctx context.Context, c streams.Change[attr.Item], err error) error {
			fmt.Println("put aside:", c.Keys.Get("PK").Str(), err)
			return nil
		},
	}, streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
		if c.New.Total < 0 {
			return errors.New("negative total")
		}
		fmt.Println("invoice:", c.New.ID)
		return nil
	}))
	fmt.Println(watch.Shards()[0].Poison, watch.Behind(), err)
	// Output:
	// put aside: o#o1 negative total
	// invoice: o2
	// 1 0s <nil>
}
