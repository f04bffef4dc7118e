package awssdk

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

//page:begin get

var ErrNotFound = errors.New("not found")

func Get(ctx context.Context, db *dynamodb.Client, id string) (o Order, err error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: orderKey(id)})
	if err != nil {
		return o, err
	}
	if out.Item == nil {
		return o, ErrNotFound
	}
	err = attributevalue.UnmarshalMap(out.Item, &o)
	return o, err
}

//page:end get
