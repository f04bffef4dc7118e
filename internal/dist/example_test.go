package dist_test

import (
	"fmt"
	"math"

	"github.com/tablewright/tablewright/internal/dist"
)

// Orders have 2.5 items on average and 45 at most; an item has 1,500 bytes, and reading costs a unit per 4,096 bytes begun.
func ExamplePower() {
	items := dist.Power(40_000_000, 2.5, 45)
	units := items.Expect(func(k float64) float64 { return max(1, math.Ceil(k*1500/4096)) })
	fmt.Printf("the largest has %.0f, the 1,000,000th %.2f\n", items.At(1), items.At(1_000_000))
	fmt.Printf("%.2f units, not %.0f\n", units, math.Ceil(2.5*1500/4096))
	// Output:
	// the largest has 45, the 1,000,000th 3.94
	// 1.43 units, not 1
}

// Products have 100 matches on average and 200,000 at most; they are read in pages of 50, and most have far less than one.
func ExampleDist_Pages() {
	matches := dist.Power(100_000, 100, 200_000)
	fmt.Printf("%.1f on a page\n", matches.Dist().Pages(50).Mean())
	// Output: 34.8 on a page
}

// Calls are skewed, and the hottest value is also the one with the most matches.
func ExampleLaw_Weighted() {
	matches := dist.Power(100_000, 15, 3_600)
	calls := dist.Zipf(100_000, 0.8, 1, math.Inf(1))
	fmt.Printf("%.0f%% of calls hit the hottest; a call finds %.0f, not %.0f\n",
		100*calls.Share(1), matches.Weighted(calls).Mean(), matches.Mean())
	// Output: 2% of calls hit the hottest; a call finds 273, not 15
}

// The items of an order vary in size, too.
func ExampleSums() {
	size := dist.Power(1_000_000, 400, 1_500).Dist()
	number := dist.Power(40_000_000, 2.5, 45).Dist()
	bytes := dist.NewSums(size).Compound(number)
	fmt.Printf("%.0f bytes on average, %.2f%% need a second block\n", bytes.Mean(), 100*(1-bytes.Below(4097)))
	// Output: 1000 bytes on average, 0.01% need a second block
}
