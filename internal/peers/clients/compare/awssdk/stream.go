package awssdk

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

//page:begin stream

func Follow(ctx context.Context, db *dynamodb.Client, streams *dynamodbstreams.Client, f func(old, new *Order) error) error {
	return Records(ctx, db, streams, func(r *types.StreamRecord) error {
		pk, _ := r.Keys["PK"].(*types.AttributeValueMemberS)
		sk, _ := r.Keys["SK"].(*types.AttributeValueMemberS)
		if !strings.HasPrefix(pk.Value, "o#") || sk.Value != "o" {
			return nil
		}
		before, err := image(r.OldImage)
		if err != nil {
			return err
		}
		after, err := image(r.NewImage)
		if err != nil {
			return err
		}
		return f(before, after)
	})
}

func image(of map[string]types.AttributeValue) (*Order, error) {
	if of == nil {
		return nil, nil
	}
	item, err := attributevalue.FromDynamoDBStreamsMap(of)
	if err != nil {
		return nil, err
	}
	var o Order
	err = attributevalue.UnmarshalMap(item, &o)
	return &o, err
}

// Records calls f with all records that are in the stream, those of a shard after those of its parent. It is one process
// without a checkpoint: a second run begins anew.
func Records(ctx context.Context, db *dynamodb.Client, streams *dynamodbstreams.Client, f func(*types.StreamRecord) error) error {
	described, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: table})
	if err != nil {
		return err
	}
	arn := described.Table.LatestStreamArn
	shards := map[string]types.Shard{}
	for from, more := (*string)(nil), true; more; more = from != nil {
		out, err := streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn, ExclusiveStartShardId: from})
		if err != nil {
			return err
		}
		for _, s := range out.StreamDescription.Shards {
			shards[*s.ShardId] = s
		}
		from = out.StreamDescription.LastEvaluatedShardId
	}
	var read func(s types.Shard) error
	read = func(s types.Shard) error {
		delete(shards, *s.ShardId)
		if s.ParentShardId != nil {
			if parent, ok := shards[*s.ParentShardId]; ok {
				if err := read(parent); err != nil {
					return err
				}
			}
		}
		begin, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: s.ShardId, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
		})
		if err != nil {
			return err
		}
		for next := begin.ShardIterator; next != nil; {
			out, err := streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: next})
			if err != nil {
				return err
			}
			for _, r := range out.Records {
				if err := f(r.Dynamodb); err != nil {
					return err
				}
			}
			if next = out.NextShardIterator; len(out.Records) == 0 && s.SequenceNumberRange.EndingSequenceNumber == nil {
				return nil // an open shard has no end
			}
		}
		return nil
	}
	for _, s := range shards {
		if _, left := shards[*s.ShardId]; left {
			if err := read(s); err != nil {
				return err
			}
		}
	}
	return nil
}

//page:end stream
