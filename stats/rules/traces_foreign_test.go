package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// Programs whose calls come as those of the SDK's client do: nobody says what their keys are, and each has a context of its own.

var roomsTable = plan.Table{Name: "Rooms", Key: plan.Key{Partition: "room", Sort: "at"}, GSI: map[string]plan.Index{"ByGuest": {Partition: []string{"guest"}, Sort: []string{"at"}}}}

func seedRooms(w *tracebench.World) {
	for i := range 400 {
		w.Store("Rooms", roomItem(i))
	}
}

func roomItem(i int) tracebench.Item {
	return tracebench.Item{"room": fmt.Sprint("r", i%20), "at": fmt.Sprintf("2026-03-%02d", 1+i/20), "guest": fmt.Sprint("g", i%130), "note": tracebench.Text(1_500)}
}

func roomKey(i int) tracebench.Item {
	it := roomItem(i)
	return tracebench.Item{"room": it["room"], "at": it["at"]}
}

var (
	_ = bench("single-gets", tracebench.Trace{
		Name: "the SDK's client, with a time limit for each get", Tables: []plan.Table{roomsTable}, Seed: seedRooms, Foreign: true,
		Run: func(w *tracebench.World) {
			w.Traffic(time.Hour, 60, tracebench.Steady, func(c *tracebench.Caller) {
				c.Query("Rooms", "", tracebench.Item{"room": "r1"}, tracebench.Where("#at >= :day"), tracebench.Names("#at", "at"), tracebench.Values(tracebench.Item{":day": "2026-03-15"}))
				first := w.Rand.IntN(380)
				for i := range 12 {
					c.Get("Rooms", roomKey(first+i))
				}
			})
		},
		Fires: []string{"single-gets"},
	})

	_ = bench("read-before-write", tracebench.Trace{
		Name: "sessions that are read, and touched one time in five", Tables: []plan.Table{roomsTable}, Seed: seedRooms, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 600, tracebench.Steady, func(c *tracebench.Caller) {
				i := w.Rand.IntN(400)
				if c.Get("Rooms", roomKey(i), tracebench.Pattern("session")); w.Rand.IntN(5) == 0 {
					c.Update("Rooms", roomKey(i), "SET seen = :s", tracebench.Values(tracebench.Item{":s": "now"}), tracebench.If("attribute_exists(room)"), tracebench.Pattern("touch"))
				}
			})
		},
	})

	_ = bench("scan-reads-much", tracebench.Trace{
		Name: "statements that name no key", Tables: []plan.Table{roomsTable}, Seed: seedRooms, Foreign: true,
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 40, tracebench.Steady, func(c *tracebench.Caller) {
				c.Statement(fmt.Sprintf(`SELECT * FROM "Rooms" WHERE guest = 'g%d'`, w.Rand.IntN(130)))
			})
		},
		Fires: []string{"scan-reads-much"},
		May:   []string{"expensive-pattern"},
	}, tracebench.Trace{
		Name: "statements that name the key", Tables: []plan.Table{roomsTable}, Seed: seedRooms, Foreign: true, Near: true,
		Run: func(w *tracebench.World) {
			w.Traffic(2*time.Hour, 100, tracebench.Steady, func(c *tracebench.Caller) {
				c.Statement(fmt.Sprintf(`SELECT * FROM "Rooms" WHERE room = 'r%d'`, w.Rand.IntN(20)))
			})
		},
	})
)
