package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// orphans are the deletes that may leave children by a way without their parent: those of the parent that do not demand
// that no child counts in it, and that may meet one which has children. Whatever counts children in the items of their
// parents creates none without one.
func (f *facts) orphans(way *spec.Relationship) []*touch {
	if way.Identifying {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.deleted[way.To]), func(t *touch) bool {
		asksForNone := slices.ContainsFunc(spec.Conjuncts(t.action.Condition), func(c spec.Condition) bool { return isNone(way, c) })
		return t.inside == nil && (asksForNone || f.childless(t, way))
	})
}

// isNone reports whether a condition is that a parent has no children by a way.
func isNone(way *spec.Relationship, c spec.Condition) bool {
	return slices.ContainsFunc(way.To.Attributes, func(a *spec.Attribute) bool {
		return counts(a, way) && slices.Contains([]string{a.Name + " = 0", a.Name + " <= 0", a.Name + " < 1"}, c.String())
	})
}

// childless reports whether a delete only meets parents in a state in which none has children.
func (f *facts) childless(t *touch, way *spec.Relationship) bool {
	return slices.ContainsFunc(way.To.Attributes, func(at *spec.Attribute) bool {
		asked, with := workload.StatesAsked(t.action, at), workload.ParentStates(f.req, way, at)
		return len(asked) > 0 && len(with) > 0 && !slices.ContainsFunc(asked, func(s string) bool { return slices.Contains(with, s) })
	})
}
