package practices

import (
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Views counts how often a film was seen, in several items.
type Views struct {
	Film string `ddb:"film"`
	Part int    `ddb:"part"`
	Seen int    `ddb:"seen"`
}

type ViewsKey struct {
	Film string
	Part int
}

var ViewsTable = tablewright.NewTable(plan.Table{Name: "Views", Key: plan.Key{Partition: "PK"}})

type views struct {
	tablewright.Entity[ViewsKey, Views]
	Seen tablewright.Number[Views, int]
}

var AllViews = tablewright.Declare[views](ViewsTable, plan.Item{
	Name: "Views", Key: map[string]string{"PK": "{film}#{part:pad2}"},
})

var SeenFilms = tablewright.NewCounter(AllViews.Entity, AllViews.Seen, 10, func(film string, part int) ViewsKey { return ViewsKey{film, part} })

func Example_keyDistribution() {
	ctx, db := open(ViewsTable)
	for range 500 {
		if err := SeenFilms.Add("alien", 1).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	var used tablewright.Usage
	n, err := SeenFilms.Sum(ctx, db.Measure(&used), "alien")
	fmt.Println(n, "seen;", used.Requests, "request of", used.Read, "read units;", err)
	// Output: 500 seen; 1 request of 5 read units; <nil>
}
