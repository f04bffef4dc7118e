package stats

import "math"

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
	again := op.call == getCall && w.readsAgain(x, h, e, op, end, weight, e.Start-after)
	if w.calls <= fewCalls && w.id != backgroundCaller {
		after = thinking
	}
	w.puts(x, h, e, op, end, weight, e.Start-after)
	if op.call == queryCall && e.Index != "" && e.Partition.Hash != 0 {
		if n := w.ownEntry(e); n != nil {
			w.found(x, h, weight, episodeKey{kind: indexReadOwn, op: op, first: n.op}, episodeSum{1, 1, 2, e.Read, n.write, float64(e.Items), float64(end - n.start), 0}, e.Partition.Hash, e.Partition.Text)
		}
	}
	w.run(x, h, e, op, e.Item.Hash != 0 && joins(e, op), again, end, weight, gap)
	w.remember(x, e, op, end)
}

// joins reports whether a call could be one of a batch.
func joins(e *Event, op *operationTraffic) bool {
	switch op.call {
	case getCall:
		return true
	case putCall, deleteCall:
		asks := e.asks() // a batch of statements has INSERT with its condition, one of puts none
		return e.Outcome == Done && (asks&(Conditional|Returned) == 0 || asks&(Inserted|Returned) == Inserted)
	}
	return false
}

// readsAgain looks at a get of an item that may have been got before, since a time, and reports whether it was.
func (w *caller) readsAgain(x *episodes, h uint64, e *Event, op *operationTraffic, end int64, weight float64, since int64) bool {
	if e.Item.Hash == 0 {
		return false
	}
	before := w.lastRead(e.Item.Hash, since)
	if before < 0 {
		return false
	}
	if r := &w.reads[before]; !r.put && x.version(e.Item.Hash) == r.version {
		w.found(x, h, weight, episodeKey{kind: readAgain, op: op, first: r.op}, episodeSum{1, 1, 2, r.read + e.Read, 0, r.returned + float64(e.Items), float64(end - r.start), 0}, e.Item.Hash, e.Item.Text)
	}
	return true
}

// puts looks at what a call writes of items that were read since a time.
func (w *caller) puts(x *episodes, h uint64, e *Event, op *operationTraffic, end int64, weight float64, since int64) {
	switch op.call {
	case putCall, updateCall:
		w.writes(x, h, e, op, &Part{Item: e.Item, Write: e.Write}, end, weight, since)
	case groupCall:
		for i := range e.Parts {
			if p := &e.Parts[i]; p.Action == "Put" {
				w.writes(x, h, e, op, p, end, weight, since)
			}
		}
	}
}

// remember keeps what a call read, and where in indexes it put something.
func (w *caller) remember(x *episodes, e *Event, op *operationTraffic, end int64) {
	if op.call == getCall {
		w.read(x, e, op, &Part{Item: e.Item, Read: e.Read}, float64(e.Items), end)
	}
	if e.Outcome != Done {
		return
	}
	for _, key := range e.Entries {
		w.entry(indexWrite{op, key, e.Start, end, e.Write})
	}
	if op.call != groupCall {
		return
	}
	for i := range e.Parts {
		p := &e.Parts[i]
		if p.Action == "Get" && i < len(w.reads) { // more could not be remembered
			w.read(x, e, op, p, float64(e.Items)/float64(len(e.Parts)), end)
		}
		if p.Index != "" {
			w.entry(indexWrite{op, p.Partition.Hash, e.Start, end, p.Write})
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
