package dist

import "math"

// exactly is up to which mean a binomial distribution has all its values; a larger one has sixteen.
const exactly = 64

// Binomial is the distribution of how many of n elements pass a test that each passes by chance, with probability
// share.
func Binomial(n int, share float64) Dist {
	switch {
	case n <= 0 || share <= 0:
		return Dist{}
	case share >= 1:
		return Point(float64(n))
	}
	mean := float64(float64(n) * share)
	by := math.Sqrt(float64(mean * (1 - share)))
	if mean > exactly {
		c := collect(2 * len(deviates))
		for _, z := range deviates {
			c.addWhole(min(mean+float64(z*by), float64(n)), 1)
		}
		return c.dist()
	}
	c := collect(int(mean+float64(12*by)) + 8)
	p, odds := math.Pow(1-share, float64(n)), share/(1-share)
	for k := 0; k <= n && (float64(k) < mean || p > 1e-12); k++ {
		c.add(float64(k), p)
		p = float64(float64(p*odds) * float64(float64(n-k)/float64(k+1)))
	}
	return c.dist()
}
