package engine

import (
	"context"
	"slices"
	"sync"
	"time"
)

// ManualClock is a Clock that stands still until a test moves it. What an engine does by time follows it: items expire and
// are swept, streams are trimmed, client request tokens are forgotten, entries of indexes that lag appear, limits fill up.
// It is safe for concurrent use.
type ManualClock struct {
	mu      sync.Mutex
	now     time.Time
	moved   chan struct{} // closed at the next move, when somebody waits for it
	engines []*Engine     // open ones with this clock
}

// NewClock is a clock that stands at a time; at the beginning of 2026 (UTC) for the zero time.
func NewClock(start time.Time) *ManualClock {
	if start.IsZero() {
		start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return &ManualClock{now: start}
}

// Now is where the clock stands.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock and returns when every engine that has it has done what became due: what sweeps and the ends
// of shards would have done at their times, one after another, is done at once at the new time. Negative durations move it back, which an engine
// takes as a clock that was set wrong: nothing becomes due.
func (c *ManualClock) Advance(d time.Duration) {
	for _, e := range c.move(d) {
		if every := e.options.SweepEvery; every > 0 {
			e.doDue(e.tasks.ctx, max(int(d/every), 1))
		}
	}
}

func (c *ManualClock) move(d time.Duration) []*Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	if c.moved != nil {
		close(c.moved)
		c.moved = nil
	}
	return slices.Clone(c.engines)
}

// Sleep moves the clock by d instead of waiting: a client of this module that has it as its Options.Clock repeats what was
// throttled or in conflict without loss of real time. Those that run beside get a moment, since it is them who are waited
// for.
func (c *ManualClock) Sleep(ctx context.Context, d time.Duration) error {
	time.Sleep(min(d/100, time.Millisecond))
	c.Advance(d)
	return ctx.Err()
}

// wait waits until the clock stands at a time, or later.
func (c *ManualClock) wait(ctx context.Context, until time.Time) error {
	for {
		c.mu.Lock()
		if !c.now.Before(until) {
			c.mu.Unlock()
			return nil
		}
		if c.moved == nil {
			c.moved = make(chan struct{})
		}
		moved := c.moved
		c.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// attach has an engine follow the clock.
func (c *ManualClock) attach(e *Engine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.engines = append(c.engines, e)
}

func (c *ManualClock) detach(e *Engine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.engines = slices.DeleteFunc(c.engines, func(x *Engine) bool { return x == e })
}

// pause waits for a time by the engine's clock.
func (e *Engine) pause(ctx context.Context, d time.Duration) error {
	if c, ok := e.options.Clock.(*ManualClock); ok {
		return c.wait(ctx, c.Now().Add(d))
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
