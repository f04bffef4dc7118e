package wire

import "github.com/tablewright/tablewright/attr"

// PutItemInput is the request of PutItem.
type PutItemInput struct {
	TableName string
	Item      Attributes
	Condition Condition
	// ReturnValues is "NONE", "ALL_OLD" or empty.
	ReturnValues string
	Report       Report
	Expectations
}

// Report is which figures an answer shall have.
type Report struct {
	ConsumedCapacity      string // "INDEXES", "TOTAL", "NONE" or empty
	ItemCollectionMetrics string // "SIZE", "NONE" or empty

	capacity, metrics text
}

func (p *Report) member(r *request, name []byte) bool {
	switch string(name) {
	case "ReturnConsumedCapacity":
		p.capacity = r.text()
	case "ReturnItemCollectionMetrics":
		p.metrics = r.text()
	default:
		return false
	}
	return true
}

func (p *Report) check(r *request) {
	p.checkCapacity(r)
	p.checkMetrics(r)
}

func (p *Report) checkCapacity(r *request) {
	p.ConsumedCapacity = r.enum("returnConsumedCapacity", p.capacity, wordsReturnConsumedCapacity)
}

func (p *Report) checkMetrics(r *request) {
	p.ItemCollectionMetrics = r.enum("returnItemCollectionMetrics", p.metrics, wordsReturnMetrics)
}

func (p *Report) append(o *object) {
	o.word("ReturnConsumedCapacity", p.ConsumedCapacity)
	o.word("ReturnItemCollectionMetrics", p.ItemCollectionMetrics)
}

// DecodePutItem reads a request. The error is an *Error.
func DecodePutItem(body []byte) (*PutItemInput, error) {
	in := new(PutItemInput)
	r := read(body)
	var table, values text
	var item bool
	for name := range r.Fields("PutItemInput") {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "Item":
			in.Item, item = r.attributes()
		case "ReturnValues":
			values = r.text()
		default:
			if !in.Report.member(r, name) && !in.Expectations.member(r, name) {
				in.Condition.member(r, name)
			}
		}
	}
	return in, r.finish(func() {
		in.Report.checkCapacity(r)
		in.TableName = r.table("tableName", table)
		r.require("item", item)
		in.Expectations.check(r)
		in.ReturnValues = r.enum("returnValues", values, wordsReturnValues)
		in.Report.checkMetrics(r)
		in.Condition.check(r, "returnValuesOnConditionCheckFailure")
	})
}

// Append appends the request's JSON to dst.
func (in *PutItemInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.text("TableName", in.TableName)
	o.item("Item", in.Item.Item)
	in.Condition.append(&o)
	in.Expectations.append(&o)
	o.word("ReturnValues", in.ReturnValues)
	in.Report.append(&o)
	return o.end()
}

// WriteOutput is the answer of PutItem, UpdateItem and DeleteItem.
type WriteOutput struct {
	Attributes       Raw // as ReturnValues asks; nil if there is nothing to return
	ConsumedCapacity *ConsumedCapacity
	Metrics          *ItemCollectionMetrics
}

// Append appends the answer's JSON to dst.
func (out *WriteOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.raw("Attributes", out.Attributes)
	o.consumed(out.ConsumedCapacity)
	if out.Metrics != nil {
		o.key("ItemCollectionMetrics")
		o.dst = out.Metrics.append(o.dst)
	}
	return o.end()
}

// DecodeWriteOutput reads an answer of PutItem, UpdateItem or DeleteItem. Attributes is a part of body.
func DecodeWriteOutput(body []byte) (*WriteOutput, error) {
	out := new(WriteOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("PutItemOutput") {
		switch string(name) {
		case "Attributes":
			out.Attributes = Raw(d.Raw())
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumed(d)
		case "ItemCollectionMetrics":
			out.Metrics = decodeMetrics(d)
		}
	}
	return out, d.End()
}
