package clients

import (
	"cmp"
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

// difference is by how many nanoseconds a call takes longer than another one, and the standard error of that.
type difference struct{ ns, err float64 }

// differences measures by how much calls differ from the first kind, where that is a hundredth of what they take. A round is a few
// calls of each kind, some ten microseconds in all, so that what else the machine does meets all of them alike; every kind comes at
// every place of a round, forwards and backwards. The quickest quarter of the rounds counts, as wholes: then nobody interrupted, and
// no other process used the same caches. Of their differences the mean of the middle half is taken. The error is told by how much the
// figures of tenths of these rounds differ.
func differences(rounds, calls int, kinds ...func()) []difference {
	const parts = 10
	type round struct {
		whole time.Duration
		took  []time.Duration
	}
	all := make([]round, max(rounds, 8*parts))
	for n := range all {
		r := &all[n]
		r.took = make([]time.Duration, len(kinds))
		for i := range kinds {
			if n/len(kinds)%2 == 1 {
				i = len(kinds) - 1 - i
			}
			i = (i + n) % len(kinds)
			start := time.Now()
			for range calls {
				kinds[i]()
			}
			r.took[i] = time.Since(start)
			r.whole += r.took[i]
		}
	}
	slices.SortStableFunc(all, func(a, b round) int { return cmp.Compare(a.whole, b.whole) })
	all = all[:len(all)/4]
	out := make([]difference, len(kinds))
	for i := range kinds {
		var whole []float64
		var tenths [parts][]float64
		for n, r := range all {
			ns := float64(r.took[i]-r.took[0]) / float64(calls)
			whole = append(whole, ns)
			tenths[n%parts] = append(tenths[n%parts], ns)
		}
		var sum, squares float64
		for _, l := range tenths {
			ns := middle(l)
			sum += ns
			squares += ns * ns
		}
		variance := (squares - sum*sum/parts) / (parts - 1)
		out[i] = difference{middle(whole), math.Sqrt(max(variance, 0) / parts)}
	}
	return out
}

// middle is the mean of the middle half.
func middle(l []float64) float64 {
	slices.Sort(l)
	l = l[len(l)/4 : len(l)-len(l)/4]
	sum := 0.0
	for _, v := range l {
		sum += v
	}
	return sum / float64(len(l))
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
	if a.String() != "2.0 (1.0)" || share(a, b) != 0.5 {
		t.Error(a, share(a, b))
	}
	if m := middle([]float64{1e9, 2, -1e9, 4, 3, 3}); m != 3 {
		t.Error(m)
	}
	n := [2]int{}
	f := interleaved(4, 3, func() { n[0]++ }, func() { n[1]++; _ = make([]byte, 100+n[1]) })
	// A few nanoseconds among many are seen.
	var sink uint64
	work := func(n int) func() {
		return func() {
			for range n {
				sink = sink*0x9e3779b97f4a7c15 + 1
			}
		}
	}
	d := differences(2000, 5, work(2000), work(2000), work(2200))
	if d[0] != (difference{}) || math.Abs(d[1].ns) > d[2].ns/4 || d[2].ns <= 10*d[2].err {
		t.Error(d)
	}
	if len(f[0].times) != 4 || n != [2]int{16, 16} || f[0].allocs != 0 {
		t.Error(n, *f[0])
	}
}
