package stats

import (
	"cmp"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// Format is the number of the form in which snapshots are written. A newer one is refused when read.
const Format = 1

// Snapshot is what a Collector knows at a moment, or several of them together. It is a value of its own: nothing in it changes
// when calls go on. Its JSON can be read again with ReadSnapshot and merged.
type Snapshot struct {
	Format int       `json:"tablewrightStats"`
	From   time.Time `json:"from"` // since when, and until when, calls were recorded
	To     time.Time `json:"to"`
	// Watched is when somebody watched: between its periods, which are in order and apart, nothing was recorded, because no
	// process ran or its statistics are not among these. Of one collector it is From to To.
	Watched []Period `json:"watched,omitempty"`
	// Sources is how many collectors this is of.
	Sources int `json:"sources"`
	// KeySpace tells with what keys were hashed: snapshots of different ones cannot be merged. Hashed says that keys are not
	// shown.
	KeySpace uint64 `json:"keySpace,string"`
	Hashed   bool   `json:"hashed,omitempty"`
	// Rate is the share of calls that was recorded, the smallest of all sources and times; 0 in older exports. What stands for
	// many that were passed by says less than as many that were seen.
	Rate float64 `json:"rate,omitempty"`
	// Kept is how many keys each list may have; see Options.Keys.
	Kept       int        `json:"kept"`
	Thresholds Thresholds `json:"thresholds"`

	// Operations are in the order of table, index, operation and pattern.
	Operations []*Operation `json:"operations"`
	// Consumed is what each table and index consumed, in the order of table and index.
	Consumed []*Consumption `json:"consumed"`

	// Partitions and Items are the partition keys, of tables and of indexes, and the items with the most load: see Load.
	Partitions *Keys `json:"partitions"`
	Items      *Keys `json:"items"`
	// Throttled are the partition keys whose calls were throttled most often, Contended the items whose conditions failed or
	// transactions conflicted most often: their Load is a number of calls.
	Throttled *Keys `json:"throttled"`
	Contended *Keys `json:"contended"`

	Sizes []*ItemSizes `json:"sizes,omitempty"` // in the order of tables

	// Tables are those of which it is known how they are declared, in the order of names: by the program (see Collector.Tables), or by
	// calls that made or described them.
	Tables []*TableForm `json:"tables,omitempty"`

	// Episodes are what several calls did together, in the order of table, index, kind and patterns.
	Episodes []*Episode `json:"episodes,omitempty"`
}

// Consumption is what a table or an index of it consumed, whichever operations did it, and how many keys were seen there.
type Consumption struct {
	Table string  `json:"table"`
	Index string  `json:"index,omitempty"`
	Read  float64 `json:"read"` // units, computed ones included
	Write float64 `json:"write"`
	// ComputedRead and ComputedWrite are the part of Read and Write that the service did not tell.
	ComputedRead  float64  `json:"computedRead"`
	ComputedWrite float64  `json:"computedWrite"`
	Traffic       *Traffic `json:"traffic"`
	// Partitions and Items estimate how many different partition keys and items were seen.
	Partitions *Distinct `json:"partitions"`
	Items      *Distinct `json:"items,omitempty"`
}

func (c *Consumption) merge(o *Consumption) {
	c.Read += o.Read
	c.Write += o.Write
	c.ComputedRead += o.ComputedRead
	c.ComputedWrite += o.ComputedWrite
	c.Traffic.merge(o.Traffic)
	c.Partitions.Merge(o.Partitions)
	c.Items.Merge(o.Items)
}

// empty is a Snapshot of nothing.
func empty(kept int) *Snapshot {
	return &Snapshot{Format: Format, Kept: kept, Operations: []*Operation{}, Consumed: []*Consumption{},
		Partitions: new(Keys), Items: new(Keys), Throttled: new(Keys), Contended: new(Keys)}
}

// Snapshot is what c knows now. Callers do not wait for it, but for the part of c that is just copied.
func (c *Collector) Snapshot() *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.snapshot(false)
}

// Reset is what c knows now; c begins anew. No call is lost or counted twice. Callers wait while it copies, some milliseconds.
func (c *Collector) Reset() *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.shards {
		c.shard(i).mu.Lock()
	}
	defer func() {
		for i := range c.shards {
			c.shard(i).mu.Unlock()
		}
	}()
	out := c.snapshot(true)
	c.leastRate.Store(c.rate.Load())
	c.sizes.reset()
	return out
}

// snapshot merges all shards. With reset they are locked, and emptied.
func (c *Collector) snapshot(reset bool) *Snapshot {
	out := empty(c.o.Keys)
	now := c.clock.time()
	out.Sources, out.Thresholds, out.Watched = 1, c.o.Thresholds, c.recorded.watched(c.from, now, reset)
	out.From, out.To = out.Watched[0].From, out.Watched[len(out.Watched)-1].To
	if reset {
		c.from = now
	}
	out.KeySpace, out.Hashed, out.Rate = c.keySpace(), c.hashed, c.least()
	found := map[operationKey]*Operation{}
	consumed := map[uint32]*Consumption{}
	for i := range c.shards {
		sh := c.shards[i].Load()
		if sh == nil {
			continue
		}
		if !reset {
			sh.mu.Lock()
		}
		parts := sh.collect(c, found, consumed)
		if reset {
			sh.clear()
		} else {
			sh.mu.Unlock()
		}
		for j, to := range []*Keys{out.Partitions, out.Items, out.Throttled, out.Contended} {
			to.merge(parts[j])
		}
	}
	for _, k := range []*Keys{out.Partitions, out.Items, out.Throttled, out.Contended} {
		k.cut(c.o.Keys)
		for i := range k.List {
			k.List[i].Values = c.values(k.List[i].Key)
		}
	}
	for key, o := range found {
		t := c.operations.traffic(key)
		t.mu.Lock()
		o.Traffic.merge(&t.traffic)
		if reset {
			t.traffic = Traffic{keep: c.o.Hours}
		}
		t.mu.Unlock()
		// Those that were asked about first: whoever asks meanwhile is not counted without the error.
		o.Asked = handled(&t.handling.Asked, reset)
		o.Surfaced = handled(&t.handling.Surfaced, reset)
	}
	for _, p := range c.places.all() {
		if x := consumed[p.id]; x != nil {
			p.mu.Lock()
			x.Traffic.merge(&p.traffic)
			p.mu.Unlock()
			x.Partitions, x.Items = p.partitions.snapshot(), p.items.snapshot()
		}
		if reset {
			p.mu.Lock()
			p.traffic = Traffic{keep: c.o.Hours}
			p.mu.Unlock()
			p.partitions.reset()
			p.items.reset()
		}
	}
	out.Operations = slices.SortedFunc(maps.Values(found), func(a, b *Operation) int { return a.key().compare(b.key()) })
	out.Consumed = slices.SortedFunc(maps.Values(consumed), compareConsumption)
	out.Sizes = c.sizes.snapshot()
	out.Tables = c.forms()
	out.Episodes = c.episodes.snapshot(c.clock.now(), reset)
	return out
}

// handled is a sum of errors.
func handled(n *atomic.Int64, reset bool) float64 {
	if reset {
		return float64(n.Swap(0)) / handlingUnit
	}
	return float64(n.Load()) / handlingUnit
}

func compareConsumption(a, b *Consumption) int {
	return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
}

// collect adds what a shard knows, and hands over its minutes. The shard is locked.
func (s *shard) collect(c *Collector, found map[operationKey]*Operation, consumed map[uint32]*Consumption) [4]*Keys {
	for key, g := range s.found {
		g.total.roll(&g.now, 0, Minute{})
		if g.seen == 0 {
			continue
		}
		o := found[key]
		if o == nil {
			o = newOperation(key)
			found[key] = o
		}
		part := Operation{First: time.Unix(0, g.first).UTC(), Last: time.Unix(0, g.last).UTC(), Counts: g.Counts,
			MostItems: g.mostItems, Took: &g.took, Sent: &g.sent, Received: &g.received, Sizes: &g.sizes, Traffic: new(Traffic)}
		o.merge(&part)
		for i := range g.arms {
			if a := &g.arms[i].Arm; a.Read != 0 || a.Write != 0 {
				o.consume(a)
			}
			if a := &g.arms[i]; a.writes > 0 && a.Index != "" {
				o.entries(entriesName(key.table, a.Table, a.Index)).merge(&EntryCounts{a.writes, a.Write, a.entries.Keys, a.entries.Many})
			}
			g.arms[i].collect(consumed)
		}
		for name, a := range g.attributes {
			o.attribute(name).merge(&a.AttributeCounts)
		}
		for reason, n := range g.throttling {
			if o.Throttling == nil {
				o.Throttling = map[string]float64{}
			}
			o.Throttling[reason.String()] += n
		}
	}
	for _, a := range s.others {
		a.collect(consumed)
	}
	return [4]*Keys{s.partitions.keys(c.places.name), s.items.keys(c.places.name), s.throttled.keys(c.places.name), s.contended.keys(c.places.name)}
}

// collect adds what was consumed to that of the table or index.
func (a *arm) collect(consumed map[uint32]*Consumption) {
	a.place.roll(&a.now, 0, Minute{})
	if a.Read == 0 && a.Write == 0 {
		return
	}
	x := consumed[a.place.id]
	if x == nil {
		x = &Consumption{Table: a.place.table, Index: a.place.index, Traffic: new(Traffic), Partitions: new(Distinct), Items: new(Distinct)}
		consumed[a.place.id] = x
	}
	x.Read += a.Read
	x.Write += a.Write
	x.ComputedRead += a.computedRead
	x.ComputedWrite += a.computedWrite
}

// String is the reason and of what, in the service's words.
func (t Throttle) String() string {
	switch {
	case t.Reason == "":
		return "(not told)"
	case t.Resource == "":
		return t.Reason
	}
	return t.Reason + " " + t.Resource
}

// clear empties a shard and keeps most of its memory.
func (s *shard) clear() {
	clear(s.found)
	clear(s.cache[:])
	s.others = nil
	for _, k := range []*keySketch{&s.partitions, &s.items, &s.throttled, &s.contended} {
		k.reset()
	}
}

// Table is the part of a Snapshot that concerns one table, by its declared name. The lists of keys are the table's keys among
// those of all tables; their Total and Lost remain those of all.
func (s *Snapshot) Table(name string) *Snapshot {
	out := *s
	out.Operations = only(s.Operations, func(o *Operation) bool { return o.Table == name })
	out.Consumed = only(s.Consumed, func(c *Consumption) bool { return c.Table == name })
	out.Episodes = only(s.Episodes, func(e *Episode) bool { return e.Table == name })
	out.Sizes = only(s.Sizes, func(z *ItemSizes) bool { return z.Table == name })
	for _, k := range []**Keys{&out.Partitions, &out.Items, &out.Throttled, &out.Contended} {
		of := **k
		of.List = only(of.List, func(key Key) bool { return key.Table == name })
		*k = &of
	}
	return &out
}

func only[T any](list []T, keep func(T) bool) []T {
	out := []T{}
	for _, one := range list {
		if keep(one) {
			out = append(out, one)
		}
	}
	return out
}

// Span is the time that a Snapshot covers.
func (s *Snapshot) Span() time.Duration { return s.To.Sub(s.From) }

// PerSecond is n spread over the time that a Snapshot covers: units of a Key become units per second.
func (s *Snapshot) PerSecond(n float64) float64 {
	if s.Span() <= 0 {
		return 0
	}
	return n / s.Span().Seconds()
}
