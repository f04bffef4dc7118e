package awssdk

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin email

var ErrEmailTaken = errors.New("e-mail address is taken")

func Register(ctx context.Context, db *dynamodb.Client, c Customer) error {
	item, err := attributevalue.MarshalMap(newCustomerItem(c))
	if err != nil {
		return err
	}
	absent := aws.String("attribute_not_exists(PK)")
	_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table, Item: item, ConditionExpression: absent}},
		{Put: &types.Put{TableName: table, ConditionExpression: absent, Item: map[string]types.AttributeValue{
			"PK":         &types.AttributeValueMemberS{Value: "email#" + strings.ToLower(c.Email)},
			"SK":         &types.AttributeValueMemberS{Value: "email"},
			"customerId": &types.AttributeValueMemberS{Value: c.ID},
		}}},
	}})
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok && len(cancelled.CancellationReasons) == 2 {
		switch "ConditionalCheckFailed" {
		case aws.ToString(cancelled.CancellationReasons[0].Code):
			return ErrExists
		case aws.ToString(cancelled.CancellationReasons[1].Code):
			return ErrEmailTaken
		}
	}
	return err
}

//page:end email
