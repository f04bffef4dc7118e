package design

import (
	"slices"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Numbers that may lag can lie in the item of their entity and yet be in no transaction with the children: the consumer of a
// stream writes the item once for each child that comes or goes. Whoever reads the entity then has its numbers at no cost, where
// numbers beside it take a get each. In return every change writes the whole item, and its entries in indexes that project
// the number.

// followers are the options of an entity whose numbers a stream keeps in its items.
func followers(f *facts, e *spec.Entity, options []*option) (out []*option) {
	var late []*spec.Attribute
	for _, a := range e.Attributes {
		if f.placeable(e, a) {
			late = append(late, a)
		}
	}
	// What is put anew begins to count anew.
	if len(late) == 0 || slices.ContainsFunc(f.of[e], func(t *touch) bool {
		return t.verb == spec.Replace || t.verb == spec.Upsert || t.verb == spec.Update && t.action.Makes
	}) {
		return nil
	}
	for _, o := range options {
		if o.own != nil && o.within == nil {
			q := *o
			q.followed = late
			q.name = q.text()
			out = append(out, &q)
		}
	}
	return out
}

func followedText(attrs []*spec.Attribute) string {
	return joinedNames(attrs) + " in it, kept by a stream"
}

// follows reports whether the consumer of a stream keeps a number in the entity's own items.
func (o *option) follows(a *spec.Attribute) bool { return o != nil && indexOf(o.followed, a) >= 0 }

// lags reports whether an option has the consumer of a stream keep a number, wherever it lies.
func (o *option) lags(a *spec.Attribute) bool {
	return o != nil && (o.aside.streamed(a) || o.follows(a))
}

// lagsBy reports whether an option has the consumer of a stream keep a number of the children by a way: each of them
// then has to be an item, since what changes inside another item has no record.
func (o *option) lagsBy(way *spec.Relationship) bool {
	return slices.ContainsFunc(o.entity.Attributes, func(a *spec.Attribute) bool {
		return o.lags(a) && o.entity.WayBack(a.Derived.Path[0]) == way
	})
}

// follow says in an item which of its numbers a stream keeps.
func (o *option) follow(it *plan.Item) {
	for _, a := range o.followed {
		it.Copies[a.Name] = plan.Copy{From: a.Name, Kept: plan.Kept{Stream: true, Within: spec.FormatDuration(a.Derived.Within)}}
	}
}

// countedBy are the entities whose records the consumer follows to keep the numbers of an option.
func (o *option) countedBy() (out []*spec.Entity) {
	for _, a := range o.followed {
		if e := o.entity.WayBack(a.Derived.Path[0]).From; !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}
