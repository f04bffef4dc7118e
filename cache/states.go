package cache

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright"
)

// states know what is under way: reads whose answers may be kept, and writes that forbid it.
type states struct {
	settle time.Duration
	clock  tablewright.Clock
	seed   maphash.Seed
	epoch  atomic.Int64 // moves when a table, or everything, is forgotten
	quiet  atomic.Int64 // nanoseconds since 1970: until then nothing at all is kept
	shards [64]shard
	tables sync.Map // name at the service → *tableState, of those of which all was forgotten at once
}

// tableState is what state is, for all of a table: of writes whose partition keys cannot be told. It is never removed.
type tableState struct {
	mu     sync.Mutex
	writes int
	quiet  time.Time
	epoch  int
}

type shard struct {
	mu    sync.Mutex
	of    map[place]*state
	sweep int // size at which states that say nothing any more are looked for
}

// state of a partition key. It is kept while something is under way, or a write is younger than settle.
type state struct {
	writes int                // under way
	quiet  time.Time          // until then nothing is kept
	epoch  int                // moves with every write
	reads  map[string]*flight // that may be joined
	under  int                // reads under way, with those that may not: while there are some, epoch is remembered
}

// flight is a read under way.
type flight struct {
	epoch  int // of the partition key, of the table and of everything when it began
	table  int
	all    int64
	done   chan struct{}
	answer *answer // set before done is closed; nil if it failed
}

type role int

const (
	pass role = iota // past the cache
	join             // wait for an equal read
	lead             // ask, and keep the answer
)

func newStates(settle time.Duration, clock tablewright.Clock) *states {
	s := &states{settle: settle, clock: clock, seed: maphash.MakeSeed()}
	for i := range s.shards {
		s.shards[i].of, s.shards[i].sweep = map[place]*state{}, 64
	}
	return s
}

// at locks what is known of a place and hands it to f.
func (s *states) at(p place, f func(*state)) {
	h := &s.shards[maphash.Comparable(s.seed, p)%uint64(len(s.shards))]
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.of[p]
	if st == nil {
		st = &state{}
		h.of[p] = st
	}
	f(st)
	if st.over(time.Time{}) { // never written, nothing under way
		delete(h.of, p)
	}
	if len(h.of) < h.sweep {
		return
	}
	now := s.clock.Now()
	for p, st := range h.of {
		if st.over(now) {
			delete(h.of, p)
		}
	}
	h.sweep = max(64, 2*len(h.of))
}

// over reports whether the state says nothing any more.
func (st *state) over(now time.Time) bool {
	return st.writes == 0 && st.under == 0 && !now.Before(st.quiet)
}

// begin says what a read has to do. A flight that leads has to be ended.
func (s *states) begin(p place, request string) (f *flight, r role) {
	now := s.clock.Now()
	table, settled := s.ofTable(p.table, now)
	if !settled || now.UnixNano() < s.quiet.Load() {
		return nil, pass
	}
	all := s.epoch.Load()
	s.at(p, func(st *state) {
		if st.writes > 0 || now.Before(st.quiet) {
			return
		}
		if f = st.reads[request]; f != nil && f.table == table && f.all == all {
			r = join
			return
		}
		f, r = &flight{epoch: st.epoch, table: table, all: all, done: make(chan struct{})}, lead
		if st.reads == nil {
			st.reads = map[string]*flight{}
		}
		st.reads[request] = f
		st.under++
	})
	return f, r
}

// ofTable is the epoch of a table, and whether nothing is being written, or was just now, to an unknown place of it.
func (s *states) ofTable(name string, now time.Time) (epoch int, settled bool) {
	v, ok := s.tables.Load(name)
	if !ok {
		return 0, true
	}
	t := v.(*tableState)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.epoch, t.writes == 0 && !now.Before(t.quiet)
}

// end lets those go on who wait for a read.
func (s *states) end(p place, request string, f *flight) {
	s.at(p, func(st *state) {
		if st.reads[request] == f {
			delete(st.reads, request)
		}
		st.under--
	})
	close(f.done)
}

// still reports whether nothing was written since a read began.
func (s *states) still(p place, f *flight) (still bool) {
	table, settled := s.ofTable(p.table, s.clock.Now())
	if !settled || table != f.table || s.epoch.Load() != f.all {
		return false
	}
	s.at(p, func(st *state) { still = st.writes == 0 && st.epoch == f.epoch })
	return still
}

// written marks writes of places, when they begin (+1), and when they end (-1), whatever became of them. A place without a
// partition is all of a table.
func (s *states) written(places []place, begin int) {
	for _, p := range places {
		if p.partition == "" {
			v, _ := s.tables.LoadOrStore(p.table, &tableState{})
			t := v.(*tableState)
			t.mu.Lock()
			t.writes += begin
			t.epoch++
			t.quiet = s.clock.Now().Add(s.settle)
			t.mu.Unlock()
			continue
		}
		s.at(p, func(st *state) {
			st.writes += begin
			st.epoch++
			st.quiet = s.clock.Now().Add(s.settle)
			clear(st.reads) // whoever reads from now on does not join one from before
		})
	}
}

// all marks that anything may have been written.
func (s *states) all() {
	s.quiet.Store(s.clock.Now().Add(s.settle).UnixNano())
	s.epoch.Add(1)
}
