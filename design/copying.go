package design

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// Copies that creates do not bring. An index whose key holds a value at the end of ways there needs it in every item.
// Where the created value has it neither inside nor around it, the write that makes the item reads it first, which it
// may only if it requires that it exists; and whoever changes the value writes all copies anew in the same transaction.

// copyable reports whether the items of an entity can hold a copy of a value that is true at any time. why says what
// the requirements would have to say for that; "" if nothing would help.
func (f *facts) copyable(r ref) (ok bool, why string) { return f.judged(r, false) }

func (f *facts) judged(r ref, stream bool) (ok bool, why string) {
	key := fmt.Sprint(r.from.Name, ".", r.key(), stream)
	c, known := f.copies[key]
	if !known {
		c.ok, c.why = f.canCopy(r, stream)
		f.copies[key] = c
	}
	return c.ok, c.why
}

// eachBrings reports whether a write that creates several entities at once can read a value for each of them first: it
// is all or nothing, and the value never changes, so that no transaction has to test it again for each.
func (f *facts) eachBrings(t *touch, r ref) bool { return t.pattern.Atomic && f.fixed(r) }

// verdict is whether something is possible, and else what would make it so.
type verdict struct {
	ok  bool
	why string
}

func (f *facts) canCopy(r ref, stream bool) (ok bool, why string) {
	if f.free(r) {
		return true, ""
	}
	to := r.owner().Name
	switch {
	case r.attr.Derived != nil && !f.fixed(r):
		return false, fmt.Sprintf("%s.%s is derived and changes", to, r.attr.Name)
	case len(f.writers(r)) > 0 && len(r.hops) > 1:
		return false, fmt.Sprintf("%s changes it, which lies %d ways off", f.writers(r)[0].pattern.Name, len(r.hops))
	}
	for i, h := range r.hops {
		switch {
		case h.back:
			return false, ""
		case slices.ContainsFunc(h.way.By, func(a *spec.Attribute) bool { return a.Optional }):
			return false, fmt.Sprintf("a %s may have no %s", h.way.From.Name, h.way.Name)
		case h.way.To.Expires != nil:
			return false, fmt.Sprintf("the %s may have expired", h.way.Name)
		case len(f.orphans(h.way)) > 0:
			return false, fmt.Sprintf("%s may have deleted the %s", f.orphans(h.way)[0].pattern.Name, h.way.Name)
		case i == 0:
			continue
		}
		for _, t := range f.of[h.way.From] {
			if t.makes() && t.way != h.way && !slices.Contains(t.action.Requires, h.way) && !f.ensured(t, h.way) {
				return false, remedy(t, h.way)
			}
		}
	}
	for _, t := range f.of[r.from] {
		if !t.makes() || encloses(t, r) {
			continue
		}
		if !stream && f.renews(t, r) {
			return false, fmt.Sprintf("%s makes a %s and changes it as well, so that a copy would be old at once", t.pattern.Name, r.from.Name)
		}
		if !t.puts() {
			if len(r.hops) > 1 || !f.ensured(t, r.hops[0].way) {
				return false, remedy(t, r.hops[0].way)
			}
			continue
		}
		at, up := t.outermost(r)
		if len(up.hops) == 0 {
			return false, ""
		}
		switch way := up.hops[0].way; {
		case at.inside != nil:
			return false, fmt.Sprintf("%s creates it inside a %s, where nothing requires the %s to be there", at.pattern.Name, at.inside.entity.Name, way.Name)
		case at.each != "" && !f.eachBrings(at, r):
			return false, fmt.Sprintf("%s creates several at once, each with a %s of its own", at.pattern.Name, way.Name)
		case !f.assures(at, way):
			return false, remedy(at, way)
		}
	}
	for _, t := range f.writers(r) {
		if stream && t.entity != r.from {
			if !t.tells(r.attr) && !t.replaces() {
				return false, untold(t, r)
			}
			continue
		}
		if ok, why := f.rewrites(t, r); !ok {
			return false, why
		}
		if rest := f.overflow(t); hasRef(rest.lag, r) {
			return false, fmt.Sprintf("%s would have to write up to %.0f items anew in one transaction, some by several ways, and DynamoDB takes %d actions, one of each item", t.pattern.Name, rest.most, capacity.TransactionActions)
		}
	}
	if r.attr.Optional {
		return false, fmt.Sprintf("a %s may have no %s", to, r.attr.Name)
	}
	return true, ""
}

// keepable reports whether the items of an entity can hold a copy of a value: all of them, or those for which there
// is one.
func (f *facts) keepable(r ref) bool {
	ok, _ := f.copyable(r)
	return ok || f.lookedUp(r)
}

// lookedUp reports whether creates can read a value that never changes before they copy it, and leave the copy out if
// they find none: the reference is absent, its parent lacks the value, or is missing and never comes.
func (f *facts) lookedUp(r ref) bool {
	if len(r.hops) != 1 || r.hops[0].back || len(r.rest) > 0 || !f.fixed(r) {
		return false
	}
	way := r.hops[0].way
	return f.req.Lasts(way.To) && !slices.ContainsFunc(f.of[r.from], func(t *touch) bool {
		return t.makes() && !encloses(t, r) &&
			(!t.puts() || t.each != "" && !f.eachBrings(t, r) || t.deep() ||
				(t.inside != nil || !slices.Contains(t.action.Requires, way)) && !f.req.ThereOrNever(way.To))
	})
}

// deep reports whether a touch writes children inside one of several values, or inside a value that is itself a child.
func (t *touch) deep() bool {
	return t.inside != nil && (t.inside.inside != nil || t.inside.each != "")
}

// untold says that a write changes a value otherwise than by an update of one entity with a parameter or a constant.
func untold(t *touch, r ref) string {
	return fmt.Sprintf("%s changes it without being given what it becomes, or for several %s at once", t.pattern.Name, r.owner().Name)
}

// tells reports whether an update of one entity is given the new value of an attribute, or always sets it to the same.
func (t *touch) tells(a *spec.Attribute) bool {
	s, ok := given(t, a)
	return ok && t.verb == spec.Update && t.each == "" && stated(s.Value)
}

// stated reports whether a value is a parameter or a constant.
func stated(v spec.Expr) bool { return len(v.Reference) > 0 || v.Op == "" && !v.Literal.IsZero() }

// replaces reports whether a touch writes one entity anew, by a value that the call states.
func (t *touch) replaces() bool {
	return (t.verb == spec.Replace || t.verb == spec.Upsert) && t.inside == nil && t.each == "" && t.source != ""
}

// remedy says what a write has to say so that it can read what a way leads to.
func remedy(t *touch, way *spec.Relationship) string {
	if !t.puts() && t.makes() {
		return fmt.Sprintf("%s may make a %s and does not look for its %s (let another of its actions require or update that, by the same key)",
			t.pattern.Name, t.entity.Name, way.Name)
	}
	return fmt.Sprintf("%s does not require the %s to be there (write `requires: [%s]` in %s)", t.pattern.Name, way.Name, way.Name, t.pattern.Name)
}

// assures reports whether there is what a way of a new entity leads to: the write requires it, or something that the
// same values tie to it, which is there only since that was, and nothing deletes that.
func (f *facts) assures(t *touch, way *spec.Relationship) bool {
	return slices.Contains(t.action.Requires, way) || f.req.Lasts(way.To) && slices.ContainsFunc(t.action.Requires, func(w *spec.Relationship) bool {
		return !w.To.External && slices.ContainsFunc(w.To.There, func(on *spec.Relationship) bool {
			return on.To == way.To && f.belongs(on) && ties(w, on, way)
		})
	})
}

// ties reports whether what a way leads to has in its identity the values by which another leads on, and they are those
// of the way from the same entity straight there.
func ties(way, on, straight *spec.Relationship) bool {
	for i, x := range straight.By {
		if j := indexOf(way.By, x); j < 0 || way.To.Identity[j] != on.By[i] {
			return false
		}
	}
	return true
}

// adrift says which write may let an item point along the ways of a ref to what is not there, and what to state against
// it; "" if none does. Not every item then has a copy of the value, whoever keeps it.
func (f *facts) adrift(r ref) string {
	for i, h := range r.hops {
		if h.back {
			return ""
		}
		for _, t := range f.of[h.way.From] {
			leads := t.verb == spec.Update &&
				slices.ContainsFunc(h.way.By, func(x *spec.Attribute) bool { return slices.Contains(f.changed[x], t) })
			switch {
			case !t.makes() && !leads, t.way == h.way, i == 0 && encloses(t, r), f.assures(t, h.way), f.ensured(t, h.way):
			case t.inside != nil:
				return fmt.Sprintf("%s creates it inside a %s, where nothing requires the %s to be there", t.pattern.Name, t.inside.entity.Name, h.way.Name)
			default:
				return remedy(t, h.way)
			}
		}
	}
	return ""
}

// puts reports whether a touch writes a whole entity.
func (t *touch) puts() bool { return t.verb != spec.Update && t.verb != spec.Delete }

// makes reports whether a touch may write an entity that was not there.
func (t *touch) makes() bool { return t.puts() || t.verb == spec.Update && t.action.Makes }

// leads returns the identity at the end of a way from the entity that an update may make. The update's key and `set`
// give the foreign key; it returns nil if they do not give all of it.
func (t *touch) leads(way *spec.Relationship) []assignment {
	var out []assignment
	for i, x := range way.By {
		value := ""
		for _, k := range t.action.Key {
			if len(k.Path) == 1 && k.Path[0] == x.Name {
				value = k.Value.String()
			}
		}
		if s, ok := given(t, x); ok {
			value = s.Value.String()
		}
		if value == "" {
			return nil
		}
		out = append(out, assignment{way.To.Identity[i].Name, value})
	}
	return out
}

// ensured reports whether another action refuses the whole write unless the entity at the end of a way exists. The way
// starts at the entity that an update may make.
func (f *facts) ensured(t *touch, way *spec.Relationship) bool {
	key := t.leads(way)
	if key == nil || t.each != "" || !t.pattern.Atomic {
		return false
	}
	return slices.ContainsFunc(f.touches, func(o *touch) bool {
		if o.pattern != t.pattern || o.inside != nil || o.each != "" {
			return false
		}
		if o.puts() {
			return slices.ContainsFunc(o.action.Requires, func(w *spec.Relationship) bool {
				return w.To == way.To && slices.Equal(keyOf(w, valueOf(o)), key)
			})
		}
		return updatesAt(o.action, way.To, key)
	})
}

// outermost follows the first ways of a ref to the values that enclose that of a touch, as far as they lead there.
func (t *touch) outermost(r ref) (*touch, ref) {
	for t.inside != nil && len(r.hops) > 1 && r.hops[0] == (hop{way: t.way}) {
		l, ok := r.lift(t.way)
		if !ok || len(l.hops) == 0 {
			break
		}
		t, r = t.inside, l
	}
	return t, r
}

// writers are the touches that change what a ref leads to.
func (f *facts) writers(r ref) []*touch {
	var out []*touch
	for _, h := range r.hops {
		for _, a := range h.way.By {
			out = append(out, f.changed[a]...)
		}
	}
	return append(out, f.changed[r.attr]...)
}

// rewrites reports whether a write that changes what a ref leads to can write all copies anew.
func (f *facts) rewrites(t *touch, r ref) (ok bool, why string) {
	way := r.hops[0].way
	switch {
	case !t.pattern.Atomic:
		return false, fmt.Sprintf("%s changes it and is not atomic", t.pattern.Name)
	case t.entity == r.from && t.replaces():
		return true, "" // as it makes one
	case t.verb != spec.Update && !t.replaces() || t.each != "":
		return false, untold(t, r)
	case t.entity == r.from && f.renews(t, r):
		return false, fmt.Sprintf("%s leads a %s elsewhere and changes it as well, so that a copy would be old at once", t.pattern.Name, r.from.Name)
	case t.entity == r.from: // it makes the item point to something else
		if slices.Contains(t.action.Requires, way) {
			return true, ""
		}
		return false, remedy(t, way)
	}
	if !t.tells(r.attr) && !t.replaces() {
		return false, untold(t, r)
	}
	if n := childrenOf(way).most + 1; n > float64(capacity.TransactionActions) {
		return false, fmt.Sprintf("%s would have to write up to %.0f of them anew in one transaction, and DynamoDB takes %d actions", t.pattern.Name, n-1, capacity.TransactionActions)
	}
	return true, ""
}

// renews reports whether another action of a write changes the value that an item of the write is to hold a copy of.
// The write reads the value as it was, and finds only the copies that were there before.
func (f *facts) renews(t *touch, r ref) bool {
	return slices.ContainsFunc(f.changed[r.attr], func(o *touch) bool {
		return o.pattern == t.pattern && o.entity == r.owner() && o.entity != t.entity
	})
}

// stamped reports whether a create, or an update that moves an item, can add a copy of a value after the write that
// changes the value has queried the copies. The query cannot see that copy, and no item that it found shows it, so the
// source of the value has a stamp.
func (f *facts) stamped(r ref) bool {
	changes := func(t *touch) bool { return t.entity == r.owner() }
	if len(r.hops) != 1 || f.streamed(r) || f.fixed(r) || !slices.ContainsFunc(f.changed[r.attr], changes) {
		return false
	}
	return slices.ContainsFunc(f.of[r.from], func(t *touch) bool {
		if t.makes() {
			return !encloses(t, r)
		}
		return slices.ContainsFunc(r.hops[0].way.By, func(x *spec.Attribute) bool { return slices.Contains(f.changed[x], t) })
	})
}

// An overflow is what of the copies that a write changes does not fit into its transaction: each way's would, and all
// together do not.
type overflow struct {
	lag  []ref   // copies of these are left to the consumer of a stream
	most float64 // actions, with all
}

// overflow has the copies that reads tolerate to be old leave the transaction of a write, those of the most items
// first, until the others fit into it; and those that one item may have by several ways, because a transaction writes
// an item once.
func (f *facts) overflow(t *touch) overflow {
	if out, known := f.overflows[t]; known {
		return out
	}
	by := map[*spec.Relationship][]ref{}
	var ways []*spec.Relationship
	out := overflow{most: 1}
	for _, p := range f.req.Patterns {
		for _, r := range shown(p) {
			if len(r.hops) != 1 || r.from == t.entity || !slices.Contains(f.changed[r.attr], t) || hasRef(by[r.hops[0].way], r) {
				continue
			}
			if ok, _ := f.rewrites(t, r); !ok {
				continue
			}
			way := r.hops[0].way
			if by[way] == nil {
				ways = append(ways, way)
				out.most += childrenOf(way).most
			}
			by[way] = append(by[way], r)
		}
	}
	slices.SortStableFunc(ways, func(a, b *spec.Relationship) int {
		return cmp.Compare(childrenOf(b).most, childrenOf(a).most)
	})
	left, some := out.most, map[*spec.Entity]int{}
	for _, way := range ways {
		some[way.From]++
	}
	several := slices.ContainsFunc(ways, func(way *spec.Relationship) bool { return some[way.From] > 1 })
	for _, way := range ways {
		if left <= float64(capacity.TransactionActions) && some[way.From] < 2 {
			continue
		}
		if !slices.ContainsFunc(by[way], func(r ref) bool { ok, _ := f.judged(r, true); return !ok || f.within(r) == 0 }) {
			out.lag = append(out.lag, by[way]...)
			left -= childrenOf(way).most
		}
	}
	if left > float64(capacity.TransactionActions) && !several {
		out.lag = nil
	}
	f.overflows[t] = out
	return out
}

// shown are the values that a read answers.
func shown(p *spec.Pattern) (out []ref) {
	if p.Writes() {
		return nil
	}
	paths := slices.Clone(p.Returns)
	if p.All || len(p.Returns) == 0 {
		for _, a := range p.Read.Attributes {
			paths = append(paths, spec.Path{a.Name})
		}
	}
	for _, path := range paths {
		if r, ok := resolveRef(p.Read, path); ok {
			out = append(out, r)
		}
	}
	return out
}

// An extra is what writes have to see to for the indexes and reads of a configuration, in the items of an entity.
type extra struct {
	copies []ref         // values that its creates do not bring
	lists  []*indexShape // whose key an update that changes the state of an item may have to write
}

func (p *planner) extras(k *kind, indexes []*indexShape, copies []ref) extra {
	var out []ref
	var lists []*indexShape
	for _, r := range copies {
		if !p.facts.free(r) && !p.facts.fills(r) {
			out = append(out, r)
		}
	}
	for _, x := range indexes {
		if x.local && x.sparse != nil {
			lists = append(lists, x)
		}
		for _, r := range x.refs() {
			if !r.local() && !hasRef(out, r) && !hasRef(k.option.own.refs(), r) && !p.facts.free(r) && !p.facts.fills(r) {
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b ref) int { return cmpText(a.key(), b.key()) })
	return extra{out, lists}
}

// writePlans gives a configuration the plans of its writes: those of its frame, but where indexes want copies that have
// to be read first or written anew.
func (p *planner) writePlans(c *config, extras map[*spec.Entity]extra) {
	c.writing, c.refused = c.frame.plans, c.frame.refused
	if len(extras) == 0 {
		return
	}
	c.writing, c.refused = slices.Clone(c.writing), slices.Clone(c.refused)
	for i, w := range c.writing {
		mine := p.concerns(w.pattern, extras)
		if w.refused || len(mine) == 0 {
			continue
		}
		s := p.writePlan(c.layout, w.pattern, mine, w.locators)
		c.writing[i] = s.writePlan
		if s.why != "" {
			c.refused = append(c.refused, s.why)
			if s.limit {
				p.facts.limits[s.why] = true
			}
		}
	}
}

// concerns are those of some extras that a write has something to do with.
func (p *planner) concerns(w *spec.Pattern, extras map[*spec.Entity]extra) map[*spec.Entity]extra {
	out := map[*spec.Entity]extra{}
	for _, t := range p.facts.touches {
		if t.pattern != w {
			continue
		}
		for e, x := range extras {
			mine := out[e]
			for _, r := range x.copies {
				if (e == t.entity || t.entity == r.owner()) && !hasRef(mine.copies, r) {
					mine.copies = append(mine.copies, r)
				}
			}
			for _, l := range x.lists {
				if t.enters(l) && !slices.Contains(mine.lists, l) {
					mine.lists = append(mine.lists, l)
				}
			}
			if len(mine.copies)+len(mine.lists) > 0 {
				out[e] = mine
			}
		}
	}
	return out
}
