package stats_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/stats"
)

// zipf draws ranks with probabilities of exactly 1/rank, by the inverse of their sums.
type zipf struct {
	r    *rand.Rand
	sums []float64 // of the first ranks; beyond, by integral
	n    float64
	all  float64
}

func newZipf(n int, seed uint64) *zipf {
	z := &zipf{r: rand.New(rand.NewPCG(seed, seed)), n: float64(n)}
	sum := 0.0
	for i := 1; i <= 100_000 && i <= n; i++ {
		sum += 1 / float64(i)
		z.sums = append(z.sums, sum)
	}
	z.all = sum
	if n > len(z.sums) {
		z.all += math.Log((z.n + 0.5) / (float64(len(z.sums)) + 0.5))
	}
	return z
}

func (z *zipf) next() int {
	u := z.r.Float64() * z.all
	if k := len(z.sums); u > z.sums[k-1] {
		return min(int(z.n), int((float64(k)+0.5)*math.Exp(u-z.sums[k-1])+0.5))
	}
	return sort.SearchFloat64s(z.sums, u) + 1
}

// zipfCall makes c a put to the item of a rank.
func zipfCall(c *tablewright.Call, rank int) {
	c.Key = fmt.Appendf(c.Key[:0], `{"PK":{"S":"customer#%08d"}}`, rank)
	c.ItemKey = append(c.ItemKey[:0], c.Key...)
}

// Of 10,000,000 keys under Zipf 1.0 all those are found that have more than 1/1,000 of the load, with the error that is
// stated, in less than 16 MB.
func TestTopKeysUnderZipf(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	const keys, calls = 10_000_000, 1_000_000
	z := newZipf(keys, 1)
	exact := make([]int, 2000) // of the first ranks
	seen, distinct := make([]bool, keys+1), 0.0
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := stats.NewCollector(stats.Options{})
	hook := c.Hook(nothing)
	call := &tablewright.Call{Operation: "PutItem", Table: "Customers", Pattern: "p", Attempt: 1, Write: 1, Request: []byte(`{}`), Response: []byte(`{}`)}
	for range calls {
		rank := z.next()
		if rank < len(exact) {
			exact[rank]++
		}
		if !seen[rank] {
			seen[rank] = true
			distinct++
		}
		zipfCall(call, rank)
		_ = hook.Do(t.Context(), call)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 16<<20 {
		t.Errorf("%d bytes in use", used)
	} else {
		t.Logf("%d bytes in use", used)
	}
	runtime.KeepAlive(seen)
	s := c.Snapshot()
	for name, k := range map[string]*stats.Keys{"partition keys": s.Partitions, "items": s.Items} {
		if k.Lost > k.Total*16/9/4096 {
			t.Errorf("%s: lost is %v of %v, more than the bound", name, k.Lost, k.Total)
		}
		listed := map[string]stats.Key{}
		for _, key := range k.List {
			listed[key.Key] = key
		}
		found := 0
		for rank, n := range exact {
			if float64(n) <= calls/1000.0 {
				continue
			}
			key, ok := listed[fmt.Sprintf(`{"PK":{"S":"customer#%08d"}}`, rank)]
			if !ok {
				t.Errorf("%s: rank %d with %d calls is not listed", name, rank, n)
				continue
			}
			found++
			if float64(n) < key.Write-1e-6 || float64(n) > key.Write+key.Missed*1000+1e-6 {
				t.Errorf("%s: rank %d has %d, said to be %v to %v", name, rank, n, key.Write, key.Write+key.Missed*1000)
			}
		}
		if found < 50 {
			t.Errorf("%s: only %d keys have a thousandth: the test draws wrongly", name, found)
		}
		t.Logf("%s: %d keys above a thousandth, lost %.6f of the load", name, found, k.Lost/k.Total)
	}
	if d := s.Consumed[0].Partitions.Count(); math.Abs(d-distinct) > 4*stats.DistinctError*distinct {
		t.Errorf("%v distinct keys of %v", d, distinct)
	}
}

// A hundred processes' exports merge into what one collector says that has seen everything.
func TestMergeOfAHundred(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	now := &settable{at: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	options := stats.Options{Clock: now, Keys: 1024, Detail: 1}
	one := stats.NewCollector(options)
	whole := one.Hook(nothing)
	z := newZipf(50_000, 2)
	exact := map[string]float64{}
	var all []*stats.Snapshot
	const processes, calls = 100, 200
	call := &tablewright.Call{Operation: "PutItem", Table: "Customers", Attempt: 1, Write: 1, Response: []byte(`{}`)}
	for range processes {
		c := stats.NewCollector(options)
		hook := c.Hook(nothing)
		for i := range calls {
			now.at = now.at.Add(time.Duration(z.r.IntN(20)) * time.Millisecond)
			zipfCall(call, z.next())
			call.Pattern = []string{"place", "change", "cancel"}[i%3]
			call.Request = fmt.Appendf(call.Request[:0], `{"Item":{"PK":{"S":"x"},"note":{"S":"%s"}}}`, strings.Repeat("n", z.r.IntN(300)))
			exact[string(call.Key)]++
			_ = hook.Do(t.Context(), call)
			_ = whole.Do(t.Context(), call)
		}
		var b bytes.Buffer
		must(t, c.Snapshot().Write(&b))
		s, err := stats.ReadSnapshot(&b)
		must(t, err)
		all = append(all, s)
	}
	merged, err := stats.Merge(all...)
	must(t, err)
	if merged.Sources != processes || !merged.From.Equal(all[0].From) || !merged.To.Equal(all[processes-1].To) {
		t.Errorf("%d sources from %v to %v", merged.Sources, merged.From, merged.To)
	}
	want := one.Snapshot()
	for _, s := range []*stats.Snapshot{merged, want} {
		for name, k := range map[string]*stats.Keys{"partition keys": s.Partitions, "items": s.Items} {
			enclose(t, name, k, exact)
		}
		s.Partitions, s.Items, s.Sizes, s.Episodes = new(stats.Keys), new(stats.Keys), nil, nil // depend on who held what
	}
	same(t, merged, want)
}

// enclose checks that what is said of keys encloses the truth, in calls of one write unit each.
func enclose(t *testing.T, name string, k *stats.Keys, exact map[string]float64) {
	t.Helper()
	listed := map[string]bool{}
	var total float64
	for _, key := range k.List {
		listed[key.Key] = true
		if n := exact[key.Key]; n < key.Write-1e-6 || n > key.Write+key.Missed*1000+1e-6 {
			t.Errorf("%s: %s has %v, said to be %v to %v", name, key.Key, n, key.Write, key.Write+key.Missed*1000)
		}
	}
	for key, n := range exact {
		total += n
		if !listed[key] && n > k.Lost*1000+1e-6 {
			t.Errorf("%s: %s has %v and is not listed, where %v is lost at most", name, key, n, k.Lost*1000)
		}
	}
	if math.Abs(k.Total*1000-total) > 1e-6*total {
		t.Errorf("%s: %v of %v", name, k.Total*1000, total)
	}
}

// settable is a clock that stands still.
type settable struct{ at time.Time }

func (s *settable) Now() time.Time { return s.at }

// Many callers at once: nothing is lost, while somebody takes snapshots, resets and keeps a journal.
func TestManyCallers(t *testing.T) {
	c := stats.NewCollector(stats.Options{Keys: 256})
	hook := c.Hook(nothing)
	const callers, calls = 16, 1_500
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			for j := range calls {
				call := getCall(i*calls + j)
				call.Pattern = fmt.Sprint(j % 5)
				_ = hook.Do(t.Context(), call)
			}
		})
	}
	var parts []*stats.Snapshot
	stop := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		for i := 0; ; i++ {
			switch i % 3 {
			case 0:
				parts = append(parts, c.Reset())
			case 1:
				_ = c.Snapshot()
				_ = c.Recent()
			case 2:
				c.Journal(stats.JournalOptions{Rate: 0.1}).Len()
			}
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	wait.Wait()
	close(stop)
	watcher.Wait()
	all, err := stats.Merge(append(parts, c.Reset())...)
	must(t, err)
	var sum, read, minutes float64
	for _, o := range all.Operations {
		sum += o.Calls
		read += o.Read
		minutes += o.Traffic.Sum().Calls
	}
	if sum != callers*calls || read != sum/2 || minutes != sum || all.Consumed[0].Read != read || math.Abs(all.Items.Total-read/3000) > 1e-9*read {
		t.Errorf("%v calls, %v by minute, %v units, %v by table, load %v", sum, minutes, read, all.Consumed[0].Read, all.Items.Total)
	}
}

// Sixteen callers do not wait for each other: what a call takes them together, on so many processors as there are, is about what
// it takes one of them. It is the fastest of many short rounds that is compared, since others use the machine too.
func TestCallersDoNotContend(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	round := func(callers int) float64 {
		hook := stats.NewCollector(stats.Options{}).Hook(nothing)
		const calls = 800
		best := math.Inf(1)
		for range 60 {
			var wait sync.WaitGroup
			start := time.Now()
			for i := range callers {
				wait.Go(func() {
					call := getCall(i)
					for range calls {
						_ = hook.Do(t.Context(), call)
					}
				})
			}
			wait.Wait()
			took := float64(time.Since(start)) * float64(min(callers, runtime.GOMAXPROCS(0)))
			best = min(best, took/float64(callers*calls))
		}
		return best
	}
	alone, together := round(1), round(16)
	t.Logf("%.0f ns of a processor for each call of one caller, %.0f of sixteen", alone, together)
	if together > 8*alone+1000 {
		t.Errorf("%.0f ns for each call of sixteen callers, %.0f of one", together, alone)
	}
}
