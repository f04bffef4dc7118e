package awssdk

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin pattern

type OrdersOf struct {
	Customer, Status string
	From, To         time.Time
}

func ByStatus(ctx context.Context, db *dynamodb.Client, p OrdersOf) (orders []Order, err error) {
	pages := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
		TableName:                table,
		IndexName:                aws.String("ByCustomer"),
		KeyConditionExpression:   aws.String("customerId = :customer AND #status = :status AND placedAt BETWEEN :from AND :to"),
		ExpressionAttributeNames: map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":customer": &types.AttributeValueMemberS{Value: p.Customer},
			":status":   &types.AttributeValueMemberS{Value: p.Status},
			":from":     &types.AttributeValueMemberN{Value: strconv.FormatInt(p.From.Unix(), 10)},
			":to":       &types.AttributeValueMemberN{Value: strconv.FormatInt(p.To.Unix(), 10)},
		},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		var some []Order
		if err := attributevalue.UnmarshalListOfMaps(out.Items, &some); err != nil {
			return nil, err
		}
		orders = append(orders, some...)
	}
	return orders, nil
}

//page:end pattern
