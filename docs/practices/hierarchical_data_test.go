package practices

import (
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Office struct {
	Company string `ddb:"company"`
	ID      string `ddb:"officeId"`
	Country string `ddb:"country"`
	State   string `ddb:"state"`
	City    string `ddb:"city"`
	Desks   int    `ddb:"desks"`
}

type OfficeKey struct{ Company, Country, State, City, ID string }

var OfficesTable = tablewright.NewTable(plan.Table{Name: "Offices", Key: plan.Key{Partition: "company", Sort: "place"}})

type offices struct {
	tablewright.Entity[OfficeKey, Office]
	ByPlace tablewright.Index4[Office, string, string, string, string, string] `index:"."`
}

var Offices = tablewright.Declare[offices](OfficesTable, plan.Item{
	Name: "Office",
	Key:  map[string]string{"place": "{country}#{state}#{city}#{officeId}"},
})

func Example_hierarchicalData() {
	ctx, db := open(OfficesTable)
	for i, place := range [][3]string{{"DE", "Bayern", "München"}, {"DE", "Bayern", "Nürnberg"}, {"DE", "Berlin", "Berlin"}, {"NO", "Oslo", "Oslo"}, {"NOT", "#", "a country"}} {
		o := Office{Company: "acme", ID: fmt.Sprint("o", i+1), Country: place[0], State: place[1], City: place[2]}
		if err := Offices.Create(o).Run(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	show := func(q tablewright.Query[Office]) {
		all, err := q.Slice(ctx, db)
		fmt.Print(len(all), ":")
		for _, o := range all {
			fmt.Print(" ", o.City)
		}
		fmt.Println("; error:", err)
	}
	acme := Offices.ByPlace.Of("acme")
	show(acme.Query)
	show(acme.Is("DE").Query)
	show(acme.Is("DE").Is("Bayern").Query)
	show(tablewright.Prefix(acme.Is("DE").Is("Bayern"), "N"))
	show(acme.Is("NO").Query)

	o, _ := Offices.Get(OfficeKey{"acme", "DE", "Berlin", "Berlin", "o3"}).Run(ctx, db)
	moved := o
	moved.State, moved.City = "Bayern", "Augsburg"
	fmt.Println(Offices.Move(o, moved).Run(ctx, db))
	show(acme.Is("DE").Is("Bayern").Query)
	// Output:
	// 5: München Nürnberg Berlin Oslo a country; error: <nil>
	// 3: München Nürnberg Berlin; error: <nil>
	// 2: München Nürnberg; error: <nil>
	// 1: Nürnberg; error: <nil>
	// 1: Oslo; error: <nil>
	// <nil>
	// 3: Augsburg München Nürnberg; error: <nil>
}

// Site has the levels as attributes of an index of their own.
type Site struct {
	ID      string `ddb:"siteId"`
	Country string `ddb:"country"`
	State   string `ddb:"state"`
	City    string `ddb:"city"`
}

var SitesTable = tablewright.NewTable(plan.Table{
	Name: "Sites", Key: plan.Key{Partition: "siteId"},
	GSI: map[string]plan.Index{"ByPlace": {Partition: []string{"country"}, Sort: []string{"state", "city"}}},
})

type sites struct {
	tablewright.Entity[string, Site]
	City    tablewright.Text[Site, string]
	ByPlace tablewright.Index2[Site, string, string, string]
}

var Sites = tablewright.Declare[sites](SitesTable, plan.Item{Name: "Site"})

func Example_levels() {
	ctx, db := open(SitesTable)
	_ = Sites.Create(Site{"s1", "DE", "Bayern", "München"}).Run(ctx, db)
	_ = Sites.Create(Site{"s2", "DE", "Berlin", "Berlin"}).Run(ctx, db)

	fmt.Println(Sites.Update("s2", Sites.City.Set("Spandau")).Run(ctx, db)) // the index follows
	n, err := Sites.ByPlace.Of("DE").Is("Berlin").Is("Spandau").Count(ctx, db)
	fmt.Println(n, err)
	// Output:
	// <nil>
	// 1 <nil>
}
