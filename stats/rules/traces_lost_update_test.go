package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var cartTables = []plan.Table{{Name: "Carts", Key: plan.Key{Partition: "cartId"}}}

func cartKey(n int) tracebench.Item { return tracebench.Item{"cartId": fmt.Sprintf("c%04d", n)} }

func seedCarts(w *tracebench.World) {
	for i := range 1000 {
		w.Store("Carts", with(cartKey(i), tracebench.Item{"lines": 0, "version": 1}))
	}
}

var (
	loadCart = tracebench.Pattern("loadCart")
	saveCart = tracebench.Pattern("saveCart")
)

func putCart(c *tracebench.Caller, key tracebench.Item, lines int, how ...tracebench.Option) {
	c.Put("Carts", with(key, tracebench.Item{"lines": lines, "version": 1}), append(how, saveCart)...)
}

// fillCarts has callers read a cart and write it with a line more; now and then a second one comes between.
func fillCarts(cartTables, callers int, meet float64, how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(4*time.Hour, callers, tracebench.Spiky, func(c *tracebench.Caller) {
			n++
			key := cartKey(n % cartTables)
			if cartTables < callers {
				key = cartKey(w.Rand.IntN(cartTables))
			}
			c.Get("Carts", key, loadCart)
			if w.Rand.Float64() < meet {
				other := w.Caller()
				other.Get("Carts", key, loadCart)
				putCart(c, key, n, how...)
				putCart(other, key, n+1, how...)
				return
			}
			putCart(c, key, n, how...)
		})
	}
}

// setOfCarts has two callers at once read a cart and change one attribute of it.
func setOfCarts(update, attribute string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(4*time.Hour, 300, tracebench.Spiky, func(c *tracebench.Caller) {
			key, other := cartKey(w.Rand.IntN(20)), w.Caller()
			for _, who := range []*tracebench.Caller{c, other} {
				who.Get("Carts", key, loadCart)
			}
			for _, who := range []*tracebench.Caller{c, other} {
				var value any = w.Rand.IntN(100)
				switch attribute {
				case "state":
					value = []string{"open", "paid"}[w.Rand.IntN(2)]
				case "addresses":
					value = tracebench.Item{"home": fmt.Sprint("street ", w.Rand.IntN(100)), "work": "mill lane"}
				}
				who.Wait(10 * time.Millisecond)
				who.Update("Carts", key, update, tracebench.Names("#l", attribute), tracebench.Values(tracebench.Item{":v": value}), saveCart)
			}
		})
	}
}

// twice has carts read twice and then written twice: by two callers at once who have one context, as in a program that has but one, or by one.
func twice(write func(c *tracebench.Caller, key tracebench.Item, lines int, how ...tracebench.Option), shared bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		one, n := w.Caller(), 0
		w.Traffic(4*time.Hour, 200, tracebench.Steady, func(c *tracebench.Caller) {
			n++
			key := cartKey(n)
			if shared {
				c, key = one, cartKey(w.Rand.IntN(200))
			}
			c.Get("Carts", key, loadCart)
			c.Get("Carts", key, loadCart)
			write(c, key, w.Rand.IntN(100))
			write(c, key, w.Rand.IntN(100))
		})
	}
}

func setLines(c *tracebench.Caller, key tracebench.Item, lines int, how ...tracebench.Option) {
	c.Update("Carts", key, "SET #l = :v", append(how, tracebench.Names("#l", "lines"), tracebench.Values(tracebench.Item{":v": lines}), saveCart)...)
}

// moveLines has callers read two carts at once and write both in one transaction.
func moveLines(get func(c *tracebench.Caller, keys []tracebench.Item), how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		put := func(c *tracebench.Caller, keys []tracebench.Item) {
			var actions []tracebench.Action
			for i, key := range keys {
				actions = append(actions, tracebench.Action{Do: "Put", Table: "Carts", Item: with(key, tracebench.Item{"lines": w.Rand.IntN(100), "version": 1}), How: how[:min(len(how), 2*(1-i))]})
			}
			c.Transact(actions, tracebench.Pattern("moveLines"), tracebench.Token(fmt.Sprint(w.Rand.Int64())))
		}
		w.Traffic(4*time.Hour, 400, tracebench.Spiky, func(c *tracebench.Caller) {
			keys := []tracebench.Item{cartKey(w.Rand.IntN(20)), cartKey(20 + w.Rand.IntN(20))}
			get(c, keys)
			if w.Rand.Float64() < 0.2 && len(how) == 0 {
				other := w.Caller()
				get(other, keys)
				put(other, keys)
			}
			put(c, keys)
		})
	}
}

// workers have each a process and a context of its own, and carts of all or their own.
func workers(n int, cart func(w *tracebench.World, worker int) int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		var all []*tracebench.Caller
		for i := range n {
			all = append(all, w.CallerOf(i))
		}
		next := 0
		w.Traffic(4*time.Hour, 900, tracebench.Steady, func(*tracebench.Caller) {
			worker := all[next%n]
			key := cartKey(cart(w, next%n))
			next++
			worker.Get("Carts", key, loadCart)
			putCart(worker, key, w.Rand.IntN(100))
		})
	}
}

func bothCarts(c *tracebench.Caller, keys []tracebench.Item) { c.BatchGet("Carts", keys, loadCart) }

func eachCart(c *tracebench.Caller, keys []tracebench.Item) {
	for _, key := range keys {
		c.Get("Carts", key, loadCart)
	}
}

var alsoReads = []string{"read-before-write"} // which says of the same what it costs

var _ = bench("lost-update",
	tracebench.Trace{
		Name: "carts that two tabs of a browser fill at once", Tables: cartTables, Seed: seedCarts, Run: fillCarts(300, 900, 0.1),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "the same in four processes, each of which sees its own part", Tables: cartTables, Seed: seedCarts, Run: fillCarts(100, 1200, 0.2), Processes: 4,
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "ten carts that many callers fill, and none was seen to meet another", Tables: cartTables, Seed: seedCarts, Run: fillCarts(10, 1000, 0),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "carts that are written on the condition that they are there, which says nothing of what is in them", Tables: cartTables, Seed: seedCarts,
		Run:   fillCarts(10, 1000, 0, tracebench.If("attribute_exists(cartId)")),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "the same by several callers at once, who undo each other's writes", Tables: cartTables, Seed: seedCarts,
		Run:   fillCarts(10, 1000, 0.2, tracebench.If("attribute_exists(cartId)")),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "numbers that are reckoned from what was read, and set", Tables: cartTables, Seed: seedCarts, Run: setOfCarts("SET #l = :v", "lines"),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "the same in three processes, none of which sees both", Tables: cartTables, Seed: seedCarts, Run: setOfCarts("SET #l = :v", "lines"), Processes: 3,
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "two tabs of a browser whose calls all have one context", Tables: cartTables, Seed: seedCarts, Run: twice(putCart, true),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "the same by updates that set a number", Tables: cartTables, Seed: seedCarts, Run: twice(setLines, true),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "lines that go from one cart to another, read by a batch and written by a transaction", Tables: cartTables, Seed: seedCarts, Run: moveLines(bothCarts),
		Fires: []string{"lost-update"},
	},
	tracebench.Trace{
		Name: "the same, read one by one", Tables: cartTables, Seed: seedCarts, Run: moveLines(eachCart),
		Fires: []string{"lost-update"},
	},
	tracebench.Trace{
		Name: "three workers, each a process with one context, who share two carts", Tables: cartTables, Seed: seedCarts, Processes: 3,
		Run:   workers(3, func(w *tracebench.World, _ int) int { return w.Rand.IntN(2) }),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "the same who share sixty carts", Tables: cartTables, Seed: seedCarts, Processes: 3,
		Run:   workers(3, func(w *tracebench.World, _ int) int { return w.Rand.IntN(60) }),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "maps that are changed as they were read, and set whole", Tables: cartTables, Seed: seedCarts, Run: setOfCarts("SET #l = :v", "addresses"),
		Fires: []string{"lost-update"}, May: alsoReads,
	},
	tracebench.Trace{
		Name: "a request that looks twice and writes in two steps", Tables: cartTables, Seed: seedCarts, Near: true, Run: twice(putCart, false),
		May: append(alsoReads, "repeated-reads"),
	},
	tracebench.Trace{
		Name: "three workers, each a process with one context and carts of its own", Tables: cartTables, Seed: seedCarts, Near: true, Processes: 3,
		Run: workers(3, func(w *tracebench.World, worker int) int { return 3*w.Rand.IntN(40) + worker }),
		May: alsoReads,
	},
	tracebench.Trace{
		Name: "lines that are added to what is stored", Tables: cartTables, Seed: seedCarts, Near: true, Run: setOfCarts("ADD #l :v", "lines"), May: alsoReads,
	},
	tracebench.Trace{
		Name: "a state that is set after a look", Tables: cartTables, Seed: seedCarts, Near: true, Run: setOfCarts("SET #l = :v", "state"), May: alsoReads,
	},
	tracebench.Trace{
		Name: "the same with a version", Tables: cartTables, Seed: seedCarts, Near: true,
		Run: fillCarts(300, 900, 0, tracebench.If("version = :v"), tracebench.Values(tracebench.Item{":v": 1})),
	},
	tracebench.Trace{
		Name: "lines that go from one cart to another, where the first one's version guards both", Tables: cartTables, Seed: seedCarts, Near: true,
		Run: moveLines(bothCarts, tracebench.If("version = :v"), tracebench.Values(tracebench.Item{":v": 1})),
	},
	tracebench.Trace{
		Name: "carts that are looked for, made if there is none, and emptied", Tables: cartTables, Near: true, May: alsoReads,
		Run: func(w *tracebench.World) {
			w.Traffic(4*time.Hour, 800, tracebench.Steady, func(c *tracebench.Caller) {
				key := cartKey(w.Rand.IntN(4))
				if it := c.Get("Carts", key, loadCart).Item(); it.Len() == 0 {
					putCart(c, key, w.Rand.IntN(100), tracebench.If("attribute_not_exists(cartId)"))
					return
				}
				c.Delete("Carts", key, tracebench.Pattern("empty"))
			})
		},
	},
	tracebench.Trace{
		Name: "a cart that has one caller only", Tables: cartTables, Seed: seedCarts, Near: true, Run: fillCarts(1000, 800, 0), May: alsoReads,
	},
	tracebench.Trace{
		Name: "carts that are changed by updates at once", Tables: cartTables, Seed: seedCarts, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 500, tracebench.Spiky, func(c *tracebench.Caller) {
				key, other := cartKey(w.Rand.IntN(20)), w.Caller()
				for _, who := range []*tracebench.Caller{c, other} {
					who.Update("Carts", key, "ADD #l :one", oneMore, tracebench.Names("#l", "lines"), tracebench.Pattern("addLine"))
				}
			})
		},
	},
	tracebench.Trace{
		Name: "carts that are written without being read, by many", Tables: cartTables, Seed: seedCarts, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) { putCart(c, cartKey(w.Rand.IntN(20)), 3) })
		},
	},
)
