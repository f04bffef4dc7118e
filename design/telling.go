package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// What is unique has a marker under its values. Whoever looks an entity up by them gets the marker, which says whose it
// is, and then the item. A marker that also has what is asked saves the second get, and an index by the same values. It
// costs nothing where an entity is made or its marker moves, since the marker is written there in any case. Whatever
// else changes what it shows has to write it too, so that it is a candidate only where that is rarer than the reads. A
// roster that has the attributes of what is unique as its whole key is such a marker: see [roster.sole].

// tellers are the options of an entity whose markers of what is unique tell what reads by it want: each of them, and
// all.
func tellers(f *facts, e *spec.Entity, options []*option, ds []*demand) (out []*option) {
	var found []*roster
	for _, u := range e.Unique {
		if r := f.teller(u, ds); r != nil && f.unlistable(e, r.while) == "" {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil
	}
	sets := [][]*roster{found}
	if len(found) > 1 {
		for _, r := range found {
			sets = append(sets, []*roster{r})
		}
	}
	for _, o := range options {
		if !o.listable() {
			continue
		}
		for _, set := range sets {
			out = append(out, o.listing(set))
		}
	}
	return out
}

// teller is the marker of what is unique with all that the reads by it want; nil: there are none, or it cannot have
// that.
func (f *facts) teller(u spec.Unique, ds []*demand) *roster {
	e := u.Of[0].Entity
	if slices.ContainsFunc(u.Of, func(a *spec.Attribute) bool { return !keyType(a) || len(u.Of) > 1 && !composable(a) }) {
		return nil
	}
	r := &roster{shape: shape{partition: refsOf(e, u.Of)}, of: u.Of, while: u.While, sole: true, asked: true}
	for _, x := range identityRefs(e) {
		if !r.has(x.attr) {
			r.store(x.attr)
		}
	}
	reads := 0.0
	for _, d := range ds {
		if d.target != e || d.locates != nil || !d.by(u) {
			continue
		}
		needs := slices.Clone(d.needs)
		if d.expiry != nil {
			needs = append(needs, ref{from: e, attr: d.expiry})
		}
		if q := r.showing(f, needs); q != nil {
			r, reads = q, reads+d.rate.Average
		}
	}
	changes := 0.0
	for _, t := range f.of[e] {
		shown := func(a *spec.Attribute) bool { return slices.Contains(f.changed[a], t) }
		if t.verb == spec.Update && !t.turns(u) && slices.ContainsFunc(r.stores, shown) {
			changes += t.pattern.Rate.Average * t.times.average
		}
	}
	if reads <= changes {
		return nil
	}
	return r
}

// turns reports whether an update always moves, makes or ends the marker of what is unique.
func (t *touch) turns(u spec.Unique) bool {
	gives, gets := t.action.Turns(u)
	return gives || gets
}

// by reports whether a demand gives all of what is unique, and asks only for what claims it.
func (d *demand) by(u spec.Unique) bool {
	if !u.Always() && !d.target.Implies(d.pattern.Where, u.While) {
		return false
	}
	return !slices.ContainsFunc(u.Of, func(a *spec.Attribute) bool {
		_, ok := d.equal(ref{from: d.target, attr: a})
		return !ok
	})
}

// telling is the marker of an option that has the values of what is unique, and all that is asked; nil: there is none.
func (o *option) telling(u spec.Unique, needs []ref) *roster {
	r := o.roster(u.Of)
	if r == nil || !r.sole || slices.ContainsFunc(needs, func(x ref) bool { return !r.shows(x) }) {
		return nil
	}
	return r
}

// told gets the marker of what is unique alone, where that tells all that an ask needs, and all that remains to be
// tested.
func (s *seeker) told(a ask, k *kind, u spec.Unique, get *readStep, left []equality) *access {
	left = slices.DeleteFunc(slices.Clone(left), func(e equality) bool {
		return e.test != nil && u.While != nil && e.test.String() == u.While.String()
	})
	keep := fit{left: left, over: a.ranges}.leftovers()
	needs := append(slices.Clone(a.needs), tested(keep)...)
	if len(a.inside) > 0 || k.option.telling(u, needs) == nil {
		return nil
	}
	m := *get
	return &access{steps: []*readStep{&m}, sorted: true, keep: keep, found: oneMatch, rule: "telling marker"}
}
