package design

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// Copies whose items the table does not find. Whoever changes a value writes all copies of it anew, and has to find the items that
// hold one by a strongly consistent query. Where the table has another key than the foreign key, a roster by that lists them.

// copiers are the options of an entity with rosters by the ways to what its items could hold copies of: by each, and by all.
func copiers(f *facts, e *spec.Entity, options []*option, ds []*demand) (out []*option) {
	if f.unlistable(e, nil) != "" {
		return nil
	}
	ways := f.rewritten(e, ds)
	for _, o := range options {
		if !o.listable() {
			continue
		}
		all, more := o, 0
		for _, way := range ways {
			out = append(out, o.copying(way)...)
			if next := all.copying(way); len(next) > 0 {
				all, more = next[0], more+1
			}
		}
		if more > 1 {
			out = append(out, all)
		}
	}
	return out
}

// copying are the forms of an option in which a roster lists all that a way leads to the same entity from. It has none where a query
// finds that already. A roster that shows some of it to reads can list all of it and show its state, or another roster lists it.
func (o *option) copying(way *spec.Relationship) (out []*option) {
	r := childList(way)
	if r == nil || o.lists(way) || o.listedBy(foreign(way)) != nil {
		return nil
	}
	alike := func(x *roster) bool { return refsKey(x.shape.partition) == refsKey(r.shape.partition) }
	if i := slices.IndexFunc(o.rosters, alike); i >= 0 {
		if len(o.rosters[i].stores) == 0 {
			return nil // the keys of all do for both
		}
		q := *o
		q.rosters = slices.Clone(o.rosters)
		q.rosters[i] = q.rosters[i].whole(way)
		q.name = q.text()
		out = append(out, &q)
	}
	if o.roster(r.of) != nil { // markers are told apart by what they are of
		slices.Reverse(r.of)
	}
	if o.roster(r.of) == nil && !slices.Equal(r.of, way.From.Identity) {
		out = append(out, o.listing([]*roster{r}))
	}
	return out
}

// whole is a roster that lists what meets its condition and what does not.
func (r *roster) whole(way *spec.Relationship) *roster {
	q := *r
	q.while, q.state, q.way = nil, nil, way
	if !r.has(r.state) {
		q.store(r.state)
	}
	return &q
}

// lists reports whether a query of the table finds all that a way leads to the same entity from.
func (o *option) lists(way *spec.Relationship) bool {
	fit, ok := fitKey(ask{eqs: foreign(way)}, o.own)
	return ok && len(fit.left) == 0
}

// rewritten lists the ways from an entity to values that change and that its items could copy. The write that changes
// such a value rewrites the copies.
func (f *facts) rewritten(e *spec.Entity, ds []*demand) (out []*spec.Relationship) {
	look := func(r ref) {
		if r.from != e || len(r.hops) != 1 || r.hops[0].back || slices.Contains(out, r.hops[0].way) ||
			!slices.ContainsFunc(f.changed[r.attr], func(t *touch) bool { return t.entity == r.owner() }) {
			return
		}
		if ok, _ := f.copyable(r); ok {
			out = append(out, r.hops[0].way)
		}
	}
	for _, d := range ds {
		for _, r := range d.needs {
			look(r)
		}
		for _, q := range d.eqs {
			look(q.ref)
		}
		for _, n := range d.ranges {
			look(n.ref)
		}
		for _, o := range d.order {
			look(o.ref)
		}
	}
	return out
}

// childList is the roster of all that a way leads to the same entity from; nil if it would be no key.
func childList(way *spec.Relationship) *roster {
	r := &roster{shape: shape{partition: refsOf(way.From, way.By)}, way: way}
	for _, x := range identityRefs(way.From) {
		if !hasRef(r.shape.partition, x) {
			r.shape.sort = append(r.shape.sort, keyPart{ref: x})
		}
	}
	for _, x := range r.shape.refs() {
		if !composable(x.attr) {
			return nil
		}
		r.of = append(r.of, x.attr)
	}
	if slices.Equal(r.of, way.From.Identity) { // that is the key of a table
		return nil
	}
	if len(r.shape.sort) == 0 || keyBytes(r.shape.partition) > float64(capacity.PartitionKeyBytes) || keyBytes(partRefs(r.shape.sort)) > float64(capacity.SortKeyBytes) {
		return nil
	}
	return r
}

// listedBy returns the roster of an option that lists all items with some values, whatever their state, or nil.
func (o *option) listedBy(eqs []equality) *roster {
	for _, r := range o.rosters {
		if fit, ok := fitKey(ask{eqs: eqs}, &r.shape); ok && r.while == nil && len(fit.left) == 0 && !fit.full {
			return r
		}
	}
	return nil
}
