package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// productTables is a table of products, and of the lists that name some of them.
var productTables = []plan.Table{{Name: "Products", Key: plan.Key{Partition: "productId"}}, {Name: "Lists", Key: plan.Key{Partition: "listId"}}}

func productKey(n int) tracebench.Item { return tracebench.Item{"productId": fmt.Sprintf("p%05d", n)} }

func seedProducts(w *tracebench.World) {
	for i := range 600 {
		w.Store("Products", with(productKey(i), tracebench.Item{"title": fmt.Sprint("product ", i), "text": tracebench.Text(200 + i%7*100)}))
	}
	for i := range 50 {
		w.Store("Lists", tracebench.Item{"listId": fmt.Sprint("l", i), "title": "wanted"})
	}
}

// showLists has callers get a list and then what stands on it, as get does.
func showLists(get func(c *tracebench.Caller, keys []tracebench.Item), least, most int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(time.Hour, 150, tracebench.Daily, func(c *tracebench.Caller) {
			c.Get("Lists", tracebench.Item{"listId": fmt.Sprint("l", w.Rand.IntN(50))}, tracebench.Pattern("getList"))
			var keys []tracebench.Item
			first := w.Rand.IntN(500)
			for i := range least + w.Rand.IntN(most-least+1) {
				keys = append(keys, productKey(first+7*i))
			}
			get(c, keys)
		})
	}
}

var getProduct = tracebench.Pattern("getProduct")

// nodeTables has items that name another one of their own kind, without the prefix of its key.
var nodeTables = []plan.Table{{Name: "Main", Key: plan.Key{Partition: "PK", Sort: "SK"}}}

func nodeID(n int) string { return fmt.Sprintf("%08x", uint32(n)*2654435761) }

func nodeKey(n int) tracebench.Item { return tracebench.Item{"PK": "NODE#" + nodeID(n), "SK": "META"} }

func seedNodes(w *tracebench.World) {
	for i := range 3000 {
		w.Store("Main", with(nodeKey(i), tracebench.Item{"kind": "META", "above": nodeID(i / 3), "label": tracebench.Text(10 + i%30)}))
	}
}

// getNodes has callers get so many nodes one after the other.
func getNodes(steps int, next func(n int) int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(2*time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
			n := 2900 - w.Rand.IntN(200)
			for range steps {
				c.Get("Main", nodeKey(n), tracebench.Pattern("node"))
				n = next(n)
			}
		})
	}
}

var _ = bench("single-gets",
	tracebench.Trace{
		Name: "a page that gets the products of a list one by one", Tables: productTables, Seed: seedProducts,
		Run: showLists(func(c *tracebench.Caller, keys []tracebench.Item) {
			for _, key := range keys {
				c.Get("Products", key, getProduct)
			}
		}, 5, 12),
		Fires: []string{"single-gets"},
	},
	tracebench.Trace{
		Name: "the same in three processes, two hundred a page", Tables: productTables, Seed: seedProducts, Processes: 3,
		Run: func(w *tracebench.World) {
			w.Traffic(30*time.Minute, 24, tracebench.Steady, func(c *tracebench.Caller) {
				for i := range 200 {
					c.Get("Products", productKey(3*i), getProduct)
				}
			})
		},
		Fires: []string{"single-gets"},
	},
	tracebench.Trace{
		Name: "each product and its stock, from two tables in turn", Tables: append(productTables, plan.Table{Name: "Stock", Key: plan.Key{Partition: "productId"}}),
		Seed: func(w *tracebench.World) {
			seedProducts(w)
			for i := range 600 {
				w.Store("Stock", with(productKey(i), tracebench.Item{"left": i % 40, "place": fmt.Sprint("shelf ", i)}))
			}
		},
		Run: showLists(func(c *tracebench.Caller, keys []tracebench.Item) {
			for _, key := range keys {
				c.Get("Products", key, getProduct)
				c.Get("Stock", key, tracebench.Pattern("getStock"))
			}
		}, 5, 12),
		Fires: []string{"single-gets"},
	},
	tracebench.Trace{
		Name: "statements that get the products of a list one by one, after a get when the program began", Tables: productTables, Seed: seedProducts,
		Run: func(w *tracebench.World) {
			begun := false
			w.Traffic(time.Hour, 150, tracebench.Steady, func(c *tracebench.Caller) {
				if !begun {
					c.Get("Products", productKey(0))
					begun = true
				}
				for i := range 6 {
					c.Statement(fmt.Sprintf(`SELECT * FROM "Products" WHERE productId = 'p%05d'`, w.Rand.IntN(80)+80*i))
				}
			})
		},
		Fires: []string{"single-gets"},
	},
	tracebench.Trace{
		Name: "what a page needs of two tables, twice each", Tables: productTables, Seed: seedProducts, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 150, tracebench.Steady, func(c *tracebench.Caller) {
				for range 2 {
					c.Get("Products", productKey(w.Rand.IntN(500)), getProduct)
					c.Get("Lists", tracebench.Item{"listId": fmt.Sprint("l", w.Rand.IntN(50))}, tracebench.Pattern("getList"))
				}
			})
		},
	},
	tracebench.Trace{
		Name: "batches of the same products", Tables: productTables, Seed: seedProducts, Near: true,
		Run: showLists(func(c *tracebench.Caller, keys []tracebench.Item) { c.BatchGet("Products", keys, getProduct) }, 5, 12),
	},
	tracebench.Trace{
		Name: "a list with two products at most", Tables: productTables, Seed: seedProducts, Near: true,
		Run: showLists(func(c *tracebench.Caller, keys []tracebench.Item) {
			for _, key := range keys {
				c.Get("Products", key, getProduct)
			}
		}, 1, 2),
	},
	tracebench.Trace{
		Name: "gets of which each needs what the one before brought", Tables: productTables, Seed: seedProducts, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 150, tracebench.Steady, func(c *tracebench.Caller) {
				for step, name := range []string{"getUser", "getTenant", "getPlan", "getLimits", "getUsage"} {
					c.Get("Products", productKey(w.Rand.IntN(100)+100*step), tracebench.Pattern(name))
				}
			})
		},
	},
	tracebench.Trace{
		Name: "folders, each got by the parent that the one before names", Tables: nodeTables, Seed: seedNodes, Near: true, May: []string{"repeated-reads"},
		Run: getNodes(7, func(n int) int { return n / 3 }),
	},
	tracebench.Trace{
		Name: "the same folders by a program that has one context for all it does", Tables: nodeTables, Seed: seedNodes, Near: true, May: []string{"repeated-reads"},
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
				c.Background()
				for n := 2900 - w.Rand.IntN(200); n > 0; n /= 3 {
					c.Get("Main", nodeKey(n), tracebench.Pattern("node"))
				}
			})
		},
	},
	tracebench.Trace{
		Name: "products of a list by a program that has one context for all it does", Tables: productTables, Seed: seedProducts, Fires: []string{"single-gets"},
		Run: showLists(func(c *tracebench.Caller, keys []tracebench.Item) {
			c.Background()
			for _, key := range keys {
				c.Get("Products", key, getProduct)
			}
		}, 8, 20),
	},
	tracebench.Trace{
		Name: "members of a team by their numbers, who name their manager", Tables: nodeTables, Seed: seedNodes, Fires: []string{"single-gets"},
		Run: getNodes(8, func(n int) int { return n + 1 }),
	},
	tracebench.Trace{
		Name: "a worker that gets a product for each message of a queue, under one context", Tables: productTables, Seed: seedProducts, Near: true,
		Run: func(w *tracebench.World) {
			c := w.Caller()
			for range 1500 {
				c.Get("Products", productKey(w.Rand.IntN(600)), getProduct)
				w.Pause(time.Duration(300+w.Rand.IntN(1500)) * time.Millisecond)
			}
		},
	},
)
