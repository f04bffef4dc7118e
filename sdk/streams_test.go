package sdk_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/sdk"
	"github.com/tablewright/tablewright/streams"
	"github.com/tablewright/tablewright/wire"
)

var (
	ledger  = tablewright.NewTable(plan.Table{Name: "Ledger", Key: plan.Key{Partition: "id"}, Stream: "new-and-old"})
	Entries = tablewright.Declare[accounts](ledger, plan.Item{Name: "Entry"})
	leases  = tablewright.NewTable(plan.Table{Name: "Leases", Key: plan.Key{Partition: "pk", Sort: "sk"}, Attributes: map[string]plan.Type{"pk": plan.S, "sk": plan.S}})
)

// TestStreams consumes a stream over the SDK's clients, which have it as a service of its own.
func TestStreams(t *testing.T) {
	client, _, _ := generated(t)
	seen := 0 // middleware of the client's serves both
	client = dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
			if s.ID() == "GetRecords" {
				seen++
			}
			return nil
		})
	})
	ctx, db := t.Context(), tablewright.New(sdk.Transport(client), tablewright.Options{Retry: tablewright.Retry{Attempts: 1}})
	if err := ledger.CreateIn(ctx, db); err != nil {
		t.Fatal(err)
	}
	for _, a := range []account{{"a", "Ann", 10}, {"b", "Ben", 20}} {
		if err := Entries.Create(a).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	units := 0
	err := streams.Run(ctx, db, ledger, streams.Options{Group: "sum", Leases: leases, Create: true, Drain: true, Poll: time.Millisecond},
		streams.On(Entries, func(_ context.Context, c streams.Change[account]) error { units += c.New.Units; return nil }))
	if err != nil || units != 30 || seen == 0 {
		t.Errorf("%d units, %d reads seen: %v", units, seen, err)
	}
}

// TestStreamsOver reads a stream by the SDK's client over DBs of every kind.
func TestStreamsOver(t *testing.T) {
	over, _, _ := generated(t)
	server := httptest.NewServer(engine.New(t).Handler())
	defer server.Close()
	connected, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: server.URL, Region: "eu-north-1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, db := range map[string]*tablewright.DB{
		"in process":                 tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{}),
		"over HTTP":                  connected,
		"over a client of the SDK's": tablewright.New(sdk.Transport(over), tablewright.Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if err := ledger.CreateIn(ctx, db); err != nil {
				t.Fatal(err)
			}
			if err := Entries.Create(account{"a", "Ann", 10}).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
			client := sdk.Streams(db)
			list, err := client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String("Ledger")})
			if err != nil || len(list.Streams) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			d, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: list.Streams[0].StreamArn})
			if err != nil {
				t.Fatal(err)
			}
			records := 0
			for _, shard := range d.StreamDescription.Shards {
				i, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
					StreamArn: list.Streams[0].StreamArn, ShardId: shard.ShardId, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
				})
				if err != nil {
					t.Fatal(err)
				}
				r, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: i.ShardIterator})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range r.Records {
					records++
					if got := r.Dynamodb.NewImage["owner"].(*types.AttributeValueMemberS).Value; got != "Ann" {
						t.Errorf("%s", got)
					}
				}
			}
			if records != 1 {
				t.Errorf("%d records", records)
			}
			_, err = client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("none of ours")})
			if err == nil {
				t.Error("an iterator of nobody's")
			}
		})
	}
}

// TestStreamsServiceError has the error types of DynamoDB Streams, too.
func TestStreamsServiceError(t *testing.T) {
	var trimmed *types.TrimmedDataAccessException
	if err := sdk.ServiceError(wire.NewError("TrimmedDataAccessException", "gone")); !errors.As(err, &trimmed) || *trimmed.Message != "gone" {
		t.Errorf("%#v", err)
	}
}
