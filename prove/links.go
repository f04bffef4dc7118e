package prove

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// link says that attributes of an entity name one of another, although no foreign key does: a boat lies in a row of its
// yard, a section has the number of its newest version. Writes that change both say so, in their keys and conditions.
// Data that did not honour it would let none of these writes be done.
type link struct {
	from, to *spec.Entity
	by       map[*spec.Attribute]*spec.Attribute // what identifies the other one → what names it
}

// linksOf are the links that writes rely on, in the order of these.
func linksOf(r *spec.Requirements) (out []*link) {
	for _, p := range r.Patterns {
		for _, a := range p.Actions {
			says := sayings(p, a)
			for _, b := range p.Actions {
				if b.Entity == a.Entity || !b.Demands() && b.Verb != spec.Delete || len(b.Each) > 0 {
					continue
				}
				l := &link{a.Entity, b.Entity, map[*spec.Attribute]*spec.Attribute{}}
				for _, key := range b.Key {
					if at := says[key.Value.Reference.String()]; at != nil && key.Value.Op == "" {
						l.by[b.Entity.Attribute(key.Path[0])] = at
					}
				}
				if len(l.by) == len(b.Entity.Identity) && !l.foreign() {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

// sayings are the references of a write that stand for attributes of what one of its actions is about.
func sayings(p *spec.Pattern, a *spec.Action) map[string]*spec.Attribute {
	says := map[string]*spec.Attribute{}
	note := func(r spec.Reference, at *spec.Attribute) {
		if len(r) > 0 && at != nil && at.Given() {
			says[r.String()] = at
		}
	}
	if len(a.Each) > 0 {
		return says
	}
	if a.Verb == spec.Create {
		for _, at := range a.Entity.Attributes {
			note(append(slices.Clone(a.Value), at.Name), at)
		}
		return says
	}
	for _, key := range a.Key {
		note(key.Value.Reference, a.Entity.Attribute(key.Path[0]))
	}
	for _, e := range equals(a) {
		note(e.ref, e.at)
	}
	for _, at := range a.Found {
		note(spec.Reference{spec.FoundName(a.Entity), at.Name}, at)
	}
	return says
}

// equal is what a condition says of an attribute: that it is what a call states.
type equal struct {
	at  *spec.Attribute
	ref spec.Reference
}

// equals are the attributes of what an action is about that its condition holds to be what a call states.
func equals(a *spec.Action) (out []equal) {
	for _, c := range spec.Conjuncts(a.Condition) {
		if equates(a.Entity, c) {
			t := c.(*spec.Test)
			out = append(out, equal{a.Entity.Attribute(t.Path[0]), t.Args[0].Reference})
		}
	}
	return out
}

// equates reports whether a condition is that an attribute is what a call states.
func equates(e *spec.Entity, c spec.Condition) bool {
	t, ok := c.(*spec.Test)
	return ok && t.Op == "=" && len(t.Path) == 1 && len(t.Args) == 1 && t.Args[0].Op == "" && len(t.Args[0].Reference) > 0 &&
		e.Attribute(t.Path[0]) != nil
}

// foreign reports whether a foreign key says the same: then it is honoured anyway.
func (l *link) foreign() bool {
	return slices.ContainsFunc(l.from.There, func(r *spec.Relationship) bool {
		if r.To != l.to {
			return false
		}
		for i, at := range r.By {
			if l.by[r.To.Identity[i]] != at {
				return false
			}
		}
		return true
	})
}

// names is the identity that an instance names by a link; false if it lacks a part.
func (l *link) names(item attr.Item) (id attr.Item, ok bool) {
	for theirs, own := range l.by {
		v := item.Get(own.Name)
		if v.IsZero() {
			return attr.Item{}, false
		}
		id.Set(theirs.Name, v)
	}
	return id, true
}

// linked lets a value of stored data name what is there, or be what its parent names and is not there yet.
func (k *caller) linked(e *spec.Entity, it *attr.Item, parents map[*spec.Relationship]*Instance) {
	for _, l := range k.links {
		switch e {
		case l.from:
			if id, ok := l.names(*it); !ok || k.o.Find(l.to, id) != nil {
				continue
			}
			if to := k.agreed(l, *it); to != nil {
				for theirs, own := range l.by {
					it.Set(own.Name, to.Item.Get(theirs.Name))
				}
			}
		case l.to:
			for _, r := range e.There {
				parent := parents[r]
				if parent == nil || r.To != l.from {
					continue
				}
				if id, ok := l.names(parent.Item); ok && k.o.Find(e, id) == nil && !slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool {
					return !a.Given() || a.Reference != nil && !attr.Equal(id.Get(a.Name), it.Get(a.Name))
				}) {
					for _, a := range e.Identity {
						it.Set(a.Name, id.Get(a.Name))
					}
				}
			}
		}
	}
}

// agreed is one that a value can name by a link, with the foreign keys and the identity that the value has; nil: there
// is none.
func (k *caller) agreed(l *link, it attr.Item) *Instance {
	fixed := func(own *spec.Attribute) bool { return own.Reference != nil || slices.Contains(l.from.Identity, own) }
	list, said := []*Instance(nil), false
	for _, theirs := range l.to.Identity {
		own := l.by[theirs]
		switch {
		case !fixed(own):
		case !said:
			list, said = slices.Clone(k.o.stores[l.to].lookup(theirs.Name, it.Get(own.Name))), true
		default:
			list = slices.DeleteFunc(list, func(in *Instance) bool { return !attr.Equal(in.Item.Get(theirs.Name), it.Get(own.Name)) })
		}
	}
	if !said {
		list = k.cast.byRank[l.to]
	}
	if k.o.looked += len(list); len(list) == 0 {
		return nil
	}
	return list[k.src.evenIndex(len(list), l, "link")]
}
