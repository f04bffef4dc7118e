package guregu

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/guregu/dynamo/v2"

	"github.com/tablewright/tablewright/internal/peers/clients/compare/awssdk"
)

//page:begin stream

// There are no streams: reading them is the SDK's program, Records of it.
func Follow(ctx context.Context, db *dynamodb.Client, streams *dynamodbstreams.Client, f func(old, new *Order) error) error {
	return awssdk.Records(ctx, db, streams, func(r *types.StreamRecord) error {
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
	err = dynamo.UnmarshalItem(item, &o)
	return &o, err
}

//page:end stream
