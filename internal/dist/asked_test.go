package dist_test

import (
	"math"
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
		if got := dist.Point(x.k).Asked(x.n, x.page); math.Abs(got-x.want) > x.near {
			t.Errorf("%v in %d parts, pages of %d: %v, want %v", x.k, x.n, x.page, got, x.want)
		}
	}
}
