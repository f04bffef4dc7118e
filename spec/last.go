package spec

import "slices"

// A Use is where requirements ask more of an attribute than to show it: Key of a pattern, or of an attribute or entity.
type Use struct {
	Pattern   *Pattern // nil: an entity
	Entity    *Entity
	Attribute *Attribute // of the entity; nil: the entity itself
	Key       string     // given, where, order, returns, aggregate, write, derived, sequence, unique
}

// MoreThanShown lists where attributes are looked for, tested, or followed by something else. What is left is that
// answers show them, and that reads without page and top are ordered by them, which clients do.
func (r *Requirements) MoreThanShown(is func(*Attribute) bool) (out []Use) {
	leads := func(e *Entity, path Path) bool {
		if e == nil || len(path) == 0 {
			return false
		}
		segments, err := e.Resolve(path)
		return err == nil && slices.ContainsFunc(segments, func(s Segment) bool { return s.Attribute != nil && is(s.Attribute) })
	}
	tests := func(e *Entity, c Condition) bool {
		for t := range Tests(c) {
			if leads(e, t.Path) {
				return true
			}
			for _, v := range t.Args {
				for term := range v.Terms() {
					if leads(e, term.Path) {
						return true
					}
				}
			}
		}
		return false
	}
	for _, e := range r.Entities {
		for _, a := range e.Attributes {
			if a.Derived != nil && leads(e, a.Derived.Path) || a.Derived != nil && a.Derived.Where != nil && e.WayBack(a.Derived.Path[0]) != nil && tests(e.WayBack(a.Derived.Path[0]).From, a.Derived.Where) {
				out = append(out, Use{Entity: e, Attribute: a, Key: "derived"})
			}
			if a.Sequence != nil && is(a.Sequence) {
				out = append(out, Use{Entity: e, Attribute: a, Key: "sequence"})
			}
		}
		for _, u := range e.Unique {
			if slices.ContainsFunc(u.Of, is) || tests(e, u.While) {
				out = append(out, Use{Entity: e, Key: "unique"})
			}
		}
	}
	for _, p := range r.Patterns {
		use := func(key string, there bool) {
			if there {
				out = append(out, Use{Pattern: p, Key: key})
			}
		}
		use("given", slices.ContainsFunc(p.Given, func(g Path) bool { return leads(p.Read, g) }))
		use("where", p.Read != nil && tests(p.Read, p.Where))
		use("order", slices.ContainsFunc(p.Order, func(o Order) bool {
			return leads(p.Read, o.Path) && (p.Page > 0 || p.Top > 0 || len(o.Path) > 1)
		}))
		use("returns", slices.ContainsFunc(p.Returns, func(x Path) bool { return len(x) > 1 && leads(p.Read, x) }))
		use("aggregate", slices.ContainsFunc(p.Aggregates, func(a Aggregate) bool { return leads(p.Read, a.Path) }))
		use("write", slices.ContainsFunc(p.Actions, func(a *Action) bool {
			return tests(a.Entity, a.Condition) || slices.ContainsFunc(a.Found, is) || slices.ContainsFunc(a.Set, func(s Assign) bool {
				for term := range s.Value.Terms() {
					if leads(a.Entity, term.Path) {
						return true
					}
				}
				return false
			})
		}))
	}
	return out
}
