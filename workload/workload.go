package workload

import (
	"math"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// Figures are counts, children and results that replace those of the requirements: those of a scaled-down data set,
// say. What is not in a map is as the requirements state.
type Figures struct {
	Count    map[*spec.Entity]float64
	Children map[*spec.Relationship]spec.Children
	Results  map[*spec.Pattern]spec.Size
	Bytes    map[*spec.Attribute]spec.Size // of the value alone
	Renews   map[*spec.Pattern]float64     // share of the calls of an upsert that find one there; else none does
	Lengths  map[*spec.Parameter]float64   // of lists, where calls state others than their parameters say

	// Peak says that questions are about the busiest hours, of which patterns may state a skew of their own.
	Peak bool
}

// Workload answers questions about the quantities of requirements. It remembers what it has computed, and is not safe
// for concurrent use.
type Workload struct {
	requirements *spec.Requirements
	figures      Figures
	frequent     map[string]float64
	lists        map[string]*spec.Pattern // that list all with the same values of some attributes, by these
	reads        map[*spec.Entity][]*spec.Pattern
	first        map[*spec.Attribute]*spec.Attribute // of optional attributes that come and go together, by each of them
	arrivals     map[*spec.Attribute]arrival         // of optional attributes that come with a state
	laws         map[Spread]dist.Law
	dists        map[Spread]dist.Dist
	different    map[drawn]float64
	under        map[lain]*dist.Dist
	owners       map[owned]Owner
	told         map[toldOf]float64
	room         []byte // for what they are found by
}

// New makes a workload of requirements, some of whose figures are replaced.
func New(r *spec.Requirements, f Figures) *Workload {
	reads := map[*spec.Entity][]*spec.Pattern{}
	for _, p := range r.Patterns {
		if p.Read != nil {
			reads[p.Read] = append(reads[p.Read], p)
		}
	}
	return &Workload{requirements: r, figures: f, reads: reads, frequent: frequent(r), lists: lists(r), first: together(r), arrivals: arrivals(r), laws: map[Spread]dist.Law{}, dists: map[Spread]dist.Dist{}, different: map[drawn]float64{}, under: map[lain]*dist.Dist{}, owners: map[owned]Owner{}, told: map[toldOf]float64{}}
}

// Count is how many instances of an entity are stored.
func (w *Workload) Count(e *spec.Entity) float64 {
	if n, ok := w.figures.Count[e]; ok {
		return n
	}
	return e.Count
}

// Members is Count as a number of members of a law: a whole one, at least 1.
func (w *Workload) Members(e *spec.Entity) int64 { return int64(math.Max(math.Round(w.Count(e)), 1)) }

// Children is the number of children per parent.
func (w *Workload) Children(r *spec.Relationship) spec.Children {
	if c, ok := w.figures.Children[r]; ok {
		return c
	}
	return r.PerParent
}

// Results is how many matches one call of a read has, over all of its pages.
func (w *Workload) Results(p *spec.Pattern) spec.Size {
	if s, ok := w.figures.Results[p]; ok {
		return s
	}
	return p.Results
}

// Spread is how a quantity spreads over the members of a population, by figures: equal figures are equal laws. Most is
// not below Average.
type Spread struct {
	Members       int64
	Average, Most float64
	Skew          spec.Skew
}

// Times is the spread with a share of everything.
func (s Spread) Times(by float64) Spread {
	s.Average, s.Most = float64(s.Average*by), float64(s.Most*by)
	return s
}

// Law is the law of some figures.
func (w *Workload) Law(s Spread) dist.Law {
	l, ok := w.laws[s]
	if !ok {
		l = s.law()
		w.laws[s] = l
	}
	return l
}

func (s Spread) law() dist.Law {
	switch {
	case s.Most <= s.Average:
		return dist.Uniform(s.Members, s.Average)
	case s.Skew.Zipf > 0:
		return dist.Zipf(s.Members, s.Skew.Zipf, s.Average, s.Most)
	case s.Skew.Hottest > 0:
		return dist.HottestOf(s.Members, int64(s.Skew.Keys), s.Skew.Hottest, s.Average, s.Most)
	}
	return dist.Power(s.Members, s.Average, s.Most)
}

// Dist is what one of the members has, all alike.
func (w *Workload) Dist(s Spread) dist.Dist {
	d, ok := w.dists[s]
	if !ok {
		d = w.Law(s).Dist()
		w.dists[s] = d
	}
	return d
}

// Even is that all members are as likely.
func Even(members int64) Spread { return Spread{Members: members, Average: 1, Most: 1} }

// Calls is how calls spread over members. Calls in proportion to what they find spread evenly over what has no size.
func Calls(members int64, s spec.Skew) Spread {
	if s.Uniform() || s.BySize {
		return Even(members)
	}
	return Spread{members, 1, math.Inf(1), s}
}

// Skew is how the calls of a pattern spread, at the time that the workload is about.
func (w *Workload) Skew(p *spec.Pattern) spec.Skew {
	if w.figures.Peak {
		return p.PeakSkew()
	}
	return p.Skew
}

// SkewOf is how the calls of a pattern spread over the values at a path. Uniform if the requirements state the skew of
// something else.
func (w *Workload) SkewOf(p *spec.Pattern, path spec.Path) spec.Skew {
	if !p.Spreads(path) {
		return spec.Skew{}
	}
	return w.Skew(p)
}

// SkewOver is how the calls of a pattern spread over the instances of an entity that it reads or writes.
func (w *Workload) SkewOver(p *spec.Pattern, e *spec.Entity) spec.Skew {
	if !p.SpreadsOver(e) {
		return spec.Skew{}
	}
	return w.Skew(p)
}

// CallLaw is the law of Calls.
func CallLaw(members int64, s spec.Skew) dist.Law { return Calls(members, s).law() }

// Hottest is the share of calls that fall on the first of those over which they spread.
func (w *Workload) Hottest(calls Spread) float64 { return w.Law(calls).Share(1) }

// Kids is the number of children over the parents of a relationship.
func (w *Workload) Kids(r *spec.Relationship) Spread {
	c := w.Children(r)
	return Spread{w.Members(r.To), c.Average, math.Max(c.Max, c.Average), c.Skew}
}

// drawn is a number of children of a relationship.
type drawn struct {
	way *spec.Relationship
	n   float64
}

// Different returns how many different parents n children of a relationship have on average. The n children are taken
// to be any: nothing in the requirements says that those of one call share a parent more often than others.
func (w *Workload) Different(r *spec.Relationship, n float64) float64 {
	kids := w.Law(w.Kids(r))
	share := n / math.Max(float64(kids.Mean()*float64(kids.Members())), n)
	if share <= 0 {
		return 0
	}
	key := drawn{r, n}
	out, ok := w.different[key]
	if !ok {
		out = kids.Met(share)
		w.different[key] = out
	}
	return out
}

// Born is how new children spread over the parents of a relationship: as those that are there do, unless a skew is
// stated. How many a parent can have at most says nothing about how many of the calls of a second are about it.
func (w *Workload) Born(r *spec.Relationship) Spread {
	if c := w.Children(r); !c.Skew.Uniform() {
		return Calls(w.Members(r.To), c.Skew)
	}
	return w.Kids(r)
}

// Bytes is the size of an attribute's values.
func (w *Workload) Bytes(a *spec.Attribute) spec.Size {
	if s, ok := w.figures.Bytes[a]; ok {
		return s
	}
	return a.Bytes
}

// Renews is the share of the calls of an upsert that find what they write there already. Nothing states it: what is
// written is taken to be new.
func (w *Workload) Renews(p *spec.Pattern) float64 { return w.figures.Renews[p] }

// RenewsAtMost is the same where it is safe to take it for more than it is: all of the calls, unless something tells.
func (w *Workload) RenewsAtMost(p *spec.Pattern) float64 {
	if share, ok := w.figures.Renews[p]; ok {
		return share
	}
	return 1
}

// Cut is a skew of children that their stated maximum contradicts: the hottest parent would get more than a parent can
// have.
type Cut struct {
	Way         *spec.Relationship
	Hottest     float64 // share of new children that one parent gets
	Share, Most float64 // of all children that a parent has at most, and that number
}

// Cuts are the skews that stated maxima contradict. Calls follow the skew, what is stored keeps to the maximum.
func (w *Workload) Cuts(r *spec.Requirements) (out []Cut) {
	for _, e := range r.Entities {
		for _, way := range e.There {
			c := w.Children(way)
			total := float64(c.Average * float64(w.Members(way.To)))
			if c.Skew.Uniform() || total <= 0 {
				continue
			}
			if hottest := w.Hottest(w.Born(way)); hottest > c.Max/total*contradicts && c.Max > c.Average {
				out = append(out, Cut{way, hottest, c.Max / total, c.Max})
			}
		}
	}
	return out
}

// contradicts is how many times its maximum a skew asks for before the two are taken to contradict each other: a law
// that a maximum only rounds off is meant so.
const contradicts = 2
