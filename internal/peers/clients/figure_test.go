package clients

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A figure is what a call took: one time per round, and its allocations.
type figure struct {
	times         []time.Duration
	allocs, bytes float64
}

// interleaved measures several calls in rounds, each with so many calls of one kind after another. In every round another
// kind is the first, and each begins on a clean heap, so that none pays for another's garbage and what else the machine does
// meets all of them alike.
func interleaved(rounds, calls int, kinds ...func()) []*figure {
	all := make([]*figure, len(kinds))
	var before, after runtime.MemStats
	for i, call := range kinds {
		all[i] = &figure{}
		call() // whatever is done once is done
		runtime.ReadMemStats(&before)
		for range calls {
			call()
		}
		runtime.ReadMemStats(&after)
		all[i].allocs = math.Round(float64(after.Mallocs-before.Mallocs) / float64(calls))
		all[i].bytes = math.Round(float64(after.TotalAlloc-before.TotalAlloc) / float64(calls))
	}
	for round := range rounds {
		for i := range kinds {
			i = (i + round) % len(kinds)
			runtime.GC()
			start := time.Now()
			for range calls {
				kinds[i]()
			}
			all[i].times = append(all[i].times, time.Since(start)/time.Duration(calls))
		}
	}
	return all
}

func (f *figure) median() time.Duration { return median(slices.Clone(f.times)) }

// String is the median and the quickest, in microseconds.
func (f *figure) String() string {
	us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
	return fmt.Sprintf("%.1f (%.1f)", us(f.median()), us(slices.Min(f.times)))
}

// share is the median of the rounds' shares of a's time in b's.
func share(a, b *figure) float64 {
	l := make([]float64, len(a.times))
	for i := range l {
		l[i] = float64(a.times[i]) / float64(b.times[i])
	}
	return median(l)
}

// more is the median of what a took more than b in a round.
func more(a, b *figure) time.Duration {
	l := make([]time.Duration, len(a.times))
	for i := range l {
		l[i] = a.times[i] - b.times[i]
	}
	return median(l)
}

func median[V ~int64 | ~float64](l []V) V {
	slices.Sort(l)
	if n := len(l); n%2 == 0 {
		return (l[n/2-1] + l[n/2]) / 2
	}
	return l[len(l)/2]
}

func TestFigures(t *testing.T) {
	if m := median([]time.Duration{9, 1, 4, 2}); m != 3 {
		t.Error(m)
	}
	a, b := &figure{times: []time.Duration{1000, 3000, 2000}}, &figure{times: []time.Duration{2000, 4000, 8000}}
	if a.String() != "2.0 (1.0)" || share(a, b) != 0.5 || more(b, a) != 1000 {
		t.Error(a, share(a, b), more(b, a))
	}
	n := [2]int{}
	f := interleaved(4, 3, func() { n[0]++ }, func() { n[1]++; _ = make([]byte, 100+n[1]) })
	if len(f[0].times) != 4 || n != [2]int{16, 16} || f[0].allocs != 0 {
		t.Error(n, *f[0])
	}
}
