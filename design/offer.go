package design

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// An Offer is a statement that the requirements could add, with what the model would cost then. Models made by hand often rely on
// such a statement without having it: names beside the rows of a list lag a little when they change.
type Offer struct {
	Patterns   []string       // that the statement would stand in, in the order of the requirements
	Attributes []string       // that it would stand in instead: Dispatch.employerName
	Statement  string         // staleness: 5s; of attributes: within: 5s
	Cost       capacity.Money // at most, of the whole model a month at average rates

	because string // what would be different then; "": that it costs less
}

// String is the offer as messages name it: `staleness: 5s` in getFlags and getMembers.
func (o Offer) String() string { return "`" + o.Statement + "` in " + listOf(o.places()) }

// places are what the statement would stand in.
func (o Offer) places() []string { return slices.Concat(o.Patterns, o.Attributes) }

// ruleOffer is the rule of decisions that hold an offer.
const ruleOffer = "offer"

// OfferOf returns the offer that a decision of a designed model holds; false if it holds none.
func OfferOf(d plan.Decision) (Offer, bool) {
	if d.Rule != ruleOffer || len(d.Rejected) != 1 {
		return Offer{}, false
	}
	r := d.Rejected[0]
	o := Offer{Statement: strings.Trim(r.What, "`"), Cost: capacity.MoneyOf(r.Cost * float64(capacity.Dollar))}
	for _, name := range strings.Split(strings.Replace(d.About, " and ", ", ", 1), ", ") { // see listOf; names have no spaces
		if strings.Contains(name, ".") {
			o.Attributes = append(o.Attributes, name)
		} else {
			o.Patterns = append(o.Patterns, name)
		}
	}
	return o, true
}

// offeredAge leaves the consumer of a stream time for a retry.
const offeredAge = 5 * time.Second

// offers tries four statements. With a staleness, eventual reads can show copies of what lies at the end of ways. Where an attribute
// that is derived from that may lag, so can all reads of it, also strongly consistent ones, which without that keep copies out of items
// that they share with others. With a requirement, children come only to parents that exist, so that a number which a stream keeps can
// lie in its entity's items. What an update gives a parent of the child that the same write creates can be derived as the last of these
// (see [latest]). The search with a statement ends soon after no single change improves it: the full design costs no more than
// the offer.
func (r *Result) offers(ctx context.Context, prices *capacity.Prices, o Options) ([]Offer, error) {
	var total capacity.Money
	o.Progress, o.Steps = nil, 0
	for _, s := range r.found {
		total += s.chosen.cost
		o.Steps = max(o.Steps, s.planner.begun+s.planner.begun/2)
	}
	offer := func(statement string, found []*solution) *Offer {
		cost := total
		for i, s := range found {
			cost -= max(0, r.found[i].chosen.cost-s.chosen.cost)
		}
		if withSlack(cost) < total {
			return &Offer{Statement: statement, Cost: cost}
		}
		return nil
	}
	numbers := r.unplaced(total)
	newest := r.latestOffered(total)
	made := make([]*Offer, 2+len(numbers)+len(newest))
	if o.Time > 0 {
		o.Time = max(o.Time/time.Duration(rounds(len(made))), 1)
	}
	end := time.Now().Add(o.Time)
	left := func(o Options) Options { // for another try
		if o.Time > 0 {
			o.Time = max(time.Until(end), 1)
		}
		return o
	}
	stale := func() *Offer {
		o := o
		for names := r.fetching(total); len(names) > 0; {
			found := r.redesigned(ctx, prices, o, names, func(req *spec.Requirements) {
				for _, name := range names {
					req.Pattern(name).Staleness = offeredAge
				}
			})
			gaining := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !r.cheaperIn(found, name) })
			if len(gaining) == len(names) {
				one := offer("staleness: "+spec.FormatDuration(offeredAge), found)
				if one != nil {
					one.Patterns = names
				}
				return one
			}
			names, o = gaining, left(o)
		}
		return nil
	}
	lagging := func() *Offer {
		o := o
		for all := r.derivedAsItIs(total); len(all) > 0; {
			var names []string
			for _, a := range all {
				for _, name := range a.shown {
					names = appendNew(names, name)
				}
			}
			found := r.redesigned(ctx, prices, o, names, func(req *spec.Requirements) {
				for _, a := range all {
					req.Entity(a.entity.Name).Attribute(a.attr.Name).Derived.Within = offeredAge
				}
			})
			gaining := slices.DeleteFunc(slices.Clone(all), func(a asItIsDerived) bool {
				return !slices.ContainsFunc(a.shown, func(name string) bool { return r.cheaperIn(found, name) })
			})
			if len(gaining) == len(all) {
				one := offer("within: "+spec.FormatDuration(offeredAge), found)
				for _, a := range all {
					if one != nil {
						one.Attributes = append(one.Attributes, a.entity.Name+"."+a.attr.Name)
					}
				}
				return one
			}
			all, o = gaining, left(o)
		}
		return nil
	}
	required := func(n unplaced) *Offer {
		one := offer("requires: ["+n.way.Name+"]", r.redesigned(ctx, prices, o, n.patterns, func(req *spec.Requirements) {
			for _, name := range n.patterns {
				for _, a := range req.Pattern(name).Actions {
					way := a.Entity.WayThere(n.way.Name) // of the changed requirements
					if a.Entity.Name == n.way.From.Name && a.Verb == spec.Create && !slices.Contains(a.Requires, way) {
						a.Requires = append(a.Requires, way)
					}
				}
			}
		}))
		if one != nil {
			one.Patterns = n.patterns
		}
		return one
	}
	sideBySide(len(made), func(i int) {
		switch n := i - 2; {
		case i == 0:
			made[i] = stale()
		case i == 1:
			made[i] = lagging()
		case n < len(numbers):
			made[i] = required(numbers[n])
		default:
			made[i] = r.last(ctx, prices, o, newest[n-len(numbers)], total)
		}
	})
	if made[0] != nil && made[1] != nil && withSlack(made[1].Cost) >= made[0].Cost { // fewer reads would have to tolerate an age
		made[1] = nil
	}
	var out []Offer
	for _, one := range made {
		if one != nil {
			out = append(out, *one)
		}
	}
	return out, ctx.Err()
}

// redesigned returns what the search finds, component by component, where some patterns say something else. It returns nil if no model
// serves that, or none was found in the time.
func (r *Result) redesigned(ctx context.Context, prices *capacity.Prices, o Options, patterns []string, change func(*spec.Requirements)) []*solution {
	req := r.facts.req.Clone()
	change(req)
	_, found, err := search(ctx, req, prices, o, func(c *component) bool {
		return slices.ContainsFunc(c.demands, func(d *demand) bool { return slices.Contains(patterns, d.name) }) ||
			slices.ContainsFunc(c.writes, func(p *spec.Pattern) bool { return slices.Contains(patterns, p.Name) })
	})
	if err != nil || len(found) != len(r.found) {
		return nil
	}
	return found
}

// cheaperIn reports whether the calls of a pattern cost clearly less in other solutions of the same components.
func (r *Result) cheaperIn(found []*solution, pattern string) bool {
	var is capacity.Money
	for _, s := range found {
		is += s.chosen.billed(pattern)
	}
	was := r.billed(pattern)
	return len(found) > 0 && is <= was-was/10
}

// billed is what a month of a pattern's calls costs in the design.
func (r *Result) billed(pattern string) (sum capacity.Money) {
	for _, s := range r.found {
		sum += s.chosen.billed(pattern)
	}
	return sum
}

// An unplaced number cannot lie in its entity's items, because creates of some patterns do not require that the entity exists.
type unplaced struct {
	way      *spec.Relationship // from the children to the entity
	patterns []string           // that would have to require it
}

// unplaced lists the ways of such numbers where reads of the entity cost a noticeable part of the total.
func (r *Result) unplaced(total capacity.Money) (out []unplaced) {
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
			n := unplaced{way: e.WayBack(a.Derived.Path[0])}
			unsure := r.facts.unsure(n.way)
			for _, t := range unsure {
				n.patterns = appendNew(n.patterns, t.pattern.Name)
			}
			if !slices.ContainsFunc(unsure, func(t *touch) bool { return t.verb != spec.Create }) &&
				!slices.ContainsFunc(out, func(x unplaced) bool { return x.way == n.way }) {
				out = append(out, n)
			}
		}
	}
	return out
}

// fetching lists the eventual reads without a staleness that show what lies at the end of ways and cost a noticeable part of the total.
func (r *Result) fetching(total capacity.Money) (names []string) {
	for _, p := range r.facts.req.Patterns {
		if p.Read == nil || strong(p) || r.stated.Pattern(p.Name).Staleness > 0 || !slices.ContainsFunc(shown(p), func(x ref) bool { return len(x.hops) > 0 && !r.facts.free(x) }) {
			continue
		}
		if float64(r.billed(p.Name)) >= dominant*float64(total) {
			names = append(names, p.Name)
		}
	}
	return names
}

// An asItIsDerived is an attribute derived from what lies at the end of ways that may not lag, and the reads that show it.
type asItIsDerived struct {
	entity *spec.Entity
	attr   *spec.Attribute
	shown  []string
}

// derivedAsItIs lists such attributes where the reads that show them, also among what belongs to an answer, cost a noticeable part of the
// total.
func (r *Result) derivedAsItIs(total capacity.Money) (out []asItIsDerived) {
	for _, e := range r.facts.req.Entities {
		for _, a := range e.Attributes {
			x, ok := resolveRef(e, spec.Path{a.Name})
			if !a.Follows() || r.stated.Entity(e.Name).Attribute(a.Name).Derived.Within > 0 || !ok || len(x.hops) == 0 || r.facts.free(x) {
				continue
			}
			d := asItIsDerived{entity: e, attr: a}
			for _, p := range r.facts.req.Patterns {
				if p.Read == nil || float64(r.billed(p.Name)) < dominant*float64(total) || !brings(p, e) && (p.Read != e || !hasRef(shown(p), x) && !looksFor(p, x)) {
					continue
				}
				d.shown = append(d.shown, p.Name)
			}
			if len(d.shown) > 0 {
				out = append(out, d)
			}
		}
	}
	return out
}

// offers adds a decision for each offer: see [OfferOf].
func (e *emission) offers(all []Offer) {
	var total capacity.Money
	for _, c := range e.configs {
		total += c.cost
	}
	for _, o := range all {
		because := cmp.Or(o.because, "The requirements do not say so; if they did, the whole model would cost less.")
		e.model.Decisions = append(e.model.Decisions, plan.Decision{
			About: listOf(o.places()), Rule: ruleOffer, Because: because, Cost: total.Dollars(),
			Rejected: []plan.Rejected{{
				What: "`" + o.Statement + "`", Cost: o.Cost.Dollars(),
				Because: fmt.Sprintf("not as stated: %s less a month if the requirements say so", total-o.Cost),
			}},
		})
	}
}
