package capacity_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
)

func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// TestExpectationsOfFixedSizes: what has one size consumes on average what it consumes.
func TestExpectationsOfFixedSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		b := capacity.Bytes(r.IntN(10_000) >> r.IntN(14))
		f := capacity.Fixed(b)
		for _, c := range consistencies {
			if got, want := capacity.ExpectGet(f, c), capacity.Get(b, c); got != want {
				t.Fatalf("get of %v: %v, not %v", b, got, want)
			}
			if got, want := capacity.ExpectQuery(f, float64(b), c), capacity.Query(b, c); got != want {
				t.Fatalf("query of %v: %v, not %v", b, got, want)
			}
		}
		if got, want := capacity.ExpectWrite(f), capacity.Write(0, b); got != want {
			t.Fatalf("write of %v: %v, not %v", b, got, want)
		}
		if got, want := capacity.ExpectConditionCheck(f), capacity.ConditionCheck(b); got != want {
			t.Fatalf("check of %v: %v, not %v", b, got, want)
		}
		for _, a := range arms {
			if got, want := capacity.ExpectArm(a, f), capacity.ArmUnits(a, b, b); got != want {
				t.Fatalf("%v of %v: %v, not %v", a, b, got, want)
			}
		}
	}
}

// TestExpectQueryReadsPages compares with pages that are really filled.
func TestExpectQueryReadsPages(t *testing.T) {
	for _, size := range []capacity.Bytes{1, 60, 406, 1024, 1042, 4096, 5000, 100_000, 409_600} {
		for _, n := range []int{0, 1, 2, 7, 1_006, 1_007, 1_008, 5_000} {
			var want capacity.ReadUnits
			left := n
			for first := true; first || left > 0; first = false {
				var page capacity.Bytes
				for left > 0 && !capacity.PageFull(page) {
					page += size
					left--
				}
				want += capacity.Query(page, capacity.Eventual)
			}
			got := capacity.ExpectQuery(capacity.Fixed(capacity.Bytes(n)*size), float64(size), capacity.Eventual)
			if got != want {
				t.Errorf("%d × %v: %v, not %v", n, size, got, want)
			}
		}
	}
	// Sizes that vary: each page ends with the item that crosses 1 MB, wherever that is.
	r := rand.New(rand.NewPCG(9, 9))
	size := dist.Power(1_000_000, 700, 9_000).Dist()
	var sum float64
	const runs, items = 300, 6_000
	for range runs {
		var page capacity.Bytes
		for range items {
			if page += capacity.Bytes(size.Quantile(r.Float64())); capacity.PageFull(page) {
				sum += float64(capacity.Query(page, capacity.Strong))
				page = 0
			}
		}
		sum += float64(capacity.Query(page, capacity.Strong))
	}
	total := dist.NewSums(size).Of(items)
	near(t, "varying sizes", float64(capacity.ExpectQuery(total, size.Mean(), capacity.Strong)), sum/runs, 0.003)
}

// TestExpectationIsNotRoundedMean pins the case that the package comment gives.
func TestExpectationIsNotRoundedMean(t *testing.T) {
	sizes := dist.Mix([]float64{60, 40}, []dist.Dist{dist.Point(600), dist.Point(1_100)})
	near(t, "mean", sizes.Mean(), 800, 1e-14)
	near(t, "units", float64(capacity.ExpectWrite(sizes)), 1.4, 1e-14)
}

// TestOnlineShop computes plans of the online shop: the units per call of its published single-table model.
func TestOnlineShop(t *testing.T) {
	matches := func(n int64, average, most float64) dist.Dist { return dist.Power(n, average, most).Dist() }
	query := func(count dist.Dist, bytes float64) float64 {
		sum := dist.NewSums(dist.Point(bytes)).Compound(count)
		return float64(capacity.ExpectQuery(sum, bytes, capacity.Eventual))
	}
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"inventory of a product", query(matches(100_000, 12, 40), 273), 0.52},
		{"sales of a product, page of 50", query(matches(100_000, 100, 200_000).Pages(50), 406), 1.91},
		{"shipments of a warehouse, page of 50", query(matches(40, 1_200_000, 5_000_000).Pages(50), 567), 3.5},
		{"inventory of a warehouse, page of 100", query(matches(40, 30_000, 100_000).Pages(100), 273), 3.5},
		{"invoices of a customer", query(matches(2_000_000, 6, 1_500), 475), 0.58},
		{"products of a customer", query(matches(2_000_000, 15, 3_600), 406), 0.96},
		{"product, on average 977 bytes", float64(capacity.ExpectWrite(dist.Power(100_000, 977, 4_077))), 1.24},
	} {
		near(t, c.name, c.got, c.want, 0.01)
	}
	prices := capacity.DefaultPrices().Tariff(capacity.Standard, capacity.OnDemand)
	const readsPerSecond = 400 + 2_500 + 5 + 900 + 300 + 150 + 60 + 200 + 3 + 40 + 40 + 120 + 4 + 1 + 50 + 30
	if got := prices.Reads(readsPerSecond * capacity.Get(1, capacity.Eventual)).String(); got != "$788.89" {
		t.Errorf("the least the reads can cost: %s", got)
	}
	if got := prices.Reads(2_500 * 0.5).String(); got != "$410.63" {
		t.Errorf("getProductByProductId: %s", got)
	}
}
