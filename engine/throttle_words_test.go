package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

const (
	onDemandExceeded      = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
	onDemandIndexExceeded = "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly."
	maxExceeded           = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
	accountExceeded       = "Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS Support at https://aws.amazon.com/support."
)

// TestThrottlingWords: each limit with its exception, message, reason and resource, in operations of all kinds
// (throttling-diagnosing-workflow, API_ThrottlingReason, API_TransactWriteItems).
func TestThrottlingWords(t *testing.T) {
	const (
		keys   = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]`
		index  = `"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}%s}]`
		demand = `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST",` + keys + `,%s` + index + `}`
		units  = `"ProvisionedThroughput":{"ReadCapacityUnits":100,"WriteCapacityUnits":100}`
		sold   = `{"TableName":"tbl",` + keys + `,%s` + index + `,` + units + `}`

		put   = `{"TableName":"tbl","Item":{"pk":{"S":"1"}}}`
		entry = `{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"g":{"S":"x"}}}`
		get   = `{"TableName":"tbl","Key":{"pk":{"S":"1"}},"ConsistentRead":true}`
		query = `{"TableName":"tbl","IndexName":"gsi","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"x"}}}`
		write = `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"1"}}}}]}}`
		read  = `{"RequestItems":{"tbl":{"Keys":[{"pk":{"S":"1"}}],"ConsistentRead":true}}}`
		tput  = `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"1"}}}}]}`
		tget  = `{"TransactItems":[{"Get":{"TableName":"tbl","Key":{"pk":{"S":"1"}}}}]}`
		ql    = `{"Statement":"UPDATE tbl SET v=1 WHERE pk='1'"}`
		qls   = `{"Statements":[{"Statement":"SELECT * FROM tbl WHERE pk='1'","ConsistentRead":true}]}`
		tql   = `{"TransactStatements":[{"Statement":"SELECT * FROM tbl WHERE pk='1'"}]}`
	)
	tableReason := func(reason string) string { return fmt.Sprintf("[{%s %s}]", reason, tableARN) }
	indexReason := func(reason string) string { return fmt.Sprintf("[{%s %s/index/gsi}]", reason, tableARN) }
	type ask struct{ operation, request, code, message, reasons string }
	account, most, hot := engine.Throttle{TableReads: 5, TableWrites: 5}, engine.Throttle{}, engine.Throttle{PartitionReads: 5, PartitionWrites: 5}
	for _, c := range []struct {
		name, table, more, ofIndex string
		limits                     engine.Throttle
		asks                       []ask
	}{
		{"account", demand, "", "", account, []ask{
			{"PutItem", put, wire.CodeRequestLimit, accountExceeded, tableReason("TableWriteAccountLimitExceeded")},
			{"GetItem", get, wire.CodeRequestLimit, accountExceeded, tableReason("TableReadAccountLimitExceeded")},
			{"Query", query, wire.CodeRequestLimit, accountExceeded, indexReason("IndexReadAccountLimitExceeded")},
			{"BatchWriteItem", write, wire.CodeRequestLimit, accountExceeded, tableReason("TableWriteAccountLimitExceeded")},
			{"BatchGetItem", read, wire.CodeRequestLimit, accountExceeded, tableReason("TableReadAccountLimitExceeded")},
			{"TransactWriteItems", tput, wire.CodeTransactionCanceled, "ThrottlingError" + accountExceeded, "[]"},
			{"BatchExecuteStatement", qls, "RequestLimitExceeded", accountExceeded, ""},
		}},
		{"maximum of a table", demand, `"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":5},`, "", most, []ask{
			{"PutItem", put, wire.CodeThrottling, maxExceeded, tableReason("TableWriteMaxOnDemandThroughputExceeded")},
			{"GetItem", get, wire.CodeThrottling, maxExceeded, tableReason("TableReadMaxOnDemandThroughputExceeded")},
			{"ExecuteStatement", ql, wire.CodeThrottling, maxExceeded, tableReason("TableWriteMaxOnDemandThroughputExceeded")},
		}},
		{"maximum of an index", demand, "", `,"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":5}`, most, []ask{
			{"PutItem", entry, wire.CodeThrottling, maxExceeded, indexReason("IndexWriteMaxOnDemandThroughputExceeded")},
			{"Query", query, wire.CodeThrottling, maxExceeded, indexReason("IndexReadMaxOnDemandThroughputExceeded")},
		}},
		{"partition on demand", demand, "", "", hot, []ask{
			{"PutItem", put, wire.CodeThrottling, onDemandExceeded, tableReason("TableWriteKeyRangeThroughputExceeded")},
			{"PutItem", entry, wire.CodeThrottling, onDemandIndexExceeded, indexReason("IndexWriteKeyRangeThroughputExceeded")},
			{"UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"1"}}}`, wire.CodeThrottling, onDemandExceeded, tableReason("TableWriteKeyRangeThroughputExceeded")},
			{"DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"1"}}}`, wire.CodeThrottling, onDemandExceeded, tableReason("TableWriteKeyRangeThroughputExceeded")},
			{"GetItem", get, wire.CodeThrottling, onDemandExceeded, tableReason("TableReadKeyRangeThroughputExceeded")},
			{"Query", query, wire.CodeThrottling, onDemandExceeded, indexReason("IndexReadKeyRangeThroughputExceeded")},
			{"BatchWriteItem", write, wire.CodeThrottling, onDemandExceeded, tableReason("TableWriteKeyRangeThroughputExceeded")},
			{"BatchGetItem", read, wire.CodeThrottling, onDemandExceeded, tableReason("TableReadKeyRangeThroughputExceeded")},
			{"TransactWriteItems", tput, wire.CodeTransactionCanceled, "ThrottlingError" + onDemandExceeded, "[]"},
			{"TransactGetItems", tget, wire.CodeTransactionCanceled, "ThrottlingError" + onDemandExceeded, "[]"},
			{"ExecuteTransaction", tql, wire.CodeTransactionCanceled, "ThrottlingError" + onDemandExceeded, "[]"},
			{"BatchExecuteStatement", qls, "ThrottlingError", onDemandExceeded, ""},
		}},
		{"partition, provisioned", sold, "", "," + units, hot, []ask{
			{"PutItem", put, wire.CodeThroughputExceeded, tableExceeded, tableReason("TableWriteKeyRangeThroughputExceeded")},
			{"PutItem", entry, wire.CodeThroughputExceeded, indexExceeded, indexReason("IndexWriteKeyRangeThroughputExceeded")},
			{"GetItem", get, wire.CodeThroughputExceeded, tableExceeded, tableReason("TableReadKeyRangeThroughputExceeded")},
			{"Query", query, wire.CodeThroughputExceeded, indexExceeded, indexReason("IndexReadKeyRangeThroughputExceeded")},
			{"TransactWriteItems", tput, wire.CodeTransactionCanceled, "ProvisionedThroughputExceeded" + tableExceeded, "[]"},
			{"BatchExecuteStatement", qls, "ProvisionedThroughputExceeded", tableExceeded, ""},
		}},
	} {
		for _, a := range c.asks {
			clock := newClock()
			e := open(t, "", &engine.Options{Clock: clock, Throttle: &c.limits, SweepEvery: -1})
			do(t, e, "CreateTable", fmt.Sprintf(c.table, c.more, c.ofIndex))
			do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"1"}}}`)
			clock.move(time.Second)
			code, message, reasons := throttledHow(t, e, a.operation, a.request)
			if code != a.code || message != a.message || reasons != a.reasons {
				t.Errorf("%s, %s:\ngot  %s %q %s\nwant %s %q %s", c.name, a.operation, code, message, reasons, a.code, a.message, a.reasons)
			}
		}
	}
}

// throttledHow repeats a request until it is refused for a limit, and tells how; the only statement of a batch is refused in its place.
func throttledHow(t *testing.T, e *engine.Engine, operation, request string) (code, message, reasons string) {
	t.Helper()
	for n := range 200 {
		answer, err := try(e, operation, strings.ReplaceAll(request, "%[1]d", strconv.Itoa(n)))
		var refused *wire.Error
		switch {
		case errors.As(err, &refused) && refused.Code == wire.CodeTransactionCanceled:
			return refused.Code, refused.Reasons[0].Code + refused.Reasons[0].Message, fmt.Sprint(refused.Throttling)
		case errors.As(err, &refused):
			return refused.Code, refused.Message, fmt.Sprint(refused.Throttling)
		case err != nil:
			t.Fatal(err)
		}
		var batch struct {
			Responses []struct {
				Error *struct{ Code, Message string }
			}
		}
		if operation == "BatchExecuteStatement" {
			text, err := json.Marshal(answer)
			if err == nil {
				err = json.Unmarshal(text, &batch)
			}
			if err != nil {
				t.Fatal(err)
			}
			if e := batch.Responses[0].Error; e != nil {
				return e.Code, e.Message, ""
			}
		}
	}
	t.Fatalf("%s is never refused", operation)
	return "", "", ""
}
