package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var ledgers = []plan.Table{{Name: "Ledgers", Key: plan.Key{Partition: "account", Sort: "entry"}}}

// seedLedgers has accounts with so many entries of so many bytes.
func seedLedgers(accounts, entries, bytes int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for a := range accounts {
			for e := range entries {
				w.Store("Ledgers", tracebench.Item{"account": fmt.Sprint("a", a), "entry": nth(e), "cents": e % 900, "paid": e%10 == 0, "text": tracebench.Text(bytes)})
			}
		}
	}
}

// account is the partition of one of so many.
func account(w *tracebench.World, of int) tracebench.Item {
	return tracebench.Item{"account": fmt.Sprint("a", w.Rand.IntN(of))}
}

// ask has callers query ledgers.
func ask(callers, of int, query func(c *tracebench.Caller, at tracebench.Item)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(6*time.Hour, callers, tracebench.Daily, func(c *tracebench.Caller) { query(c, account(w, of)) })
	}
}

// pages reads so many pages, as long as there are any.
func pages(c *tracebench.Caller, at tracebench.Item, n int, how ...tracebench.Option) {
	p := c.Query("Ledgers", "", at, how...)
	for i := 1; i < n && p.Last != nil; i++ {
		p = c.Query("Ledgers", "", at, append(how, tracebench.After(p))...)
	}
}

var (
	balance = tracebench.Pattern("balance")
	onePaid = []tracebench.Option{tracebench.Filter("paid = :yes"), tracebench.Values(tracebench.Item{":yes": true}), tracebench.Pattern("paidEntries")}
)

var _ = bench("unpaged",
	tracebench.Trace{
		Name: "a balance over the first megabyte of the entries", Tables: ledgers, Seed: seedLedgers(3, 14, 100_000),
		Run:   ask(120, 3, func(c *tracebench.Caller, at tracebench.Item) { pages(c, at, 1, balance) }),
		Fires: []string{"unpaged"}, May: []string{"large-items", "over-fetching"},
	},
	tracebench.Trace{
		Name: "paid entries among the first 20, of 60", Tables: ledgers, Seed: seedLedgers(10, 60, 200),
		Run: ask(300, 10, func(c *tracebench.Caller, at tracebench.Item) {
			pages(c, at, 1, append(onePaid, tracebench.Limit(20))...)
		}),
		Fires: []string{"unpaged"}, May: []string{"filter-drops-much"},
	},
	tracebench.Trace{
		Name: "a limit of 250 where nobody expects more", Tables: ledgers, Seed: seedLedgers(4, 300, 100),
		Run:   ask(120, 4, func(c *tracebench.Caller, at tracebench.Item) { pages(c, at, 1, balance, tracebench.Limit(250)) }),
		Fires: []string{"unpaged"},
	},
	tracebench.Trace{
		Name: "a balance over all pages", Tables: ledgers, Seed: seedLedgers(3, 14, 100_000), Near: true,
		Run: ask(120, 3, func(c *tracebench.Caller, at tracebench.Item) { pages(c, at, 100, balance) }), May: []string{"large-items", "over-fetching"},
	},
	tracebench.Trace{
		Name: "the newest ten", Tables: ledgers, Seed: seedLedgers(10, 60, 200), Near: true,
		Run: ask(400, 10, func(c *tracebench.Caller, at tracebench.Item) {
			pages(c, at, 1, tracebench.Limit(10), tracebench.Descending(), tracebench.Pattern("newestEntries"))
		}),
	},
	tracebench.Trace{
		Name: "a list of 25, whose next page one in eight wants, a minute later", Tables: ledgers, Seed: seedLedgers(10, 60, 200), Near: true,
		Run: ask(400, 10, func(c *tracebench.Caller, at tracebench.Item) {
			how := []tracebench.Option{tracebench.Limit(25), tracebench.Pattern("entries")}
			if p := c.Query("Ledgers", "", at, how...); at["account"] == "a1" && p.Last != nil {
				c.Wait(time.Minute)
				c.Query("Ledgers", "", at, append(how, tracebench.After(p))...)
			}
		}),
	},
	tracebench.Trace{
		Name: "a filtered list that is read on until the page is full", Tables: ledgers, Seed: seedLedgers(10, 60, 200), Near: true,
		Run: ask(300, 10, func(c *tracebench.Caller, at tracebench.Item) {
			pages(c, at, 100, append(onePaid, tracebench.Limit(20))...)
		}), May: []string{"filter-drops-much"},
	},
)
