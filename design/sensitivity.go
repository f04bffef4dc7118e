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
// in each rate, so the cheapest ones form a lower envelope of lines: the crossing of the cheapest with what has been priced
// so far is searched again, until nothing cheaper turns up there.
func (r *Result) sensitivity(ctx context.Context) ([]Turn, error) {
	var out []Turn
	for _, s := range r.found {
		for _, p := range r.facts.req.Patterns {
			part := s.cheapest.bill.patterns[p.Name]
			if p.Rate.Average == 0 || float64(part) < dominant*float64(s.cheapest.cost) || len(s.cases) == 1 && len(s.cases[0].shapes) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t := s.turn(p.Name, p.Rate.Average)
			t.Entities = s.summary().Entities
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Turn) int { return cmp.Compare(r.order(a.Pattern), r.order(b.Pattern)) })
	return out, nil
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
	return float64(c.cost) + (times-1)*float64(c.bill.patterns[pattern])
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
func (e *emitter) turns(ts []Turn) {
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

func (s *solution) turn(pattern string, rate float64) Turn {
	v := s.scaled(pattern)
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
		if a, b := s.cheapest.lc.layout.options[e], c.lc.layout.options[e]; a != b {
			return e.Name + ": " + b.describe()
		}
	}
	for i, dc := range c.lc.demands {
		for j, old := range s.cheapest.lc.demands {
			if sameDemand(dc.d, old.d) && c.plans[i].name != s.cheapest.plans[j].name {
				return dc.d.name + ": " + c.plans[i].name
			}
		}
	}
	return "another projection"
}

// scaledCases are the cases of a solution, divided into what depends on the rate of one pattern and what does not.
type scaledCases struct {
	s       *solution
	pattern string
	fixed   []capacity.Money // by case: the pattern's part of the fixed costs
	arms    [][][]float64    // by case, index and projection: its part of the upkeep
	most    []float64        // by case: the largest part of anything in it
	pool    []*config
}

// scaled prepares the cases for other rates of one pattern.
func (s *solution) scaled(pattern string) *scaledCases {
	v := &scaledCases{s: s, pattern: pattern}
	p := s.planner
	for _, lc := range s.cases {
		sc := p.price.bare(lc.layout, nil)
		var fixed capacity.Money
		arms := make([][]float64, len(lc.shapes))
		for _, w := range lc.writes {
			if w.pattern.Name != pattern {
				continue
			}
			fixed += p.price.writeMoney(sc, w)
			for i, x := range lc.shapes {
				for j, pr := range x.projections {
					in := p.price.bare(lc.layout, func(*indexShape) projection { return pr })
					if arms[i] == nil {
						arms[i] = make([]float64, len(x.projections))
					}
					arms[i][j] += float64(p.price.armsMoney(in, x.shape, w))
				}
			}
		}
		v.fixed = append(v.fixed, fixed)
		v.arms = append(v.arms, arms)
		v.most = append(v.most, v.largest(len(v.most)))
	}
	for _, c := range s.pool {
		if float64(c.cost) <= 1.1*float64(s.cheapest.cost) && p.admissible(c) {
			v.pool = append(v.pool, c)
		}
	}
	slices.SortFunc(v.pool, func(a, b *config) int { return cmpText(a.name, b.name) })
	return v
}

// largest is the largest part that a pattern can have of the cost of anything in a case.
func (v *scaledCases) largest(i int) float64 {
	lc := v.s.cases[i]
	sum := float64(v.fixed[i])
	for _, arms := range v.arms[i] {
		if arms != nil {
			sum += slices.Max(arms)
		}
	}
	for _, dc := range lc.demands {
		if dc.d.name != v.pattern {
			continue
		}
		dearest := 0.0
		for _, c := range dc.choices {
			price := float64(c.base)
			for _, u := range c.uses {
				price += float64(slices.Max(u.price))
			}
			dearest = max(dearest, price)
		}
		sum += dearest
	}
	return sum
}

// at is the cases as they are at so many times the rate that could cost less than a limit, the lowest floor first.
func (v *scaledCases) at(times, limit float64) []*layoutCase {
	scale := func(whole capacity.Money, part float64) capacity.Money {
		return capacity.MoneyOf(float64(whole) + (times-1)*part)
	}
	var out []*layoutCase
	for i, lc := range v.s.cases {
		const rounding = 1e-6 * float64(capacity.Dollar)
		if float64(lc.floor)-max(1-times, 0)*v.most[i]-rounding >= limit {
			continue
		}
		c := *lc
		c.fixed = scale(lc.fixed, float64(v.fixed[i]))
		c.shapes = slices.Clone(lc.shapes)
		for j, x := range lc.shapes {
			if v.arms[i][j] == nil {
				continue
			}
			y := *x
			y.upkeep = slices.Clone(x.upkeep)
			for k := range y.upkeep {
				y.upkeep[k] = scale(x.upkeep[k], v.arms[i][j][k])
			}
			c.shapes[j] = &y
		}
		c.demands = slices.Clone(lc.demands)
		for j, dc := range lc.demands {
			if dc.d.name != v.pattern {
				continue
			}
			c.demands[j].choices = slices.Clone(dc.choices)
			for k, ch := range dc.choices {
				n := *ch
				n.base = scale(ch.base, float64(ch.base))
				n.uses = slices.Clone(ch.uses)
				for m, u := range ch.uses {
					n.uses[m].price = slices.Clone(u.price)
					for q, price := range u.price {
						if price > 0 {
							n.uses[m].price[q] = scale(price, float64(price))
						}
					}
				}
				c.demands[j].choices[k] = &n
			}
		}
		c.floor = c.bound(nil)
		out = append(out, &c)
	}
	slices.SortStableFunc(out, func(a, b *layoutCase) int { return cmp.Or(cmp.Compare(a.floor, b.floor), cmpText(a.name, b.name)) })
	return out
}

// cheaper finds a configuration that costs less than another at so many times the rate; nil if there is none.
func (v *scaledCases) cheaper(than *config, times float64) *config {
	limit := than.at(v.pattern, times) * (1 - 1e-9)
	var best *config
	for _, lc := range v.at(times, limit) {
		if float64(lc.floor) >= limit {
			break
		}
		v.s.planner.search(lc, goal{
			within: func(cost capacity.Money, points int) bool { return float64(cost) < limit },
			found: func(sel *selection) {
				c := v.s.priced(sel)
				if cost := c.at(v.pattern, times); cost < limit && v.s.planner.admissible(c) {
					best, limit = c, cost
				}
			},
		})
	}
	if best != nil {
		v.pool = append(v.pool, best)
	}
	return best
}

// cheapestUntil is by how many times the rate may move towards a bound, above or below 1, before the cheapest configuration
// is beaten, and by what; nil if by nothing.
func (v *scaledCases) cheapestUntil(bound float64) (float64, *config) {
	here := v.s.cheapest
	for {
		times, by := bound, (*config)(nil)
		for _, c := range v.pool {
			x := crossing(here, c, v.pattern)
			if math.IsNaN(x) || (x-1)*(bound-1) < 0 || math.Abs(math.Log(max(x, 1e-9))) >= math.Abs(math.Log(times)) {
				continue
			}
			times, by = x, c
		}
		found := v.cheaper(here, times)
		if found == nil {
			return times, by
		}
	}
}

// crossing is at how many times the rate two configurations cost the same, beyond which the second is cheaper; NaN if never.
func crossing(a, b *config, pattern string) float64 {
	slope := float64(a.bill.patterns[pattern] - b.bill.patterns[pattern])
	if slope == 0 {
		return math.NaN()
	}
	return 1 + float64(b.cost-a.cost)/slope
}

// precedes reports whether the rule would choose a configuration before the chosen one, both being cheap enough.
func (v *scaledCases) precedes(c *config, times float64) bool {
	chosen := v.s.chosen
	switch {
	case c.points != chosen.points:
		return c.points < chosen.points
	case c.lc.detours != chosen.lc.detours:
		return c.lc.detours < chosen.lc.detours
	}
	return c.at(v.pattern, times) < chosen.at(v.pattern, times)*(1-1e-12)
}

// chosenUntil is by how many times the rate may move towards a bound before the rule would choose another configuration of
// those that have been priced.
func (v *scaledCases) chosenUntil(bound float64) float64 {
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
