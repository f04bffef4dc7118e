package cost

import (
	"slices"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// picked is how calls spread over the instances of a kind that a key names.
func (f *figures) picked(p *spec.Pattern, k *plan.Kind) spread {
	n := f.Members(k.Entity)
	if p.Writes() || f.OwnerOf(p.Read, p.Given).Entity == k.Entity {
		return workload.Calls(n, f.SkewOver(p, k.Entity))
	}
	return workload.Even(n)
}

// calls is how the calls of a read spread over the values that it is asked for; found is how many each of these has.
func (f *figures) calls(p *spec.Pattern, members int64, found spread) spread {
	skew := f.Skew(p)
	if skew.BySize && found.Members == members {
		return found
	}
	return workload.Calls(members, skew)
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
