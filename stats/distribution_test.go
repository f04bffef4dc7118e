package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBuckets(t *testing.T) {
	next := int64(0)
	for i := range pages * pageSize {
		low, high := bounds(i)
		if low != next || high < low {
			t.Fatalf("bucket %d is %d to %d, the one before ended before %d", i, low, high, next)
		}
		next = high + 1
		for _, v := range []int64{low, high} {
			if page, at := bucketOf(v); page*pageSize+at != i {
				t.Errorf("%d lies in bucket %d, not %d", v, page*pageSize+at, i)
			}
		}
		if high > low && float64(high-low) > RelativeError*2*float64(low) {
			t.Errorf("bucket %d to %d is too wide", low, high)
		}
	}
	if next != LargestValue+1 {
		t.Errorf("buckets end before %d", next)
	}
}

// quantile is exact: of sorted values, the smallest of which a share of q is not greater.
func quantile(sorted []int64, q float64) int64 {
	return sorted[max(int(math.Ceil(q*float64(len(sorted))-1e-9))-1, 0)]
}

func TestQuantilesAgainstExactOnes(t *testing.T) {
	for name, draw := range map[string]func(r *rand.Rand) int64{
		"latencies":   func(r *rand.Rand) int64 { return int64(2e6 * math.Exp(r.NormFloat64()*0.7)) },
		"two humps":   func(r *rand.Rand) int64 { return 1_000 + r.Int64N(2)*1_000_000 + r.Int64N(50) },
		"heavy tail":  func(r *rand.Rand) int64 { return int64(100 / math.Pow(1-r.Float64(), 2)) },
		"small sizes": func(r *rand.Rand) int64 { return r.Int64N(300) },
		"constant":    func(r *rand.Rand) int64 { return 4_097 },
		"all ranges":  func(r *rand.Rand) int64 { return r.Int64() & LargestValue >> r.IntN(45) },
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 8))
			for _, n := range []int{1, 2, 10, 1_000, 30_000} {
				values := make([]int64, n)
				var whole Distribution
				var parts [7]Distribution
				for i := range values {
					v := min(draw(r), LargestValue)
					values[i] = v
					whole.Add(v, 1)
					parts[i%len(parts)].Add(v, 1)
				}
				var merged Distribution
				for i := range parts {
					merged.Merge(&parts[i])
				}
				text, err := json.Marshal(&merged)
				if err != nil {
					t.Fatal(err)
				}
				var read Distribution
				if err := json.Unmarshal(text, &read); err != nil {
					t.Fatal(err)
				}
				slices.Sort(values)
				for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
					exact := quantile(values, q)
					got := whole.Quantile(q)
					if math.Abs(float64(got-exact)) > RelativeError*float64(exact) {
						t.Errorf("%d values: quantile %v is %d, exactly %d", n, q, got, exact)
					}
					if m := read.Quantile(q); m != got {
						t.Errorf("%d values: quantile %v of the merged parts is %d, not %d", n, q, m, got)
					}
				}
				if whole.Min() != values[0] || whole.Max() != values[n-1] || whole.Count() != float64(n) {
					t.Errorf("%d to %d of %v values", whole.Min(), whole.Max(), whole.Count())
				}
				if half := values[n/2]; math.Abs(whole.AtMost(half)-share(values, half)) > share(values, half+half/32)-share(values, half-half/32)+1e-9 {
					t.Errorf("a share of %v is at most %d, exactly %v", whole.AtMost(half), half, share(values, half))
				}
			}
		})
	}
}

func share(values []int64, v int64) float64 {
	n, _ := slices.BinarySearch(values, v+1)
	return float64(n) / float64(len(values))
}

func TestDistinct(t *testing.T) {
	for _, n := range []int{0, 1, 10, 100, 5_000, 100_000, 1_000_000} {
		var one, two distinct
		h := newHasher([16]byte{1}, n%2 == 0)
		for i := range n {
			one.add(h.sum(uint64(i), nil))
			if i%3 == 0 {
				two.add(h.sum(uint64(i), nil))
			}
		}
		both := one.snapshot()
		both.Merge(two.snapshot())
		got := both.Count()
		if math.Abs(got-float64(n)) > 4*DistinctError*float64(n) {
			t.Errorf("%d keys are counted as %v", n, got)
		}
		text, err := json.Marshal(both)
		if err != nil {
			t.Fatal(err)
		}
		var read Distinct
		if err := json.Unmarshal(text, &read); err != nil || read.Count() != got {
			t.Errorf("read again as %v, %v", read.Count(), err)
		}
	}
}
