package dist

import (
	"math"
	"slices"
)

// Outcome is one combination of whole numbers and its probability.
type Outcome struct {
	X []float64
	P float64
}

// Joint is the joint distribution of what a member has by each of the laws, picked and rounded as for Together, in rising
// order: expectations of several functions then need to go over the population once only.
func Joint(weight Law, laws ...Law) []Outcome {
	var out []Outcome
	x := make([]float64, len(laws))
	eachStratum(weight, laws, func(means []float64, w float64) {
		roundings(means, x, 0, w, func(p float64) {
			out = append(out, Outcome{slices.Clone(x), p})
		})
	})
	return mergeOutcomes(out)
}

// Means is Joint before anything is rounded: what members have on average, stratum by stratum. Of many laws it is far
// shorter, and a member's numbers are rounded one by one, independently of each other.
func Means(weight Law, laws ...Law) []Outcome {
	var out []Outcome
	eachStratum(weight, laws, func(means []float64, w float64) {
		if w > 0 {
			out = append(out, Outcome{slices.Clone(means), w})
		}
	})
	return mergeOutcomes(out)
}

// eachStratum calls f with the weight of each stratum of the laws' population, and what its members have on average.
func eachStratum(weight Law, laws []Law, f func(means []float64, w float64)) {
	n := samePopulation(append([]Law{weight}, laws...)...)
	g := universal()
	strata := 1
	if n > 0 {
		strata = g.strata(n)
	}
	means := make([]float64, len(laws))
	for i := range strata {
		w := 1.0
		if n > 0 {
			w = weight.inStratum(g, i, n)
		}
		for j, l := range laws {
			means[j] = l.inMean(i)
		}
		f(means, w)
	}
}

// roundings calls f for every way to round means[j:], x[:j] being settled with probability p.
func roundings(means, x []float64, j int, p float64, f func(p float64)) {
	if p == 0 {
		return
	}
	if j == len(means) {
		f(p)
		return
	}
	low := math.Floor(means[j])
	up := means[j] - low
	x[j] = low
	roundings(means, x, j+1, float64(p*(1-up)), f)
	x[j] = low + 1
	roundings(means, x, j+1, float64(p*up), f)
}

// mergeOutcomes sorts, joins what is equal, and scales to a sum of 1.
func mergeOutcomes(all []Outcome) []Outcome {
	slices.SortStableFunc(all, func(a, b Outcome) int { return slices.Compare(a.X, b.X) })
	var total float64
	out := all[:0]
	for _, o := range all {
		total += o.P
		if n := len(out); n > 0 && slices.Equal(out[n-1].X, o.X) {
			out[n-1].P += o.P
		} else {
			out = append(out, o)
		}
	}
	for i := range out {
		out[i].P /= total
	}
	return out
}
