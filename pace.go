package tablewright

import (
	"context"
	"math"
	"sync"
	"time"
)

// pace spreads requests so that they consume a number of units a second on the whole.
type pace struct {
	clock Clock
	rate  float64 // 0: as fast as may be
	start time.Time

	mu    sync.Mutex
	units float64
}

// wait waits until what was spent was due.
func (p *pace) wait(ctx context.Context) error {
	if p.rate <= 0 {
		return ctx.Err()
	}
	p.mu.Lock()
	seconds := p.units / p.rate
	p.mu.Unlock()
	after := time.Duration(math.MaxInt64) // however slow
	if seconds < after.Seconds() {
		after = time.Duration(seconds * float64(time.Second))
	}
	if d := after - p.clock.Now().Sub(p.start); d > 0 {
		return pause(ctx, p.clock, d)
	}
	return ctx.Err()
}

// spent counts units.
func (p *pace) spent(units float64) {
	p.mu.Lock()
	p.units += units
	p.mu.Unlock()
}
