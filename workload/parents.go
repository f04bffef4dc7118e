package workload

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// ParentStates are the values of an attribute with states of which the parent by a way has one as long as it has
// children: every write that brings a child asks for a state of its parent in the same transaction, and from there the
// parent only goes on. nil: it may be in any.
func ParentStates(r *spec.Requirements, way *spec.Relationship, at *spec.Attribute) (states []string) {
	if at.States == nil {
		return nil
	}
	for _, p := range r.Patterns {
		for _, a := range p.Actions {
			switch {
			case a.Entity == way.To && a.Verb != spec.Create && len(a.Value) > 0: // it may write any state
				return nil
			case a.Verb != spec.Delete && bringsInside(a, way.From):
				return nil
			case brings(a, way):
				with := stateBeside(p, a, way, at)
				if with == nil {
					return nil
				}
				states = append(states, with...)
			}
		}
	}
	for i := 0; i < len(states); i++ {
		for _, next := range at.States.Next[states[i]] {
			if !slices.Contains(states, next) {
				states = append(states, next)
			}
		}
	}
	return states
}

// brings reports whether an action may give a parent a child by a way.
func brings(a *spec.Action, way *spec.Relationship) bool {
	return a.Entity == way.From && a.Verb != spec.Delete &&
		(a.Verb != spec.Update || a.Makes || slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return a.Sets(x.Name) }))
}

// bringsInside reports whether the value of an action has children of an entity.
func bringsInside(a *spec.Action, children *spec.Entity) bool {
	return slices.ContainsFunc(a.With, func(name string) bool {
		way := a.Entity.WayBack(name)
		return way != nil && way.From == children
	})
}

// stateBeside are the states of which the parent of a child that an action brings has one after the write; nil: any.
func stateBeside(p *spec.Pattern, child *spec.Action, way *spec.Relationship, at *spec.Attribute) []string {
	if !p.Atomic || len(child.Each) > 0 {
		return nil
	}
	key := map[string]string{}
	for i, x := range way.By {
		if len(child.Value) == 0 {
			for _, s := range slices.Concat(child.Key, child.Set) {
				if s.Path.String() == x.Name {
					key[way.To.Identity[i].Name] = s.Value.String()
				}
			}
		} else {
			key[way.To.Identity[i].Name] = append(slices.Clone(child.Value), x.Name).String()
		}
	}
	for _, a := range p.Actions {
		another := func(k spec.Assign) bool { return key[k.Path.String()] != k.Value.String() }
		if a.Entity != way.To || !a.Demands() || len(a.Each) > 0 || slices.ContainsFunc(a.Key, another) {
			continue
		}
		for _, s := range a.Set {
			if s.Path.String() == at.Name {
				if to := s.Value.Literal; s.Value.Op == "" && to.Kind() == attr.KindS {
					return []string{to.Str()}
				}
				return nil
			}
		}
		return StatesAsked(a, at)
	}
	return nil
}

// StatesAsked are the values of an attribute with states of which the condition of an action asks for one; nil: it may
// be any.
func StatesAsked(a *spec.Action, at *spec.Attribute) (states []string) {
	for _, c := range spec.Conjuncts(a.Condition) {
		t, ok := c.(*spec.Test)
		if !ok || at.States == nil || t.Path.String() != at.Name || t.Op != "=" && t.Op != "in" {
			continue
		}
		for _, x := range t.Args {
			if x.Op != "" || x.Literal.Kind() != attr.KindS {
				return nil
			}
			states = append(states, x.Literal.Str())
		}
		return states
	}
	return nil
}
