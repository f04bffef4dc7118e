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

// called is how many matches the values have that calls of a read with conditions are about, and how often each is
// asked for. What is stated is what a call finds on average, so that with a skew the values that are asked for less
// have fewer than that. Without conditions it is what lies under a value, as the law of that says.
func (f *figures) called(p *spec.Pattern, found spread) (each, weight spread) {
	weight = f.calls(p, found.Members, found)
	if p.Where == nil || found.Average <= 0 || found.Most <= found.Average || weight.Average == weight.Most {
		return found, weight
	}
	key := counted{each: found, weight: weight}
	if c, ok := f.callers[key]; ok {
		return c.each, c.weight
	}
	mean := func(average float64) float64 {
		x := found
		x.Average = average
		by := weight
		if by == found {
			by = x
		}
		return f.Law(x).Weighted(f.Law(by)).Mean()
	}
	each = found
	low, high := found.Average*leastCalled, found.Average
	if mean(low) >= found.Average { // the value that is asked for most cannot have the most
		each, weight = found, workload.Even(found.Members)
	} else {
		for high-low > found.Average*nearCalled {
			if middle := (low + high) / 2; mean(middle) < found.Average {
				low = middle
			} else {
				high = middle
			}
		}
		if each.Average = high; weight == found {
			weight = each
		}
	}
	f.callers[key] = counted{each: each, weight: weight}
	return each, weight
}

const (
	leastCalled = 1e-3 // the least that a value has on average, as a share of what a call finds
	nearCalled  = 1e-3 // how exactly that is found
)

// bound are the paths of a kind that a query binds by equality: the parts that stand, in the kind's own templates,
// where those of the first kind do.
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
