package workload

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// Owner is whose identity the equalities of a read name: calls spread over its instances, and how much a call finds is a
// law over them.
type Owner struct {
	Entity  *spec.Entity // nil: attributes that are no identity
	Members int64
	Ways    []*spec.Relationship // from the entity read to the owner
}

// OwnerOf follows the first path that names an identity. A part of an identity alone names nobody: many can have it.
func (w *Workload) OwnerOf(e *spec.Entity, paths []spec.Path) Owner {
	for _, p := range paths {
		if o, ways := follow(e, p); o != nil && whole(o, p, paths) {
			return Owner{o, w.Members(o), ways}
		}
	}
	return Owner{Members: w.values(e, paths)}
}

// whole reports whether paths name all of the identity to whose first attribute one of them leads.
func whole(o *spec.Entity, p spec.Path, paths []spec.Path) bool {
	first := o.Attribute(p[len(p)-1])
	if len(o.Identity) == 1 || first != o.Identity[0] || first.Reference != nil {
		return true
	}
	way := p[:len(p)-1]
	for _, a := range o.Identity[1:] {
		if !slices.ContainsFunc(paths, func(q spec.Path) bool {
			return len(q) == len(p) && slices.Equal(q[:len(way)], way) && q[len(way)] == a.Name
		}) {
			return false
		}
	}
	return true
}

// values is how many values attributes that name nobody have.
func (w *Workload) values(e *spec.Entity, paths []spec.Path) int64 {
	n := int64(1)
	for _, p := range paths {
		if a := e.Attribute(p[0]); a != nil && len(p) == 1 {
			if k := len(a.Shares); k > 0 {
				n *= int64(k)
			} else {
				return w.Members(e)
			}
		}
	}
	return n
}

// follow is the entity whose identity (its first attribute) a path from e states, and the ways to it.
func follow(e *spec.Entity, p spec.Path) (*spec.Entity, []*spec.Relationship) {
	var ways []*spec.Relationship
	for i, name := range p {
		if r := e.WayThere(name); r != nil && i < len(p)-1 {
			ways, e = append(ways, r), r.To
			continue
		}
		a := e.Attribute(name)
		switch {
		case a == nil:
			return nil, nil
		case a.Reference != nil:
			return a.Reference.To, append(ways, a.Reference)
		case a.Derived != nil && a.Derived.Func == "":
			to, more := follow(e, a.Derived.Path)
			return to, append(ways, more...)
		case len(e.Identity) > 0 && e.Identity[0] == a:
			return e, ways
		}
		return nil, nil
	}
	return nil, nil
}

// Under is how many instances of the last entity on the ways lie directly under an owner, and how the instances of the
// first that lie under each of these in turn are distributed: nil if they are the same, one each. Which child has the most
// of its own says nothing about whose child it is.
func (w *Workload) Under(o Owner) (direct Spread, each *dist.Dist) {
	if len(o.Ways) == 0 {
		return Even(o.Members), nil
	}
	last := len(o.Ways) - 1
	for _, way := range o.Ways[:last] {
		d := w.Dist(w.Lying(way))
		if each != nil {
			d = dist.NewSums(*each).Compound(d)
		}
		each = &d
	}
	return w.Lying(o.Ways[last]), each
}

// Lying is kids, also of relationships of which no number is stated: as many under each.
func (w *Workload) Lying(way *spec.Relationship) Spread {
	if c := w.Children(way); c.Stated || c.Average > 0 {
		return w.Kids(way)
	}
	return Even(w.Members(way.To)).Times(w.Count(way.From) / math.Max(w.Count(way.To), 1))
}
