package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// A pointer is a small item under the identity of an entity that says under which key the entity lies. The table then
// has the key that a strongly consistent list asks for, which no global index serves, or a list that shows what often
// changes, which an index would repeat each time. Whoever knows the identity alone gets the pointer first. A key never
// changes, so neither does the pointer: it is put and deleted with its entity, in one transaction.

// pointers are the options of an entity under the keys of lists, with a pointer under the identity. strong are what
// strongly consistent lists want of it, and busy what other lists do that show what often changes.
func pointers(f *facts, e *spec.Entity, strong, busy []want, together []chain) (out []*option) {
	if f.unpointable(e) != "" {
		return nil
	}
	var shapes []*shape
	add := func(w want, partition []ref) bool {
		s := completed(f, e, &shape{partition: partition, sort: tail(w, partition)})
		if s == nil || len(s.refs()) == len(e.Identity) || slices.ContainsFunc(s.refs(), func(r ref) bool { return !r.local() }) ||
			slices.ContainsFunc(shapes, func(t *shape) bool { return t.key() == s.key() }) {
			return false
		}
		shapes = append(shapes, s)
		return true
	}
	put := func(s *shape, root *spec.Entity, busy bool) {
		o := &option{entity: e, own: s, root: root, pointer: true, busy: busy}
		o.name = o.text()
		out = append(out, o)
	}
	for _, w := range strong {
		if identified(e, w.equal) {
			continue // it finds one entity: a marker or the identity does that
		}
		w = w.lasting(f)
		for _, p := range partitions(w, strong) {
			add(w, p)
		}
	}
	for _, s := range shapes {
		put(s, nil, false)
		for _, c := range together {
			if joined := s.under(c); joined != nil {
				put(joined, c.to(), false)
			}
		}
	}
	for _, w := range busy {
		last := w.lasting(f)
		whole := len(last.equal) == len(w.equal) && (len(last.then) == len(w.then) || !w.paged) // else it would read much that it does not show
		if whole && !identified(e, last.equal) && add(last, last.equal) {
			put(shapes[len(shapes)-1], nil, true)
		}
	}
	return out
}

// unpointable is why no pointer can follow an entity; "" if one can: each entity is made once, and what ends both does not
// change. A write that is all or nothing puts and deletes both. Another one puts the pointer first and deletes it last. If it
// breaks off in between, it leaves a pointer that leads nowhere, which nobody notices unless the identity is used again.
func (f *facts) unpointable(e *spec.Entity) string {
	for _, a := range e.Identity {
		if !composable(a) {
			return a.Name + " of its identity cannot be a part of a key with others"
		}
	}
	for _, a := range []*spec.Attribute{e.Expires, e.Kept} {
		if a != nil && len(f.changed[a]) > 0 {
			return f.changed[a][0].pattern.Name + " changes " + a.Name + ", which ends the item under the identity as well; let it stay"
		}
	}
	for _, t := range f.of[e] {
		switch {
		case t.verb == spec.Replace || t.verb == spec.Upsert || t.verb == spec.Update && t.action.Makes:
			return t.pattern.Name + " may write over a " + e.Name + " that lies elsewhere; say `create` of new ones, and `update` of others"
		case t.verb == spec.Create && !t.pattern.Atomic && !f.neverTwice(e):
			return t.pattern.Name + " need not write all at once, and the identity of a " + e.Name + " may come twice; let it be generated"
		}
	}
	return ""
}

// unpointed says of every strongly consistent list that nothing serves why its entity cannot lie under the key of the list.
func (s *solution) unpointed() (out []string) {
	c, f := s.cheapest, s.planner.facts
	for i, d := range c.demands {
		if len(c.choices[i]) > 0 || len(lists([]*demand{d})) == 0 || d.locates != nil {
			continue
		}
		if why := f.whyUnpointed(d); why != "" {
			out = append(out, d.name+" could be strong by a table key of its own, with an item under the identity that says where: "+why)
		}
	}
	return out
}

// whyUnpointed is what keeps the target of a demand from lying under the key that the demand gives; "" if nothing is known.
func (f *facts) whyUnpointed(d *demand) string {
	if why := f.unlisted(d); why != "" {
		return why
	}
	return f.unpointable(d.target)
}

// lists are the demands that must see what was answered before and look for several entities, by other keys than their own.
func lists(ds []*demand) (out []*demand) {
	for _, d := range ds {
		if d.strong && !d.snapshot {
			out = append(out, d)
		}
	}
	return out
}

// busy are what other lists want of an entity that show what changes more than twice as often as one is made or
// deleted: an index repeats each of these changes, while a pointer is written with its entity only, and read with what
// changes it.
func (f *facts) busy(e *spec.Entity, ds []*demand) (out []want) {
	for _, d := range ds {
		if d.target != e || d.strong || d.locates != nil || d.whole {
			continue
		}
		var changes, turns float64
		for _, t := range f.of[e] {
			often := t.pattern.Rate.Average * t.times.average
			switch {
			case t.verb != spec.Update || t.action.Makes:
				turns += often
			case slices.ContainsFunc(d.needs, func(x ref) bool { return x.local() && slices.Contains(f.changed[x.attr], t) }):
				changes += often
			}
		}
		if changes > 2*turns {
			out = append(out, wants(f, []*demand{d})[e]...)
		}
	}
	return out
}

// markers are the sets of attributes of which a kind has an item each, under their values.
func (k *kind) markers() [][]*spec.Attribute {
	var out [][]*spec.Attribute
	for _, u := range k.option.claims() {
		out = append(out, u.Of)
	}
	if k.option.pointer {
		out = append(out, k.entity.Identity)
	}
	return out
}

// told are the parts of a kind's key that its markers tell besides the identity.
func (k *kind) told() (out []ref) {
	if !k.option.pointer {
		return nil
	}
	for _, r := range k.option.own.refs() {
		if !hasRef(identityRefs(k.entity), r) {
			out = append(out, r)
		}
	}
	return out
}

// byPointer gets the pointer, then the item to which it leads.
func (s *seeker) byPointer(a ask, k *kind) []*access {
	if !k.option.pointer {
		return nil
	}
	if f, ok := fitKey(a, k.option.own); ok && f.full {
		return nil // the key is known
	}
	m := &readStep{
		verb: verbGet, kinds: []*spec.Entity{a.entity}, marker: a.entity.Identity, prev: a.prev, per: a.per, found: oneMatch, strong: s.d.strong,
	}
	for _, r := range identityRefs(a.entity) {
		i := slices.IndexFunc(a.eqs, func(e equality) bool { return e.ref.same(r) })
		if i < 0 {
			return nil
		}
		m.eqs = append(m.eqs, a.eqs[i])
	}
	next := a
	next.eqs = slices.DeleteFunc(slices.Clone(a.eqs), func(e equality) bool { return hasRef(identityRefs(a.entity), e.ref) })
	for _, r := range k.option.own.refs() {
		if !slices.ContainsFunc(next.eqs, func(e equality) bool { return e.ref.same(r) }) {
			next.eqs = append(next.eqs, equality{ref: r, value: "@" + r.key()})
		}
	}
	next.prev, next.base, next.depth = a.base, a.base+1, a.depth+1
	var out []*access
	for _, acc := range s.table(next, k) {
		out = append(out, &access{
			steps: append([]*readStep{m}, acc.steps...), sorted: true, keep: acc.keep, found: oneMatch, rule: "pointer",
		})
	}
	return out
}

// lead puts the pointer to a new entity: if there is one already, so is the entity.
func (w *writer) lead(t *touch, put *act) {
	a := &act{verb: actPut, touch: t, entity: t.entity, marker: t.entity.Identity, times: t.times, value: put.value, each: put.each, conds: []string{"absent"}}
	for _, x := range put.with {
		if hasRef(w.layout.kinds[t.entity].option.own.refs(), ref{from: t.entity, attr: t.entity.Attribute(x.path)}) {
			a.with = append(a.with, x)
		}
	}
	w.do(a)
}

// unlead deletes the pointer to what an act deletes.
func (w *writer) unlead(t *touch, a *act) {
	m := &act{verb: actDelete, touch: t, entity: a.entity, marker: a.entity.Identity, times: t.times, each: a.each}
	for _, x := range a.entity.Identity {
		for _, k := range a.key {
			if k.path == x.Name {
				m.key = append(m.key, k)
			}
		}
	}
	w.do(m)
}

// placed completes a key that has the identity alone by what the pointer says, which is read first; nil if it cannot be.
func (w *writer) placed(e *spec.Entity, key []assignment, each string) []assignment {
	k := w.layout.kinds[e]
	told := func(r ref) bool {
		return slices.ContainsFunc(key, func(x assignment) bool { return x.path == r.key() })
	}
	if !slices.ContainsFunc(k.option.own.refs(), func(r ref) bool { return !told(r) }) {
		return key
	}
	if each != "" {
		return nil
	}
	t := w.getPointer(e, key, "", "")
	if t == nil {
		return nil
	}
	out := slices.Clone(key)
	for _, r := range k.option.own.refs() {
		if !told(r) {
			out = append(out, assignment{r.key(), "$" + t.foundAs() + "." + r.key()})
		}
	}
	return out
}

// getPointer adds a strongly consistent read of the pointer to what has an identity, or for each element of a list; nil
// if the key does not have the identity, or something else is read that the plan would call the same.
func (w *writer) getPointer(e *spec.Entity, key []assignment, each, as string) *readStep {
	t := &readStep{
		verb: verbGet, kinds: []*spec.Entity{e}, marker: e.Identity, each: each, as: as,
		prev: -1, per: oneMatch, found: oneMatch, strong: true,
	}
	for _, r := range identityRefs(e) {
		for _, x := range key {
			if x.path == r.key() {
				t.eqs = append(t.eqs, equality{ref: r, value: x.value})
			}
		}
	}
	if len(t.eqs) != len(e.Identity) {
		return nil
	}
	return w.read(t)
}

// follow completes the key of an act on what lies behind a pointer. Whether it is there, the pointer tells as well.
func (w *writer) follow(a *act) {
	name := w.plan.pattern.Name
	if a.verb == actCheck && slices.Equal(a.conds, []string{"present"}) && len(a.key) == len(a.entity.Identity) {
		a.marker = a.entity.Identity
		return
	}
	if a.verb == actDelete && a.touch.action.Condition == nil && len(w.plan.pattern.Actions) > 1 {
		w.refuse("%s deletes a %s whose place is read first, and does more: a missing one would keep the rest from being done. State `condition: present` on the delete, so that a missing one is refused", name, a.entity.Name)
		return
	}
	key := w.placed(a.entity, a.key, a.each)
	if key == nil {
		w.refuse("%s would have to read where several %s lie", name, a.entity.Name)
		return
	}
	a.key = key
}

// foundAs is what a plan calls what a write reads first.
func (t *readStep) foundAs() string {
	if t.as != "" {
		return t.as + "Found"
	}
	if t.marker != nil {
		return lowerFirst(markerName(t.kinds[0], t.marker)) + "Found"
	}
	return foundName(t.kinds[0])
}
