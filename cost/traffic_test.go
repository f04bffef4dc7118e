package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
)

// TestTrafficIsTheEstimate: what is asked of keys is, in sum, what calls are estimated to consume, and on the hottest key what
// the load of the place says.
func TestTrafficIsTheEstimate(t *testing.T) {
	for name, p := range map[string]*plan.Program{"archive": archive(t), "published shop": publishedShop(t), "tracker": compile(t, "../prove/testdata/tracker.yaml", "../prove/testdata/tracker.model.yaml")} {
		got := map[string]map[string]float64{}
		for _, r := range cost.Traffic(p, cost.Figures{}) {
			if got[r.Pattern] == nil {
				got[r.Pattern] = map[string]float64{}
			}
			for _, d := range r.Demands {
				got[r.Pattern][d.Access.Name()] += d.Units
			}
		}
		for pattern, places := range cost.Estimate(p, cost.Figures{}) {
			for place, units := range places {
				near(t, name+": "+pattern+" at "+place, got[pattern][place], units, 1e-9)
			}
			if len(got[pattern]) != len(places) {
				t.Errorf("%s: %s asks for units at %v, and is estimated at %v", name, pattern, got[pattern], places)
			}
		}
	}
}

// hottest is what all demands ask per second of the hottest key of an owner at a place, but for items that have it for
// themselves: loads tell these apart.
func hottest(p *plan.Program, place, of string, write bool) (units float64) {
	for _, r := range cost.Traffic(p, cost.Figures{}) {
		for _, d := range r.Demands {
			if d.Access.Name() == place && d.Of == of && d.Write == write && !d.Own {
				units += r.Rate * d.Units * d.Partition.Share(1)
			}
		}
	}
	return units
}

// TestTrafficOfTheHottestKey: the hottest key carries what the report's load of it says, which is computed from the shares of
// single steps.
func TestTrafficOfTheHottestKey(t *testing.T) {
	p := publishedShop(t)
	compared := 0
	for _, l := range cost.Price(p, nil).Loads {
		if l.Item || l.Heat < 1e-5 {
			continue
		}
		compared++
		read, write := hottest(p, l.Place, l.Of, false), hottest(p, l.Place, l.Of, true)
		near(t, "read of "+l.Of+" in "+l.Place, read, l.Read, 1e-6)
		near(t, "write of "+l.Of+" in "+l.Place, write, l.Write, 1e-6)
	}
	if compared < 3 {
		t.Errorf("only %d keys are warm enough to compare", compared)
	}
}
