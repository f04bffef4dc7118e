package design

import (
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/model"
)

// TestSearchIsExhaustive prices every configuration of some small components whole, without bounds or order, and compares
// the cheapest and the chosen with what the search found. It also holds every bound and floor to what they bound.
func TestSearchIsExhaustive(t *testing.T) {
	for _, name := range []string{"collection", "parent-with-children", "multi-attribute", "composite", "sparse", "embedding", "batch-get", "unique", "counter", "copies", "expiry", "write-sharding", "table-sharding"} {
		t.Run(name, func(t *testing.T) {
			r, _, found, err := model.LoadRequirements("testdata/strategies/" + name + ".yaml")
			if r == nil || err != nil {
				t.Fatal(found, err)
			}
			f := study(r)
			ds, err := f.demands()
			if err != nil {
				t.Fatal(err)
			}
			price := newPricer(f, capacity.DefaultPrices().Tariff(capacity.Standard, capacity.OnDemand))
			for _, c := range components(f, ds) {
				p := newPlanner(t.Context(), f, price, c)
				s := p.solve()
				all := everything(t, p)
				var cheapest, chosen *config
				for _, x := range all {
					if p.admissible(x) && (cheapest == nil || x.cheaper(cheapest)) {
						cheapest = x
					}
				}
				for _, x := range all {
					if p.admissible(x) && x.cost <= withSlack(cheapest.cost) && (chosen == nil || x.simpler(chosen)) {
						chosen = x
					}
				}
				t.Logf("%d configurations, %d priced by the search", len(all), len(s.pool))
				if cheapest.cost != s.cheapest.cost || cheapest.name != s.cheapest.name {
					t.Errorf("the cheapest is\n%s%s, and the search found\n%s%s", cheapest.name, cheapest.cost, s.cheapest.name, s.cheapest.cost)
				}
				if chosen.name != s.chosen.name {
					t.Errorf("the simplest is\n%s, and the search chose\n%s", chosen.name, s.chosen.name)
				}
			}
		})
	}
}

// everything is every configuration of a component, and checks bounds on the way.
func everything(t *testing.T, p *planner) []*config {
	var out []*config
	for _, lc := range p.layouts() {
		plans := make([]int, len(lc.demands))
		var next func(i int)
		next = func(i int) {
			if i < len(plans) {
				for j := range lc.demands[i].choices {
					plans[i] = j
					next(i + 1)
				}
				return
			}
			c := p.complete(&selection{lc: lc, plans: append([]int(nil), plans...)})
			if lc.floor > c.cost+1000 { // a thousandth of a cent: sums are rounded in another order
				t.Errorf("the floor %s of a layout is above a configuration of %s in it:\n%s", lc.floor, c.cost, c.name)
			}
			out = append(out, c)
		}
		next(0)
		if len(out) > 200_000 {
			t.Fatal("too many configurations for this test")
		}
	}
	return out
}
