package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// votesTable has items under a film; readers ask for a film's votes.
var votesTable = plan.Table{Name: "Votes", Key: plan.Key{Partition: "film", Sort: "voter"}}

// vote writes a vote of one of so many voters.
func vote(w *tracebench.World, film func() string, times int) func(c *tracebench.Caller) {
	return func(c *tracebench.Caller) {
		c.Put("Votes", tracebench.Item{"film": film(), "voter": fmt.Sprintf("v%08x", w.Rand.Uint32()), "stars": 1 + w.Rand.IntN(5), "at": w.Clock.Now()},
			tracebench.Pattern("vote"), tracebench.Times(times))
	}
}

func always(key string) func() string { return func() string { return key } }

var _ = bench("hot-partition",
	tracebench.Trace{
		Name:   "votes for one film, 900 a second",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Mix(5*time.Minute, tracebench.Steady,
				tracebench.Kind{Callers: 540, Do: vote(w, always("alien"), 500)},
				tracebench.Kind{Callers: 100, Do: vote(w, func() string { return fmt.Sprint("film", w.Rand.IntN(50)) }, 10)})
		},
		Fires: []string{"hot-partition"},
		May:   []string{"single-puts"},
	},
	tracebench.Trace{
		Name:   "half a minute of it, and no more is seen",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Traffic(30*time.Second, 540, tracebench.Steady, vote(w, always("alien"), 50))
		},
		Fires: []string{"hot-partition"},
		May:   []string{"single-puts"},
	},
	tracebench.Trace{
		Name:   "the same load in eight processes, none of which has much of it",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Traffic(4*time.Minute, 640, tracebench.Steady, vote(w, always("alien"), 350))
		},
		Processes: 8,
		Fires:     []string{"hot-partition"},
	},
	tracebench.Trace{
		Name:   "two minutes of it every hour, in eight processes",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			for range 4 {
				w.Traffic(2*time.Minute, 800, tracebench.Steady, vote(w, always("alien"), 138))
				w.Traffic(58*time.Minute, 100, tracebench.Steady, vote(w, always("alien"), 10))
			}
		},
		Processes: 8,
		Fires:     []string{"hot-partition"},
	},
	tracebench.Trace{
		Name:   "a key whose range is at its limit, by whatever else lies there",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Engine.Inject(engine.Fault{Operation: "PutItem", Key: `{"film":{"S":"alien"}}`, Throttle: true, Skip: 100, Times: 60})
			w.Traffic(time.Hour, 600, tracebench.Steady, func(c *tracebench.Caller) {
				film := []string{"alien", fmt.Sprint("film", w.Rand.IntN(50))}[w.Rand.IntN(2)]
				c.Put("Votes", tracebench.Item{"film": film, "voter": fmt.Sprintf("v%08x", w.Rand.Uint32()), "stars": 3}, tracebench.Pattern("vote"), tracebench.Once())
			})
		},
		Fires: []string{"hot-partition"},
		May:   []string{"throttle-burst", "retry-budget"},
	},
	tracebench.Trace{
		Name:   "one product that everybody reads, 5,600 times a second in the peak",
		Tables: []plan.Table{{Name: "Products", Key: plan.Key{Partition: "sku"}}},
		Seed: func(w *tracebench.World) {
			for i := range 50 {
				w.Store("Products", tracebench.Item{"sku": fmt.Sprint("p", i), "name": "a thing", "text": tracebench.Text(1500)})
			}
		},
		Run: func(w *tracebench.World) {
			get := func(sku string, times int) func(c *tracebench.Caller) {
				return func(c *tracebench.Caller) {
					c.Get("Products", tracebench.Item{"sku": sku}, tracebench.Pattern("productPage"), tracebench.Times(times))
				}
			}
			w.Traffic(2*time.Minute, 70, tracebench.Steady, get("p7", 10_000))
			w.Traffic(time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) { get(fmt.Sprint("p", w.Rand.IntN(50)), 10)(c) })
		},
		Fires: []string{"hot-partition"},
		May:   []string{"repeated-reads"},
	},
	tracebench.Trace{
		Name:   "a count of visits in one item",
		Tables: []plan.Table{{Name: "Counts", Key: plan.Key{Partition: "what"}}},
		Run: func(w *tracebench.World) {
			w.Traffic(3*time.Minute, 360, tracebench.Steady, func(c *tracebench.Caller) {
				c.Update("Counts", tracebench.Item{"what": "visits"}, "ADD seen :one", tracebench.Values(tracebench.Item{":one": 1}), tracebench.Pattern("countVisit"), tracebench.Times(480))
			})
		},
		Fires: []string{"hot-partition"},
	},
	tracebench.Trace{
		Name:   "a document of 200 KB that is read 150 times a second",
		Tables: []plan.Table{{Name: "Documents", Key: plan.Key{Partition: "id"}}},
		Seed: func(w *tracebench.World) {
			w.Store("Documents", tracebench.Item{"id": "front", "title": "Front", "body": tracebench.Text(200_000)})
		},
		Run: func(w *tracebench.World) {
			w.Traffic(3*time.Minute, 270, tracebench.Steady, func(c *tracebench.Caller) {
				c.Get("Documents", tracebench.Item{"id": "front"}, tracebench.Pattern("frontPage"), tracebench.Times(100))
			})
		},
		Fires: []string{"hot-partition"},
		May:   []string{"large-items", "large-attributes", "repeated-reads", "expensive-pattern", "over-fetching"},
	},
	tracebench.Trace{
		Name:   "readings of one sensor, throttled in bursts",
		Tables: []plan.Table{{Name: "Readings", Key: plan.Key{Partition: "sensor", Sort: "at"}}},
		Engine: engine.Options{Throttle: &engine.Throttle{}},
		Run: func(w *tracebench.World) {
			n := 0
			for range 2 { // 3 seconds at 1,500 units a second, then a pause
				w.Traffic(3*time.Second, 4_500, tracebench.Steady, func(c *tracebench.Caller) {
					n++
					c.Put("Readings", tracebench.Item{"sensor": "s1", "at": fmt.Sprintf("2026-03-02T%06d", n), "value": 20}, tracebench.Pattern("record"), tracebench.Once())
				})
				w.Pause(55 * time.Second)
			}
		},
		Fires: []string{"hot-partition"},
		May:   []string{"throttle-burst", "retry-budget"},
	},
	tracebench.Trace{
		Name:   "a hot key where keys are hashed and every second call is recorded",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Traffic(5*time.Minute, 3_000, tracebench.Steady, vote(w, always("alien"), 96))
		},
		Stats: stats.Options{HashKeys: []byte("a secret of sixteen bytes"), Rate: 0.5},
		Fires: []string{"hot-partition"},
	},
	tracebench.Trace{
		Name:   "one customer with nearly all of little traffic",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Mix(time.Hour, tracebench.Spiky,
				tracebench.Kind{Callers: 900, Do: vote(w, always("alien"), 100)},
				tracebench.Kind{Callers: 30, Do: vote(w, always("other"), 10)})
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "a third of the votes for one film, of which half a minute is seen",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Traffic(30*time.Second, 540, tracebench.Steady, vote(w, always("alien"), 17))
		},
		Near: true,
		May:  []string{"single-puts"},
	},
	tracebench.Trace{
		Name:   "a key of many with half as much, every hour anew, in eight processes",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			for range 3 {
				w.Mix(2*time.Minute, tracebench.Steady,
					tracebench.Kind{Callers: 300, Do: vote(w, always("alien"), 200)},
					tracebench.Kind{Callers: 600, Do: vote(w, func() string { return fmt.Sprint("film", w.Rand.IntN(500)) }, 200)})
				w.Traffic(58*time.Minute, 50, tracebench.Steady, vote(w, func() string { return fmt.Sprint("film", w.Rand.IntN(500)) }, 10))
			}
		},
		Processes: 8,
		Near:      true,
	},
	tracebench.Trace{
		Name:   "4,000 writes a second, spread over a thousand keys",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			film := w.Zipf(0.3, 1000)
			w.Traffic(4*time.Minute, 1_500, tracebench.Steady, vote(w, func() string { return fmt.Sprint("film", film()) }, 640))
		},
		Near: true,
	},
	tracebench.Trace{
		Name:   "a key that is throttled for what is provisioned",
		Tables: []plan.Table{{Name: "Votes", Key: votesTable.Key, Billing: plan.Billing{Read: 10, Write: 5}}},
		Engine: engine.Options{Throttle: &engine.Throttle{Burst: time.Second}},
		Run: func(w *tracebench.World) {
			w.Traffic(100*time.Second, 1_000, tracebench.Steady, vote(w, always("alien"), 1))
		},
		Near: true,
		May:  []string{"throttle-burst", "retry-budget", "utilization", "capacity-mode"},
	},
	tracebench.Trace{
		Name:   "2,000 reads a second and 600 writes, each below its own limit",
		Tables: []plan.Table{votesTable},
		Run: func(w *tracebench.World) {
			w.Mix(5*time.Minute, tracebench.Steady,
				tracebench.Kind{Callers: 360, Do: vote(w, always("alien"), 500)},
				tracebench.Kind{Callers: 300, Do: func(c *tracebench.Caller) {
					c.Query("Votes", "", tracebench.Item{"film": "alien"}, tracebench.Limit(10), tracebench.Pattern("latestVotes"), tracebench.Times(2000))
				}})
		},
		Near: true,
		May:  []string{"unpaged", "repeated-reads"},
	},
	tracebench.Trace{
		Name: "a room that the SDK's client asks for, 2,900 units a second", Tables: []plan.Table{roomsTable}, Seed: seedRooms, Foreign: true,
		Run: func(w *tracebench.World) {
			w.Traffic(3*time.Minute, 360, tracebench.Steady, func(c *tracebench.Caller) {
				c.Query("Rooms", "", tracebench.Item{"room": "r7"}, tracebench.Limit(10), tracebench.Times(720))
				c.Query("Rooms", "", tracebench.Item{"room": fmt.Sprint("r", w.Rand.IntN(20))}, tracebench.Where("#at > :day"), tracebench.Names("#at", "at"), tracebench.Values(tracebench.Item{":day": "2026-03-15"}))
			})
		},
		Fires: []string{"hot-partition"},
		May:   []string{"repeated-reads", "capacity-mode"},
	},
)
