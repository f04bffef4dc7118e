package prove

import (
	"math"
	"slices"
)

// Accuracy says how near the estimates of proofs came to what calls consumed.
type Accuracy struct {
	Patterns int
	Median   float64 // of consumed to estimated units, over all patterns
	Near     float64 // share of the patterns that lie within 5 % of their estimate, as far as so many calls can tell
}

const near = 0.05

// AccuracyOf is that of all patterns of some proofs.
func AccuracyOf(all ...*Evidence) (a Accuracy) {
	var ratios []float64
	within := 0
	for _, e := range all {
		for _, p := range e.Patterns {
			u := p.Verdicts.Units
			if u.Calls == 0 || u.Estimated <= 0 {
				continue
			}
			ratios = append(ratios, u.Consumed/u.Estimated)
			low, high := u.Consumed, u.Consumed
			if u.High > 0 {
				low, high = u.Low, u.High
			}
			if low <= u.Estimated*(1+near) && high >= u.Estimated*(1-near) {
				within++
			}
		}
	}
	if a.Patterns = len(ratios); a.Patterns == 0 {
		return Accuracy{Median: math.NaN()}
	}
	slices.Sort(ratios)
	return Accuracy{len(ratios), ratios[len(ratios)/2], float64(within) / float64(len(ratios))}
}
