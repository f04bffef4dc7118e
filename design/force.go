package design

import (
	"slices"
	"time"

	"github.com/tablewright/tablewright/spec"
)

// What an alternative would cost is found from the chosen configuration outwards: the alternative is forced, and everything
// else changed as long as that makes it cheaper. That is bounded work, and what it finds is not proven to be the best of its
// kind.

// forcedSteps bounds the search for what goes with one alternative, and explainSteps for all of them.
const (
	forcedSteps  = 20
	explainSteps = 3_000
)

// spent reports whether the work that explanations may take is done: what is not looked into by then is left out.
func (p *planner) spent() bool {
	return p.explained > explainSteps || p.weighed > explainCompared || p.ctx.Err() != nil || !p.patience.IsZero() && time.Now().After(p.patience)
}

// pin is what an alternative forces.
type pin struct {
	entity int // whose option stays; -1: none
	demand *demand
	rule   string // by which the demand is served
}

// allows reports whether a plan may serve a demand of a configuration.
func (p *planner) allows(d *demand, q *readPlan) bool {
	return p.pin == nil || p.pin.demand == nil || !sameDemand(p.pin.demand, d) || q.rule == p.pin.rule
}

// forced searches around a configuration with something forced; nil if nothing serves everything so.
func (p *planner) forced(x pin, from func() *config) *config {
	if p.spent() {
		return nil
	}
	began, compared, most := p.steps, p.compared, p.most
	budget, ended, deadline := p.budget, p.ended, p.deadline
	p.pin, p.budget, p.most, p.ended, p.deadline = &x, p.steps+forcedSteps, 0, false, p.patience
	defer func() {
		p.explained, p.weighed = p.explained+p.steps-began, p.weighed+p.compared-compared
		p.pin, p.budget, p.most, p.ended, p.deadline = nil, budget, most, ended, deadline
	}()
	c := from()
	if c == nil {
		return nil
	}
	c = p.reindex(p.adjust(c, c.all(), byPrice), byPrice)
	if !c.admissible() || p.ctx.Err() != nil {
		return nil
	}
	return c
}

// withOption is the best configuration around another one in which an entity is stored in some way.
func (p *planner) withOption(c *config, i int, o *option) *config {
	return p.forced(pin{entity: i}, func() *config {
		n := p.moved(c, byPrice, i, o)
		if n == nil || n.options[i] != o {
			return nil
		}
		return n
	})
}

// withRule is the best configuration around another one in which a demand is served by some rule: stored as it is, else
// with one entity stored in another way.
func (p *planner) withRule(c *config, d *demand, rule string) *config {
	serves := func(f *frame) bool {
		i := slices.IndexFunc(f.demands, func(e *demand) bool { return sameDemand(e, d) })
		return i >= 0 && slices.ContainsFunc(f.choices[i], func(q *readPlan) bool { return q.rule == rule })
	}
	return p.forced(pin{entity: -1, demand: d, rule: rule}, func() *config {
		if serves(c.frame) {
			return p.settle(c.frame, c, nil, byPrice)
		}
		var best *config
		for i, e := range p.c.entities {
			for _, o := range p.c.options[e] {
				if o == c.options[i] {
					continue
				}
				options := slices.Clone(c.options)
				options[i] = o
				p.repair(options, i)
				f := p.frame(options)
				if f == nil || len(f.refused) > 0 || !serves(f) {
					continue
				}
				if n := p.settle(f, c, nil, byPrice); best == nil || n.cheaper(best) {
					best = n
				}
				if p.over() {
					return best
				}
			}
		}
		return best
	})
}

// entityAt is where an entity stands in the component; -1 if it is none of its.
func (p *planner) entityAt(e *spec.Entity) int { return slices.Index(p.c.entities, e) }

// whyNot says why nothing serves everything with an option; "" if no reason is known.
func (p *planner) whyNot(c *config, i int, o *option) string {
	options := slices.Clone(c.options)
	options[i] = o
	p.repair(options, i)
	f := p.frame(options)
	switch {
	case f == nil || options[i] != o:
		return "it does not fit with how others are stored"
	case len(f.refused) > 0:
		return f.refused[0]
	}
	for j, d := range f.demands {
		if len(f.choices[j]) == 0 {
			return "no plan serves " + d.name
		}
	}
	if n := p.settle(f, c, nil, byPrice); len(n.losses) > 0 {
		return n.losses[0]
	}
	return ""
}
