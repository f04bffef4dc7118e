package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// What the access patterns of an application do to its attributes: the basis of all that is proven about copies and
// templates.

// changedBy lists the patterns that can change an attribute of an entity that exists.
func (c *compiler) changedBy(e *spec.Entity, a *spec.Attribute) (patterns []*spec.Pattern) {
	for _, p := range c.r.Patterns {
		if slices.ContainsFunc(p.Actions, func(act *spec.Action) bool { return act.Alters(e, a) }) {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// mutable lists the patterns that can change the value at the end of a path while the entity it begins at exists.
func (c *compiler) mutable(t target) (patterns []*spec.Pattern) {
	o := origin(t)
	for i, s := range o.segs {
		switch {
		case s.Way != nil && !s.Back:
			for _, by := range s.Way.By {
				patterns = append(patterns, c.changedBy(s.Way.From, by)...)
			}
		case s.Way != nil: // a child inside can be another one tomorrow
			for _, p := range c.r.Patterns {
				if slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
					return a.Entity == s.Way.From && (a.Verb == spec.Create || a.Verb == spec.Delete)
				}) {
					patterns = append(patterns, p)
				}
			}
		case i == 0 || o.segs[i-1].Way != nil: // the attribute; what is inside a map goes with it
			e := s.Attribute.Entity
			if e == nil && i > 0 {
				e = o.segs[i-1].Entity()
			}
			if e != nil {
				patterns = append(patterns, c.changedBy(e, s.Attribute)...)
			}
		}
	}
	return patterns
}

// generatedRoot reports whether no two entities can ever have one identity: the client generates it; or it contains
// that of a parent which does, and is only ever created inside the parent's value, whose children are told apart before
// anything is sent.
func (c *compiler) generatedRoot(e *spec.Entity) bool {
	return c.rooted(e, (*spec.Entity).GeneratesIdentity)
}

// rooted is generatedRoot for what else may tell entities apart.
func (c *compiler) rooted(e *spec.Entity, apart func(*spec.Entity) bool) bool {
	if apart(e) {
		return true
	}
	p := e.Parent
	if p == nil || !e.Under(p) {
		return false
	}
	for _, q := range c.r.Patterns {
		for _, a := range q.Actions {
			if a.Entity == e && (a.Verb == spec.Create || a.Verb == spec.Upsert) {
				return false
			}
		}
	}
	return c.rooted(p.To, apart)
}
