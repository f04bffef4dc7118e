package design

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// embeddings are the ways in which an entity can lie inside its parent's item. Embedding is admissible only if every create
// of the child comes inside the parent's value or requires the parent: else a child of a missing parent, legal by the
// requirements, would be refused.
func embeddings(f *facts, e *spec.Entity, ds []*demand) []*embedding {
	var out []*embedding
	for _, w := range e.There {
		if forbidsEmbedding(f, e, w, ds) == "" {
			out = append(out, newEmbedding(w))
		}
	}
	return out
}

// forbidsEmbedding says what keeps the children by w out of their parent's item; "" if nothing does but sizes.
func forbidsEmbedding(f *facts, e *spec.Entity, w *spec.Relationship, ds []*demand) string {
	switch {
	case w.Inverse == "" || !w.PerParent.Stated:
		return "nobody goes from " + w.To.Name + " to " + e.Name
	case w.To == e:
		return e.Name + " is its own parent"
	case slices.ContainsFunc(w.By, func(a *spec.Attribute) bool { return a.Optional || len(f.changed[a]) > 0 }):
		return "the parent can be missing or change"
	case len(e.Unique) > 0:
		return e.Name + " has unique attributes"
	case !e.Under(w) && !f.neverTwice(e):
		return "callers choose the identity of a " + e.Name + ", and nothing would refuse a second one inside another " + w.To.Name
	case e.Expires != nil:
		return e.Name + " expires on its own"
	case e.Kept != nil && (w.To.Kept == nil || w.To.Retention > e.Retention || e.After != nil || w.To.After != nil):
		return e.Name + " is deleted before its " + w.To.Name
	case w.To.Expires != nil:
		return w.To.Name + " expires without its " + w.Inverse
	}
	for _, t := range f.of[w.To] {
		switch t.verb {
		case spec.Replace, spec.Upsert:
			return t.pattern.Name + " puts the " + w.To.Name + " anew and keeps its " + w.Inverse
		case spec.Delete:
			if !slices.ContainsFunc(t.inner, func(c *touch) bool { return c.way == w }) {
				return t.pattern.Name + " deletes the " + w.To.Name + " and keeps its " + w.Inverse
			}
		}
	}
	for _, a := range e.Attributes {
		if a.Last() {
			return e.Name + "." + a.Name + " is read from the newest of its " + a.Derived.Path[0]
		}
		if a.Sequence != nil || a.Derived != nil && a.Derived.Func != "" {
			return e.Name + "." + a.Name + " is kept by other writes"
		}
		if r := (ref{from: e, attr: a}).canonical(); a.Follows() && len(r.hops) > 0 && r.hops[0] != (hop{way: w}) && !f.free(r) {
			return e.Name + "." + a.Name + " follows what may change"
		}
	}
	created := false
	for _, t := range f.of[e] {
		switch {
		case t.verb == spec.Create && t.inside != nil && t.way == w:
			created = true
		case t.verb == spec.Delete && t.inside != nil && t.way == w:
		default:
			if why := f.forbidsAlone(t, w); why != "" {
				return why
			}
			created = created || t.puts()
		}
	}
	if !created {
		return "nothing creates it inside its " + w.To.Name
	}
	for _, d := range ds {
		if d.target == e && d.paged() {
			continue // served by items of its own, beside
		}
		for _, b := range d.back {
			if b.way.To == e {
				return d.name + " goes from its children to it"
			}
		}
	}
	return ""
}

// forbidsAlone says why a write that is about a child alone could not be done inside its parent's item; "" if it could.
// A transaction writes the child and the parent by one action on the item. Several children of one parent would need
// several actions, and a child in a list has no place of its own.
func (f *facts) forbidsAlone(t *touch, w *spec.Relationship) string {
	e, name := t.entity, t.pattern.Name
	for _, o := range f.of[w.To] {
		if o.pattern == t.pattern && !(o.verb == spec.Update && !o.action.Makes && o.each == "" && t.pattern.Atomic) {
			return name + " changes its " + w.To.Name + " as well"
		}
	}
	switch {
	case t.puts() && !slices.Contains(t.action.Requires, w):
		return name + " creates it without its " + w.To.Name + " having to be there (`requires: [" + w.Name + "]`)"
	case t.inside != nil || t.each != "" || t.verb == spec.Replace || t.verb == spec.Upsert && t.action.Condition != nil:
		return name + " changes it alone"
	case newEmbedding(w).as == "list":
		return name + " changes it alone, and in a list it has no place of its own"
	case t.verb == spec.Delete && len(t.pattern.Actions) > 1 && !(t.pattern.Atomic && (t.action.Condition != nil || f.demandsParent(t, w))):
		return name + " deletes it, which may be missing with its " + w.To.Name + ", and does more (state `condition: present` on the delete)"
	case e.Bytes.Average*w.PerParent.Max > float64(capacity.ItemBytes):
		return name + " changes it alone, and up to " + show.Number(w.PerParent.Max) + " of them are too large for one item"
	case slices.ContainsFunc(e.Attributes, func(a *spec.Attribute) bool { return a.Generated == "version" }):
		return name + " changes its version alone"
	}
	for _, a := range w.To.Attributes {
		if !a.Counted() || a.Derived.Path[0] != w.Inverse {
			continue
		}
		if why := f.forbidsCount(t, w, a); why != "" {
			return name + " changes it alone, and " + w.To.Name + "." + a.Name + " as well, " + why
		}
	}
	return ""
}

// forbidsCount says why the update of a parent's item that a touch of a single child inside is cannot keep a number of
// the parent true as well; "" if it can. It adds to a number whether or not that is read, but what it adds has to be
// known before.
func (f *facts) forbidsCount(t *touch, w *spec.Relationship, a *spec.Attribute) string {
	d := a.Derived
	switch {
	case !t.pattern.Atomic:
		return "and is not all or nothing"
	case d.Where != nil:
		return "which counts some of the " + w.Inverse + ": a stream has no record of a single one inside an item"
	case d.Func == "count" && len(d.Path) == 1:
		return ""
	case d.Func != "sum" || len(d.Path) != 2:
		return "which is compared, not counted"
	}
	of := t.entity.Attribute(d.Path[1])
	switch {
	case of == nil || of.Optional:
		return "whose parts may be absent"
	case t.verb == spec.Create || t.verb == spec.Update && !slices.Contains(f.changed[of], t):
		return ""
	case t.verb == spec.Update:
		if s, ok := given(t, of); ok {
			if _, _, ok := difference(s, of); ok {
				return ""
			}
		}
	}
	if _, ok := t.told(of); ok {
		return ""
	}
	return "by what " + of.Name + " was before, which nothing tells (a condition could: `" + of.Name + " = $" + of.Name + "`)"
}

// demandsParent reports whether a touch's transaction updates the parent as well, so that nothing is done where that is
// missing.
func (f *facts) demandsParent(t *touch, w *spec.Relationship) bool {
	return slices.ContainsFunc(f.of[w.To], func(o *touch) bool {
		return o.pattern == t.pattern && o.verb == spec.Update && !o.action.Makes
	})
}

// alone reports whether some write is about children alone.
func (f *facts) alone(w *spec.Relationship) bool {
	return slices.ContainsFunc(f.of[w.From], func(t *touch) bool { return t.inside == nil || t.way != w })
}

func newEmbedding(w *spec.Relationship) *embedding {
	m := &embedding{way: w, as: "list"}
	if single(w) {
		m.as = "value"
		return m
	}
	var rest []*spec.Attribute
	for _, a := range w.From.Identity {
		if indexOf(w.By, a) < 0 {
			rest = append(rest, a)
		}
	}
	if len(rest) == 1 && keyType(rest[0]) && rest[0].Type != spec.Binary {
		m.as, m.by = "map", rest[0]
	}
	return m
}

// insideServes reports whether a demand can be answered from the parent's items alone.
func insideServes(m *embedding, d *demand) bool {
	if d.target != m.way.From {
		return true
	}
	if d.paged() || len(d.back) > 0 {
		return false
	}
	for _, e := range d.eqs {
		if _, ok := e.ref.lift(m.way); ok {
			return true
		}
	}
	return false
}

// servedInside reports whether all demands on an entity can be answered from inside its parent.
func servedInside(e *spec.Entity, m *embedding, ds []*demand) bool {
	return !slices.ContainsFunc(ds, func(d *demand) bool { return !insideServes(m, d) })
}

// usefulBeside reports whether items of the entity's own, kept beside the embedded ones, can serve a demand that those
// cannot: because their key does, or because they are kept under the identity, where an index can.
func usefulBeside(o *option, m *embedding, ws []want, ds []*demand) bool {
	if o.within != nil {
		return false
	}
	bare := len(o.own.refs()) == len(o.entity.Identity)
	for _, d := range ds {
		if insideServes(m, d) {
			continue
		}
		if bare {
			return true
		}
		covered := len(o.own.partition) > 0
		for _, r := range o.own.partition {
			if _, ok := d.equal(r); !ok {
				covered = false
			}
		}
		if covered {
			return true
		}
	}
	return false
}
