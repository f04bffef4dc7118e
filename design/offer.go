package design

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

// offers looks for what answers of eventual reads would save if they could be some seconds old, where they show what lies at the
// end of ways. The search with that statement ends where its beginning does: what an offer saves is no less than it says.
func (r *Result) offers(ctx context.Context, prices *capacity.Prices, o Options) ([]Offer, error) {
	var total capacity.Money
	for _, s := range r.found {
		total += s.chosen.cost
	}
	names := r.fetching(total)
	o.Progress, o.Time, o.Steps = nil, o.Time/4, 0
	for _, s := range r.found {
		o.Steps = max(o.Steps, s.planner.begun+s.planner.begun/2)
	}
	var out []Offer
	for len(names) > 0 {
		relaxed := r.facts.req.Clone()
		for _, name := range names {
			relaxed.Pattern(name).Staleness = offeredAge
		}
		_, found, err := search(ctx, relaxed, prices, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(found) != len(r.found) {
			return nil, nil // nothing to offer
		}
		gain := func(name string) (less, was capacity.Money) {
			for i, s := range r.found {
				was += s.chosen.billed(name)
				less += s.chosen.billed(name) - found[i].chosen.billed(name)
			}
			return less, was
		}
		kept := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			less, was := gain(name)
			return less < was/10
		})
		cost := total
		for i, s := range r.found {
			if slices.ContainsFunc(kept, func(name string) bool { return s.chosen.billed(name) > 0 }) {
				cost += found[i].chosen.cost - s.chosen.cost
			}
		}
		if len(kept) == len(names) && withSlack(cost) < total {
			out = append(out, Offer{names, "staleness: " + spec.FormatDuration(offeredAge), cost})
		}
		if len(kept) == len(names) {
			break
		}
		names = kept // what the others allowed may be behind it
	}
	return out, nil
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
		var cost capacity.Money
		for _, s := range r.found {
			cost += s.chosen.billed(p.Name)
		}
		if float64(cost) >= dominant*float64(total) {
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
		because := "Answers that may be some seconds old can show copies that follow what they were taken from."
		if len(o.Patterns) > 1 {
			because = strings.Replace(because, "Answers", "Answers of all of these", 1)
		}
		e.model.Decisions = append(e.model.Decisions, plan.Decision{
			About: listOf(o.Patterns), Rule: RuleOffer, Because: because, Cost: total.Dollars(),
			Rejected: []plan.Rejected{{
				What: "`" + o.Statement + "`", Cost: o.Cost.Dollars(),
				Because: fmt.Sprintf("not as stated: %s less a month if the requirements say so", total-o.Cost),
			}},
		})
	}
}
