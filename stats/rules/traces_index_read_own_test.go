package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var noteTables = []plan.Table{{Name: "Notes", Key: plan.Key{Partition: "noteId"},
	GSI: map[string]plan.Index{"ByOwner": {Partition: []string{"owner"}, Sort: []string{"noteId"}}}}}

var (
	addNote  = tracebench.Pattern("addNote")
	myNotes  = tracebench.Pattern("myNotes")
	showNote = tracebench.Pattern("showNote")
)

// writeNotes has callers add a note and then do something else, among others who list theirs.
func writeNotes(then func(w *tracebench.World, c *tracebench.Caller, note, owner tracebench.Item)) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		owner := func() tracebench.Item { return tracebench.Item{"owner": fmt.Sprint("u", w.Rand.IntN(200))} }
		w.Mix(2*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: 250, Do: func(c *tracebench.Caller) {
				n++
				note, of := tracebench.Item{"noteId": padded(n)}, owner()
				c.Put("Notes", with(with(note, of), tracebench.Item{"text": tracebench.Text(300)}), addNote, tracebench.If("attribute_not_exists(noteId)"))
				then(w, c, note, of)
			}},
			tracebench.Kind{Callers: 400, Do: func(c *tracebench.Caller) { c.Query("Notes", "ByOwner", owner(), myNotes) }})
	}
}

var _ = bench("index-read-own",
	tracebench.Trace{
		Name: "a list by owner right after the note was added", Tables: noteTables,
		Run: writeNotes(func(w *tracebench.World, c *tracebench.Caller, note, owner tracebench.Item) {
			c.Query("Notes", "ByOwner", owner, myNotes)
		}),
		Fires: []string{"index-read-own"},
	},
	tracebench.Trace{
		Name: "the same where one in four does so, in three processes", Tables: noteTables, Processes: 3,
		Run: writeNotes(func(w *tracebench.World, c *tracebench.Caller, note, owner tracebench.Item) {
			if w.Rand.IntN(4) == 0 {
				c.Query("Notes", "ByOwner", owner, myNotes)
			}
		}),
		Fires: []string{"index-read-own"},
	},
	tracebench.Trace{
		Name: "a worker who lists a note's owner a while after each note", Tables: noteTables,
		Run: func(w *tracebench.World) {
			worker, n := w.Caller(), 0
			w.Traffic(4*time.Hour, 300, tracebench.Steady, func(*tracebench.Caller) {
				n++
				owner := tracebench.Item{"owner": fmt.Sprint("u", w.Rand.IntN(200))}
				worker.Put("Notes", with(tracebench.Item{"noteId": padded(n), "text": tracebench.Text(300)}, owner), addNote)
				worker.Wait(150 * time.Millisecond)
				worker.Query("Notes", "ByOwner", owner, myNotes)
			})
		},
		Fires: []string{"index-read-own"},
	},
	tracebench.Trace{
		Name: "the note read from the table right after it was added", Tables: noteTables, Near: true,
		Run: writeNotes(func(w *tracebench.World, c *tracebench.Caller, note, owner tracebench.Item) {
			c.Get("Notes", note, showNote, tracebench.Consistent())
		}),
	},
	tracebench.Trace{
		Name: "another owner's list after the note was added", Tables: noteTables, Near: true,
		Run: writeNotes(func(w *tracebench.World, c *tracebench.Caller, note, owner tracebench.Item) {
			c.Query("Notes", "ByOwner", tracebench.Item{"owner": fmt.Sprint("u", 200+w.Rand.IntN(200))}, myNotes)
		}),
	},
	tracebench.Trace{
		Name: "the list some seconds after the note was added, by another request", Tables: noteTables, Near: true,
		Run: writeNotes(func(w *tracebench.World, c *tracebench.Caller, note, owner tracebench.Item) {
			later := w.Caller()
			later.Wait(3 * time.Second)
			later.Query("Notes", "ByOwner", owner, myNotes)
		}),
	},
	tracebench.Trace{
		Name: "a worker who adds notes and lists those of anybody, one after the other", Tables: noteTables, Near: true,
		Run: func(w *tracebench.World) {
			worker := w.Caller()
			for n := range 2_000 {
				worker.Put("Notes", tracebench.Item{"noteId": padded(n), "owner": fmt.Sprint("u", w.Rand.IntN(40)), "text": tracebench.Text(300)}, addNote)
				worker.Query("Notes", "ByOwner", tracebench.Item{"owner": fmt.Sprint("u", w.Rand.IntN(40))}, tracebench.Limit(10), myNotes)
				worker.Wait(time.Second)
			}
		},
	},
)
