package cost

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// growth is the share of the children of a way that an item has when it is written. The zero growth means all children
// of all ways.
type growth struct {
	way   *spec.Relationship
	share float64
}

func (g growth) of(way *spec.Relationship) float64 {
	if g.way == way && way != nil {
		return g.share
	}
	return 1
}

// growing is how much of the children inside an item is there when a write adds one to them. A game gets its moves one
// by one, and then no more: on average a move finds half of the moves that the game will have. The rates tell whether
// that is so: new parents get as many children in all as there are new children for each new parent. Where that is
// twice what is stored, or more, parents are met as they are stored: customers that have ordered for two years will
// order for two more.
func (f *figures) growing(p *spec.Pattern, s *plan.Stage) growth {
	if s.Kind.Role != plan.EntityItem {
		return growth{}
	}
	if _, known := f.changed(p, s.Kind, 0); known { // calls are about what they are about, be it full or not
		return growth{}
	}
	for _, e := range s.Kind.Embeds {
		way := e.Way
		if !slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return a.Verb == spec.Create && a.Entity == way.From }) {
			continue
		}
		if share := f.grown(way); share < 1 {
			return growth{way, share}
		}
	}
	return growth{}
}

// added returns how many bytes the children that a write adds to an item take on average. It goes with growing: over a
// parent's life the i-th child is written with the i-1 before it, so that half of a child counts where half of the
// children are there.
func (f *figures) added(p *spec.Pattern, s *plan.Stage, so growth) (bytes float64) {
	if s.Kind.Role != plan.EntityItem {
		return 0
	}
	for _, e := range s.Kind.Embeds {
		for _, a := range p.Actions {
			if a.Verb != spec.Create || a.Entity != e.Way.From {
				continue
			}
			n := 1.0
			if len(a.Each) > 0 && len(s.Each) == 0 {
				n = f.Elements(p, a.Each)
			}
			bytes += float64(n * so.of(e.Way) * f.element(e, f.Initial(e.Child)).mean())
		}
	}
	return bytes
}

// grown is the share of its stored children that a parent has when another one is created.
func (f *figures) grown(way *spec.Relationship) float64 {
	parents, children := 0.0, 0.0
	for _, p := range f.requirements.Patterns {
		makes := func(e *spec.Entity) bool {
			return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return a.Verb == spec.Create && a.Entity == e })
		}
		if makes(way.To) && makes(way.From) { // some are there from the beginning
			return 1
		}
		for _, a := range p.Actions {
			times := p.Rate.Average
			if len(a.Each) > 0 {
				times *= f.Elements(p, a.Each)
			}
			switch {
			case a.Verb != spec.Create && a.Verb != spec.Upsert && a.Verb != spec.Replace && !a.Makes:
			case a.Entity == way.To:
				if f.carries(p, a, way) > 0 || a.Verb != spec.Create {
					return 1 // the same, or nothing tells
				}
				parents += times
			case a.Entity == way.From:
				if a.Verb != spec.Create {
					return 1
				}
				children += times
			}
		}
	}
	stored := f.Kids(way).Average
	if parents <= 0 || stored <= 0 {
		return 1
	}
	return math.Min(1, math.Max(0.5, children/parents/2/stored))
}
