package spec

import "slices"

// Last reports whether an attribute is what the newest of some children has. No write keeps it, and nothing stores it:
// reads take it from that child.
func (a *Attribute) Last() bool { return a.Derived != nil && a.Derived.Func == "last" }

// Counted reports whether an attribute is a number of children, or their least or largest value, which the writes of
// these keep.
func (a *Attribute) Counted() bool { return a.Derived != nil && a.Derived.Func != "" && !a.Last() }

// Newest is where a [Attribute.Last] comes from: the way back to the children, the attribute of these, and the part of
// their identity by which the newest is the largest.
func (a *Attribute) Newest() (way *Relationship, of, by *Attribute) {
	way = a.Entity.WayBack(a.Derived.Path[0])
	return way, way.From.Attribute(a.Derived.Path[1]), way.Succession()
}

// Succession is the one part of the identity of children that tells those of one parent: the way brings all others.
// nil: there is no such part, or it has no order.
func (w *Relationship) Succession() (by *Attribute) {
	for _, a := range w.From.Identity {
		switch {
		case slices.Contains(w.By, a):
		case by != nil || !a.Ordered() || a.Type == Binary:
			return nil
		default:
			by = a
		}
	}
	if by == nil || len(w.From.Identity) != len(w.By)+1 || slices.ContainsFunc(w.By, func(a *Attribute) bool { return a.Optional }) {
		return nil
	}
	return by
}
