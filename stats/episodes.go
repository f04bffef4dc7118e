package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright"
)

// episodes finds what several calls did together. Of each caller that is followed it has the last calls (episode_callers.go), of
// each item and partition key that is followed the last writes (episode_writes.go), and pages whose cursor may still be taken
// (episode_pages.go). Who is followed is decided by hashes alone, so that the same calls, recorded again, make the same episodes.
// Each of these is cut in stripes with a lock of their own: goroutines meet only where they work for the same caller or write
// the same item.
type episodes struct {
	callers  [stripes]callerStripe
	writes   [stripes]writeStripe
	pages    [stripes]pageStripe
	counts   [stripes / 4]countStripe
	versions [1 << 12]atomic.Uint32 // by item: how many writes there were, of all items with this place
	shared   [64]atomic.Uint64      // by hash: callers that turned out to be contexts of many

	callerShare, writeShare, pageShare part
}

// stripes is a power of two.
const stripes = 64

// Kinds as they are counted.
const (
	singleGets uint8 = iota
	singlePuts
	readPut
	readPutChecked
	readUpdate
	lostUpdate
	readAgain
	unpaged
	unpagedLimit
	indexReadOwn
	consistentFresh
	consistentStill
)

var episodeKinds = [...]EpisodeKind{SingleGets, SinglePuts, ReadPut, ReadPutChecked, ReadUpdate, LostUpdate, ReadAgain, Unpaged, UnpagedLimit,
	IndexReadOwn, ConsistentFresh, ConsistentStill}

// callKind is what matters of a call's operation.
type callKind uint8

// The kinds of calls. Episodes are made of those from getCall on; all but otherCall consume units.
const (
	otherCall     callKind = iota
	statementCall          // that is not known for what it is
	getCall
	putCall
	deleteCall
	updateCall
	queryCall
	scanCall
	groupCall // a batch or transaction
)

func kindOf(operation string) callKind {
	switch operation {
	case "GetItem":
		return getCall
	case "PutItem":
		return putCall
	case "DeleteItem":
		return deleteCall
	case "UpdateItem":
		return updateCall
	case "Query":
		return queryCall
	case "Scan":
		return scanCall
	case "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems", "BatchExecuteStatement", "ExecuteTransaction":
		return groupCall
	case "ExecuteStatement":
		return statementCall
	}
	return otherCall
}

// part is which share of all hashes is followed: one of 2 to the power of level. It becomes smaller when something had to be
// forgotten before its time, and larger again when there is room.
type part struct {
	level   atomic.Uint32
	came    atomic.Int64 // since the window began
	window  atomic.Int64 // when it began
	raised  atomic.Int64
	room    int64 // how many there may be
	lingers int64 // for how long each is needed
}

const shareWindow = 10 * int64(time.Second)

// weight is for how many one that is followed stands; 0: this one is not followed.
func (s *part) weight(hash uint64) float64 {
	n := uint64(1) << s.level.Load()
	if hash&(n-1) != 0 {
		return 0
	}
	return float64(n)
}

// add tells that one more is followed.
func (s *part) add(at int64) {
	s.came.Add(1)
	begun := s.window.Load()
	if at-begun < shareWindow || !s.window.CompareAndSwap(begun, at) {
		return
	}
	level := s.level.Load()
	if came := s.came.Swap(0); level > 0 && came*s.lingers < s.room*(at-begun)/8 {
		s.level.CompareAndSwap(level, level-1)
	}
}

// oldest is which of these makes room for another: one that is free or followed no more, or else the one that was seen longest
// ago.
func (s *part) oldest(hashes []uint64, last []int64) int {
	n := uint64(1)<<s.level.Load() - 1
	oldest, at := 0, int64(math.MaxInt64)
	for i, hash := range hashes {
		if hash == 0 {
			return i
		}
		when := last[i]
		if hash&n != 0 {
			when = math.MinInt64
		}
		if when < at {
			oldest, at = i, when
		}
	}
	return oldest
}

// forgot tells that one had to go that was seen last at a time, for one that is seen now.
func (s *part) forgot(last, now int64) {
	level := s.level.Load()
	if now-last >= s.lingers || level >= 20 {
		return
	}
	// One step, then time to see what it did: those that are followed no more go first.
	if raised := s.raised.Load(); now-raised >= s.lingers/8 || now < raised {
		if s.raised.CompareAndSwap(raised, now) {
			s.level.CompareAndSwap(level, level+1)
		}
	}
}

// episodeKey tells episodes apart.
type episodeKey struct {
	kind      uint8
	op, first *operationTraffic // first is op where both are the same
	table     string            // of the item, where op is of several tables
}

// alone is the key of episodes of one operation.
func alone(kind uint8, op *operationTraffic) episodeKey {
	return episodeKey{kind: kind, op: op, first: op}
}

// episodeSum is what is counted of episodes of one kind.
type episodeSum struct{ count, seen, calls, read, write, returned, took, squares float64 }

func (s *episodeSum) add(o *episodeSum) {
	s.count += o.count
	s.seen += o.seen
	s.calls += o.calls
	s.read += o.read
	s.write += o.write
	s.returned += o.returned
	s.took += o.took
	s.squares += o.squares
}

// weighted is one episode that stands for so many.
func (s episodeSum) weighted(w float64) episodeSum {
	return episodeSum{s.count * w, s.seen, s.calls * w, s.read * w, s.write * w, s.returned * w, s.took * w, s.squares * w}
}

type countStripe struct {
	mu   sync.Mutex
	sums map[episodeKey]*countedEpisode
	_    [48]byte
}

type countedEpisode struct {
	episodeSum
	text           string
	callers, items FewDistinct
	pairs          FewDistinct // of a caller and an item
}

// episodesKept bounds the different episodes of each part of the counts. Operations are bounded, so that programs seldom come
// near.
const episodesKept = 512

// of finds the counts of a key, made with an example; nil beyond the bound.
func (t *countStripe) of(key episodeKey, text []byte) *countedEpisode {
	n := t.sums[key]
	if n == nil {
		if len(t.sums) >= episodesKept {
			return nil
		}
		if t.sums == nil {
			t.sums = map[episodeKey]*countedEpisode{}
		}
		n = new(countedEpisode)
		t.sums[key] = n
	}
	if n.text == "" && len(text) > 0 {
		n.text = string(text[:min(len(text), maxKeyText)])
	}
	return n
}

// count adds episodes of a caller to the counts of a stripe.
func (x *episodes) count(stripe uint64, key episodeKey, sum episodeSum, caller uint64, items []uint64, text []byte) {
	t := &x.counts[stripe%uint64(len(x.counts))]
	t.mu.Lock()
	if n := t.of(key, text); n != nil {
		n.more(sum, caller, items)
	}
	t.mu.Unlock()
}

func (n *countedEpisode) more(sum episodeSum, caller uint64, items []uint64) {
	n.add(&sum)
	n.callers.add(caller)
	for _, item := range items {
		n.items.add(item)
		if item != 0 {
			n.pairs.add(fold(caller, item^0xd6e8feb86659fd93) | 1)
		}
	}
}

func newEpisodes() *episodes {
	x := new(episodes)
	x.callerShare.room, x.callerShare.lingers = stripes*callersKept, int64(2*time.Second)
	x.writeShare.room, x.writeShare.lingers = stripes*writesKept, int64(1500*time.Millisecond)
	x.pageShare.room, x.pageShare.lingers = stripes*pagesKept, pageHorizon
	return x
}

// see looks at a call. Where it is seen as it happens, s knows it.
func (x *episodes) see(s *scratch, e *Event, op *operationTraffic) {
	if e.Weight != 1 || op.call < getCall || e.Start > math.MaxInt64/2 {
		return // of a sample of calls nobody can tell what was between them
	}
	switch {
	case e.Outcome == Done:
	case e.Outcome == Refused && (op.call == putCall || op.call == updateCall || op.call == deleteCall):
	default:
		return // nothing happened, or it will be tried again
	}
	end := e.Start + int64(min(max(e.Took, 0), time.Hour))
	if (op.call == queryCall || op.call == scanCall) && (e.More || e.Resumed) && e.Asks&GoesOn == 0 {
		x.page(s, e, op, end)
	}
	if e.Detail != nil && e.Detail.Asks&Consistent != 0 && e.Index == "" {
		x.consistent(e, op)
	}
	if e.Caller != 0 {
		x.call(s, e, op, end)
	}
	if e.Outcome != Done {
		return
	}
	switch op.call {
	case putCall, updateCall, deleteCall:
		x.wrote(e.Caller, e.Partition.Hash, e.Item.Hash, e.Start, end)
	case groupCall:
		for i := range e.Parts {
			switch p := &e.Parts[i]; p.Action {
			case "Put", "Update", "Delete":
				x.wrote(e.Caller, p.Partition.Hash, p.Item.Hash, e.Start, end)
			}
		}
	}
}

// readMore looks into the request of a call that is seen as it happens, when somebody needs it: it fills in the Asks and Entries of
// the event. The latter are filled in of a table only once they are needed there, or for a journal, which others may read.
func (s *scratch) readMore(journaled bool) {
	if s.call == nil || s.more {
		return
	}
	e := &s.event
	switch s.kind {
	case putCall, updateCall, deleteCall:
	case queryCall, scanCall:
		if !e.More || e.Asks&GoesOn != 0 {
			return
		}
	default:
		return
	}
	s.more = true
	asks := s.call.Asks
	indexes := s.kind == putCall || s.kind == updateCall
	if indexes && !journaled {
		indexes = s.placeOf(s.c, e.Table, "").followed.Load()
	}
	if asks&tablewright.AsksTold != 0 && !indexes && !s.parsed {
		if asks&tablewright.AsksCondition != 0 {
			e.Asks |= Conditional
		}
		if asks&tablewright.AsksAnswer != 0 {
			e.Asks |= Returned
		}
		return
	}
	if s.stated && !indexes {
		e.Asks |= s.request.asks | s.request.of.asks
		return
	}
	s.readRequest()
	e.Asks |= s.request.asks
	if !indexes {
		return
	}
	if keys := s.keysOf(e.Table); keys != nil {
		for i := range keys.indexes {
			x := &keys.indexes[i]
			if key, _ := s.c.entryKey(s, e.Table, x); key.Hash != 0 {
				e.Entries = append(e.Entries, key.Hash)
			}
		}
	}
}

// entryKey is the partition key of an index under which what is put or updated lies, as far as the request tells. moves says that an
// update sets it, so that the item may have lain under another.
func (c *Collector) entryKey(s *scratch, table string, x *indexKeys) (key KeyID, moves bool) {
	r := &s.request
	if r.item != nil {
		return c.key(s, s.placeOf(c, table, x.name).hash, r.fields, x.partition...), false
	}
	start := len(s.text)
	s.text = append(s.text, '{')
	for i, name := range x.partition {
		value := valueOf(r.known(), name)
		if value == nil {
			value, moves = r.assigned(name), true
		}
		if value == nil && r.of != nil {
			value = s.sets(r.of, name)
		}
		if value == nil {
			return KeyID{}, false
		}
		if i > 0 {
			s.text = append(s.text, ',')
		}
		s.text = append(appendName(s.text, name), value...)
	}
	s.text = append(s.text, '}')
	return c.keyID(s.placeOf(c, table, x.name).hash, s.text[start:len(s.text):len(s.text)]), moves
}

func (e *Event) asks() Asks {
	if e.Detail != nil {
		return e.Asks | e.Detail.Asks
	}
	return e.Asks
}

// snapshot lists the episodes until now. With reset they are forgotten, but not the calls that may become one yet.
func (x *episodes) snapshot(now int64, reset bool) []*Episode {
	sums := map[episodeKey]*countedEpisode{}
	of := func(key episodeKey) *countedEpisode {
		if sums[key] == nil {
			sums[key] = new(countedEpisode)
		}
		return sums[key]
	}
	add := func(key episodeKey, sum episodeSum, caller uint64, items []uint64) { of(key).more(sum, caller, items) }
	for i := range x.callers {
		x.callers[i].collect(x, reset, add)
	}
	for i := range x.pages {
		x.pages[i].collect(x, now, reset, add)
	}
	for i := range x.counts {
		t := &x.counts[i]
		t.mu.Lock()
		for key, n := range t.sums {
			to := of(key)
			to.add(&n.episodeSum)
			to.callers.merge(&n.callers)
			to.pairs.merge(&n.pairs)
			to.items.merge(&n.items)
			to.text = cmp.Or(to.text, n.text)
		}
		if reset {
			t.sums = nil
		}
		t.mu.Unlock()
	}
	found := map[episodeName]*Episode{}
	for key, n := range sums {
		if n.count <= 0 {
			continue
		}
		e := &Episode{Kind: episodeKinds[key.kind], Table: cmp.Or(key.table, key.op.key.table), Index: key.op.key.index, Operation: key.op.key.operation, As: key.op.key.as, Pattern: key.op.key.pattern,
			Count: n.count, Seen: max(n.seen, 0), Calls: max(n.calls, 0), Read: max(n.read, 0), Write: max(n.write, 0),
			Returned: max(n.returned, 0), Squares: max(n.squares, 0), Callers: n.callers.Count() * max(n.count/max(n.seen, 1), 1), Items: n.items.Count(), ItemSketch: n.items,
			Pairs: n.pairs.Count() * max(n.count/max(n.seen, 1), 1), Took: time.Duration(max(n.took, 0) / n.count), Key: n.text}
		if key.first != key.op {
			e.First, e.FirstAs, e.FirstPattern = key.first.key.operation, key.first.key.as, key.first.key.pattern
		}
		if at := e.key(); found[at] == nil {
			found[at] = e
		} else {
			found[at].merge(e)
		}
	}
	return sortedEpisodes(found)
}

func sortedEpisodes(found map[episodeName]*Episode) []*Episode {
	if len(found) == 0 {
		return nil
	}
	var out []*Episode
	for _, key := range slices.SortedFunc(maps.Keys(found), func(a, b episodeName) int { return slices.Compare(a[:], b[:]) }) {
		out = append(out, found[key])
	}
	return out
}

// key is what tells an Episode from others, in the order in which they are listed.
func (e *Episode) key() episodeName {
	return episodeName{e.Table, e.Index, string(e.Kind), e.Pattern, e.FirstPattern, e.Operation, e.First, e.As, e.FirstAs}
}

// sketched reports whether it is known which items are meant.
func (e *Episode) sketched() bool { return e.Items == 0 || e.ItemSketch != FewDistinct{} }

type episodeName [9]string

func (e *Episode) merge(o *Episode) {
	if count := e.Count + o.Count; count > 0 {
		e.Took = time.Duration((float64(e.Took)*e.Count + float64(o.Took)*o.Count) / count)
	}
	e.Count += o.Count
	e.Seen += o.Seen
	e.Calls += o.Calls
	e.Read += o.Read
	e.Write += o.Write
	e.Returned += o.Returned
	e.Squares += o.Squares
	e.Callers += o.Callers
	e.Pairs += o.Pairs
	if e.sketched() && o.sketched() { // the same items may be of both
		e.ItemSketch.merge(&o.ItemSketch)
		e.Items = e.ItemSketch.Count()
	} else {
		e.Items += o.Items
		e.ItemSketch = FewDistinct{}
	}
	e.Key = cmp.Or(e.Key, o.Key)
}
