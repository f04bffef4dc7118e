package cost

import (
	"math"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Figures are counts, children and results that replace those of the requirements: those of a scaled-down data set, say.
// What is not in a map is as the requirements state.
type Figures struct {
	Count    map[*spec.Entity]float64
	Children map[*spec.Relationship]spec.Children
	Results  map[*spec.Pattern]spec.Size

	// Met says how many of the entities that a read looks for a call meets that pass its equalities and some of the tests
	// of its `where`, where this is known better than by Results and a law: shares of calls, in sum 1. It answers nothing
	// for all other patterns. nil: for all.
	Met func(p *spec.Pattern, tests []*spec.Test) []Met
}

// Met is a share of the calls of a read, and how many items each of these meets.
type Met struct{ Items, Of float64 }

// figures answers what the walk over the plans asks, and remembers what it has computed: laws, sizes, and what each stage
// consumes, which money and loads both need.
type figures struct {
	Figures
	frequent map[string]float64
	first    map[*spec.Attribute]*spec.Attribute // of optional attributes that come and go together, by each of them
	laws     map[spread]dist.Law
	sizes    map[sizeKey]*size
	counts   map[[2]spread]dist.Dist
	read     map[*plan.Stage]units
	write    map[*plan.Stage]units
}

// spread is how a quantity spreads over the members of a population, by figures: equal figures are equal laws. most is not
// below average.
type spread struct {
	members       int64
	average, most float64
	skew          spec.Skew
}

// times is the spread with a share of everything.
func (k spread) times(by float64) spread {
	k.average, k.most = float64(k.average*by), float64(k.most*by)
	return k
}

type sizeKey struct {
	kind   *plan.Kind
	access *plan.Access
	weight spread
	sure   string // what is known of optional attributes
}

func newFigures(r *spec.Requirements, f Figures) *figures {
	return &figures{
		Figures: f, frequent: frequent(r), first: together(r), laws: map[spread]dist.Law{}, sizes: map[sizeKey]*size{}, counts: map[[2]spread]dist.Dist{},
		read: map[*plan.Stage]units{}, write: map[*plan.Stage]units{},
	}
}

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

// law is the law of some figures.
func (f *figures) law(k spread) dist.Law {
	l, ok := f.laws[k]
	if !ok {
		switch {
		case k.most <= k.average:
			l = dist.Uniform(k.members, k.average)
		case k.skew.Zipf > 0:
			l = dist.Zipf(k.members, k.skew.Zipf, k.average, k.most)
		case k.skew.Hottest > 0:
			l = dist.Hottest(k.members, k.skew.Hottest, k.average, k.most)
		default:
			l = dist.Power(k.members, k.average, k.most)
		}
		f.laws[k] = l
	}
	return l
}

// even is that all members are as likely.
func even(members int64) spread { return spread{members: members, average: 1, most: 1} }

// kids is the number of children over the parents of a relationship.
func (f *figures) kids(r *spec.Relationship) spread {
	c := f.children(r)
	return spread{f.members(r.To), c.Average, math.Max(c.Max, c.Average), c.Skew}
}

// calls is how calls spread over members.
func calls(members int64, s spec.Skew) spread {
	if s.Uniform() {
		return even(members)
	}
	return spread{members, 1, math.Inf(1), s}
}
