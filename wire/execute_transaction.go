package wire

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// ExecuteTransactionInput is the request of ExecuteTransaction.
type ExecuteTransactionInput struct {
	Statements     []Statement
	Token          string // ClientRequestToken; empty if there is none
	ReturnConsumed string // "INDEXES", "TOTAL", "NONE" or empty
}

// DecodeExecuteTransaction reads a request. The error is an *Error.
func DecodeExecuteTransaction(body []byte) (*ExecuteTransactionInput, error) {
	in := new(ExecuteTransactionInput)
	r := read(body)
	var token, consumed text
	var there bool
	for name := range r.Fields("ExecuteTransactionInput") {
		switch string(name) {
		case "TransactStatements":
			there = !r.Null()
			if there {
				in.Statements = decodeStatements(r, "ParameterizedStatement")
			}
		case "ClientRequestToken":
			token = r.text()
		case "ReturnConsumedCapacity":
			consumed = r.text()
		}
	}
	return in, r.finish(func() {
		r.statements("transactStatements", there, in.Statements, capacity.TransactionActions)
		if token.set {
			r.length("clientRequestToken", "'"+token.s+"'", len(token.s), 1, 36)
			in.Token = token.s
		}
		in.ReturnConsumed = r.enum("returnConsumedCapacity", consumed, wordsReturnConsumedCapacity)
	})
}

// Append appends the request's JSON to dst.
func (in *ExecuteTransactionInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.statements("TransactStatements", in.Statements)
	o.word("ClientRequestToken", in.Token)
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	return o.end()
}

// ExecuteTransactionOutput is the answer of ExecuteTransaction: an item, or nil, for each statement that reads.
type ExecuteTransactionOutput struct {
	Items            []Raw
	ConsumedCapacity []ConsumedCapacity
}

// Append appends the answer's JSON to dst.
func (out *ExecuteTransactionOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("Responses") // empty for writes, as captured on AWS
	o.list(len(out.Items), func(o *object, i int) {
		o.nested(func(o *object) { o.raw("Item", out.Items[i]) })
	})
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

// DecodeExecuteTransactionOutput reads an answer.
func DecodeExecuteTransactionOutput(body []byte) (*ExecuteTransactionOutput, error) {
	out := new(ExecuteTransactionOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("ExecuteTransactionOutput") {
		switch string(name) {
		case "Responses":
			for range d.Elems() {
				var item Raw
				for name := range d.Fields("ItemResponse") {
					if string(name) == "Item" {
						item = cloneRaw(d.Raw())
					}
				}
				out.Items = append(out.Items, item)
			}
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumedList(d)
		}
	}
	return out, d.End()
}
