package dist_test

import (
	"math"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

func TestJoint(t *testing.T) {
	const n = 40_000_000
	laws := []dist.Law{dist.Power(n, 2.5, 45), dist.Uniform(n, 1), dist.Power(n, 1.2, 20)}
	f := func(x []float64) float64 { return math.Ceil((350 + 161*x[0] + 298*x[1] + 523*x[2]) / 4096) }
	for _, weight := range []dist.Law{dist.Uniform(n, 1), dist.Zipf(n, 0.9, 1, math.Inf(1))} {
		want := dist.Together(weight, f, laws...)
		var got, p float64
		for _, o := range dist.Joint(weight, laws...) {
			got += o.P * f(o.X)
			p += o.P
		}
		if math.Abs(p-1) > 1e-12 || math.Abs(got-want) > 1e-9 {
			t.Errorf("expectation %v of weight %v, want %v", got, p, want)
		}
	}
	if o := dist.Joint(dist.Uniform(1, 1), dist.Uniform(1, 2.25)); len(o) != 2 || o[0].P != 0.75 || o[1].X[0] != 3 {
		t.Errorf("2.25 is %v", o)
	}
}

func TestMeans(t *testing.T) {
	const n = 40_000_000
	laws := []dist.Law{dist.Power(n, 2.5, 45), dist.Uniform(n, 1.25), dist.Power(n, 1.2, 20), dist.Power(n, 7, 300)}
	weight := dist.Zipf(n, 0.9, 1, math.Inf(1))
	joint, means := dist.Joint(weight, laws...), dist.Means(weight, laws...)
	if len(means) >= len(joint) {
		t.Errorf("%d combinations unrounded, %d rounded", len(means), len(joint))
	}
	for j := range laws { // rounding keeps every mean, and every mean of a product
		var got, want float64
		for _, o := range means {
			got += o.P * o.X[j] * o.X[(j+1)%len(laws)]
		}
		for _, o := range joint {
			want += o.P * o.X[j] * o.X[(j+1)%len(laws)]
		}
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("laws %d and %d: expectation %v of the product, want %v", j, j+1, got, want)
		}
	}
}
