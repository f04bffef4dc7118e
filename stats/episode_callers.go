package stats

import (
	"context"
	"math"
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

// caller is what is known of one that is followed.
type caller struct {
	id              uint64
	first, last     int64 // its first call's begin, and the latest end
	calls, overlaps int
	weight          float64    // of the last call: for how many callers it stands
	wrote           int64      // when it put or updated last
	gets, entered   uint       // how many there were
	asides          int        // how many there are
	items           [16]uint64 // of reads, to find them
	reads           [16]readCall
	runs            [3]run
	entries         [8]indexWrite
	aside           [6]asideEpisode
}

// readCall is a read of an item.
type readCall struct {
	op         *operationTraffic
	start, end int64
	read       float64
	returned   float64
	version    uint32
	put        bool // and then written
}

// indexWrite is a partition key of an index that an item was put under.
type indexWrite struct {
	op         *operationTraffic
	key        uint64
	start, end int64
	write      float64
}

// asideEpisode is episodes that count when it is clear what their caller is.
type asideEpisode struct {
	key   episodeKey
	sum   episodeSum
	items [4]uint64 // some of those that it was done to
}

// note remembers an item, unless there is no room.
func (a *asideEpisode) note(item uint64) bool {
	for i := range a.items {
		switch a.items[i] {
		case item:
			return true
		case 0:
			a.items[i] = item
			return true
		}
	}
	return false
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

// begin makes a caller new.
func (w *caller) begin(id uint64) {
	for i := range w.runs {
		w.runs[i].n = 0
	}
	w.id, w.calls, w.overlaps, w.gets, w.entered, w.asides, w.first, w.last, w.wrote = id, 0, 0, 0, 0, 0, 0, math.MinInt64/2, math.MinInt64/2
}

// old reports whether a caller lives longer than a request does.
func (w *caller) old(at int64) bool { return w.id == backgroundCaller || at-w.first > longLived }

// suspect reports whether so many calls of a caller overlap that it is either a request which does several things at once, or
// the context of many.
func (w *caller) suspect() bool { return w.overlaps >= 4 && w.overlaps*50 >= w.calls }

// see looks at a call of the caller.
func (w *caller) see(x *episodes, h uint64, e *Event, op *operationTraffic, end int64, weight float64) {
	after, gap := afterwards, between
	if w.old(end) {
		after, gap = afterwardsLong, betweenLong
	}
	written := e.Start - after
	if w.calls <= fewCalls && w.id != backgroundCaller {
		written = e.Start - thinking
	}
	kind := op.call
	joins := kind == getCall
	if kind == putCall || kind == deleteCall {
		asks := e.asks() // a batch of statements has INSERT with its condition, one of puts none
		joins = e.Outcome == Done && (asks&(Conditional|Returned) == 0 || asks&(Inserted|Returned) == Inserted)
	}
	again := -1
	if kind == getCall && e.Item.Hash != 0 {
		again = w.lastRead(e.Item.Hash, e.Start-after)
	}
	if again >= 0 {
		r := &w.reads[again]
		if !r.put && x.version(e.Item.Hash) == r.version {
			w.found(x, h, weight, episodeKey{kind: readAgain, op: op, first: r.op}, episodeSum{1, 1, 2, r.read + e.Read, 0, r.returned + float64(e.Items), float64(end - r.start), 0}, e.Item.Hash, e.Item.Text)
		}
	}
	switch {
	case kind == putCall || kind == updateCall:
		w.writes(x, h, e, op, &Part{Item: e.Item, Write: e.Write}, end, weight, written)
	case kind == groupCall:
		for i := range e.Parts {
			if p := &e.Parts[i]; p.Action == "Put" {
				w.writes(x, h, e, op, p, end, weight, written)
			}
		}
	}
	if kind == queryCall && e.Index != "" && e.Partition.Hash != 0 {
		if n := w.ownEntry(e); n != nil {
			w.found(x, h, weight, episodeKey{kind: indexReadOwn, op: op, first: n.op}, episodeSum{1, 1, 2, e.Read, n.write, float64(e.Items), float64(end - n.start), 0}, e.Partition.Hash, e.Partition.Text)
		}
	}
	w.run(x, h, e, op, joins && e.Item.Hash != 0, again >= 0, end, weight, gap)
	switch {
	case kind == getCall:
		w.read(x, e, op, &Part{Item: e.Item, Read: e.Read}, float64(e.Items), end)
	case kind == groupCall && e.Outcome == Done:
		for i := range e.Parts[:min(len(e.Parts), len(w.reads))] { // more could not be remembered
			if p := &e.Parts[i]; p.Action == "Get" {
				w.read(x, e, op, p, float64(e.Items)/float64(len(e.Parts)), end)
			}
		}
	}
	if e.Outcome == Done {
		for _, key := range e.Entries {
			w.entry(indexWrite{op, key, e.Start, end, e.Write})
		}
		if op.call == groupCall {
			for i := range e.Parts {
				if p := &e.Parts[i]; p.Index != "" {
					w.entry(indexWrite{op, p.Partition.Hash, e.Start, end, p.Write})
				}
			}
		}
	}
}

// ownEntry is the caller's latest write to the partition key of an index that is read now, nil if there was none lately. One read makes one
// episode, and so does one write. What a long-lived caller wrote before its last write is no longer what it reads.
func (w *caller) ownEntry(e *Event) (own *indexWrite) {
	known := w.entries[:min(w.entered, uint(len(w.entries)))]
	if len(known) == 0 {
		return nil
	}
	latest := w.entries[(w.entered-1)%uint(len(w.entries))].start
	for i := range known {
		n := &known[i]
		if n.key != e.Partition.Hash {
			continue
		}
		n.key = 0
		if e.Start-n.end < recently && (n.start == latest || !w.old(e.Start)) && (own == nil || n.start > own.start) {
			own = n
		}
	}
	return own
}

func (w *caller) entry(n indexWrite) {
	w.entries[w.entered%uint(len(w.entries))] = n
	w.entered++
}

// read remembers that an item was read, alone or with others.
func (w *caller) read(x *episodes, e *Event, op *operationTraffic, p *Part, returned float64, end int64) {
	if p.Item.Hash == 0 {
		return
	}
	i := w.gets % uint(len(w.reads))
	w.gets++
	w.items[i] = p.Item.Hash
	w.reads[i] = readCall{op, e.Start, end, p.Read, returned, x.version(p.Item.Hash), false}
}

// lastRead is the latest get of an item alone since a time; -1 if there was none.
func (w *caller) lastRead(item uint64, since int64) int {
	found := -1
	for i, known := range w.items[:min(w.gets, uint(len(w.items)))] {
		if known == item && w.reads[i].op.call == getCall && w.reads[i].end >= since && (found < 0 || w.reads[i].end >= w.reads[found].end) {
			found = i
		}
	}
	return found
}

// writes looks at a put or update of an item, alone or with others, after a read of it.
func (w *caller) writes(x *episodes, h uint64, e *Event, op *operationTraffic, p *Part, end int64, weight float64, since int64) {
	item := p.Item.Hash
	if item == 0 {
		return
	}
	first := -1 // of two gets that were not followed by a put yet the first one is this put's
	for i, known := range w.items[:min(w.gets, uint(len(w.items)))] {
		if r := &w.reads[i]; known == item && !r.put && r.end >= since && (first < 0 || r.end < w.reads[first].end) {
			first = i
		}
	}
	if first < 0 {
		return
	}
	r := &w.reads[first]
	r.put = true
	sum := episodeSum{1, 1, 2, r.read, p.Write, r.returned, float64(end - r.start), 0}
	kind := readPut
	switch {
	case op.call == updateCall:
		kind = readUpdate
	case e.asks()&Conditional != 0:
		kind = readPutChecked
	}
	w.found(x, h, weight, episodeKey{kind, op, r.op, p.Table}, sum, item, p.Item.Text)
	if e.Outcome != Done || kind == readUpdate && e.asks()&Conditional != 0 {
		return
	}
	several := w.overlaps > 0 && e.Start-r.start <= undone
	if n := x.interfered(item, e.Caller, r.end, r.version, several); n > 0 {
		w.found(x, h, weight*n, episodeKey{lostUpdate, op, r.op, p.Table}, sum, item, p.Item.Text)
	}
}

// example keeps the first item of an episode to show.
func (x *episodes) example(h uint64, key episodeKey, text []byte) {
	t := &x.counts[stripeOf(h)%uint64(len(x.counts))]
	t.mu.Lock()
	t.of(key, text)
	t.mu.Unlock()
}

// found keeps an episode aside, or counts it where it is clear by now that its caller is one.
func (w *caller) found(x *episodes, h uint64, weight float64, key episodeKey, sum episodeSum, item uint64, text []byte) {
	sum = sum.weighted(weight)
	for i := range w.aside[:w.asides] {
		if a := &w.aside[i]; a.key == key {
			if !a.note(item) && w.old(w.last) {
				break
			}
			a.sum.add(&sum)
			return
		}
	}
	if len(text) > 0 {
		x.example(h, key, text)
	}
	if w.asides == len(w.aside) || w.old(w.last) {
		w.settle(x, h)
	}
	w.aside[w.asides] = asideEpisode{key, sum, [4]uint64{item}}
	w.asides++
}

// credible reports whether what is kept aside counts as things stand.
func (w *caller) credible() bool { return !w.suspect() || !w.old(w.last) }

// settle counts what was kept aside, or forgets it.
func (w *caller) settle(x *episodes, h uint64) {
	if w.credible() {
		for i := range w.aside[:w.asides] {
			a := &w.aside[i]
			x.count(stripeOf(h), a.key, a.sum, h, a.items[:], nil)
		}
	}
	w.asides = 0
}

// leave counts what a caller did that will do no more.
func (w *caller) leave(x *episodes, h uint64) {
	if w.calls == 0 {
		return
	}
	for i := range w.runs {
		w.end(x, h, &w.runs[i], w.weight)
	}
	w.settle(x, h)
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
