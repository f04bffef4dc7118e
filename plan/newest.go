package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// What the newest of some children has, `celsius: {derived: last(readings.celsius)}`, lies with that child alone:
// whoever makes one writes nothing else. A read asks for the children of each entity from the end, and for one of them.

// newest reports whether a query is asked for the newest child of one parent and for no other: it stops as soon as it
// has that, and nothing of the answer wants more of the children.
func (p *Procedure) newest(s *Stage) bool {
	if s.Verb != Query || len(s.Kinds) != 1 || s.filter != nil || s.Scatter != 0 || p.Pattern.Writes() || s.Evaluate == 0 {
		return false
	}
	k := s.Kinds[0]
	if k.Role != EntityItem || k.Entity == p.Pattern.Read {
		return false
	}
	return slices.ContainsFunc(k.Entity.There, func(w *spec.Relationship) bool {
		by := w.Succession()
		return by != nil && s.allOf(k, w) && !p.wantsAll(w) &&
			s.ordered(k, []orderKey{{own(by), spec.Order{Path: spec.Path{by.Name}, Attribute: by, Descending: true}}})
	})
}

// wantsAll reports whether the answer holds all children that a way leads back to.
func (p *Procedure) wantsAll(w *spec.Relationship) bool {
	return slices.ContainsFunc(p.Pattern.With, func(path spec.Path) bool {
		segs, err := p.Pattern.Read.Resolve(path)
		return err != nil || slices.ContainsFunc(segs, func(s spec.Segment) bool { return s.Entity() == w.From })
	})
}

// allOf reports whether the range of a query has all children of one parent by a way, as far as they are items of a
// kind: it is bound by the foreign key and nothing else, and the index leaves none out.
func (s *Stage) allOf(k *Kind, w *spec.Relationship) bool {
	exact, loose := s.demanded(k)
	for _, d := range slices.Concat(exact, loose) {
		if d.op != "=" || !slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return same(d.target, own(a)) }) {
			return false
		}
	}
	in, sparse := k.In(s.Access)
	return in && !sparse
}

// checkLast checks that a plan reads, for each of some entities, the newest child from which an attribute has its
// value.
func (c *compiler) checkLast(path []string, p *Procedure, a *spec.Attribute, of []source, what string) {
	way, from, by := a.Newest()
	seg := spec.Segment{Name: way.Inverse, Way: way, Back: true}
	for _, m := range of {
		if !slices.ContainsFunc(p.sources(way.From), func(o source) bool { return p.bringsNewest(m, o, seg, from, by) }) {
			c.errorf(path, CodeReturns, "query the "+way.Inverse+" of each, `order: descending` and `evaluate: 1`", "%s, and no step reads the newest of its %s", what, way.Inverse)
			return
		}
	}
}

// bringsNewest reports whether a source has all children of another, or the newest of them, with a value of theirs.
func (p *Procedure) bringsNewest(m, o source, seg spec.Segment, wanted ...*spec.Attribute) bool {
	if !p.reaches(m, o, seg) {
		return false
	}
	if o.embed != nil {
		return o.embed.Way == seg.Way && !slices.ContainsFunc(wanted, func(a *spec.Attribute) bool { return !o.stage.tellsChild(o.embed, own(a)) })
	}
	s := o.stage
	return s.Verb == Query && o.kind.Role == EntityItem && s.filter == nil && s.Scatter == 0 && s.allOf(o.kind, seg.Way) &&
		(s.Evaluate == 0 && s != p.Cursor && s != p.topStage || p.newest(s)) &&
		!slices.ContainsFunc(slices.Concat(seg.Way.By, wanted), func(a *spec.Attribute) bool { return !s.tells(o.kind, own(a)) })
}

// newest is what the newest child of a record has.
func (p *pool) newest(r *record, a *spec.Attribute) attr.Value {
	way, of, by := a.Newest()
	var best *record
	for _, child := range p.children(r, way) {
		if best == nil || by.Compare(child.value.Get(by.Name), best.value.Get(by.Name)) > 0 {
			best = child
		}
	}
	if best == nil {
		return attr.Value{}
	}
	return best.value.Get(of.Name)
}
