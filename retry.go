package tablewright

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	defaultAttempts = 10
	defaultBudget   = 5 * time.Second
	firstWait       = 25 * time.Millisecond
	longestWait     = time.Second
)

// budget is what is left of a call's Retry. One is made per call of the user's and passed to everything the call sends,
// one request after another or (see fork) several at once.
type budget struct {
	clock    Clock
	attempts int
	total    time.Duration
	tries    int           // in a row without progress
	spent    time.Duration // in failed tries and waiting, without progress
}

func newBudget(r Retry, clock Clock) budget {
	b := budget{clock: clock, attempts: r.Attempts, total: r.Budget}
	if b.attempts <= 0 {
		b.attempts = defaultAttempts
	}
	if b.total <= 0 {
		b.total = defaultBudget
	}
	return b
}

// progress starts the count anew: what was asked for is getting done.
func (b *budget) progress() { b.tries, b.spent = 0, 0 }

// fork is the budget of one of several requests that run at once: each may use what is left.
func (b *budget) fork() *budget { c := *b; return &c }

// join takes over what a fork used, if that is more.
func (b *budget) join(f *budget) {
	b.tries = max(b.tries, f.tries)
	b.spent = max(b.spent, f.spent)
}

// failed counts a try that began at start and waits before the next. It is false if there is no next one: the budget is
// used up or ctx ended. The wait is chosen at random up to a bound that doubles with every try ("full jitter"), so that
// callers that failed together do not come back together.
func (b *budget) failed(ctx context.Context, start time.Time) bool {
	b.tries++
	b.spent += max(b.clock.Now().Sub(start), 0)
	if b.tries >= b.attempts || b.spent >= b.total || ctx.Err() != nil {
		return false
	}
	bound := longestWait
	if shift := b.tries - 1; shift < 8 {
		bound = min(bound, firstWait<<shift)
	}
	wait := rand.N(bound) + 1
	if b.spent+wait > b.total {
		return false
	}
	b.spent += wait
	return pause(ctx, b.clock, wait) == nil
}

// pause waits on the clock, if that can, else in real time, and ends at once when ctx does.
func pause(ctx context.Context, clock Clock, d time.Duration) error {
	if s, ok := clock.(sleeper); ok {
		return s.Sleep(ctx, d)
	}
	return systemClock{}.Sleep(ctx, d)
}
