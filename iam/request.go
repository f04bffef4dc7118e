package iam

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// request has the members that name what a request is about.
type request struct {
	TableName, IndexName   string
	ResourceArn, StreamArn string
	RequestItems           map[string]json.RawMessage
	TransactItems          []map[string]struct{ TableName string }
	Tags                   []json.RawMessage
	ResourcePolicy         string
}

// transactActions are what policies call the actions of transactions (transaction-apis-iam).
var transactActions = map[string]string{"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}

// verbActions are what policies call the verbs of PartiQL (ql-iam).
var verbActions = map[expr.Verb]string{
	expr.VerbSelect: "PartiQLSelect", expr.VerbExists: "PartiQLSelect",
	expr.VerbInsert: "PartiQLInsert", expr.VerbUpdate: "PartiQLUpdate", expr.VerbDelete: "PartiQLDelete",
}

// unscoped are the operations whose actions policies allow on "*" only. Of ListStreams the developer guide's policies name
// the streams of a table (iam-policy-read-stream-only), while the Service Authorization Reference has no resource for it, and
// grants on streams allowed nothing (aws/aws-cdk#10631).
var unscoped = map[string]bool{"ListTables": true, "DescribeLimits": true, "DescribeEndpoints": true, "ListStreams": true}

// of is what a request needs. That of GetRecords names nothing: it is the stream of the iterator.
func of(operation string, body []byte) (needs []Need) {
	add := func(action, resource string) { needs = append(needs, Need{"dynamodb:" + action, resource}) }
	if unscoped[operation] {
		add(operation, "*")
		return needs
	}
	if statements, ok := statementsOf(operation, body); ok {
		for _, s := range statements {
			parsed, err := expr.ParseStatement(s.Text, s.Parameters)
			if err != nil {
				continue // the service refuses it before it asks
			}
			add(verbActions[parsed.Verb], resource(parsed.Table, parsed.Index))
		}
		return needs
	}
	var in request
	if err := json.Unmarshal(body, &in); err != nil {
		return nil
	}
	switch {
	case operation == "GetRecords":
	case in.StreamArn != "":
		add(operation, stream(in.StreamArn))
	case in.ResourceArn != "":
		add(operation, resource(in.ResourceArn, ""))
	case in.RequestItems != nil:
		for _, table := range slices.Sorted(maps.Keys(in.RequestItems)) {
			add(operation, resource(table, ""))
		}
	case in.TransactItems != nil:
		for _, action := range in.TransactItems {
			for verb, on := range action {
				if name := transactActions[verb]; name != "" {
					add(name, resource(on.TableName, ""))
				}
			}
		}
	case in.TableName != "":
		add(operation, resource(in.TableName, in.IndexName))
		if operation == "CreateTable" && len(in.Tags) > 0 {
			add("TagResource", resource(in.TableName, ""))
		}
		if operation == "CreateTable" && in.ResourcePolicy != "" {
			add("PutResourcePolicy", resource(in.TableName, ""))
		}
	default:
		add(operation, "*")
	}
	return needs
}

// statementsOf is the statements of a request that has some.
func statementsOf(operation string, body []byte) ([]wire.Statement, bool) {
	switch operation {
	case "ExecuteStatement":
		in, err := wire.DecodeExecuteStatement(body)
		if err != nil {
			return nil, true
		}
		return []wire.Statement{in.Statement}, true
	case "BatchExecuteStatement":
		in, err := wire.DecodeBatchExecuteStatement(body)
		if err != nil {
			return nil, true
		}
		return in.Statements, true
	case "ExecuteTransaction":
		in, err := wire.DecodeExecuteTransaction(body)
		if err != nil {
			return nil, true
		}
		return in.Statements, true
	}
	return nil, false
}

// resource is a table, by its name or ARN, or an index of it.
func resource(table, index string) string {
	if strings.HasPrefix(table, "arn:") {
		_, table, _ = strings.Cut(table, ":table/")
		if i := strings.Index(table, "/"); i >= 0 {
			table = table[:i]
		}
	}
	if index != "" {
		return "table/" + table + "/index/" + index
	}
	return "table/" + table
}

// stream is all streams of a table, by the ARN of one: a stream that is enabled anew is another one.
func stream(arn string) string { return resource(arn, "") + "/stream/*" }
