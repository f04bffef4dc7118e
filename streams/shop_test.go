package streams_test

import (
	"context"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

type Order struct {
	ID       string `ddb:"orderId"`
	Customer string `ddb:"customerId"`
	Total    int    `ddb:"total"`
	Status   string `ddb:"status,omitzero"`
	Name     string `ddb:"customerName,omitzero"`
}

type Customer struct {
	ID    string `ddb:"customerId"`
	Name  string `ddb:"name"`
	Count int    `ddb:"orders,omitzero"`
	Spent int    `ddb:"spent,omitzero"`
}

var Shop = tablewright.NewTable(plan.Table{
	Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"}, TTL: "until", Stream: plan.NewAndOld,
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"orderId"}}},
})

var Orders = tablewright.Declare[struct {
	tablewright.Entity[string, Order]
	Total      tablewright.Number[Order, int]
	Status     tablewright.Text[Order, string]
	Name       tablewright.Text[Order, string]
	ByCustomer tablewright.Index1[Order, string, string]
}](Shop, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})

var Customers = tablewright.Declare[struct {
	tablewright.Entity[string, Customer]
	Name  tablewright.Text[Customer, string]
	Count tablewright.Number[Customer, int]
	Spent tablewright.Number[Customer, int]
}](Shop, plan.Item{Name: "Customer", Key: map[string]string{"PK": "c#{customerId}", "SK": "c"}})

// Totals lie in a table of their own, in which consumers may also keep their leases.
type Totals struct {
	Customer string `ddb:"customerId"`
	Orders   int    `ddb:"orders,omitzero"`
	Spent    int    `ddb:"spent,omitzero"`
}

var TotalsTable = tablewright.NewTable(plan.Table{Name: "Totals", Key: plan.Key{Partition: "PK", Sort: "SK"}})

var AllTotals = tablewright.Declare[struct {
	tablewright.Entity[string, Totals]
	Orders tablewright.Number[Totals, int]
	Spent  tablewright.Number[Totals, int]
}](TotalsTable, plan.Item{Name: "Totals", Key: map[string]string{"PK": "t#{customerId}", "SK": "t"}})

// newEngine is an engine with the tables in it, and a way to it.
func newEngine(t testing.TB, o engine.Options, hooks ...tablewright.Hook) (*engine.Engine, *tablewright.DB) {
	t.Helper()
	e := engine.New(t, o)
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Clock: o.Clock, Hooks: hooks})
	for _, table := range []*tablewright.Table{Shop, TotalsTable} {
		if err := table.CreateIn(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	return e, db
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// streamOf is the ARN of the table's newest stream.
func streamOf(t testing.TB, e *engine.Engine, table string) string {
	t.Helper()
	arn := ""
	for _, s := range streamsOf(t, e, table) {
		arn = s
	}
	return arn
}

func put(t testing.TB, db *tablewright.DB, id string, total int) {
	t.Helper()
	must(t, Orders.Put(Order{ID: id, Customer: "c" + id[len(id)-1:], Total: total}).Run(context.Background(), db))
}

func raw(id string) attr.Item {
	var it attr.Item
	it.Set("PK", attr.Text("x#"+id))
	it.Set("SK", attr.Text("x"))
	return it
}
