package dist

import "math"

// Coarse is the distribution with about 2n different values at most: neighbours are merged into their mean until together
// they have 1/n of the weight, or 1/n of the mean, so that a long tail stays as fine as the bulk. The mean of the whole
// stays, and so do values that weigh more than that by themselves. What is summed many times over need not be finer: sums
// of a law's two thousand strata would have millions of values.
func (d Dist) Coarse(n int) Dist {
	if d.Len() <= n {
		return d
	}
	enough := 1 / float64(n)
	share := float64(math.Abs(d.Mean()) * enough)
	c := collect(2*n + 1)
	var p, moment float64
	flush := func() {
		if p > 0 {
			c.add(moment/p, p)
		}
		p, moment = 0, 0
	}
	for _, a := range d.all() {
		if a.p >= enough || math.Abs(float64(a.x*a.p)) >= share {
			flush()
			c.add(a.x, a.p)
			continue
		}
		p += a.p
		moment += float64(a.x * a.p)
		if p >= enough || math.Abs(moment) >= share {
			flush()
		}
	}
	flush()
	return c.dist()
}
