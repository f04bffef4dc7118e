package prove

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// lot is what stands in one part of the partition key of what a call writes, as the real load would have it: what is
// created now falls on today, in the state in which everything begins, under the parent that the stated skew says. It rests
// on the requirements alone, and not on the figures by which a model was designed and priced, so that it can contradict
// them.
type lot struct {
	members int64
	law     dist.Law  // by which values spread
	shares  []float64 // instead: of values in their order
	fixed   int64     // instead, if not negative: it is always this one
	fresh   bool      // instead: another one each time
	says    string    // what is fixed, in words

	at, by float64
	n      int64
}

func fixedLot(i, members int64, says string) *lot {
	return &lot{members: max(members, i+1), fixed: i, says: says}
}

func lawLot(law dist.Law) *lot { return &lot{members: law.Members(), law: law, fixed: -1} }

func freshLot() *lot { return &lot{members: 1 << 22, fresh: true, fixed: -1} }

func sharesLot(shares []float64) *lot {
	return &lot{members: int64(len(shares)), shares: shares, fixed: -1}
}

// pick is the next value's number, from 0.
func (l *lot) pick() int64 {
	_, l.at = math.Modf(l.at + l.by)
	switch {
	case l.fixed >= 0:
		return l.fixed
	case l.fresh:
		l.n++
		return l.n % l.members
	case l.shares != nil:
		u := l.at
		for i, s := range l.shares {
			if u < s {
				return int64(i)
			}
			u -= s
		}
		return l.members - 1
	}
	return l.law.Pick(l.at) - 1
}

// share is how often a value comes up.
func (l *lot) share(i int64) float64 {
	switch {
	case l.fixed >= 0:
		if i == l.fixed {
			return 1
		}
		return 0
	case l.fresh:
		return 0
	case l.shares != nil:
		return l.shares[i]
	}
	return l.law.Share(i + 1)
}

// lots are those of a write's partition key; nil: there is nothing to go by.
func lots(r *spec.Requirements, p *spec.Pattern, d *cost.Demand) (out []*lot) {
	k := d.Kind
	if !d.Write || d.Own || k.Role != plan.EntityItem && k.Role != plan.CopyItem {
		return nil
	}
	a := actionAbout(p, k.Entity)
	if a == nil {
		return nil
	}
	seen := map[*spec.Relationship]bool{}
	for _, w := range d.Access.Partition {
		recipe := k.Recipe(w.Name)
		if recipe == nil {
			return nil
		}
		for _, part := range recipe.Parts {
			if part.Path == nil {
				continue // shards
			}
			l, rel := lotOf(r, p, a, k.Entity, part)
			switch {
			case rel != nil && seen[rel]:
				continue // another part of the same foreign key
			case l == nil:
				return nil
			}
			seen[rel] = rel != nil
			out = append(out, l)
		}
	}
	for i, l := range out {
		_, l.by = math.Modf(math.Sqrt(float64(primes[(i*5+11)%len(primes)])))
		_, l.at = math.Modf(float64(i+1) * math.Phi)
	}
	return out
}

// actionAbout is what a pattern does to an entity, or to the value that it stands in.
func actionAbout(p *spec.Pattern, e *spec.Entity) *spec.Action {
	for _, a := range p.Actions {
		if a.Entity == e {
			return a
		}
		for _, way := range a.With {
			if rel := a.Entity.WayBack(way); rel != nil && rel.From == e {
				return a
			}
		}
	}
	return nil
}

// lotOf is what stands in one part, and the foreign key that it belongs to, if it does.
func lotOf(r *spec.Requirements, p *spec.Pattern, a *spec.Action, e *spec.Entity, part *plan.Part) (*lot, *spec.Relationship) {
	created := a.Verb == spec.Create || a.Verb == spec.Upsert
	at := part.Attribute
	if at == nil || at.Derived != nil {
		return nil, nil
	}
	own := len(part.Path) == 1
	set := func() *spec.Assign {
		for i := range a.Set {
			if own && len(a.Set[i].Path) == 1 && a.Set[i].Path[0] == at.Name {
				return &a.Set[i]
			}
		}
		return nil
	}()
	calls := p.PeakSkew()
	if !p.Spreads(part.Path) {
		calls = spec.Skew{}
	}
	skewed := func(n int64) dist.Law { return workload.CallLaw(n, calls) }
	if p.SkewOf != nil && !calls.Uniform() && at.Reference == nil {
		n := int64(math.Max(e.Count, 1))
		if at.Distinct > 0 {
			n = int64(math.Max(at.Distinct, 1))
		}
		return lawLot(skewed(n)), nil
	}
	switch {
	case at.Reference != nil:
		rel := at.Reference
		n, c := int64(math.Max(rel.To.Count, 1)), rel.PerParent
		switch {
		case own && (created || p.SkewOf != nil) && !calls.Uniform():
			return lawLot(skewed(n)), rel
		case !c.Skew.Uniform():
			return lawLot(workload.CallLaw(n, c.Skew)), rel
		case c.Stated:
			return lawLot(dist.Power(n, math.Max(c.Average, 1e-9), c.Max)), rel
		}
		return lawLot(dist.Uniform(n, 1)), rel
	case at.States != nil && own && created:
		return fixedLot(0, int64(len(at.States.Names)), "of what begins as "+at.States.Names[0]), nil
	case at.States != nil && set != nil:
		return movedLot(at, set), nil
	case len(at.Shares) > 0:
		shares := make([]float64, len(at.Shares))
		for i, s := range at.Shares {
			shares[i] = s.Of
		}
		return sharesLot(shares), nil
	case at.Type == spec.Bool:
		return sharesLot([]float64{0.5, 0.5}), nil
	case at.Type == spec.Timestamp || at.Type == spec.Date:
		bucket := at.Type == spec.Date || slices.ContainsFunc(part.Codecs, func(c string) bool { return c == "day" || c == "hour" || c == "month" })
		n := valuesOf(r, e, at, 365)
		switch {
		case !bucket:
			return freshLot(), nil
		case created || set != nil && set.Value.Now:
			return fixedLot(0, n, "of what is written now"), nil
		}
		return lawLot(dist.Uniform(n, 1)), nil
	case !own:
		return nil, nil
	case at.Generated != "" || isUnique(e, at) || len(e.Identity) == 1 && e.Identity[0] == at:
		if created {
			return freshLot(), nil
		}
		n := int64(math.Max(e.Count, 1))
		if !calls.Uniform() {
			return lawLot(skewed(n)), nil
		}
		return lawLot(dist.Uniform(n, 1)), nil
	}
	if x := lookedFor(r, e, at); x != nil {
		n := int64(math.Max(e.Count/math.Max(x.Results.Average, 1), 1))
		if created && !calls.Uniform() {
			return lawLot(skewed(n)), nil
		}
		return lawLot(dist.Power(n, math.Max(x.Results.Average, 1e-9), math.Max(x.Results.Max, x.Results.Average))), nil
	}
	return freshLot(), nil
}

// movedLot is the state in a key whose entry an update moves: out of one state and into the next, as lives go through them.
func movedLot(at *spec.Attribute, set *spec.Assign) *lot {
	shares := make([]float64, len(at.States.Names))
	index := func(name string) int { return slices.Index(at.States.Names, name) }
	note := func(from, to string, weight float64) {
		shares[index(from)] += weight / 2
		shares[index(to)] += weight / 2
	}
	moves := 0
	if to := set.Value.Literal.Str(); set.Value.Op == "" && to != "" {
		for _, from := range at.States.Before(to) {
			note(from, to, 1)
			moves++
		}
	} else {
		for _, from := range at.States.Names { // each life goes on from each of them once, to the nearest
			if i := slices.IndexFunc(at.States.Next[from], func(to string) bool { return to != from }); i >= 0 {
				note(from, at.States.Next[from][i], 1)
				moves++
			}
		}
	}
	if moves == 0 {
		return nil
	}
	for i := range shares {
		shares[i] /= float64(moves)
	}
	return sharesLot(shares)
}

// lookedFor is a read that looks for an attribute by value, alone or beside enums and states.
func lookedFor(r *spec.Requirements, e *spec.Entity, at *spec.Attribute) *spec.Pattern {
	for _, x := range r.Patterns {
		if x.Read != e || x.Results.Average <= 0 {
			continue
		}
		if plainGiven(x) == at {
			return x
		}
	}
	return nil
}

// valuesOf is how many values of an attribute are stored, as far as a read tells that looks for it.
func valuesOf(r *spec.Requirements, e *spec.Entity, at *spec.Attribute, other int64) int64 {
	if x := lookedFor(r, e, at); x != nil {
		return int64(math.Max(e.Count/math.Max(x.Results.Average, 1), 1))
	}
	return other
}
