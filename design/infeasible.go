package design

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// An InfeasibleError says that no model can serve the requirements within DynamoDB's limits, and which of their statements
// collide: taking back any one of them helps.
type InfeasibleError struct {
	Conflicts []Conflict
	Smallest  bool     // no smaller set collides; else the set is irreducible, and not proven to be the smallest
	Losses    []string // why candidates were left out, the most frequent reason first
}

// Conflict is a statement of the requirements that collides with others, or with a limit alone.
type Conflict struct {
	Of        string // the pattern, relationship or entity that states it
	Statement string // what it states: "peak 12000/s"
	Fits      string // what would fit, all else as stated: "peak 9000/s", "no page"
}

// Error names the colliding statements and what would fit, one per line.
func (e *InfeasibleError) Error() string {
	var b strings.Builder
	b.WriteString("no model serves the requirements within DynamoDB's limits")
	if len(e.Conflicts) > 0 {
		b.WriteString(": these statements collide")
	}
	for _, c := range e.Conflicts {
		b.WriteString("\n  " + c.Of + ": " + c.Statement)
		if c.Fits != "" {
			b.WriteString(" (would fit: " + c.Fits + ")")
		}
	}
	for _, l := range e.Losses {
		b.WriteString("\n  " + l)
	}
	return b.String()
}

// conflict searches for the smallest set of statements that keeps the entities of a component from being served. It is
// called when all of them together do. If it is no limit that does, but a rule that is missing, the error is an
// *UnsupportedError.
func conflict(ctx context.Context, f *facts, entities []*spec.Entity, losses map[string]int) error {
	broken := maps.Clone(losses) // what has broken a limit, of all candidates that were left out
	maps.DeleteFunc(broken, func(why string, _ int) bool { return !f.limits[why] })
	e := &InfeasibleError{Losses: frequent(broken)}
	x := explainer{ctx: ctx, facts: f, entities: entities}
	all := x.statements()
	if !x.feasible(nil, all) {
		e.Losses = frequent(x.losses)
		f.strict = strictness{}
		if slices.ContainsFunc(e.Losses, func(why string) bool { return f.limits[why] }) {
			e.Smallest = true
			return e // what cannot be taken back, such as the size of every item
		}
		u := &UnsupportedError{Losses: e.Losses}
		for _, n := range entities {
			u.Of = strings.TrimPrefix(u.Of+", "+n.Name, ", ")
		}
		return u
	}
	found := x.shrink(nil, nil, all, all)
	e.Smallest = len(found) == 1
	if n := len(found); n > 1 && len(all) <= maxStatements {
		if smaller := x.smaller(all, min(n-1, maxSubset)); smaller != nil {
			found = smaller
		}
		e.Smallest = len(found)-1 <= maxSubset
	}
	for _, s := range found {
		c := s.describe()
		c.Fits = x.fits(s)
		e.Conflicts = append(e.Conflicts, c)
	}
	f.strict = strictness{}
	return e
}

// Sets of up to maxSubset statements are tried one after another if there are no more than maxStatements.
const (
	maxStatements = 24
	maxSubset     = 3
)

// frequent are the most frequent reasons.
func frequent(losses map[string]int) []string {
	var out []string
	for why := range losses {
		out = append(out, why)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(losses[b], losses[a]), cmp.Compare(a, b)) })
	return out[:min(len(out), 5)]
}

// explainer asks again and again whether part of the requirements could be served.
type explainer struct {
	ctx      context.Context
	facts    *facts
	entities []*spec.Entity
	losses   map[string]int // of the last attempt
}

// concerned are the entities of the component, and those that are written together with them.
func (x *explainer) concerned() []*spec.Entity {
	var out []*spec.Entity
	for _, e := range x.facts.req.Entities {
		if slices.Contains(x.entities, e) || slices.ContainsFunc(x.facts.of[e], func(t *touch) bool { return x.concerns(t.pattern) }) {
			out = append(out, e)
		}
	}
	return out
}

// statements are all that could be taken back for the entities of a component, in the order of the requirements.
func (x *explainer) statements() []statement {
	var out []statement
	for _, e := range x.concerned() {
		if e.Bytes.Max > e.Bytes.Average {
			out = append(out, statement{kind: stateBytes, entity: e})
		}
		for _, w := range e.There {
			if w.PerParent.Stated && w.PerParent.Max > w.PerParent.Average {
				out = append(out, statement{kind: stateChildren, way: w})
			}
		}
	}
	for _, p := range x.facts.req.Patterns {
		if !x.concerns(p) {
			continue
		}
		if p.Rate.Peak > 0 {
			out = append(out, statement{kind: statePeak, pattern: p})
		}
		if p.Page > 0 || p.Top > 0 {
			out = append(out, statement{kind: statePage, pattern: p})
		}
		if len(p.Order) > 0 {
			out = append(out, statement{kind: stateOrder, pattern: p})
		}
		if p.Consistency != "eventual" {
			out = append(out, statement{kind: stateConsistency, pattern: p})
		}
		if p.Writes() && p.Atomic {
			out = append(out, statement{kind: stateAtomic, pattern: p})
		}
	}
	return out
}

func (x *explainer) concerns(p *spec.Pattern) bool {
	if p.Read != nil {
		return slices.Contains(x.entities, p.Read)
	}
	return slices.ContainsFunc(x.facts.touches, func(t *touch) bool {
		return t.pattern == p && slices.Contains(x.entities, t.entity)
	})
}

// feasible reports whether a model exists if of all statements only those count that are kept.
func (x *explainer) feasible(kept, all []statement) bool {
	var relaxed []statement
	for _, s := range all {
		if !slices.Contains(kept, s) {
			relaxed = append(relaxed, s)
		}
	}
	x.facts.strict.relaxed = relaxed
	defer func() { x.facts.strict.relaxed = nil }()
	return x.served()
}

// served reports whether the entities can be served as the strictness of the facts stands.
func (x *explainer) served() bool {
	ds, err := x.facts.demands()
	if err != nil {
		return false
	}
	price := newPricer(x.facts, capacity.DefaultPrices().Tariff(capacity.Standard, capacity.OnDemand))
	for _, c := range components(x.facts, ds) {
		if !slices.ContainsFunc(c.entities, func(e *spec.Entity) bool { return slices.Contains(x.entities, e) }) {
			continue
		}
		p := newPlanner(x.ctx, x.facts, price, c)
		x.losses = p.losses
		if !p.possible() {
			return false
		}
	}
	return true
}

// possible reports whether any configuration serves the component.
func (p *planner) possible() bool {
	found := false
	p.eachLayout(func(lc *layoutCase) bool {
		p.search(lc, goal{
			within: func(capacity.Money, int) bool { return !found },
			found:  func(sel *selection) { found = found || p.admissible(p.complete(sel)) },
		})
		return !found
	})
	return found
}

// shrink finds an irreducible subset of candidates that, with the background, cannot be served (QuickXplain: the added part
// alone may do; else both halves are shrunk against each other).
func (x *explainer) shrink(background, added, candidates, all []statement) []statement {
	if len(added) > 0 && !x.feasible(background, all) {
		return nil
	}
	if len(candidates) == 1 {
		return candidates
	}
	half := len(candidates) / 2
	a, b := candidates[:half], candidates[half:]
	fromB := x.shrink(slices.Concat(background, a), a, b, all)
	fromA := x.shrink(slices.Concat(background, fromB), fromB, a, all)
	return slices.Concat(fromA, fromB)
}

// smaller finds a set of at most n statements that cannot be served together, the smallest first; nil if there is none.
func (x *explainer) smaller(all []statement, n int) []statement {
	for size := 1; size <= n; size++ {
		if set := x.subsets(all, nil, size, all); set != nil {
			return set
		}
	}
	return nil
}

func (x *explainer) subsets(from, chosen []statement, size int, all []statement) []statement {
	if size == 0 {
		if !x.feasible(chosen, all) {
			return slices.Clone(chosen)
		}
		return nil
	}
	for i := range from {
		if set := x.subsets(from[i+1:], append(slices.Clone(chosen), from[i]), size-1, all); set != nil {
			return set
		}
	}
	return nil
}

// fits is the value of a statement that would do, all else as stated; "" if none would.
func (x *explainer) fits(s statement) string {
	f := x.facts
	f.strict = strictness{relaxed: []statement{s}}
	ok := x.served()
	f.strict = strictness{}
	if !ok {
		return ""
	}
	switch s.kind {
	case statePage:
		return "no page"
	case stateOrder:
		return "no order"
	case stateConsistency:
		return "consistency eventual"
	case stateAtomic:
		return "atomic false"
	}
	low, high := 0.0, 1.0
	for range 12 {
		mid := (low + high) / 2
		f.strict = strictness{scaled: map[statement]float64{s: mid}}
		if x.served() {
			low = mid
		} else {
			high = mid
		}
	}
	f.strict = strictness{}
	return s.number(low)
}

// number is the statement with part of its figure, rounded down to two digits.
func (s statement) number(part float64) string {
	digits := func(v float64) string {
		if v <= 0 {
			return "0"
		}
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		return show.Number(math.Floor(v/unit) * unit)
	}
	switch s.kind {
	case statePeak:
		return "peak " + digits(s.pattern.Rate.Peak*part) + "/s"
	case stateChildren:
		return "per-parent max " + digits(max(s.way.PerParent.Max*part, s.way.PerParent.Average))
	}
	return "bytes max " + digits(max(s.entity.Bytes.Max*part, s.entity.Bytes.Average))
}

// describe is the statement for people.
func (s statement) describe() Conflict {
	switch s.kind {
	case statePage:
		if s.pattern.Page == 0 {
			return Conflict{Of: s.pattern.Name, Statement: fmt.Sprintf("top %d", s.pattern.Top)}
		}
		return Conflict{Of: s.pattern.Name, Statement: fmt.Sprintf("page %d", s.pattern.Page)}
	case stateOrder:
		var parts []string
		for _, o := range s.pattern.Order {
			t := o.Path.String()
			if o.Descending {
				t += " descending"
			}
			parts = append(parts, t)
		}
		return Conflict{Of: s.pattern.Name, Statement: "order " + strings.Join(parts, ", ")}
	case stateConsistency:
		return Conflict{Of: s.pattern.Name, Statement: "consistency " + s.pattern.Consistency}
	case stateAtomic:
		return Conflict{Of: s.pattern.Name, Statement: "atomic"}
	case statePeak:
		return Conflict{Of: s.pattern.Name, Statement: "peak " + show.Number(s.pattern.Rate.Peak) + "/s"}
	case stateChildren:
		return Conflict{Of: s.way.From.Name + "." + s.way.Name, Statement: "per-parent max " + show.Number(s.way.PerParent.Max)}
	}
	return Conflict{Of: s.entity.Name, Statement: "bytes max " + show.Number(s.entity.Bytes.Max)}
}
