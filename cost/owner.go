package cost

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// owner is whose identity the equalities of a read name: calls spread over its instances, and how much a call finds is a
// law over them.
type owner struct {
	entity  *spec.Entity // nil: attributes that are no identity
	members int64
	ways    []*spec.Relationship // from the entity read to the owner
}

// ownerOf follows the first path that names an identity.
func (f *figures) ownerOf(e *spec.Entity, paths []spec.Path) owner {
	for _, p := range paths {
		if o, ways := follow(e, p); o != nil {
			return owner{o, f.members(o), ways}
		}
	}
	return owner{members: f.values(e, paths)}
}

// values is how many values attributes that name nobody have.
func (f *figures) values(e *spec.Entity, paths []spec.Path) int64 {
	n := int64(1)
	for _, p := range paths {
		if a := e.Attribute(p[0]); a != nil && len(p) == 1 {
			if k := len(a.Shares); k > 0 {
				n *= int64(k)
			} else if a.Distinct > 0 {
				n *= int64(math.Max(math.Round(a.Distinct*f.count(e)/math.Max(e.Count, 1)), 1)) // among fewer there are fewer
			} else {
				return f.members(e)
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

// under is how many instances of the last entity on the ways lie directly under an owner, and how the instances of the
// first that lie under each of these in turn are distributed: nil if they are the same, one each. Which child has the most
// of its own says nothing about whose child it is.
func (f *figures) under(o owner) (direct spread, each *dist.Dist) {
	if len(o.ways) == 0 {
		return even(o.members), nil
	}
	last := len(o.ways) - 1
	for _, way := range o.ways[:last] {
		d := f.law(f.lying(way)).Dist()
		if each != nil {
			d = dist.NewSums(*each).Compound(d)
		}
		each = &d
	}
	return f.lying(o.ways[last]), each
}

// lying is kids, also of relationships of which no number is stated: as many under each.
func (f *figures) lying(way *spec.Relationship) spread {
	if c := f.children(way); c.Stated || c.Average > 0 {
		return f.kids(way)
	}
	return even(f.members(way.To)).times(f.count(way.From) / math.Max(f.count(way.To), 1))
}

// picked is how calls spread over the instances of a kind that a key names.
func (f *figures) picked(p *spec.Pattern, k *plan.Kind) spread {
	n := f.members(k.Entity)
	if p.Writes() || p.Read == k.Entity && f.ownerOf(k.Entity, p.Given).entity == k.Entity {
		return calls(n, p.Skew)
	}
	return even(n)
}

// bound are the paths of a kind that a query binds by equality: the parts that stand, in the kind's own templates, where
// those of the first kind do.
func bound(s *plan.Stage, k *plan.Kind) []spec.Path {
	var paths []spec.Path
	for _, b := range s.Where {
		if b.Form != "is" || b.Path == nil {
			continue
		}
		first, own := s.Kinds[0].Recipe(b.Wire.Name), k.Recipe(b.Wire.Name)
		if k == s.Kinds[0] || first == nil || own == nil {
			paths = append(paths, b.Path)
			continue
		}
		at := slices.IndexFunc(first.Parts, func(p *plan.Part) bool { return slices.Equal(p.Path, b.Path) })
		if at >= 0 && at < len(own.Parts) && own.Parts[at].Path != nil {
			paths = append(paths, own.Parts[at].Path)
		} else {
			paths = append(paths, b.Path)
		}
	}
	return paths
}

// partitionPaths are what the partition of a key is made of, for a kind.
func partitionPaths(k *plan.Kind, x *plan.Access) []spec.Path {
	var out []spec.Path
	for _, w := range x.Partition {
		if r := k.Recipe(w.Name); r != nil {
			for _, part := range r.Parts {
				if part.Path != nil {
					out = append(out, part.Path)
				}
			}
		}
	}
	return out
}

// identifies reports whether equalities bind the whole identity: at most one item matches.
func identifies(e *spec.Entity, where []*plan.Bound) bool {
	for _, a := range e.Identity {
		if !slices.ContainsFunc(where, func(b *plan.Bound) bool { return b.Form == "is" && len(b.Path) == 1 && b.Path[0] == a.Name }) {
			return false
		}
	}
	return true
}
