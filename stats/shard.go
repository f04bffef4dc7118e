package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/tablewright/tablewright"
)

// shard is a part of a Collector's state. A call is recorded in one that is free, most often the one that its processor used
// last, so that callers do not wait for each other nor share cache lines; a Snapshot merges all of them.
type shard struct {
	mu     sync.Mutex
	cache  [cacheSize]*group
	found  map[operationKey]*group
	others map[*place]*arm // of operations that consume of more places than are told apart

	partitions, items, throttled, contended keySketch

	rng *rand.Rand
	_   [64]byte
}

const cacheSize = 64

// group is an Operation within a shard.
type group struct {
	operationKey
	Counts
	first, last                 int64
	took, sent, received, sizes Distribution
	attributes                  map[string]*namedCounts
	usual                       []*namedCounts // by the place where the last call of the kind had them: calls are much alike
	uses                        knownUses
	throttling                  map[Throttle]float64
	now                         minuteSum
	total                       *operationTraffic
	arms                        []arm
	mostItems                   int
	seen                        uint64  // calls, not weighted
	skip                        int     // calls until the next one that is looked into
	chance                      float64 // with which that one was chosen
	place, table                *place  // that the partition key and the item are of
}

// minuteSum is the traffic of a minute that is not over yet.
type minuteSum struct {
	minute int64
	Minute
}

// operationTraffic is what all shards share of an Operation: its traffic, and what became of its errors.
type operationTraffic struct {
	key     operationKey
	call    callKind
	hash    uint64 // of key
	mu      sync.Mutex
	traffic Traffic

	// handling is of errors, which live as long as the program keeps them, through any Reset.
	handling tablewright.Handling
}

// handlingUnit is what an error counts in operationTraffic.handling that stands for one: weights are whole numbers there.
const handlingUnit = 1 << 16

func (t *operationTraffic) flush(minute int64, m Minute) {
	t.mu.Lock()
	t.traffic.add(minute, m)
	t.mu.Unlock()
}

// arm is what an Operation consumed of a table or index, within a shard.
type arm struct {
	Arm
	place                       *place
	writes                      float64     // calls that consumed write units
	entries                     EntryCounts // of an index, of which only the keys are counted here
	computedRead, computedWrite float64
	now                         minuteSum // of the place's traffic
}

func (c *Collector) newShard() *shard {
	s := &shard{found: map[operationKey]*group{}, rng: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))}
	s.partitions.init(c.o.Keys, unitLoad)
	s.items.init(c.o.Keys, unitLoad)
	s.throttled.init(min(c.o.Keys, 256), callLoad)
	s.contended.init(min(c.o.Keys, 256), callLoad)
	return s
}

// group finds the group of an event. Names are usually the same strings each time, so that comparing them is comparing
// addresses; to find them their lengths and last letters do.
func (s *shard) group(c *Collector, e *Event) *group {
	h := uint(len(e.Operation)) + 5*uint(len(e.Table)) + 7*uint(len(e.Index)) + 11*uint(len(e.Pattern))
	if n := len(e.Pattern); n > 0 {
		h += 3 * uint(e.Pattern[n-1])
	}
	if n := len(e.Operation); n > 0 {
		h += uint(e.Operation[0])
	}
	if n := len(e.As); n > 0 {
		h += 13*uint(n) + uint(e.As[0])
	}
	slot := &s.cache[h%cacheSize]
	if g := *slot; g != nil && same(g.operation, e.Operation) && same(g.operationKey.table, e.Table) && same(g.index, e.Index) && same(g.pattern, e.Pattern) && same(g.as, e.As) {
		return g
	}
	key := operationKey{e.Operation, e.Table, e.Index, e.Pattern, e.As}
	g := s.found[key]
	if g == nil {
		if key = c.operations.admit(key); key.operation == others {
			if g = s.found[key]; g != nil {
				return g
			}
		}
		g = &group{operationKey: key, total: c.operations.traffic(key), place: c.places.of(key.table, key.index), table: c.places.of(key.table, "")}
		s.found[key] = g
		if key.operation == others {
			return g
		}
	}
	*slot = g
	return g
}

// same compares strings that usually lie at the same address.
func same(a, b string) bool {
	return len(a) == len(b) && (unsafe.StringData(a) == unsafe.StringData(b) || a == b)
}

// arm is where to count what a call of a group consumed of a table or index. It is most likely the ith.
func (s *shard) arm(c *Collector, g *group, i int, table, index string) *arm {
	if i < len(g.arms) {
		if a := &g.arms[i]; same(a.Table, table) && same(a.Index, index) {
			return a
		}
	}
	for i := range g.arms {
		if a := &g.arms[i]; a.Table == table && a.Index == index {
			return a
		}
	}
	p := c.places.of(table, index)
	if len(g.arms) < armsKept {
		g.arms = append(g.arms, arm{Arm: Arm{Table: table, Index: index}, place: p})
		return &g.arms[len(g.arms)-1]
	}
	if s.others[p] == nil {
		if s.others == nil {
			s.others = map[*place]*arm{}
		}
		s.others[p] = &arm{place: p}
	}
	return s.others[p]
}

// record adds an event, and is the operation that it is one of. The shard is locked.
func (s *shard) record(c *Collector, sc *scratch, e *Event) *operationTraffic {
	g := s.group(c, e)
	g.seen++
	w := e.Weight
	if call := sc.call; call != nil {
		g.identify(c, e)
		if g.seen == 1 {
			c.tables.learn(sc, call)
		}
		if p := s.look(c, g, e); p > 0 {
			sc.readRequest()
			e.Detail = c.inspect(sc, call, &g.uses)
			e.Detail.Weight = w / p
			c.entries(sc, call, w/p)
		}
	}
	g.count(c, e, sc.kind)
	minute := e.Start / int64(time.Minute)
	sum := Minute{w, e.Read * w, e.Write * w}
	if g.now.minute == minute {
		g.now.add(sum)
	} else {
		g.total.roll(&g.now, minute, sum)
	}
	for i := range e.Arms {
		x := &e.Arms[i]
		a := s.arm(c, g, i, x.Table, x.Index)
		sum := Minute{w, x.Read * w, x.Write * w}
		a.Read += sum.Read
		a.Write += sum.Write
		if sum.Write > 0 {
			a.writes += w
		}
		if e.Units == Computed {
			a.computedRead += sum.Read
			a.computedWrite += sum.Write
		}
		if a.now.minute == minute {
			a.now.add(sum)
		} else {
			a.place.roll(&a.now, minute, sum)
		}
	}
	s.keys(c, sc, g, e, int32(minute))
	if e.Detail != nil {
		g.look(c, sc, e)
	}
	return g.total
}

// roll hands over the minute that is over and begins another.
func (t *operationTraffic) roll(now *minuteSum, minute int64, m Minute) {
	if now.Minute != (Minute{}) {
		t.flush(now.minute, now.Minute)
	}
	*now = minuteSum{minute, m}
}

func (p *place) roll(now *minuteSum, minute int64, m Minute) {
	if now.Minute != (Minute{}) {
		p.flush(now.minute, now.Minute)
	}
	*now = minuteSum{minute, m}
}

// A page of several times lookedBytes is looked into as many times more seldom, up to seldomest and its number of items, and
// stands for as many more: looking takes time for each byte, and is to cost a call of many items no more than one of few. What is
// said of items rests on as many of them as before; a single large one is looked at as often as a small one.
const lookedBytes, seldomest = 1 << 10, 16

// look decides whether a call of a group is looked into, and is with which probability that was so; 0: it is not.
func (s *shard) look(c *Collector, g *group, e *Event) float64 {
	switch {
	case c.o.Detail <= 0:
		return 0
	case g.seen < detailed || c.o.Detail >= 1:
		return 1
	case g.seen == detailed:
		s.pause(c, g)
		return 1
	}
	if g.skip--; g.skip >= 0 {
		return 0
	}
	p := g.chance
	s.pause(c, g)
	if n := min(e.Received/lookedBytes, e.Items, seldomest); n > 1 {
		if s.rng.IntN(n) > 0 {
			return 0
		}
		p /= float64(n)
	}
	return p
}

// pause decides which call of a group is the next one that is looked into, each with the same probability, which becomes smaller the more
// there are.
func (s *shard) pause(c *Collector, g *group) {
	g.chance = max(c.o.Detail, detailed/float64(g.seen+1))
	g.skip = int(min(math.Log(1-s.rng.Float64())/math.Log1p(-g.chance), 1<<30))
}

// count adds up what every event has.
func (g *group) count(c *Collector, e *Event, kind callKind) {
	w := e.Weight
	if g.first == 0 || e.Start < g.first {
		g.first = e.Start
	}
	g.last = max(g.last, e.Start)
	g.Calls += w
	if e.Attempt > 1 {
		g.Retries += w
	}
	if e.Outcome < outcomes {
		g.Outcomes[e.Outcome] += w
	}
	g.Read += e.Read * w
	g.Write += e.Write * w
	if e.Units == Computed {
		g.ComputedRead += e.Read * w
		g.ComputedWrite += e.Write * w
	}
	if e.Read >= c.highRead || e.Write >= c.highWrite {
		g.High += w
	}
	if e.Took >= c.o.Thresholds.SlowCall {
		g.Slow += w
	}
	g.Items += float64(e.Items) * w
	g.mostItems = max(g.mostItems, e.Items)
	g.Scanned += float64(e.Scanned) * w
	if e.Outcome == Done {
		switch kind {
		case queryCall, scanCall:
			g.Pages += w
			if e.Items == 0 {
				g.Empty += w
			}
		case getCall:
			if e.Items == 0 {
				g.Empty += w
			}
			if e.Asks&Preceded != 0 {
				g.Preceded += w
			}
			if e.Asks&Led != 0 {
				g.Led += w
			}
		}
	}
	if e.More {
		g.More += w
	}
	if e.Resumed {
		g.Resumed += w
	}
	g.took.Add(int64(e.Took), w)
	g.sent.Add(int64(e.Sent), w)
	g.received.Add(int64(e.Received), w)
	if e.Outcome == Done && len(e.Parts) == 0 {
		return
	}
	for i := range e.Parts {
		if e.Parts[i].Index == "" {
			g.Parts += w
		}
	}
	g.Unprocessed += float64(e.Unprocessed) * w
	g.Counts.Refused += float64(e.Refused) * w
	for _, t := range e.Throttling {
		if g.throttling == nil {
			g.throttling = map[Throttle]float64{}
		}
		if _, known := g.throttling[t]; !known && len(g.throttling) >= reasonsKept {
			t = Throttle{Reason: others}
		}
		g.throttling[t] += w
	}
}

// keys counts what an event did to the keys that it concerns.
func (s *shard) keys(c *Collector, sc *scratch, g *group, e *Event, minute int32) {
	w := e.Weight
	if e.Partition.Hash != 0 {
		read, write := e.Read, e.Write
		if e.Write > 0 && len(e.Arms) > 1 { // the indexes' arms lie in other partitions
			write = e.Arms[0].Write
			for i := range e.Arms {
				if e.Arms[i].Index == g.index {
					write = e.Arms[i].Write
				}
			}
		}
		load := unitLoad.of(g.total, read*w, write*w, w, minute)
		s.key(g.place, g.table, e, &e.Partition, &e.Item, &load)
	}
	for i := range e.Parts {
		p := &e.Parts[i]
		pw := w
		if p.Weight > 0 {
			pw = p.Weight
		}
		if p.Partition.Hash == 0 {
			continue
		}
		at := sc.placeOf(c, p.Table, p.Index)
		load := unitLoad.of(g.total, p.Read*pw, p.Write*pw, pw, minute)
		s.key(at, at, e, &p.Partition, &p.Item, &load)
		if p.Index != "" {
			g.put(p, pw)
		}
	}
}

// put counts an index entry of a write.
func (g *group) put(p *Part, w float64) {
	for i := range g.arms {
		if a := &g.arms[i]; same(a.Index, p.Index) && same(a.Table, p.Table) {
			a.entries.put(p.Partition.Hash, p.Write*w)
			return
		}
	}
}

// key counts what an event did to a partition key, and to an item under it if there is one.
func (s *shard) key(place, table *place, e *Event, partition, item *KeyID, load *keyLoad) {
	// Keys that a sketch holds were added to the distinct ones when it began to.
	if !s.partitions.add(partition, place.id, 0, load) {
		place.partitions.add(partition.Hash)
	}
	if e.Outcome == Throttled {
		reads, writes := e.ranges(place.index)
		throttled := callLoad.of(load.by, reads*load.calls, writes*load.calls, load.calls, load.now.minute)
		s.throttled.add(partition, place.id, 0, &throttled)
	}
	if item.Hash == 0 {
		return
	}
	if !s.items.add(item, table.id, partition.Hash, load) {
		table.items.add(item.Hash)
	}
	if e.Outcome == Refused || e.Outcome == Conflict {
		contended := callLoad.of(load.by, 0, 0, load.calls, load.now.minute)
		s.contended.add(item, table.id, partition.Hash, &contended)
	}
}

// callLoad are the weights of a number of calls.
var callLoad = weights{call: 1}

// ranges is 1 for reads, or writes, if a call was throttled because a range of keys of this table or index was at its limit: a
// write to a table may also meet that of an index, where other keys count.
func (e *Event) ranges(index string) (reads, writes float64) {
	for _, t := range e.Throttling {
		if !strings.HasSuffix(t.Reason, "KeyRangeThroughputExceeded") || strings.HasPrefix(t.Reason, "Index") != (index != "") ||
			index != "" && !strings.HasSuffix(t.Resource, "."+index) {
			continue
		}
		if strings.Contains(t.Reason, "Write") {
			writes = 1
		} else {
			reads = 1
		}
	}
	return reads, writes
}

// look adds up what only events have that were looked into.
func (g *group) look(c *Collector, sc *scratch, e *Event) {
	d := e.Detail
	w := d.Weight
	g.Detailed += w
	for i, n := range [...]*float64{&g.Consistent, &g.Conditional, &g.Filtered, &g.Projected, &g.Counted, &g.Limited, &g.Tokened, &g.Returned} {
		if d.Asks&(1<<i) != 0 {
			*n += w
		}
	}
	for i := range d.Sizes {
		if g.total.call != updateCall { // of which only some tell the item's size
			g.sizes.Add(int64(d.Sizes[i].Bytes), w*d.step())
		}
		if sc.call == nil { // else they were noted as they were seen
			c.sizes.add(sc.sizesOf(c, d.Sizes[i].Table), &d.Sizes[i], e.Start, nil)
		}
	}
	for i := range d.Attributes {
		a := &d.Attributes[i]
		if i >= len(g.usual) {
			g.usual = append(g.usual, g.attribute(a.Name))
		} else if g.usual[i].name != string(a.Name) {
			g.usual[i] = g.attribute(a.Name)
		}
		g.usual[i].add(a.Use, w*float64(a.Count), w*float64(a.Bytes))
	}
}

// namedCounts is an attribute of a group.
type namedCounts struct {
	name string
	AttributeCounts
}

// attribute finds the counts of an attribute, or makes them.
func (g *group) attribute(name []byte) *namedCounts {
	if n := g.attributes[string(name)]; n != nil {
		return n
	}
	if g.attributes == nil {
		g.attributes = map[string]*namedCounts{}
	}
	n := &namedCounts{name: string(name)}
	if len(g.attributes) >= attributesKept {
		if known := g.attributes[others]; known != nil {
			return known
		}
		n.name = others
	}
	g.attributes[n.name] = n
	return n
}
