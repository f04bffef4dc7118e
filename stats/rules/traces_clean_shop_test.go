package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// The traffic of examples/online-shop.yaml on the table of examples/online-shop.published-model.yaml: one table, two overloaded
// indexes, the rates of the requirements.

var onlineShop = plan.Table{
	Name: "OnlineShop", Key: plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{
		"GSI1": {Partition: []string{"GSI1-PK"}, Sort: []string{"GSI1-SK"}},
		"GSI2": {Partition: []string{"GSI2-PK"}, Sort: []string{"GSI2-SK"}},
	},
}

// shopBook is what is in the shop: the numbers of things, and what of them was made last.
type shopBook struct {
	w                                         *tracebench.World
	customers, products, warehouses           int
	orders                                    []int // numbers, each with its customer
	product                                   func() int
	customerOf, invoiceOf, shippedOf, orderOf map[int]int
}

func (s *shopBook) at() string { return s.w.Clock.Now().Format(time.RFC3339Nano) }

func id(kind string, n int) string {
	return fmt.Sprintf("%s#01J%08X%014X", kind, n*2654435761%0x7fffffff, n)
}

func (s *shopBook) inventory(product, warehouse int) tracebench.Item {
	return tracebench.Item{"PK": id("p", product), "SK": id("w", warehouse)}
}

func with(a, b tracebench.Item) tracebench.Item {
	out := tracebench.Item{}
	for name, v := range a {
		out[name] = v
	}
	for name, v := range b {
		out[name] = v
	}
	return out
}

func newShop(w *tracebench.World) *shopBook {
	return &shopBook{w: w, customers: 300, products: 150, warehouses: 6, product: w.Zipf(0.8, 150),
		customerOf: map[int]int{}, invoiceOf: map[int]int{}, shippedOf: map[int]int{}, orderOf: map[int]int{}}
}

func seedShop(w *tracebench.World) {
	s := newShop(w)
	for n := range s.customers {
		w.Store("OnlineShop", tracebench.Item{"PK": id("c", n), "SK": id("c", n), "EntityType": "customer", "name": tracebench.Text(12 + n%20),
			"email": fmt.Sprintf("%d@example.com", n), "address": tracebench.Item{"street": tracebench.Text(30 + n%90), "city": tracebench.Text(12), "note": tracebench.Text(150 + n%100)}})
	}
	for n := range s.products {
		w.Store("OnlineShop", tracebench.Item{"PK": id("p", n), "SK": id("p", n), "EntityType": "product", "name": tracebench.Text(20 + n%20),
			"price": float64(n%90) + 9.99, "category": []string{"garden", "kitchen", "sports", "toys"}[n%4], "description": tracebench.Text(500 + n%600)})
		for h := range s.warehouses {
			w.Store("OnlineShop", with(s.inventory(n, h), tracebench.Item{"EntityType": "warehouseItem", "quantity": 5_000_000, "GSI2-PK": id("w", h), "GSI2-SK": id("p", n)}))
		}
	}
	for n := range s.warehouses {
		w.Store("OnlineShop", tracebench.Item{"PK": id("w", n), "SK": id("w", n), "EntityType": "warehouse", "address": tracebench.Item{"street": tracebench.Text(60), "city": tracebench.Text(20)}})
	}
}

// place is a whole order with its items and invoice, and what it takes from stock, all or nothing.
func (s *shopBook) place(c *tracebench.Caller) {
	n := len(s.orders)
	customer, at := s.w.Rand.IntN(s.customers), s.at()
	s.orders, s.customerOf[n] = append(s.orders, n), customer
	put := func(item tracebench.Item) tracebench.Action {
		return tracebench.Action{Do: "Put", Table: "OnlineShop", Item: item, How: []tracebench.Option{tracebench.If("attribute_not_exists(PK)")}}
	}
	actions := []tracebench.Action{
		put(tracebench.Item{"PK": id("o", n), "SK": id("c", customer), "EntityType": "order", "placedAt": at, "status": "placed", "address": tracebench.Item{"street": tracebench.Text(180)}}),
		put(tracebench.Item{"PK": id("o", n), "SK": id("i", n), "EntityType": "invoice", "invoicedAt": at, "amount": 99.5, "GSI1-PK": id("i", n), "GSI1-SK": id("i", n),
			"GSI2-PK": id("c", customer), "GSI2-SK": "i#" + at, "terms": tracebench.Text(80)}),
	}
	taken := map[int]bool{}
	for range 1 + s.w.Rand.IntN(4) {
		p := s.product()
		if taken[p] {
			continue
		}
		taken[p] = true
		actions = append(actions,
			put(tracebench.Item{"PK": id("o", n), "SK": id("p", p), "EntityType": "orderItem", "quantity": 1, "price": 19.9, "productName": tracebench.Text(25), "placedAt": at,
				"GSI1-PK": id("p", p), "GSI1-SK": at, "GSI2-PK": id("c", customer), "GSI2-SK": at}),
			tracebench.Action{Do: "Update", Table: "OnlineShop", Item: s.inventory(p, s.w.Rand.IntN(s.warehouses)), How: []tracebench.Option{
				tracebench.Set("SET quantity = quantity - :n"), tracebench.If("quantity >= :n"), tracebench.Values(tracebench.Item{":n": 1})}})
	}
	c.Transact(actions, tracebench.Pattern("placeOrder"), tracebench.Token(fmt.Sprintf("place-%d", n)), tracebench.Times(20))
}

// any order; one is placed first where there is none.
func (s *shopBook) any(c *tracebench.Caller) int {
	if len(s.orders) == 0 {
		s.place(c)
	}
	return s.w.Rand.IntN(len(s.orders))
}

// runShop has each pattern called about as often as the requirements say, a call standing for many of the most frequent ones.
func runShop(span time.Duration, shape tracebench.Shape, scale float64) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		s := newShop(w)
		key := func(kind string, n int) tracebench.Item { return tracebench.Item{"PK": id(kind, n)} }
		order := func(prefix string) []tracebench.Option {
			return []tracebench.Option{tracebench.Where("begins_with(SK, :s)"), tracebench.Values(tracebench.Item{":s": prefix})}
		}
		from := w.Clock.Now().AddDate(0, -1, 0).Format(time.RFC3339Nano)
		dates := func(prefix string) []tracebench.Option {
			return []tracebench.Option{tracebench.Where("#s BETWEEN :from AND :to"), tracebench.Values(tracebench.Item{":from": prefix + from, ":to": prefix + s.at()}), tracebench.Descending()}
		}
		// pattern calls f for one of many callers: so many a second, of which each call of the trace is times.
		var kinds []tracebench.Kind
		pattern := func(perSecond float64, name string, times int, f func(c *tracebench.Caller, how []tracebench.Option)) {
			kinds = append(kinds, tracebench.Kind{Callers: max(int(perSecond*scale*span.Seconds()/float64(times)), 1), Do: func(c *tracebench.Caller) {
				f(c, []tracebench.Option{tracebench.Pattern(name), tracebench.Times(times)})
			}})
		}
		get := func(c *tracebench.Caller, how []tracebench.Option, kind string, n int) {
			c.Get("OnlineShop", tracebench.Item{"PK": id(kind, n), "SK": id(kind, n)}, how...)
		}
		pattern(400, "getCustomerByCustomerId", 2000, func(c *tracebench.Caller, how []tracebench.Option) { get(c, how, "c", w.Rand.IntN(s.customers)) })
		pattern(2500, "getProductByProductId", 2000, func(c *tracebench.Caller, how []tracebench.Option) { get(c, how, "p", s.product()) })
		pattern(5, "getWarehouseByWarehouseId", 100, func(c *tracebench.Caller, how []tracebench.Option) { get(c, how, "w", w.Rand.IntN(s.warehouses)) })
		pattern(900, "getProductInventoryByProductId", 2000, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "", key("p", s.product()), append(how, order("w#")...)...)
		})
		pattern(300, "getOrderDetailsByOrderId", 1500, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "", key("o", s.any(c)), how...)
		})
		pattern(150, "getProductByOrderId", 1000, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "", key("o", s.any(c)), append(how, order("p#")...)...)
		})
		pattern(40, "getInvoiceByInvoiceId", 500, func(c *tracebench.Caller, how []tracebench.Option) {
			n := id("i", s.any(c))
			c.Query("OnlineShop", "GSI1", tracebench.Item{"GSI1-PK": n}, append(how, tracebench.Where("#s = :s"), tracebench.Names("#s", "GSI1-SK"), tracebench.Values(tracebench.Item{":s": n}))...)
		})
		pattern(3, "getOrderByProductIdForDateRange", 50, func(c *tracebench.Caller, how []tracebench.Option) {
			p := tracebench.Item{"GSI1-PK": id("p", s.product())}
			how = append(append(how, dates("")...), tracebench.Names("#s", "GSI1-SK"), tracebench.Limit(50))
			if page := c.Query("OnlineShop", "GSI1", p, how...); page.Last != nil && w.Rand.IntN(3) == 0 { // whoever wants more asks with another request
				w.Caller().Query("OnlineShop", "GSI1", p, append(how, tracebench.After(page))...)
			}
		})
		pattern(50, "getInvoiceByCustomerIdForDateRange", 500, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "GSI2", tracebench.Item{"GSI2-PK": id("c", w.Rand.IntN(s.customers))}, append(append(how, dates("i#")...), tracebench.Names("#s", "GSI2-SK"))...)
		})
		pattern(30, "getProductsByCustomerIdForDateRange", 300, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "GSI2", tracebench.Item{"GSI2-PK": id("c", w.Rand.IntN(s.customers))}, append(append(how, dates("")...), tracebench.Names("#s", "GSI2-SK"))...)
		})
		pattern(1, "getProductInventoryByWarehouseId", 30, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "GSI2", tracebench.Item{"GSI2-PK": id("w", w.Rand.IntN(s.warehouses))}, append(how, tracebench.Limit(100))...)
		})
		pattern(1.5, "placeOrder", 20, func(c *tracebench.Caller, _ []tracebench.Option) { s.place(c) })
		pattern(2, "addPayment", 20, func(c *tracebench.Caller, how []tracebench.Option) {
			n := s.any(c)
			if s.invoiceOf[n]++; s.invoiceOf[n] > 3 {
				return
			}
			i := tracebench.Item{"PK": id("i", n), "SK": id("p", s.invoiceOf[n]), "EntityType": "payment", "type": "credit-card", "amount": 12.5, "paidAt": s.at(), "GSI1-PK": id("i", n), "GSI1-SK": id("p", s.invoiceOf[n])}
			c.Put("OnlineShop", i, append(how, tracebench.If("attribute_not_exists(PK)"))...)
		})
		pattern(5, "updateOrderStatus", 40, func(c *tracebench.Caller, how []tracebench.Option) {
			n := s.any(c)
			steps := []string{"paid", "packed", "shipped", "delivered"}
			if s.shippedOf[n] == len(steps) {
				return
			}
			c.Update("OnlineShop", tracebench.Item{"PK": id("o", n), "SK": id("c", s.customerOf[n])}, "SET #s = :s", append(how, tracebench.Names("#s", "status"),
				tracebench.Values(tracebench.Item{":s": steps[s.shippedOf[n]]}), tracebench.If("attribute_exists(PK)"))...)
			s.shippedOf[n]++
		})
		pattern(1.8, "createShipment", 20, func(c *tracebench.Caller, how []tracebench.Option) {
			n, at := s.any(c), s.at()
			if s.orderOf[n]++; s.orderOf[n] > 2 {
				return
			}
			sh := id("sh", n*4+s.orderOf[n])
			var actions []tracebench.Action
			for _, item := range []tracebench.Item{
				{"SK": sh, "EntityType": "shipment", "createdAt": at, "status": "created", "address": tracebench.Item{"street": tracebench.Text(150)}, "GSI1-PK": sh, "GSI1-SK": sh, "GSI2-PK": id("w", n%s.warehouses), "GSI2-SK": "sh#" + at},
				{"SK": "shp#" + sh + id("p", n%s.products), "EntityType": "shipmentItem", "quantity": 1, "GSI1-PK": sh, "GSI1-SK": id("p", n%s.products)},
			} {
				actions = append(actions, tracebench.Action{Do: "Put", Table: "OnlineShop", Item: with(item, key("o", n)), How: []tracebench.Option{tracebench.If("attribute_not_exists(PK)")}})
			}
			c.Transact(actions, append(how, tracebench.Token("ship-"+sh))...)
		})
		pattern(4, "getShipmentByWarehouseId", 50, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Query("OnlineShop", "GSI2", tracebench.Item{"GSI2-PK": id("w", w.Rand.IntN(s.warehouses))}, append(how, tracebench.Where("begins_with(#s, :s)"), tracebench.Names("#s", "GSI2-SK"),
				tracebench.Values(tracebench.Item{":s": "sh#"}), tracebench.Descending(), tracebench.Limit(50))...)
		})
		pattern(6, "updateInventory", 50, func(c *tracebench.Caller, how []tracebench.Option) {
			c.Update("OnlineShop", s.inventory(w.Rand.IntN(s.products), w.Rand.IntN(s.warehouses)), "SET quantity = quantity + :n", append(how, tracebench.If("quantity >= :least"),
				tracebench.Values(tracebench.Item{":n": 40, ":least": -40}))...)
		})
		pattern(2, "updateProduct", 50, func(c *tracebench.Caller, how []tracebench.Option) {
			n := w.Rand.IntN(s.products)
			c.Update("OnlineShop", tracebench.Item{"PK": id("p", n), "SK": id("p", n)}, "SET price = :p", append(how, tracebench.If("attribute_exists(PK)"), tracebench.Values(tracebench.Item{":p": 5.5 + float64(w.Rand.IntN(100))}))...)
		})
		w.Mix(span, shape, kinds...)
	}
}

var _ = bench("",
	tracebench.Trace{Name: "the online shop, ten steady minutes", Tables: []plan.Table{onlineShop}, Seed: seedShop, Run: runShop(10*time.Minute, tracebench.Steady, 1)},
	tracebench.Trace{Name: "the online shop in four processes, with spikes every hour", Tables: []plan.Table{onlineShop}, Seed: seedShop, Processes: 4, Live: true,
		Run: runShop(6*time.Hour, tracebench.Spiky, 0.03)},
	tracebench.Trace{Name: "the online shop, small and growing, behind indexes that lag", Tables: []plan.Table{onlineShop}, Seed: seedShop,
		Engine: engine.Options{Lag: &engine.Lag{Max: 40 * time.Millisecond, Seed: 1}}, Run: runShop(9*24*time.Hour, tracebench.Growing, 0.001)},
)
