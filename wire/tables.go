package wire

import "encoding/json"

func decodeJSON(data []byte, v any) error { return json.Unmarshal(data, v) }

// NamedTable is the request of DescribeTable, DeleteTable and DescribeTimeToLive.
type NamedTable struct {
	TableName string `json:"TableName"`
}

// DecodeNamedTable reads a request; class is the structure's name, such as "DescribeTableInput". The error is an *Error.
func DecodeNamedTable(body []byte, class string) (*NamedTable, error) {
	in := new(NamedTable)
	r := read(body)
	var table text
	for name := range r.Fields(class) {
		if string(name) == "TableName" {
			table = r.text()
		}
	}
	return in, r.finish(func() { in.TableName = r.controlTable(table) })
}

// Append appends the request's JSON to dst.
func (in *NamedTable) Append(dst []byte) []byte { return appendJSON(dst, in) }

// ListTablesInput is the request of ListTables.
type ListTablesInput struct {
	Start string `json:"ExclusiveStartTableName,omitempty"`
	Limit *int   `json:"Limit,omitempty"` // nil: MaxTableNames
}

// MaxTableNames is how many names ListTables answers at most, and without a Limit (API_ListTables).
const MaxTableNames = 100

// DecodeListTables reads a request. The error is an *Error.
func DecodeListTables(body []byte) (*ListTablesInput, error) {
	in := new(ListTablesInput)
	r := read(body)
	var start text
	for name := range r.Fields("ListTablesInput") {
		switch string(name) {
		case "ExclusiveStartTableName":
			start = r.text()
		case "Limit":
			in.Limit = r.intPointer()
		}
	}
	return in, r.finish(func() {
		if start.set { // the pattern first, unlike that of names of indexes (captured on AWS, 2026-10)
			const path = "exclusiveStartTableName"
			r.pattern(path, start.s)
			r.length(path, "'"+start.s+"'", len(start.s), shortestName, longestName)
		}
		in.Start = start.s
		r.within("limit", in.Limit, 1, MaxTableNames)
	})
}

// Append appends the request's JSON to dst.
func (in *ListTablesInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// ListTablesOutput is the answer of ListTables.
type ListTablesOutput struct {
	Last  string   `json:"LastEvaluatedTableName,omitempty"`
	Names []string `json:"TableNames"`
}

// Append appends the answer's JSON to dst.
func (out *ListTablesOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// DecodeListTablesOutput reads an answer.
func DecodeListTablesOutput(body []byte) (*ListTablesOutput, error) {
	out := new(ListTablesOutput)
	return out, decodeJSON(body, out)
}
