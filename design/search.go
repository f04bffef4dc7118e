package design

import (
	"context"
	"encoding/binary"
	"slices"

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
	pool     map[string]*config // everything that was priced whole, by what was selected
}

// solve finds the cheapest configuration of a component, and the simplest one within the slack of it.
func (p *planner) solve() *solution {
	s := &solution{planner: p, cases: p.layouts(), pool: map[string]*config{}}
	s.cheapest = s.least(nil)
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
}

// admit is the part of a case that a restriction leaves; nil if that cannot serve.
func (r *restriction) admit(lc *layoutCase) *layoutCase {
	switch {
	case r == nil:
		return lc
	case r.layout != nil && !r.layout(lc.layout):
		return nil
	case r.choice == nil:
		return lc
	}
	part := *lc
	part.demands = slices.Clone(lc.demands)
	for i, dc := range lc.demands {
		var left []*choice
		for _, c := range dc.choices {
			if r.choice(dc.d, c) {
				left = append(left, c)
			}
		}
		if len(left) == 0 {
			return nil
		}
		part.demands[i].choices = left
	}
	part.floor = part.bound(nil)
	return &part
}

// least finds the cheapest configuration that a restriction admits; nil if there is none. Layouts come in the order of
// their floors, so the search ends at the first that cannot be cheaper than what is found.
func (s *solution) least(r *restriction) *config {
	var best *config
	for _, full := range s.cases {
		if best != nil && full.floor > best.cost {
			break
		}
		lc := r.admit(full)
		if lc == nil || best != nil && lc.floor > best.cost {
			continue
		}
		s.planner.search(lc, goal{
			within: func(cost capacity.Money, points int) bool { return best == nil || cost <= best.cost },
			found: func(sel *selection) {
				if c := s.priced(sel); (best == nil || c.cheaper(best)) && s.planner.admissible(c) {
					best = c
				}
			},
		})
	}
	return best
}

// simplest finds the configuration with the fewest points that costs at most the slack more than the cheapest; of several,
// one whose tables have the identity of what they hold as their key.
func (s *solution) simplest(cheapest *config) *config {
	best := cheapest
	limit := withSlack(cheapest.cost)
	for _, lc := range s.cases {
		if lc.floor > limit {
			break
		}
		s.planner.search(lc, goal{
			within: func(cost capacity.Money, points int) bool {
				return cost <= limit && (points < best.points || points == best.points &&
					(lc.detours < best.lc.detours || lc.detours == best.lc.detours && cost <= best.cost))
			},
			found: func(sel *selection) {
				if c := s.priced(sel); c.cost <= limit && c.simpler(best) && s.planner.admissible(c) {
					best = c
				}
			},
		})
	}
	return best
}

func withSlack(m capacity.Money) capacity.Money { return m + m/50 }

// priced is the configuration of a selection, priced whole, once.
func (s *solution) priced(sel *selection) *config {
	key := make([]byte, 0, 4+len(sel.plans))
	key = binary.BigEndian.AppendUint32(key, uint32(sel.lc.number))
	for i, j := range sel.plans {
		key = binary.BigEndian.AppendUint16(key, uint16(sel.lc.demands[i].choices[j].number))
	}
	c := s.pool[string(key)]
	if c == nil {
		c = s.planner.complete(sel)
		s.pool[string(key)] = c
	}
	return c
}

// newPlanner prepares the search of a component. When ctx ends, the search ends soon: what it has found by then is not the
// answer, so those who search look at ctx afterwards.
func newPlanner(ctx context.Context, f *facts, p *pricer, c *component) *planner {
	out := &planner{ctx: ctx, facts: f, price: p, c: c, plans: map[string][]*readPlan{}, foot: map[string][]*spec.Entity{}, heat: map[heatKey]capacity.ReadUnits{}, losses: map[string]int{}, blame: map[*option]map[string]int{}}
	out.spread()
	return out
}
