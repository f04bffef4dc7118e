package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// A put reads what it copies from the end of a way first. The way may lead nowhere, or to an entity that does not
// exist. The item then lacks the copy. That stays right if the missing entity never comes and the copied value never
// changes.

// lookups decides which of the steps that `with` takes values from must have found something. A step that only provides
// copies that the item may lack need not.
func (c *compiler) lookups(s *Stage, given map[*Stage]bool) bool {
	ok := true
	for _, o := range s.Procedure.Stages {
		if !given[o] || s.singles[o] {
			continue
		}
		looks, keyed := true, false
		for _, a := range s.with {
			if !refersTo(a.value, o.Name) {
				continue
			}
			way := s.looksUp(a, o)
			required := way != nil && s.requires(way)
			switch {
			case way == nil, required && !optional(way):
				looks = false
			case c.mayLack(s, a, way, required):
				keyed = keyed || required
			default:
				looks = false
				if optional(way) || !s.Procedure.refuses(RefusedMissing) {
					c.errorf(at(s.Path, "with", a.target.id), CodeKept, "requires: ["+way.Name+"], or read the "+way.Name+" where it is",
						"%s copies %s of a %s that may not be there and could come later, or change: the copy would stay as it was", s.Procedure.Name, a.target.id, way.Name)
					ok = false
				}
			}
		}
		switch {
		case !looks:
			s.singles[o] = true
		case keyed:
			s.keyed[o] = true
		}
	}
	return c.lookupsOfEach(s) && ok
}

// lookupsOfEach decides the same for puts of a list, whose copies a step reads for each element. Where the pattern
// requires what they are read from, all of it must have been found.
func (c *compiler) lookupsOfEach(s *Stage) bool {
	ok := true
	for _, o := range s.Procedure.Stages {
		if !s.all[o] || !s.goesWith(o) || slices.Contains(s.Document.Needs, o.Name) {
			continue
		}
		looks, may := false, true
		for _, a := range s.with {
			if !refersTo(a.value, o.Name) {
				continue
			}
			looks = true
			way := s.looksUp(a, o)
			if way != nil && !s.requires(way) && c.mayLack(s, a, way, false) {
				continue
			}
			may = false
			if (way == nil || !s.requires(way)) && !s.Procedure.refuses(RefusedMissing) {
				c.errorf(at(s.Path, "with", a.target.id), CodeKept, "require what it is read from, or read it where it is",
					"%s copies %s of what may not be there, and would put nothing then", s.Procedure.Name, a.target.id)
				ok = false
			}
		}
		if looks && may {
			delete(s.all, o)
		}
	}
	return ok
}

// optional reports whether a way may lead nowhere.
func optional(way *spec.Relationship) bool {
	return slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return x.Optional })
}

// refersTo reports whether a value uses what a step found.
func refersTo(v spec.Expr, step string) bool {
	for t := range v.Terms() {
		if len(t.Reference) > 0 && t.Reference[0] == step {
			return true
		}
	}
	return false
}

// looksUp returns the way along which a put copies a value, from a step that gets what the put's value refers to.
// nil: the value comes from elsewhere.
func (s *Stage) looksUp(a assign, get *Stage) *spec.Relationship {
	from, of, ok := s.Procedure.follow(s, a.value)
	if !ok || from.stage != get || from.embed != nil || get.Verb != Get && !s.goesWith(get) || !get.Consistent || get.Kind.Role != EntityItem {
		return nil
	}
	st, o := s.Kind.byPath[a.target.id], origin(a.target)
	if st == nil || !st.Copy && !st.Attribute.Follows() || s.Embed != nil || s.Kind.Role != EntityItem || len(o.segs) != 2 || o.segs[0].Way == nil || o.segs[0].Back {
		return nil
	}
	way := o.segs[0].Way
	if get.Kind.Entity != way.To || !same(of, own(o.segs[1].Attribute)) {
		return nil
	}
	for i, by := range way.By {
		if !slices.ContainsFunc(get.key, func(k assign) bool {
			return same(k.target, own(way.To.Identity[i])) && k.value.String() == s.valueRef.String()+"."+by.Name
		}) {
			return nil
		}
	}
	return way
}

// requires reports whether the pattern requires what a way leads to from what a put writes.
func (s *Stage) requires(way *spec.Relationship) bool {
	return slices.ContainsFunc(s.Procedure.Pattern.Actions, func(a *spec.Action) bool {
		return a.Entity == way.From && a.Value.String() == s.valueRef.String() && slices.Contains(a.Requires, way)
	})
}

// mayLack reports whether an item may lack a copy for which a step found no value: the copied value never changes, an
// existing parent stays, a missing one never comes, and no key contains the copy.
func (c *compiler) mayLack(s *Stage, a assign, way *spec.Relationship, required bool) bool {
	return len(c.mutable(a.target)) == 0 && !s.inTemplate(a.target) &&
		c.r.Lasts(way.To) && (required || c.r.ThereOrNever(way.To))
}
