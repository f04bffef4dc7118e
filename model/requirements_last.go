package model

import "github.com/tablewright/tablewright/spec"

// newest checks the path of `last(readings.celsius)`. It has to lead to children whose identity has exactly one part
// beside that of the parent, which orders them, and to a value of their own.
func (r *requirementsReader) newest(a *spec.Attribute, segments []spec.Segment, path []string) bool {
	way := segments[0].Way
	if len(segments) != 2 || way == nil || !segments[0].Back || segments[1].Attribute == nil || segments[1].Attribute.Derived != nil {
		r.errorAt(path, "wrong-type", "write last(way.attribute), along one way back", "last is what the newest of an entity's children has itself")
		return false
	}
	e := way.From
	for _, x := range e.Identity { // whether it has an order follows from its type
		if _, ok := r.entities[e].attributes[x]; ok {
			r.typeOf(e, x)
		}
	}
	s := r.entities[a.Entity].attributes[a]
	switch {
	case way.Succession() == nil:
		r.errorAt(path, "wrong-type", "give "+e.Name+" an identity of the foreign key and a time, such as [deviceId, at]",
			"which %s of one %s is the newest its identity does not tell", e.Name, way.To.Name)
	case e.Expires != nil || e.External:
		r.errorAt(path, "not-applicable", "read it from there, `order: … descending` and `top: 1`", "which %s is the newest changes when one expires, or elsewhere", e.Name)
	case s.doc.Within != 0:
		r.errorAt(with(s.path, "within"), "not-applicable", "leave it out", "what the newest %s has is read from there, and never late", e.Name)
	default:
		return true
	}
	return false
}

// lastShown reports where something is found by what the newest of its children has, or tested on it: no key and no
// write has that, so that answers show it, and clients order by it what they have read whole.
func (r *requirementsReader) lastShown() {
	sound := func(a *spec.Attribute) bool { // else it is reported
		return a.Last() && len(a.Derived.Path) == 2 && a.Entity.WayBack(a.Derived.Path[0]) != nil && a.Entity.WayBack(a.Derived.Path[0]).Succession() != nil
	}
	for _, u := range r.out.MoreThanShown(sound) {
		var path []string
		name := ""
		switch {
		case u.Pattern != nil:
			path, name = []string{"patterns", u.Pattern.Name}, u.Pattern.Name
		case u.Attribute != nil:
			path, name = r.entities[u.Entity].attributes[u.Attribute].path, u.Attribute.Name
		default:
			path, name = r.entities[u.Entity].path, u.Entity.Name
		}
		r.errorAt(with(path, u.Key), "not-applicable", "let the write of what is newer set it, `{update: Probe, key: {probeId: $reading.probeId}, set: {value: $reading.value}}` beside its create, and give it a type",
			"%s of %s needs what the newest of some children has, which no key and no write tells: it is shown, and orders what is read whole", u.Key, name)
	}
}
