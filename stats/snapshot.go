package stats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// Merge is what one Collector would have known of all calls that these know: sums are exact up to rounding, quantiles and
// counts of distinct keys those of one collector, and what is said of keys is within the bounds that it states. The error is that
// keys were hashed with different secrets, or not.
func Merge(all ...*Snapshot) (*Snapshot, error) {
	out := empty(1)
	found := map[operationKey]*Operation{}
	consumed := map[placeKey]*Consumption{}
	sizes := map[string]*ItemSizes{}
	episodes := map[episodeName]*Episode{}
	for i, s := range all {
		if i == 0 {
			out.KeySpace, out.Hashed, out.From, out.To, out.Thresholds = s.KeySpace, s.Hashed, s.From, s.To, s.Thresholds
		}
		if s.KeySpace != out.KeySpace {
			return nil, fmt.Errorf("snapshot %d hashed its keys with another secret than the first, so that they cannot be compared: Options.HashKeys has to be the same", i+1)
		}
		out.Watched = append(out.Watched, s.watched()...)
		out.Sources += s.Sources
		if s.Rate > 0 && (out.Rate == 0 || s.Rate < out.Rate) {
			out.Rate = s.Rate
		}
		out.Hashed = out.Hashed || s.Hashed
		out.Kept = max(out.Kept, s.Kept)
		if s.From.Before(out.From) {
			out.From = s.From
		}
		if s.To.After(out.To) {
			out.To = s.To
		}
		for _, o := range s.Operations {
			if found[o.key()] == nil {
				found[o.key()] = newOperation(o.key())
			}
			found[o.key()].merge(o)
		}
		for _, x := range s.Consumed {
			at := placeKey{x.Table, x.Index}
			if consumed[at] == nil {
				consumed[at] = &Consumption{Table: x.Table, Index: x.Index, Traffic: new(Traffic), Partitions: new(Distinct), Items: new(Distinct)}
			}
			consumed[at].merge(x)
		}
		for _, x := range s.Sizes {
			if sizes[x.Table] == nil {
				sizes[x.Table] = &ItemSizes{Table: x.Table}
			}
			sizes[x.Table].merge(x)
		}
		for _, x := range s.Episodes {
			if known := episodes[x.key()]; known != nil {
				known.merge(x)
				continue
			}
			one := *x
			episodes[x.key()] = &one
		}
	}
	lists := []func(*Snapshot) *Keys{
		func(s *Snapshot) *Keys { return s.Partitions }, func(s *Snapshot) *Keys { return s.Items },
		func(s *Snapshot) *Keys { return s.Throttled }, func(s *Snapshot) *Keys { return s.Contended },
	}
	for _, of := range lists {
		for _, s := range all {
			of(out).merge(of(s))
		}
		of(out).cut(out.Kept)
	}
	out.Operations = slices.SortedFunc(maps.Values(found), func(a, b *Operation) int { return a.key().compare(b.key()) })
	out.Consumed = slices.SortedFunc(maps.Values(consumed), compareConsumption)
	for _, table := range slices.Sorted(maps.Keys(sizes)) {
		out.Sizes = append(out.Sizes, sizes[table])
	}
	out.Episodes = sortedEpisodes(episodes)
	out.Watched = join(out.Watched)
	return out, nil
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

// Write writes a Snapshot as JSON.
func (s *Snapshot) Write(w io.Writer) error { return json.NewEncoder(w).Encode(s) }

// ReadSnapshot reads what Write wrote. The error says what is wrong with the text; numbers that no Collector can have are
// refused too, so that what was read can be merged without harm.
func ReadSnapshot(r io.Reader) (*Snapshot, error) {
	var s Snapshot
	d := json.NewDecoder(r)
	if err := d.Decode(&s); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = fmt.Errorf("the text ends in the middle (%w): it was cut, or is still being written", err)
		}
		return nil, fmt.Errorf("statistics: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("statistics: more follows after the export, at byte %d: several are read one by one, and merged by Merge", d.InputOffset())
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return &s, nil
}

// maxKept bounds the lists of keys that are read, maxEpisodes that of episodes.
const (
	maxKept     = 1 << 20
	maxEpisodes = 1 << 16
)

func (s *Snapshot) check() error {
	switch {
	case s.Format == 0:
		return errors.New(`no member "tablewrightStats": this is no export of statistics`)
	case s.Format > Format:
		return fmt.Errorf("format %d is newer than this program, which knows %d", s.Format, Format)
	case s.Format < 0:
		return fmt.Errorf("a format %d there is not", s.Format)
	case s.Kept < 1 || s.Kept > maxKept:
		return fmt.Errorf("kept is %d, and can be 1 to %d", s.Kept, maxKept)
	case s.Sources < 0 || bad(s.Rate) || s.Rate > 1:
		return fmt.Errorf("%d sources at a rate of %v cannot be", s.Sources, s.Rate)
	case s.To.Before(s.From):
		return fmt.Errorf("it ends (to, %v) before it begins (from, %v)", s.To, s.From)
	}
	for _, o := range s.Operations {
		if o == nil {
			return errors.New("an operation is null")
		}
		for _, n := range o.Counts.list() {
			if bad(*n) {
				return fmt.Errorf("%s: a sum of %v", o.Operation, *n)
			}
		}
		for _, a := range o.Arms {
			if bad(a.Read) || bad(a.Write) {
				return fmt.Errorf("%s: %s consumed what cannot be", o.Operation, a.Table)
			}
		}
		slices.SortFunc(o.Arms, func(a, b Arm) int {
			return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
		})
		for name, a := range o.Attributes {
			if a == nil || bad(a.Written) || bad(a.Read) || bad(a.Asked) || bad(a.Tested) || bad(a.Keyed) || bad(a.Sifted) || bad(a.Equal) || bad(a.Bare) || bad(a.Reckoned) || bad(a.Bytes) {
				return fmt.Errorf("%s: attribute %s", o.Operation, name)
			}
		}
		for index, n := range o.Entries {
			if n == nil || bad(n.Calls) || bad(n.Write) || len(n.Keys) > entryKeysKept || slices.ContainsFunc(n.Keys, func(k EntryKey) bool { return bad(k.Write) }) {
				return fmt.Errorf("%s: entries of index %s", o.Operation, index)
			}
		}
		for reason, n := range o.Throttling {
			if bad(n) {
				return fmt.Errorf("%s: %s has %v", o.Operation, reason, n)
			}
		}
		for _, d := range []**Distribution{&o.Took, &o.Sent, &o.Received, &o.Sizes} {
			if *d == nil {
				*d = new(Distribution)
			}
		}
		if o.Traffic == nil {
			o.Traffic = new(Traffic)
		}
	}
	for _, c := range s.Consumed {
		if c == nil || bad(c.Read) || bad(c.Write) || bad(c.ComputedRead) || bad(c.ComputedWrite) {
			return errors.New("a table or index consumed what cannot be")
		}
		if c.Traffic == nil {
			c.Traffic = new(Traffic)
		}
		for _, d := range []**Distinct{&c.Partitions, &c.Items} {
			if *d == nil {
				*d = new(Distinct)
			}
		}
	}
	for _, k := range []**Keys{&s.Partitions, &s.Items, &s.Throttled, &s.Contended} {
		if *k == nil {
			*k = new(Keys)
		}
		if err := (*k).check(); err != nil {
			return err
		}
	}
	for _, z := range s.Sizes {
		if z == nil {
			return errors.New("sizes of no table")
		}
		for _, one := range slices.Concat(z.Largest, z.Sample) {
			if one.FirstBytes < 0 || one.LastBytes < 0 || one.MaxBytes < 0 || bad(one.Seen) {
				return fmt.Errorf("%s: an item of %d bytes", z.Table, one.MaxBytes)
			}
			if len(one.Attributes) > printsKept || slices.ContainsFunc(one.Attributes, func(p Print) bool { return p.bad() }) {
				return fmt.Errorf("%s: attributes of an item that cannot be", z.Table)
			}
		}
	}
	if len(s.Watched) > maxEpisodes {
		return fmt.Errorf("%d periods", len(s.Watched))
	}
	for _, p := range s.Watched {
		if p.To.Before(p.From) {
			return errors.New("a period that ends before it begins")
		}
	}
	if len(s.Episodes) > maxEpisodes {
		return fmt.Errorf("%d kinds of episodes", len(s.Episodes))
	}
	for _, e := range s.Episodes {
		if e == nil || bad(e.Count) || bad(e.Seen) || bad(e.Calls) || bad(e.Read) || bad(e.Write) || bad(e.Returned) || bad(e.Squares) || bad(e.Callers) || bad(e.Items) || e.Took < 0 {
			return errors.New("an episode that cannot be")
		}
	}
	return nil
}

func (k *Keys) check() error {
	if bad(k.Total) || bad(k.Lost) || len(k.List) > maxKept {
		return errors.New("keys with a load that cannot be")
	}
	seen := make(map[uint64]bool, len(k.List))
	for i := range k.List {
		key := &k.List[i]
		if bad(key.Load) || bad(key.Missed) || bad(key.Read) || bad(key.Write) || bad(key.Calls) || bad(key.Peak) || bad(key.PeakRead) || bad(key.PeakWrite) ||
			bad(key.PeakReadMost) || bad(key.PeakWriteMost) || bad(key.RangeReads) || bad(key.RangeWrites) || seen[key.Hash] {
			return fmt.Errorf("key %d is there twice, or has a load that cannot be", key.Hash)
		}
		seen[key.Hash] = true
	}
	return nil
}
