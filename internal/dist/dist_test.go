package dist_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

func TestSizeBiased(t *testing.T) {
	// Of parents with 1, 2 and 6 children, two thirds of the children have five siblings.
	parents := dist.Mix([]float64{1, 1, 1}, []dist.Dist{dist.Point(1), dist.Point(2), dist.Point(6)})
	child := parents.SizeBiased()
	for i, want := range []struct{ x, p float64 }{{1, 1.0 / 9}, {2, 2.0 / 9}, {6, 6.0 / 9}} {
		x, p := child.At(i)
		if x != want.x {
			t.Errorf("value %v, not %v", x, want.x)
		}
		near(t, "probability", p, want.p, 1e-14)
	}
	if got := dist.Point(0).SizeBiased().Mean(); got != 0 {
		t.Errorf("nobody's siblings: %v", got)
	}
}

func TestPages(t *testing.T) {
	for _, c := range []struct {
		matches float64
		want    map[float64]float64
	}{
		{0, map[float64]float64{0: 1}},
		{7, map[float64]float64{7: 1}},
		{50, map[float64]float64{50: 1}},
		{51, map[float64]float64{1: 0.5, 50: 0.5}},
		{130, map[float64]float64{30: 1.0 / 3, 50: 2.0 / 3}},
	} {
		d := dist.Point(c.matches).Pages(50)
		if d.Len() != len(c.want) {
			t.Errorf("%v matches: %d kinds of pages", c.matches, d.Len())
		}
		for i := range d.Len() {
			x, p := d.At(i)
			near(t, fmt.Sprintf("%v matches, page of %v", c.matches, x), p, c.want[x], 1e-14)
		}
	}
}

func TestQuantile(t *testing.T) {
	d := dist.Power(1_000, 3, 40).Dist()
	r := rand.New(rand.NewPCG(5, 6))
	var sum float64
	const draws = 400_000
	for range draws {
		sum += d.Quantile(r.Float64())
	}
	near(t, "mean of draws", sum/draws, 3, 0.01)
	last := 0.0
	for i := range 1_000 {
		x := d.Quantile(float64(i) / 1_000)
		if x < last {
			t.Fatalf("quantile falls from %v to %v", last, x)
		}
		last = x
	}
	if got := d.Quantile(math.Nextafter(1, 0)); got != d.Max() {
		t.Errorf("last quantile %v, not %v", got, d.Max())
	}
	if got := d.Below(d.Min()); got != 0 {
		t.Errorf("%v below the smallest", got)
	}
	near(t, "below the largest", d.Below(d.Max()), 1-0.001, 1e-9)
}

// lattice is a distribution over whole numbers, convolved the plain way.
type lattice []float64

func latticeOf(d dist.Dist) lattice {
	l := make(lattice, int(d.Max())+1)
	for i := range d.Len() {
		x, p := d.At(i)
		l[int(x)] += p
	}
	return l
}

func (a lattice) plus(b lattice) lattice {
	sum := make(lattice, len(a)+len(b)-1)
	for i, p := range a {
		if p == 0 {
			continue
		}
		for j, q := range b {
			sum[i+j] += p * q
		}
	}
	return sum
}

func (a lattice) expect(f func(float64) float64) (sum float64) {
	for x, p := range a {
		sum += p * f(float64(x))
	}
	return sum
}

var sizes = map[string]dist.Dist{
	"narrow":      dist.Power(1_000_000, 350, 500).Dist(),
	"usual":       dist.Power(2_000_000, 400, 1_500).Dist(),
	"heavy tail":  dist.Power(2_000_000, 200, 20_000).Dist(),
	"two sizes":   dist.Mix([]float64{0.6, 0.4}, []dist.Dist{dist.Point(600), dist.Point(1_100)}),
	"counts":      dist.Power(40_000_000, 2.2, 45).Dist(),
	"rare counts": dist.Power(40_000_000, 0.3, 45).Dist(),
}

// TestSums compares sums with exact convolution, for the functions they are made for: rounding up to units.
func TestSums(t *testing.T) {
	for name, size := range sizes {
		sums := dist.NewSums(size)
		one := latticeOf(size)
		exact := lattice{1}
		for k := range 51 {
			if k > 0 {
				exact = exact.plus(one)
			}
			if len(exact) > 15_000 { // takes too long
				break
			}
			got := sums.Of(k)
			near(t, fmt.Sprintf("%s, mean of %d", name, k), got.Mean(), float64(k)*size.Mean(), 1e-10)
			for _, unit := range []float64{1, 100, 1024, 4096} {
				up := func(x float64) float64 { return math.Max(1, math.Ceil(x/unit)) }
				near(t, fmt.Sprintf("%s, %d in units of %v", name, k, unit), got.Expect(up), exact.expect(up), 0.002)
			}
		}
	}
}

// TestCompound compares sums of a random number of values with exact convolution.
func TestCompound(t *testing.T) {
	for name, size := range sizes {
		for countName, count := range map[string]dist.Dist{
			"few":  dist.Power(100_000, 2.5, 45).Dist(),
			"page": dist.Power(100_000, 30, 400).Dist().Pages(50),
		} {
			got := dist.NewSums(size).Compound(count)
			near(t, name+", "+countName+", mean", got.Mean(), count.Mean()*size.Mean(), 1e-10)
			if size.Max() > 1_000 {
				continue // too long for the plain way
			}
			one, exact := latticeOf(size), lattice{1}
			want := map[float64]float64{}
			for i, k := 0, 0; i < count.Len(); i++ {
				x, p := count.At(i)
				for ; k < int(x); k++ {
					exact = exact.plus(one)
				}
				for _, unit := range []float64{1024, 4096} {
					want[unit] += p * exact.expect(func(x float64) float64 { return math.Max(1, math.Ceil(x/unit)) })
				}
			}
			for unit, w := range want {
				g := got.Expect(func(x float64) float64 { return math.Max(1, math.Ceil(x/unit)) })
				near(t, fmt.Sprintf("%s, %s in units of %v", name, countName, unit), g, w, 0.002)
			}
		}
	}
}

// TestSumsOfMany draws sums and compares, where plain convolution takes too long.
func TestSumsOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	count := dist.Power(2_000_000, 6, 1_500)
	counts, size := count.Dist(), sizes["heavy tail"]
	var sum float64
	const draws = 400_000
	up := func(x float64) float64 { return math.Max(1, math.Ceil(x/4096)) }
	quantiles := make([]float64, 1<<16)
	for i := range quantiles {
		quantiles[i] = size.Quantile((float64(i) + 0.5) / float64(len(quantiles)))
	}
	for range draws {
		var bytes float64
		for range int(counts.Quantile(r.Float64())) {
			bytes += quantiles[r.IntN(len(quantiles))]
		}
		sum += up(bytes)
	}
	near(t, "drawn", dist.NewSums(size).Compound(counts).Expect(up), sum/draws, 0.01)
}

func TestConstantSizesStayExact(t *testing.T) {
	sums := dist.NewSums(dist.Point(350))
	if got := sums.Of(1_000); got.Len() != 1 || got.Min() != 350_000 {
		t.Errorf("1,000 × 350 = %v … %v", got.Min(), got.Max())
	}
	count := dist.Power(100_000, 15, 3_600).Dist()
	got, want := sums.Compound(count), count.Map(func(k float64) float64 { return k * 350 })
	if got.Len() != want.Len() {
		t.Fatalf("%d values, not %d", got.Len(), want.Len())
	}
	for i := range got.Len() {
		if x, _ := got.At(i); math.Mod(x, 350) != 0 {
			t.Fatalf("%v is no multiple of 350", x)
		}
	}
	// Most of ten items being 1,500 bytes, the sum of ten that are stays exactly that.
	mostly := dist.Mix([]float64{0.99, 0.01}, []dist.Dist{dist.Point(1_500), dist.Power(1e6, 900, 9_000).Dist()})
	d := dist.NewSums(mostly).Of(10)
	found := false
	for i := range d.Len() {
		x, p := d.At(i)
		found = found || x == 15_000 && math.Abs(p-math.Pow(0.99, 10)) < 0.01
	}
	if !found {
		t.Error("the heavy value was merged")
	}
}

// TestSameBitsEverywhere pins results to the last bit. They were computed on amd64; where another architecture differs, some
// operation is not the one of IEEE 754.
func TestSameBitsEverywhere(t *testing.T) {
	law := dist.Power(100_000, 100, 200_000)
	up := func(x float64) float64 { return math.Max(1, math.Ceil(float64(x*406)/4096)) }
	for name, c := range map[string]struct{ got, want float64 }{
		"exponent":   {law.Exponent(), 0x1.9375afcbc9cp-01},
		"page":       {law.Dist().Pages(50).Expect(up), 0x1.e94e73c5447b1p+01},
		"zipf":       {dist.Zipf(100_000, 0.8, 1_000, 2_000).At(50_000), 0x1.82043ec8ec0aep+09},
		"compound":   {dist.NewSums(sizes["usual"]).Compound(dist.Power(1_000, 6, 90).Dist()).Expect(up), 0x1.dcd1985f791c6p+07},
		"logarithm":  {dist.Log(3), 0x1.193ea7aad030bp+00},
		"exponents":  {dist.Exp(3), 0x1.415e5bf6fb106p+04},
		"hot by own": {law.Weighted(law).Expect(up), 0x1.d260b129dc30ap+09},
	} {
		if c.got != c.want {
			t.Errorf("%s: %x, not %x", name, c.got, c.want)
		}
	}
}

func BenchmarkPower(b *testing.B) {
	for b.Loop() {
		dist.Power(40_000_000, 2.5, 45)
	}
}

func BenchmarkExpect(b *testing.B) {
	law := dist.Power(40_000_000, 2.5, 45)
	for b.Loop() {
		law.Expect(func(x float64) float64 { return math.Max(1, math.Ceil(x*406/4096)) })
	}
}

func BenchmarkCompound(b *testing.B) {
	size, count := sizes["usual"], dist.Power(100_000, 2.5, 45).Dist()
	for b.Loop() {
		dist.NewSums(size).Compound(count)
	}
}
