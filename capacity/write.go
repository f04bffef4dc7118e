package capacity

// Write is what PutItem, UpdateItem or DeleteItem consumes on the table: the larger of the item before and after, in blocks
// of 1 KB, at least 1 (read-write-operations). An absent item has size 0: a put of a new item is Write(0, size), a
// delete is Write(size, 0), a delete of a missing item costs 1. A write whose condition failed consumes the same, with
// both sizes that of the stored item. The indexes' arms come on top: [Index.Write].
func Write(before, after Bytes) WriteUnits {
	return WriteUnits(blocks(float64(max(before, after)), float64(WriteBlock)))
}

// Transact is what a write's table arm consumes as an action of TransactWriteItems: twice (transaction-apis). Index arms
// of the same action are not doubled (measured on AWS; DynamoDB Local doubles them).
func Transact(table WriteUnits) WriteUnits { return table + table }

// ConditionCheck is what a ConditionCheck action of TransactWriteItems consumes: it is billed as a transacted write of the
// item that it read, 2 for a small or missing one (measured on AWS; DynamoDB Local charges 2 for any size).
func ConditionCheck(item Bytes) WriteUnits { return Transact(Write(item, item)) }

// Replay is what one action of a TransactWriteItems consumes when it is repeated with a client token that already
// succeeded: nothing is written, its image is read transactionally (measured on AWS).
func Replay(before, after Bytes) ReadUnits { return Get(max(before, after), Transactional) }
