package wire

import (
	"github.com/tablewright/tablewright/attr"
)

// QueryInput is the request of Query.
type QueryInput struct {
	Reading
	KeyConditionExpression *string
	ScanIndexForward       *bool        // nil: true
	KeyConditions          []Comparison // from before expressions, as QueryFilter
	QueryFilter            []Comparison
}

// Reading is what Query and Scan requests have in common.
type Reading struct {
	TableName            string
	IndexName            *string
	Select               string // "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT" or empty
	FilterExpression     *string
	ProjectionExpression *string
	Expressions          Expressions
	Limit                *int // items to look at, at most
	ConsistentRead       bool
	StartKey             *Attributes // ExclusiveStartKey
	ReturnConsumed       string      // "INDEXES", "TOTAL", "NONE" or empty
	// From before expressions:
	AttributesToGet     []string // nil if absent
	ConditionalOperator string   // "AND", "OR" or empty

	table, index, words, consumed, operator text
}

func (in *Reading) member(r *request, name []byte) {
	switch string(name) {
	case "TableName":
		in.table = r.text()
	case "IndexName":
		in.index = r.text()
	case "Select":
		in.words = r.text()
	case "FilterExpression":
		in.FilterExpression = r.textPointer()
	case "ProjectionExpression":
		in.ProjectionExpression = r.textPointer()
	case "Limit":
		in.Limit = r.intPointer()
	case "ConsistentRead":
		in.ConsistentRead = r.Bool()
	case "ExclusiveStartKey":
		if a, ok := r.attributes(); ok {
			in.StartKey = &a
		}
	case "ReturnConsumedCapacity":
		in.consumed = r.text()
	case "AttributesToGet":
		in.AttributesToGet = r.attributesToGet()
	case "ConditionalOperator":
		in.operator = r.text()
	default:
		in.Expressions.member(r, name)
	}
}

// checkFirst and checkLast check what stands around an operation's own members, in the order in which the service tells
// several violations.
func (in *Reading) checkFirst(r *request) {
	in.ReturnConsumed = r.enum("returnConsumedCapacity", in.consumed, wordsReturnConsumedCapacity)
	r.checkAttributesToGet("attributesToGet", in.AttributesToGet)
}

func (in *Reading) checkLast(r *request) {
	in.TableName = r.table("tableName", in.table)
	in.IndexName = r.index("indexName", in.index)
}

func (in *Reading) append(o *object) {
	o.text("TableName", in.TableName)
	o.optional("IndexName", in.IndexName)
	o.word("Select", in.Select)
	o.optional("FilterExpression", in.FilterExpression)
	o.optional("ProjectionExpression", in.ProjectionExpression)
	in.Expressions.append(o)
	o.optionalInt("Limit", in.Limit)
	o.truth("ConsistentRead", in.ConsistentRead)
	if in.StartKey != nil {
		o.item("ExclusiveStartKey", in.StartKey.Item)
	}
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	o.attributesToGet(in.AttributesToGet)
	o.word("ConditionalOperator", in.ConditionalOperator)
}

// DecodeQuery reads a request. The error is an *Error.
func DecodeQuery(body []byte) (*QueryInput, error) {
	in := new(QueryInput)
	r := read(body)
	for name := range r.Fields("QueryInput") {
		switch string(name) {
		case "KeyConditionExpression":
			in.KeyConditionExpression = r.textPointer()
		case "ScanIndexForward":
			in.ScanIndexForward = r.boolPointer()
		case "KeyConditions":
			in.KeyConditions = r.comparisons("Condition")
		case "QueryFilter":
			in.QueryFilter = r.comparisons("Condition")
		default:
			in.member(r, name)
		}
	}
	return in, r.finish(func() {
		if in.Limit != nil && *in.Limit < 1 { // the service neither shows the value nor writes the member as elsewhere
			r.violate("", "Limit", "Member must have value greater than or equal to 1")
		}
		in.checkFirst(r)
		r.checkComparisons("queryFilter", in.QueryFilter, true)
		in.Select = r.enum("select", in.words, wordsSelect)
		in.ConditionalOperator = r.enum("conditionalOperator", in.operator, wordsConditional)
		r.checkComparisons("keyConditions", in.KeyConditions, true)
		in.checkLast(r)
	})
}

// Append appends the request's JSON to dst.
func (in *QueryInput) Append(dst []byte) []byte {
	o := begin(dst)
	in.append(&o)
	o.optional("KeyConditionExpression", in.KeyConditionExpression)
	o.optionalBool("ScanIndexForward", in.ScanIndexForward)
	o.comparisons("KeyConditions", in.KeyConditions)
	o.comparisons("QueryFilter", in.QueryFilter)
	return o.end()
}

// ReadOutput is the answer of Query and Scan.
type ReadOutput struct {
	Items            *RawList // nil where only the count was asked for
	Count            int
	Scanned          int // items looked at, before the filter
	LastKey          Raw // LastEvaluatedKey: nil if nothing follows
	ConsumedCapacity *ConsumedCapacity
}

// Append appends the answer's JSON to dst.
func (out *ReadOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.int("Count", out.Count)
	if out.Items != nil {
		o.key("Items")
		o.dst = out.Items.append(o.dst)
	}
	o.raw("LastEvaluatedKey", out.LastKey)
	o.int("ScannedCount", out.Scanned)
	o.consumed(out.ConsumedCapacity)
	return o.end()
}

// DecodeReadOutput reads an answer of Query or Scan.
func DecodeReadOutput(body []byte) (*ReadOutput, error) {
	out := new(ReadOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("QueryOutput") {
		switch string(name) {
		case "Items":
			l := decodeRawList(d)
			out.Items = &l
		case "Count":
			out.Count = d.Int()
		case "ScannedCount":
			out.Scanned = d.Int()
		case "LastEvaluatedKey":
			out.LastKey = Raw(d.Raw())
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumed(d)
		}
	}
	return out, d.End()
}
