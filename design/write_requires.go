package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// What a write requires is checked by its transaction, or read before it where that stays so once it is.

// require checks that what a pattern requires exists, where the act that it writes leads.
func (w *writer) require(t *touch, written *act) {
	for _, way := range t.action.Requires {
		if w.layout.options[way.To] == nil {
			continue
		}
		if o := w.layout.options[t.entity]; o != nil && o.within != nil && o.within.way == way {
			continue // where it is put there has to be one
		}
		key, each := keyOf(way, valueOf(t)), t.each
		lasts := true
		if t.verb == spec.Update {
			key, each, lasts = w.pointed(t, written, way)
			if key == nil {
				return
			}
		}
		if w.layout.kinds[way.To] == nil && w.updates(way.To, key) {
			continue // in its parent's item, which the update refuses without it
		}
		a := &act{verb: actCheck, touch: t, entity: way.To, times: t.times, each: each, key: key, conds: []string{"present"}, as: way.Name}
		a.asks = lasts && !slices.ContainsFunc(way.By, func(x *spec.Attribute) bool { return x.Optional && !t.tells(x) })
		w.find(a, t)
		w.do(a)
	}
}

// pointed is the identity of what an update has a way lead to: what it sets of the foreign key, and what is stored of
// the rest, which is read first. lasts is whether the rest never changes; nil if the layout cannot read it.
func (w *writer) pointed(t *touch, a *act, way *spec.Relationship) (key []assignment, each string, lasts bool) {
	var stays []*spec.Attribute
	for _, x := range way.By {
		if _, ok := given(t, x); !ok {
			stays = append(stays, x)
		}
	}
	if lasts, each = true, t.each; len(stays) > 0 {
		w.first(a, stays)
		each = a.every()
	}
	for i, x := range way.By {
		var value string
		if s, ok := given(t, x); !ok {
			value, lasts = w.old(a, x), lasts && len(w.facts.changed[x]) == 0
		} else if value = s.Value.String(); each != t.each && mentionsEach(value) {
			w.refuse("%s would have to read %s of several %s first, and lead each elsewhere", w.plan.pattern.Name, stays[0].Name, a.entity.Name)
		}
		if w.why != "" {
			return nil, "", false
		}
		key = append(key, assignment{way.To.Identity[i].Name, value})
	}
	return key, each, lasts
}

// updates reports whether the pattern updates the entity with a key, whoever holds it.
func (w *writer) updates(e *spec.Entity, key []assignment) bool {
	return slices.ContainsFunc(w.plan.pattern.Actions, func(a *spec.Action) bool { return updatesAt(a, e, key) })
}

// updatesAt reports whether an action updates the entity with a key, which has to exist.
func updatesAt(a *spec.Action, e *spec.Entity, key []assignment) bool {
	return a.Demands() && a.Entity == e && len(a.Key) == len(key) && !slices.ContainsFunc(a.Key, func(k spec.Assign) bool {
		return !slices.Contains(key, assignment{k.Path.String(), k.Value.String()})
	})
}

// ask reads before the write whether what is required is there, and what an action tests, where that stays so once it
// is: that takes a tenth of what a check in a transaction does, and often leaves a single put.
func (w *writer) ask() {
	if w.plan.pattern.Atomic {
		w.plan.acts = slices.DeleteFunc(w.plan.acts, w.asked)
	}
}

// asked reads what an act asks for before the write, if it asks for nothing else.
func (w *writer) asked(a *act) bool {
	if !a.asks || a.each != "" && a.each != a.touch.each || a.locate != nil || !w.facts.req.Lasts(a.entity) {
		return false
	}
	k := w.layout.kinds[a.entity]
	if k == nil || a.inside != nil {
		return false
	}
	tests := a.conds[1:]
	if len(tests) > 0 && a.each != "" { // a step that reads for a list tests nothing
		return false
	}
	each := a.each
	if !slices.ContainsFunc(a.key, func(k assignment) bool { return mentionsEach(k.value) }) { // all elements ask for the same
		each = ""
	}
	get := w.getBy
	if a.marker != nil { // the pointer shows that the entity exists
		get = w.getPointer
	}
	t := get(a.entity, a.key, each, "")
	if t == nil && a.as != "" { // another one of the kind is read
		t = get(a.entity, a.key, each, a.as)
	}
	if t == nil {
		return false
	}
	if len(tests) > 0 {
		t.conds, t.orElse = tests, a.orElse
	}
	if !slices.Contains(w.plan.needs, t) {
		w.plan.needs = append(w.plan.needs, t)
	}
	return true
}
