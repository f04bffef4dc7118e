package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var readingTables = []plan.Table{{Name: "Readings", Key: plan.Key{Partition: "device", Sort: "at"}}}

// uploadReadings has devices send some readings at once, which write stores.
func uploadReadings(write func(c *tracebench.Caller, items []tracebench.Item), least, most int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		at := 0
		w.Traffic(2*time.Hour, 120, tracebench.Spiky, func(c *tracebench.Caller) {
			device := fmt.Sprint("d", w.Rand.IntN(80))
			var items []tracebench.Item
			for range least + w.Rand.IntN(most-least+1) {
				at++
				items = append(items, tracebench.Item{"device": device, "at": padded(at), "celsius": float64(w.Rand.IntN(400)) / 10, "battery": w.Rand.IntN(100)})
			}
			write(c, items)
		})
	}
}

func padded(n int) string { return fmt.Sprintf("%08d", n) }

func putEach(how ...tracebench.Option) func(c *tracebench.Caller, items []tracebench.Item) {
	return func(c *tracebench.Caller, items []tracebench.Item) {
		for _, item := range items {
			c.Put("Readings", item, append(how, tracebench.Pattern("addReading"))...)
		}
	}
}

var _ = bench("single-puts",
	tracebench.Trace{
		Name: "devices whose readings are put one by one", Tables: readingTables, Run: uploadReadings(putEach(), 8, 20),
		Fires: []string{"single-puts"},
	},
	tracebench.Trace{
		Name: "an import of a thousand items in a loop, in two processes", Tables: readingTables, Processes: 2,
		Run: func(w *tracebench.World) {
			for n := range 4 {
				c := w.Caller()
				for i := range 400 {
					c.Put("Readings", tracebench.Item{"device": fmt.Sprint("d", n), "at": padded(i), "celsius": 21.5})
				}
				w.Pause(10 * time.Minute)
			}
		},
		Fires: []string{"single-puts"},
	},
	tracebench.Trace{
		Name: "readings that must not be there yet, which no batch can ask", Tables: readingTables, Near: true,
		Run: uploadReadings(putEach(tracebench.If("attribute_not_exists(device)")), 8, 20),
	},
	tracebench.Trace{
		Name: "puts that answer what was there", Tables: readingTables, Near: true, Run: uploadReadings(putEach(tracebench.Return("ALL_OLD")), 8, 20),
	},
	tracebench.Trace{
		Name: "one or two readings at once", Tables: readingTables, Near: true, Run: uploadReadings(putEach(), 1, 2),
	},
	tracebench.Trace{
		Name: "the same in batches", Tables: readingTables, Near: true,
		Run: uploadReadings(func(c *tracebench.Caller, items []tracebench.Item) {
			c.BatchWrite("Readings", items, nil, tracebench.Pattern("addReadings"))
		}, 8, 20),
	},
	tracebench.Trace{
		Name: "a consumer that writes a reading for each message, under one context", Tables: readingTables, Near: true,
		Run: func(w *tracebench.World) {
			c := w.Caller()
			for i := range 1200 {
				c.Put("Readings", tracebench.Item{"device": fmt.Sprint("d", i%40), "at": padded(i), "celsius": 21.5})
				w.Pause(time.Duration(200+w.Rand.IntN(2000)) * time.Millisecond)
			}
		},
	},
	tracebench.Trace{
		Name: "a consumer of many messages, who waits for the next no longer than for three writes", Tables: readingTables, Near: true,
		Run: func(w *tracebench.World) {
			c := w.Caller()
			for i := range 3000 {
				c.Put("Readings", tracebench.Item{"device": fmt.Sprint("d", i%40), "at": padded(i), "celsius": 21.5})
				c.Wait(time.Duration(9+w.Rand.IntN(8)) * time.Millisecond)
			}
		},
	},
)
