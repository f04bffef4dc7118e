package throttle

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/tablewright/tablewright/capacity"
)

// Parameters are those of engine.Throttle, all set.
type Parameters struct {
	Burst           time.Duration
	PartitionReads  capacity.ReadUnits
	PartitionWrites capacity.WriteUnits
	PartitionBurst  time.Duration
	PartitionBytes  capacity.Bytes
	SplitAfter      time.Duration
	TableReads      capacity.ReadUnits
	TableWrites     capacity.WriteUnits
	Growth          float64
	GrowthTime      time.Duration
	PeakInterval    time.Duration
}

// Settings are what a table or global secondary index is set to.
type Settings struct {
	Provisioned bool
	Rate        [2]float64 // by Operation, per second: provisioned, or what it is warm for
	Most        [2]float64 // bound on demand; 0: none
	Whole       bool       // item collections are not divided: the table has local indexes
}

// Resource is a table or global secondary index. It is safe for concurrent use.
type Resource struct {
	mu         sync.Mutex
	p          *Parameters
	settings   Settings
	lanes      [2]lane
	partitions []*partition // in the order of their keys
	divided    []uint32     // hashes at which partitions were divided since Divided was asked
}

// lane is what limits one operation on all of a resource.
type lane struct {
	rate    bucket // provisioned, or what the table is ready for
	account bucket
	most    bucket
	growth  growth
}

// New is a resource that holds so many bytes.
func New(p *Parameters, s Settings, size int64, now time.Time) *Resource {
	r := &Resource{p: p, partitions: []*partition{newPartition(nil, p, size, now)}}
	r.lanes[Read].account = newBucket(float64(p.TableReads), time.Second, now)
	r.lanes[Write].account = newBucket(float64(p.TableWrites), time.Second, now)
	for op := range r.lanes {
		r.lanes[op].rate = newBucket(s.Rate[op], r.kept(s), now)
		r.lanes[op].most = newBucket(s.Most[op], time.Second, now)
	}
	r.settings = s
	n := max(r.needed(), int((size+int64(p.PartitionBytes)-1)/int64(p.PartitionBytes)))
	r.partitions[0].bytes = size / int64(n)
	for _, cut := range even(n) {
		r.partitions = append(r.partitions, newPartition(cut, p, size/int64(n), now))
	}
	return r
}

// kept is how long unused throughput is kept.
func (r *Resource) kept(s Settings) time.Duration {
	if s.Provisioned {
		return r.p.Burst
	}
	return time.Second
}

// needed is how many partitions carry what the resource is ready for.
func (r *Resource) needed() int {
	n := max(r.lanes[Read].rate.rate/float64(r.p.PartitionReads), r.lanes[Write].rate.rate/float64(r.p.PartitionWrites), 1)
	return int(math.Ceil(min(n, mostPartitions)))
}

// mostPartitions are made because of the throughput that is asked for: more than any account's quota fills, and few enough for
// the memory of a program that was asked for a million times as much.
const mostPartitions = 4096

// Set changes the settings.
func (r *Resource) Set(s Settings, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s == r.settings {
		return
	}
	for op := range r.lanes {
		r.lanes[op].rate.setRate(s.Rate[op], r.kept(s), now)
		if r.settings.Most[op] > 0 {
			r.lanes[op].most.setRate(s.Most[op], time.Second, now)
		} else {
			r.lanes[op].most = newBucket(s.Most[op], time.Second, now)
		}
	}
	r.settings = s
	r.spread(now)
}

// spread divides partitions until there are enough for what the resource is ready for: the one with most hashes first.
func (r *Resource) spread(now time.Time) {
	for len(r.partitions) < r.needed() {
		widest, width := -1, uint64(1)
		for i := range r.partitions {
			from, to := r.bounds(i)
			high := uint64(1) << 32
			if to != nil {
				high = uint64(hash(to))
			}
			if w := high - uint64(hash(from)); w > width {
				widest, width = i, w
			}
		}
		if widest < 0 {
			return
		}
		from, to := r.bounds(widest)
		r.split(widest, [][]byte{halfway(from, to)}, now)
	}
}

// Admit is what the operation on a key would exceed, None if it may begin. Consume is to follow when it is done.
func (r *Resource) Admit(op Operation, key []byte, now time.Time) Limit {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.lanes[op]
	if r.settings.Provisioned {
		if !l.rate.any(now) {
			return Provisioned
		}
	} else {
		r.grow(op, now)
		switch {
		case r.settings.Most[op] > 0 && !l.most.any(now):
			return MaxOnDemand
		case !l.account.any(now):
			return Account
		case !l.rate.any(now):
			return KeyRange
		}
	}
	i := r.at(key)
	p := r.partitions[i]
	if p.lanes[op].any(now) {
		return None
	}
	if p.heat.refused(r.p, now) {
		r.cool(i, now)
	}
	return KeyRange
}

// grow makes a resource on demand ready for a multiple of its previous peak.
func (r *Resource) grow(op Operation, now time.Time) {
	l := &r.lanes[op]
	if ready := r.p.Growth * l.growth.previous(r.p, now); ready > l.rate.rate {
		l.rate.setRate(ready, time.Second, now)
		r.spread(now)
	}
}

// Use is a part of what an operation consumed: on a key, of whose bytes the first Collection are its item collection's.
type Use struct {
	Key        []byte
	Collection int
	Units      float64
}

// Consume takes what an operation consumed of the whole and of the partitions of its keys, which are kept. Less than
// nothing gives back what was taken for an operation that is undone.
func (r *Resource) Consume(op Operation, now time.Time, uses ...Use) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.lanes[op]
	var sum float64
	for _, u := range uses {
		sum += u.Units
		p := r.partitions[r.at(u.Key)]
		p.lanes[op].take(u.Units, now)
		if u.Units > 0 {
			p.heat.note(sample{u.Key, u.Collection, u.Units, op})
		}
	}
	l.rate.take(sum, now)
	if !r.settings.Provisioned {
		l.account.take(sum, now)
		if r.settings.Most[op] > 0 {
			l.most.take(sum, now)
		}
		l.growth.measure(sum, r.p, now)
	}
}

// Grow adds to the bytes of the partition of a key, which is divided when it has too many.
func (r *Resource) Grow(key []byte, size int64, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.at(key)
	p := r.partitions[i]
	p.bytes = max(p.bytes+size, 0)
	if p.bytes <= max(int64(r.p.PartitionBytes), p.whole) {
		return
	}
	p.whole = p.bytes + int64(r.p.PartitionBytes)/16 // should it not be divided now, it is tried again a little later
	from, to := r.bounds(i)
	if cut := halfway(from, to); cut != nil {
		r.split(i, [][]byte{cut}, now)
	} else {
		r.cool(i, now) // one item collection
	}
}

// cool divides a partition for its heat, if it can be.
func (r *Resource) cool(i int, now time.Time) {
	h := &r.partitions[i].heat
	from, to := r.bounds(i)
	cuts := h.cuts(from, to, r.settings.Whole)
	h.seconds = 0
	r.split(i, cuts, now)
}

// split divides a partition; its bytes are taken to lie evenly.
func (r *Resource) split(i int, cuts [][]byte, now time.Time) {
	if len(cuts) == 0 {
		return
	}
	r.divided = append(r.divided, hash(cuts[0]))
	p := r.partitions[i]
	p.bytes /= int64(len(cuts) + 1)
	p.heat, p.whole = heat{}, 0
	for j, cut := range cuts {
		r.partitions = slices.Insert(r.partitions, i+1+j, newPartition(slices.Clone(cut), r.p, p.bytes, now))
	}
}

// at is the partition of a key.
func (r *Resource) at(key []byte) int {
	i, found := slices.BinarySearchFunc(r.partitions, key, func(p *partition, key []byte) int { return bytes.Compare(p.from, key) })
	if !found {
		i--
	}
	return max(i, 0)
}

// bounds are the keys from ≤ key < to of a partition; nil: no bound.
func (r *Resource) bounds(i int) (from, to []byte) {
	if i+1 < len(r.partitions) {
		to = r.partitions[i+1].from
	}
	return r.partitions[i].from, to
}

// Divided are hashes that lay in partitions when these were divided, one for each division since it was asked the last
// time, and since the resource was made.
func (r *Resource) Divided() []uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.divided
	r.divided = nil
	return d
}

// DividedAgain has Divided answer hashes again: what was to follow the divisions was undone.
func (r *Resource) DividedAgain(hashes []uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.divided = append(hashes, r.divided...)
}

// Partitions is how many there are.
func (r *Resource) Partitions() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.partitions)
}
