package guregu

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

//page:begin pattern

type OrdersOf struct {
	Customer, Status string
	From, To         time.Time
}

func ByStatus(ctx context.Context, db *dynamo.DB, p OrdersOf) (orders []Order, err error) {
	pages := dynamodb.NewQueryPaginator(db.Client(), &dynamodb.QueryInput{
		TableName:                aws.String("Shop"),
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
		for _, item := range out.Items {
			var o Order
			if err := dynamo.UnmarshalItem(item, &o); err != nil {
				return nil, err
			}
			orders = append(orders, o)
		}
	}
	return orders, nil
}

//page:end pattern
