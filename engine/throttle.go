package engine

import (
	"cmp"
	"sync"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/throttle"
)

// Throttle makes an engine limit what tables and global secondary indexes take per second, as the service does, by the
// engine's Clock: what passes with it at peak rates has met its limits. AWS does not publish when it divides partitions;
// the model that is used is told in THROTTLING.md, and these are its parameters. The zero Throttle has the defaults.
//
// What is consumed is not stored: an engine that is opened begins with tables that nobody has used.
type Throttle struct {
	// Burst is how long provisioned throughput that is not used is kept. 0: 300 s (burst-adaptive-capacity).
	Burst time.Duration
	// PartitionReads and PartitionWrites are what one partition does per second. 0: 3,000 and 1,000
	// (bp-partition-key-design).
	PartitionReads  capacity.ReadUnits
	PartitionWrites capacity.WriteUnits
	// PartitionBurst is how long a partition keeps what is not used of that. 0: 1 s.
	PartitionBurst time.Duration
	// PartitionBytes is the size at which a partition is divided. 0: 10 GB (HowItWorks.Partitions).
	PartitionBytes capacity.Bytes
	// SplitAfter is for how many seconds a partition has to refuse something until it is divided for its heat; they need
	// not follow each other, but a pause as long as SplitAfter begins anew. 0: 5 minutes.
	SplitAfter time.Duration
	// TableReads and TableWrites are the account's quota for one table on demand, per second. 0: 40,000 each
	// (ServiceQuotas).
	TableReads  capacity.ReadUnits
	TableWrites capacity.WriteUnits
	// Growth is the multiple of its previous peak that a table on demand takes, GrowthTime how old a peak is that counts
	// as previous, PeakInterval over what its rate is averaged. 0: 2, 30 minutes (on-demand-capacity-mode), 1 minute.
	Growth                   float64
	GrowthTime, PeakInterval time.Duration
}

// parameters are those of the model, with defaults for what is not set.
func (o Throttle) parameters() throttle.Parameters {
	return throttle.Parameters{
		Burst:           cmp.Or(o.Burst, capacity.BurstSeconds*time.Second),
		PartitionReads:  cmp.Or(o.PartitionReads, capacity.PartitionReads),
		PartitionWrites: cmp.Or(o.PartitionWrites, capacity.PartitionWrites),
		PartitionBurst:  cmp.Or(o.PartitionBurst, time.Second),
		PartitionBytes:  cmp.Or(o.PartitionBytes, capacity.PartitionBytes),
		SplitAfter:      cmp.Or(o.SplitAfter, 5*time.Minute),
		TableReads:      cmp.Or(o.TableReads, capacity.TableReads),
		TableWrites:     cmp.Or(o.TableWrites, capacity.TableWrites),
		Growth:          cmp.Or(o.Growth, capacity.OnDemandGrowth),
		GrowthTime:      cmp.Or(o.GrowthTime, capacity.OnDemandGrowthMinutes*time.Minute),
		PeakInterval:    cmp.Or(o.PeakInterval, time.Minute),
	}
}

// throttling is the state behind a Throttle: a resource for each table and global index that was used.
type throttling struct {
	engine     *Engine
	parameters throttle.Parameters
	mu         sync.Mutex
	resources  map[kv.Space]*limited
}

// limited is a resource, and the definition that its settings are from.
type limited struct {
	*throttle.Resource
	def *definition
}

func newThrottling(e *Engine) *throttling {
	return &throttling{engine: e, parameters: e.options.Throttle.parameters(), resources: map[kv.Space]*limited{}}
}

// of is the resource of a table or an index; a local index shares its table's, as its entries share the partitions. r may
// be nil where no view or update is open.
func (th *throttling) of(r kv.Reader, t *table, x *index) (*throttle.Resource, error) {
	space := t.space
	if x != nil && x.kind == globalIndex {
		space = x.space
	} else {
		x = nil
	}
	th.mu.Lock()
	l := th.resources[space]
	th.mu.Unlock()
	if l != nil {
		if l.def != t.def {
			l.Set(t.limits(x), th.engine.now())
			th.mu.Lock()
			th.resources[space] = &limited{l.Resource, t.def}
			th.mu.Unlock()
		}
		return l.Resource, nil
	}
	var size int64
	count := func(r kv.Reader) error { size = statsOf(r, space).bytes; return nil }
	if r != nil {
		_ = count(r)
	} else if err := th.engine.store.View(count); err != nil {
		return nil, err
	}
	th.mu.Lock()
	defer th.mu.Unlock()
	if l := th.resources[space]; l != nil { // made meanwhile
		return l.Resource, nil
	}
	th.forget()
	l = &limited{throttle.New(&th.parameters, t.limits(x), size, th.engine.now()), t.def}
	th.resources[space] = l
	return l.Resource, nil
}

// forget removes the resources of tables and indexes that are gone.
func (th *throttling) forget() {
	spaces := map[kv.Space]bool{}
	for _, t := range th.engine.ahead.Load().byID {
		spaces[t.space] = true
		for _, x := range t.indexes {
			spaces[x.space] = true
		}
	}
	for s := range th.resources {
		if !spaces[s] {
			delete(th.resources, s)
		}
	}
}

// limits are the settings of a table, or of one of its global indexes.
func (t *table) limits(x *index) throttle.Settings {
	c := &t.def.Create
	provisioned, most, w := c.Throughput, c.OnDemand, t.def.warmthNow()
	if x != nil {
		provisioned, most, w = nil, nil, warmth{}
		for i := range c.Global {
			if c.Global[i].Name == x.name {
				provisioned, most, w = c.Global[i].Throughput, c.Global[i].OnDemand, t.def.indexWarmth(&c.Global[i])
			}
		}
	}
	if provisioned != nil {
		w = baseWarmth(provisioned)
	}
	s := throttle.Settings{Provisioned: provisioned != nil, Rate: [2]float64{float64(w.Read), float64(w.Write)}, Whole: x == nil && t.locals}
	if most != nil && !s.Provisioned {
		s.Most = [2]float64{bound(most.Read), bound(most.Write)}
	}
	return s
}

// bound is a limit as the model has it: 0 is none.
func bound(units *int64) float64 {
	if units == nil {
		return 0
	}
	return float64(max(*units, 0))
}

// collectionOf is the length of the beginning of a key in the space of a table or index that all keys of its item
// collection have.
func collectionOf(t *table, x *index, key []byte) int {
	parts := 1
	if x != nil {
		parts = len(x.key.Hash)
	}
	if len(key) <= hashBytes { // where a scan begins
		return len(key)
	}
	end := hashBytes
	for range parts {
		end += attrKeyLen(key[end:])
	}
	return end
}

// divideShards divides the shards of a table's stream whose partitions were divided since its last record: a shard follows
// one partition, and its children follow those that come of it (Streams). It reports whether any was.
func (th *throttling) divideShards(w kv.Writer, t *table, now int64) bool {
	r, err := th.of(w, t, nil)
	if err != nil {
		return false
	}
	hashes := r.Divided()
	if len(hashes) == 0 {
		return false
	}
	w.Undone(func() { r.DividedAgain(hashes) })
	for _, hash := range hashes {
		d := t.stream.writer
		d.replace(w, t.stream, d.shard(hash), now, true)
	}
	return true
}
