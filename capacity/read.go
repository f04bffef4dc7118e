package capacity

// blocks is ⌈size / block⌉, at least 1, as a float64 so that expectations use the same function.
func blocks(size, block float64) float64 {
	if size <= block { // also for nothing read or written: every operation costs at least one block
		return 1
	}
	n := float64(int64(size / block))
	if float64(n*block) < size {
		n++
	}
	return n
}

// Get is what reading one item by its key consumes: GetItem, one key of BatchGetItem or one action of
// TransactGetItems. Each item is rounded up on its own (read-write-operations). A missing item has size 0 and costs the
// minimum. A projection changes nothing.
func Get(item Bytes, c Consistency) ReadUnits {
	return c.units(blocks(float64(item), float64(ReadBlock)))
}

// BatchGet is what a BatchGetItem or TransactGetItems of items of these sizes consumes: the sum of Get over them.
func BatchGet(items []Bytes, c Consistency) ReadUnits {
	var sum ReadUnits
	for _, size := range items {
		sum += Get(size, c)
	}
	return sum
}

// Query is what one page of a Query or Scan consumes: page is the sum of the sizes of all items that it evaluated, before
// any filter, or of their entries if it reads an index; the sum is rounded up once (Query.CapacityUnits). Nothing
// evaluated costs the minimum.
func Query(page Bytes, c Consistency) ReadUnits { return Get(page, c) }

// PageFull reports whether a page of Query or Scan that has evaluated items of this size in sum ends here. The item that
// reaches or crosses 1 MB still belongs to the page: full pages of items of 1 KB consume 257 blocks, not 256 (measured
// on AWS, see the ledger).
func PageFull(evaluated Bytes) bool { return evaluated >= PageBytes }

// FetchBack is what a Query or Scan of a local secondary index consumes on the table, besides Query on the index, when it
// asks for attributes that the index does not project: every item evaluated is read from the table and rounded on its
// own (LSI, "Item size calculations"; measured on AWS). items are the sizes of the whole items.
func FetchBack(items []Bytes, c Consistency) ReadUnits { return BatchGet(items, c) }
