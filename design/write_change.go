package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// What changes or ends stored entities: the item itself, the markers of its unique attributes, what is derived from it, and
// the children that go with it. What a call does not say is read first, strongly consistent, and tested again by the write
// unless it can never change.

// update changes an item in place.
func (w *writer) update(t *touch) {
	e := t.entity
	if w.layout.options[e] == nil {
		return
	}
	a := &act{verb: actUpdate, touch: t, entity: e, times: t.times, each: t.each, conds: []string{"present"}}
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
	for _, p := range t.action.Remove {
		a.remove = append(a.remove, p.String())
		if x := e.Attribute(p[0]); x != nil {
			a.changes = append(a.changes, x)
		}
	}
	for _, x := range e.Attributes {
		if x.Generated == "version" {
			a.changes = append(a.changes, x)
		}
	}
	if c := t.action.Condition; c != nil {
		a.conds, a.orElse = append(a.conds, c.String()), t.action.Refusal
	}
	w.find(a, t)
	w.do(a)
	w.reclaim(t, a)
	w.recount(t, a)
	w.require(t)
	w.rederive(t, a)
	w.copies(t, a)
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
	w.find(a, t)
	if a.locate != nil {
		w.refuse("%s would have to find the key of the %s, and a missing one is no mistake", w.plan.pattern.Name, e.Name)
	}
	w.do(a)
	for _, u := range e.Unique {
		w.present(a)
		w.release(t, a, u)
	}
	w.uncount(t, a)
	w.forget(t, a)
	for _, c := range t.inner {
		w.cascade(c, a)
	}
}

// present has an act do nothing, and nothing else with it, where the item is not there: what goes with it would be undone
// twice. Where it is one of several actions, a missing item must not keep the others from being done.
func (w *writer) present(a *act) {
	if a.verb == actDelete && len(w.plan.pattern.Actions) > 1 && a.touch.action.Condition == nil {
		w.refuse("%s deletes a %s that may be missing, and does more: what goes with it cannot be left out alone (a condition on the delete makes a missing one a refusal)", w.plan.pattern.Name, a.entity.Name)
		return
	}
	if !slices.Contains(a.conds, "present") {
		a.conds = append([]string{"present"}, a.conds...)
	}
}

// old is a value that the item of an act has before it: part of its key, or read first and, unless it never changes, tested
// by the act.
func (w *writer) old(a *act, x *spec.Attribute) string {
	for _, k := range a.key {
		if k.path == x.Name {
			return k.value
		}
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

// reclaim moves the markers of unique attributes that an update changes: the new value's must not be there, the old one's
// goes.
func (w *writer) reclaim(t *touch, a *act) {
	for _, u := range a.entity.Unique {
		changed := func(x *spec.Attribute) bool { return slices.Contains(a.changes, x) }
		if !slices.ContainsFunc(u, changed) {
			continue
		}
		var with []assignment
		for _, x := range u {
			s, ok := given(t, x)
			switch {
			case ok && len(s.Value.Reference) > 0 && !strings.ContainsRune(s.Value.String(), ' '):
				with = append(with, assignment{x.Name, s.Value.String()})
			case changed(x):
				w.refuse("%s gives the unique %s.%s a value that is computed or taken away", w.plan.pattern.Name, a.entity.Name, x.Name)
				return
			}
		}
		w.release(t, a, u)
		if w.get(a.entity, a.key) == nil {
			w.refuse("%s would have to read the %s whose %s it changes", w.plan.pattern.Name, a.entity.Name, joinNames(u))
			return
		}
		w.do(&act{
			verb: actPut, touch: t, entity: a.entity, marker: u, times: t.times, value: "$" + foundName(a.entity), with: with,
			conds: []string{"absent"},
		})
	}
}

// release deletes the marker of unique attributes as they were.
func (w *writer) release(t *touch, a *act, u []*spec.Attribute) {
	m := &act{verb: actDelete, touch: t, entity: a.entity, marker: u, times: t.times}
	for _, x := range u {
		m.key = append(m.key, assignment{x.Name, w.old(a, x)})
	}
	w.do(m)
}

// A count is what a parent keeps of its children: how many there are, or the sum of an attribute.
type count struct {
	way *spec.Relationship
	at  *spec.Attribute // of the parent
	of  *spec.Attribute // of the child, that is summed; nil: they are counted
}

// rederive writes anew what an item holds of another one that an update makes it point to.
func (w *writer) rederive(t *touch, a *act) {
	for _, c := range pathsOf(t.entity) {
		way := c.from.hops[0].way
		if !slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return slices.Contains(a.changes, x) }) {
			continue
		}
		var key []assignment
		for i, x := range way.By {
			if s, ok := given(t, x); ok {
				key = append(key, assignment{way.To.Identity[i].Name, s.Value.String()})
			}
		}
		if len(c.from.hops) > 1 || c.from.attr.Optional || len(key) != len(way.By) || a.each != "" || !slices.Contains(t.action.Requires, way) {
			w.refuse("%s changes the %s of a %s, from which its %s is derived", w.plan.pattern.Name, way.Name, t.entity.Name, c.at.Name)
			continue
		}
		if w.get(way.To, key) == nil {
			w.refuse("%s would have to read the %s whose %s a %s holds", w.plan.pattern.Name, way.To.Name, c.from.attr.Name, t.entity.Name)
			continue
		}
		value := "$" + foundName(way.To) + "." + c.from.attr.Name
		a.set = append(a.set, assignment{c.at.Name, value})
		a.changes = append(a.changes, c.at)
		w.do(&act{verb: actCheck, touch: t, entity: way.To, times: t.times, key: key, conds: []string{"present", c.from.attr.Name + " = " + value}})
	}
}

// copies writes into all items that hold a value what an update changes it to, in the same transaction.
func (w *writer) copies(t *touch, a *act) {
	for _, e := range w.facts.req.Entities {
		for _, c := range pathsOf(e) {
			if c.from.owner() != t.entity || !slices.Contains(a.changes, c.from.attr) {
				continue
			}
			w.copy(t, a, e, c)
		}
	}
}

func (w *writer) copy(t *touch, a *act, e *spec.Entity, c derivation) {
	name := w.plan.pattern.Name
	s, ok := given(t, c.from.attr)
	switch {
	case !ok || len(s.Value.Reference) == 0 || strings.ContainsRune(s.Value.String(), ' '):
		w.refuse("%s computes %s.%s, which every %s holds", name, t.entity.Name, c.from.attr.Name, e.Name)
		return
	case len(c.from.hops) > 1 || a.each != "":
		w.refuse("%s changes %s.%s, which every %s holds", name, t.entity.Name, c.from.attr.Name, e.Name)
		return
	}
	way := c.from.hops[0].way
	each := w.children(way, a)
	if each == "" {
		return
	}
	n := childrenOf(way)
	b := &act{
		verb: actUpdate, touch: t, entity: e, times: t.times.many(n), each: each, key: w.eachKey(e),
		set: []assignment{{c.at.Name, s.Value.String()}}, changes: []*spec.Attribute{c.at}, conds: []string{"present"},
	}
	w.do(b)
}

// children reads the children of the item of an act by a way, strongly consistent, and answers what the plan calls them;
// "" if the layout has no query for that.
func (w *writer) children(way *spec.Relationship, parent *act) string {
	k, name := w.layout.kinds[way.From], w.plan.pattern.Name
	if k == nil {
		w.refuse("%s would have to read %s that lie in their parents", name, way.From.Name)
		return ""
	}
	q := &readStep{verb: verbQuery, kinds: []*spec.Entity{way.From}, prev: -1, per: oneMatch, strong: true}
	q.found = matches{average: way.PerParent.Average, most: way.PerParent.Max, members: way.To.Count, per: way}
	var eqs []equality
	for i, x := range way.By {
		eqs = append(eqs, equality{ref: ref{from: way.From, attr: x}, value: w.old(parent, way.To.Identity[i])})
	}
	fit, ok := fitKey(ask{eqs: eqs}, k.option.own)
	if !ok || len(fit.left) > 0 || fit.full {
		w.refuse("%s writes every %s of a %s, which no strongly consistent query of the table finds", name, way.From.Name, way.To.Name)
		return ""
	}
	if q.eqs = fit.eqs; w.read(q) == nil {
		w.refuse("%s would have to read %s twice", name, way.From.Name)
		return ""
	}
	return "$" + foundName(way.From)
}

// eachKey is the key of every item that was read.
func (w *writer) eachKey(e *spec.Entity) []assignment {
	var key []assignment
	for _, r := range w.layout.kinds[e].option.own.refs() {
		if !r.local() {
			w.refuse("%s does not know %s of every %s", w.plan.pattern.Name, r.key(), e.Name)
		}
		key = append(key, assignment{r.key(), "$each." + r.key()})
	}
	return key
}

// counts are what is derived from an entity in its parents. Layouts in which a parent is no concern of this component leave
// nothing out: what is derived joins components.
func (w *writer) counts(e *spec.Entity) []count {
	var out []count
	for _, way := range e.There {
		if way.Inverse == "" {
			continue
		}
		for _, x := range way.To.Attributes {
			d := x.Derived
			if d == nil || d.Func == "" || d.Path[0] != way.Inverse {
				continue
			}
			switch {
			case slices.ContainsFunc(way.By, func(a *spec.Attribute) bool { return a.Optional }):
				w.refuse("%s.%s is derived from %s that may have no %s", way.To.Name, x.Name, e.Name, way.Name)
			case d.Func == "count" && len(d.Path) == 1:
				out = append(out, count{way, x, nil})
			case d.Func == "sum" && len(d.Path) == 2 && e.Attribute(d.Path[1]) != nil && !e.Attribute(d.Path[1]).Optional:
				out = append(out, count{way, x, e.Attribute(d.Path[1])})
			default:
				w.refuse("%s.%s is derived by %s of %s, which no rule keeps true", way.To.Name, x.Name, d.Func, d.Path)
			}
		}
	}
	return out
}

// apart reports whether a number lies in an item of its own, which need not be there before it counts.
func (w *writer) apart(c count) bool {
	o := w.layout.options[c.way.To]
	return o != nil && o.apart(c.at)
}

// add lets a parent's number grow by an amount, which may have a sign.
func (w *writer) add(t *touch, c count, key []assignment, each string, amount string, conds ...string) {
	if o := w.layout.options[c.way.To]; o != nil && o.apart(c.at) { // whether or not the parent is there
		w.do(&act{
			verb: actUpdate, touch: t, entity: c.way.To, via: c.way, aside: c.at, times: t.times, each: each, key: key,
			add: []assignment{{c.at.Name, amount}},
		})
		return
	}
	a := &act{
		verb: actUpdate, touch: t, entity: c.way.To, via: c.way, times: t.times, each: each, key: key,
		add: []assignment{{c.at.Name, amount}}, changes: []*spec.Attribute{c.at}, conds: conds,
	}
	w.find(a, t)
	w.do(a)
}

// count counts new children in their parents: the same transaction adds to what is derived from them.
func (w *writer) count(t *touch) {
	for _, c := range w.counts(t.entity) {
		switch {
		case t.inside != nil && t.way == c.way:
			w.refuse("%s creates %s with its %s, and %s begins at nothing", w.plan.pattern.Name, c.way.To.Name, c.way.Inverse, c.at.Name)
		case t.verb != spec.Create:
			w.refuse("%s may or may not be new to %s.%s", w.plan.pattern.Name, c.way.To.Name, c.at.Name)
		case !slices.Contains(t.action.Requires, c.way) && !w.apart(c):
			w.refuse("%s does not require that the %s exists whose %s counts on", w.plan.pattern.Name, c.way.To.Name, c.at.Name)
		default:
			amount := "1"
			if c.of != nil {
				amount = valueOf(t) + "." + c.of.Name
			}
			w.add(t, c, keyOf(c.way, valueOf(t)), t.each, amount, "present")
		}
	}
}

// uncount counts deleted children down in their parents.
func (w *writer) uncount(t *touch, a *act) {
	for _, c := range w.counts(t.entity) {
		if len(w.facts.deleted[c.way.To]) > 0 && !c.way.Identifying && !w.apart(c) {
			w.refuse("%s counts %s down in a %s that may be gone", w.plan.pattern.Name, t.entity.Name, c.way.To.Name)
			continue
		}
		w.present(a)
		key, amount := w.oldKey(a, c.way), "-1"
		if c.of != nil {
			amount = "-" + w.old(a, c.of)
		}
		w.add(t, c, key, "", amount)
	}
}

// oldKey is the identity of the parent that the item of an act had before it.
func (w *writer) oldKey(a *act, way *spec.Relationship) []assignment {
	var key []assignment
	for i, x := range way.By {
		key = append(key, assignment{way.To.Identity[i].Name, w.old(a, x)})
	}
	return key
}

// recount keeps true what is derived from a child that an update gives to another parent, or changes the summed attribute of.
func (w *writer) recount(t *touch, a *act) {
	changes := func(x *spec.Attribute) bool { return slices.Contains(a.changes, x) }
	for _, c := range w.counts(t.entity) {
		moves := slices.ContainsFunc(c.way.By, changes)
		if !moves && (c.of == nil || !changes(c.of)) {
			continue
		}
		if moves && !slices.Contains(t.action.Requires, c.way) && !w.apart(c) {
			w.refuse("%s does not require that the %s exists whose %s counts on", w.plan.pattern.Name, c.way.To.Name, c.at.Name)
			continue
		}
		if s, ok := given(t, c.of); !moves && ok {
			if by, ok := difference(s, c.of); ok {
				w.add(t, c, w.oldKey(a, c.way), "", strings.TrimPrefix(strings.Replace(by, "- ", "-", 1), "+ "))
				continue
			}
		}
		was, is := w.amounts(t, a, c)
		if !moves {
			w.add(t, c, w.oldKey(a, c.way), "", is+" - "+was)
			continue
		}
		var key []assignment
		for i, x := range c.way.By {
			value := w.old(a, x)
			if s, ok := given(t, x); ok {
				value = s.Value.String()
			}
			key = append(key, assignment{c.way.To.Identity[i].Name, value})
		}
		w.add(t, c, w.oldKey(a, c.way), "", "-"+was)
		w.add(t, c, key, "", is, "present")
	}
}

// amounts are what a summed attribute, or the child itself, counted before an update and counts after it.
func (w *writer) amounts(t *touch, a *act, c count) (was, is string) {
	if c.of == nil {
		return "1", "1"
	}
	was = w.old(a, c.of)
	s, ok := given(t, c.of)
	if !ok {
		return was, was
	}
	if by, ok := difference(s, c.of); ok {
		return was, was + " " + by
	}
	if len(s.Value.Op) > 0 || len(s.Value.Path) > 0 {
		w.refuse("%s computes %s.%s anew, which is summed", w.plan.pattern.Name, a.entity.Name, c.of.Name)
	}
	return was, s.Value.String()
}

// difference is by how much an assignment changes an attribute that it counts on or down: "+ $by", "- 1".
func difference(s spec.Assign, x *spec.Attribute) (string, bool) {
	v := s.Value
	if v.Op != "+" && v.Op != "-" || len(v.Args) != 2 {
		return "", false
	}
	at, by := v.Args[0], v.Args[1]
	if len(at.Path) != 1 || at.Path[0] != x.Name || at.Neg || by.Neg || by.Op != "" || len(by.Path) > 0 {
		return "", false
	}
	return v.Op + " " + by.String(), true
}

// forget deletes what is counted of a deleted entity. Parts at random cannot be named, so they stay, which nobody notices if
// that identity never comes back.
func (w *writer) forget(t *touch, a *act) {
	o := w.layout.options[t.entity]
	if o.aside == nil {
		return
	}
	if o.aside.shards > 1 {
		if !w.facts.neverTwice(t.entity) {
			w.refuse("%s deletes a %s whose %s would be there again with the next one of that name", w.plan.pattern.Name, t.entity.Name, o.aside.attrs[0].Name)
		}
		return
	}
	for _, x := range o.aside.attrs {
		w.do(&act{verb: actDelete, touch: t, entity: t.entity, aside: x, times: t.times, each: t.each, key: a.key})
	}
}

// cascade deletes the children that go with a deleted parent: those inside its item go with that, others are read first.
func (w *writer) cascade(t *touch, parent *act) {
	o := w.layout.options[t.entity]
	if o == nil || o.own == nil {
		return
	}
	name := w.plan.pattern.Name
	if len(t.entity.Unique) > 0 || parent.each != "" {
		w.refuse("%s deletes %s with their items or markers", name, t.entity.Name)
		return
	}
	for _, c := range t.inner {
		if o := w.layout.options[c.entity]; o != nil && o.own != nil {
			w.refuse("%s deletes %s of %s of what it deletes", name, c.entity.Name, t.entity.Name)
		}
	}
	each := w.children(t.way, parent)
	if each == "" {
		return
	}
	if len(w.plan.pattern.Actions) == 1 || !w.facts.belongs(t.way) {
		w.present(parent)
	}
	w.do(&act{verb: actDelete, touch: t, entity: t.entity, times: t.times, each: each, key: w.eachKey(t.entity)})
	for _, c := range w.counts(t.entity) {
		if c.way == t.way {
			continue // what is counted in goes itself
		}
		if len(w.facts.deleted[c.way.To]) > 0 && !w.apart(c) {
			w.refuse("%s counts %s down in a %s that may be gone", name, t.entity.Name, c.way.To.Name)
			continue
		}
		amount := "-1"
		if c.of != nil {
			amount = "-$each." + c.of.Name
		}
		w.add(t, c, keyOf(c.way, "$each"), each, amount)
	}
}

// valueOf is how the plan calls the value of a touch.
func valueOf(t *touch) string {
	if t.each != "" {
		return "$each"
	}
	return t.source
}
