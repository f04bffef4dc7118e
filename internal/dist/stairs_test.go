package dist_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

// Of every distribution, stairs expect of what does not fall what the distribution itself does.
func TestStairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		n := 1 + random.IntN(40)
		weights, of := make([]float64, n), make([]dist.Dist, n)
		for i := range of {
			weights[i], of[i] = random.Float64()+0.01, dist.Point(math.Floor(random.Float64()*6_000))
		}
		d := dist.Mix(weights, of)
		s := dist.StairsOf(d)
		for _, block := range []float64{1, 100, 1_024, 100_000} {
			f := func(x float64) float64 { return math.Max(math.Ceil(x/block), 1) }
			if got, want := s.Expect(f), d.Expect(f); math.Abs(got-want) > 1e-9*want {
				t.Fatalf("%d values, blocks of %v: %v, want %v", d.Len(), block, got, want)
			}
		}
	}
}

func TestStairsOfNothing(t *testing.T) {
	f := func(x float64) float64 { return x + 3 }
	if got := dist.StairsOf(dist.Dist{}).Expect(f); got != 3 {
		t.Errorf("%v, want 3", got)
	}
	if s := (dist.Stairs{}); !s.None() || dist.StairsOf(dist.Dist{}).None() {
		t.Error("what has been prepared is not told from what has not")
	}
}
