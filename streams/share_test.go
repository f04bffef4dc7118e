package streams_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/streams"
	"github.com/tablewright/tablewright/wire"
)

// plug is a way to the engine that can be pulled: the process goes on, and reaches nothing any more.
type plug struct{ pulled atomic.Bool }

type noWay struct{ error }

func (noWay) NotSent() bool { return true }

func (p *plug) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		if p.pulled.Load() {
			return noWay{errors.New("no way")}
		}
		return next.Do(ctx, c)
	})
}

// process is a worker of a group, as another process would be one.
type process struct {
	plug   plug
	cancel context.CancelFunc
	done   chan error
	watch  streams.Watch
}

func startProcess(t *testing.T, e *engine.Engine, o streams.Options, hooks []tablewright.Hook, h ...streams.Handler) *process {
	p := &process{done: make(chan error, 1)}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: append([]tablewright.Hook{p.plug.hook}, hooks...)})
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(t.Context())
	o.Watch = &p.watch
	go func() { p.done <- streams.Run(ctx, db, Shop, o, h...) }()
	return p
}

// kill ends a process as the loss of its machine would: nothing is released.
func (p *process) kill() {
	p.plug.pulled.Store(true)
	p.cancel()
}

func (p *process) stop(t *testing.T) {
	t.Helper()
	p.cancel()
	if err := <-p.done; err != nil {
		t.Error(err)
	}
}

func describe(t *testing.T, e *engine.Engine) *wire.StreamDescription {
	t.Helper()
	answer, err := e.Do(context.Background(), "DescribeStream", (&wire.DescribeStreamInput{ARN: streamOf(t, e, "Shop")}).Append(nil))
	must(t, err)
	out, err := wire.DecodeDescribeStreamOutput(answer)
	must(t, err)
	return &out.Stream
}

// split divides one of the stream's open shards.
func split(t *testing.T, e *engine.Engine, which int) {
	t.Helper()
	d := describe(t, e)
	open := slices.DeleteFunc(d.Shards, func(s wire.Shard) bool { return s.Range.End != "" })
	must(t, e.SplitShard(d.ARN, open[which%len(open)].ID))
}

// seen is what handlers were told, by item.
type seen struct {
	mu sync.Mutex
	by map[string][]int
}

func (s *seen) note(id string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[string][]int{}
	}
	s.by[id] = append(s.by[id], n)
}

// check holds what was seen of an item against the numbers 1 to n in order: a stretch of them may have come again.
func (s *seen) check(t *testing.T, id string, n int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	last, most := 0, 0
	for _, got := range s.by[id] {
		if got > last+1 {
			t.Errorf("%s: %d after %d: %v", id, got, last, s.by[id])
			return
		}
		last, most = got, max(most, got)
	}
	if most != n || last != n {
		t.Errorf("%s: %v, of %d", id, s.by[id], n)
	}
}

// Workers divide the shards evenly, hand over to those that come, and take over from those that stop or die.
func TestWorkersShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, db := newEngine(t, engine.Options{Streams: engine.StreamOptions{Shards: 8, ShardLife: -1}})
		var all seen
		count := map[string]int{}
		h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { all.note(c.New.ID, c.New.Total); return nil })
		write := func() {
			for i := range 40 {
				id := fmt.Sprint("o", i)
				count[id]++
				put(t, db, id, count[id])
			}
		}
		o := streams.Options{Group: "g", Create: true, Poll: 2 * time.Second}
		var workers []*process
		held := func() (n []int) {
			for _, p := range workers {
				k := 0
				for _, s := range p.watch.Shards() {
					if s.Held {
						k++
					}
				}
				n = append(n, k)
			}
			return n
		}
		settle := func(want ...int) {
			t.Helper()
			write()
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			if got := held(); !slices.Equal(got, want) {
				t.Errorf("shards held %v, want %v", got, want)
			}
			for id, n := range count {
				all.check(t, id, n)
			}
		}
		workers = append(workers, startProcess(t, e, o, nil, h))
		settle(8)
		workers = append(workers, startProcess(t, e, o, nil, h))
		settle(4, 4)
		workers = append(workers, startProcess(t, e, o, nil, h), startProcess(t, e, o, nil, h))
		settle(2, 2, 2, 2)
		before := len(all.by["o1"])
		workers[1].kill()
		write()
		time.Sleep(40 * time.Second) // a lease, and the time between two looks
		synctest.Wait()
		for id, n := range count {
			all.check(t, id, n)
		}
		if err := <-workers[1].done; err != nil {
			t.Error(err)
		}
		workers[0].stop(t)
		workers = slices.Delete(workers, 0, 2)
		settle(4, 4)
		if n := len(all.by["o1"]) - before; n != 2 {
			t.Errorf("two changes came %d times", n)
		}
		split(t, e, 0)
		split(t, e, 3)
		settle(5, 5)
		for _, p := range workers {
			p.stop(t)
		}
	})
}

// A worker that is cut off in the middle of a change ends it before another one begins it again, and cannot count it.
func TestCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, db := newEngine(t, engine.Options{})
		put(t, db, "o1", 1)
		o := streams.Options{Group: "g", Create: true}
		var ended, again time.Time
		var cause error
		first := startProcess(t, e, o, nil, streams.On(Orders, func(ctx context.Context, _ streams.Change[Order]) error {
			<-ctx.Done()
			ended, cause = time.Now(), context.Cause(ctx)
			return nil // it has done something, which cannot be noted
		}))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		first.plug.pulled.Store(true)
		second := startProcess(t, e, o, nil, streams.On(Orders, func(context.Context, streams.Change[Order]) error { again = time.Now(); return nil }))
		time.Sleep(time.Minute)
		synctest.Wait()
		if !errors.Is(cause, streams.ErrLeaseLost) || again.IsZero() || !ended.Before(again) {
			t.Errorf("the first ended at %v (%v), the second began at %v", ended, cause, again)
		}
		first.kill()
		<-first.done
		second.stop(t)
	})
}

// weather makes requests fail now and then, before and after they are carried out.
func weather(r *rand.Rand, chance float64) tablewright.Hook {
	var mu sync.Mutex
	draw := func() float64 { mu.Lock(); defer mu.Unlock(); return r.Float64() }
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			switch p := draw() / chance; {
			case p < 0.4:
				return wire.NewError(wire.CodeThroughputExceeded, "slow down")
			case p < 0.6:
				return io.ErrUnexpectedEOF
			case p < 1:
				if err := next.Do(ctx, c); err != nil {
					return err
				}
				return io.ErrUnexpectedEOF
			}
			return next.Do(ctx, c)
		})
	}
}

// Whatever happens to shards, workers and requests, each item's changes are seen in order and at least once; what is
// written with the checkpoint counts exactly once.
func TestRandomHistories(t *testing.T) {
	seeds := 5
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { history(t, uint64(seed)) })
		})
	}
}

func history(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	e, db := newEngine(t, engine.Options{Streams: engine.StreamOptions{Shards: 1 + r.IntN(4), ShardLife: -1}})
	var all seen
	count := map[string]int{}
	handlers := []streams.Handler{
		streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error {
			all.note(c.New.ID, c.New.Total)
			if c.New.Total%11 == 0 { // and goes on for longer than a lease lasts, whatever becomes of it
				time.Sleep(25 * time.Second)
			}
			return nil
		}),
		streams.OnTx(Orders, func(_ context.Context, c streams.Change[Order]) ([]tablewright.TxWrite, error) {
			return []tablewright.TxWrite{AllTotals.Update(c.New.ID, AllTotals.Orders.Add(1)).Upsert()}, nil
		}),
		streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return "of " + o.Customer, o.Total%3 > 0 },
			streams.Count[Order](AllTotals.Orders), streams.SumOf(AllTotals.Spent, func(o Order) int { return o.Total })),
	}
	o := streams.Options{Group: "g", Create: true, Poll: 2 * time.Second, Batch: 1 + r.IntN(20), Workers: 1 + r.IntN(3)}
	if r.IntN(2) == 0 {
		o.Leases = TotalsTable
	}
	var workers []*process
	for step := range 60 {
		switch n := r.IntN(20); {
		case n < 2 && len(workers) < 4 || step == 0:
			workers = append(workers, startProcess(t, e, o, []tablewright.Hook{weather(rand.New(rand.NewPCG(seed, uint64(step))), 0.1)}, handlers...))
		case n == 2 && len(workers) > 1:
			i := r.IntN(len(workers))
			workers[i].kill()
			workers = slices.Delete(workers, i, i+1)
		case n == 3 && len(workers) > 1:
			i := r.IntN(len(workers))
			workers[i].stop(t)
			workers = slices.Delete(workers, i, i+1)
		case n == 6 && len(workers) > 1: // cut off in the middle of what it does, and back when others have taken its shards
			p := workers[r.IntN(len(workers))]
			p.plug.pulled.Store(true)
			time.AfterFunc(time.Duration(10+r.IntN(20))*time.Second, func() { p.plug.pulled.Store(false) })
		case n < 6:
			split(t, e, r.IntN(100))
		default:
			for range r.IntN(10) {
				id := fmt.Sprint("o", r.IntN(12))
				count[id]++
				put(t, db, id, count[id])
			}
		}
		if r.IntN(3) == 0 {
			time.Sleep(time.Duration(r.IntN(20_000)) * time.Millisecond)
		}
	}
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	sums := map[string]Totals{}
	for id, n := range count {
		all.check(t, id, n)
		got, err := AllTotals.Get(id).Run(t.Context(), db)
		if err != nil || got.Orders != n {
			t.Errorf("%s: counted %d of %d, %v", id, got.Orders, n, err)
		}
		if n%3 > 0 {
			key := "of c" + id[len(id)-1:]
			sums[key] = Totals{key, sums[key].Orders + 1, sums[key].Spent + n}
		}
	}
	for key, want := range sums {
		if got, err := AllTotals.Get(key).Run(t.Context(), db); err != nil || got != want {
			t.Errorf("%s: %+v, want %+v, %v", key, got, want, err)
		}
	}
	for _, p := range workers {
		p.stop(t)
	}
	if t.Failed() {
		t.Log("seed", seed)
		for _, p := range workers {
			t.Logf("%+v", p.watch.Shards())
		}
		for _, s := range describe(t, e).Shards {
			t.Logf("%+v", s)
		}
	}
}
