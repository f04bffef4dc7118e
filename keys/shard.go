package keys

import (
	"errors"
	"hash/fnv"
	"strconv"

	"github.com/tablewright/tablewright/attr"
)

// Shards spreads what would be one key over several: the part {shard} of a template.
type Shards struct {
	Of int // how many, at least 1
}

// Width is the number of digits that every shard is written with: those of the highest one, Of - 1.
func (s Shards) Width() int { return len(strconv.Itoa(max(s.Of-1, 0))) }

// Append writes shard i, counted from 0, behind dst.
func (s Shards) Append(dst []byte, i int) ([]byte, error) {
	if i < 0 || i >= s.Of {
		return dst, errShard
	}
	return appendDigits(dst, uint64(i), s.Width()), nil
}

var errShard = errors.New("keys: no such shard")

// Decode reads a shard back.
func (s Shards) Decode(text string) (int, error) {
	i, err := strconv.Atoi(text)
	if err != nil || len(text) != s.Width() || text[0] < '0' || i >= s.Of {
		return 0, errShard
	}
	return i, nil
}

// Hash is the shard of a value: the same in every program and on every machine. It is 64-bit FNV-1a of the text of an S, the
// bytes of a B, or the normal form of an N, with its bits mixed (the finalizer of MurmurHash3), modulo Of.
func (s Shards) Hash(v attr.Value) int {
	h := fnv.New64a()
	h.Write([]byte(v.Str()))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return int(x % uint64(max(s.Of, 1)))
}
