package spec

import "slices"

// Over reports whether a condition holds for no instance once the time is there from which its retention counts: each update that states
// the time ends it, and no later one can bring it back. What an update states is taken not to be there at the creation.
func (r *Requirements) Over(e *Entity, c Condition) bool {
	if c == nil || e.Kept == nil {
		return false
	}
	ended := &Test{Path: Path{e.Kept.Name}, Op: "exists"}
	if e.Excludes(ended, c) {
		return true
	}
	if !e.Kept.Optional || !r.Updates(e, e.Kept) {
		return false
	}
	var acts []*Action
	for _, p := range r.Patterns {
		for _, a := range p.Actions {
			if a.Entity == e {
				acts = append(acts, a)
			}
		}
	}
	for _, a := range acts {
		switch _, after := a.Decides(c); {
		case a.Verb == Replace || a.Verb == Upsert: // of a whole value, nothing is known
			return false
		case a.Verb == Update && a.Sets(e.Kept.Name) && after != Never:
			return false
		}
	}
	for _, a := range acts {
		if a.Verb != Update || a.Removes(e.Kept.Name) || e.Excludes(a.Condition, ended) {
			continue
		}
		if _, gets := a.Turns(Unique{While: c}); gets && !comesBefore(e, a, acts) {
			return false
		}
	}
	return true
}

// comesBefore reports whether an update happens only in states in which the time from which a retention counts is not there yet: none
// that one of its states leads to from where that is stated.
func comesBefore(e *Entity, a *Action, acts []*Action) bool {
	return slices.ContainsFunc(e.Attributes, func(x *Attribute) bool {
		to := x.States != nil && a.Entered(x) != ""
		if !to {
			return false
		}
		later := map[string]bool{}
		for _, b := range acts {
			if b.Verb == Update && b.Sets(e.Kept.Name) {
				v := b.Entered(x)
				if v == "" {
					return false
				}
				later[v] = true
			}
		}
		for range x.States.Names {
			for v := range later {
				for _, n := range x.States.Next[v] {
					later[n] = true
				}
			}
		}
		return !slices.ContainsFunc(x.States.Before(a.Entered(x)), func(v string) bool { return later[v] })
	})
}

// Updates reports whether an update changes an attribute of an entity, be it more than once.
func (r *Requirements) Updates(e *Entity, a *Attribute) bool {
	return slices.ContainsFunc(r.Patterns, func(p *Pattern) bool {
		return slices.ContainsFunc(p.Actions, func(act *Action) bool {
			return act.Entity == e && (act.Removes(a.Name) || slices.ContainsFunc(act.Set, func(s Assign) bool { return s.Path[0] == a.Name && !s.Once() }))
		})
	})
}

// Once reports whether a value is set where there is none yet, and stays as it is where there is one.
func (s Assign) Once() bool {
	v := s.Value
	return v.Op == "if_missing" && slices.Equal(v.Args[0].Path, s.Path) && !slices.ContainsFunc(slices.Collect(v.Args[1].Terms()), func(t Expr) bool { return len(t.Path) > 0 })
}
