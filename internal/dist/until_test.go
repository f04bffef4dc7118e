package dist_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

func TestTries(t *testing.T) {
	for _, c := range []struct {
		n     int
		share float64
		step  float64
	}{{20, 0.25, 20}, {20, 0.25, 80}, {5, 0.5, 10}, {1, 0.1, 10}, {10, 0.9, 12}, {40, 0.01, 1_000}} {
		// The exact distribution, term by term: P(x) = C(x-1, n-1) share^n (1-share)^(x-n).
		p, steps, mean := math.Pow(c.share, float64(c.n)), 0.0, 0.0
		for x := c.n; x < c.n+int(60*float64(c.n)/c.share); x++ {
			mean += p * float64(x)
			steps += p * math.Ceil(float64(x)/c.step)
			p *= float64(x) / float64(x-c.n+1) * (1 - c.share)
		}
		d := dist.Tries(c.n, c.share)
		if got := d.Mean(); math.Abs(got-mean) > 0.02*mean {
			t.Errorf("%v: %v are looked at on average, want %v", c, got, mean)
		}
		if got := d.Expect(func(x float64) float64 { return math.Ceil(x / c.step) }); math.Abs(got-steps) > 0.05*steps {
			t.Errorf("%v: %v steps, want %v", c, got, steps)
		}
		if d.Min() < float64(c.n) || d.Len() > 16 {
			t.Errorf("%v: from %v, %d values", c, d.Min(), d.Len())
		}
	}
	if d := dist.Tries(7, 1); d.Len() != 1 || d.Min() != 7 {
		t.Errorf("all pass: %v", d.Min())
	}
	if d := dist.Tries(0, 0.5); d.Max() != 0 {
		t.Errorf("nothing is wanted: %v", d.Max())
	}
}

// TestUntil reads 100 elements from the beginning: steps are full until enough have been looked at, or all.
func TestUntil(t *testing.T) {
	for _, c := range []struct {
		all, enough float64
		step        int
		mean, steps float64 // of one step, and how many
	}{
		{100, 20, 20, 20, 1},
		{100, 21, 20, 20, 2},
		{100, 20, 80, 80, 1}, // a step is not cut short
		{100, 95, 80, 50, 2}, // 80 and 20
		{100, 500, 30, 25, 4},
		{0, 20, 20, 0, 1},
	} {
		each, n := dist.Point(c.all).Until(dist.Point(c.enough), c.step)
		if math.Abs(each.Mean()-c.mean) > 1e-9 || math.Abs(n-c.steps) > 1e-9 {
			t.Errorf("%v: %v each in %v steps", c, each.Mean(), n)
		}
	}
}

// TestPagesUntil reads 100 elements in pages that look at 30: three are full, and the last has ten.
func TestPagesUntil(t *testing.T) {
	each, steps := dist.Point(100).PagesUntil(dist.Point(30), 10)
	if steps != (3*3+1)/4.0 || each.Mean() != 10 {
		t.Errorf("%v each in %v steps", each.Mean(), steps)
	}
	each, steps = dist.Point(100).PagesUntil(dist.Point(30), 50) // 50, 50 of what is left, 40, and the last 10
	if steps != 1 || math.Abs(each.Mean()-(50+50+40+10)/4.0) > 1e-9 {
		t.Errorf("%v each in %v steps", each.Mean(), steps)
	}
	// Of many pages the last few alone come to the end.
	each, steps = dist.Point(30_000).PagesUntil(dist.Point(30), 50)
	if steps != 1 || math.Abs(each.Mean()-50) > 0.1 {
		t.Errorf("%v each in %v steps", each.Mean(), steps)
	}
}

func TestShareOf(t *testing.T) {
	d := dist.Point(10).Share(0.25)
	if d.Min() != 2 || d.Max() != 3 || d.Mean() != 2.5 {
		t.Errorf("a quarter of ten: %v to %v, %v on average", d.Min(), d.Max(), d.Mean())
	}
}
