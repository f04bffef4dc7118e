package engine

import (
	"context"
	"sync"
)

// tasks is what an engine does beside answering requests: sweeps and the filling of indexes.
type tasks struct {
	ctx context.Context // ends when the engine is closed: a task returns after its next step
	end context.CancelFunc

	mu      sync.Mutex // orders start and stop: nothing starts after stop waits
	running sync.WaitGroup
	fills   sync.WaitGroup // those of running that fill an index
}

// start runs f beside the caller, unless the engine is being closed; it reports which.
func (l *tasks) start(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return false
	}
	l.running.Go(f)
	return true
}

// startFill is start for what fills an index.
func (l *tasks) startFill(f func()) {
	l.fills.Add(1)
	if !l.start(func() { defer l.fills.Done(); f() }) {
		l.fills.Done()
	}
}

// stop ends what runs and waits for it.
func (l *tasks) stop() {
	l.mu.Lock()
	l.end()
	l.mu.Unlock()
	l.running.Wait()
}
