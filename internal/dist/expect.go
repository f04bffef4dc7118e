package dist

import (
	"fmt"
	"math"
	"slices"
)

// Expect is the expectation of f over the members, all alike, whose values are rounded to whole numbers at random.
func (l Law) Expect(f func(x float64) float64) float64 {
	if l.law == nil {
		return expectWhole(l.mean, f)
	}
	g, n := universal(), l.Members()
	var sum float64
	for i, m := range l.law.means {
		sum += float64(expectWhole(m, f) * float64(g.size(i, n)))
	}
	return sum / float64(n)
}

// Real is the expectation of f over the members, all alike, whose values need not be whole: shares of calls, or rates.
func (l Law) Real(f func(x float64) float64) float64 {
	if l.law == nil {
		return f(l.mean)
	}
	g, n := universal(), l.Members()
	var sum float64
	for i, m := range l.law.means {
		sum += float64(f(m) * float64(g.size(i, n)))
	}
	return sum / float64(n)
}

// Met is the expected number of members from which something is drawn, when a share of everything that all members have
// is drawn without looking whose it is.
func (l Law) Met(share float64) float64 {
	if share >= 1 {
		return float64(float64(l.Members()) * l.Expect(func(x float64) float64 { return math.Min(x, 1) }))
	}
	missed := log(1 - share)
	return float64(float64(l.Members()) * l.Expect(func(x float64) float64 { return 1 - exp(float64(x*missed)) }))
}

// expectWhole is the expectation of f over x rounded up or down at random.
func expectWhole(x float64, f func(float64) float64) float64 {
	low := math.Floor(x)
	up := x - low
	if up == 0 {
		return f(low)
	}
	return float64(f(low)*(1-up)) + float64(f(low+1)*up)
}

// Dist is the distribution of the whole number that a member has, all members alike.
func (l Law) Dist() Dist { return l.Weighted(Law{members: l.members}) }

// Weighted is the distribution of the whole number that a member has, if members are picked as weight spreads: the answer's
// size when calls are skewed. Both laws are over the same population, rank by rank: the largest is the hottest. A weight that
// is 0 everywhere counts as uniform.
func (l Law) Weighted(weight Law) Dist {
	if l.law == nil {
		return whole(l.mean)
	}
	samePopulation(weight, l)
	g, n := universal(), l.Members()
	var c collector
	for i, m := range l.law.means {
		c.addWhole(m, weight.inStratum(g, i, n))
	}
	return c.dist()
}

// inStratum is what all ranks of a stratum have together; 1 each if nobody has anything.
func (l Law) inStratum(g *grid, i int, n int64) float64 {
	size := float64(g.size(i, n))
	switch {
	case l.mean == 0:
		return size
	case l.law == nil:
		return float64(l.mean * size)
	}
	return float64(l.law.means[i] * size)
}

// Together is the expectation of f over the members of one population, picked as weight spreads. x holds what a member has by
// each of the laws, each rounded to a whole number at random, independently. Rank 1 is the same member in weight and all
// laws. f must not keep x.
func Together(weight Law, f func(x []float64) float64, laws ...Law) float64 {
	n := samePopulation(append([]Law{weight}, laws...)...)
	means, x := make([]float64, len(laws)), make([]float64, len(laws))
	return overStrata(weight, n, func(i int) float64 {
		for j, l := range laws {
			means[j] = l.inMean(i)
		}
		return expectEach(means, x, 0, f)
	})
}

// Along is the expectation of f over the members of one population, as weight picks them: of the sum of some laws and of
// others each on its own, all rounded at random to whole numbers. Where only the sum matters it is much cheaper than
// Together, whose work doubles with each law.
func Along(weight Law, f func(sum float64, whole []float64) float64, sums, whole []Law) float64 {
	n := samePopulation(slices.Concat([]Law{weight}, sums, whole)...)
	means, x := make([]float64, len(whole)), make([]float64, len(whole))
	return overStrata(weight, n, func(i int) float64 {
		sum := 0.0
		for _, l := range sums {
			sum += l.inMean(i)
		}
		for j, l := range whole {
			means[j] = l.inMean(i)
		}
		return expectWhole(sum, func(sum float64) float64 {
			return expectEach(means, x, 0, func(x []float64) float64 { return f(sum, x) })
		})
	})
}

// inMean is the mean of a law in a stratum.
func (l Law) inMean(i int) float64 {
	if l.law != nil {
		return l.law.means[i]
	}
	return l.mean
}

// overStrata is the mean of what each stratum of n members has, by their weight; of stratum 0 if all laws are flat.
func overStrata(weight Law, n int64, at func(i int) float64) float64 {
	if n == 0 {
		return at(0)
	}
	g := universal()
	var sum, total float64
	for i := range g.strata(n) {
		w := weight.inStratum(g, i, n)
		if w == 0 {
			continue
		}
		sum += float64(w * at(i))
		total += w
	}
	return sum / total
}

// expectEach is the expectation of f over means[j:] rounded at random, x[:j] being settled.
func expectEach(means, x []float64, j int, f func([]float64) float64) float64 {
	if j == len(means) {
		return f(x)
	}
	return expectWhole(means[j], func(v float64) float64 {
		x[j] = v
		return expectEach(means, x, j+1, f)
	})
}

// samePopulation is the number of members of all laws that are not flat, which must agree; 0 if all are flat.
func samePopulation(laws ...Law) int64 {
	var n int64
	for _, l := range laws {
		if l.law == nil {
			continue
		}
		if n != 0 && n != l.Members() {
			panic(fmt.Sprintf("dist: laws over %d and %d members read together", n, l.Members()))
		}
		n = l.Members()
	}
	return n
}
