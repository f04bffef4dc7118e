package awssdk

import (
	"context"
	"encoding/base64"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin query

func Paid(ctx context.Context, db *dynamodb.Client, customer string, since time.Time, after string, n int) (orders []Order, next string, err error) {
	in := &dynamodb.QueryInput{
		TableName:                table,
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
	out, err := db.Query(ctx, in)
	if err != nil {
		return nil, "", err
	}
	if err := attributevalue.UnmarshalListOfMaps(out.Items, &orders); err != nil {
		return nil, "", err
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
