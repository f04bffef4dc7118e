package rules_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

var personTables = []plan.Table{{Name: "People", Key: plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{"GSI1": {Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}}}}

// registerPeople writes people with attributes of these names, and asks for some of them.
func registerPeople(names ...string) func(w *tracebench.World) {
	return func(w *tracebench.World) {
		n := 0
		w.Traffic(time.Hour, 300, tracebench.Steady, func(c *tracebench.Caller) {
			n++
			item := tracebench.Item{"PK": fmt.Sprint("p", n), "SK": "p", "GSI1PK": fmt.Sprint("g", n%30), "GSI1SK": padded(n)}
			for i, name := range names {
				item[name] = fmt.Sprint("value ", i)
			}
			c.Put("People", item, tracebench.Pattern("register"), tracebench.If("attribute_not_exists(PK)"))
			c.Query("People", "GSI1", tracebench.Item{"GSI1PK": fmt.Sprint("g", (n+11)%30)}, tracebench.Pattern("group"))
		})
	}
}

var _ = bench("reserved-names",
	tracebench.Trace{
		Name: "data1 to data4", Tables: personTables, Run: registerPeople("name", "data1", "data2", "data3", "data4"),
		Fires: []string{"reserved-names"},
	},
	tracebench.Trace{
		Name: "text1 to text3", Tables: personTables, Run: registerPeople("name", "text1", "text2", "text3", "sha256"),
		Fires: []string{"reserved-names"},
	},
	tracebench.Trace{
		Name: "names that are reserved words, and lines of an address", Tables: personTables, Near: true,
		Run: registerPeople("name", "status", "date", "size", "line1", "line2", "line3", "phone1"),
	},
)
