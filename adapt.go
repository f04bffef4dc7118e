package tablewright

import (
	"context"
	"errors"
	"math"
	"sync"
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
type gate struct {
	mu       sync.Mutex
	on       bool
	rate     float64 // requests a second that may pass
	tokens   float64
	filled   time.Time // when tokens was counted
	most     float64   // the rate that was refused
	refused  time.Time
	flat     float64 // seconds after refused at which the curve is at most
	measured float64 // requests a second, smoothed
	bucket   time.Time
	count    float64
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
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.on {
		return 0
	}
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
	g.mu.Lock()
	defer g.mu.Unlock()
	g.measure(now)
	var rate float64
	switch {
	case throttled:
		rate = g.measured
		if g.on {
			rate = min(rate, g.rate)
		}
		g.on, g.most, g.refused = true, rate, now
		g.flat = math.Cbrt(g.most * (1 - gateBeta) / gateScale)
		rate *= gateBeta
	case !g.on:
		return
	default:
		d := now.Sub(g.refused).Seconds() - g.flat
		rate = gateScale*d*d*d + g.most
	}
	g.fill(now)
	g.rate = max(min(rate, 2*g.measured), gateLeast)
	g.tokens = min(g.tokens, max(g.rate, 1))
}

// measure counts a request into the rate at which they are sent.
func (g *gate) measure(now time.Time) {
	if g.bucket.IsZero() {
		g.bucket = now
	}
	g.count++
	if passed := now.Sub(g.bucket); passed >= gateInterval {
		g.measured = g.count/passed.Seconds()*gateSmooth + g.measured*(1-gateSmooth)
		g.count, g.bucket = 0, now
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
