package prove

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// pair says that an optional attribute goes with some states, or values of an enum: until when a booking is held is there while
// it is held. Requirements state the two shares each on its own. Where few have either, by chance none would have both, and
// what looks for both would find nothing.
type pair struct {
	with   *spec.Attribute
	values []string
	share  float64 // of all that have one of the values
}

// pairsOf finds the attributes of which the data of a proof would have too few in the states that patterns look for beside
// them.
func pairsOf(r *spec.Requirements, pop *Population) map[*spec.Attribute]*pair {
	out := map[*spec.Attribute]*pair{}
	note := func(a, with *spec.Attribute, values []string) {
		if a == nil || with == nil || a == with || !a.Optional || !a.Given() || a.Reference != nil || len(with.Shares) == 0 {
			return
		}
		x := out[a]
		if x == nil {
			x = &pair{with: with}
			out[a] = x
		}
		for _, v := range values {
			if x.with == with && !slices.Contains(x.values, v) {
				x.values = append(x.values, v)
			}
		}
	}
	for _, p := range r.Patterns {
		if !p.Writes() {
			for _, c := range spec.Conjuncts(p.Where) {
				if with, values := selects(p.Read, c); with != nil {
					for _, other := range spec.Conjuncts(p.Where) {
						note(demands(p.Read, other), with, values)
					}
				}
			}
		}
		for _, a := range p.Actions {
			if a.Verb != spec.Update {
				continue
			}
			for _, set := range a.Set {
				at := a.Entity.Attribute(set.Path[0])
				to := set.Value.Literal.Str()
				if at == nil || at.States == nil || len(set.Path) > 1 || to == "" {
					continue
				}
				for _, c := range spec.Conjuncts(a.Condition) {
					note(demands(a.Entity, c), at, at.States.Before(to))
				}
			}
		}
	}
	for a, x := range out {
		for _, s := range x.with.Shares {
			if slices.Contains(x.values, s.Value) {
				x.share += s.Of
			}
		}
		if x.share <= 0 || x.share >= 1 || float64(pop.Count[a.Entity])*x.share*a.Present >= fewestInState {
			delete(out, a)
		}
	}
	return out
}

// selects is the attribute, and the values of it, that a test asks for.
func selects(e *spec.Entity, c spec.Condition) (*spec.Attribute, []string) {
	t, ok := c.(*spec.Test)
	if !ok || len(t.Path) != 1 || t.Op != "=" && t.Op != "in" {
		return nil, nil
	}
	var values []string
	for _, x := range t.Args {
		if x.Literal.IsZero() {
			return nil, nil
		}
		values = append(values, spec.ConstantText(x.Literal))
	}
	return e.Attribute(t.Path[0]), values
}

// demands is the attribute that has to be there for a test to hold.
func demands(e *spec.Entity, c spec.Condition) *spec.Attribute {
	t, ok := c.(*spec.Test)
	if !ok || len(t.Path) != 1 || t.Op == "absent" {
		return nil
	}
	return e.Attribute(t.Path[0])
}

// has draws whether an entity whose state is known has the attribute: as many as is stated have it, and those in the states as
// far as there are enough.
func (x *pair) has(src *source, a *spec.Attribute, known attr.Item) bool {
	if slices.Contains(x.values, known.Get(x.with.Name).Str()) {
		return src.evenChance(min(a.Present/x.share, 1), a, "present with")
	}
	return src.evenChance(max((a.Present-x.share)/(1-x.share), 0), a, "present without")
}
