package design

import (
	"math"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// slack is how much more than the cheapest a simpler design of the same component may cost (2 %).
const slack = 0.02

// A solution is what the search found for one component.
type solution struct {
	planner  *planner
	cases    []*layoutCase
	cheapest *config
	chosen   *config
	pool     map[string]*config // everything that was priced whole, by canonical text
	nodes    int
}

// solve finds the cheapest configuration of a component, and the simplest one within the slack of it.
func (p *planner) solve() *solution {
	s := &solution{planner: p, cases: p.layouts(), pool: map[string]*config{}}
	s.cheapest = s.least(nil, nil)
	if s.cheapest == nil {
		return s
	}
	s.chosen = s.simplest(s.cheapest)
	return s
}

// restriction is what an alternative forces: on layouts and on the plans of demands. nil admits everything.
type restriction struct {
	layout func(*layout) bool
	choice func(*demand, *choice) bool
	config func(*config) bool
}

// least finds the cheapest configuration that a restriction admits; nil if there is none. Layouts come in the order of
// their floors, so the search ends at the first that cannot be cheaper than what is found.
func (s *solution) least(r *restriction, start *config) *config {
	best := start
	budget := math.MaxInt
	for _, lc := range s.cases {
		if best != nil && lc.floor > best.cost {
			break
		}
		if r != nil && r.layout != nil && !r.layout(lc.layout) {
			continue
		}
		g := goal{
			budget: &budget,
			within: func(cost capacity.Money, points int) bool { return best == nil || cost <= best.cost },
			found: func(sel *selection) {
				c := s.priced(sel)
				if c != nil && (r == nil || r.config == nil || r.config(c)) && (best == nil || c.cheaper(best)) {
					best = c
				}
			},
		}
		if r != nil {
			g.forced = r.choice
		}
		lc.search(g)
	}
	s.nodes += math.MaxInt - budget
	return best
}

// simplest finds the configuration with the fewest points that costs at most the slack more than the cheapest.
func (s *solution) simplest(cheapest *config) *config {
	best := cheapest
	limit := withSlack(cheapest.cost)
	budget := math.MaxInt
	for _, lc := range s.cases {
		if lc.floor > limit {
			break
		}
		lc.search(goal{
			budget: &budget,
			within: func(cost capacity.Money, points int) bool {
				return cost <= limit && (points < best.points || points == best.points && cost <= best.cost)
			},
			found: func(sel *selection) {
				if c := s.priced(sel); c != nil && c.cost <= limit && c.simpler(best) {
					best = c
				}
			},
		})
	}
	s.nodes += math.MaxInt - budget
	return best
}

func withSlack(m capacity.Money) capacity.Money { return m + m/50 }

// priced is the configuration of a selection, priced whole.
func (s *solution) priced(sel *selection) *config {
	c := s.planner.complete(sel)
	if c == nil {
		return nil
	}
	if old := s.pool[c.name]; old != nil {
		return old
	}
	s.pool[c.name] = c
	return c
}

// newPlanner prepares the search of a component.
func newPlanner(f *facts, p *pricer, c *component) *planner {
	return &planner{facts: f, price: p, c: c, plans: map[string][]*readPlan{}, foot: map[string][]*spec.Entity{}, losses: map[string]int{}}
}
