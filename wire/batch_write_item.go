package wire

import (
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// BatchWriteItemInput is the request of BatchWriteItem.
type BatchWriteItemInput struct {
	Tables []WritesOfTable // in the order of the request
	Report Report
}

// WritesOfTable are what a batch writes to one table.
type WritesOfTable struct {
	TableName string // as in the request: a name or an ARN
	Writes    []BatchWrite
}

// BatchWrite puts an item or deletes one: exactly one of the two is set.
type BatchWrite struct {
	Put    *Attributes // the item of a PutRequest
	Delete *Attributes // the key of a DeleteRequest
}

// DecodeBatchWriteItem reads a request. The error is an *Error.
func DecodeBatchWriteItem(body []byte) (*BatchWriteItemInput, error) {
	in := new(BatchWriteItemInput)
	r := read(body)
	var items bool
	for name := range r.Fields("BatchWriteItemInput") {
		switch string(name) {
		case "RequestItems":
			if items = !r.Null(); items {
				in.Tables = decodeWritesOfTables(r, true)
			}
		default:
			in.Report.member(r, name)
		}
	}
	return in, r.finish(func() {
		in.Report.check(r)
		r.require("requestItems", items)
		if items && len(in.Tables) == 0 {
			r.alone = Invalid("The requestItems parameter is required for BatchWriteItem")
		}
		for _, t := range in.Tables {
			if err := tableName("requestItems."+t.TableName, t.TableName); err != nil && r.alone == nil {
				r.alone = err
			}
			if n := len(t.Writes); n < 1 || n > capacity.BatchWriteItems {
				r.violate("'{"+t.TableName+"="+javaWrites(t.Writes)+"}'", "requestItems",
					"Map value must satisfy constraint: [Member must have length less than or equal to "+strconv.Itoa(capacity.BatchWriteItems)+
						", Member must have length greater than or equal to 1]")
			}
		}
	})
}

// javaWrites shows a list as the service's messages do, without the items' values, which are the caller's.
func javaWrites(writes []BatchWrite) string {
	parts := make([]string, len(writes))
	for i, w := range writes {
		switch {
		case w.Put != nil:
			parts[i] = "WriteRequest(putRequest=PutRequest(item={…}), deleteRequest=null)"
		case w.Delete != nil:
			parts[i] = "WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={…}))"
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// decodeWritesOfTables reads the map of tables; with checks, of a request.
func decodeWritesOfTables(r *request, checks bool) (l []WritesOfTable) {
	for table := range r.Entries("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>") {
		r.generic(attr.JSONArray)
		t := WritesOfTable{TableName: string(table)}
		for i := range r.Elems() {
			t.Writes = append(t.Writes, decodeBatchWrite(r, "requestItems."+t.TableName+".member."+member(i), checks))
		}
		l = append(l, t)
	}
	return l
}

func decodeBatchWrite(r *request, path string, checks bool) (w BatchWrite) {
	side := func(class, member, path string) *Attributes {
		if r.Null() {
			return nil
		}
		a := new(Attributes)
		present := false
		for name := range r.Fields(class) {
			if string(name) == member {
				*a, present = r.attributes()
			}
		}
		if checks {
			r.require(path, present)
		}
		return a
	}
	for name := range r.Fields("WriteRequest") {
		switch string(name) {
		case "PutRequest":
			w.Put = side("PutRequest", "Item", path+".putRequest.item")
		case "DeleteRequest":
			w.Delete = side("DeleteRequest", "Key", path+".deleteRequest.key")
		}
	}
	return w
}

// Append appends the request's JSON to dst.
func (in *BatchWriteItemInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("RequestItems")
	o.dst = appendWritesOfTables(o.dst, in.Tables)
	in.Report.append(&o)
	return o.end()
}

func appendWritesOfTables(dst []byte, tables []WritesOfTable) []byte {
	o := begin(dst)
	for _, t := range tables {
		o.key(t.TableName)
		o.list(len(t.Writes), func(o *object, i int) {
			switch w := &t.Writes[i]; {
			case w.Put != nil:
				o.dst = append(attr.AppendItem(append(o.dst, `{"PutRequest":{"Item":`...), w.Put.Item), "}}"...)
			case w.Delete != nil:
				o.dst = append(attr.AppendItem(append(o.dst, `{"DeleteRequest":{"Key":`...), w.Delete.Item), "}}"...)
			default:
				o.dst = append(o.dst, "{}"...) // as it was read
			}
		})
	}
	return o.end()
}

// BatchWriteItemOutput is the answer of BatchWriteItem.
type BatchWriteItemOutput struct {
	Unprocessed      []WritesOfTable                    // UnprocessedItems
	Metrics          map[string][]ItemCollectionMetrics // by table; nil if not asked for
	ConsumedCapacity []ConsumedCapacity
}

// Append appends the answer's JSON to dst.
func (out *BatchWriteItemOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("UnprocessedItems") // always sent, as captured on AWS
	o.dst = appendWritesOfTables(o.dst, out.Unprocessed)
	o.metricsByTable(out.Metrics)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

// DecodeBatchWriteItemOutput reads an answer, except its item collection metrics.
func DecodeBatchWriteItemOutput(body []byte) (*BatchWriteItemOutput, error) {
	out := new(BatchWriteItemOutput)
	r := &request{Decoder: attr.NewDecoder(body)}
	for name := range r.Fields("BatchWriteItemOutput") {
		switch string(name) {
		case "UnprocessedItems":
			out.Unprocessed = decodeWritesOfTables(r, false)
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumedList(r.Decoder)
		}
	}
	return out, r.End()
}
