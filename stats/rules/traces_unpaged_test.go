package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var ledgerTables = []plan.Table{{Name: "Ledgers", Key: plan.Key{Partition: "account", Sort: "entry"}}}

// seedLedgers has accounts with so many entries of so many bytes.
func seedLedgers(accounts, entries, bytes int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for a := range accounts {
			for e := range entries {
				w.Store("Ledgers", tracebench.Item{"account": fmt.Sprint("a", a), "entry": padded(e), "cents": e % 900, "paid": e%10 == 0, "text": tracebench.Text(bytes)})
			}
		}
	}
}

// accountOf is the partition of one of so many.
func accountOf(w *tracebench.World, of int) tracebench.Item {
	return tracebench.Item{"account": fmt.Sprint("a", w.Rand.IntN(of))}
}

// askLedgers has callers query ledgers.
func askLedgers(callers, of int, query func(c *tracebench.Caller, at tracebench.Item)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(6*time.Hour, callers, tracebench.Daily, func(c *tracebench.Caller) { query(c, accountOf(w, of)) })
	}
}

// readPages reads so many pages, as long as there are any.
func readPages(c *tracebench.Caller, at tracebench.Item, n int, how ...tracebench.Option) {
	p := c.Query("Ledgers", "", at, how...)
	for i := 1; i < n && p.Last != nil; i++ {
		p = c.Query("Ledgers", "", at, append(how, tracebench.After(p))...)
	}
}

var (
	getBalance = tracebench.Pattern("balance")
	onePaid    = []tracebench.Option{tracebench.Filter("paid = :yes"), tracebench.Values(tracebench.Item{":yes": true}), tracebench.Pattern("paidEntries")}
)

var _ = bench("unpaged",
	tracebench.Trace{
		Name: "a balance over the first megabyte of the entries", Tables: ledgerTables, Seed: seedLedgers(3, 14, 100_000),
		Run:   askLedgers(120, 3, func(c *tracebench.Caller, at tracebench.Item) { readPages(c, at, 1, getBalance) }),
		Fires: []string{"unpaged"}, May: []string{"large-items", "over-fetching", "expensive-pattern"},
	},
	tracebench.Trace{
		Name: "paid entries among the first 20, of 60", Tables: ledgerTables, Seed: seedLedgers(10, 60, 200),
		Run: askLedgers(300, 10, func(c *tracebench.Caller, at tracebench.Item) {
			readPages(c, at, 1, append(onePaid, tracebench.Limit(20))...)
		}),
		Fires: []string{"unpaged"}, May: []string{"filter-drops-much"},
	},
	tracebench.Trace{
		Name: "a limit of 250 where nobody expects more", Tables: ledgerTables, Seed: seedLedgers(4, 300, 100),
		Run:   askLedgers(120, 4, func(c *tracebench.Caller, at tracebench.Item) { readPages(c, at, 1, getBalance, tracebench.Limit(250)) }),
		Fires: []string{"unpaged"},
	},
	tracebench.Trace{
		Name: "a balance over the first megabyte, where one call in three is recorded", Tables: ledgerTables, Seed: seedLedgers(3, 14, 100_000), Stats: stats.Options{Rate: 0.33},
		Run:   askLedgers(400, 3, func(c *tracebench.Caller, at tracebench.Item) { readPages(c, at, 1, getBalance) }),
		Fires: []string{"unpaged"}, May: []string{"large-items", "over-fetching", "expensive-pattern"},
	},
	tracebench.Trace{
		Name: "a scan of the first 50 entries, where one call in three is recorded", Tables: ledgerTables, Seed: seedLedgers(3, 140, 100), Stats: stats.Options{Rate: 0.33},
		Run: askLedgers(400, 3, func(c *tracebench.Caller, at tracebench.Item) {
			c.Scan("Ledgers", "", tracebench.Limit(50), tracebench.Pattern("someEntries"))
		}),
		Fires: []string{"unpaged"}, May: []string{"scan-reads-much"},
	},
	tracebench.Trace{
		Name: "a balance over all pages", Tables: ledgerTables, Seed: seedLedgers(3, 14, 100_000), Near: true,
		Run: askLedgers(120, 3, func(c *tracebench.Caller, at tracebench.Item) { readPages(c, at, 100, getBalance) }), May: []string{"large-items", "over-fetching", "expensive-pattern"},
	},
	tracebench.Trace{
		Name: "a balance over all pages, where one call in three is recorded", Tables: ledgerTables, Seed: seedLedgers(3, 14, 100_000), Near: true, Stats: stats.Options{Rate: 0.33},
		Run: askLedgers(400, 3, func(c *tracebench.Caller, at tracebench.Item) { readPages(c, at, 100, getBalance) }), May: []string{"large-items", "over-fetching", "expensive-pattern"},
	},
	tracebench.Trace{
		Name: "the newest ten", Tables: ledgerTables, Seed: seedLedgers(10, 60, 200), Near: true,
		Run: askLedgers(400, 10, func(c *tracebench.Caller, at tracebench.Item) {
			readPages(c, at, 1, tracebench.Limit(10), tracebench.Descending(), tracebench.Pattern("newestEntries"))
		}),
	},
	tracebench.Trace{
		Name: "the newest ten, where one call in three is recorded", Tables: ledgerTables, Seed: seedLedgers(10, 60, 200), Near: true, Stats: stats.Options{Rate: 0.33},
		Run: askLedgers(400, 10, func(c *tracebench.Caller, at tracebench.Item) {
			readPages(c, at, 1, tracebench.Limit(10), tracebench.Descending(), tracebench.Pattern("newestEntries"))
		}),
	},
	tracebench.Trace{
		Name: "a list of 25, whose next page one in eight wants, a minute later", Tables: ledgerTables, Seed: seedLedgers(10, 60, 200), Near: true,
		Run: askLedgers(400, 10, func(c *tracebench.Caller, at tracebench.Item) {
			how := []tracebench.Option{tracebench.Limit(25), tracebench.Pattern("entries")}
			if p := c.Query("Ledgers", "", at, how...); at["account"] == "a1" && p.Last != nil {
				c.Wait(time.Minute)
				c.Query("Ledgers", "", at, append(how, tracebench.After(p))...)
			}
		}),
	},
	tracebench.Trace{
		Name: "a filtered list that is read on until the page is full", Tables: ledgerTables, Seed: seedLedgers(10, 60, 200), Near: true,
		Run: askLedgers(300, 10, func(c *tracebench.Caller, at tracebench.Item) {
			readPages(c, at, 100, append(onePaid, tracebench.Limit(20))...)
		}), May: []string{"filter-drops-much"},
	},
)
