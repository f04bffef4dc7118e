package engine

import (
	"encoding/binary"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Keys of items and entries in their spaces:
//
//	table         hash, partition key, sort key
//	local index   hash, partition key, index sort key, table sort key
//	global index  hash, index partition key …, index sort key …, table partition key, table sort key
//	expiry index  time to live, table partition key, table sort key
//
// Each part but the hash is an attr key, which sorts as DynamoDB sorts and ends itself. The hash, 4 bytes, is of the
// partition key (all its attributes), so that a scan has partitions in no apparent order, as the service's, and segments
// of a parallel scan are ranges of hashes of about equal size.

const hashBytes = 4

// hashOf is FNV-1a with the finalizer of MurmurHash3: short similar keys must spread over the whole range.
func hashOf(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// partitionKey is the beginning of all keys of a partition.
func partitionKey(values []attr.Value) []byte {
	key := make([]byte, hashBytes, 64)
	for _, v := range values {
		key = attr.AppendKey(key, v)
	}
	binary.BigEndian.PutUint32(key, hashOf(key[hashBytes:]))
	return key
}

// itemKey is the key of an item in its table's space; the item has the key attributes of their types.
func (t *table) itemKey(it attr.Item) []byte {
	key := make([]byte, hashBytes, 64)
	key = attr.AppendKey(key, it.Get(t.key.Hash[0].Name))
	binary.BigEndian.PutUint32(key, hashOf(key[hashBytes:]))
	if len(t.key.Range) > 0 {
		key = attr.AppendKey(key, it.Get(t.key.Range[0].Name))
	}
	return key
}

// entryKey is the key of an item's entry in an index; the item has the key attributes of both, of their types.
func (t *table) entryKey(x *index, it attr.Item) []byte {
	if x.kind == expiryIndex {
		return append(attr.AppendKey(nil, it.Get(x.key.Hash[0].Name)), t.itemKey(it)[hashBytes:]...)
	}
	key := make([]byte, hashBytes, 96)
	key = appendAttributes(key, it, x.key.Hash)
	binary.BigEndian.PutUint32(key, hashOf(key[hashBytes:]))
	key = appendAttributes(key, it, x.key.Range)
	if x.kind == globalIndex {
		key = appendAttributes(key, it, t.key.Hash)
	}
	return appendAttributes(key, it, t.key.Range)
}

func appendAttributes(key []byte, it attr.Item, attributes []expr.KeyAttr) []byte {
	for _, a := range attributes {
		key = attr.AppendKey(key, it.Get(a.Name))
	}
	return key
}

// bounds are the keys from ≤ key < to that a key condition selects.
func bounds(k *expr.KeyCondition) (from, to []byte) {
	from = partitionKey(k.Hash())
	for _, v := range k.Equal() {
		from = attr.AppendKey(from, v)
	}
	term, ok := k.Range()
	if !ok {
		return from, append(from[:len(from):len(from)], above)
	}
	return termBounds(from, term)
}

// termBounds are the keys from ≤ key < to that begin with prefix and then have a part that meets the term.
func termBounds(prefix []byte, term expr.KeyTerm) (from, to []byte) {
	from = prefix[:len(prefix):len(prefix)]
	to = append(from, above)
	switch low := term.Low; term.Op {
	case expr.KeyEqual:
		from = attr.AppendKey(from, low)
		to = append(from[:len(from):len(from)], above)
	case expr.KeyLess:
		to = attr.AppendKey(from, low)
	case expr.KeyAtMost:
		to = append(attr.AppendKey(from, low), above)
	case expr.KeyGreater:
		from = append(attr.AppendKey(from, low), above)
	case expr.KeyAtLeast:
		from = attr.AppendKey(from, low)
	case expr.KeyBetween:
		from, to = attr.AppendKey(from, low), append(attr.AppendKey(from, term.High), above)
	case expr.KeyBeginsWith:
		from = attr.AppendKeyPrefix(from, low)
		to = successor(from)
	}
	return from, to
}

// above sorts behind every part that may follow.
const above = 0xff

// successor is the first key behind all keys that begin with prefix, which has a byte below 0xff.
func successor(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; ; i-- {
		if end[i]++; end[i] != 0 {
			return end[:i+1]
		}
	}
}

// segment are the bounds of a segment of a parallel scan.
func segment(n, total int) (from, to []byte) {
	at := func(i int) []byte {
		return binary.BigEndian.AppendUint32(nil, uint32((uint64(i)<<32+uint64(total)-1)/uint64(total)))
	}
	if n+1 < total {
		to = at(n + 1)
	}
	return at(n), to
}
