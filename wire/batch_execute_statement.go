package wire

import (
	"strconv"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
)

// BatchExecuteStatementInput is the request of BatchExecuteStatement.
type BatchExecuteStatementInput struct {
	Statements     []Statement
	ReturnConsumed string // "INDEXES", "TOTAL", "NONE" or empty
}

// DecodeBatchExecuteStatement reads a request. The error is an *Error.
func DecodeBatchExecuteStatement(body []byte) (*BatchExecuteStatementInput, error) {
	in := new(BatchExecuteStatementInput)
	r := read(body)
	var consumed text
	var there bool
	for name := range r.Fields("BatchExecuteStatementInput") {
		switch string(name) {
		case "Statements":
			there = !r.Null()
			if there {
				in.Statements = decodeStatements(r, "BatchStatementRequest")
			}
		case "ReturnConsumedCapacity":
			consumed = r.text()
		}
	}
	return in, r.finish(func() {
		r.statements("statements", there, in.Statements, capacity.BatchWriteItems)
		in.ReturnConsumed = r.enum("returnConsumedCapacity", consumed, wordsReturnConsumedCapacity)
	})
}

func decodeStatements(r *request, class string) (l []Statement) {
	for range r.Elems() {
		var s Statement
		for name := range r.Fields(class) {
			s.member(r, name)
		}
		l = append(l, s)
	}
	return l
}

// statements checks a list of statements: at least one, at most limit.
func (r *request) statements(path string, there bool, l []Statement, limit int) {
	switch {
	case !there:
		r.require(path, false)
	case len(l) == 0:
		r.violate("'[]'", path, "Member must have length greater than or equal to 1")
	case len(l) > limit:
		r.violate("", path, "Member must have length less than or equal to "+strconv.Itoa(limit))
	}
	for i := range l {
		l[i].check(r, path+"."+member(i)+".")
	}
}

func (o *object) statements(name string, l []Statement) {
	o.key(name)
	o.list(len(l), func(o *object, i int) { o.nested(l[i].append) })
}

// Append appends the request's JSON to dst.
func (in *BatchExecuteStatementInput) Append(dst []byte) []byte {
	o := begin(dst)
	o.statements("Statements", in.Statements)
	o.word("ReturnConsumedCapacity", in.ReturnConsumed)
	return o.end()
}

// BatchExecuteStatementOutput is the answer of BatchExecuteStatement: a response for each statement, in their order.
type BatchExecuteStatementOutput struct {
	Responses        []StatementResponse
	ConsumedCapacity []ConsumedCapacity
}

// StatementResponse is what became of one statement of a batch.
type StatementResponse struct {
	Error     *StatementError // nil if it succeeded
	TableName string          // of a statement that succeeded, or whose condition failed
	Item      Raw             // read, or returned by a write; nil if there is none
}

// StatementError is why a statement of a batch failed. Code is short: "ValidationError", "ConditionalCheckFailed",
// "DuplicateItem", "ResourceNotFound" and so on (API_BatchStatementError).
type StatementError struct {
	Code, Message string
	Item          Raw // the item that failed the condition, if it was asked for
}

// Append appends the answer's JSON to dst.
func (out *BatchExecuteStatementOutput) Append(dst []byte) []byte {
	o := begin(dst)
	o.key("Responses")
	o.list(len(out.Responses), func(o *object, i int) {
		s := &out.Responses[i]
		o.nested(func(o *object) {
			if e := s.Error; e != nil {
				o.key("Error")
				o.nested(func(o *object) {
					o.text("Code", e.Code)
					o.text("Message", e.Message)
					o.raw("Item", e.Item)
				})
			}
			o.word("TableName", s.TableName)
			o.raw("Item", s.Item)
		})
	})
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

// DecodeBatchExecuteStatementOutput reads an answer.
func DecodeBatchExecuteStatementOutput(body []byte) (*BatchExecuteStatementOutput, error) {
	out := new(BatchExecuteStatementOutput)
	d := attr.NewDecoder(body)
	for name := range d.Fields("BatchExecuteStatementOutput") {
		switch string(name) {
		case "Responses":
			for range d.Elems() {
				out.Responses = append(out.Responses, decodeStatementResponse(d))
			}
		case "ConsumedCapacity":
			out.ConsumedCapacity = decodeConsumedList(d)
		}
	}
	return out, d.End()
}

func decodeStatementResponse(d *attr.Decoder) (s StatementResponse) {
	for name := range d.Fields("BatchStatementResponse") {
		switch string(name) {
		case "Error":
			s.Error = new(StatementError)
			for name := range d.Fields("BatchStatementError") {
				switch string(name) {
				case "Code":
					s.Error.Code = d.Text()
				case "Message":
					s.Error.Message = d.Text()
				case "Item":
					s.Error.Item = cloneRaw(d.Raw())
				}
			}
		case "TableName":
			s.TableName = d.Text()
		case "Item":
			s.Item = cloneRaw(d.Raw())
		}
	}
	return s
}
