package dist_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

func TestCoarseSums(t *testing.T) {
	d := dist.Power(1_000_000, 800, 4_000).Dist()
	blocks := func(x float64) float64 { return math.Ceil(x / 4096) }
	exact, coarse := dist.NewSums(d), dist.CoarseSums(d, 64)
	for _, k := range []int{1, 2, 3, 7, 12, 40} {
		a, b := exact.Of(k), coarse.Of(k)
		if math.Abs(a.Mean()-b.Mean()) > 1e-6*a.Mean() {
			t.Errorf("%d have %v in the mean, coarsely %v", k, a.Mean(), b.Mean())
		}
		if x, y := a.Expect(blocks), b.Expect(blocks); math.Abs(y/x-1) > 0.003 {
			t.Errorf("%d take %v blocks, coarsely %v", k, x, y)
		}
	}
	count := dist.Power(1_000, 7, 300).Dist()
	a, b := exact.Compound(count), coarse.Compound(count)
	if x, y := a.Expect(blocks), b.Expect(blocks); math.Abs(y/x-1) > 0.003 {
		t.Errorf("some take %v blocks, coarsely %v", x, y)
	}
}

func TestCoarse(t *testing.T) {
	for _, d := range []dist.Dist{
		dist.Power(1_000_000, 800, 4_000).Dist(),
		dist.Zipf(50_000, 1.1, 20, 10_000).Dist(),
		dist.Mix([]float64{9, 1}, []dist.Dist{dist.Point(7), dist.Power(10_000, 100, 90_000).Dist()}),
	} {
		c := d.Coarse(64)
		if c.Len() > 2*64+2 {
			t.Errorf("%d values are left of %d", c.Len(), d.Len())
		}
		if math.Abs(c.Mean()-d.Mean()) > 1e-9*d.Mean() {
			t.Errorf("mean %v became %v", d.Mean(), c.Mean())
		}
		blocks := func(sum dist.Dist) float64 {
			return sum.Expect(func(x float64) float64 { return math.Ceil(x / 4096) })
		}
		exact, coarse := blocks(dist.NewSums(d).Of(8)), blocks(dist.NewSums(c).Of(8))
		if math.Abs(coarse/exact-1) > 0.002 {
			t.Errorf("8 of them take %v blocks, coarsely %v", exact, coarse)
		}
	}
	if d := dist.Point(3).Coarse(1); d.Len() != 1 || d.Mean() != 3 {
		t.Error("a point does not stay one")
	}
	heavy := dist.Mix([]float64{60, 40}, []dist.Dist{dist.Point(600), dist.Point(1_100)}).Coarse(1)
	if heavy.Mean() != 800 {
		t.Errorf("mean %v", heavy.Mean())
	}
}
