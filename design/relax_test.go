package design

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/invent"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
)

var (
	boundsN    = flag.Int("bounds.n", 12, "hold bounds against configurations of the applications of so many seeds")
	boundsFrom = flag.Uint64("bounds.from", 1, "the first seed")
)

// TestBounds prices configurations made by chance of applications made by chance: none that breaks no limit costs less than
// what is said of its layout and of its component, nor than the cheapest if that is said to be proven.
func TestBounds(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	layouts, priced, proven, gaps, floors, solved := 0, 0, 0, 0.0, 0.0, 0
	for seed := *boundsFrom; seed < *boundsFrom+uint64(*boundsN); seed++ {
		r, _, found := model.ReadRequirements("requirements.yaml", invent.Requirements(seed, invent.Small))
		if found.Errors() > 0 {
			t.Fatal(found)
		}
		f := study(r)
		ds, err := f.demands()
		if err != nil {
			continue
		}
		price := newPricer(r, capacity.DefaultPrices())
		for _, c := range components(f, ds) {
			if _, none := keyless(c); none {
				break
			}
			p := newPlanner(t.Context(), f, price, c)
			p.budget = 2_000
			s := p.solve()
			if s.cheapest.obstacles(&config{}) != 0 {
				continue
			}
			if s.proven {
				proven++
			}
			gaps += float64(s.cheapest.cost-s.bound) / float64(s.cheapest.cost)
			p.ended, p.budget = false, 0
			floor := p.floor()
			floors += float64(floor) / float64(s.cheapest.cost)
			solved++
			x := rand.New(rand.NewPCG(seed, 5))
			for range 12 {
				options := make([]*option, len(c.entities))
				for i, e := range c.entities {
					options[i] = c.options[e][x.IntN(len(c.options[e]))]
				}
				g := p.frame(options)
				if g == nil || len(g.refused) > 0 {
					continue
				}
				b := p.relaxed(g, true, false)
				if b != nil {
					b.tighten(p, forever)
				}
				layouts++
				for range 25 {
					plans := make([]*readPlan, len(g.demands))
					for i, qs := range g.choices {
						if len(qs) > 0 {
							plans[i] = qs[x.IntN(len(qs))]
						}
					}
					n := p.complete(g, plans)
					if n.obstacles(&config{}) != 0 {
						continue
					}
					priced++
					const rounding = 1000 // nanodollars: sums are rounded in another order
					switch {
					case b == nil:
						t.Errorf("seed %d: a layout that is said to have no configuration has one:\n%s", seed, n.describe())
					case b.bound > n.cost+rounding:
						t.Errorf("seed %d: the bound %s of a layout is above a configuration of %s in it:\n%s", seed, b.bound, n.cost, n.describe())
					case floor > n.cost+rounding:
						t.Errorf("seed %d: the floor %s of a component is above a configuration of %s:\n%s", seed, floor, n.cost, n.describe())
					case s.bound > n.cost+rounding:
						t.Errorf("seed %d: the bound %s of a component is above a configuration of %s:\n%s", seed, s.bound, n.cost, n.describe())
					}
				}
			}
		}
	}
	t.Logf("%d configurations in %d layouts; %d of %d components proven, gaps of all others together %.2f; floors are %.0f %% of the cheapest on average",
		priced, layouts, proven, solved, gaps, 100*floors/float64(solved))
	if priced == 0 {
		t.Error("nothing was priced")
	}
}

// TestStretchedIsGoneThrough begins with a configuration dearer than the cheapest where every configuration reads very much in
// some call: going through all of them finds the cheapest, and does not call the dearer one proven.
func TestStretchedIsGoneThrough(t *testing.T) {
	r, _, found := model.ReadRequirements("requirements.yaml", []byte(`
tablewright: 1
application: stretched
entities:
  Kitchen:
    identity: [kitchenId]
    attributes:
      kitchenId: {type: string, generated: ulid}
    count: 5_000
  Crate:
    identity: [kitchenId, crateNo]
    attributes:
      kitchenId: {parent: Kitchen, inverse: crates, per-parent: {average: 20, max: 60_000}}
      crateNo: {type: number, digits: 6, min: 1}
      left: {type: number, digits: 5, min: 0}
      shelf: {type: string, bytes: 8}
      label: {type: string, bytes: 60}
patterns:
  open: {write: {create: Kitchen}, rate: {average: 0.01/s, peak: 1/s}}
  addCrate: {write: {create: Crate}, rate: {average: 0.2/s, peak: 2/s}}
  useCrate: {write: {update: Crate, set: {left: left - 1}, condition: left >= 1}, rate: {average: 1/s, peak: 3/s}}
  emptiest: {read: Crate, given: [kitchenId], order: left, page: 5, consistency: strong, rate: {average: 1/s, peak: 5/s}}
  onShelf: {read: Crate, given: [kitchenId, shelf], results: {average: 4, max: 900}, rate: {average: 1/s, peak: 5/s}}
`))
	if found.Errors() > 0 {
		t.Fatal(found)
	}
	f := study(r)
	ds, err := f.demands()
	if err != nil {
		t.Fatal(err)
	}
	price := newPricer(r, capacity.DefaultPrices())
	tried := 0
	for _, c := range components(f, ds) {
		p := newPlanner(t.Context(), f, price, c)
		cheapest := p.solve().cheapest
		if cheapest.stretched == 0 {
			continue
		}
		for _, x := range everything(t, p) {
			if x.obstacles(cheapest) != 0 || x.cost <= cheapest.cost {
				continue
			}
			tried++
			p.ended, p.budget = false, 0
			if got := p.exhaust(x); got.cheapest.cost != cheapest.cost || !got.proven {
				t.Errorf("from %s the cheapest is %s (proven: %v), and the search found %s", x.cost, got.cheapest.cost, got.proven, cheapest.cost)
			}
			if tried == 5 {
				return
			}
		}
	}
	if tried == 0 {
		t.Error("nothing is stretched")
	}
}
