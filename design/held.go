package design

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// Children that lie inside their parent's item and have items of their own as well. Where whoever creates or deletes
// one changes the parent in the same transaction, because the parent counts them or the pattern says so, the child
// inside is a part of that action and costs nothing. A get of the parent then lists its children, strongly consistent
// as well, which no global index does: no index has to be kept, and no item under another key has to say where they
// lie.

// holdings are the ways in which an entity with items of its own can lie inside its parent's item besides.
func holdings(f *facts, e *spec.Entity, ds []*demand) (out []*embedding) {
	for _, w := range e.There {
		if m := newEmbedding(w); f.holdable(e, m) && slices.ContainsFunc(ds, func(d *demand) bool { return listsInside(d, m) }) {
			out = append(out, m)
		}
	}
	return out
}

// listsInside reports whether a demand asks for the children of a parent that it names.
func listsInside(d *demand, m *embedding) bool {
	if d.target != m.way.From {
		return slices.ContainsFunc(d.ways, func(n *wayNode) bool { return n.back && n.way == m.way })
	}
	return insideServes(m, d)
}

// holdable reports whether an item can follow, inside its parent's, all that writes do to its entity.
func (f *facts) holdable(e *spec.Entity, m *embedding) bool {
	w := m.way
	switch {
	case w.Inverse == "" || !w.PerParent.Stated || w.To == e || m.as == "list",
		slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return a.Optional || len(f.changed[a]) > 0 }),
		e.Expires != nil || e.Kept != nil || w.To.Expires != nil || w.To.Kept != nil,
		e.Bytes.Average*w.PerParent.Max > float64(capacity.ItemBytes),
		len(f.deleted[w.To]) > 0:
		return false
	}
	for _, a := range e.Attributes {
		if a.Sequence != nil || a.Derived != nil {
			return false
		}
	}
	for _, t := range f.of[w.To] {
		if t.verb == spec.Replace || t.verb == spec.Upsert || t.verb == spec.Update && t.action.Makes {
			return false
		}
	}
	created := false
	for _, t := range f.of[e] {
		if t.inside != nil || t.each != "" || !t.pattern.Atomic || t.verb != spec.Create && t.verb != spec.Delete || !f.accompanied(t, w) {
			return false
		}
		created = created || t.verb == spec.Create
		if t.verb == spec.Create && !slices.Contains(t.action.Requires, w) {
			return false
		}
	}
	return created
}

// accompanied reports whether what creates or deletes a child changes its parent as well, in the same transaction.
func (f *facts) accompanied(t *touch, w *spec.Relationship) bool {
	return slices.ContainsFunc(w.To.Attributes, func(a *spec.Attribute) bool { return counts(a, w) && a.Derived.Within == 0 }) ||
		slices.ContainsFunc(f.of[w.To], func(o *touch) bool { return o.pattern == t.pattern && o.verb == spec.Update && o.each == "" })
}

// houses reports whether children of an entity can lie inside its items.
func (o *option) houses() bool { return o != nil && o.own != nil && (o.within == nil || o.held) }

// byHolding gets the parent, whose item tells which children there are, then each child, where what lies inside the
// parent's item does not tell all that is asked for. A child may have been made anew under another parent since, so
// that what led to it is tested again.
func (s *seeker) byHolding(a ask, k *kind) (out []*access) {
	if !k.option.held || a.depth > 0 || a.paged || a.prev >= 0 || len(a.inside) == 0 {
		return nil
	}
	keys := a
	keys.inside, keys.needs = nil, identityRefs(a.entity)
	for _, acc := range s.insideParent(keys, k.option.within) {
		keep := slices.Clone(acc.keep)
		for _, e := range a.eqs {
			if !slices.ContainsFunc(keep, func(r remark) bool { return r.text == e.remark().text }) {
				keep = append(keep, e.remark())
			}
		}
		next := a
		next.needs = append(slices.Clone(a.needs), tested(keep)...)
		cols, copies, ok := s.columns(next, k)
		if !ok {
			continue
		}
		g := &readStep{
			verb: verbGet, kinds: []*spec.Entity{a.entity}, need: cols, copies: copies, keepers: s.keepers(k, copies),
			prev: a.base + len(acc.steps) - 1, per: acc.found, found: oneMatch, strong: s.d.strong, parts: k.partsOf(next.needs, cols),
		}
		for _, x := range k.option.own.refs() {
			g.eqs = append(g.eqs, equality{ref: x, value: "@" + x.key()})
		}
		out = append(out, &access{steps: append(slices.Clone(acc.steps), g), keep: keep, found: acc.found, rule: "list in the parent"})
	}
	return out
}

// hold puts a new entity into its parent's item besides.
func (w *writer) hold(t *touch, o *option) {
	a := &act{verb: actPut, touch: t, entity: t.entity, inside: o.within, times: t.times, value: t.source, each: t.each}
	w.do(a)
}

// drop takes what an act deletes out of its parent's item.
func (w *writer) drop(t *touch, a *act, o *option) {
	w.present(a)
	m := &act{verb: actDelete, touch: t, entity: t.entity, inside: o.within, times: t.times, each: a.every()}
	for _, x := range t.entity.Identity {
		m.key = append(m.key, assignment{x.Name, w.old(a, x)})
	}
	for _, x := range o.within.way.By {
		if !slices.Contains(t.entity.Identity, x) {
			m.key = append(m.key, assignment{x.Name, w.old(a, x)})
		}
	}
	w.do(m)
}
