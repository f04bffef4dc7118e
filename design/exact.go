package design

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

// Where a component has few enough layouts, all of its configurations are gone through, those that cannot cost less than
// the best one in whole branches: layouts and plans whose relaxation (relax.go) costs as much already.

// maxLayouts is how many layouts are gone through at most, and what else does not fit together is no layout.
const maxLayouts = 10_000

// simplestSteps bounds the search through everything for what is simpler than the cheapest, and costs hardly more.
const simplestSteps = 20_000

// exhausted is what came of going through all configurations.
type exhausted struct {
	cheapest *config
	bound    capacity.Money // none costs less
	proven   bool           // the cheapest is
	simplest bool           // what is noted holds the simplest of those that cost hardly more
}

// exhaust goes through everything that could cost less than a configuration, and then through what could be simpler at hardly
// more.
func (p *planner) exhaust(best *config) exhausted {
	out := exhausted{cheapest: best}
	frames, all := p.layouts()
	if !all || best.unserved > 0 {
		out.bound = p.floor()
		return out
	}
	clear := best.obstacles(&config{stretched: best.stretched}) == 0
	more := withSlack(best.cost)
	var bs []*relaxation
	for _, f := range frames {
		if p.over() {
			out.bound = p.floor()
			return out
		}
		if b := p.relaxed(f, clear, best.stretched > 0); b != nil && b.bound <= more {
			bs = append(bs, b)
		}
	}
	inOrder := func(x, y *relaxation) int { return cmp.Compare(x.bound, y.bound) }
	slices.SortStableFunc(bs, inOrder)
	for _, b := range bs {
		if p.over() {
			break
		}
		b.tighten(p, more)
	}
	slices.SortStableFunc(bs, inOrder)
	found := func(c *config) {
		if c.cheaper(out.cheapest) {
			out.cheapest = c
		}
		p.note(c)
		if c.cost <= withSlack(out.cheapest.cost) {
			p.leastPoints = min(p.leastPoints, c.points)
		}
	}
	out.bound = forever
	for _, b := range bs {
		switch {
		case b.bound >= out.cheapest.cost:
		case p.ended || !clear:
			out.bound = min(out.bound, b.bound)
		default:
			out.bound = min(out.bound, b.search(p, func(cost capacity.Money, points int) bool { return cost < out.cheapest.cost }, found))
		}
	}
	out.bound = min(out.bound, out.cheapest.cost)
	if out.proven = clear && out.bound == out.cheapest.cost; !out.proven || p.ended {
		return out
	}
	budget := p.budget
	if most := p.steps + simplestSteps; budget == 0 || budget > most {
		p.budget = most
	}
	for _, b := range bs {
		if b.bound <= withSlack(out.cheapest.cost) && b.pay != nil {
			b.search(p, func(cost capacity.Money, points int) bool {
				best := out.cheapest
				return points <= best.points && cost <= best.cost || points <= p.leastPoints && cost <= withSlack(best.cost)
			}, found)
		}
	}
	out.simplest = !p.ended
	p.budget, p.ended = budget, false
	return out
}

// layouts are the frames of all layouts that serve all writes, if there are few enough, and time to make them.
func (p *planner) layouts() (out []*frame, all bool) {
	n := 1
	for _, e := range p.c.entities {
		if n *= len(p.c.options[e]); n > maxLayouts {
			return nil, false
		}
	}
	options := make([]*option, len(p.c.entities))
	var next func(i int)
	next = func(i int) {
		if i == len(options) {
			if p.over() {
				return
			}
			if f := p.frame(options); f != nil && len(f.refused) == 0 && !slices.ContainsFunc(f.choices, func(qs []*readPlan) bool { return len(qs) == 0 }) {
				out = append(out, f)
			}
			return
		}
		for _, o := range p.c.options[p.c.entities[i]] {
			options[i] = o
			next(i + 1)
		}
	}
	next(0)
	return out, !p.ended
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
