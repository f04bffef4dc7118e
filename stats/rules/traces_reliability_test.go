package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
	"github.com/tablewright/tablewright/wire"
)

// walletsTable has an item for each account (of money).
var walletsTable = plan.Table{Name: "Wallets", Key: plan.Key{Partition: "id"}}

func walletKey(n int) tracebench.Item { return tracebench.Item{"id": fmt.Sprint("a", n)} }

func seedWallets(n int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			w.Store("Wallets", tracebench.Item{"id": fmt.Sprint("a", i), "cents": 1_000_000, "version": 1, "text": tracebench.Text(200)})
		}
	}
}

// versioned reads an account, and writes it back on the condition that nobody did so meanwhile; of ten such callers, so many find that
// somebody did.
func versioned(w *tracebench.World, account func() int, late int) func(c *tracebench.Caller) {
	n := 0
	return func(c *tracebench.Caller) {
		n++
		key := walletKey(account())
		item := c.Get("Wallets", key, tracebench.Pattern("transfer")).Item()
		cents, _ := item.Get("cents").Number().Int64()
		version, _ := item.Get("version").Number().Int64()
		if n%10 < late { // somebody was faster
			w.Caller().Update("Wallets", key, "SET version = version + :one", tracebench.Values(tracebench.Item{":one": 1}), tracebench.Pattern("touch"))
		}
		c.Put("Wallets", tracebench.Item{"id": key["id"], "cents": int(cents) - 1, "version": int(version) + 1, "text": tracebench.Text(200)},
			tracebench.If("version = :v"), tracebench.Values(tracebench.Item{":v": int(version)}), tracebench.Pattern("transfer"))
	}
}

var _ = bench("failing-conditions",
	tracebench.Trace{
		Name:   "versions of a few accounts that many write at once",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(5),
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 600, tracebench.Steady, versioned(w, func() int { return w.Rand.IntN(5) }, 4))
		},
		Fires: []string{"failing-conditions"},
		May:   []string{"read-before-write", "lost-update"},
	},
	tracebench.Trace{
		Name:   "versions of many accounts, refused now and then",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(400),
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 600, tracebench.Steady, versioned(w, func() int { return w.Rand.IntN(400) }, 1))
		},
		Near: true,
		May:  []string{"read-before-write", "lost-update"},
	},
	tracebench.Trace{
		Name:   "a lock that many ask for again and again",
		Tables: []plan.Table{walletsTable},
		Run: func(w *tracebench.World) {
			lock := tracebench.Item{"id": "lock#nightly"}
			w.Traffic(time.Hour, 500, tracebench.Steady, func(c *tracebench.Caller) {
				if c.Put("Wallets", lock, tracebench.If("attribute_not_exists(id)"), tracebench.Pattern("lock")).Err != nil && w.Rand.IntN(2) == 0 {
					c.Delete("Wallets", lock, tracebench.Pattern("unlock"))
				}
			})
		},
		Fires: []string{"failing-conditions"},
	},
	tracebench.Trace{
		Name:   "e-mail addresses that are claimed, many of which are taken",
		Tables: []plan.Table{walletsTable},
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 800, tracebench.Daily, func(c *tracebench.Caller) {
				c.Put("Wallets", tracebench.Item{"id": fmt.Sprint("mail#", w.Rand.IntN(250)), "user": fmt.Sprint(w.Rand.IntN(1e6))}, tracebench.If("attribute_not_exists(id)"), tracebench.Pattern("claimMail"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "creates that are repeated, on the condition that an attribute is not there",
		Tables: []plan.Table{walletsTable},
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 800, tracebench.Spiky, func(c *tracebench.Caller) {
				c.Put("Wallets", tracebench.Item{"id": fmt.Sprint("order#", w.Rand.IntN(150)), "createdAt": w.Clock.Now(), "text": tracebench.Text(1_500)},
					tracebench.If("attribute_not_exists(createdAt)"), tracebench.Pattern("acceptOrder"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "a product that is sold out, and whose buyers are refused",
		Tables: []plan.Table{walletsTable},
		Seed:   func(w *tracebench.World) { w.Store("Wallets", tracebench.Item{"id": "a0", "left": 20}) },
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 800, tracebench.Spiky, func(c *tracebench.Caller) {
				c.Update("Wallets", walletKey(0), "SET #l = #l - :one", tracebench.Names("#l", "left"), tracebench.Values(tracebench.Item{":one": 1}), tracebench.If("#l >= :one"), tracebench.Pattern("buy"))
			})
		},
		Near: true,
		May:  []string{"hot-partition"},
	},
	tracebench.Trace{
		Name:   "concerts that are sold out late, each with a few buyers too many",
		Tables: []plan.Table{walletsTable},
		Seed: func(w *tracebench.World) {
			for n := range 5 {
				w.Store("Wallets", tracebench.Item{"id": walletKey(n)["id"], "left": 120})
			}
		},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(time.Hour, 800, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Update("Wallets", walletKey(n%5), "SET #l = #l - :one", tracebench.Names("#l", "left"), tracebench.Values(tracebench.Item{":one": 1}), tracebench.If("#l >= :one"), tracebench.Pattern("buy"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "versions that an update raises with what it changes",
		Tables: []plan.Table{walletsTable},
		Seed:   func(w *tracebench.World) { w.Store("Wallets", tracebench.Item{"id": "a0", "version": 1, "name": "a"}) },
		Run: func(w *tracebench.World) {
			version := 1
			w.Traffic(time.Hour, 400, tracebench.Steady, func(c *tracebench.Caller) {
				for _, who := range []*tracebench.Caller{c, w.Caller()} {
					who.Update("Wallets", walletKey(0), "SET version = version + :one, #n = :n", tracebench.Names("#n", "name"),
						tracebench.Values(tracebench.Item{":one": 1, ":v": version, ":n": "b"}), tracebench.If("version = :v"), tracebench.Pattern("rename"))
				}
				version++
			})
		},
		Fires: []string{"failing-conditions"},
	},
	tracebench.Trace{
		Name:   "versions that transactions ask about, of two accounts",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(2),
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 150, tracebench.Steady, versionedTransactions(w, func() int { return w.Rand.IntN(2) }, 3))
		},
		Fires: []string{"failing-conditions"},
		May:   []string{"lost-update", "read-before-write"},
	},
	tracebench.Trace{
		Name:   "versions that transactions ask about, of accounts that are seldom met on",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(200),
		Run: func(w *tracebench.World) {
			n := -1
			w.Traffic(time.Hour, 200, tracebench.Steady, versionedTransactions(w, func() int { n++; return n % 200 }, 2))
		},
		Near: true,
		May:  []string{"lost-update", "read-before-write"},
	},
	tracebench.Trace{
		Name:   "concerts that are sold out, whose tickets transactions make",
		Tables: []plan.Table{walletsTable},
		Seed: func(w *tracebench.World) {
			for n := range 5 {
				w.Store("Wallets", tracebench.Item{"id": walletKey(n)["id"], "left": 40})
			}
		},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(time.Hour, 400, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Transact([]tracebench.Action{
					{Do: "Update", Table: "Wallets", Item: walletKey(n % 5), How: []tracebench.Option{tracebench.Set("SET #l = #l - :one"), tracebench.If("#l >= :one"),
						tracebench.Names("#l", "left"), tracebench.Values(tracebench.Item{":one": 1})}},
					{Do: "Put", Table: "Wallets", Item: tracebench.Item{"id": fmt.Sprint("ticket#", n), "concert": n % 5}},
				}, tracebench.Token(fmt.Sprint("t", n)), tracebench.Pattern("buy"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "gates that are shut, which transactions check",
		Tables: []plan.Table{walletsTable},
		Seed: func(w *tracebench.World) {
			for n := range 6 {
				w.Store("Wallets", tracebench.Item{"id": walletKey(n)["id"], "open": n%2 == 0})
			}
		},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Transact([]tracebench.Action{
					{Do: "ConditionCheck", Table: "Wallets", Item: walletKey(n % 6), How: []tracebench.Option{tracebench.If("#o = :yes"), tracebench.Names("#o", "open"),
						tracebench.Values(tracebench.Item{":yes": true})}},
					{Do: "Put", Table: "Wallets", Item: tracebench.Item{"id": fmt.Sprint("entry#", n)}},
				}, tracebench.Token(fmt.Sprint("t", n)), tracebench.Pattern("enter"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "seats that transactions take if they are free, which three want and one gets",
		Tables: []plan.Table{walletsTable},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(time.Hour, 150, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				seat := tracebench.Item{"id": fmt.Sprint("seat#", n)}
				w.Store("Wallets", tracebench.Item{"id": seat["id"], "state": "free"})
				for k, who := range []*tracebench.Caller{c, w.Caller(), w.Caller()} {
					who.Transact([]tracebench.Action{
						{Do: "Update", Table: "Wallets", Item: seat, How: []tracebench.Option{tracebench.Set("SET #s = :taken"), tracebench.If("#s = :free"),
							tracebench.Names("#s", "state"), tracebench.Values(tracebench.Item{":taken": "taken", ":free": "free"})}},
						{Do: "Put", Table: "Wallets", Item: tracebench.Item{"id": fmt.Sprint("ticket#", n, "#", k)}},
					}, tracebench.Token(fmt.Sprint("s", n, "#", k)), tracebench.Pattern("takeSeat"))
				}
			})
		},
		Near: true,
	},
)

// versionedTransactions are of so many callers each, who read the same version of an account and write it back in transactions, beside an
// entry of their own.
func versionedTransactions(w *tracebench.World, account func() int, callers int) func(c *tracebench.Caller) {
	n := 0
	return func(c *tracebench.Caller) {
		key := walletKey(account())
		version, _ := c.Get("Wallets", key, tracebench.Consistent()).Item().Get("version").Number().Int64()
		for range callers {
			n++
			w.Caller().Transact([]tracebench.Action{
				{Do: "Update", Table: "Wallets", Item: key, How: []tracebench.Option{tracebench.Set("SET cents = :c, version = :next"), tracebench.If("version = :v"),
					tracebench.Values(tracebench.Item{":c": n, ":v": int(version), ":next": int(version) + 1})}},
				{Do: "Put", Table: "Wallets", Item: tracebench.Item{"id": fmt.Sprint("entry#", n), "cents": n}},
			}, tracebench.Token(fmt.Sprint("t", n)), tracebench.Pattern("book"))
		}
	}
}

// transfer moves money between two accounts in one transaction; the tenth of so many meets another one.
func transfer(w *tracebench.World, conflicts int, how ...tracebench.Option) func(c *tracebench.Caller) {
	n := 0
	return func(c *tracebench.Caller) {
		n++
		if n%100 < conflicts {
			w.Engine.Inject(engine.Fault{Operation: "TransactWriteItems", Times: 1, Err: conflict})
		}
		change := func(account int, by int) tracebench.Action {
			return tracebench.Action{Do: "Update", Table: "Wallets", Item: walletKey(account), How: []tracebench.Option{tracebench.Set("SET cents = cents + :by"),
				tracebench.Values(tracebench.Item{":by": by})}}
		}
		other := 1 + w.Rand.IntN(99)
		c.Transact([]tracebench.Action{change(0, -1), change(other, 1)}, append([]tracebench.Option{tracebench.Pattern("payOut"), tracebench.Token(fmt.Sprint("t", n))}, how...)...)
	}
}

// conflict is how a transaction ends whose first action met another one.
var conflict = &wire.Error{Code: wire.CodeTransactionCanceled, Message: "Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, None]",
	Reasons: []wire.CancellationReason{{Code: "TransactionConflict"}, {Code: "None"}}}

var _ = bench("transaction-conflicts",
	tracebench.Trace{
		Name:   "every transaction takes from one account",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 700, tracebench.Steady, transfer(w, 20))
		},
		Fires: []string{"transaction-conflicts"},
	},
	tracebench.Trace{
		Name:   "a conflict in fifty transactions",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 700, tracebench.Steady, transfer(w, 2))
		},
		Near: true,
	},
)

var _ = bench("missing-token",
	tracebench.Trace{
		Name:   "transactions without a token, some of whose answers are lost",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run: func(w *tracebench.World) {
			w.Engine.Inject(engine.Fault{Operation: "TransactWriteItems", Skip: 50, Times: 3, DropAnswer: true})
			w.Traffic(time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
				c.Transact([]tracebench.Action{
					{Do: "Update", Table: "Wallets", Item: walletKey(w.Rand.IntN(100)), How: []tracebench.Option{tracebench.Set("ADD cents :by"), tracebench.Values(tracebench.Item{":by": 1})}},
					{Do: "Update", Table: "Wallets", Item: walletKey(100 + w.Rand.IntN(100)), How: []tracebench.Option{tracebench.Set("ADD cents :by"), tracebench.Values(tracebench.Item{":by": -1})}},
				}, tracebench.Pattern("payOut"))
			})
		},
		Fires: []string{"missing-token"},
	},
	tracebench.Trace{
		Name:   "transactions without a token that make users and claim their addresses, if both are not there",
		Tables: []plan.Table{walletsTable},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				absent := []tracebench.Option{tracebench.If("attribute_not_exists(id)")}
				c.Transact([]tracebench.Action{
					{Do: "Put", Table: "Wallets", Item: tracebench.Item{"id": fmt.Sprint("user#", n), "cents": 0}, How: absent},
					{Do: "Put", Table: "Wallets", Item: tracebench.Item{"id": fmt.Sprint("mail#", n*7)}, How: absent},
				}, tracebench.Pattern("signUp"))
			})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "transactions that carry one",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 300, tracebench.Steady, transfer(w, 0))
		},
		Near: true,
	},
)

// mayOfThrottling is what else may be said where tables are at their limit.
var mayOfThrottling = []string{"retry-budget", "utilization", "capacity-mode", "throttle-burst", "single-puts"}

// manyVotes is so many votes for many films.
func manyVotes(span time.Duration, n int, shape tracebench.Shape) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Traffic(span, n, shape, vote(w, func() string { return fmt.Sprint("film", w.Rand.IntN(500)) }, 1))
	}
}

func provisioned(read, write float64) plan.Table {
	return plan.Table{Name: "Votes", Key: votesTable.Key, Billing: plan.Billing{Read: read, Write: write}}
}

var _ = bench("throttle-burst",
	tracebench.Trace{
		Name:   "twice what is provisioned, in spikes",
		Tables: []plan.Table{provisioned(10, 5)},
		Engine: engine.Options{Throttle: &engine.Throttle{Burst: time.Second}},
		Run:    manyVotes(150*time.Second, 1_000, tracebench.Steady),
		Fires:  []string{"throttle-burst"},
		May:    mayOfThrottling,
	},
	tracebench.Trace{
		Name:   "one minute of a job, among days of quiet traffic",
		Tables: []plan.Table{provisioned(10, 5)},
		Engine: engine.Options{Throttle: &engine.Throttle{}},
		Run: func(w *tracebench.World) {
			w.Traffic(2*24*time.Hour, 200, tracebench.Daily, func(c *tracebench.Caller) {
				c.Put("Votes", tracebench.Item{"film": fmt.Sprint("film", w.Rand.IntN(500)), "voter": fmt.Sprint(w.Rand.Uint32())}, tracebench.Pattern("vote"), tracebench.Times(400))
			})
			manyVotes(time.Minute, 3_000, tracebench.Steady)(w)
		},
		Fires: []string{"throttle-burst"},
		May:   mayOfThrottling,
	},
	tracebench.Trace{
		Name:   "a table on demand that grows too fast, throttled on many keys",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(20*time.Minute, 3_000, tracebench.Growing, func(c *tracebench.Caller) {
				if n++; n > 1_500 && n%8 == 0 {
					w.Engine.Inject(engine.Fault{Operation: "PutItem", Table: "Votes", Times: 1, Throttle: true})
				}
				vote(w, func() string { return fmt.Sprint("film", w.Rand.IntN(500)) }, 1)(c)
			})
		},
		Fires: []string{"throttle-burst"},
		May:   mayOfThrottling,
	},
	tracebench.Trace{
		Name:   "one call in three hundred, which its repetition hides",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			for i := range 5 {
				w.Engine.Inject(engine.Fault{Operation: "PutItem", Table: "Votes", Skip: 200 + 300*i, Times: 1, Throttle: true})
			}
			manyVotes(2*time.Hour, 1_500, tracebench.Daily)(w)
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "spikes that what was kept serves",
		Tables: []plan.Table{provisioned(10, 5)},
		Engine: engine.Options{Throttle: &engine.Throttle{}},
		Run:    manyVotes(4*time.Hour, 2_000, tracebench.Spiky),
		Near:   true,
		May:    []string{"utilization", "capacity-mode"},
	},
)

// failingGets reads votes, and every nth answer gets lost.
func failingGets(n int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		calls := 0
		w.Traffic(time.Hour, 800, tracebench.Steady, func(c *tracebench.Caller) {
			if calls++; calls%n == 0 {
				w.Engine.Inject(engine.Fault{Operation: "GetItem", Times: 1, Err: &wire.Error{Code: "InternalServerError", Message: "Internal server error"}})
			}
			c.Get("Wallets", walletKey(w.Rand.IntN(100)), tracebench.Pattern("balance"))
		})
	}
}

var _ = bench("retry-budget",
	tracebench.Trace{
		Name:   "batches of which half is left over",
		Tables: []plan.Table{provisioned(10, 10)},
		Engine: engine.Options{Throttle: &engine.Throttle{Burst: 5 * time.Second}},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(5*time.Minute, 200, tracebench.Steady, func(c *tracebench.Caller) {
				var items []tracebench.Item
				for range 25 {
					n++
					items = append(items, tracebench.Item{"film": fmt.Sprint("film", n%300), "voter": fmt.Sprint(n)})
				}
				c.BatchWrite("Votes", items, nil, tracebench.Pattern("load"))
			})
		},
		Fires: []string{"retry-budget"},
		May:   mayOfThrottling,
	},
	tracebench.Trace{
		Name:   "a third of the puts again, since the table is at its limit",
		Tables: []plan.Table{provisioned(10, 5)},
		Engine: engine.Options{Throttle: &engine.Throttle{Burst: time.Second}},
		Run:    manyVotes(2*time.Minute, 1_000, tracebench.Steady),
		Fires:  []string{"retry-budget"},
		May:    mayOfThrottling,
	},
	tracebench.Trace{
		Name:   "reads of which every fourth fails at the service",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run:    failingGets(4),
		Fires:  []string{"retry-budget"},
	},
	tracebench.Trace{
		Name:   "reads that are repeated once in a hundred times",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run:    failingGets(100),
		Near:   true,
	},
)

var _ = bench("units-unobserved",
	tracebench.Trace{
		Name:   "a collector that does not ask",
		Tables: []plan.Table{ordersTable(nil)},
		Run:    placeAndList(3 * time.Hour),
		Stats:  stats.Options{NoUnits: true},
		Fires:  []string{"units-unobserved"},
		May:    []string{"dated-partition-keys"}, // each order stands for thousands
	},
	tracebench.Trace{
		Name:   "many refused writes, which tell no units",
		Tables: []plan.Table{walletsTable},
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 800, tracebench.Daily, func(c *tracebench.Caller) {
				c.Put("Wallets", tracebench.Item{"id": fmt.Sprint("mail#", w.Rand.IntN(100)), "user": "u"}, tracebench.If("attribute_not_exists(id)"), tracebench.Pattern("claimMail"))
			})
		},
		Near: true,
	},
)

var _ = bench("errors-unhandled",
	tracebench.Trace{
		Name:   "a report that asks an index that is gone",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run: func(w *tracebench.World) {
			w.Engine.Inject(engine.Fault{Operation: "Query", Table: "Wallets", Err: &wire.Error{Code: "ResourceNotFoundException", Message: "Requested resource not found"}})
			n := 0
			w.Traffic(6*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) {
				if n++; n%3 == 0 {
					c.Query("Wallets", "", walletKey(n%100), tracebench.Pattern("report"))
					return
				}
				c.Get("Wallets", walletKey(n%100), tracebench.Pattern("balance"))
			})
		},
		Fires: []string{"errors-unhandled"},
	},
	tracebench.Trace{
		Name:   "an invalid request now and then",
		Tables: []plan.Table{walletsTable},
		Seed:   seedWallets(100),
		Run: func(w *tracebench.World) {
			w.Engine.Inject(engine.Fault{Operation: "Query", Table: "Wallets", Times: 5, Err: &wire.Error{Code: "ResourceNotFoundException", Message: "Requested resource not found"}})
			w.Traffic(6*time.Hour, 900, tracebench.Daily, func(c *tracebench.Caller) {
				c.Query("Wallets", "", walletKey(w.Rand.IntN(100)), tracebench.Pattern("report"))
			})
		},
		Near: true,
	},
)
