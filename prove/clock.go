package prove

import (
	"context"
	"sync"
	"time"
)

// Clock is the time of a proof. The engine and the client have to be given the same.
type Clock interface {
	Now() time.Time
	// Advance lets time pass: at once on a [Simulated] clock, by waiting on the real one.
	Advance(d time.Duration)
}

// Simulated is a clock that moves only when it is told to, so that a proof gives the same bytes every time and waits
// for nothing. It is safe for concurrent use.
type Simulated struct {
	mu  sync.Mutex
	now time.Time
}

// NewSimulated makes a clock that stands at t.
func NewSimulated(t time.Time) *Simulated { return &Simulated{now: t} }

// Now is where the clock stands.
func (c *Simulated) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Simulated) Advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
}

// Sleep lets simulated time pass instead of waiting: repetitions and back-off of the client cost next to nothing. They are
// given a moment of real time, since what they wait for, a transaction on the same item, needs one.
func (c *Simulated) Sleep(ctx context.Context, d time.Duration) error {
	time.Sleep(min(d/100, time.Millisecond))
	c.Advance(d)
	return ctx.Err()
}

// System is the real clock, for proofs on an endpoint.
type System struct{}

// Now is the time.
func (System) Now() time.Time { return time.Now() }

// Advance waits.
func (System) Advance(d time.Duration) { time.Sleep(d) }
