package sdk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
)

func newStreamsClient(t *testing.T, url string) *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(url),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "peers", SecretAccessKey: "peers"}, nil
		}),
		RetryMaxAttempts: 1,
		Logger:           logging.LoggerFunc(func(_ logging.Classification, format string, v ...any) { t.Errorf(format, v...) }),
	})
}

// streamTable makes a table of things with a stream and gives the stream's ARN.
func streamTable(t *testing.T, c *dynamodb.Client) (arn *string) {
	t.Helper()
	table := createTable(t, c, &dynamodb.CreateTableInput{
		TableName:            aws.String("things"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		BillingMode:          types.BillingModePayPerRequest,
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	if table.LatestStreamArn == nil || table.LatestStreamLabel == nil {
		t.Fatalf("%+v", table)
	}
	return table.LatestStreamArn
}

// records reads a shard from an iterator to where nothing has come yet.
func records(t *testing.T, s *dynamodbstreams.Client, in *dynamodbstreams.GetShardIteratorInput) (all []streamtypes.Record, ended bool) {
	t.Helper()
	at := must(s.GetShardIterator(t.Context(), in))(t).ShardIterator
	for at != nil {
		out := must(s.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: at, Limit: aws.Int32(2)}))(t)
		all, at = append(all, out.Records...), out.NextShardIterator
		if len(out.Records) == 0 {
			break
		}
	}
	return all, at == nil
}

func TestGoStreams(t *testing.T) {
	ctx := t.Context()
	url := startServe(t)
	c, s := newClient(t, url), newStreamsClient(t, url)
	arn, name := streamTable(t, c), aws.String("things")
	before := time.Now()
	must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: item{"id": str("a"), "n": num("1")}}))(t)
	must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: item{"id": str("a"), "n": num("2"), "tags": set("x", "y")}}))(t)
	must(c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: item{"id": str("a")}}))(t)

	list := must(s.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: name, Limit: aws.Int32(10)}))(t)
	if len(list.Streams) != 1 || *list.Streams[0].StreamArn != *arn {
		t.Errorf("%+v", list)
	}
	stream := must(s.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn}))(t).StreamDescription
	if stream.StreamStatus != streamtypes.StreamStatusEnabled || len(stream.Shards) != 1 || len(stream.KeySchema) != 1 ||
		stream.StreamViewType != streamtypes.StreamViewTypeNewAndOldImages || time.Since(*stream.CreationRequestDateTime).Abs() > time.Minute {
		t.Fatalf("%+v", stream)
	}
	shard := stream.Shards[0].ShardId
	all, _ := records(t, s, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
	if len(all) != 3 {
		t.Fatalf("%d records", len(all))
	}
	for i, want := range []streamtypes.OperationType{streamtypes.OperationTypeInsert, streamtypes.OperationTypeModify, streamtypes.OperationTypeRemove} {
		r := all[i]
		if r.EventName != want || *r.EventVersion != "1.1" || *r.EventSource != "aws:dynamodb" || *r.AwsRegion != "us-east-1" || len(*r.EventID) != 32 || r.UserIdentity != nil {
			t.Errorf("%+v", r)
		}
		if d := r.Dynamodb; d.ApproximateCreationDateTime.Sub(before).Abs() > time.Minute || len(d.Keys) != 1 || (d.NewImage == nil) != (i == 2) || (d.OldImage == nil) != (i == 0) {
			t.Errorf("%+v", d)
		}
	}
	if tags, ok := all[1].Dynamodb.NewImage["tags"].(*streamtypes.AttributeValueMemberSS); !ok || len(tags.Value) != 2 {
		t.Errorf("%+v", all[1].Dynamodb.NewImage)
	}
	for kind, want := range map[streamtypes.ShardIteratorType]int{streamtypes.ShardIteratorTypeAtSequenceNumber: 2, streamtypes.ShardIteratorTypeAfterSequenceNumber: 1} {
		if l, _ := records(t, s, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: kind, SequenceNumber: all[1].Dynamodb.SequenceNumber}); len(l) != want {
			t.Errorf("%s: %d records", kind, len(l))
		}
	}
	if l, _ := records(t, s, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeAtTimestamp, Timestamp: aws.Time(before.Add(-time.Hour))}); len(l) != 3 {
		t.Errorf("at a time: %d records", len(l))
	}

	must(c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: name, StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)}}))(t)
	waitForTable(t, c, *name)
	l, ended := records(t, s, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
	stream = must(s.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn}))(t).StreamDescription
	if len(l) != 3 || !ended || stream.StreamStatus != streamtypes.StreamStatusDisabled || *stream.Shards[0].SequenceNumberRange.EndingSequenceNumber != *all[2].Dynamodb.SequenceNumber {
		t.Errorf("disabled: %d records, ended %v, %+v", len(l), ended, stream)
	}

	_, err := s.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: aws.String(*arn + "0")})
	if !is[*streamtypes.ResourceNotFoundException](err) {
		t.Error(err)
	}
	_, err = s.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("nonsense")})
	var refused smithy.APIError
	if !errors.As(err, &refused) || refused.ErrorCode() != "ValidationException" {
		t.Error(err)
	}
}

// TestGoStreamsExpiry: what time to live deletes is told as the service's.
func TestGoStreamsExpiry(t *testing.T) {
	url := startEngine(t, asItIs)
	c, s := newClient(t, url), newStreamsClient(t, url)
	arn, name := streamTable(t, c), aws.String("things")
	must(c.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)}}))(t)
	must(c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: name, Item: item{"id": str("a"), "expires": num("1700000000")}}))(t)
	shard := must(s.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn}))(t).StreamDescription.Shards[0].ShardId
	in := &dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon}
	for range 1000 {
		if all, _ := records(t, s, in); len(all) == 2 {
			if id := all[1].UserIdentity; all[1].EventName != streamtypes.OperationTypeRemove || id == nil || *id.PrincipalId != "dynamodb.amazonaws.com" || *id.Type != "Service" {
				t.Errorf("%+v", all[1])
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("nothing expires")
}
