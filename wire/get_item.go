package wire

import "github.com/tablewright/tablewright/attr"

// GetItemInput is the request of GetItem.
type GetItemInput struct {
	TableName            string
	Key                  Attributes
	ConsistentRead       bool
	ProjectionExpression *string
	Names                map[string]string // ExpressionAttributeNames
	ReturnConsumed       string            // "INDEXES", "TOTAL", "NONE" or empty
	AttributesToGet      []string          // from before expressions; nil if absent
}

// DecodeGetItem reads a request. The error is an *Error.
func DecodeGetItem(body []byte) (*GetItemInput, error) {
	in := new(GetItemInput)
	r := read(body)
	var table, consumed text
	var key bool
	for name := range r.Fields("GetItemInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "Key":
			in.Key, key = r.attributes()
		case "ConsistentRead":
			in.ConsistentRead = r.Bool()
		case "ProjectionExpression":
			in.ProjectionExpression = r.textPointer()
		case "ExpressionAttributeNames":
			in.Names = r.names()
		case "ReturnConsumedCapacity":
			consumed = r.text()
		case "AttributesToGet":
			in.AttributesToGet = r.attributesToGet()
		}
	}
	return in, r.finish(func() {
		in.ReturnConsumed = r.enum("returnConsumedCapacity", consumed, wordsReturnConsumedCapacity)
		r.checkAttributesToGet("attributesToGet", in.AttributesToGet)
		in.TableName = r.table("tableName", table)
		r.require("key", key)
	})
}

// Append appends the request's JSON to dst.
func (in *GetItemInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.text("TableName", in.TableName)
	o.item("Key", in.Key.Item)
	o.truth("ConsistentRead", in.ConsistentRead)
	o.optional("ProjectionExpression", in.ProjectionExpression)
	e := Expressions{Names: in.Names}
	e.append(&o)
	o.attributesToGet(in.AttributesToGet)
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	return o.end()
}

// GetItemOutput is the answer of GetItem.
type GetItemOutput struct {
	Item             Raw // nil if there is no such item
	ConsumedCapacity *ConsumedCapacity
}

// Append appends the answer's JSON to dst.
func (out *GetItemOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.raw("Item", out.Item)
	o.consumed(out.ConsumedCapacity)
	return o.end()
}

// DecodeGetItemOutput reads an answer. Item is a part of body.
func DecodeGetItemOutput(body []byte) (*GetItemOutput, error) {
	out := new(GetItemOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("GetItemOutput") {
		switch string(name) {
		case "Item":
			out.Item = Raw(d.Raw())
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumed(d)
		}
	}
	return out, d.End()
}
