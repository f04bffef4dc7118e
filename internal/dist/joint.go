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
	n := samePopulation(append([]Law{weight}, laws...)...)
	g := universal()
	strata := 1
	if n > 0 {
		strata = g.strata(n)
	}
	var out []Outcome
	means, x := make([]float64, len(laws)), make([]float64, len(laws))
	for i := range strata {
		w := 1.0
		if n > 0 {
			w = weight.inStratum(g, i, n)
		}
		for j, l := range laws {
			means[j] = l.mean
			if l.law != nil {
				means[j] = l.law.means[i]
			}
		}
		roundings(means, x, 0, w, func(p float64) {
			out = append(out, Outcome{slices.Clone(x), p})
		})
	}
	return mergeOutcomes(out)
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
