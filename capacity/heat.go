package capacity

import "math"

// Heat is the share of what one partition can do that a load of so many units per second takes: 1 is its limit. Reads
// and writes are limited apart; the larger share counts (bp-partition-key-design). It is the measure for a single item and
// for an item collection that cannot be split, because it has an LSI or its sort key only grows.
func Heat(read ReadUnits, write WriteUnits) float64 {
	return max(float64(read/PartitionReads), float64(write/PartitionWrites))
}

// shardHeadroom is how much more than the peak a sharded key is made to carry.
const shardHeadroom = 1.5

// Shards is over how many partition keys a load of so many units per second at peak is to be spread so that each stays
// below its limits with half as much again to spare: 1, or a power of two so that it can be doubled later.
func Shards(read ReadUnits, write WriteUnits) int {
	heat := Heat(read, write)
	if heat <= 1 {
		return 1
	}
	n := 1
	for float64(n) < float64(shardHeadroom*heat) && n < math.MaxInt32 {
		n *= 2
	}
	return n
}

// transactionSeconds is about how long an item is held by a transaction that writes it.
const transactionSeconds = 0.010

// What a share of conflicting transactions means for a design.
const (
	ContentionWarning = 0.05 // retries are noticed
	ContentionLimit   = 0.20 // many are sent twice and more: shard the item, or take it out of the transaction, where that is possible
	ContentionBusy    = 1.00 // one transaction or another holds the item all the time, if each holds it as long as is assumed
	ContentionFull    = 2.00 // more cannot pass, however often they are sent, even if each holds the item half as long
)

// Contention is about the share of transactions on one item that find it held by another one and fail with
// TransactionConflict: the rate of transactions that write the item times the time that each holds it, some 10 ms
// (transaction-apis describes conflicts; the duration is a rule of practice: about what a transaction of a few items takes altogether, of
// which it holds an item for the larger part).
func Contention(perSecond float64) float64 {
	if !(perSecond > 0) {
		return 0
	}
	return float64(perSecond * transactionSeconds)
}
