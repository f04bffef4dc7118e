package stats

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// callersKept is how many callers a stripe follows at a time.
const callersKept = 16

// What callers are taken for. A context that calls were given belongs to one request, or to one goroutine that goes on and on,
// or it is the whole program's: then calls overlap as long as it lives, and what follows each other has nothing to do with each
// other. Since a request may do several things at once too, what a caller did is kept aside until it is clear which it is.
const (
	// longLived is how old a context becomes that is no request's, manyCalls how many calls a request does not make.
	longLived = int64(10 * time.Second)
	manyCalls = 2000
	// idle is how long after its last call a context's address may be another one's.
	idle = int64(5 * time.Minute)
	// afterwards is for how long a get has to do with a put or get of the same item, of a request and of longer lived ones.
	afterwards, afterwardsLong = int64(30 * time.Second), int64(time.Second)
	// thinking is for how long a get has to do with a put of a caller who makes no more than fewCalls: somebody may look at the item first.
	thinking, fewCalls = int64(5 * time.Minute), 8
	// windowed is after how many calls a caller is followed only an eighth of the time, in windows of 134 ms.
	windowed, windowBits, windows = 4096, 27, 8
)

// backgroundCaller is the number of context.Background and TODO as a caller.
const backgroundCaller = 1

type callerStripe struct {
	mu      sync.Mutex
	windows atomic.Uint32 // bits of those that are followed for a part of the time only; changed only where locked, as ids
	ids     [callersKept]atomic.Uint64
	hashes  [callersKept]uint64
	last    [callersKept]int64
	who     *[callersKept]caller
	// contexts are those of calls that were seen as they happened: as long as a caller is followed nobody else's context can
	// come to its address.
	contexts [callersKept]context.Context
}

// many reports whether a caller is the context of many.
func (x *episodes) many(id, hash uint64) bool { return x.shared[hash>>20&63].Load() == id }

// call looks at a call as one of its caller's.
func (x *episodes) call(s *scratch, e *Event, op *operationTraffic, end int64) {
	h := spread(e.Caller)
	weight := x.callerShare.weight(h)
	if weight == 0 {
		return
	}
	inWindow := (uint64(e.Start)>>windowBits^h>>8)%windows == 0
	if x.many(e.Caller, h) {
		if e.Item.Hash == 0 || !inWindow || e.Outcome != Done {
			return
		}
		switch op.call {
		case getCall:
			x.manyRead(e, end)
		case putCall:
			if s.readMore(false); e.asks()&Conditional == 0 {
				x.manyPut(e, op, end, weight*windows)
			}
		}
		return
	}
	t := &x.callers[stripeOf(h)]
	i := t.find(e.Caller)
	if i >= 0 && t.windowed(i) {
		if !inWindow {
			return
		}
		weight *= windows
	}
	switch op.call {
	case putCall, updateCall, deleteCall:
		s.readMore(false)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < 0 || t.ids[i].Load() != e.Caller { // or is it there by now
		i = t.find(e.Caller)
	}
	if i < 0 {
		i = t.add(x, e.Caller, h, end)
		t.contexts[i] = s.ctx
	}
	who := &t.who[i]
	if e.Start-who.last > idle {
		who.leave(x, h)
		who.begin(e.Caller)
		t.window(i, false)
	}
	if who.calls == 0 {
		who.first = e.Start
	}
	overlaps := who.calls > 0 && e.Start < who.last
	who.calls++
	who.weight = weight
	if overlaps {
		who.overlaps++
		if who.suspect() && (e.Caller == backgroundCaller || who.old(end) || who.calls > manyCalls) {
			x.shared[h>>20&63].Store(e.Caller)
			t.ids[i].Store(0)
			t.hashes[i], t.contexts[i] = 0, nil
			return
		}
	}
	if who.calls == windowed {
		t.window(i, true)
	}
	who.see(x, h, e, op, end, weight)
	switch {
	case op.call == putCall || op.call == updateCall:
		who.wrote = max(who.wrote, end)
	case op.call == queryCall && e.Index != "" && e.Start-who.wrote < recently:
		s.placeOf(s.c, e.Table, "").followed.Store(true)
	}
	who.last = max(who.last, end)
	t.last[i] = who.last
}

func (t *callerStripe) find(id uint64) int {
	for i := range t.ids {
		if t.ids[i].Load() == id {
			return i
		}
	}
	return -1
}

func (t *callerStripe) windowed(i int) bool { return t.windows.Load()>>i&1 != 0 }

func (t *callerStripe) window(i int, on bool) {
	bits := t.windows.Load() &^ (1 << i)
	if on {
		bits |= 1 << i
	}
	t.windows.Store(bits)
}

// add begins to follow a caller. The stripe is locked.
func (t *callerStripe) add(x *episodes, id, hash uint64, at int64) int {
	if t.who == nil {
		t.who = new([callersKept]caller)
	}
	i := x.callerShare.oldest(t.hashes[:], t.last[:])
	if t.hashes[i] != 0 {
		t.who[i].leave(x, t.hashes[i])
		if x.callerShare.weight(t.hashes[i]) > 0 {
			x.callerShare.forgot(t.last[i], at)
		}
	}
	x.callerShare.add(at)
	t.who[i].begin(id)
	t.ids[i].Store(id)
	t.contexts[i] = nil
	t.window(i, false)
	t.hashes[i], t.last[i] = hash, at
	return i
}

// collect adds what callers did that is not counted yet. With reset it is as if they ended.
func (t *callerStripe) collect(x *episodes, reset bool, add func(key episodeKey, sum episodeSum, caller uint64, items []uint64)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.who == nil {
		return
	}
	for i := range t.who {
		w := &t.who[i]
		if t.hashes[i] == 0 || !w.credible() {
			continue
		}
		for j := range w.runs {
			if sum, key := w.ended(&w.runs[j]); sum.count > 0 {
				add(key, sum.weighted(w.weight), t.hashes[i], w.runs[j].items[:1])
			}
		}
		for j := range w.aside[:w.asides] {
			add(w.aside[j].key, w.aside[j].sum, t.hashes[i], w.aside[j].items[:])
		}
	}
	if reset {
		for i := range t.who {
			w := &t.who[i]
			w.asides = 0
			for j := range w.runs {
				w.runs[j].n = 0
			}
		}
	}
}
