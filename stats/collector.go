package stats

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/wire"
)

// Collector gathers statistics of the calls that pass its hook. It is safe for concurrent use, also by several DBs. Its memory
// is bounded whatever passes: see the package's documentation.
type Collector struct {
	o                   Options
	hash                hasher
	hashed              bool
	clock               clock
	rate                atomic.Uint64 // bits of a float64
	leastRate           atomic.Uint64 // the smallest so far that recorded anything
	highRead, highWrite float64

	tables     tables
	places     places
	operations operations
	statements statements
	sizes      sizes
	episodes   *episodes
	lineage    lineage
	trails     trails

	shards  []atomic.Pointer[shard]
	homes   atomic.Uint32
	scratch sync.Pool
	journal atomic.Pointer[Journal]

	mu       sync.Mutex // of Snapshot and Reset
	from     time.Time
	recorded recorded

	cached cachedSnapshot
}

// maxShards bounds the memory of machines with many processors: each shard has its own key sketches.
const maxShards = 8

// NewCollector makes a Collector. Its hook goes into tablewright.Options:
//
//	collector := stats.NewCollector(stats.Options{})
//	db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(collector)}})
func NewCollector(o Options) *Collector {
	o = o.settled()
	c := &Collector{o: o, hash: newHasher(o.hashKey(), len(o.HashKeys) > 0), hashed: len(o.HashKeys) > 0, clock: newClock(o.Clock)}
	c.episodes = newEpisodes()
	c.highRead, c.highWrite = float64(o.Thresholds.HighRead), float64(o.Thresholds.HighWrite)
	c.places.hours, c.operations.hours, c.operations.most = o.Hours, o.Hours, o.Operations
	c.from = c.clock.time()
	c.SetRate(o.Rate)
	n := 1
	for n < runtime.GOMAXPROCS(0) && n < maxShards {
		n *= 2
	}
	c.shards = make([]atomic.Pointer[shard], n)
	c.scratch.New = func() any {
		home := int(c.homes.Add(1)-1) % n
		return &scratch{c: c, home: c.shard(home), others: home + 1}
	}
	for _, t := range o.Tables {
		c.tables.add(t.Name(), keysOf(t))
	}
	return c
}

// Options are the Collector's, with what they left out.
func (c *Collector) Options() Options { return c.o }

// SetRate changes the share of calls that are recorded, from 0 to 1; see Options.Rate.
func (c *Collector) SetRate(rate float64) {
	if math.IsNaN(rate) {
		rate = 0
	}
	rate = min(max(rate, 0), 1)
	c.rate.Store(math.Float64bits(rate))
	for rate > 0 {
		least := c.leastRate.Load()
		if least != 0 && math.Float64frombits(least) <= rate || c.leastRate.CompareAndSwap(least, math.Float64bits(rate)) {
			break
		}
	}
}

// least is the smallest rate at which calls were recorded; 0 if none were.
func (c *Collector) least() float64 { return math.Float64frombits(c.leastRate.Load()) }

// Rate is the share of calls that are recorded.
func (c *Collector) Rate() float64 { return math.Float64frombits(c.rate.Load()) }

// scratch is what recording a call needs: one goroutine has it at a time, and most often the one that had it last on this
// processor. home is the shard that is tried first.
type scratch struct {
	c       *Collector
	home    *shard
	others  int      // from where on others are tried
	kind    callKind // of the call that was seen
	ctx     context.Context
	call    *tablewright.Call // nil of an event that is not seen as it happens
	event   Event
	detail  Detail
	itemKey []byte // of the call, also where keys are hashed
	request request
	parsed  bool            // request is the call's
	action  request         // of a transaction
	fields  []attr.RawField // of an item of the answer
	more    bool            // what episodes need is in the event
	text    []byte          // keys of parts and items
	entries []Part          // of indexes, of what a batch or transaction puts
	printer printer
	sizes   *tableSizes // of the table that was looked into last

	keys      *tableKeys // of the table that was asked for last
	keysTable string
	keysIn    *map[string]*tableKeys // where they were found: as long as nothing was learned

	table *place // that was met last
	index *place

	stated    bool       // the call is a statement that was read
	gaps      bool       // a statement of a batch or transaction was not: answers and parts are not in step
	statement *statement // that was met last
	given     [][]byte   // the parameters of the one that was read last
	part      groupPart  // that is one
	opened    opened     // one whose text has values in it
	filled    [][]byte   // its parameters and these
}

// Hook goes into tablewright.Options.Hooks, alone or by way of tablewright.Statistics.
func (c *Collector) Hook(next tablewright.Transport) tablewright.Transport {
	c.recorded.hooked.Store(true)
	return &watcher{c, next}
}

type watcher struct {
	c    *Collector
	next tablewright.Transport
}

func (w *watcher) Do(ctx context.Context, call *tablewright.Call) error {
	c := w.c
	weight, kind := 1.0, kindOf(call.Operation)
	if rate := c.Rate(); rate < 1 && kind != otherCall || rate == 0 { // others are few, and tell what tables' keys are called
		if rate == 0 || rand.Float64() >= rate {
			return w.next.Do(ctx, call)
		}
		weight = 1 / rate
	}
	if kind != otherCall && !c.o.NoUnits {
		call.Measure = true
	}
	start := c.clock.now()
	err := w.next.Do(ctx, call)
	took := c.clock.now() - start
	s := c.scratch.Get().(*scratch)
	s.kind, s.ctx, s.call = kind, ctx, call
	e := &s.event
	e.Start, e.Took, e.Weight = start, time.Duration(took), weight
	c.observe(s, err)
	c.settle(s)
	s.ctx, s.call = nil, nil
	if !s.large() {
		c.scratch.Put(s)
	}
	return err
}

// large reports whether a scratch has become larger than nearly all calls need.
func (s *scratch) large() bool {
	const fields, text = 1 << 10, 64 << 10
	return max(cap(s.fields), cap(s.request.fields), cap(s.request.placeholders), cap(s.action.fields), cap(s.printer.texts)) > fields || cap(s.text) > text
}

// observe makes the event of a call. It sets every field of the one before.
func (c *Collector) observe(s *scratch, err error) {
	e, call := &s.event, s.call
	e.Operation, e.Table, e.Index, e.Pattern = call.Operation, call.Table, call.Index, call.Pattern
	e.As, e.Partition.Hash, e.Item.Hash = "", 0, 0
	e.Attempt, e.Items, e.Scanned = call.Attempt, call.Items, call.Scanned
	e.Sent, e.Received = len(call.Request), len(call.Response)
	e.Read, e.Write, e.Arms, e.Units = 0, 0, e.Arms[:0], Unknown
	e.Outcome, e.Throttling, e.Refused, e.Unprocessed = Done, e.Throttling[:0], 0, 0
	e.More, e.Resumed = call.More, call.Resumed
	e.Asks, e.Entries, e.Parts, e.Detail = 0, e.Entries[:0], e.Parts[:0], nil
	if call.GoesOn {
		e.Asks = GoesOn
	}
	s.text, s.entries, s.parsed, s.stated, s.gaps, s.more = s.text[:0], s.entries[:0], false, false, false, false
	var failure *wire.Error
	if err != nil {
		failure = e.classify(s.ctx, err)
	}
	c.readKeys(s, call)
	e.Caller = c.lineage.caller(s.ctx, e.Attempt > 1 || e.Resumed)
	if s.kind == getCall && err == nil {
		c.trails.follow(e)
	}
	if s.kind == otherCall {
		if err == nil {
			c.tables.learnSchema(call)
		}
		return
	}
	if s.kind == groupCall {
		c.parts(s, call)
	}
	e.Read, e.Write = float64(call.Read), float64(call.Write)
	call.Consumed(func(table, index string, u tablewright.Units) bool {
		e.Arms = append(e.Arms, Arm{table, index, float64(u.Read), float64(u.Write)})
		return true
	})
	switch {
	case e.Read != 0 || e.Write != 0:
		e.Units = Reported
		if len(e.Arms) == 0 { // by who did not ask for indexes
			e.Arms = append(e.Arms, Arm{e.Table, e.Index, e.Read, e.Write})
		}
	case e.Outcome == Done || e.Outcome == Refused && s.kind != groupCall:
		s.readRequest()
		c.compute(s, call, failure)
	}
	if s.kind == groupCall {
		e.share()
		s.addEntries()
	}
}

// readRequest reads the request of the call, once.
func (s *scratch) readRequest() {
	switch {
	case s.parsed:
		return
	case s.stated:
		s.fill(&s.request)
	default:
		k := attr.Skim(s.call.Request)
		s.request.read(&k)
	}
	s.parsed = true
}

// readKeys takes the keys of a call, or those of a request that somebody else made. They are hashed when it is known what
// they are keys of.
func (c *Collector) readKeys(s *scratch, call *tablewright.Call) {
	partition, item := call.Key, call.ItemKey
	if s.kind == statementCall {
		partition, item = c.readStatement(s, call)
	} else if partition == nil && item == nil {
		partition, item = c.foreignKeys(s, call)
		if (s.kind == queryCall || s.kind == scanCall) && !call.Resumed {
			s.readRequest()
			s.event.Resumed = s.request.resumed
		}
	}
	s.event.Partition.Text, s.event.Item.Text, s.itemKey = partition, item, item
}

// identify hashes the keys of an event that is seen as it happens.
func (g *group) identify(c *Collector, e *Event) {
	partition, item := e.Partition.Text, e.Item.Text
	if c.hashed {
		e.Partition.Text, e.Item.Text = nil, nil
	}
	if len(partition) == 0 {
		return
	}
	e.Partition.Hash = c.hash.sum(g.place.hash, partition)
	switch {
	case len(item) == 0:
	case len(item) == len(partition) && g.place == g.table: // there is no sort key
		e.Item.Hash = e.Partition.Hash
	default:
		e.Item.Hash = c.hash.sum(g.table.hash, item)
	}
}

// identity is the address of what a context is made of: calls that were given the same one belong together. All contexts of no
// size have one address, which is everybody's.
func identity(ctx context.Context) uint64 {
	if at := (*[2]uintptr)(unsafe.Pointer(&ctx))[1]; at != nobody {
		return uint64(at)
	}
	return backgroundCaller
}

var nobody = func(ctx context.Context) uintptr { return (*[2]uintptr)(unsafe.Pointer(&ctx))[1] }(context.Background())

// settle records an event of a call that was just seen.
func (c *Collector) settle(s *scratch) {
	sh := c.lock(s)
	op := sh.record(c, s, &s.event)
	sh.mu.Unlock()
	if s.event.Outcome == Refused {
		s.call.Follow(&op.handling, int64(math.Round(s.event.Weight*handlingUnit)))
	}
	j := c.journal.Load()
	if j != nil {
		s.readMore(true) // whoever reads it may follow others
	}
	c.episodes.see(s, &s.event, op)
	if j != nil {
		j.add(&s.event)
	}
}

// lock finds a shard that is free.
func (c *Collector) lock(s *scratch) *shard {
	if s.home.mu.TryLock() {
		return s.home
	}
	for i := range len(c.shards) - 1 {
		if sh := c.shard((s.others + i) % len(c.shards)); sh.mu.TryLock() {
			return sh
		}
	}
	s.home.mu.Lock()
	return s.home
}

// shard is the ith shard, made when it is first needed.
func (c *Collector) shard(i int) *shard {
	if sh := c.shards[i].Load(); sh != nil {
		return sh
	}
	c.shards[i].CompareAndSwap(nil, c.newShard())
	return c.shards[i].Load()
}

// Record adds a call that no hook saw, such as one of a Journal. The Collector keeps nothing of e. A Collector that has no hook in
// use and was made after all that it records covers their time, not its own.
func (c *Collector) Record(e *Event) {
	s := c.scratch.Get().(*scratch)
	if e.Weight > 0 && !math.IsInf(e.Weight, 0) && e.Start >= 0 {
		s.kind = kindOf(cmp.Or(e.As, e.Operation))
		sh := c.lock(s)
		c.recorded.see(e) // under the lock, so that Reset has both the call and its time, or none
		op := sh.record(c, s, e)
		sh.mu.Unlock()
		c.episodes.see(s, e, op)
	}
	c.scratch.Put(s)
}

// chance is a number below n.
func (c *Collector) chance(n int) int { return rand.IntN(n) }
