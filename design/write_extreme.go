package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// The largest or smallest value that children of an entity have. DynamoDB adds to a number and does not compare, so a
// write that makes a child reads the parent first, and writes the larger of both unless somebody else has changed it
// meanwhile.

// outdo lets the largest or smallest value that a parent keeps follow a new child.
func (w *writer) outdo(t *touch, c count) {
	name, parent := w.plan.pattern.Name, c.way.To
	switch {
	case t.verb != spec.Create:
		w.lessens(c)
		return
	case t.times.most > 1:
		w.refuse("%s creates several %s at once, and %s.%s would have to be compared with each", name, t.entity.Name, parent.Name, c.at.Name)
		return
	case t.inside != nil || !slices.Contains(t.action.Requires, c.way):
		w.refuse("%s; else nothing says that there is one whose %s follows", remedy(t, c.way), c.at.Name)
		return
	case w.apart(c):
		w.refuse("%s.%s is compared, not counted: it lies in no item of its own", parent.Name, c.at.Name)
		return
	}
	key := keyOf(c.way, valueOf(t))
	a := &act{verb: actUpdate, touch: t, entity: parent, via: c.way, times: t.times, each: t.each, key: key, changes: []*spec.Attribute{c.at}, conds: []string{"present"}}
	if t.each != "" || !w.still(a) {
		w.refuse("%s would have to read the %s whose %s follows", name, parent.Name, c.at.Name)
		return
	}
	a.set = []assignment{{c.at.Name, c.far + "($" + foundName(parent) + "." + c.at.Name + ", " + valueOf(t) + "." + c.of.Name + ")"}}
	w.do(a)
}

// lessens refuses a write after which the largest value may be another child's: that would have to be looked for.
func (w *writer) lessens(c count) {
	w.refuse("%s may leave %s.%s to another %s, which would have to be looked for among all of its %s: leave the attribute out and read `aggregate: {%s: %s(%s)}` where it is needed",
		w.plan.pattern.Name, c.way.To.Name, c.at.Name, c.way.From.Name, c.way.Inverse, c.at.Name, c.at.Derived.Func, c.of.Name)
}
