package dist_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

// near fails unless got is want, to a relative difference.
func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if diff := math.Abs(got - want); !(diff <= relative*math.Abs(want)) && diff > 1e-300 {
		t.Errorf("%s: %.17g, not %.17g (off by %.2g)", what, got, want, diff/math.Abs(want))
	}
}

func TestElementaryFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		x := math.Exp(r.Float64()*1400 - 700)
		// Near 1 the absolute error counts: the logarithm is small.
		if got, want := dist.Log(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Fatalf("log(%v) = %v, not %v", x, got, want)
		}
		y := r.Float64()*1400 - 700
		near(t, "exp", dist.Exp(y), math.Exp(y), 8e-16)
	}
	for _, x := range []float64{0, 710, math.Inf(1), -746, math.Inf(-1)} {
		if got, want := dist.Exp(x), math.Exp(x); got != want {
			t.Errorf("exp(%v) = %v, not %v", x, got, want)
		}
	}
	if dist.Log(1) != 0 {
		t.Errorf("log(1) = %v", dist.Log(1))
	}
}

func TestHarmonic(t *testing.T) {
	for _, s := range []float64{0, 1e-9, 0.1, 0.5, 0.788, 0.999999, 1, 1.000001, 1.5, 2, 3.7, 10, 60, 1000} {
		sum, compensation := 0.0, 0.0
		for r := int64(1); r <= 300_000; r++ { // Kahan: the reference itself must be exact to 1e-14
			term := math.Pow(float64(r), -s) - compensation
			next := sum + term
			compensation = next - sum - term
			sum = next
			switch r {
			case 1, 2, 5, 23, 24, 25, 100, 5_000, 300_000:
				near(t, "harmonic", dist.Harmonic(r, s), sum, 1e-13)
			}
		}
	}
	near(t, "zeta(2)", dist.Harmonic(1<<53, 2), math.Pi*math.Pi/6-1.0/(1<<53), 1e-14)
}

// laws are distributions as requirements state them, and the edges of what can be stated.
var laws = []struct {
	name string
	law  dist.Law
	mean float64
	max  float64 // of rank 1
}{
	{"orders of a customer", dist.Power(2_000_000, 20, 5_000), 20, 5_000},
	{"matches of a product", dist.Power(100_000, 100, 200_000), 100, 200_000},
	{"shipments of 40 warehouses", dist.Power(40, 1_200_000, 5_000_000), 1_200_000, 5_000_000},
	{"fewer children than parents", dist.Power(1_000_000, 0.5, 20), 0.5, 20},
	{"hardly any", dist.Power(1_000_000, 0.00003, 20), 0.00003, 20},
	{"all alike", dist.Power(1_000, 7, 7), 7, 7},
	{"nearly alike", dist.Power(1_000, 7, 7.000000001), 7, 7.000000001},
	{"next float", dist.Power(1_000, 7, math.Nextafter(7, 8)), 7, math.Nextafter(7, 8)},
	{"one member", dist.Power(1, 7, 100), 7, 7},
	{"no member counts as one", dist.Power(0, 7, 100), 7, 7},
	{"two members", dist.Power(2, 7, 10), 7, 10},
	{"maximum out of reach", dist.Power(10, 0.5, 20), 0.5, 5},
	{"maximum just in reach", dist.Power(10, 2, 20), 2, 20},
	{"maximum below average", dist.Power(10, 5, 3), 5, 5},
	{"nothing", dist.Power(10, 0, 3), 0, 0},
	{"steep", dist.Power(10, 2.0000001, 20), 2.0000001, 20},
	{"largest population", dist.Power(1<<60, 3, 1e9), 3, 1e9},
	{"zipf with cap", dist.Zipf(100_000, 0.8, 1_000, 2_000), 1_000, 2_000},
	{"zipf, cap binds the first", dist.Zipf(100_000, 0.8, 1_000, 2_000_000), 1_000, 2_000_000},
	{"zipf, nearly all capped", dist.Zipf(1_000, 1, 9.999, 10), 9.999, 10},
	{"zipf, steep and capped", dist.Zipf(1_000, 50, 9.5, 10), 9.5, 10},
	{"zipf, all capped", dist.Zipf(1_000, 1, 10, 10), 10, 10},
	{"zipf 0", dist.Zipf(1_000, 0, 10, 100), 10, 10},
	{"zipf of nothing", dist.Zipf(1_000, 1, 0, 100), 0, 0},
	{"zipf of one", dist.Zipf(1, 1, 10, 100), 10, 10},
	{"shares", dist.Zipf(100_000, 1, 1e-5, math.Inf(1)), 1e-5, 0.082711986},
	{"hottest", dist.Hottest(1_000, 0.02, 5, math.Inf(1)), 5, 100},
	{"several hottest", dist.HottestOf(1_000, 50, 0.45, 5, math.Inf(1)), 5, 45},
	{"several hottest in a stratum of many", dist.HottestOf(100_000, 1_250, 0.45, 5, math.Inf(1)), 5, 180},
	{"several hottest, and no others", dist.HottestOf(40, 50, 0.45, 5, math.Inf(1)), 5, 5},
	{"several hottest that are no hotter", dist.HottestOf(100, 50, 0.45, 5, math.Inf(1)), 5, 5},
	{"hottest with cap", dist.Hottest(1_000, 0.02, 5, 60), 5, 60},
	{"hottest is no hotter", dist.Hottest(1_000, 0.0001, 5, 60), 5, 5},
	{"hottest of one", dist.Hottest(1, 0.02, 5, 60), 5, 5},
	{"hottest takes all", dist.Hottest(10, 1, 5, math.Inf(1)), 5, 50},
	{"uniform", dist.Uniform(1_000, 2.3), 2.3, 2.3},
}

func TestLaws(t *testing.T) {
	for _, c := range laws {
		t.Run(c.name, func(t *testing.T) {
			l, n := c.law, c.law.Members()
			if l.Mean() != c.mean {
				t.Errorf("mean %v, not %v", l.Mean(), c.mean)
			}
			near(t, "max", l.Max(), c.max, 1e-6)
			near(t, "mean over strata", l.Expect(func(x float64) float64 { return x }), c.mean, 1e-9)
			near(t, "mean of the distribution", l.Dist().Mean(), c.mean, 1e-9)
			last := l.Max()
			for r := int64(1); r <= n && r > 0; r += 1 + r/7 {
				if x := l.At(r); x > last*(1+1e-15) || x < 0 {
					t.Fatalf("rank %d has %v, one before it %v", r, x, last)
				} else {
					last = x
				}
			}
			if l.At(n+1) != 0 {
				t.Errorf("behind the last: %v", l.At(n+1))
			}
		})
	}
}

// TestStrataAreMeans compares every stratum with the sum over its ranks, and the mean with that over all members.
func TestStrataAreMeans(t *testing.T) {
	for _, c := range laws {
		n := c.law.Members()
		if n > 2_000_000 || c.law.Strata() == 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			var total float64
			next := int64(1)
			c.law.StratumMeans(func(first, end int64, mean float64) {
				if first != next || end <= first {
					t.Fatalf("stratum from %d to %d after %d", first, end, next)
				}
				next = end
				var sum float64
				for r := first; r < end; r++ {
					sum += c.law.At(r)
				}
				near(t, "stratum", mean, sum/float64(end-first), 1e-9)
				total += sum
			})
			if next != n+1 {
				t.Fatalf("strata end at %d of %d members", next, n)
			}
			near(t, "mean over members", total/float64(n), c.mean, 1e-9)
		})
	}
}

// TestExpect compares expectations with those over every member of the population. Values within a stratum differ by up to
// 1 %, which a function that jumps notices a little.
func TestExpect(t *testing.T) {
	functions := map[string]func(x float64) float64{
		"blocks of 300 bytes": func(x float64) float64 { return math.Max(1, math.Ceil(x*300/4096)) },
		"blocks of 406 bytes": func(x float64) float64 { return math.Max(1, math.Ceil(x*406/4096)) },
		"any":                 func(x float64) float64 { return min(x, 1) },
		"square":              func(x float64) float64 { return x * x },
	}
	for _, c := range laws {
		if c.law.Members() > 100_000 {
			continue
		}
		for name, f := range functions {
			var sum float64
			for r := int64(1); r <= c.law.Members(); r++ {
				x := c.law.At(r)
				low := math.Floor(x)
				sum += f(low)*(low+1-x) + f(low+1)*(x-low)
			}
			want := sum / float64(c.law.Members())
			near(t, c.name+", "+name, c.law.Expect(f), want, 1e-3)
			near(t, c.name+", "+name+", as a distribution", c.law.Dist().Expect(f), want, 1e-3)
		}
	}
}

// TestSampling draws a million members and compares: what a generator of data makes is what the estimate expects.
func TestSampling(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	blocks := func(x float64) float64 { return math.Max(1, math.Ceil(x*406/4096)) }
	calls := dist.Zipf(100_000, 0.8, 1, math.Inf(1))
	results := dist.Power(100_000, 15, 3_600)
	const draws = 1_000_000
	var evenly, skewed, first float64
	for range draws {
		evenly += blocks(float64(dist.Whole(results.At(results.Rank(r.Float64())), r.Float64())))
		rank := calls.Pick(r.Float64())
		skewed += blocks(float64(dist.Whole(results.At(rank), r.Float64())))
		if rank == 1 {
			first++
		}
	}
	near(t, "evenly", evenly/draws, results.Expect(blocks), 0.005)
	near(t, "skewed", skewed/draws, results.Weighted(calls).Expect(blocks), 0.005)
	near(t, "hottest", first/draws, calls.Share(1), 0.02)
}

func TestPickIsMonotoneAndWithinRange(t *testing.T) {
	for _, c := range laws {
		last := int64(1)
		for i := range 10_000 {
			rank := c.law.Pick(float64(i) / 10_000)
			if rank < last || rank > c.law.Members() {
				t.Fatalf("%s: rank %d after %d of %d", c.name, rank, last, c.law.Members())
			}
			last = rank
		}
		if got := c.law.Pick(math.Nextafter(1, 0)); got > c.law.Members() {
			t.Errorf("%s: rank %d of %d", c.name, got, c.law.Members())
		}
	}
}

func TestShare(t *testing.T) {
	near(t, "zipf 1 over 100,000", dist.Zipf(100_000, 1, 1, math.Inf(1)).Share(1), 1/dist.Harmonic(100_000, 1), 1e-13)
	near(t, "hottest 2 %", dist.Hottest(1_000, 0.02, 1, math.Inf(1)).Share(1), 0.02, 1e-13)
	near(t, "hottest 2 %, the others", dist.Hottest(1_000, 0.02, 1, math.Inf(1)).Share(2), 0.98/999, 1e-13)
	near(t, "uniform", dist.Uniform(40, 3).Share(7), 1.0/40, 1e-13)
	near(t, "nothing", dist.Uniform(40, 0).Share(7), 1.0/40, 1e-13)
}

func TestTogether(t *testing.T) {
	const n = 50_000
	items, shipments := dist.Power(n, 2.5, 45), dist.Power(n, 1.2, 20)
	calls := dist.Zipf(n, 0.7, 1, math.Inf(1))
	f := func(x []float64) float64 { return math.Ceil((900 + 406*x[0] + 567*x[1]) / 4096) }
	var want, weights float64
	for r := int64(1); r <= n; r++ {
		w := calls.At(r)
		x, y := items.At(r), shipments.At(r)
		for _, i := range []float64{math.Floor(x), math.Floor(x) + 1} {
			for _, j := range []float64{math.Floor(y), math.Floor(y) + 1} {
				p := (1 - math.Abs(x-i)) * (1 - math.Abs(y-j))
				want += w * p * f([]float64{i, j})
			}
		}
		weights += w
	}
	near(t, "together", dist.Together(calls, f, items, shipments), want/weights, 1e-3)
	flat := func(x []float64) float64 { return 10*x[0] + x[1] }
	near(t, "flat laws", dist.Together(dist.Uniform(1, 1), flat, dist.Uniform(7, 2.5), dist.Uniform(9, 0.5)), 25.5, 1e-14)
}

func TestRefusals(t *testing.T) {
	for name, f := range map[string]func(){
		"negative average":      func() { dist.Uniform(1, -1) },
		"average not a number":  func() { dist.Power(1, math.NaN(), 1) },
		"infinite maximum":      func() { dist.Power(1, 1, math.Inf(1)) },
		"negative maximum":      func() { dist.Zipf(1, 1, 1, -1) },
		"infinite exponent":     func() { dist.Zipf(1, math.Inf(1), 1, 1) },
		"rank 0":                func() { dist.Uniform(1, 1).At(0) },
		"no random number":      func() { dist.Uniform(1, 1).Rank(1) },
		"no page":               func() { dist.Point(1).Pages(0) },
		"different populations": func() { dist.Power(10, 1, 5).Weighted(dist.Power(11, 1, 5)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// FuzzPower holds laws of any parameters to what is promised of them.
func FuzzPower(f *testing.F) {
	f.Add(int64(100_000), 100.0, 200_000.0, 0.8)
	f.Add(int64(3), 0.5, 20.0, 60.0)
	f.Add(int64(1<<53), 1e-9, 1e12, 1e-12)
	f.Add(int64(7), 2.0000000000000004, 14.0, 3.0)
	f.Fuzz(func(t *testing.T, n int64, average, most, s float64) {
		if !(average >= 0 && average < 1e15 && most >= 0 && most < 1e15 && s >= 0 && s < 1e3) || average > 0 && average < 1e-15 {
			t.Skip()
		}
		for _, l := range []dist.Law{dist.Power(n, average, most), dist.Zipf(n, s, average, most), dist.Hottest(n, s/1e3, average, most)} {
			if l.Max() > max(average, most)*(1+1e-12) {
				t.Errorf("max %v above %v", l.Max(), most)
			}
			if got := l.Expect(func(x float64) float64 { return x }); math.Abs(got-average) > 1e-7*average {
				t.Errorf("mean %v, not %v", got, average)
			}
			for r, last := int64(1), l.Max(); r > 0 && r <= l.Members(); r *= 2 {
				x := l.At(r)
				if !(x >= 0 && x <= last*(1+1e-12)) {
					t.Errorf("rank %d has %v after %v", r, x, last)
				}
				last = x
			}
		}
	})
}

// TestMet: what is drawn meets each member once, however often it draws from it.
func TestMet(t *testing.T) {
	near(t, "one each", dist.Uniform(1_000, 1).Met(0.3), 300, 1e-9)
	near(t, "hundred each", dist.Uniform(7, 100).Met(0.01), 7*(1-math.Pow(0.99, 100)), 1e-9)
	near(t, "everything", dist.Uniform(7, 100).Met(1), 7, 1e-9)
	near(t, "half a member", dist.Uniform(1_000, 0.5).Met(0.1), 50, 1e-9)
	l := dist.Power(5_000, 4, 900)
	if met := l.Met(0.01); met >= 200 || met < 100 { // of 20,000, 200 are drawn, and the largest is drawn several times
		t.Errorf("met %v", met)
	}
}
