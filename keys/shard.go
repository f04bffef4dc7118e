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

// MaxShards is how many shards a key can be spread over at most.
const MaxShards = 10_000

// Codec writes the shard of a value instead of the value: what a template's {shard} is if the shard follows from an
// attribute. It has no order and does not read back. It panics unless Of is 1 to MaxShards.
func (s Shards) Codec() Codec {
	if s.Of < 1 || s.Of > MaxShards {
		panic("keys: Shards.Codec: 1 to 10,000 shards")
	}
	return Codec{base: hash, shards: uint16(s.Of)}
}

// AppendShard writes shard i, counted from 0, behind dst, where it is known by its number. The codec is that of Shards.
func (c Codec) AppendShard(dst []byte, i int) ([]byte, error) {
	return Shards{Of: int(c.shards)}.Append(dst, i)
}

// IsShard reports whether the codec, that of Shards, can have written the text.
func (c Codec) IsShard(text string) bool {
	_, err := Shards{Of: int(c.shards)}.Decode(text)
	return err == nil
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
