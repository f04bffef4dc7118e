package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cache"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

type product struct {
	Maker string `ddb:"maker"`
	Name  string `ddb:"name"`
	Stock int    `ddb:"stock"`
}

type productKey struct{ Maker, Name string }

type products struct {
	tablewright.Entity[productKey, product]
	Stock   tablewright.Number[product, int]
	ByMaker tablewright.Index1[product, string, string] `index:"Store"`
	ByStock tablewright.Index0[product, int]
}

var (
	store = tablewright.NewTable(plan.Table{Name: "Store", Key: plan.Key{Partition: "maker", Sort: "name"}, GSI: map[string]plan.Index{
		"ByStock": {Partition: []string{"stock"}},
	}})
	Products = tablewright.Declare[products](store, plan.Item{Name: "Product"})
	lamp     = productKey{"acme", "lamp"}
)

// bench is an engine with a cache before it; requests counts what reached the engine.
type bench struct {
	*engine.Engine
	db       *tablewright.DB
	cache    *cache.Cache
	clock    *engine.ManualClock
	requests atomic.Int64
}

func newBench(t testing.TB, o cache.Options) *bench {
	t.Helper()
	b := &bench{clock: engine.NewClock(time.Time{})}
	b.Engine = engine.New(t, engine.Options{Clock: b.clock})
	if o.Clock == nil {
		o.Clock = b.clock
	}
	var err error
	if b.cache, err = cache.New(o); err != nil {
		t.Fatal(err)
	}
	count := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			b.requests.Add(1)
			return next.Do(ctx, c)
		})
	}
	b.db = tablewright.New(tablewright.InProcess(b.Engine), tablewright.Options{Hooks: []tablewright.Hook{b.cache.Hook, count}, Clock: b.clock, Retry: tablewright.Retry{Attempts: 1}})
	if err := store.CreateIn(t.Context(), b.db); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(time.Minute)
	return b
}

// asked is how many requests f makes.
func (b *bench) asked(f func()) int {
	before := b.requests.Load()
	f()
	return int(b.requests.Load() - before)
}

func TestReads(t *testing.T) {
	b := newBench(t, cache.Options{TTL: time.Minute, Missing: 5 * time.Second})
	ctx := t.Context()
	if err := Products.Put(product{"acme", "lamp", 7}).Run(ctx, b.db); err != nil {
		t.Fatal(err)
	}
	get := func(key productKey, want int) func() {
		return func() {
			t.Helper()
			p, err := Products.Get(key).Run(ctx, b.db)
			if errors.Is(err, tablewright.ErrNotFound) {
				p.Stock = -1
			} else if err != nil {
				t.Fatal(err)
			}
			if p.Stock != want {
				t.Errorf("%v: stock %d, want %d", key, p.Stock, want)
			}
		}
	}
	none := productKey{"acme", "chair"}
	for i, step := range []struct {
		what  string
		after time.Duration
		do    func()
		asks  int
	}{
		{"a key not seen before", 0, get(lamp, 7), 1},
		{"the same", 0, get(lamp, 7), 0},
		{"with consistency", 0, func() {
			if _, err := Products.Get(lamp).Consistent().Run(ctx, b.db); err != nil {
				t.Error(err)
			}
		}, 1},
		{"what is not there", 0, get(none, -1), 1},
		{"what is not there, again", 4 * time.Second, get(none, -1), 0},
		{"and when that is over", 2 * time.Second, get(none, -1), 1},
		{"an item, kept longer", 50 * time.Second, get(lamp, 7), 0},
		{"an item that is over", 5 * time.Second, get(lamp, 7), 1},
	} {
		b.clock.Advance(step.after)
		if i == 0 {
			b.clock.Advance(time.Second) // after the put
		}
		if n := b.asked(step.do); n != step.asks {
			t.Errorf("%s: %d requests, want %d", step.what, n, step.asks)
		}
	}
	if s := b.cache.Stats(); s != (cache.Stats{Hits: 2, Missing: 1, Misses: 4, Passed: 1, Drops: s.Drops}) {
		t.Errorf("%+v", s)
	}
	var used tablewright.Usage
	if _, err := Products.Get(lamp).Run(ctx, b.db.Measure(&used)); err != nil || used.Read != 0 {
		t.Errorf("a read from the cache consumed %v units, %v", used.Read, err)
	}
}

// TestWrites has every kind of write forget what it writes, and nothing else.
func TestWrites(t *testing.T) {
	raw := func(db *tablewright.DB, operation, request string) error {
		return db.Transport().Do(context.Background(), &tablewright.Call{Operation: operation, Request: []byte(request), Attempt: 1})
	}
	for name, write := range map[string]func(ctx context.Context, db *tablewright.DB) error{
		"put": func(ctx context.Context, db *tablewright.DB) error {
			return Products.Put(product{"acme", "lamp", 8}).Run(ctx, db)
		},
		"update": func(ctx context.Context, db *tablewright.DB) error {
			return Products.Update(lamp, Products.Stock.Plus(1)).Run(ctx, db)
		},
		"delete": func(ctx context.Context, db *tablewright.DB) error { return Products.Delete(lamp).Run(ctx, db) },
		"batch": func(ctx context.Context, db *tablewright.DB) error {
			return tablewright.BatchOf(Products.Put(product{"other", "x", 1}), Products.Put(product{"acme", "lamp", 8})).Run(ctx, db)
		},
		"batch that deletes": func(ctx context.Context, db *tablewright.DB) error {
			return tablewright.BatchOf(Products.Delete(lamp)).Run(ctx, db)
		},
		"transaction": func(ctx context.Context, db *tablewright.DB) error {
			return tablewright.Transact(Products.Create(product{"other", "x", 1}), Products.Update(lamp, Products.Stock.Plus(1))).Run(ctx, db)
		},
		"statement": func(_ context.Context, db *tablewright.DB) error {
			return raw(db, "ExecuteStatement", `{"Statement":"update Store set stock = 8 where maker = 'acme' and name = 'lamp'"}`)
		},
		"write by another sort key of the partition": func(ctx context.Context, db *tablewright.DB) error {
			return Products.Put(product{"acme", "desk", 1}).Run(ctx, db)
		},
		"request made elsewhere": func(_ context.Context, db *tablewright.DB) error {
			return raw(db, "DeleteItem", `{"Key":{"name":{"S":"lamp"},"maker":{"S":"acme"}},"TableName":"Store"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, cache.Options{Queries: true})
			ctx := t.Context()
			fixed := productKey{"fixed", "wall"}
			for _, p := range []product{{"acme", "lamp", 7}, {"fixed", "wall", 1}} {
				if err := Products.Put(p).Run(ctx, b.db); err != nil {
					t.Fatal(err)
				}
			}
			b.clock.Advance(2 * time.Second)
			read := func() (got string) {
				p, err := Products.Get(lamp).Run(ctx, b.db)
				all, errs := Products.ByMaker.Of("acme").Slice(ctx, b.db)
				return fmt.Sprintln(p, err, all, errs)
			}
			before := read()
			if n := b.asked(func() { read() }); n != 0 {
				t.Fatalf("%d requests: not kept", n)
			}
			if _, err := Products.Get(fixed).Run(ctx, b.db); err != nil {
				t.Fatal(err)
			}
			if err := write(ctx, b.db); err != nil {
				t.Fatal(err)
			}
			after := read()
			if after == before {
				t.Errorf("still reads %s", after)
			}
			if n := b.asked(func() { read() }); n != 2 {
				t.Errorf("%d requests soon after the write, want 2: a lagging replica's answer must not be kept", n)
			}
			b.clock.Advance(time.Second)
			if again := read(); again != after {
				t.Errorf("reads %s, then %s", after, again)
			}
			if n := b.asked(func() { read() }); n != 0 {
				t.Errorf("%d requests after all has settled", n)
			}
			if name != "statement" { // which forgets everything
				if n := b.asked(func() { _, _ = Products.Get(fixed).Run(ctx, b.db) }); n != 0 {
					t.Errorf("another key was forgotten, too")
				}
			}
		})
	}
}

func TestWhatPasses(t *testing.T) {
	b := newBench(t, cache.Options{Tables: []string{"Others"}})
	ctx := t.Context()
	for range 2 {
		if n := b.asked(func() { _, _ = Products.Get(lamp).Run(ctx, b.db) }); n != 1 {
			t.Errorf("a table that is not kept: %d requests", n)
		}
	}
	b = newBench(t, cache.Options{})
	for range 2 {
		if n := b.asked(func() { _, _ = Products.ByMaker.Of("acme").Slice(ctx, b.db) }); n != 1 {
			t.Errorf("queries are not asked for: %d requests", n)
		}
	}
	b = newBench(t, cache.Options{Queries: true})
	for range 2 {
		if n := b.asked(func() { _, _ = Products.ByStock.Of(7).Slice(ctx, b.db) }); n != 1 {
			t.Errorf("queries of indexes cannot be kept: %d requests", n)
		}
	}
	if _, err := cache.New(cache.Options{TTL: -1}); err == nil {
		t.Error("a negative TTL")
	}
	if _, err := cache.NewMemory(0); err == nil {
		t.Error("a store without room")
	}
}

// TestJoin has equal reads become one, and none of them depend on the caller who happened to be first.
func TestJoin(t *testing.T) {
	b := newBench(t, cache.Options{})
	ctx := t.Context()
	if err := Products.Put(product{"acme", "lamp", 7}).Run(ctx, b.db); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(2 * time.Second)
	hold := make(chan struct{})
	b.Inject(engine.Fault{Operation: "GetItem", Times: 1, Until: hold})
	first, cancel := context.WithCancel(ctx)
	before := b.requests.Load()
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := Products.Get(lamp).Run(first, b.db); !errors.Is(err, context.Canceled) {
			t.Errorf("the first: %v", err)
		}
	})
	for b.requests.Load() == before {
		time.Sleep(time.Millisecond)
	}
	for range 10 {
		wg.Go(func() {
			if p, err := Products.Get(lamp).Run(ctx, b.db); err != nil || p.Stock != 7 {
				t.Errorf("another: %v, %v", p, err)
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	cancel()
	wg.Wait()
	close(hold)

	b = newBench(t, cache.Options{})
	hold = make(chan struct{})
	b.Inject(engine.Fault{Operation: "GetItem", Times: 1, Until: hold})
	n := b.asked(func() {
		for range 10 {
			wg.Go(func() {
				if _, err := Products.Get(lamp).Run(ctx, b.db); !errors.Is(err, tablewright.ErrNotFound) {
					t.Error(err)
				}
			})
		}
		for b.cache.Stats().Misses == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		close(hold)
		wg.Wait()
	})
	if s := b.cache.Stats(); n != 1 || s.Joined+s.Missing != 9 {
		t.Errorf("%d requests, %+v", n, s)
	}
}

func TestDrop(t *testing.T) {
	b := newBench(t, cache.Options{})
	ctx := t.Context()
	read := func() { _, _ = Products.Get(lamp).Run(ctx, b.db) }
	b.cache.Drop(ctx, "Store", attr.ItemOf(attr.Field{Name: "maker", Value: attr.Text("acme")})) // of nothing that is kept; but the next read may be of before
	b.clock.Advance(2 * time.Second)
	for name, drop := range map[string]func(){
		"key":        func() { b.cache.Drop(ctx, "Store", attr.ItemOf(attr.Field{Name: "maker", Value: attr.Text("acme")})) },
		"table":      func() { b.cache.Drop(ctx, "Store", attr.Item{}) },
		"everything": func() { b.cache.Clear(ctx) },
	} {
		read()
		if n := b.asked(read); n != 0 {
			t.Fatalf("%s: not kept", name)
		}
		drop()
		b.clock.Advance(2 * time.Second)
		if n := b.asked(read); n != 1 {
			t.Errorf("%s: %d requests after it was dropped", name, n)
		}
	}
	b.cache.Drop(ctx, "Store", attr.ItemOf(attr.Field{Name: "maker", Value: attr.Text("other")}))
	if n := b.asked(read); n != 0 {
		t.Errorf("another key's drop forgot this one")
	}
}

// TestNeverOlder has many read and write the same few keys: no read that begins after a write has ended may bring what was
// before it.
func TestNeverOlder(t *testing.T) {
	b := newBench(t, cache.Options{Clock: wallClock{}, Settle: time.Microsecond, Queries: true})
	ctx := t.Context()
	const keys = 3
	var done [keys]atomic.Int64
	key := func(k int) productKey { return productKey{fmt.Sprint("m", k), "n"} }
	for k := range keys {
		if err := Products.Put(product{key(k).Maker, "n", 0}).Run(ctx, b.db); err != nil {
			t.Fatal(err)
		}
	}
	end := time.Now().Add(500 * time.Millisecond)
	var wg sync.WaitGroup
	for k := range keys {
		wg.Go(func() {
			for n := 1; time.Now().Before(end); n++ {
				var err error
				if n%2 == 0 {
					err = Products.Put(product{key(k).Maker, "n", n}).Run(ctx, b.db)
				} else {
					err = Products.Update(key(k), Products.Stock.Set(n)).Run(ctx, b.db)
				}
				if err != nil {
					t.Error(err)
					return
				}
				done[k].Store(int64(n))
				time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			}
		})
	}
	for range 6 {
		wg.Go(func() {
			for time.Now().Before(end) {
				k := rand.IntN(keys)
				least := done[k].Load()
				p, err := Products.Get(key(k)).Run(ctx, b.db)
				if rand.IntN(2) == 0 {
					p, err = Products.ByMaker.Of(key(k).Maker).First(ctx, b.db)
				}
				if err != nil || int64(p.Stock) < least {
					t.Errorf("read %d of key %d, %v, after %d was written", p.Stock, k, err, least)
					return
				}
			}
		})
	}
	wg.Wait()
	if s := b.cache.Stats(); s.Hits == 0 || s.Drops == 0 {
		t.Errorf("%+v: nothing was tested", s)
	}
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// TestMemory keeps within its bytes, whatever is read.
func TestMemory(t *testing.T) {
	m, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	value := []byte(strings.Repeat("x", 1000))
	for i := range 10_000 {
		m.Set(ctx, "T", fmt.Sprint(i), "r", value, time.Minute)
	}
	kept := func() (n int) {
		for i := range 10_000 {
			if _, ok := m.Get(ctx, "T", fmt.Sprint(i), "r"); ok {
				n++
			}
		}
		return n
	}
	deadline := time.Now().Add(5 * time.Second)
	for kept() > 1000 && time.Now().Before(deadline) { // what is too much goes a moment later
		time.Sleep(time.Millisecond)
	}
	if n := kept(); n > 1000 || n < 300 {
		t.Errorf("%d values of 1,000 bytes in 1 MB", n)
	}
	for i := range 1000 {
		m.Set(ctx, "T", "one", fmt.Sprint(i), value, time.Minute)
	}
	n := 0
	for i := range 1000 {
		if _, ok := m.Get(ctx, "T", "one", fmt.Sprint(i)); ok {
			n++
		}
	}
	if n > 100 {
		t.Errorf("%d reads of one partition key are kept", n)
	}
}

// BenchmarkHit is a get that is answered from the cache.
func BenchmarkHit(b *testing.B) {
	bench := newBench(b, cache.Options{})
	ctx := b.Context()
	if err := Products.Put(product{"acme", "lamp", 7}).Run(ctx, bench.db); err != nil {
		b.Fatal(err)
	}
	bench.clock.Advance(2 * time.Second)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Products.Get(lamp).Run(ctx, bench.db); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMore has hooks outside of the cache told of a page that is not the last, whoever answers it.
func TestMore(t *testing.T) {
	b := newBench(t, cache.Options{Queries: true})
	var told []string
	outer := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			told = append(told, fmt.Sprint(c.Items, c.Scanned, c.More))
			return err
		})
	}
	count := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			b.requests.Add(1)
			return next.Do(ctx, c)
		})
	}
	db := tablewright.New(tablewright.InProcess(b.Engine), tablewright.Options{Hooks: []tablewright.Hook{outer, b.cache.Hook, count}, Clock: b.clock})
	for _, name := range []string{"chair", "desk", "lamp"} {
		if err := Products.Put(product{"acme", name, 1}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	b.clock.Advance(2 * time.Second)
	told = nil
	read := func() {
		for _, err := range Products.ByMaker.Of("acme").Evaluate(2).All(t.Context(), db) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	read()
	if n := b.asked(read); n != 0 {
		t.Errorf("%d requests: not kept", n)
	}
	if want := []string{"2 2 true", "1 1 false", "2 2 true", "1 1 false"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
