package wire

import (
	"strconv"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// TransactGetItemsInput is the request of TransactGetItems.
type TransactGetItemsInput struct {
	Items          []TransactGet
	ReturnConsumed string // "INDEXES", "TOTAL", "NONE" or empty
}

// TransactGet is one item that a transaction reads.
type TransactGet struct {
	TableName            string
	Key                  Attributes
	ProjectionExpression *string
	Names                map[string]string // ExpressionAttributeNames
}

// DecodeTransactGetItems reads a request. The error is an *Error.
func DecodeTransactGetItems(body []byte) (*TransactGetItemsInput, error) {
	in := new(TransactGetItemsInput)
	r := read(body)
	var consumed text
	var items bool
	var tables []text
	var gets, keys []bool
	for name := range r.Fields("TransactGetItemsInput") {
		switch string(name) {
		case "TransactItems":
			if items = !r.Null(); !items {
				continue
			}
			for range r.Elems() {
				var g TransactGet
				var table text
				var get, key bool
				for name := range r.Fields("TransactGetItem") {
					if string(name) != "Get" {
						continue
					}
					if get = !r.Null(); get {
						g, table, key = decodeTransactGet(r)
					}
				}
				in.Items = append(in.Items, g)
				tables, gets, keys = append(tables, table), append(gets, get), append(keys, key)
			}
		case "ReturnConsumedCapacity":
			consumed = r.text()
		}
	}
	return in, r.finish(func() {
		in.ReturnConsumed = r.enum("returnConsumedCapacity", consumed, wordsReturnConsumedCapacity)
		r.transactItems(items, len(in.Items))
		for i := range in.Items {
			path := "transactItems." + member(i) + ".get"
			r.require(path, gets[i])
			if gets[i] {
				in.Items[i].TableName = r.table(path+".tableName", tables[i])
				r.require(path+".key", keys[i])
			}
		}
	})
}

// transactItems checks the list of a transaction's actions.
func (r *request) transactItems(present bool, n int) {
	switch {
	case !present:
		r.require("transactItems", false)
	case n == 0:
		r.violate("'[]'", "transactItems", "Member must have length greater than or equal to 1")
	case n > capacity.TransactionActions:
		r.violate("", "transactItems", "Member must have length less than or equal to "+strconv.Itoa(capacity.TransactionActions))
	}
}

func decodeTransactGet(r *request) (g TransactGet, table text, key bool) {
	for name := range r.Fields("Get") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "Key":
			g.Key, key = r.attributes()
		case "ProjectionExpression":
			g.ProjectionExpression = r.textPointer()
		case "ExpressionAttributeNames":
			g.Names = r.names()
		}
	}
	return g, table, key
}

// Append appends the request's JSON to dst.
func (in *TransactGetItemsInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("TransactItems")
	o.list(len(in.Items), func(o *object, i int) {
		g := &in.Items[i]
		e := Expressions{Names: g.Names}
		o.nested(func(o *object) {
			o.key("Get")
			o.nested(func(o *object) {
				o.text("TableName", g.TableName)
				o.item("Key", g.Key.Item)
				o.optional("ProjectionExpression", g.ProjectionExpression)
				e.append(o)
			})
		})
	})
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	return o.end()
}

// TransactGetItemsOutput is the answer of TransactGetItems.
type TransactGetItemsOutput struct {
	Items            []Raw // one for each key, in order: nil where there is no item
	ConsumedCapacity []ConsumedCapacity
}

// Append appends the answer's JSON to dst.
func (out *TransactGetItemsOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.consumedList(out.ConsumedCapacity)
	o.key("Responses")
	o.list(len(out.Items), func(o *object, i int) {
		o.nested(func(o *object) { o.raw("Item", out.Items[i]) })
	})
	return o.end()
}

// DecodeTransactGetItemsOutput reads an answer. The items are parts of body.
func DecodeTransactGetItemsOutput(body []byte) (*TransactGetItemsOutput, error) {
	out := new(TransactGetItemsOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("TransactGetItemsOutput") {
		switch string(name) {
		case "Responses":
			for range d.Elems() {
				var it Raw
				for name := range d.Fields("ItemResponse") {
					if string(name) == "Item" {
						it = Raw(d.Raw())
					}
				}
				out.Items = append(out.Items, it)
			}
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumedList(d)
		}
	}
	return out, d.End()
}

// member is the part of a path that names the i-th element of a list, counted from 0.
func member(i int) string { return strconv.Itoa(i+1) + ".member" }
