package prove

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// An action that is done for each element of a value takes its key from several places: from the element, from the
// value around it and from what the call states for all of them. The catch of a landing is of a species, the landing is
// of a vessel, the call says the year, and there has to be an allocation of all three. So the elements are chosen from
// what is stored.

// part is a part of a key, or of what a condition holds to be equal: the attribute of what the action is about, and
// where its value comes from.
type part struct {
	at  *spec.Attribute
	own string // an attribute of the element
	ref string // else what the call says beside the elements
}

// partsOf are the parts of what an action for each element is about; false if the elements say nothing of its key.
func partsOf(a *spec.Action) (out []part, said bool) {
	note := func(at *spec.Attribute, r spec.Reference) bool {
		switch {
		case at == nil || len(r) == 0:
		case r[0] != "each":
			out = append(out, part{at: at, ref: r.String()})
		case len(r) == 2:
			out = append(out, part{at: at, own: r[1]})
			return true
		}
		return false
	}
	for _, key := range a.Key {
		if note(a.Entity.Attribute(key.Path[0]), key.Value.Reference) {
			said = true
		}
	}
	for _, e := range equals(a) {
		note(e.at, e.ref)
	}
	return out, said
}

// band is what the elements of a call have in common.
type band struct {
	names map[string]attr.Value // what the call says beside them
	used  map[*Instance]bool    // each is about another one
}

// chosen gives an element of a list such values that all that is done for each element can be done with something
// stored; around is the value that the element is in, and changes where nothing stored fits it and no element is chosen
// yet. It reports whether that was possible, or needless.
func (k *caller) chosen(p *spec.Pattern, list spec.Reference, around, element *attr.Item) bool {
	var lead *spec.Action
	var parts []part
	for _, a := range p.Actions {
		if !slices.Equal(a.Each, list) || a.Makes || a.Verb != spec.Update && a.Verb != spec.Delete {
			continue
		}
		all, said := partsOf(a)
		beside := slices.ContainsFunc(all, func(x part) bool { return x.ref != "" })
		if said && beside && len(all) > len(parts) {
			lead, parts = a, all
		}
	}
	if lead == nil || !k.regular {
		return true
	}
	if k.together == nil {
		k.together = &band{map[string]attr.Value{}, map[*Instance]bool{}}
	}
	inside := list[0] + "."
	outer := func(x part) (name string, is bool) {
		if around == nil {
			return "", false
		}
		return strings.CutPrefix(x.ref, "$"+inside)
	}
	known := func(x part, strict bool) attr.Value {
		if name, is := outer(x); is && strict {
			return around.Get(name)
		}
		return k.together.names[x.ref]
	}
	try := func(in *Instance, strict bool) bool {
		if k.o.looked++; in.Gone || k.together.used[in] || !k.suits(lead, in) {
			return false
		}
		for _, x := range parts {
			v := k.o.value(in, spec.Path{x.at.Name})
			if v.IsZero() || x.own == "" && !known(x, strict).IsZero() && !attr.Equal(known(x, strict), v) {
				return false
			}
		}
		it, names := element.Clone(), map[string]attr.Value{}
		for ref, v := range k.together.names {
			names[ref] = v
		}
		changed := attr.Item{}
		if around != nil {
			changed = around.Clone()
		}
		for _, x := range parts {
			v := k.o.value(in, spec.Path{x.at.Name})
			name, is := outer(x)
			switch {
			case x.own != "":
				it.Set(x.own, v)
			case is:
				changed.Set(name, v)
			default:
				names[x.ref] = v
			}
		}
		if !k.accompanied(p, lead, list, changed, it, names) {
			return false
		}
		*element, k.together.names = it, names
		if around != nil {
			*around = changed
		}
		k.together.used[in] = true
		return true
	}
	of := search{action: lead, joint: true}
	reach, ok := k.reach[of]
	if !ok {
		reach = farthest
	}
	for _, strict := range []bool{true, false} {
		if !strict && (around == nil || len(k.together.used) > 0) {
			break
		}
		candidates, narrowed := k.having(lead.Entity, parts, func(x part) attr.Value {
			if x.own != "" {
				return attr.Value{}
			}
			return known(x, strict)
		})
		if lists, few := k.movable(lead, len(candidates)); !narrowed && few {
			candidates = slices.Concat(lists...)
		}
		if in := k.playing[lead]; in != nil && len(k.together.used) == 0 {
			candidates = []*Instance{in}
		}
		from := k.src.rnd.IntN(max(len(candidates), 1))
		for i := range min(len(candidates), reach) {
			if try(candidates[(from+i)%len(candidates)], strict) {
				k.reach[of] = min(2*reach, farthest)
				return true
			}
		}
	}
	k.reach[of] = max(reach/2, closest)
	return len(k.together.used) == 0
}

// accompanied reports whether what the other actions of a pattern are about is stored as well, as far as an element and
// what is said beside it tell.
func (k *caller) accompanied(p *spec.Pattern, lead *spec.Action, list spec.Reference, around, element attr.Item, names map[string]attr.Value) bool {
	said := func(x part) attr.Value {
		if x.own != "" {
			return element.Get(x.own)
		}
		if name, is := strings.CutPrefix(x.ref, "$"+list[0]+"."); is && len(list) > 1 {
			return around.Get(name)
		}
		return names[x.ref]
	}
	for _, a := range p.Actions {
		if a == lead || a.Makes || a.Verb != spec.Update && a.Verb != spec.Delete || len(a.Each) > 0 && !slices.Equal(a.Each, list) {
			continue
		}
		parts, _ := partsOf(a)
		candidates, narrowed := k.having(a.Entity, parts, said)
		if narrowed && !slices.ContainsFunc(candidates[:min(len(candidates), closest)], func(in *Instance) bool {
			k.o.looked++
			return !in.Gone && k.suits(a, in) && !slices.ContainsFunc(parts, func(x part) bool {
				v := said(x)
				return !v.IsZero() && !attr.Equal(v, k.o.value(in, spec.Path{x.at.Name}))
			})
		}) {
			return false
		}
	}
	return true
}

// having are the instances that have what is known of some parts; narrowed is false where nothing is known, and then
// they are all.
func (k *caller) having(e *spec.Entity, parts []part, known func(x part) attr.Value) (all []*Instance, narrowed bool) {
	var attributes []string
	var values []attr.Value
	for _, x := range parts {
		if v := known(x); !v.IsZero() && x.at.Derived == nil {
			attributes, values = append(attributes, x.at.Name), append(values, v)
		}
	}
	if len(attributes) == 0 {
		return k.cast.byRank[e], false
	}
	return k.o.stores[e].lookupAll(attributes, values), true
}
