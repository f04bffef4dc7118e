package dist

import (
	"math"
	"testing"
)

// TestBinomial: the mean is exact, nothing is negative or more than there is, and how many are none is what chance
// says.
func TestBinomial(t *testing.T) {
	for _, c := range []struct {
		n     int
		share float64
	}{{0, 0.5}, {1, 0.001}, {3, 0.25}, {10, 1}, {300, 1. / 1000}, {1000, 1. / 16}, {2000, 1. / 16}, {5_000_000, 1. / 8}, {90, 0.9}} {
		d := Binomial(c.n, c.share)
		mean := float64(c.n) * c.share
		if got := d.Mean(); math.Abs(got-mean) > 1e-6*mean {
			t.Errorf("%d at %g: mean %g, want %g", c.n, c.share, got, mean)
		}
		if d.Min() < 0 || d.Max() > float64(c.n) {
			t.Errorf("%d at %g: from %g to %g", c.n, c.share, d.Min(), d.Max())
		}
		if none := math.Pow(1-c.share, float64(c.n)); mean <= exactly && math.Abs(d.Below(1)-none) > 1e-9 {
			t.Errorf("%d at %g: none at %g, want %g", c.n, c.share, d.Below(1), none)
		}
		if variance := d.Expect(func(x float64) float64 { return (x - mean) * (x - mean) }); math.Abs(variance-mean*(1-c.share)) > 0.15*mean*(1-c.share)+1e-9 {
			t.Errorf("%d at %g: variance %g, want %g", c.n, c.share, variance, mean*(1-c.share))
		}
	}
}
