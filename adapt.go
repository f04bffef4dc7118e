package tablewright

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// gates hold back the requests of a DB whose Retry is Adaptive: one gate for the reads and one for the writes of each table,
// since the service throttles them apart. All copies of a DB share them.
type gates struct{ of sync.Map } // gateKey → *gate

type gateKey struct {
	table string // as declared; "" of requests that name several
	reads bool
}

func (g *gates) find(c *Call) *gate {
	key := gateKey{c.Table, c.Reads()}
	if one, known := g.of.Load(key); known {
		return one.(*gate)
	}
	one, _ := g.of.LoadOrStore(key, &gate{})
	return one.(*gate)
}

// gate is a token bucket whose rate follows what the service takes: it is open until the first throttled request, then it
// lets pass 0.7 of what was sent, and comes back along a cubic curve, flat around the rate at which the service refused. It
// is what AWS's SDKs do in the retry mode adaptive (docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html).
//
// While it is open, callers meet nowhere: a lock here would make hundreds of them wait for one whose thread does not run.
type gate struct {
	on    atomic.Bool
	count atomic.Int64 // requests since began
	began atomic.Int64 // when counting them began, in nanoseconds; 0: there was none yet

	mu       sync.Mutex
	rate     float64 // requests a second that may pass
	tokens   float64
	filled   time.Time // when tokens was counted
	most     float64   // the rate that was refused
	refused  time.Time
	flat     float64 // seconds after refused at which the curve is at most
	measured float64 // requests a second, smoothed
}

const (
	gateBeta     = 0.7
	gateScale    = 0.4
	gateSmooth   = 0.8
	gateLeast    = 0.5
	gateInterval = time.Second / 2
)

// take takes a token and says how long to wait before it is one.
func (g *gate) take(now time.Time) time.Duration {
	if !g.on.Load() {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fill(now)
	g.tokens-- // below 0: those who came before wait, too
	if g.tokens >= 0 {
		return 0
	}
	return time.Duration(-g.tokens / g.rate * float64(time.Second))
}

func (g *gate) fill(now time.Time) {
	if !g.filled.IsZero() {
		g.tokens = min(g.tokens+g.rate*max(now.Sub(g.filled).Seconds(), 0), max(g.rate, 1))
	}
	g.filled = now
}

// answered learns from an answer.
func (g *gate) answered(now time.Time, throttled bool) {
	g.count.Add(1)
	on := g.on.Load()
	switch {
	case throttled || on:
		g.mu.Lock()
	case now.UnixNano()-g.began.Load() < int64(gateInterval) || !g.mu.TryLock(): // who has the lock measures
		return
	}
	defer g.mu.Unlock()
	g.measure(now)
	on = g.on.Load()
	var rate float64
	switch {
	case throttled:
		rate = g.measured
		if on {
			rate = min(rate, g.rate)
		}
		g.most, g.refused = rate, now
		g.on.Store(true)
		g.flat = math.Cbrt(g.most * (1 - gateBeta) / gateScale)
		rate *= gateBeta
	case !on:
		return
	default:
		d := now.Sub(g.refused).Seconds() - g.flat
		rate = gateScale*d*d*d + g.most
	}
	g.fill(now)
	g.rate = max(min(rate, 2*g.measured), gateLeast)
	g.tokens = min(g.tokens, max(g.rate, 1))
}

// measure takes the requests that were counted into the rate at which they are sent.
func (g *gate) measure(now time.Time) {
	at := now.UnixNano()
	if g.began.CompareAndSwap(0, at) {
		return
	}
	if passed := time.Duration(at - g.began.Load()); passed >= gateInterval {
		g.measured = float64(g.count.Swap(0))/passed.Seconds()*gateSmooth + g.measured*(1-gateSmooth)
		g.began.Store(at)
	}
}

var errHeldBack = errors.New("held back by Retry.Adaptive: the table takes fewer requests than there are, and the budget would be over before its turn")

// pass waits until the gate lets a request through. The wait draws on the budget.
func (g *gate) pass(ctx context.Context, b *budget) error {
	wait := g.take(b.clock.Now())
	if wait <= 0 {
		return nil
	}
	if b.spent+wait > b.total {
		g.giveBack()
		return errHeldBack
	}
	b.spent += wait
	if err := pause(ctx, b.clock, wait); err != nil {
		g.giveBack()
		return err
	}
	return nil
}

func (g *gate) giveBack() {
	g.mu.Lock()
	g.tokens++
	g.mu.Unlock()
}
