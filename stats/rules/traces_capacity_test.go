package rules_test

import (
	"fmt"
	"math"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// sessionsTable is a table of sessions, provisioned for so many units or, without, on demand.
func sessionsTable(read, write float64) plan.Table {
	return plan.Table{Name: "Sessions", Key: plan.Key{Partition: "sessionId"}, Billing: plan.Billing{Read: read, Write: write}}
}

// sessions are read and written, a call standing for so many: reads of 1 KB, writes of 600 bytes.
func sessions(span time.Duration, callers, times int, shape tracebench.Shape) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		key := func() string { return fmt.Sprint("s", w.Rand.IntN(200)) }
		w.Mix(span, shape,
			tracebench.Kind{Callers: callers, Do: func(c *tracebench.Caller) {
				c.Get("Sessions", tracebench.Item{"sessionId": key()}, tracebench.Pattern("session"), tracebench.Times(times))
			}},
			tracebench.Kind{Callers: callers / 4, Do: func(c *tracebench.Caller) {
				c.Put("Sessions", tracebench.Item{"sessionId": key(), "user": "u1", "cart": tracebench.Text(500)}, tracebench.Pattern("touchSession"), tracebench.Times(times))
			}})
	}
}

// launches is next to nothing but for some minutes a day.
func launches(at float64, span time.Duration) float64 {
	if math.Mod(at*span.Hours(), 24) < 0.1 {
		return 2_000
	}
	return 0.02
}

var (
	_ = bench("capacity-mode",
		tracebench.Trace{
			Name:   "the same traffic every day, on demand",
			Tables: []plan.Table{sessionsTable(0, 0)},
			Run:    sessions(3*24*time.Hour, 8_000, 3_000, tracebench.Daily),
			Fires:  []string{"capacity-mode"},
			// Played again with an auto scaling of the bench's own, which asks the engine.
			Remedied: &tracebench.Remedied{Tables: []plan.Table{sessionsTable(1, 1)}, Scaled: true},
		},
		tracebench.Trace{
			Name:     "provisioned for a peak that lasts some minutes a day",
			Tables:   []plan.Table{sessionsTable(400, 100)},
			Run:      sessions(3*24*time.Hour, 1_500, 1_000, launches),
			Fires:    []string{"capacity-mode"},
			May:      []string{"utilization"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{sessionsTable(0, 0)}},
		},
		tracebench.Trace{
			Name:   "fifty times as much for two minutes of every hour, on demand",
			Tables: []plan.Table{sessionsTable(0, 0)},
			Run:    sessions(2*24*time.Hour, 6_000, 3_000, tracebench.Spiky),
			Near:   true,
		},
		tracebench.Trace{
			Name:   "steady traffic on demand, of which half a day was seen",
			Tables: []plan.Table{sessionsTable(0, 0)},
			Run:    sessions(12*time.Hour, 2_000, 3_000, tracebench.Steady),
			Near:   true,
		})

	_ = bench("utilization",
		tracebench.Trace{
			Name:     "ten times as much is provisioned as the busiest minute takes",
			Tables:   []plan.Table{sessionsTable(500, 125)},
			Run:      sessions(12*time.Hour, 4_000, 400, tracebench.Steady),
			Fires:    []string{"utilization"},
			Remedied: &tracebench.Remedied{Tables: []plan.Table{sessionsTable(34, 29)}},
		},
		tracebench.Trace{
			Name:   "what is provisioned is used up for hours",
			Tables: []plan.Table{sessionsTable(22, 12)},
			Run:    sessions(4*time.Hour, 4_000, 160, tracebench.Steady),
			Fires:  []string{"utilization"},
		},
		tracebench.Trace{
			Name:   "half of what is provisioned is used, at times nearly all of it",
			Tables: []plan.Table{sessionsTable(36, 18)},
			Run:    sessions(12*time.Hour, 8_000, 160, tracebench.Daily),
			Near:   true,
		})
)
