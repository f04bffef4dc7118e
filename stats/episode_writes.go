package stats

import (
	"sync"
	"time"
)

// writesKept is how many items and partition keys a stripe knows the last writes of.
const writesKept = 32

// recently is how long a write makes a difference: a global index, or a replica that an eventually consistent read asks,
// usually has it within a second (docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html).
const recently = int64(time.Second)

// undone is how long after two reads of an item two puts may follow, of callers that cannot be told apart, so that the second
// one most likely undid the first.
const undone = int64(250 * time.Millisecond)

type writeStripe struct {
	mu     sync.Mutex
	hashes [writesKept]uint64
	last   [writesKept]int64
	known  *[writesKept]written
	_      [40]byte
}

// written is an item or partition key that was written, or an item that was read by a caller that is many.
type written struct {
	last [3]write // the newest first
	// Of callers that cannot be told apart: how many reads there were since the last write, and the second last one's time.
	reads        int
	read1, read2 int64
	blind        blindPut
}

type write struct {
	caller     uint64
	start, end int64
	version    uint32
}

// blindPut is an unconditional put by a caller that is many, as the last write.
type blindPut struct {
	is    bool
	start int64
	reads int   // before it
	since int64 // the second last of these
}

// find is an item's place, made if it is not there and that is wanted; -1 if not. The stripe is locked.
func (t *writeStripe) find(x *episodes, hash uint64, at int64, add bool) int {
	for i, h := range t.hashes {
		if h == hash {
			return i
		}
	}
	if !add {
		return -1
	}
	oldest := x.writeShare.oldest(t.hashes[:], t.last[:])
	if t.known == nil {
		t.known = new([writesKept]written)
	}
	if h := t.hashes[oldest]; h != 0 && x.writeShare.weight(h) > 0 {
		x.writeShare.forgot(t.last[oldest], at)
	}
	x.writeShare.add(at)
	t.hashes[oldest], t.last[oldest], t.known[oldest] = hash, at, written{}
	return oldest
}

// spread makes the bits that choose a stripe others than those that decide who is followed.
func spread(hash uint64) uint64 { return fold(hash^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93) }

func stripeOf(hash uint64) uint64 { return hash >> 58 }

// version counts the writes of an item.
func (x *episodes) version(item uint64) uint32 { return x.versions[item>>52].Load() }

// wrote notes a write.
func (x *episodes) wrote(caller, partition, item uint64, start, end int64) {
	if item == 0 {
		return
	}
	version := x.versions[item>>52].Add(1)
	for i, hash := range [...]uint64{item, partition} {
		h := spread(hash)
		if hash == 0 || i == 1 && partition == item || x.writeShare.weight(h) == 0 {
			continue
		}
		t := &x.writes[stripeOf(h)]
		t.mu.Lock()
		at := t.find(x, h, end, true)
		t.last[at] = max(t.last[at], end)
		w := &t.known[at]
		w.last[2], w.last[1], w.last[0] = w.last[1], w.last[0], write{caller, start, end, version}
		w.reads = 0
		if i == 0 && w.blind.is && w.blind.start != start { // somebody else's, or no put
			w.blind = blindPut{}
		}
		t.mu.Unlock()
	}
}

// interfered reports whether an item was written between a read, which ended and saw a version then, and now, by others; mine
// says that the caller itself is several, so that its own writes are others'. It stands for so many, 0 if it is not known.
func (x *episodes) interfered(item, caller uint64, end int64, version uint32, mine bool) float64 {
	h := spread(item)
	weight := x.writeShare.weight(h)
	if weight == 0 || x.version(item) == version {
		return 0
	}
	t := &x.writes[stripeOf(h)]
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.find(x, h, 0, false)
	if at < 0 {
		return 0
	}
	for _, w := range t.known[at].last {
		if w.version != 0 && int32(w.version-version) > 0 && w.start >= end && (mine || w.caller != caller) {
			return weight
		}
	}
	return 0
}

// consistent counts a strongly consistent read by whether what it read was written just before.
func (x *episodes) consistent(e *Event, op *operationTraffic) {
	hash := e.Item.Hash
	if op.call == queryCall {
		hash = e.Partition.Hash
	} else if op.call != getCall {
		return
	}
	h := spread(hash)
	weight := x.writeShare.weight(h)
	if hash == 0 || weight == 0 {
		return
	}
	t := &x.writes[stripeOf(h)]
	t.mu.Lock()
	fresh := false
	if at := t.find(x, h, 0, false); at >= 0 && t.known[at].last[0].version != 0 {
		fresh = e.Start-t.known[at].last[0].end < recently
	}
	t.mu.Unlock()
	kind := consistentStill
	if fresh {
		kind = consistentFresh
	}
	text := e.Item.Text
	if len(text) == 0 {
		text = e.Partition.Text
	}
	sum := episodeSum{1, 1, 1, e.Read, 0, float64(e.Items), float64(e.Took), 0}
	x.count(stripeOf(h), alone(kind, op), sum.weighted(weight*e.Detail.Weight), e.Caller, []uint64{hash}, text)
}

// manyRead and manyPut note what a caller did to an item that is the context of many. Of those one can tell only that of two
// puts after two reads the second undid the first.
func (x *episodes) manyRead(e *Event, end int64) {
	h := spread(e.Item.Hash)
	if x.writeShare.weight(h) == 0 {
		return
	}
	t := &x.writes[stripeOf(h)]
	if !t.mu.TryLock() { // many read it at once
		return
	}
	at := t.find(x, h, end, true)
	w := &t.known[at]
	w.reads++
	w.read1, w.read2 = e.Start, w.read1
	w.blind = blindPut{}
	t.last[at] = max(t.last[at], end)
	t.mu.Unlock()
}

func (x *episodes) manyPut(e *Event, op *operationTraffic, end int64, weight float64) {
	h := spread(e.Item.Hash)
	share := x.writeShare.weight(h)
	if share == 0 {
		return
	}
	t := &x.writes[stripeOf(h)]
	t.mu.Lock()
	at := t.find(x, h, 0, false)
	if at < 0 {
		t.mu.Unlock()
		return
	}
	w := &t.known[at]
	before := w.blind
	lost := before.is && before.reads >= 2 && w.reads == 0 && e.Start-before.since <= undone
	w.blind = blindPut{true, e.Start, w.reads, w.read2}
	if lost { // a third read may have gone before
		w.blind.reads, w.blind.since = before.reads-1, before.since
	}
	t.mu.Unlock()
	if lost {
		sum := episodeSum{1, 1, 2, 0, e.Write, 0, float64(end - before.since), 0}
		x.count(stripeOf(h), alone(lostUpdate, op), sum.weighted(weight*share), uint64(e.Start), []uint64{e.Item.Hash}, e.Item.Text)
	}
}
