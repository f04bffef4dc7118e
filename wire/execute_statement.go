package wire

import (
	"unicode/utf8"

	"github.com/tablewright/tablewright/attr"
)

// Statement is a statement of PartiQL in a request, with its parameters.
type Statement struct {
	Text       string
	Parameters []attr.Value // nil: the member is not there
	// Bad is why a parameter is not a value that DynamoDB takes, or nil.
	Bad            *attr.ValueError
	ConsistentRead bool
	// ReturnOnFailure is ReturnValuesOnConditionCheckFailure: "ALL_OLD", "NONE" or empty.
	ReturnOnFailure string

	text, returnOnFailure text
}

func (s *Statement) member(r *request, name []byte) {
	switch string(name) {
	case "Statement":
		s.text = r.text()
	case "Parameters":
		if r.Null() {
			return
		}
		s.Parameters = []attr.Value{}
		for range r.Elems() {
			v, err := r.Value()
			if bad := valueError(err); bad != nil && s.Bad == nil {
				s.Bad = bad
			}
			s.Parameters = append(s.Parameters, v)
		}
	case "ConsistentRead":
		s.ConsistentRead = r.Bool()
	case "ReturnValuesOnConditionCheckFailure":
		s.returnOnFailure = r.text()
	}
}

// maxStatement is the length of a statement in characters (API_ExecuteStatement).
const maxStatement = 8192

// check checks the statement at a path, which is empty or ends with a dot.
func (s *Statement) check(r *request, path string) {
	s.Text = s.text.s
	if !s.text.set {
		r.require(path+"statement", false)
	} else {
		r.length(path+"statement", "'"+s.Text+"'", utf8.RuneCountInString(s.Text), 1, maxStatement)
	}
	if s.Parameters != nil && len(s.Parameters) == 0 {
		r.violate("'[]'", path+"parameters", "Member must have length greater than or equal to 1")
	}
	s.ReturnOnFailure = r.enum(path+"returnValuesOnConditionCheckFailure", s.returnOnFailure, wordsReturnOnFailure)
}

func (s *Statement) append(o *object) {
	o.text("Statement", s.Text)
	if s.Parameters != nil {
		o.key("Parameters")
		o.list(len(s.Parameters), func(o *object, i int) { o.dst = attr.AppendValue(o.dst, s.Parameters[i]) })
	}
	o.truth("ConsistentRead", s.ConsistentRead)
	o.word("ReturnValuesOnConditionCheckFailure", s.ReturnOnFailure)
}

// ExecuteStatementInput is the request of ExecuteStatement.
type ExecuteStatementInput struct {
	Statement
	Limit          *int // items to look at, at most
	NextToken      *string
	ReturnConsumed string // "INDEXES", "TOTAL", "NONE" or empty
}

// maxNextToken is the length of a NextToken (API_ExecuteStatement).
const maxNextToken = 32768

// DecodeExecuteStatement reads a request. The error is an *Error.
func DecodeExecuteStatement(body []byte) (*ExecuteStatementInput, error) {
	in := new(ExecuteStatementInput)
	r := read(body)
	var consumed text
	for name := range r.Fields("ExecuteStatementInput") {
		switch string(name) {
		case "Limit":
			in.Limit = r.intPointer()
		case "NextToken":
			in.NextToken = r.textPointer()
		case "ReturnConsumedCapacity":
			consumed = r.text()
		default:
			in.member(r, name)
		}
	}
	return in, r.finish(func() {
		in.check(r, "")
		if t := in.NextToken; t != nil {
			r.length("nextToken", "'"+*t+"'", len(*t), 1, maxNextToken)
		}
		in.ReturnConsumed = r.enum("returnConsumedCapacity", consumed, wordsReturnConsumedCapacity)
		r.within("limit", in.Limit, 1, 0)
	})
}

// Append appends the request's JSON to dst.
func (in *ExecuteStatementInput) Append(dst []byte) []byte {
	o := begin(dst)
	in.append(&o)
	o.optionalInt("Limit", in.Limit)
	o.optional("NextToken", in.NextToken)
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	return o.end()
}

// ExecuteStatementOutput is the answer of ExecuteStatement.
type ExecuteStatementOutput struct {
	Items            RawList // empty for a write that returns nothing
	NextToken        string  // where to go on; empty at the end
	LastKey          Raw     // LastEvaluatedKey: the key of the item where the page ends; nil at the end
	ConsumedCapacity *ConsumedCapacity
}

// Append appends the answer's JSON to dst.
func (out *ExecuteStatementOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("Items") // always sent, as captured on AWS
	o.dst = out.Items.append(o.dst)
	o.word("NextToken", out.NextToken)
	o.raw("LastEvaluatedKey", out.LastKey)
	o.consumed(out.ConsumedCapacity)
	return o.end()
}

// DecodeExecuteStatementOutput reads an answer.
func DecodeExecuteStatementOutput(body []byte) (*ExecuteStatementOutput, error) {
	out := new(ExecuteStatementOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("ExecuteStatementOutput") {
		switch string(name) {
		case "Items":
			out.Items = decodeRawList(d)
		case "NextToken":
			out.NextToken = d.Text()
		case "LastEvaluatedKey":
			out.LastKey = cloneRaw(d.Raw())
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumed(d)
		}
	}
	return out, d.End()
}
