package plan

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// source is a kind read by a stage: where entities of the answer come from.
type source struct {
	stage *Stage
	kind  *Kind
	embed *Embedding // the entities are children inside the kind's items
}

// entity is what a source has.
func (m source) entity() *spec.Entity {
	if m.embed != nil {
		return m.embed.Child
	}
	return m.kind.Entity
}

// sources lists where the answer's steps find an entity.
func (p *Procedure) sources(e *spec.Entity) (out []source) {
	for _, s := range p.From {
		for _, k := range s.found() {
			if k.Entity == e && (k.Role == EntityItem || k.Role == CopyItem || k.Role == UniqueItem) {
				out = append(out, source{s, k, nil})
			}
			for _, m := range k.Embeds {
				if m.Child == e && s.action(k).Access.projects(k, m.Attribute) {
					out = append(out, source{s, k, m})
				}
			}
		}
	}
	return out
}

// found lists the kinds that a reading stage can find; none of a stage that writes.
func (s *Stage) found() []*Kind {
	switch s.Verb {
	case Get, BatchGet:
		return []*Kind{s.Kind}
	case TransactGet:
		var out []*Kind
		for _, a := range s.Actions {
			out = append(out, a.Kind)
		}
		return out
	case Query, Scan:
		return s.Kinds
	}
	return nil
}

// soughtPart is a part of an entity that a step of the answer looks for.
type soughtPart struct {
	kind *Kind
	main bool // of what the pattern asks for
}

// seek finds the parts that the answer's steps look for.
func (p *Procedure) seek() {
	for _, s := range p.From {
		for _, k := range s.found() {
			if x := (soughtPart{k, !p.beside[s]}); k.part && !slices.Contains(p.parts, x) {
				p.parts = append(p.parts, x)
			}
		}
	}
}

// halves reports whether a stage finds several parts of the pattern's entity, so that what it finds cannot be counted.
func (p *Procedure) halves(s *Stage) bool {
	n := 0
	for _, k := range s.found() {
		if k.part && k.Entity == p.Pattern.Read {
			n++
		}
	}
	return n > 1
}

// siblings reports whether two sources are parts of one entity: what one sees to holds for what is put together.
func (m source) siblings(o source) bool {
	return m.embed == nil && o.embed == nil && m.kind.part && o.kind.part && m.kind.Entity == o.kind.Entity
}

// mains lists where the entities that the pattern asks for come from.
func (p *Procedure) mains() []source {
	return slices.DeleteFunc(p.sources(p.Pattern.Read), func(s source) bool { return p.beside[s.stage] })
}

// tellApart finds the steps that bring what a way leads to where that is of the kind the pattern asks for: the one above an
// employee is an employee, and not one that was asked for. Such a step is joined to another along the way, and either does
// not see to what the pattern demands or takes its key from one that does.
func (p *Procedure) tellApart() {
	all := p.sources(p.Pattern.Read)
	want := asked(p.Pattern)
	sees := func(m source) bool {
		return !slices.ContainsFunc(want, func(w restriction) bool { return !p.holds(m, w, 0) })
	}
	beside := map[*Stage]bool{}
	for _, s := range all {
		for _, o := range all {
			if s.stage == o.stage || !p.joinedToSelf(o, s) {
				continue
			}
			if !sees(s) || s.stage.uses[o.stage] && sees(o) {
				beside[s.stage] = true
			}
		}
	}
	if len(beside) < len(p.From) { // else none of them is known to be what is asked for
		p.beside = beside
	}
}

// joinedToSelf reports whether a source has what a way from its own kind to its own kind leads to from another.
func (p *Procedure) joinedToSelf(m, o source) bool {
	return slices.ContainsFunc(p.Pattern.Read.There, func(w *spec.Relationship) bool {
		return w.To == w.From && (p.joined(m, o, w, false) || p.joined(m, o, w, true))
	})
}

// action is the stage that reads a kind: inside a transaction, the get itself.
func (s *Stage) action(k *Kind) *Stage {
	for _, a := range s.Actions {
		if a.Kind == k {
			return a
		}
	}
	return s
}
