package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Numbers that parents keep of their children, in their own items or beside them.

// A count is what a parent keeps of its children: how many there are, or the sum of an attribute.
type count struct {
	way *spec.Relationship
	at  *spec.Attribute // of the parent
	of  *spec.Attribute // of the child, that is summed or compared; nil: they are counted
	far string          // larger or smaller, of a derived max or min; "": it is counted on
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
			if !x.Counted() || d.Path[0] != way.Inverse {
				continue
			}
			if o := w.layout.options[way.To]; o.lags(x) {
				continue // the consumer of a stream counts it
			}
			switch ends := x.Expiring(); {
			case ends != nil:
				w.refuse("%s", unfollowed(x, ends))
			case d.Where != nil:
				w.refuse("%s.%s counts some of its %s, and %s", way.To.Name, x.Name, way.Inverse, w.facts.unfollowable(way, x))
			case slices.ContainsFunc(way.By, func(a *spec.Attribute) bool { return a.Optional }):
				w.refuse("%s.%s is derived from %s that may have no %s", way.To.Name, x.Name, e.Name, way.Name)
			case d.Func == "count" && len(d.Path) == 1:
				out = append(out, count{way: way, at: x})
			case d.Func == "sum" && len(d.Path) == 2 && e.Attribute(d.Path[1]) != nil && !e.Attribute(d.Path[1]).Optional:
				out = append(out, count{way: way, at: x, of: e.Attribute(d.Path[1])})
			case d.Func == "max" && len(d.Path) == 2 && e.Attribute(d.Path[1]) != nil:
				out = append(out, count{way, x, e.Attribute(d.Path[1]), "larger"})
			case d.Func == "min" && len(d.Path) == 2 && e.Attribute(d.Path[1]) != nil:
				out = append(out, count{way, x, e.Attribute(d.Path[1]), "smaller"})
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
	if w.apart(c) { // whether or not the parent is there
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
func (w *writer) count(t *touch, put *act) {
	for _, c := range w.counts(t.entity) {
		switch {
		case t.inside != nil && t.way == c.way && t.verb == spec.Create && !w.apart(c):
			// the new parent's value is completed with what it counts
		case c.far != "":
			w.outdo(t, c)
		case t.inside != nil && t.way == c.way:
			w.refuse("%s creates %s with its %s, and %s begins at nothing", w.plan.pattern.Name, c.way.To.Name, c.way.Inverse, c.at.Name)
		case t.verb != spec.Create && (put == nil || !put.still):
			w.refuse("%s may or may not be new to %s.%s", w.plan.pattern.Name, c.way.To.Name, c.at.Name)
		case !slices.Contains(t.action.Requires, c.way) && !w.apart(c):
			w.refuse("%s; else nothing says that there is one whose %s counts on", remedy(t, c.way), c.at.Name)
		default:
			amount := "1"
			if c.of != nil {
				amount = valueOf(t) + "." + c.of.Name
			}
			if t.verb != spec.Create { // what it replaces counts no more
				was := "-1"
				if c.of != nil {
					was = "-" + w.old(put, c.of)
				}
				w.add(t, c, w.oldKey(put, c.way), put.every(), was)
			}
			w.add(t, c, keyOf(c.way, valueOf(t)), t.each, amount, "present")
		}
	}
}

// uncount counts deleted children down in their parents.
func (w *writer) uncount(t *touch, a *act) {
	for _, c := range w.counts(t.entity) {
		if c.far != "" {
			w.lessens(c)
			continue
		}
		if !w.remains(t, c) {
			continue
		}
		w.present(a)
		w.first(a, c.read(true))
		key, amount := w.oldKey(a, c.way), "-1"
		if c.of != nil {
			amount = "-" + w.old(a, c.of)
		}
		w.add(t, c, key, a.every(), amount)
	}
}

// remains reports whether the item that a number lies in is there for as long as a child counts in it, and refuses it
// if not.
func (w *writer) remains(t *touch, c count) bool {
	orphans := w.facts.orphans(c.way)
	if len(orphans) == 0 || w.apart(c) {
		return true
	}
	remedy := ""
	if i := slices.IndexFunc(c.way.To.Attributes, func(a *spec.Attribute) bool { return counts(a, c.way) }); i >= 0 && orphans[0].inside == nil {
		remedy = fmt.Sprintf(": let %s delete none that has any, `condition: %s = 0`", orphans[0].pattern.Name, c.way.To.Attributes[i].Name)
	}
	w.refuse("%s counts %s down in a %s that may be gone%s", w.plan.pattern.Name, t.entity.Name, c.way.To.Name, remedy)
	return false
}

// read are the attributes of a child whose old values say what is counted where; of: what is summed as well.
func (c count) read(of bool) []*spec.Attribute {
	if of && c.of != nil {
		return append(slices.Clone(c.way.By), c.of)
	}
	return c.way.By
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
		if t.action.Makes {
			w.countMade(t, a, c)
			continue
		}
		moves := slices.ContainsFunc(c.way.By, changes)
		if !moves && (c.of == nil || !changes(c.of)) {
			continue
		}
		if c.far != "" {
			w.lessens(c)
			continue
		}
		if moves && !slices.Contains(t.action.Requires, c.way) && !w.apart(c) {
			w.refuse("%s; else nothing says that there is one whose %s counts on", remedy(t, c.way), c.at.Name)
			continue
		}
		if s, ok := given(t, c.of); !moves && ok {
			if sign, by, ok := difference(s, c.of); ok {
				if sign == "-" {
					by = "-" + by
				}
				w.first(a, c.way.By)
				if a.still && mentionsEach(by) {
					w.refuse("%s would have to read %s of several %s first, and add something else for each", w.plan.pattern.Name, c.way.Name, a.entity.Name)
				}
				w.add(t, c, w.oldKey(a, c.way), a.every(), by)
				continue
			}
		}
		if a.each != "" {
			w.recountEach(t, a, c)
			continue
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

// countMade counts what an update may make: what was there before it is read first, and counts no more.
func (w *writer) countMade(t *touch, a *act, c count) {
	name := w.plan.pattern.Name
	var key []assignment
	moves := false
	for i, x := range c.way.By {
		k := slices.IndexFunc(a.key, func(k assignment) bool { return k.path == x.Name })
		s, ok := given(t, x)
		switch {
		case k >= 0:
			key = append(key, assignment{c.way.To.Identity[i].Name, a.key[k].value})
		case ok && !fromStored(s.Value):
			key, moves = append(key, assignment{c.way.To.Identity[i].Name, s.Value.String()}), true
		default:
			w.refuse("%s may make a %s, and does not say which %s counts it", name, a.entity.Name, c.way.Name)
			return
		}
	}
	if !w.apart(c) {
		w.refuse("%s may make a %s, and nothing says that there is a %s whose %s counts it: let it lag, `within: 5s`, or create it", name, a.entity.Name, c.way.To.Name, c.at.Name)
		return
	}
	is := "1"
	if c.of != nil {
		s, ok := given(t, c.of)
		if sign, by, adds := difference(s, c.of); ok && adds && !moves {
			if sign == "-" {
				by = "-" + by
			}
			w.add(t, c, key, a.each, by)
			return
		}
		if is = s.Value.String(); !ok || fromStored(s.Value) {
			w.refuse("%s computes %s.%s anew, which is summed", name, a.entity.Name, c.of.Name)
			return
		}
	}
	if c.far != "" {
		w.lessens(c)
		return
	}
	if !a.still && !w.still(a) {
		w.refuse("%s would have to read first whether there is a %s", name, a.entity.Name)
		return
	}
	was := "-1"
	if c.of != nil {
		was = "-" + w.old(a, c.of)
	}
	w.add(t, c, w.oldKey(a, c.way), a.every(), was)
	w.add(t, c, key, a.each, is)
}

// recountEach takes what the items of a list counted before an update away, and adds what they count after it.
func (w *writer) recountEach(t *touch, a *act, c count) {
	name := w.plan.pattern.Name
	w.first(a, c.read(true))
	was, is := "-1", "1"
	if c.of != nil {
		s, ok := given(t, c.of)
		_, _, relative := difference(s, c.of)
		if !ok || relative || len(s.Value.Op) > 0 || len(s.Value.Path) > 0 {
			w.refuse("%s would have to read %s of several %s first, and compute it anew", name, c.of.Name, a.entity.Name)
			return
		}
		was, is = "-"+w.old(a, c.of), s.Value.String()
	}
	var key []assignment
	for i, x := range c.way.By {
		k := slices.IndexFunc(a.key, func(k assignment) bool { return k.path == x.Name })
		s, ok := given(t, x)
		switch {
		case ok:
			key = append(key, assignment{c.way.To.Identity[i].Name, s.Value.String()})
		case k >= 0:
			key = append(key, assignment{c.way.To.Identity[i].Name, a.key[k].value})
		default:
			w.refuse("%s would have to know %s of several %s before it reads them", name, x.Name, a.entity.Name)
			return
		}
	}
	w.add(t, c, w.oldKey(a, c.way), a.every(), was)
	w.add(t, c, key, a.each, is, "present")
}

// mentionsEach reports whether a value is about the element of a list.
func mentionsEach(value string) bool { return strings.Contains(value, "$each") }

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
	if sign, by, ok := difference(s, c.of); ok {
		return was, was + " " + sign + " " + by
	}
	if len(s.Value.Op) > 0 || len(s.Value.Path) > 0 {
		w.refuse("%s computes %s.%s anew, which is summed", w.plan.pattern.Name, a.entity.Name, c.of.Name)
	}
	return was, s.Value.String()
}

// difference is by how much an assignment counts an attribute on, sign "+", or down, "-"; false if it does neither.
func difference(s spec.Assign, x *spec.Attribute) (sign, by string, ok bool) {
	v := s.Value
	if v.Op != "+" && v.Op != "-" || len(v.Args) != 2 {
		return "", "", false
	}
	at, amount := v.Args[0], v.Args[1]
	if at.Op == "if_missing" && !at.Neg && len(at.Args) == 2 && at.Args[1].String() == "0" {
		at = at.Args[0] // what is absent counts as nothing
	}
	if len(at.Path) != 1 || at.Path[0] != x.Name || at.Neg || amount.Neg || amount.Op != "" || len(amount.Path) > 0 {
		return "", "", false
	}
	return v.Op, amount.String(), true
}

// forget deletes what is counted of a deleted entity. Parts at random cannot be named, so they stay, which nobody notices if
// that identity never comes back.
func (w *writer) forget(t *touch, a *act) {
	o := w.layout.options[t.entity]
	if o.aside == nil {
		return
	}
	attrs := slices.DeleteFunc(slices.Clone(o.aside.attrs), o.aside.streamed)
	if o.aside.shards > 1 && len(attrs) > 0 {
		if !w.facts.neverTwice(t.entity) {
			w.refuse("%s deletes a %s whose %s would be there again with the next one of that name", w.plan.pattern.Name, t.entity.Name, attrs[0].Name)
		}
		return
	}
	for _, x := range attrs {
		w.do(&act{verb: actDelete, touch: t, entity: t.entity, aside: x, times: t.times, each: t.each, key: a.key})
	}
}
