package stats

import (
	"cmp"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/wire"
)

// compute fills in the units of a call whose answer tells none, with the arithmetic of package capacity, from what was sent
// and received. That is exact for reads of whole items by key, and for queries whose items all came back whole; else it is the
// best guess that needs no knowledge of what is stored, and mostly the least that it can have been: the item that a write
// replaced is taken to be no larger than the one that is put, that of an update or delete to be small unless it was returned,
// items that a filter left out to be as large on average as those that came. Indexes that a write touches are not counted.
func (c *Collector) compute(s *scratch, call *tablewright.Call, failure *wire.Error) {
	e, r := &s.event, &s.request
	consistency := capacity.Eventual
	if r.asks&Consistent != 0 {
		consistency = capacity.Strong
	}
	var read capacity.ReadUnits
	var write capacity.WriteUnits
	operation := cmp.Or(e.As, call.Operation)
	switch operation {
	case "GetItem":
		item := attr.LookupRaw(call.Response, "Item")
		for one := range attr.Elements(attr.LookupRaw(call.Response, "Items")) { // of a statement
			item = one
		}
		read = capacity.Get(size(item), consistency)
	case "Query", "Scan", "ExecuteStatement":
		var sum capacity.Bytes
		n := 0
		for item := range attr.Elements(attr.LookupRaw(call.Response, "Items")) {
			sum += size(item)
			n++
		}
		if n > 0 && e.Scanned > n {
			sum = sum * capacity.Bytes(e.Scanned) / capacity.Bytes(n)
		}
		if operation == "ExecuteStatement" && n == 0 {
			return // most likely a write
		}
		read = capacity.Query(sum, consistency)
	case "BatchGetItem":
		found, tables := 0, attr.LookupRaw(call.Request, "RequestItems")
		for table, items := range attr.Members(attr.LookupRaw(call.Response, "Responses")) {
			of := consistency
			if string(attr.LookupRaw(attr.LookupRaw(tables, string(table)), "ConsistentRead")) == "true" {
				of = capacity.Strong
			}
			for item := range attr.Elements(items) {
				read += capacity.Get(size(item), of)
				found++
			}
		}
		for one := range attr.Elements(attr.LookupRaw(call.Response, "Responses")) { // of statements
			if r.partAsks&Consistent != 0 {
				consistency = capacity.Strong
			}
			if item := attr.LookupRaw(one, "Item"); item != nil {
				read += capacity.Get(size(item), consistency)
				found++
			}
		}
		for range len(e.Parts) - found - e.Unprocessed {
			read += capacity.Get(0, consistency)
		}
	case "TransactGetItems":
		for one := range attr.Elements(attr.LookupRaw(call.Response, "Responses")) {
			read += capacity.Get(size(attr.LookupRaw(one, "Item")), capacity.Transactional)
		}
	case "PutItem", "UpdateItem", "DeleteItem":
		put := 0
		if r.item != nil {
			put = sizeOf(r.fields)
		}
		before := size(attr.LookupRaw(call.Response, "Attributes"))
		if failure != nil {
			before = size(failure.Item)
		}
		write = capacity.Write(before, capacity.Bytes(put))
	case "BatchWriteItem":
		for i := range e.Parts {
			write += capacity.WriteUnits(e.Parts[i].Write)
		}
		if n := len(e.Parts); n > 0 {
			write *= capacity.WriteUnits(n-min(e.Unprocessed, n)) / capacity.WriteUnits(n)
		}
	case "TransactWriteItems":
		for i := range e.Parts {
			write += capacity.Transact(capacity.WriteUnits(e.Parts[i].Write))
		}
	default:
		return
	}
	e.Units = Computed
	e.Read, e.Write = float64(read), float64(write)
	if len(e.Parts) == 0 {
		e.Arms = append(e.Arms, Arm{e.Table, e.Index, e.Read, e.Write})
		return
	}
	var weight float64
	for i := range e.Parts {
		weight += e.Parts[i].Write
	}
	for i := range e.Parts { // by table
		p := &e.Parts[i]
		at := -1
		for j := range e.Arms {
			if e.Arms[j].Table == p.Table {
				at = j
			}
		}
		if at < 0 {
			at = len(e.Arms)
			e.Arms = append(e.Arms, Arm{Table: p.Table})
		}
		e.Arms[at].Read += e.Read * p.Write / weight
		e.Arms[at].Write += e.Write * p.Write / weight
	}
}

func size(item []byte) capacity.Bytes { return capacity.Bytes(attr.ItemSize(item)) }
