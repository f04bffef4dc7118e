package cost

import (
	"math"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// Figures are counts, children and results that replace those of the requirements: those of a scaled-down data set, say.
// What is not in a map is as the requirements state.
type Figures struct {
	Count    map[*spec.Entity]float64
	Children map[*spec.Relationship]spec.Children
	Results  map[*spec.Pattern]spec.Size
}

// figures answers what the walk asks, and remembers the laws it has made.
type figures struct {
	Figures
	laws map[lawOf]dist.Law
}

type lawOf struct {
	members       int64
	average, most float64
	skew          spec.Skew
}

func newFigures(f Figures) *figures { return &figures{f, map[lawOf]dist.Law{}} }

func (f *figures) count(e *spec.Entity) float64 {
	if n, ok := f.Count[e]; ok {
		return n
	}
	return e.Count
}

func (f *figures) members(e *spec.Entity) int64 { return int64(math.Max(math.Round(f.count(e)), 1)) }

func (f *figures) children(r *spec.Relationship) spec.Children {
	if c, ok := f.Children[r]; ok {
		return c
	}
	return r.PerParent
}

func (f *figures) results(p *spec.Pattern) spec.Size {
	if s, ok := f.Results[p]; ok {
		return s
	}
	return p.Results
}

// law is how a quantity spreads over members.
func (f *figures) law(members int64, average, most float64, skew spec.Skew) dist.Law {
	k := lawOf{members, average, most, skew}
	l, ok := f.laws[k]
	if !ok {
		switch {
		case skew.Zipf > 0:
			l = dist.Zipf(members, skew.Zipf, average, math.Max(most, average))
		case skew.Hottest > 0:
			l = dist.Hottest(members, skew.Hottest, average, math.Max(most, average))
		default:
			l = dist.Power(members, average, math.Max(most, average))
		}
		f.laws[k] = l
	}
	return l
}

// size is the law of a size over members.
func (f *figures) size(members int64, s spec.Size) dist.Law {
	return f.law(members, s.Average, s.Max, spec.Skew{})
}

// kids is the law of the number of children over the parents of a relationship.
func (f *figures) kids(r *spec.Relationship) dist.Law {
	c := f.children(r)
	return f.law(f.members(r.To), c.Average, c.Max, c.Skew)
}

// calls is how calls spread over members.
func (f *figures) calls(members int64, s spec.Skew) dist.Law {
	if s.Uniform() {
		return dist.Uniform(members, 1)
	}
	return f.law(members, 1, math.Inf(1), s)
}
