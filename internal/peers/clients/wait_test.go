package clients

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
)

// waiting is what the mutex profile says of this module, or of its tests: for how long callers waited for locks that its code held,
// and where.
func waiting(t *testing.T, inTests bool) (time.Duration, string) {
	t.Helper()
	records := make([]runtime.BlockProfileRecord, 10_000)
	n, ok := runtime.MutexProfile(records)
	if !ok {
		t.Fatalf("%d places where locks are held", n)
	}
	var sum int64
	var places []string
	for _, r := range records[:n] {
		frames := runtime.CallersFrames(r.Stack())
		f, more := frames.Next()
		for more && (strings.HasPrefix(f.Function, "sync.") || strings.HasPrefix(f.Function, "internal/sync.")) {
			f, more = frames.Next()
		}
		if strings.HasPrefix(f.Function, "github.com/tablewright/tablewright") && strings.HasSuffix(f.File, "_test.go") == inTests {
			sum += r.Cycles
			if !slices.Contains(places, f.Function) {
				places = append(places, f.Function)
			}
		}
	}
	return time.Duration(float64(sum) / cyclesPerNanosecond()), strings.Join(places, ", ")
}

// cyclesPerNanosecond is what the runtime counts waiting in.
var cyclesPerNanosecond = sync.OnceValue(func() float64 {
	var mu sync.Mutex
	before := mutexCycles()
	mu.Lock()
	held := make(chan bool)
	go func() {
		close(held)
		mu.Lock() // waits
		defer mu.Unlock()
	}()
	<-held
	start := time.Now()
	time.Sleep(50 * time.Millisecond)
	mu.Unlock()
	took := time.Since(start)
	for mutexCycles() == before {
		runtime.Gosched()
	}
	return float64(mutexCycles()-before) / float64(took)
})

func mutexCycles() (sum int64) {
	records := make([]runtime.BlockProfileRecord, 10_000)
	n, _ := runtime.MutexProfile(records)
	for _, r := range records[:n] {
		sum += r.Cycles
	}
	return sum
}

// A thousand callers of one DB wait for processors, not for each other: what they wait for locks of this module, those inside
// sync.Pool included, is a small part of their time, for each kind of call. A lock that is held while a request is sent, or made,
// would have all of it.
func TestCallersDoNotWait(t *testing.T) {
	const callers = 1000
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	cyclesPerNanosecond()
	var one sync.Mutex // shows that a lock would be seen
	serial := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			one.Lock()
			defer one.Unlock()
			return next.Do(ctx, c)
		})
	}
	get := func(db *tablewright.DB) error { _, err := Orders.Get("o-000001").Run(t.Context(), db); return err }
	for _, c := range []struct {
		name, answer string
		call         func(db *tablewright.DB) error
		hooks        []tablewright.Hook
	}{
		{"get", `{"Item":` + Item(1) + `}`, get, nil},
		{"one at a time", `{"Item":` + Item(1) + `}`, get, []tablewright.Hook{serial}},
		{"query", Page(1), func(db *tablewright.DB) error {
			_, err := Orders.ByCustomer.Of("c-4711").Slice(t.Context(), db)
			return err
		}, nil},
		{"update", `{}`, func(db *tablewright.DB) error {
			return Orders.Update("o-000001", Orders.Status.Set("paid")).If(Orders.Version.Equals(1)).Run(t.Context(), db)
		}, nil},
		{"transaction", `{}`, func(db *tablewright.DB) error { return ours2(Example(1)).Run(t.Context(), db) }, nil},
		{"measured, adaptive", `{"Item":` + Item(1) + `}`, func(db *tablewright.DB) error {
			var used tablewright.Usage
			return get(db.Measure(&used).WithRetry(tablewright.Retry{Adaptive: true}))
		}, nil},
	} {
		clients, err := New(c.answer, c.hooks...)
		check(t, err)
		db := clients.Tablewright
		if err := c.call(db); err != nil {
			t.Fatal(err)
		}
		waited, _ := waiting(t, c.hooks != nil)
		start := time.Now()
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				for range 20 {
					if err := c.call(db); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		lasted := time.Since(start) * callers
		now, places := waiting(t, c.hooks != nil)
		waited = now - waited
		t.Logf("%s: callers waited %v of %v for locks", c.name, waited, lasted)
		if held := waited > lasted/10; held != (c.hooks != nil) {
			t.Errorf("%s: %d callers waited %v of %v for %s", c.name, callers, waited, lasted, places)
		}
	}
}
