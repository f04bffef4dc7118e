package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// archiveTable keeps documents, in a class.
func archiveTable(class string) plan.Table {
	return plan.Table{Name: "Archive", Key: plan.Key{Partition: "documentId"}, Class: class,
		GSI: map[string]plan.Index{"ByOwner": {Partition: []string{"owner"}, Project: plan.Keys}}}
}

// archived puts documents of 300 KB into the archive: so many that storing and reading them are of one order.
func archived(n int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		for i := range n {
			w.Store("Archive", tracebench.Item{"documentId": fmt.Sprint("d", i), "owner": fmt.Sprint("o", i%50), "body": tracebench.Text(300_000)})
		}
	}
}

// consulted is a list of documents that some people read, and pages of documents.
func consulted(lists, documents, times int) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		w.Mix(3*24*time.Hour, tracebench.Daily,
			tracebench.Kind{Callers: lists, Do: func(c *tracebench.Caller) {
				c.Query("Archive", "ByOwner", tracebench.Item{"owner": fmt.Sprint("o", w.Rand.IntN(50))}, tracebench.Pattern("documentsOfOwner"), tracebench.Times(times))
			}},
			tracebench.Kind{Callers: documents, Do: func(c *tracebench.Caller) {
				c.Get("Archive", tracebench.Item{"documentId": fmt.Sprint("d", w.Rand.IntN(100))}, tracebench.Pattern("document"), tracebench.Times(times))
			}})
	}
}

var _ = bench("table-class",
	tracebench.Trace{
		Name:   "documents that are hardly read, in the standard class",
		Tables: []plan.Table{archiveTable("")},
		Seed:   archived(150),
		Run:    consulted(200, 2, 1),
		Live:   true,
		May:    []string{"large-items", "large-attributes"},
		Near:   true, // of some megabytes, which cost a cent
	},
	tracebench.Trace{
		Name:   "documents that are read all the time, in the standard class",
		Tables: []plan.Table{archiveTable("")},
		Seed:   archived(150),
		Run:    consulted(200, 400, 100),
		Live:   true,
		May:    []string{"capacity-mode", "large-items", "large-attributes"},
		Near:   true,
	},
	tracebench.Trace{
		Name:     "documents that are read all the time, in the class for infrequent access",
		Tables:   []plan.Table{archiveTable("infrequent-access")},
		Seed:     archived(150),
		Run:      consulted(200, 400, 1_000),
		Live:     true,
		May:      []string{"capacity-mode", "large-items", "large-attributes"},
		Fires:    []string{"table-class"},
		Remedied: &tracebench.Remedied{Tables: []plan.Table{archiveTable("")}},
	},
)
