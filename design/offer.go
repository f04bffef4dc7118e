package design

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// An Offer is what the requirements could allow, and what the model would cost then. Whoever makes a model by hand often takes
// such a liberty without a word: the names of others beside what a list shows, which lag a little when they change.
type Offer struct {
	Patterns  []string       // that would have to say so, in the order of the requirements
	Statement string         // `staleness: 5s`
	Cost      capacity.Money // of the whole model a month
}

// String is the offer as a message says it: `staleness: 5s` in getFlags and getMembers.
func (o Offer) String() string { return o.Statement + " in " + listOf(o.Patterns) }

// RuleOffer is the rule of the decision that tells what requirements could allow.
const RuleOffer = "offer"

// offeredAge is more than the consumer of a stream takes as a rule, and hardly more than what a person notices.
const offeredAge = 5 * time.Second

// offers looks for what would be saved if answers of eventual reads could be some seconds old where they show what lies at the end of
// ways, and if children came to parents alone that are there, so that a number which a stream keeps can lie in its entity's items. The
// search with such a statement ends where its beginning does: what an offer saves is no less than it says.
func (r *Result) offers(ctx context.Context, prices *capacity.Prices, o Options) ([]Offer, error) {
	var total capacity.Money
	o.Progress, o.Time, o.Steps = nil, o.Time/4, 0
	for _, s := range r.found {
		total += s.chosen.cost
		o.Steps = max(o.Steps, s.planner.begun+s.planner.begun/2)
	}
	var out []Offer
	try := func(patterns []string, statement string, change func(*spec.Requirements)) []*solution {
		relaxed := r.facts.req.Clone()
		change(relaxed)
		_, found, err := search(ctx, relaxed, prices, o, func(c *component) bool {
			return slices.ContainsFunc(c.demands, func(d *demand) bool { return slices.Contains(patterns, d.name) }) ||
				slices.ContainsFunc(c.writes, func(p *spec.Pattern) bool { return slices.Contains(patterns, p.Name) })
		})
		if err != nil || len(found) != len(r.found) {
			return nil // nothing to offer
		}
		cost := total
		for i, s := range r.found {
			if c := found[i].chosen.cost; c < s.chosen.cost {
				cost += c - s.chosen.cost
			}
		}
		if withSlack(cost) < total {
			out = append(out, Offer{patterns, statement, cost})
		}
		return found
	}
	for names := r.fetching(total); len(names) > 0; {
		before := len(out)
		found := try(names, "staleness: "+spec.FormatDuration(offeredAge), func(relaxed *spec.Requirements) {
			for _, name := range names {
				relaxed.Pattern(name).Staleness = offeredAge
			}
		})
		some := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return found == nil || !r.cheaperIn(found, name) })
		if len(some) == len(names) {
			break
		}
		out, names = out[:before], some // without those that gain nothing by it
	}
	for _, h := range r.homeless(total) {
		try(h.patterns, "requires: ["+h.way.Name+"]", func(relaxed *spec.Requirements) {
			way := relaxed.Entity(h.way.From.Name).WayThere(h.way.Name)
			for _, name := range h.patterns {
				for _, a := range relaxed.Pattern(name).Actions {
					if a.Entity == way.From && a.Verb == spec.Create && !slices.Contains(a.Requires, way) {
						a.Requires = append(a.Requires, way)
					}
				}
			}
		})
	}
	return out, ctx.Err()
}

// cheaperIn reports whether the calls of a pattern cost clearly less in other solutions of the same components.
func (r *Result) cheaperIn(found []*solution, pattern string) bool {
	var is, was capacity.Money
	for i, s := range r.found {
		was += s.chosen.billed(pattern)
		is += found[i].chosen.billed(pattern)
	}
	return is <= was-was/10
}

// billed is what a month of a pattern's calls costs in the design.
func (r *Result) billed(pattern string) (sum capacity.Money) {
	for _, s := range r.found {
		sum += s.chosen.billed(pattern)
	}
	return sum
}

// homelessNumber is one that a stream could keep in its entity's items if some creates demanded that the entity is there.
type homelessNumber struct {
	way      *spec.Relationship
	patterns []string
}

// homeless are the numbers of which that is so, and whose entity is read by what matters.
func (r *Result) homeless(total capacity.Money) (out []homelessNumber) {
	for _, e := range r.facts.req.Entities {
		if !slices.ContainsFunc(r.facts.req.Patterns, func(p *spec.Pattern) bool {
			return p.Read == e && !strong(p) && float64(r.billed(p.Name)) >= dominant*float64(total)
		}) {
			continue
		}
		for _, a := range e.Attributes {
			if !r.facts.followable(e, a) || r.facts.placeable(e, a) {
				continue
			}
			h := homelessNumber{way: e.WayBack(a.Derived.Path[0])}
			unsure := r.facts.unsure(h.way)
			for _, t := range unsure {
				h.patterns = appendNew(h.patterns, t.pattern.Name)
			}
			if !slices.ContainsFunc(unsure, func(t *touch) bool { return t.verb != spec.Create }) &&
				!slices.ContainsFunc(out, func(x homelessNumber) bool { return x.way == h.way }) {
				out = append(out, h)
			}
		}
	}
	return out
}

// fetching are the eventual reads that show what lies at the end of ways, must show it as it is, and matter.
func (r *Result) fetching(total capacity.Money) (names []string) {
	for _, p := range r.facts.req.Patterns {
		if p.Read == nil || strong(p) || p.Staleness > 0 || !slices.ContainsFunc(p.Returns, func(path spec.Path) bool {
			x, ok := resolveRef(p.Read, path)
			return ok && len(x.hops) > 0
		}) {
			continue
		}
		if float64(r.billed(p.Name)) >= dominant*float64(total) {
			names = append(names, p.Name)
		}
	}
	return names
}

// offers notes what the requirements could allow.
func (e *emission) offers(all []Offer) {
	var total capacity.Money
	for _, c := range e.configs {
		total += c.cost
	}
	for _, o := range all {
		e.model.Decisions = append(e.model.Decisions, plan.Decision{
			About: listOf(o.Patterns), Rule: RuleOffer, Because: "The requirements do not say so; if they did, the whole model would cost less.", Cost: total.Dollars(),
			Rejected: []plan.Rejected{{
				What: "`" + o.Statement + "`", Cost: o.Cost.Dollars(),
				Because: fmt.Sprintf("not as stated: %s less a month if the requirements say so", total-o.Cost),
			}},
		})
	}
}
