package design

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// A Turn says how far the average rate of a pattern may move, all else as stated, before another design would be the
// cheapest, and before another would be chosen. Rates are calls per second; 0 and +Inf mean that nothing turns down to a
// tenth or up to ten times the stated rate.
type Turn struct {
	Pattern                    string
	Entities                   []string // of the component whose design turns: a write can touch several
	Rate                       float64
	CheapestFrom, CheapestTo   float64
	ChosenFrom, ChosenTo       float64
	InsteadBelow, InsteadAbove string // what the cheapest design would change to
}

// Rates are moved by up to this factor, and patterns below dominant of their component's cost are left out.
const (
	reach    = 10.0
	dominant = 0.01
)

// sensitivity finds the turns of all rates that matter, in the order of the requirements. A configuration's cost is linear
// in each rate, so the cheapest ones form a lower envelope of lines: that of all configurations that the search and the
// explanation of its choices have come across.
func (r *Result) sensitivity(ctx context.Context) ([]Turn, error) {
	var out []Turn
	for _, s := range r.found {
		pool := s.near()
		for _, p := range r.facts.req.Patterns {
			part := s.cheapest.billed(p.Name)
			if p.Rate.Average == 0 || float64(part) < dominant*float64(s.cheapest.cost) || len(pool) < 2 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t := s.turn(pool, p.Name, p.Rate.Average)
			t.Entities = s.summary().Entities
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Turn) int { return cmp.Compare(r.order(a.Pattern), r.order(b.Pattern)) })
	return out, nil
}

// nearest is within which part of the cheapest configuration others are looked at.
const nearest = 0.5

// near are the configurations that come near the cheapest.
func (s *solution) near() []*config {
	var out []*config
	for _, name := range sortedNames(s.planner.pool) {
		if c := s.planner.pool[name]; c.obstacles(s.cheapest) <= 0 && float64(c.cost) <= (1+nearest)*float64(s.cheapest.cost) {
			out = append(out, c)
		}
	}
	return out
}

// billed is what a month of a pattern's calls costs in a configuration.
func (c *config) billed(pattern string) capacity.Money {
	if c.bill == nil {
		c.bill = map[string]capacity.Money{}
		for i, d := range c.demands {
			c.bill[d.name] += c.reads[i].money
		}
		for i, w := range c.writing {
			c.bill[w.pattern.Name] += c.writes[i].money
			for _, arms := range c.arms {
				if arms[i] != nil {
					c.bill[w.pattern.Name] += arms[i].money
				}
			}
		}
	}
	return c.bill[pattern]
}

func (r *Result) order(pattern string) int {
	for i, p := range r.facts.req.Patterns {
		if p.Name == pattern {
			return i
		}
	}
	return -1
}

// at is what a configuration costs if the rate of a pattern is so many times what is stated.
func (c *config) at(pattern string, times float64) float64 {
	return float64(c.cost) + (times-1)*float64(c.billed(pattern))
}

// String says where a rate may move: "2.5/s; the same is cheapest from 1.2/s to 9/s, and chosen up to 12/s".
func (t Turn) String() string {
	return show.Number(t.Rate) + "/s; the same is cheapest " + span(t.CheapestFrom, t.CheapestTo) + ", and chosen " + span(t.ChosenFrom, t.ChosenTo)
}

// span is a range of rates in words.
func span(from, to float64) string {
	digits := func(v float64) string { return show.Number(v) + "/s" }
	switch {
	case from == 0 && math.IsInf(to, 1):
		return "from a tenth to ten times of it"
	case from == 0:
		return "up to " + digits(to)
	case math.IsInf(to, 1):
		return "from " + digits(from)
	}
	return "from " + digits(from) + " to " + digits(to)
}

// turns adds to the decisions about patterns how far their rates may move, and what the cheapest would be beyond.
func (e *emission) turns(ts []Turn) {
	for _, t := range ts {
		if t.CheapestFrom == 0 && t.ChosenFrom == 0 && math.IsInf(t.CheapestTo, 1) && math.IsInf(t.ChosenTo, 1) {
			continue
		}
		whose := ", for " + listOf(t.Entities) // a write of several components turns in each, and names of inputs are unique
		inputs := []plan.Input{{Name: "rate may move" + whose, Value: t.String()}}
		if t.InsteadBelow != "" {
			inputs = append(inputs, plan.Input{Name: "cheapest below" + whose, Value: t.InsteadBelow})
		}
		if t.InsteadAbove != "" {
			inputs = append(inputs, plan.Input{Name: "cheapest above" + whose, Value: t.InsteadAbove})
		}
		i := slices.IndexFunc(e.model.Decisions, func(d plan.Decision) bool { return d.About == t.Pattern })
		if i < 0 {
			e.model.Decisions = append(e.model.Decisions, plan.Decision{
				About: t.Pattern, Rule: "rate", Because: "Served in one way only; what else is chosen depends on how often.",
			})
			i = len(e.model.Decisions) - 1
		}
		e.model.Decisions[i].Inputs = append(e.model.Decisions[i].Inputs, inputs...)
	}
}

func (s *solution) turn(pool []*config, pattern string, rate float64) Turn {
	v := &envelope{s, pattern, pool}
	up, above := v.cheapestUntil(reach)
	down, below := v.cheapestUntil(1 / reach)
	t := Turn{Pattern: pattern, Rate: rate, CheapestFrom: down * rate, CheapestTo: up * rate}
	if above != nil {
		t.InsteadAbove = s.difference(above)
	} else {
		t.CheapestTo = math.Inf(1)
	}
	if below != nil {
		t.InsteadBelow = s.difference(below)
	} else {
		t.CheapestFrom = 0
	}
	t.ChosenTo, t.ChosenFrom = v.chosenUntil(reach)*rate, v.chosenUntil(1/reach)*rate
	if t.ChosenTo > 0.999*reach*rate {
		t.ChosenTo = math.Inf(1)
	}
	if t.ChosenFrom < 1.001*rate/reach {
		t.ChosenFrom = 0
	}
	return t
}

// difference says what a configuration has that the cheapest has not.
func (s *solution) difference(c *config) string {
	for _, e := range s.planner.c.entities {
		if a, b := s.cheapest.layout.options[e], c.layout.options[e]; a != b {
			return e.Name + ": " + b.describe()
		}
	}
	for i, d := range c.demands {
		if j := s.cheapest.demand(d, i); j >= 0 && c.plans[i].name != s.cheapest.plans[j].name {
			return d.name + ": " + c.plans[i].name
		}
	}
	return "another projection"
}

// envelope is the configurations that are compared as the rate of one pattern moves.
type envelope struct {
	s       *solution
	pattern string
	pool    []*config
}

// cheapestUntil is by how many times the rate may move towards a bound, above or below 1, before the cheapest configuration
// is beaten, and by what; nil if by nothing.
func (v *envelope) cheapestUntil(bound float64) (float64, *config) {
	here := v.s.cheapest
	times, by := bound, (*config)(nil)
	for _, c := range v.pool {
		x := crossing(here, c, v.pattern)
		if math.IsNaN(x) || (x-1)*(bound-1) < 0 || math.Abs(math.Log(max(x, 1e-9))) >= math.Abs(math.Log(times)) {
			continue
		}
		times, by = x, c
	}
	return times, by
}

// crossing is at how many times the rate two configurations cost the same, beyond which the second is cheaper; NaN if never.
func crossing(a, b *config, pattern string) float64 {
	slope := float64(a.billed(pattern) - b.billed(pattern))
	if slope == 0 {
		return math.NaN()
	}
	return 1 + float64(b.cost-a.cost)/slope
}

// precedes reports whether the rule would choose a configuration before the chosen one, both being cheap enough.
func (v *envelope) precedes(c *config, times float64) bool {
	chosen := v.s.chosen
	switch {
	case c.points != chosen.points:
		return c.points < chosen.points
	case c.detours != chosen.detours:
		return c.detours < chosen.detours
	}
	return c.at(v.pattern, times) < chosen.at(v.pattern, times)*(1-1e-12)
}

// chosenUntil is by how many times the rate may move towards a bound before the rule would choose another configuration of
// those that have been priced.
func (v *envelope) chosenUntil(bound float64) float64 {
	still := func(times float64) bool {
		least := math.Inf(1)
		for _, c := range v.pool {
			least = min(least, c.at(v.pattern, times))
		}
		limit := least * (1 + slack)
		cost := v.s.chosen.at(v.pattern, times)
		if cost > limit*(1+1e-12) {
			return false
		}
		for _, c := range v.pool {
			if c.at(v.pattern, times) <= limit && v.precedes(c, times) {
				return false
			}
		}
		return true
	}
	good, bad := 0.0, math.Log(bound)
	const steps = 40
	found := false
	for i := 1; i <= steps; i++ { // the first step outwards at which it turns, then the place between
		at := math.Log(bound) * float64(i) / steps
		if !still(math.Exp(at)) {
			good, bad, found = math.Log(bound)*float64(i-1)/steps, at, true
			break
		}
	}
	if !found {
		return bound
	}
	for range 30 {
		mid := (good + bad) / 2
		if still(math.Exp(mid)) {
			good = mid
		} else {
			bad = mid
		}
	}
	return math.Exp(good)
}
