package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// What lies under a stored entity or holds its values: copies, which follow what changes, and children, which go with it.

// rederive writes anew what an item holds of another one that an update makes it point to.
func (w *writer) rederive(t *touch, a *act) {
	for _, c := range w.extras[t.entity].copies {
		way := c.hops[0].way
		if !slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return slices.Contains(a.changes, x) }) {
			continue
		}
		var key []assignment
		for i, x := range way.By {
			if s, ok := given(t, x); ok {
				key = append(key, assignment{way.To.Identity[i].Name, s.Value.String()})
			}
		}
		if len(c.hops) > 1 || c.attr.Optional || len(key) != len(way.By) || a.each != "" || !slices.Contains(t.action.Requires, way) {
			w.refuse("%s changes the %s of a %s, from which its %s is derived", w.plan.pattern.Name, way.Name, t.entity.Name, c.key())
			continue
		}
		if w.get(way.To, key) == nil {
			w.refuse("%s would have to read the %s whose %s a %s holds", w.plan.pattern.Name, way.To.Name, c.attr.Name, t.entity.Name)
			continue
		}
		value := "$" + foundName(way.To) + "." + c.attr.Name
		a.set = append(a.set, assignment{c.key(), value})
		if !w.facts.rechecked(c) {
			w.do(w.joins(c, &act{verb: actCheck, touch: t, entity: way.To, times: t.times, key: key, conds: []string{"present", c.attr.Name + " = " + value}}))
		}
	}
}

// copies writes into all items that hold a value what an update or a whole value changes it to, in the same transaction.
func (w *writer) copies(t *touch, a *act) {
	for _, e := range w.facts.req.Entities {
		for _, c := range w.extras[e].copies {
			if c.owner() != t.entity || !t.replaces() && !slices.Contains(a.changes, c.attr) || w.facts.streamed(c) || w.facts.fixed(c) {
				continue
			}
			w.copy(t, a, e, c)
		}
	}
}

// joins turns the check of a copy's source into an update of its stamp. A write that queried the copies before then
// fails and begins anew. In a transaction the update costs what the check does, and conflicts with the same
// transactions.
func (w *writer) joins(r ref, a *act) *act {
	if w.facts.stamped(r) {
		a.verb, a.stamp = actUpdate, true
	}
	return a
}

// becomes is what a touch makes of an attribute, where its call says that; "" if it does not.
func (t *touch) becomes(x *spec.Attribute) string {
	if t.replaces() {
		return valueOf(t) + "." + x.Name
	}
	if s, ok := given(t, x); ok && stated(s.Value) {
		return s.Value.String()
	}
	return ""
}

// copy writes one of them.
func (w *writer) copy(t *touch, a *act, e *spec.Entity, c ref) {
	name := w.plan.pattern.Name
	value := t.becomes(c.attr)
	switch {
	case value == "":
		w.refuse("%s computes %s.%s, which every %s holds", name, t.entity.Name, c.attr.Name, e.Name)
		return
	case len(c.hops) > 1 || a.each != "":
		w.refuse("%s changes %s.%s, which every %s holds", name, t.entity.Name, c.attr.Name, e.Name)
		return
	}
	way := c.hops[0].way
	of := *a
	if t.replaces() { // the value tells the key
		for _, x := range t.entity.Identity {
			of.key = append(of.key, assignment{x.Name, t.becomes(x)})
		}
	}
	if w.facts.stamped(c) { // whoever brings another copy in between makes its stamp anew
		if w.get(t.entity, of.key) == nil {
			w.refuse("%s would have to read the %s first whose %s every %s holds", name, t.entity.Name, c.attr.Name, e.Name)
			return
		}
		a.seen, of.seen = true, true
	}
	each := w.children(way, &of, true)
	if each == "" {
		return
	}
	if slices.ContainsFunc(w.plan.acts, func(b *act) bool {
		return b.entity == e && b.touch == t && b.verb == actUpdate && b.each != "" && b.each != each
	}) {
		w.refuse("%s would have to write one %s twice in a transaction, which has what it changes by several ways", name, e.Name)
		return
	}
	anew := &act{
		verb: actUpdate, touch: t, entity: e, times: t.times.many(childrenOf(way)), each: each, key: w.eachKey(e),
		set: []assignment{{c.key(), value}}, conds: []string{"present"},
	}
	for _, x := range way.By {
		if len(w.facts.changed[x]) > 0 { // it may have moved since
			anew.conds = append(anew.conds, x.Name+" = $each."+x.Name)
		}
	}
	if t.verb == spec.Upsert { // which is never refused because something is missing
		anew.still, anew.conds = true, anew.conds[1:]
	}
	w.do(anew)
}

// children reads the children of the item of an act by a way, strongly consistent, or the markers that list them where these will do,
// and answers what the plan calls them; "" if the layout has no query for that.
func (w *writer) children(way *spec.Relationship, parent *act, markers bool) string {
	k, name := w.layout.kinds[way.From], w.plan.pattern.Name
	if k == nil {
		w.refuse("%s would have to read %s that lie in their parents", name, way.From.Name)
		return ""
	}
	q := &readStep{verb: verbQuery, kinds: []*spec.Entity{way.From}, each: parent.each, prev: -1, per: oneMatch, strong: true}
	q.found = matches{average: way.PerParent.Average, most: way.PerParent.Max, members: way.To.Count, per: way}
	var eqs []equality
	for i, x := range way.By {
		eqs = append(eqs, equality{ref: ref{from: way.From, attr: x}, value: w.old(parent, way.To.Identity[i])})
	}
	if parent.seen {
		q.after = foundName(parent.entity)
	}
	fit, ok := fitKey(ask{eqs: eqs}, k.option.own)
	if ok && fit.full && len(fit.left) == 0 && single(way) {
		q.verb = verbGet
		if q.eqs = fit.eqs; w.read(q) == nil {
			w.refuse("%s would have to read %s twice", name, way.From.Name)
			return ""
		}
		return "$" + foundName(way.From)
	}
	if r := k.option.listedBy(eqs); r != nil && markers && !k.option.lists(way) {
		q.marker = r.of
		fit, ok = fitKey(ask{eqs: eqs}, &r.shape)
	}
	if !ok || len(fit.left) > 0 || fit.full {
		w.refuse("%s writes every %s of a %s, which no strongly consistent query of the table finds", name, way.From.Name, way.To.Name)
		return ""
	}
	if q.eqs = fit.eqs; w.read(q) == nil {
		w.refuse("%s would have to read %s twice", name, way.From.Name)
		return ""
	}
	return "$" + q.foundAs()
}

// onlyChild is the key of the only child that the item of an act can have, where the key of the parent tells it and nothing is counted
// of it elsewhere: whether there is one, nobody needs to know. nil if that is not so.
func (w *writer) onlyChild(way *spec.Relationship, parent *act) (key []assignment) {
	k := w.layout.kinds[way.From]
	if k == nil || !single(way) || len(k.option.own.refs()) != len(way.By) ||
		slices.ContainsFunc(w.counts(way.From), func(c count) bool { return c.way != way }) {
		return nil
	}
	for i, x := range way.By {
		if !hasRef(k.option.own.refs(), ref{from: way.From, attr: x}) {
			return nil
		}
		key = append(key, assignment{x.Name, w.old(parent, way.To.Identity[i])})
	}
	return key
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

// cascade deletes the children that go with a deleted parent: those inside its item go with that, others are read first.
func (w *writer) cascade(t *touch, parent *act) {
	o := w.layout.options[t.entity]
	if o == nil || o.own == nil {
		return
	}
	name := w.plan.pattern.Name
	for _, c := range t.inner {
		if o := w.layout.options[c.entity]; o != nil && o.own != nil {
			w.refuse("%s deletes %s of %s of what it deletes", name, c.entity.Name, t.entity.Name)
		}
	}
	if key := w.onlyChild(t.way, parent); key != nil && len(o.claims()) == 0 {
		w.do(&act{verb: actDelete, touch: t, entity: t.entity, times: t.times, each: parent.each, key: key})
		return
	}
	each := w.children(t.way, parent, false)
	if each == "" {
		return
	}
	if !w.plan.pattern.Atomic && t.action.Condition != nil && parent.touch == t.inside { // nothing is added once the parent is gone
		for _, q := range w.plan.reads {
			q.late = q.late || q.kinds[0] == t.entity && q.marker == nil
		}
	}
	from := len(w.plan.acts)
	gone := &act{verb: actDelete, touch: t, entity: t.entity, times: t.times, each: each, key: w.eachKey(t.entity)}
	gone.still = len(o.claims()) > 0 || slices.ContainsFunc(w.counts(t.entity), func(c count) bool { return c.way != t.way }) // what goes with it goes once
	w.do(gone)
	for _, u := range o.claims() {
		w.release(t, gone, u)
	}
	if o.pointer {
		w.unlead(t, gone)
	}
	for _, c := range w.counts(t.entity) {
		if c.way == t.way {
			continue // what is counted in goes itself
		}
		if !w.remains(t, c) {
			continue
		}
		amount := "-1"
		if c.of != nil {
			amount = "-$each." + c.of.Name
		}
		w.add(t, c, keyOf(c.way, "$each"), each, amount)
	}
	w.unite(from)
}
