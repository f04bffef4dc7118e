package prove

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/tablewright/tablewright"
)

// turns lets several calls run at once and decides, by seeded chance, whose next request is sent: between two requests of
// one call any number of others' may come. One call runs at a time, so that the same seed gives the same course, and
// courses that a scheduler of threads would hardly ever show come up as well.
type turns struct {
	ctx context.Context
	rnd *rand.Rand

	mu      sync.Mutex
	quiet   *sync.Cond // signalled when a call waits or ends
	callers []*turn
}

// turn is one call.
type turn struct {
	of       *turns
	waiting  []chan struct{} // requests that wait to be sent
	inFlight int
	wrote    int // requests of its last turn that have changed something
	started  bool
	ended    bool
	told     bool
}

type turnKey struct{}

func newTurns(ctx context.Context, rnd *rand.Rand, n int) *turns {
	t := &turns{ctx: ctx, rnd: rnd}
	t.quiet = sync.NewCond(&t.mu)
	for range n {
		t.callers = append(t.callers, &turn{of: t})
	}
	return t
}

// context is the context of a call.
func (t *turns) context(i int) context.Context {
	return context.WithValue(t.ctx, turnKey{}, t.callers[i])
}

// run makes all calls; turned is told of each turn of one, with how many of its requests have changed something, and ended of each call
// as soon as it has come to its end, and before any other goes on.
func (t *turns) run(call func(i int), turned func(i, wrote int), ended func(i int)) {
	for {
		var open []int
		for i, c := range t.callers {
			if !c.ended {
				open = append(open, i)
			}
		}
		if len(open) == 0 {
			return
		}
		i := open[t.rnd.IntN(len(open))]
		c := t.callers[i]
		t.mu.Lock()
		if !c.started {
			c.started = true
			go func() {
				call(i)
				t.mu.Lock()
				c.ended = true
				t.quiet.Broadcast()
				t.mu.Unlock()
			}()
		}
		for _, w := range c.waiting {
			c.inFlight++
			close(w)
		}
		c.waiting, c.wrote = nil, 0
		for !c.ended && (c.inFlight > 0 || len(c.waiting) == 0) {
			t.quiet.Wait()
		}
		done := c.ended && !c.told
		c.told = c.ended
		wrote := c.wrote
		t.mu.Unlock()
		turned(i, wrote)
		if done {
			ended(i)
		}
	}
}

// takeTurns is a hook that lets requests of calls in turns wait for theirs.
func takeTurns(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, call *tablewright.Call) error {
		c, ok := ctx.Value(turnKey{}).(*turn)
		if !ok {
			return next.Do(ctx, call)
		}
		t := c.of
		t.mu.Lock()
		mine := make(chan struct{})
		c.waiting = append(c.waiting, mine)
		t.quiet.Broadcast()
		t.mu.Unlock()
		<-mine
		err := next.Do(ctx, call)
		t.mu.Lock()
		if c.inFlight--; err == nil && changing(call.Operation) {
			c.wrote++
		}
		t.quiet.Broadcast()
		t.mu.Unlock()
		return err
	})
}

// changing reports whether an operation changes something.
func changing(operation string) bool {
	switch operation {
	case "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem":
		return true
	}
	return false
}
