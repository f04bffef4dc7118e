// Package awssdk has the programs written with the AWS SDK for Go.
package awssdk

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin declare

type Customer struct {
	ID    string `dynamodbav:"customerId"`
	Email string `dynamodbav:"email"`
	Name  string `dynamodbav:"name"`
}

type Order struct {
	ID       string    `dynamodbav:"orderId"`
	Customer string    `dynamodbav:"customerId"`
	Status   string    `dynamodbav:"status"`
	PlacedAt time.Time `dynamodbav:"placedAt,unixtime"`
	Total    int       `dynamodbav:"total"`
	SKUs     []string  `dynamodbav:"skus,omitempty"`
	Version  int       `dynamodbav:"version"`
}

// Items have the attributes of the key beside those of the type.
type (
	customerItem struct {
		PK, SK string
		Customer
	}
	orderItem struct {
		PK, SK string
		Order
	}
)

func newCustomerItem(c Customer) customerItem { return customerItem{"c#" + c.ID, "c", c} }
func newOrderItem(o Order) orderItem          { return orderItem{"o#" + o.ID, "o", o} }

func orderKey(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "o#" + id},
		"SK": &types.AttributeValueMemberS{Value: "o"},
	}
}

var (
	table     = aws.String("Shop")
	ErrExists = errors.New("exists")
)

func Store(ctx context.Context, db *dynamodb.Client, o Order) error {
	o.Version = 1
	item, err := attributevalue.MarshalMap(newOrderItem(o))
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           table,
		Item:                item,
		ConditionExpression: aws.String("attribute_not_exists(PK)"),
	})
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return ErrExists
	}
	return err
}

//page:end declare
