package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// ticketsTable has tickets with an index by status, of which most are open.
var ticketsTable = plan.Table{Name: "Tickets", Key: plan.Key{Partition: "id"},
	GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"status"}, Sort: []string{"openedAt"}}}}

// tickets opens so many tickets and lists the open ones of a region; with blind, also those of all regions.
func tickets(span time.Duration, open, times int, blind bool) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		regions := []string{"eu-west", "eu-north", "us-east", "us-west", "ap-south", "ap-east", "sa-east", "af-south"}
		kinds := []tracebench.Kind{
			{Callers: open, Do: func(c *tracebench.Caller) {
				n++
				c.Put("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n), "status": "open", "openedAt": fmt.Sprintf("2026-03-02T%08d", n), "region": regions[n%8],
					"customer": fmt.Sprint("c", w.Rand.IntN(1e6)), "text": tracebench.Text(300)}, tracebench.Pattern("openTicket"), tracebench.Times(times))
			}},
			{Callers: 200, Do: func(c *tracebench.Caller) {
				c.Query("Tickets", "ByStatus", tracebench.Item{"status": "open"}, tracebench.Filter("#r = :r"), tracebench.Names("#r", "region"),
					tracebench.Values(tracebench.Item{":r": regions[w.Rand.IntN(8)]}), tracebench.Limit(20), tracebench.Pattern("openInRegion"))
			}},
		}
		if blind {
			kinds = append(kinds, tracebench.Kind{Callers: 120, Do: func(c *tracebench.Caller) {
				c.Query("Tickets", "ByStatus", tracebench.Item{"status": "open"}, tracebench.Limit(20), tracebench.Descending(), tracebench.Pattern("newest"))
			}})
		}
		w.Mix(span, tracebench.Steady, kinds...)
	}
}

// seedTickets has tickets of four states.
func seedTickets(w *tracebench.World) {
	for i := range 3_600 {
		w.Store("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", i), "status": []string{"open", "held", "asked", "moved"}[i%4], "openedAt": fmt.Sprintf("2026-03-02T%08d", i), "region": "eu",
			"text": tracebench.Text(300)})
	}
}

// closeTickets closes so many tickets within three minutes, where one stands for fifty.
func closeTickets(callers int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Mix(3*time.Minute, tracebench.Steady, tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
			c.Update("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n)}, "SET #s = :s", tracebench.Names("#s", "status"),
				tracebench.Values(tracebench.Item{":s": "closed"}), tracebench.Pattern("close"), tracebench.Times(50))
			n++
		}})
	}
}

// closeAndRate closes so many tickets within three minutes, each of which is then rated, which writes its entry again, where one stands for fifty.
func closeAndRate(callers int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Mix(3*time.Minute, tracebench.Steady, tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
			key := tracebench.Item{"id": fmt.Sprintf("t%08d", n)}
			c.Update("Tickets", key, "SET #s = :s", tracebench.Names("#s", "status"), tracebench.Values(tracebench.Item{":s": "closed"}), tracebench.Pattern("close"), tracebench.Times(50))
			c.Update("Tickets", key, "SET rating = :r", tracebench.Values(tracebench.Item{":r": n % 5}), tracebench.Return("ALL_NEW"), tracebench.Pattern("rate"), tracebench.Times(50))
			n++
		}})
	}
}

// byStatusAlone is ticketsTable whose index has no sort key.
var byStatusAlone = plan.Table{Name: "Tickets", Key: ticketsTable.Key, GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"status"}}}}

// putClosed closes so many tickets within three minutes by putting them back, where one stands for fifty.
func putClosed(callers int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Mix(3*time.Minute, tracebench.Steady, tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
			c.Put("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n), "status": "closed", "openedAt": fmt.Sprintf("2026-03-02T%08d", n), "region": "eu", "text": tracebench.Text(300)},
				tracebench.Pattern("close"), tracebench.Times(50))
			n++
		}})
	}
}

// toAndFro holds so many tickets and takes them up again within three minutes, where one stands for fifty.
func toAndFro(callers int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Mix(3*time.Minute, tracebench.Steady, tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
			c.Update("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n%40*4)}, "SET #s = :s", tracebench.Names("#s", "status"),
				tracebench.Values(tracebench.Item{":s": []string{"held", "open"}[n/40%2]}), tracebench.Pattern("hold"), tracebench.Times(50))
			n++
		}})
	}
}

// mayOfTickets is what else may be said of such queries.
var mayOfTickets = []string{"filter-drops-much", "unpaged", "scan-reads-much", "wide-index", "single-puts", "expensive-pattern", "repeated-reads", "key-formats", "over-fetching"}

var _ = bench("hot-index-partition",
	tracebench.Trace{
		Name:   "an index by status in which all tickets are open, 900 writes a second",
		Tables: []plan.Table{ticketsTable},
		Run:    tickets(3*time.Minute, 1080, 150, false),
		Stats:  stats.Options{Detail: 1},
		Fires:  []string{"hot-index-partition"},
		May:    mayOfTickets,
	},
	tracebench.Trace{
		Name:   "the same with a pattern that asks without the region",
		Tables: []plan.Table{ticketsTable},
		Run:    tickets(3*time.Minute, 1080, 160, true),
		Stats:  stats.Options{Detail: 1},
		Fires:  []string{"hot-index-partition"},
		May:    mayOfTickets,
	},
	tracebench.Trace{
		Name:   "writes of which few are looked into",
		Tables: []plan.Table{ticketsTable},
		Run:    tickets(3*time.Minute, 2700, 63, false),
		Fires:  []string{"hot-index-partition"},
		May:    mayOfTickets,
	},
	tracebench.Trace{
		Name: "tickets that are closed, 950 a second", Tables: []plan.Table{ticketsTable}, Seed: seedTickets, Run: closeTickets(3_420),
		Fires: []string{"hot-index-partition"}, May: append([]string{"index-key-churn"}, mayOfTickets...), // one stands for fifty
	},
	tracebench.Trace{
		Name: "tickets that are closed, 450 a second: as many entries leave other keys", Tables: []plan.Table{ticketsTable}, Seed: seedTickets, Run: closeTickets(1_620),
		Near: true, May: append([]string{"index-key-churn"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name: "tickets that are closed, 450 a second, each of which is rated then", Tables: []plan.Table{byStatusAlone}, Seed: seedTickets, Run: closeAndRate(1_620),
		Fires: []string{"hot-index-partition"}, May: append([]string{"index-key-churn"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name: "the same, 250 a second", Tables: []plan.Table{byStatusAlone}, Seed: seedTickets, Run: closeAndRate(900),
		Near: true, May: append([]string{"index-key-churn"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name: "tickets that are put back as closed, 450 a second: as many entries leave other keys", Tables: []plan.Table{byStatusAlone}, Seed: seedTickets, Run: putClosed(1_620),
		Near: true, May: append([]string{"index-key-churn"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name: "tickets that are held and taken up again, 900 a second: each comes to one of two keys and leaves the other", Tables: []plan.Table{byStatusAlone}, Seed: seedTickets, Run: toAndFro(3_240),
		Fires: []string{"hot-index-partition"}, May: append([]string{"index-key-churn", "unused-index", "sparse-index"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name: "the same 500 times a second", Tables: []plan.Table{byStatusAlone}, Seed: seedTickets, Run: toAndFro(1_800),
		Near: true, May: append([]string{"index-key-churn", "unused-index", "sparse-index"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name:   "an index that throttles the writes of its table",
		Tables: []plan.Table{ticketsTable},
		Engine: engine.Options{Throttle: &engine.Throttle{}},
		Run:    tickets(3*time.Second, 5_500, 1, false),
		Fires:  []string{"hot-index-partition"},
		May:    append([]string{"throttle-burst", "retry-budget"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name:   "players who tell that they are online, which they were not before",
		Tables: []plan.Table{{Name: "Players", Key: plan.Key{Partition: "id"}, GSI: map[string]plan.Index{"ByState": {Partition: []string{"state"}}}}},
		Seed: func(w *tracebench.World) {
			for i := range 200 {
				w.Store("Players", tracebench.Item{"id": fmt.Sprint("p", i), "state": "offline", "clan": fmt.Sprint("c", i%12)})
			}
		},
		Run: func(w *tracebench.World) {
			look := tracebench.Kind{Callers: 2_000, Do: func(c *tracebench.Caller) {
				c.Get("Players", tracebench.Item{"id": fmt.Sprint("p", w.Rand.IntN(200))}, tracebench.Pattern("player"))
			}}
			w.Mix(time.Minute, tracebench.Steady, look)
			w.Mix(3*time.Minute, tracebench.Steady, look,
				tracebench.Kind{Callers: 4_000, Do: func(c *tracebench.Caller) {
					c.Update("Players", tracebench.Item{"id": fmt.Sprint("p", w.Rand.IntN(200))}, "SET #s = :s, seen = :n", tracebench.Names("#s", "state"),
						tracebench.Values(tracebench.Item{":s": "online", ":n": w.Rand.IntN(1e6)}), tracebench.Pattern("beat"), tracebench.Times(45))
				}})
		},
		Stats: stats.Options{Detail: 1},
		Fires: []string{"hot-index-partition"},
		May:   append([]string{"unused-index"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name:   "an index of two values with little traffic",
		Tables: []plan.Table{ticketsTable},
		Run:    tickets(10*time.Minute, 900, 100, true),
		Near:   true,
		May:    mayOfTickets,
	},
	tracebench.Trace{
		Name:   "tickets that pass through six states, in an index by state",
		Tables: []plan.Table{ticketsTable},
		Run: func(w *tracebench.World) {
			n := 0
			states := []string{"open", "seen", "assigned", "answered", "confirmed", "closed"}
			w.Traffic(3*time.Minute, 400, tracebench.Steady, func(c *tracebench.Caller) { // 6 × 400 × 40 × 2 units in 180 s
				n++
				for i, s := range states {
					if i == 0 {
						c.Put("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n), "status": s, "openedAt": fmt.Sprintf("2026-03-02T%08d", n)}, tracebench.Pattern("openTicket"), tracebench.Times(40))
						continue
					}
					c.Update("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n)}, "SET #s = :s", tracebench.Names("#s", "status"), tracebench.Values(tracebench.Item{":s": s}),
						tracebench.Pattern("advance"), tracebench.Times(40))
				}
				c.Get("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n)}, tracebench.Pattern("ticket"))
			})
		},
		Near: true,
		May:  append([]string{"index-key-churn", "read-before-write", "unused-index"}, mayOfTickets...),
	},
	tracebench.Trace{
		Name: "as many writes, spread over the index's keys",
		Tables: []plan.Table{{Name: "Tickets", Key: ticketsTable.Key,
			GSI: map[string]plan.Index{"ByStatus": {Partition: []string{"status", "region"}, Sort: []string{"openedAt"}}}}},
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(3*time.Minute, 1080, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Put("Tickets", tracebench.Item{"id": fmt.Sprintf("t%08d", n), "status": "open", "openedAt": fmt.Sprintf("2026-03-02T%08d", n), "region": fmt.Sprint("r", n%8)},
					tracebench.Pattern("openTicket"), tracebench.Times(150))
			})
		},
		Near: true,
		May:  mayOfTickets,
	},
)
