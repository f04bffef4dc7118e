package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var eventTables = []plan.Table{{Name: "Events", Key: plan.Key{Partition: "PK", Sort: "SK"}}}

var jobTables = []plan.Table{{Name: "Jobs", Key: plan.Key{Partition: "jobId"}, Attributes: map[string]plan.Type{"hour": plan.N},
	GSI: map[string]plan.Index{"ByHour": {Partition: []string{"hour"}, Sort: []string{"jobId"}, Project: plan.Keys}}}}

// recordEvents writes events under a partition key made from their time, each for so many alike.
func recordEvents(span time.Duration, callers, times int, key func(w *tracebench.World, at time.Time) string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(span, callers, tracebench.Daily, func(c *tracebench.Caller) {
			n++
			c.Put("Events", tracebench.Item{"PK": key(w, w.Clock.Now()), "SK": padded(n), "what": tracebench.Text(300)}, tracebench.Pattern("record"), tracebench.Times(times))
		})
	}
}

var _ = bench("dated-partition-keys",
	tracebench.Trace{
		Name: "events under their day", Tables: eventTables,
		Run:   recordEvents(4*24*time.Hour, 1500, 8_000, func(w *tracebench.World, at time.Time) string { return at.Format("2006-01-02") }),
		Fires: []string{"dated-partition-keys"},
	},
	tracebench.Trace{
		Name: "events under a word and their hour, in two processes", Tables: eventTables, Processes: 2,
		Run:   recordEvents(9*time.Hour, 900, 9_000, func(w *tracebench.World, at time.Time) string { return "log#" + at.Format("2006-01-02T15") }),
		Fires: []string{"dated-partition-keys"},
	},
	tracebench.Trace{
		Name: "jobs in an index by the number of their hour", Tables: jobTables, Stats: stats.Options{Detail: 1}, // few calls, each for many
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(12*time.Hour, 800, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Put("Jobs", tracebench.Item{"jobId": fmt.Sprint("j", w.Rand.Int64()), "hour": int(w.Clock.Now().Unix() / 3600)}, tracebench.Pattern("addJob"), tracebench.Times(9_000))
			})
		},
		Fires: []string{"dated-partition-keys"}, May: []string{"unused-index"},
	},
	tracebench.Trace{
		Name: "events under a day as it is written in Germany", Tables: eventTables,
		Run:   recordEvents(4*24*time.Hour, 1500, 8_000, func(w *tracebench.World, at time.Time) string { return at.Format("02.01.2006") }),
		Fires: []string{"dated-partition-keys"},
	},
	tracebench.Trace{
		Name: "events of four days, each under its number in the year", Tables: eventTables,
		Run:   recordEvents(4*24*time.Hour, 1500, 8_000, func(w *tracebench.World, at time.Time) string { return at.Format("2006-002") }),
		Fires: []string{"dated-partition-keys"},
	},
	tracebench.Trace{
		Name: "events of four minutes, each under its time of day", Tables: eventTables,
		Run:   recordEvents(4*time.Minute-time.Second, 800, 60, func(w *tracebench.World, at time.Time) string { return at.Format("15:04") }),
		Fires: []string{"dated-partition-keys"}, May: []string{"hot-partition"},
	},
	tracebench.Trace{
		Name: "prices in batches, each under its number for a minute or less", Tables: eventTables,
		Run: func(w *tracebench.World) {
			n := 0
			w.Traffic(4*time.Minute, 1600, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Put("Events", tracebench.Item{"PK": fmt.Sprint("batch-", 7000+n/100), "SK": padded(n), "price": 12}, tracebench.Pattern("addPrice"), tracebench.Times(40))
			})
		},
		Fires: []string{"dated-partition-keys"}, May: []string{"hot-partition"},
	},
	tracebench.Trace{
		Name: "events under their day, a few of them", Tables: eventTables, Near: true,
		Run: recordEvents(4*24*time.Hour, 1500, 1, func(w *tracebench.World, at time.Time) string { return at.Format("2006-01-02") }),
	},
	tracebench.Trace{
		Name: "events under their device and day", Tables: eventTables, Near: true,
		Run: recordEvents(4*24*time.Hour, 1500, 8_000, func(w *tracebench.World, at time.Time) string {
			return fmt.Sprint("d", w.Rand.IntN(50), "#", at.Format("2006-01-02"))
		}),
	},
	tracebench.Trace{
		Name: "orders under their number, each written once", Tables: eventTables, Near: true,
		Run: func(w *tracebench.World) {
			n := 100_000
			w.Traffic(4*time.Hour, 2000, tracebench.Steady, func(c *tracebench.Caller) {
				n++
				c.Put("Events", tracebench.Item{"PK": fmt.Sprint("order#", n), "SK": "order", "total": 12}, tracebench.Pattern("placeOrder"), tracebench.Times(100))
			})
		},
	},
)
