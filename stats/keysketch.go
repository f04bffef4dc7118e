package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

// keySketch finds the keys with the most load among any number of keys, in bounded memory. It counts weights exactly for the
// keys that it holds. When it is full, the quarter with the least is dropped, and from then on lost is at least the load that
// any key may have had without being held: a key that comes (back) begins at 0 with missed set to what lost is then. So for
// every key that is held
//
//	load ≤ true load ≤ load + missed
//
// and every other one has had at most lost. This is weighted SpaceSaving (Metwally, Agrawal and El Abbadi, 2005) in the form
// of Anderson et al. (2017), which drops many at once: counting takes constant time, dropping is amortized.
//
// lost rises by d only when at least three quarters of n held keys each have d or more that no earlier rise used up. So it
// is at most total / (3/4 n), where n is three quarters of size: see bound.
//
// To count a key that is held is to touch one entry of index and one slot, which is a cache line. What is seldom needed is kept
// aside, in rest.
type keySketch struct {
	per   weights
	slots []keySlot
	rest  []keyRest // of slots
	index []uint32  // open addressing by hash, linear: see entry
	most  int       // how many slots there may be
	total float64
	lost  float64
	rank  []float64 // to find the least quarter
}

// weights say what load is made of.
type weights struct{ read, write, call float64 }

// keySlot is a key that is held.
type keySlot struct {
	hash               uint64
	read, write, calls float64 // since it is held
	missed             float64
	by                 *operationTraffic // most of the load, by majority vote
	votes              float32
	now                keyMinute // what is not in keyRest.before yet
}

// keyRest is what else is known of a key that is held.
type keyRest struct {
	text   []byte // kept with its memory when the slot is used for another key
	of     uint64 // of an item: the hash of its partition key
	place  uint32
	turned bool        // there is something in before
	before busyMinutes // without keySlot.now
}

// keyLoad is what a call did to a key, in the measure of a sketch.
type keyLoad struct {
	read, write, calls float64
	load               float64
	now                keyMinute
	by                 *operationTraffic
}

func (w weights) of(by *operationTraffic, read, write, calls float64, minute int32) keyLoad {
	l := keyLoad{read, write, calls, read*w.read + write*w.write + calls*w.call, keyMinute{minute, float32(read), float32(write)}, by}
	if w.call > 0 { // units are none of such a load
		l.now.read, l.now.write = float32(calls), 0
	}
	return l
}

const firstKeys = 64

func (k *keySketch) init(size int, per weights) {
	k.most, k.per = size/4*3, per
	k.grow(min(firstKeys, size) / 4 * 3)
}

// grow makes room for n keys. They take three eighths of the index, so that each is found where it is looked for first, or near.
func (k *keySketch) grow(n int) {
	k.slots = append(make([]keySlot, 0, n), k.slots...)
	k.rest = append(make([]keyRest, 0, n), k.rest...)[:n]
	k.index = make([]uint32, n/3*8)
	k.reindex()
}

// entry is what stands in the index for a slot: its number, from 1, and above it as many bits of the hash as there is room for, so
// that slots of other keys are seldom looked at. 0 is free.
func (k *keySketch) entry(hash uint64, slot int) uint32 {
	return uint32(hash>>32)&^uint32(len(k.index)-1) | uint32(slot+1)
}

// free is where the index has room for a key.
func (k *keySketch) free(hash uint64) uint32 {
	mask := uint32(len(k.index) - 1)
	at := uint32(hash>>1) & mask // the lowest bit of a hash tells nothing
	for k.index[at] != 0 {
		at = (at + 1) & mask
	}
	return at
}

// bound is what lost and missed are at most, as a share of the whole load, of a sketch of so many entries.
func bound(size int) float64 { return 16.0 / 9 / float64(size) }

func (k *keySketch) load(s *keySlot) float64 {
	return s.read*k.per.read + s.write*k.per.write + s.calls*k.per.call
}

// add counts what a call did to a key of a place, and reports whether it was held already. of is of an item the hash of its
// partition key. The key's text is copied when it is needed.
func (k *keySketch) add(key *KeyID, place uint32, of uint64, l *keyLoad) (held bool) {
	if !(l.load > 0) {
		return false
	}
	k.total += l.load
	hash := key.Hash
	mask := uint32(len(k.index) - 1)
	bits := uint32(hash>>32) &^ mask
	for at := uint32(hash>>1) & mask; ; at = (at + 1) & mask {
		entry := k.index[at]
		if entry == 0 {
			break
		}
		if entry&^mask != bits {
			continue
		}
		if i := entry&mask - 1; k.slots[i].hash == hash {
			k.count(int(i), l)
			return true
		}
	}
	k.count(k.hold(key, place, of, l.now.minute), l)
	return false
}

// maxKeyText is how much of a key is kept to be shown.
const maxKeyText = 256

// hold makes a slot for a key.
func (k *keySketch) hold(key *KeyID, place uint32, of uint64, minute int32) int {
	if len(k.slots) == cap(k.slots) {
		k.room()
	}
	n := len(k.slots)
	k.slots = append(k.slots, keySlot{hash: key.Hash, missed: k.lost, now: keyMinute{minute: minute}})
	r := &k.rest[n]
	r.text, r.of, r.place, r.turned = append(r.text[:0], key.Text[:min(len(key.Text), maxKeyText)]...), of, place, false
	k.index[k.free(key.Hash)] = k.entry(key.Hash, n)
	return n
}

func (k *keySketch) count(slot int, l *keyLoad) {
	s := &k.slots[slot]
	s.read += l.read
	s.write += l.write
	s.calls += l.calls
	if s.now.minute == l.now.minute {
		s.now.read += l.now.read
		s.now.write += l.now.write
	} else {
		k.turn(slot, l.now)
	}
	// The majority vote of Boyer and Moore: who has more than half of the load is what remains.
	switch load := float32(l.load); {
	case s.by == l.by:
		s.votes += load
	case s.votes < load:
		s.by, s.votes = l.by, load-s.votes
	default:
		s.votes -= load
	}
}

// turn begins another minute of a key, or counts a late one.
func (k *keySketch) turn(slot int, m keyMinute) {
	s, r := &k.slots[slot], &k.rest[slot]
	if !r.turned {
		r.turned, r.before = true, busyMinutes{}
	}
	if m.minute > s.now.minute {
		m, s.now = s.now, m
	}
	r.before.add(k.per, m.read, m.write, m.minute)
}

// busy is what is known of a key's minutes.
func (k *keySketch) busy(slot int) (b busyMinutes) {
	if k.rest[slot].turned {
		b = k.rest[slot].before
	}
	now := &k.slots[slot].now
	b.add(k.per, now.read, now.write, now.minute)
	return b
}

// room doubles the sketch, or drops a quarter of the keys.
func (k *keySketch) room() {
	if n := cap(k.slots); n < k.most {
		k.grow(2 * n)
		return
	}
	k.rank = k.rank[:0]
	for i := range k.slots {
		k.rank = append(k.rank, k.load(&k.slots[i])+k.slots[i].missed)
	}
	k.drop(nth(k.rank, len(k.rank)/4))
}

// drop forgets the keys that have had upTo at most.
func (k *keySketch) drop(upTo float64) {
	k.lost = max(k.lost, upTo)
	n := 0
	for i := range k.slots {
		if s := &k.slots[i]; k.load(s)+s.missed > upTo {
			if n < i {
				k.slots[n] = *s
				k.rest[n], k.rest[i] = k.rest[i], k.rest[n] // with the memory of its text
			}
			n++
		}
	}
	k.slots = k.slots[:n]
	clear(k.index)
	k.reindex()
}

func (k *keySketch) reindex() {
	for i := range k.slots {
		k.index[k.free(k.slots[i].hash)] = k.entry(k.slots[i].hash, i)
	}
}

// reset forgets everything and keeps its memory.
func (k *keySketch) reset() {
	k.slots = k.slots[:0]
	clear(k.index)
	k.total, k.lost = 0, 0
}

// keys lists what is held.
func (k *keySketch) keys(name func(place uint32) (table, index string)) *Keys {
	out := &Keys{Total: k.total, Lost: k.lost, List: make([]Key, 0, len(k.slots))}
	for i := range k.slots {
		s, r := &k.slots[i], &k.rest[i]
		key := Key{Hash: s.hash, Partition: r.of, Key: string(r.text), Load: k.load(s), Missed: s.missed, Read: s.read, Write: s.write, Calls: s.calls,
			busy: k.busy(i), per: k.per}
		key.Table, key.Index = name(r.place)
		if s.by != nil {
			key.Operation, key.As, key.Pattern = s.by.key.operation, s.by.key.as, s.by.key.pattern
		}
		if k.per.call > 0 {
			key.RangeReads, key.RangeWrites, key.Read, key.Write = s.read, s.write, 0, 0
		}
		key.peaks()
		out.List = append(out.List, key)
	}
	return out
}

// nth puts the nth smallest of v into place and returns it: quickselect, with the median of three as pivot.
func nth(v []float64, n int) float64 {
	for low, high := 0, len(v)-1; low < high; {
		mid := low + (high-low)/2
		a, b, c := v[low], v[mid], v[high]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return v[n]
		}
	}
	return v[n]
}

// Key is one of the keys with the most load.
type Key struct {
	Table string `json:"table"`
	Index string `json:"index,omitempty"`
	Hash  uint64 `json:"hash,string"`
	// Key is the key in DynamoDB JSON, {"PK":{"S":"o#1"}}, cut after 256 bytes; "" where keys are hashed.
	Key string `json:"key,omitempty"`
	// Load is what the key's calls took of what one partition can do in a second, since it was noticed: see Load. The
	// true figure of the whole time is Load to Load + Missed.
	Load   float64 `json:"load"`
	Missed float64 `json:"missed"`
	// Read and Write are the units of which Load consists, Calls how many calls or parts of calls.
	Read  float64 `json:"read"`
	Write float64 `json:"write"`
	Calls float64 `json:"calls"`
	// Peak is the load of the key's busiest minute. Of keys that several shards or processes saw it is at least the
	// largest of their peaks, and exact if they were busy in the same minute, or the minute is one of the latest in which they
	// had any load.
	Peak       float64 `json:"peak"`
	PeakMinute int64   `json:"peakMinute,omitempty"` // minutes since 1970
	// Values are the hashes of the key's values, as Print.Value has them, in the order of the key's attributes in Key; none
	// where keys are hashed or cut.
	Values []uint64 `json:"values,omitempty"`
	// PeakRead and PeakWrite are the units of the minute with the most reads, and of that with the most writes: a partition's
	// limits of reads and writes are apart.
	PeakRead  float64 `json:"peakRead,omitempty"`
	PeakWrite float64 `json:"peakWrite,omitempty"`
	// PeakReadMost and PeakWriteMost are what PeakRead and PeakWrite can be at most: the busiest minutes of all who saw the key,
	// each his own, added up. Where traffic comes in short bursts, these may not have been busiest in the same minute.
	PeakReadMost  float64 `json:"peakReadMost,omitempty"`
	PeakWriteMost float64 `json:"peakWriteMost,omitempty"`
	// Minutes are the latest in which the key had load, 4 at most, of keys that took a hundredth of what one partition does.
	Minutes []KeyMinute `json:"minutes,omitempty"`

	// Partition is the Hash, among partition keys, of the one that an item lies under; 0 of partition keys.
	Partition uint64 `json:"partition,string,omitempty"`
	// Operation and Pattern are those with more than half of the load, if any have that much; else one of several.
	Operation string `json:"operation,omitempty"`
	As        string `json:"as,omitempty"` // of statements: see Operation.As
	Pattern   string `json:"pattern,omitempty"`
	// RangeReads and RangeWrites are, of Throttled, the calls that were refused because the range of keys was at its limit of
	// reads or writes, and this key's: reasons such as TableWriteKeyRangeThroughputExceeded of the key's own table or index.
	RangeReads  float64 `json:"rangeReads,omitempty"`
	RangeWrites float64 `json:"rangeWrites,omitempty"`

	busy busyMinutes
	per  weights
}

// unitLoad are the weights of Load.
var unitLoad = weights{read: 1 / float64(capacity.PartitionReads), write: 1 / float64(capacity.PartitionWrites)}

// Load is how many seconds of one partition's throughput so many units take: a partition does 3,000 read units or 1,000 write
// units in a second (docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html). Reads and writes
// are added up, so that one number orders keys; each has its own limit, see Key.Read and Key.Write.
func Load(read, write float64) float64 { return read*unitLoad.read + write*unitLoad.write }

// Keys are the keys with the most load among all that were seen.
type Keys struct {
	Total float64 `json:"total"` // load of all keys
	// Lost bounds the load of a key that is not listed.
	Lost float64 `json:"lost"`
	List []Key   `json:"list"` // from the most load to the least
}

// merge adds the keys of o to k, each by its hash. Whoever is done with merging calls cut.
func (k *Keys) merge(o *Keys) {
	at := make(map[uint64]int, len(k.List)+len(o.List))
	for i := range k.List {
		at[k.List[i].Hash] = i
	}
	seen := make([]bool, len(k.List))
	for _, key := range o.List {
		i, known := at[key.Hash]
		if !known {
			key.Missed += k.Lost // here it may have been among what is not listed
			k.List = append(k.List, key)
			continue
		}
		seen[i] = true
		k.List[i].add(&key)
	}
	for i, both := range seen {
		if !both {
			k.List[i].Missed += o.Lost
		}
	}
	k.Total += o.Total
	k.Lost += o.Lost
}

func (k *Key) add(o *Key) {
	if o.Operation != "" && (k.Operation == "" || o.Load > k.Load) {
		k.Operation, k.As, k.Pattern = o.Operation, o.As, o.Pattern
	}
	k.Load += o.Load
	k.Missed += o.Missed
	k.Read += o.Read
	k.Write += o.Write
	k.Calls += o.Calls
	k.RangeReads += o.RangeReads
	k.RangeWrites += o.RangeWrites
	k.busy.merge(k.per, &o.busy)
	k.peaks()
	if k.Key == "" {
		k.Key = o.Key
	}
	if len(k.Values) == 0 {
		k.Values = o.Values
	}
}

// cut sorts and keeps the n keys with the most load.
func (k *Keys) cut(n int) {
	slices.SortFunc(k.List, func(a, b Key) int {
		return cmp.Or(cmp.Compare(b.Load, a.Load), cmp.Compare(a.Hash, b.Hash))
	})
	if len(k.List) > n {
		for i := n; i < len(k.List); i++ {
			k.Lost = math.Max(k.Lost, k.List[i].Load+k.List[i].Missed)
		}
		k.List = slices.Clip(k.List[:n])
	}
}
