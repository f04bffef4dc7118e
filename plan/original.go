package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// An item can hold copies that are not as their originals are: a stream keeps them a little later, or nobody does. One
// pattern may answer them, another one reads the original. The items bring the copies to both. So what the answer shows
// by a way is the original wherever a step of the answer reads it, also if the original has no value or is not there.

// original finds, for each step of the answer, the copies whose originals another step reads for what this one finds.
func (p *Procedure) original() {
	for _, s := range p.From {
		for _, k := range s.found() {
			for _, st := range k.Stored {
				if o := origin(st.target); st.Copy && st.Kept.differs() && p.readsOriginal(source{s, k, nil}, o) {
					if s.outdated == nil {
						s.outdated = map[*Kind][]spec.Path{}
					}
					s.outdated[k] = append(s.outdated[k], k.names(o)...)
				}
			}
		}
	}
}

// differs reports whether a duplicate may have another value than what it was taken from.
func (k Kept) differs() bool { return k.Stream || k.Snapshot }

// names are all paths under which an entity of the kind can have a value.
func (k *Kind) names(o target) []spec.Path {
	paths := []spec.Path{o.path}
	for _, a := range k.Entity.Attributes {
		if t := own(a); t.from != t.id && same(t, o) {
			paths = append(paths, t.path)
		}
	}
	return paths
}

// readsOriginal reports whether the answer's steps read a target where it is, for the entities of a source.
func (p *Procedure) readsOriginal(m source, t target) bool {
	if len(t.segs) == 0 || t.segs[0].Way == nil || t.up == nil {
		s := m.stage.action(m.kind)
		return !m.kind.Kept.differs() && (m.embed == nil && s.tells(m.kind, t) || m.embed != nil && s.tellsChild(m.embed, t))
	}
	return slices.ContainsFunc(p.sources(t.segs[0].Entity()), func(o source) bool {
		return (o.stage != m.stage || o.kind != m.kind || o.embed != m.embed) && p.reaches(m, o, t.segs[0]) && p.readsOriginal(o, *t.up)
	})
}

// originals drops the copies whose originals were read.
func (p *pool) originals() {
	for _, all := range p.all {
		for _, r := range all {
			for _, path := range r.outdated {
				drop(&r.value, path)
			}
		}
	}
}

// drop removes what lies at a path, and what is empty then.
func drop(it *attr.Item, path spec.Path) {
	if len(path) == 1 {
		it.Remove(path[0])
		return
	}
	if inner := it.Get(path[0]).Map().Clone(); inner.Len() > 0 {
		drop(&inner, path[1:])
		if it.Remove(path[0]); inner.Len() > 0 {
			it.Set(path[0], attr.Map(inner))
		}
	}
}
