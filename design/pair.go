package design

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Bands of access correlation: the share of reads that need both of two entities, of those that need either.
const (
	correlationOneItem    = 0.90 // above: one item
	correlationCollection = 0.50 // above: one item collection; below: apart
)

// together is how often two entities are needed, in calls per second.
type together struct{ parent, child, both float64 }

func (t together) correlation() float64 {
	if sum := t.parent + t.child + t.both; sum > 0 {
		return t.both / sum
	}
	return 0
}

// needed adds up the reads that need a parent, its children, or both.
func needed(w *spec.Relationship, ds []*demand) together {
	var t together
	for _, d := range ds {
		var es []*spec.Entity
		var walk func(ns []*wayNode)
		walk = func(ns []*wayNode) {
			for _, n := range ns {
				es = append(es, n.entity())
				walk(n.inner)
			}
		}
		es = append(es, d.target)
		walk(d.ways)
		for _, r := range d.needs {
			if len(r.hops) > 0 && r.alias == nil {
				es = append(es, r.owner())
			}
		}
		switch p, c := slices.Contains(es, w.To), slices.Contains(es, w.From); {
		case p && c:
			t.both += d.rate.Average
		case p:
			t.parent += d.rate.Average
		case c:
			t.child += d.rate.Average
		}
	}
	return t
}

// pairInputs are the figures of the frameworks' rules about an entity and its parent: what they advise, and whether cost
// agrees.
func (d *decider) pairInputs(e *spec.Entity, chosen *option) []plan.Input {
	var out []plan.Input
	for _, w := range e.There {
		if !w.Identifying && !d.readTogether(e, w) || d.s.planner.c.options[w.To] == nil {
			continue
		}
		t := needed(w, d.s.planner.c.demands)
		share := t.correlation()
		advice := placeApart
		switch {
		case share > correlationOneItem:
			advice = placeInside
		case share > correlationCollection:
			advice = placeCollection
		}
		verdict := "agrees"
		if place := placed(chosen, w); place != advice {
			var c *config
			p := d.s.planner
			for _, o := range p.c.options[e] {
				if placed(o, w) != advice {
					continue
				}
				if n := p.withOption(d.s.chosen, p.entityAt(e), o); n != nil && (c == nil || n.cheaper(c)) {
					c = n
				}
			}
			switch {
			case c == nil && p.spent():
				verdict = "overruled; by how much was not looked into"
			case c == nil:
				verdict = "overruled: no model serves all patterns so"
			default:
				verdict = fmt.Sprintf("overruled by cost: %s more a month", (c.cost - d.s.chosen.cost).String())
			}
		}
		with := w.To.Name
		if slices.ContainsFunc(e.There, func(v *spec.Relationship) bool { return v != w && v.To == w.To }) { // names of inputs are unique
			with += " by " + w.Name
		}
		out = append(out, plan.Input{
			Name:  "access correlation with " + with,
			Value: fmt.Sprintf("%.0f %% (%s of %s/s need both): the rule says %s; %s", 100*share, show.Number(t.both), show.Number(t.both+t.parent+t.child), advice, verdict),
		})
	}
	return out
}

// Where children lie, as the rules call it.
const (
	placeInside     = "one item"
	placeCollection = "one collection"
	placeApart      = "apart"
)

// placed is where an option puts children, as seen from their parent.
func placed(o *option, w *spec.Relationship) string {
	switch {
	case o.within != nil && o.within.way == w:
		return placeInside
	case o.root != nil && (o.root == w.To || w.To.Parent != nil && o.root == w.To.Parent.To):
		return placeCollection
	}
	return placeApart
}
