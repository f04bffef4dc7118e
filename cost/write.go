package cost

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// writes is what a writing stage, or an action inside one, consumes per call of its pattern; of what reads, nothing.
func (f *figures) writes(p *spec.Pattern, s *plan.Stage, transacted bool) units {
	out, ok := f.write[s]
	if ok {
		return out
	}
	out = units{}
	switch s.Verb {
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			out.plus(f.writes(p, a, s.Verb == plan.Transact))
		}
	case plan.Put, plan.Update, plan.Delete, plan.Check:
		f.action(p, s, transacted, out)
	}
	f.write[s] = out
	return out
}

// action adds what one written item consumes: the table's arm, which counts twice in a transaction, and that of each index
// that it touches, which does not.
func (f *figures) action(p *spec.Pattern, s *plan.Stage, transacted bool, out units) {
	k := s.Kind
	times := f.times(p, s)
	weight := even(f.members(k.Entity))
	var sure known
	if s.Verb != plan.Put {
		weight = f.reached(p, k.Entity)
	}
	if s.Verb == plan.Update {
		sure = touched(p, k.Entity)
	}
	if k.Role == plan.UniqueItem {
		times *= markers(p, s)
	}
	size := f.sizeWith(k, nil, weight, sure)
	table := k.Table.Name
	if s.Verb == plan.Check {
		out.add(table, times*float64(capacity.ExpectConditionCheck(size)))
		return
	}
	arm := capacity.ExpectWrite(size)
	if transacted {
		arm = capacity.Transact(arm)
	}
	out.add(table, times*float64(arm))
	changed := f.changes(p, k.Entity)
	if changed < 1 { // every life has as many changes, however often it is written
		weight = even(f.members(k.Entity))
	}
	for _, x := range k.Table.Indexes {
		if keys := keyRecipes(k, x); keys != nil { // else this kind never has an entry
			a := arms{f, p, s, x, keys, weight}
			out.add(x.Name(), times*a.units(changed))
		}
	}
}

// arms is what an action does to one index, whose key templates make.
type arms struct {
	f      *figures
	p      *spec.Pattern
	s      *plan.Stage
	x      *plan.Access
	keys   []*plan.Recipe
	weight spread
}

// cost is an arm on entries in which some attributes are there for sure.
func (a *arms) cost(arm capacity.Arm, sure known) float64 {
	return float64(capacity.ExpectArm(arm, a.f.sizeWith(a.s.Kind, a.x, a.weight, sure)))
}

// units is the arm's expectation; changed is the share of updates that change anything.
func (a *arms) units(changed float64) float64 {
	e := a.s.Kind.Entity
	switch {
	case a.s.Embed != nil: // a child inside the item: the item's entries stay where they are
		if a.x.Projects(a.s.Embed.Attribute) {
			return a.indexed(nil) * a.cost(capacity.InPlace, nil)
		}
		return 0
	case a.s.Verb == plan.Put:
		if act := actionOf(a.p, e); act != nil && act.Verb == spec.Replace {
			return a.indexed(nil) * a.cost(capacity.InPlace, nil)
		}
		return a.indexed(initial(e)) * a.cost(capacity.Enter, nil)
	case a.s.Verb == plan.Delete:
		return a.indexed(demanded(a.p, e)) * a.cost(capacity.Leave, nil)
	}
	return changed * a.update()
}

func (a *arms) indexed(k known) float64 { return a.f.indexed(a.s.Kind, a.keys, k) }

// update is what an update does: nothing, in place, or its key changes.
func (a *arms) update() float64 {
	e, changes := a.s.Kind.Entity, a.s.Changes
	// What an update is said to change may be a template whose `when` alone is concerned: its value stays while it is there.
	inPlace := slices.ContainsFunc(changes, func(name string) bool {
		r := a.s.Kind.Recipe(name)
		return a.x.Projects(name) && (r == nil || a.rewritten(r))
	})
	if !slices.ContainsFunc(a.keys, func(r *plan.Recipe) bool { return slices.Contains(changes, r.Wire.Name) }) {
		if inPlace {
			return a.indexed(demanded(a.p, e)) * a.cost(capacity.InPlace, touched(a.p, e))
		}
		return 0
	}
	stay := capacity.None
	switch {
	case slices.ContainsFunc(a.keys, a.rewritten):
		stay = capacity.Move
	case inPlace:
		stay = capacity.InPlace
	}
	total, n := 0.0, 0.0
	for _, step := range steps(a.p, e) {
		was, is := a.indexed(step.before), a.indexed(step.after)
		n++
		total += was*is*a.cost(stay, touched(a.p, e)) + (1-was)*is*a.cost(capacity.Enter, step.after) + was*(1-is)*a.cost(capacity.Leave, step.before)
	}
	return total / n
}

// rewritten reports whether an update changes a part of a template.
func (a *arms) rewritten(r *plan.Recipe) bool {
	return slices.ContainsFunc(r.Parts, func(part *plan.Part) bool {
		if part.Attribute == nil {
			return false
		}
		name := part.Attribute.Name
		if part.Attribute.Entity != a.s.Kind.Entity {
			return true // copied from elsewhere: it is written because it changes
		}
		return slices.Contains(a.s.Changes, name) || slices.ContainsFunc(a.p.Actions, func(act *spec.Action) bool {
			return act.Entity == a.s.Kind.Entity && (sets(act, name) || removes(act, name))
		})
	})
}

// reached is how a pattern's updates of an entity spread over its instances: as its skew says, or, where the key is a
// foreign key of what the same call creates, as the children spread.
func (f *figures) reached(p *spec.Pattern, e *spec.Entity) spread {
	if p.Skew.Uniform() {
		if way := f.causes(p, e); way != nil {
			return f.kids(way)
		}
	}
	return calls(f.members(e), p.Skew)
}

// causes is the way from what a call is about to what it changes by that foreign key, if its numbers are stated: a parent
// that an action names so, or, where no action is about it, one that keeps its children inside or counts them.
func (f *figures) causes(p *spec.Pattern, e *spec.Entity) *spec.Relationship {
	for _, a := range p.Actions {
		if a.Entity != e {
			continue
		}
		for _, key := range a.Key {
			at := referenced(p, a, key.Value.Reference)
			if at != nil && at.Reference != nil && at.Reference.To == e && f.children(at.Reference).Stated {
				return at.Reference
			}
		}
	}
	if actionOf(p, e) != nil {
		return nil
	}
	for _, a := range p.Actions {
		for _, way := range a.Entity.There {
			if way.To == e && f.children(way).Stated && (way.Identifying || derives(e, way)) {
				return way
			}
		}
	}
	return nil
}

// derives reports whether an entity has an attribute that is made of its children along a way.
func derives(e *spec.Entity, way *spec.Relationship) bool {
	return slices.ContainsFunc(e.Attributes, func(a *spec.Attribute) bool {
		return a.Derived != nil && len(a.Derived.Path) > 0 && e.WayBack(a.Derived.Path[0]) == way
	})
}

// referenced is the attribute of a passed value that a reference inside an action names.
func referenced(p *spec.Pattern, a *spec.Action, r spec.Reference) *spec.Attribute {
	if len(r) == 0 {
		return nil
	}
	if r[0] == "each" && len(a.Each) > 0 {
		r = append(slices.Clone(a.Each), r[1:]...)
	}
	q := p.Parameter(r[0])
	if q == nil || q.Entity == nil || len(r) < 2 {
		return nil
	}
	e := q.Entity
	for _, name := range r[1 : len(r)-1] {
		way := e.WayBack(name)
		if way == nil {
			return nil
		}
		e = way.From
	}
	return e.Attribute(r[len(r)-1])
}

// markers is the share of calls that write a unique marker: those in which all that is unique is there. What an update
// sets is there after it, what it removes was before.
func markers(p *spec.Pattern, s *plan.Stage) float64 {
	first := steps(p, s.Kind.Entity)[0]
	k := first.after
	if s.Verb == plan.Delete {
		k = first.before
	}
	share := 1.0
	for _, a := range s.Kind.Unique {
		share *= k.presence(a)
	}
	return share
}
