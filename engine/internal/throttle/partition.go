package throttle

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"
)

// partition is a range of keys, from its own first one up to the next partition's.
type partition struct {
	from  []byte // nil: the first of all
	lanes [2]bucket
	bytes int64
	whole int64 // bytes up to which it is not to be divided for its size: it could not
	heat  heat
}

func newPartition(from []byte, p *Parameters, bytes int64, now time.Time) *partition {
	return &partition{from: from, bytes: bytes, lanes: [2]bucket{
		newBucket(float64(p.PartitionReads), p.PartitionBurst, now), newBucket(float64(p.PartitionWrites), p.PartitionBurst, now),
	}}
}

// heat is why and where a partition is to be split: for how long it was asked for more than it can do, and by which keys.
type heat struct {
	seconds int       // in which something was refused, without a pause as long as they must last
	last    time.Time // of them
	ring    [samples]sample
	n       int // samples taken in all
}

// samples is how many operations a partition remembers: those that it splits by.
const samples = 256

type sample struct {
	key        []byte
	collection int // length of the part of key that is its item collection's
	units      float64
	op         Operation
}

func (h *heat) note(s sample) {
	h.ring[h.n%samples] = s
	h.n++
}

// refused counts a second in which something was refused; it is true once they are enough for a split.
func (h *heat) refused(p *Parameters, now time.Time) bool {
	switch d := now.Sub(h.last); {
	case h.seconds == 0 || d > p.SplitAfter:
		h.seconds, h.last = 1, now
	case d >= time.Second:
		h.seconds++
		h.last = now
	}
	return float64(h.seconds) >= max(p.SplitAfter.Seconds(), 1)
}

// remembered are the samples, oldest first.
func (h *heat) remembered() []sample {
	if h.n <= samples {
		return h.ring[:h.n]
	}
	i := h.n % samples
	return append(slices.Clone(h.ring[i:]), h.ring[:i]...)
}

// cuts are the keys at which a partition that is too hot is divided: one between the halves of its heat, or two around
// one item or item collection that has most of it and cannot be divided itself. There are none where that leaves a
// partition as it is: one item is never divided.
func (h *heat) cuts(from, to []byte, whole bool) [][]byte {
	all := h.remembered()
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b sample) int { return bytes.Compare(a.key, b.key) })
	var sum, before float64
	for _, s := range sorted {
		sum += s.units
	}
	for _, s := range sorted {
		if before+s.units < sum/2 {
			before += s.units
			continue
		}
		return inside(from, to, around(s, sorted, all, sum, whole))
	}
	return nil
}

// around is where to cut at the sample in the middle of the heat.
func around(middle sample, sorted, all []sample, sum float64, whole bool) [][]byte {
	unit := middle.key // what is not divided
	if whole || onlyGrows(middle, all) {
		unit = middle.key[:middle.collection]
	}
	first := slices.IndexFunc(sorted, func(s sample) bool { return bytes.HasPrefix(s.key, unit) })
	last := first
	var below, of float64
	for _, s := range sorted[:first] {
		below += s.units
	}
	for last < len(sorted) && bytes.HasPrefix(sorted[last].key, unit) {
		of += sorted[last].units
		last++
	}
	end := after(unit)
	switch {
	case of > sum/2: // alone
		return [][]byte{unit, end}
	case below >= sum-below-of: // the larger side of it stays alone
		return [][]byte{unit}
	}
	return [][]byte{end}
}

// after is the first key behind all that begin with a prefix.
func after(prefix []byte) []byte {
	end := slices.Clone(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// inside leaves out cuts that are not within a range: they divide nothing.
func inside(from, to []byte, cuts [][]byte) [][]byte {
	return slices.DeleteFunc(cuts, func(c []byte) bool {
		return len(c) == 0 || bytes.Compare(c, from) <= 0 || to != nil && bytes.Compare(c, to) >= 0
	})
}

// growing is how many writes in a row behind all before are taken for a sort key that only grows.
const growing = 16

// onlyGrows reports whether the writes to a sample's item collection come in the order of its sort key: dividing it
// would leave the new half as hot.
func onlyGrows(of sample, all []sample) bool {
	collection := of.key[:of.collection]
	var highest []byte
	rising := 0
	for _, s := range all {
		if s.op != Write || !bytes.HasPrefix(s.key, collection) {
			continue
		}
		switch bytes.Compare(s.key, highest) {
		case 1:
			highest = s.key
			rising++
		case -1:
			return false
		}
	}
	return rising >= growing
}

// even are n-1 keys that divide all keys into n ranges of hashes of the same size.
func even(n int) (cuts [][]byte) {
	for i := 1; i < n; i++ {
		cuts = append(cuts, binary.BigEndian.AppendUint32(nil, uint32(uint64(i)<<32/uint64(n))))
	}
	return cuts
}

// halfway is the middle of the hashes of a range; nil if it has just one.
func halfway(from, to []byte) []byte {
	low, high := uint64(hash(from)), uint64(1)<<32
	if to != nil {
		high = uint64(hash(to))
	}
	if high-low < 2 {
		return nil
	}
	return binary.BigEndian.AppendUint32(nil, uint32((low+high)/2))
}

func hash(key []byte) uint32 {
	var b [4]byte
	copy(b[:], key)
	return binary.BigEndian.Uint32(b[:])
}
