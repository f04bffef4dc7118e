package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var accountsTable = plan.Table{Name: "Accounts", Key: plan.Key{Partition: "accountId"}}

func provisionedAccounts(read, write float64) plan.Table {
	p := accountsTable
	p.Billing = plan.Billing{Read: read, Write: write}
	return p
}

// profiles are read by many and changed by few; then says what the reader does with what it read.
func profiles(how []tracebench.Option, then func(c *tracebench.Caller, key tracebench.Item)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		draw := w.Zipf(0.5, 400)
		key := func() tracebench.Item { return tracebench.Item{"accountId": fmt.Sprint("a", draw())} }
		w.Mix(30*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 900, Do: func(c *tracebench.Caller) {
				k := key()
				c.Get("Accounts", k, append(how, tracebench.Pattern("profile"), tracebench.Times(2_000))...)
				if then != nil {
					then(c, k)
				}
			}},
			tracebench.Kind{Callers: 150, Do: func(c *tracebench.Caller) {
				c.Put("Accounts", tracebench.Item{"accountId": key()["accountId"], "name": "Ada", "bio": tracebench.Text(w.Rand.IntN(6_000))},
					tracebench.Pattern("saveProfile"), tracebench.Times(2_000))
			}})
	}
}

var consistently = []tracebench.Option{tracebench.Consistent()}

var codesTable = plan.Table{Name: "Codes", Key: plan.Key{Partition: "code"}}

func aCode(n int) tracebench.Item {
	return tracebench.Item{"code": fmt.Sprint("c", n), "means": tracebench.Text(200)}
}

func seedCodes(w *tracebench.World) {
	for n := range 200 {
		w.Store("Codes", aCode(n))
	}
}

// lookUpCodes reads codes, and writes some of them.
func lookUpCodes(written float64, how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(30*time.Hour, 2_000, tracebench.Daily, func(c *tracebench.Caller) {
			n := w.Rand.IntN(200)
			if w.Rand.Float64() < written {
				c.Put("Codes", aCode(n), tracebench.Pattern("setCode"), tracebench.Times(1_000))
			}
			c.Get("Codes", tracebench.Item{"code": fmt.Sprint("c", n)}, append(how, tracebench.Pattern("code"), tracebench.Times(1_000))...)
		})
	}
}

func scanCodes(how ...tracebench.Option) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(30*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
			c.Scan("Codes", "", append(how, tracebench.Pattern("codes"), tracebench.Times(100))...)
		})
	}
}

var _ = bench("consistent-reads",
	tracebench.Trace{
		Name:     "profiles that are read consistently, hours after they were written",
		Tables:   []plan.Table{accountsTable},
		Run:      profiles(consistently, nil),
		Fires:    []string{"consistent-reads"},
		Remedied: &tracebench.Remedied{Run: profiles(nil, nil)},
	},
	tracebench.Trace{
		Name: "codes that are read consistently, where one call in three is recorded", Tables: []plan.Table{codesTable}, Seed: seedCodes, Stats: stats.Options{Rate: 0.33},
		Run:      lookUpCodes(0, tracebench.Consistent()),
		Fires:    []string{"consistent-reads"},
		Remedied: &tracebench.Remedied{Run: lookUpCodes(0)},
	},
	tracebench.Trace{
		Name:     "the same of a table with provisioned capacity, which is lowered then",
		Tables:   []plan.Table{provisionedAccounts(40, 30)},
		Run:      profiles(consistently, nil),
		Fires:    []string{"consistent-reads"},
		Remedied: &tracebench.Remedied{Tables: []plan.Table{provisionedAccounts(20, 30)}, Run: profiles(nil, nil)},
	},
	tracebench.Trace{
		Name:   "codes of which a third is read consistently, by calls without a name",
		Tables: []plan.Table{codesTable}, Seed: seedCodes,
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(10*time.Hour, 3_000, tracebench.Steady, func(c *tracebench.Caller) {
				var how []tracebench.Option
				if n++; n%3 == 0 {
					how = consistently
				}
				c.Get("Codes", tracebench.Item{"code": fmt.Sprint("c", w.Rand.IntN(200))}, how...)
			})
		},
		Fires: []string{"consistent-reads"},
	},
	tracebench.Trace{
		Name:   "codes that are read consistently now and then, which costs next to nothing",
		Tables: []plan.Table{codesTable}, Seed: seedCodes,
		Run: func(w *tracebench.World) {
			w.Traffic(10*24*time.Hour, 1_500, tracebench.Daily, func(c *tracebench.Caller) {
				c.Get("Codes", tracebench.Item{"code": fmt.Sprint("c", w.Rand.IntN(200))}, tracebench.Consistent(), tracebench.Pattern("code"))
			})
		},
		Fires: []string{"consistent-reads"},
	},
	tracebench.Trace{
		Name:   "an account that is read back right after it was changed",
		Tables: []plan.Table{accountsTable},
		Run: profiles(nil, func(c *tracebench.Caller, key tracebench.Item) {
			c.Update("Accounts", key, "SET seen = :now", tracebench.Values(tracebench.Item{":now": 1}), tracebench.Pattern("touch"))
			c.Get("Accounts", key, tracebench.Consistent(), tracebench.Pattern("readBack"))
		}),
		Near: true,
	},
	tracebench.Trace{
		Name:   "an account that is read to be changed",
		Tables: []plan.Table{accountsTable},
		Run: profiles(consistently, func(c *tracebench.Caller, key tracebench.Item) {
			c.Wait(20 * time.Millisecond)
			c.Put("Accounts", tracebench.Item{"accountId": key["accountId"], "name": "Bea", "version": 2}, tracebench.Pattern("changeProfile"),
				tracebench.If("attribute_not_exists(version) OR version < :v"), tracebench.Values(tracebench.Item{":v": 3}), tracebench.Times(2_000))
		}),
		Near: true,
	},
	tracebench.Trace{
		Name:     "codes that nobody writes, scanned consistently",
		Tables:   []plan.Table{codesTable},
		Seed:     seedCodes,
		Run:      scanCodes(consistently...),
		Fires:    []string{"consistent-reads"},
		May:      []string{"scan-reads-much", "expensive-pattern"},
		Remedied: &tracebench.Remedied{Run: scanCodes()},
	},
	tracebench.Trace{
		Name:   "codes that are scanned consistently after each change",
		Tables: []plan.Table{codesTable},
		Seed:   seedCodes,
		Run: func(w *tracebench.World) {
			w.Traffic(30*time.Hour, 300, tracebench.Daily, func(c *tracebench.Caller) {
				c.Put("Codes", aCode(w.Rand.IntN(200)), tracebench.Pattern("saveCode"))
				c.Scan("Codes", "", append(consistently, tracebench.Pattern("codes"))...)
			})
		},
		Near: true,
		May:  []string{"scan-reads-much", "expensive-pattern"},
	},
	tracebench.Trace{
		Name:   "accounts that are read to be changed by a transaction, if they are still the same",
		Tables: []plan.Table{accountsTable},
		Run: func(w *tracebench.World) {
			profiles(consistently, func(c *tracebench.Caller, key tracebench.Item) {
				c.Wait(20 * time.Millisecond)
				change := func(id any) tracebench.Action {
					return tracebench.Action{Do: "Update", Table: "Accounts", Item: tracebench.Item{"accountId": id}, How: []tracebench.Option{
						tracebench.Set("SET cents = :c, version = :n"), tracebench.If("attribute_not_exists(version) OR version < :n"),
						tracebench.Values(tracebench.Item{":c": 5, ":n": 3})}}
				}
				c.Transact([]tracebench.Action{change(key["accountId"]), change("bank")}, tracebench.Pattern("transfer"), tracebench.Token(fmt.Sprint(w.Rand.Int64())), tracebench.Times(2_000))
			})(w)
		},
		Near: true,
		May:  []string{"transaction-conflicts", "failing-conditions", "hot-partition"},
	},
	tracebench.Trace{
		Name:   "profiles that are read eventually consistent",
		Tables: []plan.Table{accountsTable},
		Run:    profiles(nil, nil),
		Near:   true,
	},
	tracebench.Trace{
		Name: "codes that are read consistently and written now and then, where one call in three is recorded", Tables: []plan.Table{codesTable}, Seed: seedCodes, Stats: stats.Options{Rate: 0.33},
		Run: lookUpCodes(0.1, tracebench.Consistent()), Near: true,
	},
)
