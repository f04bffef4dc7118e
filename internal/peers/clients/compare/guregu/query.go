package guregu

import (
	"context"
	"encoding/base64"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

//page:begin query

// A Query has one sort attribute: for more there is the SDK's client.
func Paid(ctx context.Context, db *dynamo.DB, customer string, since time.Time, after string, n int) (orders []Order, next string, err error) {
	in := &dynamodb.QueryInput{
		TableName:                aws.String("Shop"),
		IndexName:                aws.String("ByCustomer"),
		KeyConditionExpression:   aws.String("customerId = :customer AND #status = :paid AND placedAt >= :since"),
		ExpressionAttributeNames: map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":customer": &types.AttributeValueMemberS{Value: customer},
			":paid":     &types.AttributeValueMemberS{Value: "paid"},
			":since":    &types.AttributeValueMemberN{Value: strconv.FormatInt(since.Unix(), 10)},
		},
		ScanIndexForward: aws.Bool(false),
		Limit:            aws.Int32(int32(n)),
	}
	if after != "" {
		key, err := base64.RawURLEncoding.DecodeString(after)
		if err != nil {
			return nil, "", err
		}
		if in.ExclusiveStartKey, err = attributevalue.UnmarshalMapJSON(key); err != nil {
			return nil, "", err
		}
	}
	out, err := db.Client().Query(ctx, in)
	if err != nil {
		return nil, "", err
	}
	orders = make([]Order, len(out.Items))
	for i, item := range out.Items {
		if err := dynamo.UnmarshalItem(item, &orders[i]); err != nil {
			return nil, "", err
		}
	}
	if out.LastEvaluatedKey != nil {
		key, err := attributevalue.MarshalMapJSON(out.LastEvaluatedKey)
		if err != nil {
			return nil, "", err
		}
		next = base64.RawURLEncoding.EncodeToString(key)
	}
	return orders, next, nil
}

//page:end query
