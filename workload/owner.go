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
	Rest    []spec.Path          // equalities that say more than whose identity it is
}

// OwnerOf is the entity whose whole identity the paths name: at the end of ways, or by a foreign key. What needs more of the
// paths than another is the narrower of both: a case of a court is meant where both keys are stated. Of others the first
// path decides, and the shorter way; a part of an identity alone names nobody, since many can have it.
func (w *Workload) OwnerOf(e *spec.Entity, paths []spec.Path) Owner {
	room := w.room[:0]
	for _, p := range paths {
		for _, name := range p {
			room = append(append(room, name...), '.')
		}
		room = append(room, ' ')
	}
	w.room = room
	o, ok := w.owners[owned{e, string(room)}]
	if !ok {
		paths = slices.Clone(paths) // they are kept
		if of, ways, rest := Named(e, paths); of != nil {
			o = Owner{Entity: of, Members: w.Members(of), Ways: ways, Rest: rest}
		} else {
			o = Owner{Members: w.values(e, paths), Rest: paths}
		}
		w.owners[owned{e, string(room)}] = o
	}
	return o
}

// owned is what an owner is found by.
type owned struct {
	entity *spec.Entity
	paths  string
}

// Named is the entity of OwnerOf, the ways to it, and the paths that say more; nil if they name nobody.
func Named(e *spec.Entity, paths []spec.Path) (of *spec.Entity, ways []*spec.Relationship, rest []spec.Path) {
	var best naming
	for _, n := range namings(e, paths) {
		if best.of == nil || n.narrower(best) {
			best = n
		}
	}
	if best.of == nil {
		return nil, nil, paths
	}
	for i, p := range paths {
		if !best.used[i] {
			rest = append(rest, p)
		}
	}
	return best.of, best.ways, rest
}

// naming is an entity of which paths name all of the identity.
type naming struct {
	of   *spec.Entity
	ways []*spec.Relationship
	used []bool // of the paths
}

// narrower reports whether a naming uses all the paths that another does, and more.
func (n naming) narrower(than naming) bool {
	more := false
	for i := range n.used {
		if than.used[i] && !n.used[i] {
			return false
		}
		more = more || n.used[i] && !than.used[i]
	}
	return more
}

// term is an attribute at the end of ways, and the paths that state it.
type term struct {
	ways []*spec.Relationship
	attr *spec.Attribute
	used []bool
}

// at reports whether a term is an attribute at the end of the same ways.
func (t term) at(ways []*spec.Relationship, a *spec.Attribute) bool {
	return t.attr == a && slices.Equal(t.ways, ways)
}

// namings are the entities that paths from e name, those of the first paths first, of a path the one at the end of its
// foreign key before the one that has it: there need not be the latter.
func namings(e *spec.Entity, paths []spec.Path) []naming {
	terms := equalities(e, paths)
	var out []naming
	add := func(of *spec.Entity, ways []*spec.Relationship, attrs []*spec.Attribute, under []*spec.Relationship) {
		n := naming{of: of, ways: ways, used: make([]bool, len(paths))}
		for _, a := range attrs {
			i := slices.IndexFunc(terms, func(t term) bool { return t.at(under, a) })
			if i < 0 {
				return
			}
			for j, used := range terms[i].used {
				n.used[j] = n.used[j] || used
			}
		}
		out = append(out, n)
	}
	for _, t := range terms {
		at := e
		if n := len(t.ways); n > 0 {
			at = t.ways[n-1].To
		}
		for _, r := range at.There {
			if slices.Contains(r.By, t.attr) {
				add(r.To, append(slices.Clone(t.ways), r), r.By, t.ways)
			}
		}
		if slices.Contains(at.Identity, t.attr) {
			add(at, t.ways, at.Identity, t.ways)
		}
	}
	return out
}

// equalities are the attributes that paths from e state: their last ones, and where these are derived or part of a foreign key
// what is equal to them at the end of it.
func equalities(e *spec.Entity, paths []spec.Path) []term {
	var terms []term
	for i, p := range paths {
		used := make([]bool, len(paths))
		used[i] = true
		if t, ok := walk(term{used: used}, e, p); ok {
			terms = append(terms, t)
		}
	}
	for i := 0; i < len(terms); i++ { // terms that follow are appended
		t, at := terms[i], e
		if n := len(t.ways); n > 0 {
			at = t.ways[n-1].To
		}
		if len(t.ways) >= maxWays {
			continue
		}
		if d := t.attr.Derived; d != nil && d.Func == "" {
			if n, ok := walk(t, at, d.Path); ok {
				terms = append(terms, n)
			}
		}
		for _, r := range at.There {
			if j := slices.Index(r.By, t.attr); j >= 0 && !slices.Contains(t.ways, r) {
				terms = append(terms, term{append(slices.Clone(t.ways), r), r.To.Identity[j], t.used})
			}
		}
	}
	return terms
}

// maxWays bounds how far entities are followed that refer to each other.
const maxWays = 4

// walk follows a path from an entity on.
func walk(t term, e *spec.Entity, p spec.Path) (term, bool) {
	for i, name := range p {
		if r := e.WayThere(name); r != nil && i < len(p)-1 {
			t.ways, e = append(slices.Clone(t.ways), r), r.To
			continue
		}
		t.attr = e.Attribute(name)
		return t, t.attr != nil && i == len(p)-1
	}
	return t, false
}

// values is how many values attributes that name nobody have.
func (w *Workload) values(e *spec.Entity, paths []spec.Path) int64 {
	n := int64(1)
	for _, p := range paths {
		if a := e.Attribute(p[0]); a != nil && len(p) == 1 {
			if k := len(shares(a)); k > 0 {
				n *= int64(k)
			} else if a.Distinct > 0 {
				n *= int64(w.variety(a))
			} else {
				return w.Members(e)
			}
		}
	}
	return n
}

// Varies reports whether `distinct` or shares state the number of values of each attribute of an entity.
func (w *Workload) Varies(e *spec.Entity, paths []spec.Path) bool {
	return !slices.ContainsFunc(paths, func(p spec.Path) bool {
		a := e.Attribute(p[0])
		return len(p) > 1 || a == nil || len(a.Shares) == 0 && a.Distinct == 0
	})
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
		each = w.beneath(way, each)
	}
	return w.Lying(o.Ways[last]), each
}

// lain is children by one more way, of each of which there are some more of what lies under it.
type lain struct {
	way  *spec.Relationship
	each *dist.Dist
}

// beneath is how many lie under an instance at the end of a way, where so many lie under each of its children; nil: one.
// The same way and the same number under each child always give the same distribution, at the same address.
func (w *Workload) beneath(way *spec.Relationship, each *dist.Dist) *dist.Dist {
	k := lain{way, each}
	out := w.under[k]
	if out == nil {
		d := w.Dist(w.Lying(way))
		if each != nil {
			d = dist.NewSums(*each).Compound(d)
		}
		out = &d
		w.under[k] = out
	}
	return out
}

// Lying is kids, also of relationships of which no number is stated: as many under each.
func (w *Workload) Lying(way *spec.Relationship) Spread {
	if c := w.Children(way); c.Stated || c.Average > 0 {
		return w.Kids(way)
	}
	return Even(w.Members(way.To)).Times(w.Count(way.From) / math.Max(w.Count(way.To), 1))
}
