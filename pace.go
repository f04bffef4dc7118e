package tablewright

import (
	"context"
	"math"
	"sync"
	"time"
)

// pace spreads requests so that they consume a number of units a second on the whole. What a request costs is known when
// it is answered; before, it is taken to cost what the last one did.
type pace struct {
	clock Clock
	rate  float64 // 0: as fast as may be
	start time.Time

	mu    sync.Mutex
	units float64 // of all that began
	last  float64 // of the last that was answered
}

// wait waits until what began before was due, and counts the units of the request that begins now, as far as they are
// known; what it is to be told of them later is given to spent.
func (p *pace) wait(ctx context.Context, units float64) (counted float64, err error) {
	if p.rate <= 0 {
		return 0, ctx.Err()
	}
	p.mu.Lock()
	seconds := p.units / p.rate
	if units <= 0 {
		units = max(p.last, 1)
	}
	p.units += units
	p.mu.Unlock()
	after := time.Duration(math.MaxInt64) // however slow
	if seconds < after.Seconds() {
		after = time.Duration(seconds * float64(time.Second))
	}
	if d := after - p.clock.Now().Sub(p.start); d > 0 {
		return units, pause(ctx, p.clock, d)
	}
	return units, ctx.Err()
}

// spent says what a request consumed of which counted units were known before.
func (p *pace) spent(units, counted float64) {
	p.mu.Lock()
	p.units += units - counted
	p.last = units
	p.mu.Unlock()
}
