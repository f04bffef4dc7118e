package guide

import (
	"fmt"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/plan"
)

type Order struct {
	Customer string      `ddb:"customerId"`
	PlacedAt time.Time   `ddb:"placedAt,iso"`
	No       string      `ddb:"orderNo"`
	Total    attr.Number `ddb:"total"`
}

// OrderKey has the parts of the key, under the names of Order's fields.
type OrderKey struct {
	Customer string
	PlacedAt time.Time
}

var OrdersTable = tablewright.NewTable(plan.Table{
	Name: "Orders", Key: plan.Key{Partition: "customerId", Sort: "placedAt"},
})

type orders struct {
	tablewright.Entity[OrderKey, Order]
	Total      tablewright.Number[Order, attr.Number]
	OfCustomer tablewright.Index1[Order, string, time.Time] `index:"."` // the table's own key
}

var Orders = tablewright.Declare[orders](OrdersTable, plan.Item{Name: "Order"})

func Example_queries() {
	ctx, db := open(OrdersTable)
	for day := range 5 {
		err := Orders.Create(Order{
			Customer: "c1", PlacedAt: local.Noon.AddDate(0, 0, day), No: fmt.Sprint("A-", day+1), Total: attr.Int(int64(10 * day)),
		}).Run(ctx, db)
		if err != nil {
			log.Fatal(err)
		}
	}

	since := local.Noon.AddDate(0, 0, 2)
	for order, err := range Orders.OfCustomer.Of("c1").From(since).All(ctx, db) {
		fmt.Println(order.No, err)
	}

	newest, err := Orders.OfCustomer.Of("c1").Descending().First(ctx, db)
	fmt.Println("newest:", newest.No, err)

	n, err := Orders.OfCustomer.Of("c1").Filter(Orders.Total.AtLeast(attr.Int(20))).Count(ctx, db)
	fmt.Println(n, "of at least 20;", err)
	// Output:
	// A-3 <nil>
	// A-4 <nil>
	// A-5 <nil>
	// newest: A-5 <nil>
	// 3 of at least 20; <nil>
}
