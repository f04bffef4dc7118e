package dist_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/internal/dist"
)

// Pages over parts, by hand: a part that has shown its last element is not asked again.
func TestAsked(t *testing.T) {
	half := 0.5
	for _, x := range []struct {
		k          float64
		n, page    int
		want, near float64
	}{
		{0, 16, 20, 1, 0},                          // one page, that finds nothing
		{20, 16, 20, 1, 0},                         // one page
		{1_000, 1, 20, 1, 0},                       // one part has something left until the end
		{21, 2, 20, (1 + half) / 2, 1e-12},         // the second page asks the part that has the last element
		{22, 2, 20, (1 + 0.75) / 2, 1e-12},         // both of the last two lie in one part half of the time
		{1_000_000, 16, 20, 1, 1e-3},               // of many pages only the last ones ask fewer
		{40, 10, 20, (1 + 0.8784233454) / 2, 1e-9}, // 1 - 0.9^20
	} {
		if got := dist.Point(x.k).Asked(x.n, x.page, true); math.Abs(got-x.want) > x.near {
			t.Errorf("%v in %d parts, pages of %d: %v, want %v", x.k, x.n, x.page, got, x.want)
		}
	}
}

// Pages without an order come from one part after the other: by hand, and as parts chosen by chance have it.
func TestAskedInTurn(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, x := range []struct {
		k, n, page int
		want, near float64 // want 0: what chance has it
	}{
		{0, 16, 20, 1, 0},
		{20, 16, 20, 1, 0},
		{100, 1, 20, 1, 0},
		{3, 2, 1, (1 + 1.375/2 + 0.5) / 3, 1e-12}, // the last two lie in two parts in 3 cases of 8
		{1_000_000, 16, 20, 0.5 + 0.5/16, 1e-3},   // as many parts are left as elements, and the one that is begun
		{40, 32, 10, 0, 0.01},
		{200, 8, 10, 0, 0.01},
		{30, 64, 4, 0, 0.01},
	} {
		if x.want == 0 {
			const rounds = 4_000
			for range rounds {
				at := make([]int, x.k)
				for i := range at {
					at[i] = random.IntN(x.n)
				}
				slices.Sort(at)
				pages := (x.k + x.page - 1) / x.page
				for g := 0; g < x.k; g += x.page {
					asked := x.n
					if g > 0 {
						asked = len(slices.Compact(slices.Clone(at[g:])))
					}
					x.want += float64(asked) / float64(x.n*pages*rounds)
				}
			}
		}
		if got := dist.Point(float64(x.k)).Asked(x.n, x.page, false); math.Abs(got-x.want) > x.near {
			t.Errorf("%v in %d parts, pages of %d: %v, want %v", x.k, x.n, x.page, got, x.want)
		}
	}
}
