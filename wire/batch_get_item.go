package wire

import (
	"strconv"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// BatchGetItemInput is the request of BatchGetItem.
type BatchGetItemInput struct {
	Tables         []KeysOfTable // in the order of the request
	ReturnConsumed string        // "INDEXES", "TOTAL", "NONE" or empty
}

// KeysOfTable are the items wanted of one table.
type KeysOfTable struct {
	TableName            string       // as in the request: a name or an ARN
	Keys                 []Attributes // nil if absent
	ConsistentRead       bool
	ProjectionExpression *string
	Names                map[string]string // ExpressionAttributeNames
	AttributesToGet      []string          // from before expressions; nil if absent
}

// DecodeBatchGetItem reads a request. The error is an *Error.
func DecodeBatchGetItem(body []byte) (*BatchGetItemInput, error) {
	in := new(BatchGetItemInput)
	r := read(body)
	var consumed text
	var items bool
	for name := range r.Fields("BatchGetItemInput") {
		switch string(name) {
		case "RequestItems":
			if items = !r.Null(); items {
				in.Tables = decodeKeysOfTables(r)
			}
		case "ReturnConsumedCapacity":
			consumed = r.text()
		}
	}
	return in, r.finish(func() {
		in.ReturnConsumed = r.enum("returnConsumedCapacity", consumed, wordsReturnConsumedCapacity)
		r.require("requestItems", items)
		if items && len(in.Tables) == 0 {
			r.alone = Invalid("The requestItems parameter is required for BatchGetItem")
		}
		for _, t := range in.Tables {
			if err := tableName("requestItems."+t.TableName, t.TableName); err != nil && r.alone == nil {
				r.alone = err
			}
			switch n := len(t.Keys); {
			case t.Keys == nil:
				r.require("requestItems."+t.TableName+".member.keys", false)
			case n == 0:
				r.violate("", "requestItems."+t.TableName+".member.keys", "Member must have length greater than or equal to 1")
			case n > capacity.BatchGetItems:
				r.violate("", "RequestItems."+t.TableName+".member.Keys", "Member must have length less than or equal to "+strconv.Itoa(capacity.BatchGetItems))
			}
			r.checkAttributesToGet("requestItems."+t.TableName+".member.attributesToGet", t.AttributesToGet)
		}
	})
}

func decodeKeysOfTables(r *request) (l []KeysOfTable) {
	for table := range r.Entries("KeysAndAttributes") {
		t := KeysOfTable{TableName: string(table)}
		for name := range r.Fields("KeysAndAttributes") {
			switch string(name) {
			case "Keys":
				if r.Null() {
					continue
				}
				t.Keys = []Attributes{}
				for range r.Elems() {
					r.generic(attr.JSONObject)
					a, _ := r.attributes()
					t.Keys = append(t.Keys, a)
				}
			case "ConsistentRead":
				t.ConsistentRead = r.Bool()
			case "ProjectionExpression":
				t.ProjectionExpression = r.textPointer()
			case "ExpressionAttributeNames":
				t.Names = r.names()
			case "AttributesToGet":
				t.AttributesToGet = r.attributesToGet()
			}
		}
		l = append(l, t)
	}
	return l
}

// Append appends the request's JSON to dst.
func (in *BatchGetItemInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("RequestItems")
	o.dst = appendKeysOfTables(o.dst, in.Tables)
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	return o.end()
}

func appendKeysOfTables(dst []byte, tables []KeysOfTable) []byte {
	o := begin(dst)
	for _, t := range tables {
		o.key(t.TableName)
		o.nested(func(o *object) {
			o.key("Keys")
			o.list(len(t.Keys), func(o *object, i int) { o.dst = attr.AppendItem(o.dst, t.Keys[i].Item) })
			o.truth("ConsistentRead", t.ConsistentRead)
			o.optional("ProjectionExpression", t.ProjectionExpression)
			e := Expressions{Names: t.Names}
			e.append(o)
			o.attributesToGet(t.AttributesToGet)
		})
	}
	return o.end()
}

// BatchGetItemOutput is the answer of BatchGetItem.
type BatchGetItemOutput struct {
	Responses        []ItemsOfTable
	Unprocessed      []KeysOfTable // UnprocessedKeys
	ConsumedCapacity []ConsumedCapacity
}

// ItemsOfTable are items found in one table, in no particular order.
type ItemsOfTable struct {
	TableName string // as in the request: a name or an ARN
	Items     RawList
}

// Append appends the answer's JSON to dst.
func (out *BatchGetItemOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("Responses")
	o.nested(func(o *object) {
		for i := range out.Responses {
			o.key(out.Responses[i].TableName)
			o.dst = out.Responses[i].Items.append(o.dst)
		}
	})
	o.key("UnprocessedKeys") // always sent, as captured on AWS
	o.dst = appendKeysOfTables(o.dst, out.Unprocessed)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

// DecodeBatchGetItemOutput reads an answer.
func DecodeBatchGetItemOutput(body []byte) (*BatchGetItemOutput, error) {
	out := new(BatchGetItemOutput)
	r := &request{Decoder: attr.NewDecoder(body)}
	for name := range r.Fields("BatchGetItemOutput") {
		switch string(name) {
		case "Responses":
			for table := range r.Entries("List") {
				t := ItemsOfTable{TableName: string(table)}
				t.Items = decodeRawList(r.Decoder)
				out.Responses = append(out.Responses, t)
			}
		case "UnprocessedKeys":
			out.Unprocessed = decodeKeysOfTables(r)
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumedList(r.Decoder)
		}
	}
	return out, r.End()
}
