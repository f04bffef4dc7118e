package wire_test

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/wire"
)

// A server reads a request, and answers what is wrong with it as the service would.
func ExampleDecodeGetItem() {
	in, err := wire.DecodeGetItem([]byte(`{"TableName":"Books","Key":{"isbn":{"S":"978-0"}},"ConsistentRead":true}`))
	fmt.Println(in.TableName, in.Key.Get("isbn").Str(), in.ConsistentRead, err)

	_, err = wire.DecodeGetItem([]byte(`{"TableName":"Books"}`))
	fmt.Println(err)
	// Output:
	// Books 978-0 true <nil>
	// ValidationException: 1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null
}

// A client reads an answer that is an error and asks what kind it is.
func ExampleDecodeError() {
	err := error(wire.DecodeError(400, []byte(`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
		"message":"The conditional request failed","Item":{"isbn":{"S":"978-0"}}}`)))
	fmt.Println(errors.Is(err, wire.ErrConditionFailed), errors.Is(err, wire.ErrThrottled))

	var e *wire.Error
	if errors.As(err, &e) {
		fmt.Println(e.Retryable(), string(e.Item))
	}
	// Output:
	// true false
	// false {"isbn":{"S":"978-0"}}
}

// A proxy looks at one member of a request and passes it on.
func ExampleQueryInput_Append() {
	in, err := wire.DecodeQuery([]byte(`{"TableName":"Books","KeyConditionExpression":"author = :a","ExpressionAttributeValues":{":a":{"S":"Ann"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	limit := 10
	in.Limit = &limit
	fmt.Printf("%s\n", in.Append(nil))
	// Output:
	// {"TableName":"Books","ExpressionAttributeValues":{":a":{"S":"Ann"}},"Limit":10,"KeyConditionExpression":"author = :a"}
}
