package model

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// newest checks what `last(readings.celsius)` is said of: children of which one is the newest, by the one part of their
// identity that the parent does not tell, and a value of their own.
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

// lastShown reports where something is found by what the newest of its children has, or tested on it: no key and no write has
// that, so that answers show it, and clients order by it what they have read whole.
func (r *requirementsReader) lastShown() {
	lasts := func(e *spec.Entity, path spec.Path) bool {
		if e == nil || len(path) == 0 {
			return false
		}
		segments, err := e.Resolve(path)
		if err != nil {
			return false
		}
		return slices.ContainsFunc(segments, func(s spec.Segment) bool { return s.Attribute != nil && s.Attribute.Last() })
	}
	tests := func(e *spec.Entity, c spec.Condition) bool {
		for t := range spec.Tests(c) {
			if lasts(e, t.Path) {
				return true
			}
			for _, v := range t.Args {
				for term := range v.Terms() {
					if lasts(e, term.Path) {
						return true
					}
				}
			}
		}
		return false
	}
	refuse := func(path []string, what string) {
		r.errorAt(path, "not-applicable", "let the write of what is newer set it, `{update: Probe, set: {value: $reading.value}}` beside the create, and give it a type",
			"%s what the newest of its children has, which no key and no write tells", what)
	}
	for _, e := range r.out.Entities {
		for _, a := range e.Attributes {
			if a.Follows() && lasts(e, a.Derived.Path) {
				refuse(with(r.entities[e].attributes[a].path, "derived"), a.Name+" is derived from")
			}
			if a.Sequence != nil && a.Sequence.Last() {
				refuse(with(r.entities[e].attributes[a].path, "sequence"), a.Name+" counts by")
			}
		}
		for _, u := range e.Unique {
			if slices.ContainsFunc(u.Of, (*spec.Attribute).Last) || tests(e, u.While) {
				refuse(with(r.entities[e].path, "unique"), "unique is")
			}
		}
	}
	for _, p := range r.out.Patterns {
		path := []string{"patterns", p.Name}
		for _, g := range p.Given {
			if lasts(p.Read, g) {
				refuse(with(path, "given"), p.Name+" asks for")
			}
		}
		if tests(p.Read, p.Where) {
			refuse(with(path, "where"), p.Name+" tests")
		}
		for _, o := range p.Order {
			if lasts(p.Read, o.Path) && (p.Page > 0 || p.Top > 0 || len(o.Path) > 1) {
				refuse(with(path, "order"), p.Name+" takes the first by")
			}
		}
		for _, x := range p.Returns {
			if len(x) > 1 && lasts(p.Read, x) {
				refuse(with(path, "returns"), p.Name+" shows of another")
			}
		}
		for _, a := range p.Aggregates {
			if lasts(p.Read, a.Path) {
				refuse(with(path, "aggregate"), p.Name+" adds up")
			}
		}
		for _, a := range p.Actions {
			uses := tests(a.Entity, a.Condition) || slices.ContainsFunc(a.Found, (*spec.Attribute).Last)
			for _, s := range a.Set {
				for term := range s.Value.Terms() {
					uses = uses || lasts(a.Entity, term.Path)
				}
			}
			if uses {
				refuse(with(path, "write"), p.Name+" needs")
			}
		}
	}
}
