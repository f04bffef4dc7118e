package stats_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// operations are those that a hook looks into, and one that it does not.
var operations = []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems",
	"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction", "CreateTable", "DescribeTable", "UpdateTable", "UpdateTimeToLive", "DescribeTimeToLive", "TagResource"}

// Whatever a program sends through a hook and gets back: it is recorded or it is not, and what the Collector then tells can be read.
func FuzzHook(f *testing.F) {
	for i, text := range [][2]string{
		{`{"TableName":"Shop","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},"ProjectionExpression":"#a, b.c"}`, `{"Item":` + item + `}`},
		{`{"TableName":"Shop","Item":` + item + `,"ConditionExpression":"attribute_not_exists(PK)"}`, `{}`},
		{`{"TableName":"Shop","Key":{"PK":{"S":"a"}},"UpdateExpression":"SET #a = :a ADD n :one","ExpressionAttributeNames":{"#a":"x"},"ExpressionAttributeValues":{":a":{"N":"1"}},"ReturnValues":"ALL_NEW"}`, `{"Attributes":` + item + `}`},
		{`{"TableName":"Shop","Key":{"PK":{"S":"a"}}}`, `{"Attributes":{}}`},
		{`{"TableName":"Shop","IndexName":"X","KeyConditionExpression":"#k = :k AND begins_with(s, :p)","ExpressionAttributeNames":{"#k":"k"},"ExpressionAttributeValues":{":k":{"S":"x"}}}`, `{"Items":[` + item + `],"Count":1}`},
		{`{"TableName":"Shop","FilterExpression":"a = :a OR NOT b IN (:b)"}`, `{"Items":[],"LastEvaluatedKey":{}}`},
		{`{"RequestItems":{"Shop":{"Keys":[{"PK":{"S":"a"}}],"ConsistentRead":true}}}`, `{"Responses":{"Shop":[` + item + `]},"UnprocessedKeys":{"Shop":{"Keys":[{}]}}}`},
		{`{"RequestItems":{"Shop":[{"PutRequest":{"Item":` + item + `}},{"DeleteRequest":{"Key":{"PK":{"S":"a"}}}}]}}`, `{"UnprocessedItems":{}}`},
		{`{"TransactItems":[{"Get":{"TableName":"Shop","Key":{"PK":{"S":"a"}}}}]}`, `{"Responses":[{"Item":` + item + `}]}`},
		{`{"TransactItems":[{"Put":{"TableName":"Shop","Item":` + item + `}},{"ConditionCheck":{"TableName":"Shop"}}],"ClientRequestToken":"t"}`, `{}`},
		{`{"Statement":"SELECT * FROM \"Shop\".\"X\" WHERE k = ? AND s > 'x'","Parameters":[{"S":"a"}]}`, `{"Items":[` + item + `],"NextToken":"t"}`},
		{`{"Statements":[{"Statement":"INSERT INTO Shop VALUE {'PK':?, 'SK':'x'}","Parameters":[{"S":"a"}]}]}`, `{"Responses":[{"Error":{"Code":"DuplicateItem"}}]}`},
		{`{"TransactStatements":[{"Statement":"UPDATE Shop SET a = a + 1 WHERE PK = 'x' AND SK = ?","Parameters":[{"S":"a"}]}]}`, `{}`},
		{`{"TableName":"Shop","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"X","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]}]}`, `{}`},
		{`{"TableName":"Shop"}`, `{"Table":{"TableName":"Shop","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}}`},
	} {
		f.Add(uint8(i), text[0], text[1], uint8(1), false)
		f.Add(uint8(i), text[0], text[1], uint8(2), true)
	}
	f.Add(uint8(10), `{"Statement":"x'y`, `{}`, uint8(0), false)
	// Both are used again and again: what one call left is there for the next.
	collectors := []*stats.Collector{stats.NewCollector(stats.Options{Detail: 1, Keys: 64}), stats.NewCollector(stats.Options{Detail: 1, Keys: 64, HashKeys: []byte("x"), NoUnits: true})}
	for _, c := range collectors {
		c.Journal(stats.JournalOptions{Bytes: 1 << 16, Keys: true})
	}
	f.Fuzz(func(t *testing.T, operation uint8, request, response string, items uint8, own bool) {
		call := &tablewright.Call{Operation: operations[int(operation)%len(operations)], Table: "Shop", Attempt: 1}
		if own {
			call.Key, call.ItemKey = []byte(`{"PK":{"S":"a"}}`), []byte(`{"PK":{"S":"a"},"SK":{"S":"b"}}`)
		}
		for _, c := range collectors {
			one := *call
			one.Request = []byte(request)
			answer := tablewright.TransportFunc(func(_ context.Context, call *tablewright.Call) error {
				call.Response, call.Items, call.Scanned, call.More = []byte(response), int(items), int(items), items%5 == 4
				return nil
			})
			if err := c.Hook(answer).Do(t.Context(), &one); err != nil || string(one.Request) != request || string(one.Response) != response {
				t.Errorf("%s came back as %s, %v", request, one.Request, err)
			}
		}
		if operation%16 == 0 { // takes long
			var out bytes.Buffer
			must(t, collectors[0].Snapshot().Write(&out))
			if _, err := stats.ReadSnapshot(&out); err != nil {
				t.Error(err)
			}
		}
	})
}
