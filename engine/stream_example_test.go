package engine_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// fixedClock is a time that stands still until it is set.
type fixedClock struct{ now time.Time }

func (c *fixedClock) Now() time.Time { return c.now }

// A table's stream is read shard by shard. What time to live deletes is told as the service's own deletion.
func ExampleEngine_Do_streams() {
	clock := &fixedClock{time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	e, err := engine.Open("", &engine.Options{Clock: clock, SweepEvery: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	do := func(operation string, request []byte) []byte {
		answer, err := e.Do(context.Background(), operation, request)
		if err != nil {
			fmt.Println(operation, err)
		}
		return answer
	}
	do("CreateTable", []byte(`{"TableName":"Carts","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`))
	do("UpdateTimeToLive", []byte(`{"TableName":"Carts","TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`))
	do("PutItem", fmt.Appendf(nil, `{"TableName":"Carts","Item":{"id":{"S":"c1"},"until":{"N":"%d"}}}`, clock.now.Add(time.Hour).Unix()))
	clock.now = clock.now.Add(2 * time.Hour)
	if _, err := e.Sweep(context.Background()); err != nil {
		fmt.Println(err)
	}

	streams, err := wire.DecodeListStreamsOutput(do("ListStreams", []byte(`{"TableName":"Carts"}`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	arn := streams.Streams[0].ARN
	fmt.Println(arn)
	stream, err := wire.DecodeDescribeStreamOutput(do("DescribeStream", (&wire.DescribeStreamInput{ARN: arn}).Append(nil)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, shard := range stream.Stream.Shards {
		at, err := wire.DecodeGetShardIteratorOutput(do("GetShardIterator", (&wire.GetShardIteratorInput{ARN: arn, Shard: shard.ID, Type: "TRIM_HORIZON"}).Append(nil)))
		if err != nil {
			fmt.Println(err)
			return
		}
		records, err := wire.DecodeGetRecordsOutput(do("GetRecords", (&wire.GetRecordsInput{Iterator: at.Iterator}).Append(nil)))
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, r := range records.Records {
			fmt.Println(r.EventName, string(r.Keys), "expired:", r.Expired)
		}
	}
	// Output:
	// arn:aws:dynamodb:us-east-1:000000000000:table/Carts/stream/2026-11-01T12:00:00.000
	// INSERT {"id":{"S":"c1"}} expired: false
	// REMOVE {"id":{"S":"c1"}} expired: true
}
