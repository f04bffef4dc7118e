package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// An engine in memory answers DynamoDB's operations in the same process.
func Example() {
	e, err := engine.Open("", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	run := func(operation, request string) {
		answer, err := e.Do(context.Background(), operation, []byte(request))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(answer))
	}
	if _, err := e.Do(context.Background(), "CreateTable", []byte(`{"TableName":"Books","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"isbn","AttributeType":"S"}],"KeySchema":[{"AttributeName":"isbn","KeyType":"HASH"}]}`)); err != nil {
		fmt.Println(err)
	}
	run("PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-0"},"price":{"N":"9.90"}},"ReturnConsumedCapacity":"TOTAL"}`)
	run("GetItem", `{"TableName":"Books","Key":{"isbn":{"S":"978-0"}}}`)
	run("PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-0"}},"ConditionExpression":"attribute_not_exists(isbn)"}`)
	// Output:
	// {"ConsumedCapacity":{"CapacityUnits":1.0,"TableName":"Books"}}
	// {"Item":{"isbn":{"S":"978-0"},"price":{"N":"9.9"}}}
	// ConditionalCheckFailedException: The conditional request failed
}

// The same engine over HTTP, for any SDK.
func ExampleEngine_Handler() {
	e, err := engine.Open("", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	request, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(`{"Limit":10}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	request.Header.Set("X-Amz-Date", "20260801T000000Z") // SDKs sign their requests; any credentials will do here
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=any/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=any")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(answer), err)
	// Output:
	// 200 OK {"TableNames":[]} <nil>
}

// With a lag, global secondary indexes show writes later, as the service's do. The clock is the test's.
func ExampleLag() {
	c := newClock()
	e, err := engine.Open("", &engine.Options{Clock: c, Lag: &engine.Lag{Max: time.Second, Seed: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	for _, r := range [][2]string{
		{"CreateTable", `{"TableName":"Books","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"isbn","KeyType":"HASH"}],
			"AttributeDefinitions":[{"AttributeName":"isbn","AttributeType":"S"},{"AttributeName":"author","AttributeType":"S"}],
			"GlobalSecondaryIndexes":[{"IndexName":"ByAuthor","KeySchema":[{"AttributeName":"author","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`},
		{"PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-0"},"author":{"S":"Ann"}}}`},
	} {
		if _, err := e.Do(context.Background(), r[0], []byte(r[1])); err != nil {
			fmt.Println(err)
		}
	}
	query := func() {
		answer, err := e.Do(context.Background(), "Query", []byte(`{"TableName":"Books","IndexName":"ByAuthor","Select":"COUNT",
			"KeyConditionExpression":"author = :a","ExpressionAttributeValues":{":a":{"S":"Ann"}}}`))
		fmt.Println(string(answer), err)
	}
	query()
	c.move(time.Second)
	query()
	// Output:
	// {"Count":0,"ScannedCount":0} <nil>
	// {"Count":1,"ScannedCount":1} <nil>
}

// Errors are the service's, and tell their kind.
func ExampleEngine_Do() {
	e, err := engine.Open("", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	_, err = e.Do(context.Background(), "GetItem", []byte(`{"TableName":"Books"}`))
	fmt.Println(err)
	fmt.Println(errors.Is(err, wire.ErrInvalid))
	// Output:
	// ValidationException: 1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null
	// true
}
