package stats

import (
	"cmp"
	"slices"
)

// EntryCounts are the writes that changed entries of an index, of all calls.
type EntryCounts struct {
	Calls float64 `json:"calls"` // that consumed write units of the index: of a batch or transaction one, whatever its parts did
	Write float64 `json:"write"` // units of the index
	// Keys are the partition keys of the index under which entries were put, as far as requests tell them: of updates those that set it.
	// They are of calls that were looked into, weighted, and by hash. Of more than 32 there are none, and Many is set.
	Keys []EntryKey `json:"keys,omitempty"`
	Many bool       `json:"many,omitempty"`
}

// EntryKey is what writes put under one partition key of an index.
type EntryKey struct {
	Hash  uint64  `json:"hash,string"` // as Key.Hash
	Write float64 `json:"write"`       // units of the entries put there, without those of entries that were removed elsewhere
}

// entryKeysKept is how many partition keys of an index are told apart for each operation: an index with more has owners for keys, not
// states, and nobody asks for the units of each.
const entryKeysKept = 32

// put counts units under a partition key.
func (n *EntryCounts) put(hash uint64, write float64) {
	if n.Many || write == 0 {
		return
	}
	at, known := slices.BinarySearchFunc(n.Keys, hash, func(k EntryKey, hash uint64) int { return cmp.Compare(k.Hash, hash) })
	switch {
	case known:
		n.Keys[at].Write += write
	case len(n.Keys) < entryKeysKept:
		n.Keys = slices.Insert(n.Keys, at, EntryKey{hash, write})
	default:
		n.Keys, n.Many = nil, true
	}
}

func (n *EntryCounts) merge(o *EntryCounts) {
	n.Calls += o.Calls
	n.Write += o.Write
	if o.Many {
		n.Keys, n.Many = nil, true
	}
	for _, k := range o.Keys {
		n.put(k.Hash, k.Write)
	}
}
