package awssdk

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin version

var ErrStale = errors.New("somebody else was faster, again and again")

func Edit(ctx context.Context, db *dynamodb.Client, id string, f func(*Order) error) (o Order, err error) {
	for range 10 {
		out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: orderKey(id), ConsistentRead: aws.Bool(true)})
		if err != nil {
			return o, err
		}
		if out.Item == nil {
			return o, ErrNotFound
		}
		o = Order{}
		if err := attributevalue.UnmarshalMap(out.Item, &o); err != nil {
			return o, err
		}
		version := o.Version
		if err := f(&o); err != nil {
			return o, err
		}
		o.Version = version + 1
		item, err := attributevalue.MarshalMap(newOrderItem(o))
		if err != nil {
			return o, err
		}
		_, err = db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName:                 table,
			Item:                      item,
			ConditionExpression:       aws.String("#version = :version"),
			ExpressionAttributeNames:  map[string]string{"#version": "version"},
			ExpressionAttributeValues: map[string]types.AttributeValue{":version": &types.AttributeValueMemberN{Value: strconv.Itoa(version)}},
		})
		if _, stale := errors.AsType[*types.ConditionalCheckFailedException](err); !stale {
			return o, err
		}
	}
	return o, ErrStale
}

//page:end version
