package stats_test

import (
	"context"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

type order struct {
	ID       string `ddb:"orderId"`
	Line     string `ddb:"line"`
	Customer string `ddb:"customerId"`
	Note     string `ddb:"note,omitzero"`
	Count    int    `ddb:"count"`
}

type orderKey struct{ ID, Line string }

var shop = tablewright.NewTable(plan.Table{Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"orderId"}}}})

var orders = tablewright.Declare[struct {
	tablewright.Entity[orderKey, order]
	Customer   tablewright.Text[order, string]
	Count      tablewright.Number[order, int]
	Note       tablewright.Text[order, string]
	ByCustomer tablewright.Index1[order, string, string]
	OfOrder    tablewright.Index0[order, string] `index:"Shop"`
}](shop, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "l#{line}"}})

var linesOfOrder = tablewright.NewPattern(shop, "linesOfOrder", func(id string) tablewright.Query[order] { return orders.OfOrder.Of(id) })

// open makes a DB on an engine, with the collector as its hook and others behind it.
func open(t testing.TB, c *stats.Collector, behind ...tablewright.Hook) *tablewright.DB {
	t.Helper()
	e, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: append([]tablewright.Hook{tablewright.Statistics(c)}, behind...)})
	if err := shop.CreateIn(context.Background(), db); err != nil {
		t.Fatal(err)
	}
	return db
}

// operation finds what is known of an operation on an index, by any pattern.
func operation(t testing.TB, s *stats.Snapshot, name, index string) *stats.Operation {
	t.Helper()
	for _, o := range s.Operations {
		if o.Operation == name && o.Index == index {
			return o
		}
	}
	t.Fatalf("no %s of %q among %d operations", name, index, len(s.Operations))
	return nil
}
