package rules_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// ordersTable is a table of orders with an index by customer, and others where they are given.
func ordersTable(indexes map[string]plan.Index) plan.Table {
	p := plan.Table{Name: "Shop", Key: plan.Key{Partition: "orderId"}, GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"orderId"}}}}
	for name, x := range indexes {
		p.GSI[name] = x
	}
	return p
}

var byStatus = map[string]plan.Index{"ByStatus": {Partition: []string{"status"}, Sort: []string{"orderId"}, Project: "keys"}}

// placeAndList is a shop in which orders are placed, paid and listed by customer.
func placeAndList(span time.Duration, also ...tracebench.Kind) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		customer := w.Zipf(0.6, 300)
		placed := 0
		order := func(i int) tracebench.Item { return tracebench.Item{"orderId": fmt.Sprintf("o%06d", i)} }
		w.Mix(span, tracebench.Daily, append([]tracebench.Kind{
			{Callers: 250, Do: func(c *tracebench.Caller) {
				placed++
				c.Put("Shop", tracebench.Item{"orderId": fmt.Sprintf("o%06d", placed), "customerId": fmt.Sprint("c", customer()), "status": "placed",
					"total": 19.9, "note": tracebench.Text(100 + w.Rand.IntN(400))}, tracebench.Pattern("placeOrder"), tracebench.If("attribute_not_exists(orderId)"), tracebench.Times(5_000))
			}},
			{Callers: 200, Do: func(c *tracebench.Caller) {
				c.Update("Shop", order(1+w.Rand.IntN(max(placed, 1))), "SET #s = :paid", tracebench.Names("#s", "status"), tracebench.Values(tracebench.Item{":paid": "paid"}),
					tracebench.If("attribute_exists(orderId)"), tracebench.Pattern("payOrder"), tracebench.Times(5_000))
			}},
			{Callers: 250, Do: func(c *tracebench.Caller) {
				c.Query("Shop", "ByCustomer", tracebench.Item{"customerId": fmt.Sprint("c", customer())}, tracebench.Pattern("ordersOfCustomer"), tracebench.Times(8_000))
			}},
		}, also...)...)
	}
}

// newStatus is a shop that puts orders for days, and whose index by status, if it has any, is new when some of them are left.
func newStatus(before, since time.Duration, indexed bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		update := func(form string) {
			w.Caller().Client(func(ctx context.Context, db *tablewright.DB) {
				if !indexed {
					return
				}
				if _, err := db.Send(ctx, "UpdateTable", "Shop", []byte(`{"TableName":"Shop",`+form+`}`)); err != nil {
					panic(err)
				}
			})
			w.Pause(time.Hour)
		}
		n := 0
		sell := func(span time.Duration) {
			w.Traffic(span, int(span/(20*time.Minute)), tracebench.Daily, func(c *tracebench.Caller) {
				n++
				c.Put("Shop", tracebench.Item{"orderId": fmt.Sprintf("o%06d", n), "customerId": fmt.Sprint("c", n%90), "status": "placed"}, tracebench.Pattern("placeOrder"), tracebench.Times(5_000))
				w.Caller().Query("Shop", "ByCustomer", tracebench.Item{"customerId": fmt.Sprint("c", (n+40)%90)}, tracebench.Pattern("ordersOfCustomer"), tracebench.Times(8_000))
			})
		}
		update(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"ByStatus"}}]`)
		sell(before)
		update(`"AttributeDefinitions":[{"AttributeName":"orderId","AttributeType":"S"},{"AttributeName":"customerId","AttributeType":"S"},{"AttributeName":"status","AttributeType":"S"}],
			"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"ByStatus","Projection":{"ProjectionType":"KEYS_ONLY"},
				"KeySchema":[{"AttributeName":"status","KeyType":"HASH"},{"AttributeName":"orderId","KeyType":"RANGE"}]}}]`)
		sell(since)
	}
}

var _ = bench("unused-index",
	tracebench.Trace{
		Name:     "an index by status that nothing queries",
		Tables:   []plan.Table{ordersTable(byStatus)},
		Run:      placeAndList(9 * 24 * time.Hour),
		Live:     true,
		Fires:    []string{"unused-index"},
		Remedied: &tracebench.Remedied{Tables: []plan.Table{ordersTable(nil)}},
	},
	tracebench.Trace{
		Name:      "the same in three processes, of which nobody knows what is stored",
		Tables:    []plan.Table{ordersTable(byStatus)},
		Run:       placeAndList(30 * 24 * time.Hour),
		Processes: 3,
		Fires:     []string{"unused-index"},
		Remedied:  &tracebench.Remedied{Tables: []plan.Table{ordersTable(nil)}},
	},
	tracebench.Trace{
		Name:   "an index that a report reads once a week",
		Tables: []plan.Table{ordersTable(byStatus)},
		Run: placeAndList(13*24*time.Hour, tracebench.Kind{Callers: 2, Do: func(c *tracebench.Caller) {
			c.Query("Shop", "ByStatus", tracebench.Item{"status": "placed"}, tracebench.Pattern("weeklyReport"))
		}}),
		Near: true,
	},
	tracebench.Trace{
		Name:   "an index that is two days old, in a table that is older",
		Tables: []plan.Table{ordersTable(byStatus)},
		Run:    newStatus(9*24*time.Hour, 40*time.Hour, true),
		Near:   true,
	},
	tracebench.Trace{
		Name:   "the same after four days, of which the first are not known by the minute any more",
		Tables: []plan.Table{ordersTable(byStatus)},
		Run:    newStatus(9*24*time.Hour, 4*24*time.Hour, true),
		Near:   true,
	},
	tracebench.Trace{
		Name:     "an index that is nine days old and nobody reads, in a table that is older",
		Tables:   []plan.Table{ordersTable(byStatus)},
		Run:      newStatus(9*24*time.Hour, 9*24*time.Hour, true),
		Fires:    []string{"unused-index"},
		Remedied: &tracebench.Remedied{Tables: []plan.Table{ordersTable(nil)}, Run: newStatus(9*24*time.Hour, 9*24*time.Hour, false)},
	},
	tracebench.Trace{
		Name:   "an index that was not read yet, after two days",
		Tables: []plan.Table{ordersTable(byStatus)},
		Run:    placeAndList(48 * time.Hour),
		Near:   true,
	},
)
