package streams

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Watch tells how far a consumer is, at any time and from any goroutine. The zero Watch, given as Options.Watch, is ready.
type Watch struct {
	mu     sync.Mutex
	now    func() time.Time
	shards map[string]*ShardState
}

// ShardState is how far a shard is handled, as this process knows: of the shards that it has leases on, and of those that
// it had.
type ShardState struct {
	Shard    string
	Held     bool          // this process has the lease
	Done     bool          // the shard has ended, and all of it is handled
	Behind   time.Duration // age of the last change handled, if there may be more; 0: all that was there is handled
	Pending  int           // changes that were read and are not handled yet
	Handled  int64         // changes, those of kinds without a handler too
	Retried  int64         // calls of handlers that failed
	Poison   int64         // changes that were given to Options.Poison
	After    string        // sequence number of the last change handled; "": none was
	At       time.Time     // when that was made
	Failing  error         // what the handler of the change that is tried again said last; nil: none is
	caughtUp bool
}

// Shards are the states of all shards, by their ids.
func (w *Watch) Shards() []ShardState {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]ShardState, 0, len(w.shards))
	for _, s := range w.shards {
		c := *s
		c.Behind = 0
		if c.Held && !c.caughtUp && !c.Done && !c.At.IsZero() {
			c.Behind = max(w.now().Sub(c.At), 0)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b ShardState) int { return cmp.Compare(a.Shard, b.Shard) })
	return all
}

// Behind is the largest Behind of the shards that this process has: how old what is handled next may be.
func (w *Watch) Behind() (most time.Duration) {
	for _, s := range w.Shards() {
		most = max(most, s.Behind)
	}
	return most
}

// start gives the clock of the consumer.
func (w *Watch) start(now func() time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
	if w.shards == nil {
		w.shards = map[string]*ShardState{}
	}
}

// change changes the state of a shard.
func (w *Watch) change(shard string, f func(s *ShardState)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.shards[shard]
	if s == nil {
		s = &ShardState{Shard: shard}
		w.shards[shard] = s
	}
	f(s)
}
