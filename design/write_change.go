package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// What changes or ends stored entities: the item itself and the markers of its unique attributes; write_count.go has
// what is counted of it, write_children.go its copies and children. What a call does not say is read first, strongly
// consistent, and tested again by the write unless it can never change.

// update changes an item in place.
func (w *writer) update(t *touch) {
	e := t.entity
	if w.layout.options[e] == nil {
		return
	}
	a := &act{verb: actUpdate, touch: t, entity: e, times: t.times, each: t.each, conds: []string{"present"}}
	if t.action.Makes || t.action.AdmitsNone() {
		a.conds = nil
	}
	for _, k := range t.action.Key {
		a.key = append(a.key, assignment{k.Path.String(), k.Value.String()})
	}
	for _, s := range t.action.Set {
		a.set = append(a.set, assignment{s.Path.String(), s.Value.String()})
		if x := e.Attribute(s.Path[0]); x != nil {
			a.changes = append(a.changes, x)
			if x.States != nil && len(s.Path) == 1 {
				a.conds = append(a.conds, x.Name+" in before("+s.Value.String()+")")
			}
		}
	}
	for _, x := range e.Attributes { // what is made begins in its first states
		if t.action.Makes && x.States != nil {
			a.set = append(a.set, assignment{x.Name, "if_missing(" + x.Name + ", '" + x.States.Names[0] + "')"})
		}
	}
	for _, p := range t.action.Remove {
		a.remove = append(a.remove, p.String())
		if x := e.Attribute(p[0]); x != nil {
			a.changes = append(a.changes, x)
		}
	}
	if t.action.Checks() {
		a.verb, a.asks, a.as = actCheck, w.facts.settled(t), "tested"+e.Name
	}
	for _, x := range e.Attributes {
		if x.Generated == "version" && a.verb == actUpdate {
			a.changes = append(a.changes, x)
		}
	}
	if c := t.action.Condition; c != nil {
		text := c.String()
		if t.action.Makes {
			text = (&spec.Logic{Op: "or", Args: []spec.Condition{&spec.Test{Op: "absent"}, c}}).String()
		}
		a.conds, a.orElse = append(a.conds, text), t.action.Refusal
	}
	if o := w.layout.options[e]; o.within != nil {
		w.enter(a, o)
	} else {
		w.find(a, t)
	}
	if t.action.Makes && (a.inside != nil || a.locate != nil) {
		w.refuse("%s may make a %s, and does not know where it would lie", w.plan.pattern.Name, e.Name)
		return
	}
	w.do(a)
	w.list(t, a)
	w.fill(t, a)
	w.readFirst(t, a)
	w.reclaim(t, a)
	w.recount(t, a)
	w.require(t, a)
	w.rederive(t, a)
	w.copies(t, a)
	w.halve(a)
}

// enters reports whether an update may bring an item into a sparse index, or leave it there: what it sets of the state
// does not keep the item out.
func (t *touch) enters(x *indexShape) bool {
	if t.entity != x.entity || t.verb != spec.Update || !t.action.Changes(x.state.Name) {
		return false
	}
	s, ok := given(t, x.state)
	if !ok || s.Value.Op != "" || s.Value.Literal.IsZero() {
		test, exists := x.sparse.(*spec.Test)
		return ok || !exists || test.Op != "exists"
	}
	return x.holds(s.Value.Literal)
}

// list gives an update that may bring an item into a sparse local index what the key there is made of. What the key of
// the item does not tell is read first.
func (w *writer) list(t *touch, a *act) {
	for _, x := range w.extras[a.entity].lists {
		if !t.enters(x) {
			continue
		}
		for _, r := range partRefs(x.sort) {
			if slices.ContainsFunc(a.key, func(k assignment) bool { return k.path == r.key() }) {
				continue
			}
			if t.action.Makes {
				w.refuse("%s may make a %s, and does not know its %s", w.plan.pattern.Name, a.entity.Name, r.key())
				return
			}
			with := assignment{r.key(), w.old(a, r.attr)}
			if !slices.Contains(a.with, with) {
				a.with = append(a.with, with)
			}
		}
	}
}

// fill makes an update that may make an item write the copies that the item holds. They are read first. The update
// cannot know whether the item exists; if it does, its copies already have the same values.
func (w *writer) fill(t *touch, a *act) {
	if !t.action.Makes {
		return
	}
	for _, c := range w.extras[a.entity].copies {
		way := c.hops[0].way
		var q *readStep
		if len(c.hops) == 1 && w.facts.ensured(t, way) {
			if q = w.get(way.To, t.leads(way)); q == nil {
				q = w.getAs(way, t.leads(way))
			}
		}
		if q == nil {
			w.refuse("%s may make a %s, and does not know its %s", w.plan.pattern.Name, a.entity.Name, c.key())
			return
		}
		value := "$" + q.foundAs() + "." + c.attr.Name
		a.set = append(a.set, assignment{c.key(), value})
		if len(w.facts.changed[c.attr]) > 0 && !w.facts.rechecked(c) { // it must still be so when the item is written
			w.do(w.joins(c, &act{
				verb: actCheck, touch: t, entity: way.To, times: t.times, key: t.leads(way), conds: []string{"present", c.attr.Name + " = " + value},
			}))
		}
	}
}

// readFirst reads what other actions use of the item of an act.
func (w *writer) readFirst(t *touch, a *act) {
	for _, x := range t.action.Found {
		w.stored(a, x) // under the name that the others use
	}
}

// delete removes an item with the children that go with it.
func (w *writer) delete(t *touch) {
	e := t.entity
	if w.layout.options[e] == nil {
		return
	}
	a := &act{verb: actDelete, touch: t, entity: e, times: t.times, each: t.each}
	for _, k := range t.action.Key {
		a.key = append(a.key, assignment{k.Path.String(), k.Value.String()})
	}
	if c := t.action.Condition; c != nil {
		a.conds, a.orElse = []string{"present", c.String()}, t.action.Refusal
	}
	if o := w.layout.options[e]; o.within != nil && !o.held {
		w.enter(a, o)
	} else {
		w.find(a, t)
	}
	if a.locate != nil {
		w.refuse("%s would have to find the key of the %s, and a missing one is no mistake", w.plan.pattern.Name, e.Name)
	}
	from := len(w.plan.acts)
	w.do(a)
	w.readFirst(t, a)
	for _, u := range w.layout.options[e].claims() {
		before, _ := t.action.Decides(u.While)
		if before == spec.Never {
			continue
		}
		if before == spec.Always && !slices.ContainsFunc(u.Of, func(x *spec.Attribute) bool { return x.Optional }) {
			w.present(a)
		}
		w.release(t, a, u)
	}
	if w.layout.options[e].pointer {
		w.present(a)
		w.unlead(t, a)
	}
	if o := w.layout.options[e]; o.held {
		w.drop(t, a, o)
	}
	w.uncount(t, a)
	w.forget(t, a)
	w.halve(a)
	asked := *a // what lies under the key goes, whether or not there is something itself
	asked.still = false
	w.found(from, a)
	w.unite(from)
	for _, c := range t.inner {
		w.cascade(c, &asked)
	}
}

// found has the deletes of a list that was read first, and of what goes with each, be done for what was found: where
// they need not be all or nothing, each is a transaction of its own.
func (w *writer) found(from int, a *act) {
	if list := a.each; !w.plan.pattern.Atomic && list != "" && a.still {
		key := a.key
		for _, b := range w.plan.acts[from:] {
			if b.each != list {
				continue
			}
			if b.each = a.every(); slices.Equal(b.key, key) {
				b.key = nil
				for _, x := range a.entity.Identity {
					b.key = append(b.key, assignment{x.Name, "$each." + x.Name})
				}
			}
		}
	}
}

// present has an act do nothing, and nothing else with it, where the item is not there: what goes with it would be
// undone twice. Where it is one of several actions, or of several items, a missing item must not keep the others from
// being done: it is read first, and what goes with it is only done if it was found.
func (w *writer) present(a *act) {
	if a.still {
		return
	}
	if a.verb == actDelete && a.touch.action.Condition == nil && (len(w.plan.pattern.Actions) > 1 || a.each != "") {
		if w.still(a) {
			return
		}
		w.refuse("%s deletes a %s that may be missing, and does more: what goes with it cannot be left out alone. State `condition: present` on the delete, so that a missing one is refused", w.plan.pattern.Name, a.entity.Name)
		return
	}
	if !slices.Contains(a.conds, "present") {
		a.conds = append([]string{"present"}, a.conds...)
	}
}

// still has the item of an act, or the items of all elements, be read first: whoever changes them in between has the
// call begin anew. false if the layout cannot.
func (w *writer) still(a *act) bool {
	if !w.plan.pattern.Atomic && a.each != "" && a.verb != actDelete || a.locate != nil || a.inside != nil || a.beside() || w.getEach(a.entity, a.key, a.each) == nil {
		return false
	}
	a.still = true
	return true
}

// every is the list that what goes with the item of an act is repeated for: the items that were read first, or the
// elements that the act is.
func (a *act) every() string {
	if a.still {
		return "$" + foundName(a.entity)
	}
	return a.each
}

// old is a value that the item of an act has before it: part of its key, what its condition says it is, or read first
// and, unless it never changes, tested by the act.
func (w *writer) old(a *act, x *spec.Attribute) string {
	if value, ok := w.told(a, x); ok && !a.still {
		return value
	}
	return w.stored(a, x)
}

// told is what the condition of an act says that an attribute of its item is: the act is refused where it is anything
// else, or absent. false if the condition does not say it.
func (w *writer) told(a *act, x *spec.Attribute) (string, bool) {
	if a.verb != actUpdate && a.verb != actDelete || a.beside() || a.touch.entity != a.entity || a.touch.action.Makes {
		return "", false
	}
	return a.touch.told(x)
}

// told is what the condition of a touch says that an attribute was before it; false if it does not say that.
func (t *touch) told(x *spec.Attribute) (string, bool) {
	for _, c := range spec.Conjuncts(t.action.Condition) {
		test, ok := c.(*spec.Test)
		if !ok || test.Op != "=" || len(test.Path) != 1 || test.Path[0] != x.Name || len(test.Args) != 1 {
			continue
		}
		if v := test.Args[0]; v.Op == "" && !v.Neg && (!v.Literal.IsZero() || t.passes(v.Reference)) {
			return v.String(), true
		}
	}
	return "", false
}

// passes reports whether each call has a value for a reference.
func (t *touch) passes(r spec.Reference) bool {
	if len(r) == 0 {
		return false
	}
	name := r[0]
	if name == "each" && len(t.action.Each) == 1 {
		name = t.action.Each[0]
	}
	q := t.pattern.Parameter(name)
	switch {
	case q == nil || q.Optional:
		return false
	case len(r) == 1:
		return name == r[0]
	case len(r) > 2 || q.Entity == nil:
		return false
	}
	x := q.Entity.Attribute(r[1])
	return x != nil && !x.Optional
}

// stored is a value that the item of an act has before it, as old but for what its condition says.
func (w *writer) stored(a *act, x *spec.Attribute) string {
	key := slices.IndexFunc(a.key, func(k assignment) bool { return k.path == x.Name })
	switch {
	case key >= 0 && (!a.still || a.each == ""): // the call gives it, found or not
		return a.key[key].value
	case a.still:
		return "$each." + x.Name
	}
	if value := w.followed(a, x); value != "" {
		return value
	}
	switch {
	case a.each != "" || a.locate != nil:
		w.refuse("%s would have to read %s of several %s first", w.plan.pattern.Name, x.Name, a.entity.Name)
		return ""
	case x.Optional:
		w.refuse("%s would have to read %s.%s first, which may be absent", w.plan.pattern.Name, a.entity.Name, x.Name)
		return ""
	}
	if w.get(a.entity, a.key) == nil {
		w.refuse("%s would have to read %s.%s first, and does not know the key", w.plan.pattern.Name, a.entity.Name, x.Name)
		return ""
	}
	value := "$" + foundName(a.entity) + "." + x.Name
	if test := x.Name + " = " + value; len(w.facts.changed[x]) > 0 && !slices.Contains(a.conds, test) {
		a.conds = append(a.conds, test)
	}
	return value
}

// first reads the items of a list first where their keys do not tell all of some attributes.
func (w *writer) first(a *act, xs []*spec.Attribute) {
	known := func(x *spec.Attribute) bool {
		_, told := w.told(a, x)
		return told || slices.ContainsFunc(a.key, func(k assignment) bool { return k.path == x.Name })
	}
	if a.each != "" && !a.still && slices.ContainsFunc(xs, func(x *spec.Attribute) bool { return !known(x) }) {
		w.still(a)
	}
}

// followed reads an attribute that lies at the end of a way where it is, by the foreign key that is part of the key of
// an act; "" if the key does not lead there, or the attribute changes.
func (w *writer) followed(a *act, x *spec.Attribute) string {
	if !x.Follows() || a.each != "" {
		return ""
	}
	r := ref{from: a.entity, attr: x}.canonical()
	if len(r.hops) != 1 || r.hops[0].back || !w.facts.fixed(r) {
		return ""
	}
	var key []assignment
	for i, by := range r.hops[0].way.By {
		at := slices.IndexFunc(a.key, func(k assignment) bool { return k.path == by.Name })
		if at < 0 {
			return ""
		}
		key = append(key, assignment{r.hops[0].way.To.Identity[i].Name, a.key[at].value})
	}
	q := w.get(r.hops[0].way.To, key)
	if q == nil {
		q = w.getAs(r.hops[0].way, key)
	}
	if q == nil {
		return ""
	}
	return "$" + q.foundAs() + "." + r.attr.Name
}

// given is what an update sets an attribute to; false if it leaves it as it is.
func given(t *touch, x *spec.Attribute) (spec.Assign, bool) {
	if x == nil {
		return spec.Assign{}, false
	}
	for _, s := range t.action.Set {
		if len(s.Path) == 1 && s.Path[0] == x.Name {
			return s, true
		}
	}
	return spec.Assign{}, false
}

// reclaim moves the markers of what an update changes: the new value's must not be there, the old one's goes. What is
// unique for a while has a marker for that while.
func (w *writer) reclaim(t *touch, a *act) {
	o := w.layout.options[a.entity]
	for _, u := range o.claims() {
		gives, gets := t.action.Turns(u)
		r := o.roster(u.Of)
		if r != nil && !w.enrol(t, a, r, gives || gets) {
			continue
		}
		var with []assignment
		for _, x := range a.entity.Attributes {
			if !u.Rests(x) && (r == nil || !r.has(x)) || !slices.Contains(a.changes, x) || t.action.Removes(x.Name) {
				continue
			}
			if x.Generated == "version" {
				with = append(with, assignment{x.Name, "$" + foundName(a.entity) + "." + x.Name + " + 1"})
				continue
			}
			s, ok := given(t, x)
			if !ok || fromStored(s.Value) {
				if !gives && !gets {
					continue
				}
				value := ""
				if ok && !u.Rests(x) {
					value = w.computed(a, s.Value)
				}
				if value == "" {
					w.refuse("%s gives %s.%s, on which rests what is unique, a value that is computed", w.plan.pattern.Name, a.entity.Name, x.Name)
					return
				}
				with = append(with, assignment{x.Name, value})
				continue
			}
			with = append(with, assignment{x.Name, s.Value.String()})
		}
		if gives {
			w.release(t, a, u)
		}
		if !gets {
			continue
		}
		if a.each == "" && w.get(a.entity, a.key) == nil || a.each != "" && !a.still && !w.still(a) {
			w.refuse("%s would have to read the %s whose %s it changes", w.plan.pattern.Name, a.entity.Name, joinNames(u.Of))
			return
		}
		if a.each != "" && slices.ContainsFunc(with, func(x assignment) bool { return mentionsEach(x.value) }) {
			w.refuse("%s would have to read several %s first, and mark each with something else of its own", w.plan.pattern.Name, a.entity.Name)
			return
		}
		if i := slices.IndexFunc(a.entity.Attributes, func(x *spec.Attribute) bool { return u.Tests(x) && t.action.Removes(x.Name) }); i >= 0 {
			w.refuse("%s removes %s of a %s, which may make its %s unique again, and a marker is put of what is there; let a state say so", w.plan.pattern.Name, a.entity.Attributes[i].Name, a.entity.Name, joinNames(u.Of))
			return
		}
		if !gives && !w.still(a) { // its values are used as they were
			w.refuse("%s would have to write all at once, and to read the %s that becomes unique first", w.plan.pattern.Name, a.entity.Name)
			return
		}
		for _, x := range u.Of { // what was read may have changed since to what the condition says
			if value, told := w.told(a, x); told && !a.still && !slices.Contains(a.changes, x) {
				with = append(with, assignment{x.Name, value})
			}
		}
		put := &act{verb: actPut, touch: t, entity: a.entity, marker: u.Of, times: t.times, value: "$" + foundName(a.entity), with: with}
		if a.each != "" {
			put.each, put.value = a.every(), "$each"
		}
		if r == nil || r.sole {
			put.conds = []string{"absent"}
		}
		w.do(put)
	}
}

// computed is a value that an act computes from what its item has, as one that is computed from the item which is read
// first and must still be so: the marker that is put anew has the same. "" if what it is computed from may be absent,
// or lies elsewhere. What a marker has in its key is not computed so: what a condition refuses would have to be written
// into the key before it is refused.
func (w *writer) computed(a *act, v spec.Expr) string {
	for t := range v.Terms() {
		if len(t.Path) == 0 {
			continue
		}
		if x := a.entity.Attribute(t.Path[0]); len(t.Path) > 1 || x == nil || x.Optional || x.Derived != nil {
			return ""
		}
	}
	if a.each != "" || !a.still && !w.still(a) {
		return ""
	}
	return v.Map(func(t spec.Expr) spec.Expr {
		if len(t.Path) > 0 {
			t.Reference, t.Path = spec.Reference{foundName(a.entity), t.Path[0]}, nil
		}
		return t
	}).String()
}

// fromStored reports whether a value is computed from what is stored, which no call knows.
func fromStored(v spec.Expr) bool {
	for t := range v.Terms() {
		if len(t.Path) > 0 {
			return true
		}
	}
	return false
}

// release deletes the marker of what is unique as it was.
func (w *writer) release(t *touch, a *act, u spec.Unique) {
	w.first(a, u.Of)
	before, _ := t.action.Decides(u.While)
	untold := func(x *spec.Attribute) bool {
		_, told := w.told(a, x)
		return x.Optional && !told
	}
	if !a.still && (before != spec.Always || slices.ContainsFunc(u.Of, untold)) {
		if !w.still(a) && before != spec.Always { // what was absent, or not unique for what it was, has no marker
			w.refuse("%s would have to read first whether the %s of a %s is unique for what it is (%s), and to write all at once", w.plan.pattern.Name, joinNames(u.Of), a.entity.Name, u.While)
			return
		}
	}
	m := &act{verb: actDelete, touch: t, entity: a.entity, marker: u.Of, times: t.times, each: a.every()}
	for _, x := range u.Of {
		m.key = append(m.key, assignment{x.Name, w.old(a, x)})
	}
	w.do(m)
}

// valueOf is how the plan calls the value of a touch.
func valueOf(t *touch) string {
	if t.each != "" {
		return "$each"
	}
	return t.source
}
