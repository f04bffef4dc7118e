package tablewright_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// What is made at the first use (a table sealed, what follows from its declarations) is made once, whoever comes first:
// run with -race.
func TestFirstUseTogether(t *testing.T) {
	for range 5 {
		table := tablewright.NewTable(plan.Table{Name: "Firsts", Key: plan.Key{Partition: "PK", Sort: "SK"}, TTL: "draftUntil",
			GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"status", "placedAt"}}}})
		entity := tablewright.Declare[struct {
			tablewright.Entity[OrderID, Order]
			Note       tablewright.Text[Order, string]
			Lines      tablewright.List[Order, Line, lineOf[Order]]
			ByCustomer tablewright.Index1[Order, CustomerID, Status]
			Everything tablewright.Index0[Order, OrderID] `index:"Firsts"`
		}](table, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})
		view := tablewright.ViewOf[tablewright.View[OrderID, OrderHead]](entity)
		pattern := tablewright.NewPattern(table, "ofCustomer", func(c CustomerID) tablewright.Query[Order] { return entity.ByCustomer.Of(c).Query })
		pages := tablewright.NewCollection[struct{ Order *Order }](entity.Everything)
		made := tablewright.NewTable(plan.Table{Name: "Firsts", Key: plan.Key{Partition: "PK", Sort: "SK"},
			Attributes: map[string]plan.Type{"customerId": plan.S, "status": plan.S, "placedAt": plan.S, "PK": plan.S, "SK": plan.S},
			GSI:        map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"status", "placedAt"}}}})
		db := open(t, tablewright.Options{}, made) // another declaration of the table makes it: this one has seen no call
		begin := make(chan struct{})
		var wait sync.WaitGroup
		for i := range 4 {
			id := OrderID(fmt.Sprint("o", i))
			for _, call := range []func(ctx context.Context) error{
				func(ctx context.Context) error { return entity.Create(order(id)).Run(ctx, db) },
				func(ctx context.Context) error {
					return entity.Update("u"+id, entity.Note.Set("x"), entity.Lines.Append(Line{"s", 1})).Upsert().Run(ctx, db)
				},
				func(ctx context.Context) error { _, err := entity.ByCustomer.Of("none").Slice(ctx, db); return err },
				func(ctx context.Context) error { _, err := pattern.With("none").Count(ctx, db); return err },
				func(ctx context.Context) error { _, err := pages.Of("none").Run(ctx, db); return err },
				func(ctx context.Context) error { _, err := view.GetAll([]OrderID{"none"}).Run(ctx, db); return err },
				func(ctx context.Context) error { return entity.Delete("none").Run(ctx, db) },
				func(ctx context.Context) error {
					return tablewright.Transact(entity.Delete("none"), entity.Put(order("t"+id))).Run(ctx, db)
				},
				func(ctx context.Context) error { _, err := entity.Get(id).Request(); return err },
				func(ctx context.Context) error {
					for p := range table.Patterns() {
						for _, err := range p.Run(ctx, db, map[string]attr.Value{"customerId": attr.Text("none")}) {
							return err
						}
					}
					return nil
				},
			} {
				wait.Go(func() {
					<-begin
					if err := call(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		close(begin)
		wait.Wait()
	}
}

// Of patterns that are declared at once under one name, one is taken.
func TestPatternsDeclaredTogether(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Firsts", Key: plan.Key{Partition: "orderId"}})
	entity := tablewright.Declare[tablewright.Entity[OrderID, Order]](table, plan.Item{Name: "Order"})
	var wait sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for range 20 {
		wait.Go(func() {
			defer func() {
				if recover() != nil {
					mu.Lock()
					refused++
					mu.Unlock()
				}
			}()
			tablewright.NewPattern(table, "get", func(id OrderID) tablewright.Get[Order] { return entity.Get(id) })
		})
	}
	wait.Wait()
	n := 0
	for range table.Patterns() {
		n++
	}
	if n != 1 || refused != 19 {
		t.Errorf("%d patterns, %d refused", n, refused)
	}
}
