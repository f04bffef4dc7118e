package engine_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// t is the test in the examples, which have none: in a test it is the *testing.T.
var t = exampleTest{}

type exampleTest struct{}

func (exampleTest) Helper()                           {}
func (exampleTest) Cleanup(func())                    {}
func (exampleTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// run runs operations in an example: name, request, name, request …
func run(e *engine.Engine, requests ...string) {
	for i := 0; i < len(requests); i += 2 {
		if _, err := e.Do(context.Background(), requests[i], []byte(requests[i+1])); err != nil {
			fmt.Println(err)
		}
	}
}

// A test has an engine of its own, in memory, closed when it ends.
func ExampleNew() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable)
	before := e.Snapshot(t)
	run(e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-0"},"price":{"N":"9.90"}}}`)
	fmt.Print(before.Diff(e.Snapshot(t)))
	// Output:
	// Books
	//   + {"isbn":{"S":"978-0"},"price":{"N":"9.9"}}
}

// The test says when time passes; what has become due is done when Advance returns.
func ExampleManualClock_Advance() {
	clock := engine.NewClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	e := engine.New(t, engine.Options{Clock: clock})
	run(e,
		"CreateTable", booksTable,
		"UpdateTimeToLive", `{"TableName":"Books","TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`,
		"PutItem", fmt.Sprintf(`{"TableName":"Books","Item":{"isbn":{"S":"978-0"},"until":{"N":"%d"}}}`, clock.Now().Add(time.Hour).Unix()))
	fmt.Println(len(e.Snapshot(t).Items("Books")))
	clock.Advance(61 * time.Minute)
	fmt.Println(len(e.Snapshot(t).Items("Books")))
	// Output:
	// 1
	// 0
}

// A hot key: of a batch its item is left over, alone it is refused.
func ExampleEngine_Inject() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable)
	hot := e.Inject(engine.Fault{Table: "Books", Key: `{"isbn":{"S":"978-0"}}`, Throttle: true, Times: 2})
	answer, err := e.Do(context.Background(), "BatchWriteItem", []byte(`{"RequestItems":{"Books":[
		{"PutRequest":{"Item":{"isbn":{"S":"978-0"}}}},{"PutRequest":{"Item":{"isbn":{"S":"978-1"}}}}]}}`))
	fmt.Println(string(answer), err)
	_, err = e.Do(context.Background(), "GetItem", []byte(`{"TableName":"Books","Key":{"isbn":{"S":"978-0"}}}`))
	var refused *wire.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Throttling[0].Reason)
	}
	fmt.Println(hot.Met(), "met it")
	run(e, "GetItem", `{"TableName":"Books","Key":{"isbn":{"S":"978-0"}}}`)
	// Output:
	// {"UnprocessedItems":{"Books":[{"PutRequest":{"Item":{"isbn":{"S":"978-0"}}}}]}} <nil>
	// ThrottlingException TableReadKeyRangeThroughputExceeded
	// 2 met it
}

// What a program does when the answer to a write is lost: the write was done.
func ExampleFault_answerLost() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable)
	e.Inject(engine.Fault{Operation: "PutItem", Times: 1, DropAnswer: true})
	_, err := e.Do(context.Background(), "PutItem", []byte(`{"TableName":"Books","Item":{"isbn":{"S":"978-0"}}}`))
	fmt.Println(err)
	fmt.Print(e.Snapshot(t))
	// Output:
	// engine: the answer was lost
	// Books
	//   {"isbn":{"S":"978-0"}}
}

// The next two writes fail as if the service was not there; the third passes.
func ExampleFault_failing() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable)
	e.Inject(engine.Fault{Operation: "PutItem", Times: 2, Err: wire.NewError(wire.CodeUnavailable, "try again")})
	for range 3 {
		_, err := e.Do(context.Background(), "PutItem", []byte(`{"TableName":"Books","Item":{"isbn":{"S":"978-0"}}}`))
		fmt.Println(err)
	}
	// Output:
	// ServiceUnavailable: try again
	// ServiceUnavailable: try again
	// <nil>
}

// A transaction is under way on an item, for as long as the test wants.
func ExampleEngine_Hold() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable)
	put := func() {
		_, err := e.Do(context.Background(), "PutItem", []byte(`{"TableName":"Books","Item":{"isbn":{"S":"978-0"}}}`))
		fmt.Println(err)
	}
	release := e.Hold(t, "Books", `{"isbn":{"S":"978-0"}}`)
	put()
	release()
	put()
	// Output:
	// TransactionConflictException: Transaction is ongoing for the item
	// <nil>
}

// An index that has not caught up with its table.
func ExampleEngine_HoldIndex() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable)
	show := e.HoldIndex(t, "Books", "ByAuthor")
	run(e, "PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-0"},"author":{"S":"Ann"}}}`)
	query := func() {
		answer, err := e.Do(context.Background(), "Query", []byte(byAuthor))
		fmt.Println(string(answer), err)
	}
	query()
	show()
	query()
	// Output:
	// {"Count":0,"ScannedCount":0} <nil>
	// {"Count":1,"ScannedCount":1} <nil>
}

// What a part of a program did to the data.
func ExampleSnapshot_Diff() {
	e := engine.New(t)
	run(e, "CreateTable", booksTable,
		"PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-0"},"price":{"N":"9.90"},"note":{"S":"soon"}}}`,
		"PutItem", `{"TableName":"Books","Item":{"isbn":{"S":"978-1"}}}`)
	before := e.Snapshot(t, "Books")
	run(e,
		"UpdateItem", `{"TableName":"Books","Key":{"isbn":{"S":"978-0"}},"UpdateExpression":"SET price = :p, stock = :s REMOVE note","ExpressionAttributeValues":{":p":{"N":"12"},":s":{"N":"3"}}}`,
		"DeleteItem", `{"TableName":"Books","Key":{"isbn":{"S":"978-1"}}}`)
	fmt.Print(before.Diff(e.Snapshot(t, "Books")))
	// Output:
	// Books
	//   ~ {"isbn":{"S":"978-0"}}
	//       - note {"S":"soon"}
	//       ~ price {"N":"9.9"} → {"N":"12"}
	//       + stock {"N":"3"}
	//   - {"isbn":{"S":"978-1"}}
}

// A table that is provisioned for one write per second takes one; a second later the next.
func ExampleThrottle() {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock, Throttle: &engine.Throttle{}})
	run(e, "CreateTable", `{"TableName":"Books","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},
		"KeySchema":[{"AttributeName":"isbn","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"isbn","AttributeType":"S"}]}`)
	put := func() {
		_, err := e.Do(context.Background(), "PutItem", []byte(`{"TableName":"Books","Item":{"isbn":{"S":"978-0"}}}`))
		var refused *wire.Error
		if errors.As(err, &refused) {
			fmt.Println(refused.Code, refused.Throttling)
			return
		}
		fmt.Println("done")
	}
	put()
	put()
	clock.Advance(time.Second)
	put()
	// Output:
	// done
	// ProvisionedThroughputExceededException [{TableWriteProvisionedThroughputExceeded arn:aws:dynamodb:us-east-1:000000000000:table/Books}]
	// done
}
