package cost_test

import (
	"fmt"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

func shop() *plan.Program {
	r, _, ds, err := model.LoadRequirements("../examples/online-shop.yaml")
	if err != nil || ds.Err() != nil {
		panic(fmt.Sprint(err, ds))
	}
	m, source, ds, err := model.LoadModel("../examples/online-shop.published-model.yaml")
	if err != nil || ds.Err() != nil {
		panic(fmt.Sprint(err, ds))
	}
	program, ds := model.CompileModel(m, source, r)
	if ds.Err() != nil {
		panic(ds.Err())
	}
	return program
}

func ExamplePrice() {
	report := cost.Price(shop(), nil)
	fmt.Println("a month:", report.Total())

	place := report.Pattern("placeOrder")
	fmt.Printf("placeOrder: %.1f units in the table, %.1f in GSI1, %v a month\n", place.Write["OnlineShop"], place.Write["OnlineShop.GSI1"], place.Cost)

	index := report.Place("OnlineShop.GSI1")
	fmt.Println("GSI1 stores", index.Stored, "for", index.Bill.Storage)

	hottest := report.Loads[0]
	fmt.Printf("hottest: one %s, %.0f read units per second at peak, %.0f %% of what a partition can do\n", hottest.Of, hottest.Read, 100*hottest.Heat)
	fmt.Println("findings:", len(report.Findings()))
	// Output:
	// a month: $1,081.58
	// placeOrder: 14.0 units in the table, 3.5 in GSI1, $57.90 a month
	// GSI1 stores 156 GB for $38.91
	// hottest: one Product, 496 read units per second at peak, 17 % of what a partition can do
	// findings: 0
}

// A sample of the data has fewer and smaller collections than production: its measured capacity is compared with an
// estimate on its own figures.
func ExampleEstimate() {
	p := shop()
	items := p.Requirements.Entity("OrderItem").Parent
	full := cost.Estimate(p, cost.Figures{})
	sample := cost.Estimate(p, cost.Figures{Children: map[*spec.Relationship]spec.Children{items: {Stated: true, Average: 1, Max: 1}}})
	fmt.Printf("%.1f units, in the sample %.1f\n", full["placeOrder"]["OnlineShop"], sample["placeOrder"]["OnlineShop"])
	// Output:
	// 14.0 units, in the sample 8.0
}
