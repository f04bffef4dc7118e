package design

import (
	"slices"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// A volume is a distribution of bytes over the members of a population: a constant, and what varies from rank to rank. It
// is a capacity.Sizes.
type volume struct {
	fixed float64
	terms []term
	pick  dist.Law // how members are picked; the zero law: all alike
}

// term is a number of things, each of so many bytes.
type term struct {
	law  dist.Law
	each float64
}

// Expect is the expectation of f of the bytes.
func (v volume) Expect(f func(bytes float64) float64) float64 {
	if len(v.terms) == 0 {
		return dist.Uniform(1, v.fixed).Expect(f)
	}
	laws := make([]dist.Law, 1, 1+len(v.terms))
	laws[0] = dist.Uniform(1, v.fixed)
	for _, t := range v.terms {
		laws = append(laws, t.law)
	}
	return dist.Together(v.pick, func(x []float64) float64 {
		bytes := x[0]
		for i, t := range v.terms {
			bytes += float64(t.each * x[1+i])
		}
		return f(bytes)
	}, laws...)
}

// mean is the average, all members alike.
func (v volume) mean() float64 {
	sum := v.fixed
	for _, t := range v.terms {
		sum += float64(t.each * t.law.Mean())
	}
	return sum
}

// most is the volume of the largest member.
func (v volume) most() float64 {
	sum := v.fixed
	for _, t := range v.terms {
		sum += float64(t.each * t.law.Max())
	}
	return sum
}

func (v volume) plus(w volume) volume {
	return volume{fixed: v.fixed + w.fixed, terms: append(slices.Clone(v.terms), w.terms...), pick: v.pick}
}

// times is the volume of n of each: only the averages are kept.
func (v volume) times(n float64) volume { return volume{fixed: float64(n * v.mean())} }

// picked is the volume of members that are picked by a law.
func (v volume) picked(by dist.Law) volume {
	v.pick = by
	return v
}

// laws makes rank laws and remembers them: finding an exponent takes a while.
type laws struct {
	powers map[lawKey]dist.Law
}

type lawKey struct {
	members       int64
	average, most float64
}

func (l *laws) power(members, average, most float64) dist.Law {
	k := lawKey{int64(members), average, most}
	law, ok := l.powers[k]
	if !ok {
		law = dist.Power(k.members, average, most)
		if l.powers == nil {
			l.powers = map[lawKey]dist.Law{}
		}
		l.powers[k] = law
	}
	return law
}

// value is the volume of an attribute's value over the members of its entity.
func (l *laws) value(e *spec.Entity, size spec.Size) volume {
	if size.Max <= size.Average || size.Average == 0 {
		return volume{fixed: size.Average}
	}
	return volume{terms: []term{{l.power(max(e.Count, 1), size.Average, size.Max), 1}}}
}

// children is the number of children by a way, over the parents.
func (l *laws) children(w *spec.Relationship) dist.Law {
	return l.power(max(w.To.Count, 1), w.PerParent.Average, w.PerParent.Max)
}

// skewed is how calls spread over the members of an entity.
func (l *laws) skewed(s spec.Skew, members float64) dist.Law {
	n := int64(max(members, 1))
	switch {
	case s.Zipf > 0:
		k := lawKey{-n, s.Zipf, 0}
		law, ok := l.powers[k]
		if !ok {
			law = dist.Zipf(n, s.Zipf, 1, 1e300)
			if l.powers == nil {
				l.powers = map[lawKey]dist.Law{}
			}
			l.powers[k] = law
		}
		return law
	case s.Hottest > 0:
		return dist.Hottest(n, s.Hottest, 1, 1e300)
	}
	return dist.Law{}
}
