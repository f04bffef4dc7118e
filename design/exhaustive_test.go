package design

import (
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/model"
)

// TestSearchIsExhaustive prices every configuration of some small components, without bounds or order, and compares the
// cheapest and the chosen with what the search found.
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
			price := newPricer(r, capacity.DefaultPrices())
			for _, c := range components(f, ds) {
				p := newPlanner(t.Context(), f, price, c)
				s := p.solve()
				if !s.proven {
					t.Error("a small component is not proven")
				}
				all := everything(t, p)
				var cheapest, chosen *config
				for _, x := range all {
					if cheapest == nil || x.cheaper(cheapest) {
						cheapest = x
					}
				}
				for _, x := range all {
					if x.cost <= withSlack(cheapest.cost) && (chosen == nil || x.simpler(chosen)) {
						chosen = x
					}
				}
				t.Logf("%d configurations, %d priced by the search", len(all), p.compared)
				if cheapest.cost != s.cheapest.cost {
					t.Errorf("the cheapest is\n%s%s, and the search found\n%s%s", cheapest.describe(), cheapest.cost, s.cheapest.describe(), s.cheapest.cost)
				}
				if chosen.points != s.chosen.points || chosen.cost != s.chosen.cost {
					t.Errorf("the simplest is\n%s, and the search chose\n%s", chosen.describe(), s.chosen.describe())
				}
			}
		})
	}
}

// everything is every configuration of a component, and checks bounds on the way.
func everything(t *testing.T, p *planner) []*config {
	var out []*config
	frames, all := p.layouts()
	if !all {
		t.Fatal("too many layouts for this test")
	}
	for _, f := range frames {
		b := p.relaxed(f, true, false)
		if b != nil {
			b.tighten(p, forever)
		}
		plans := make([]*readPlan, len(f.demands))
		var next func(i int)
		next = func(i int) {
			if i < len(plans) {
				for _, q := range f.choices[i] {
					plans[i] = q
					next(i + 1)
				}
				return
			}
			c := p.complete(f, append([]*readPlan(nil), plans...))
			if b != nil && c.obstacles(&config{}) == 0 && b.bound > c.cost+1000 { // a thousandth of a cent: sums are rounded in another order
				t.Errorf("the bound %s of a layout is above a configuration of %s in it:\n%s", b.bound, c.cost, c.describe())
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
