package awssdk

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin condition

func Pay(ctx context.Context, db *dynamodb.Client, id string, limit int) error {
	_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                table,
		Key:                      orderKey(id),
		UpdateExpression:         aws.String("SET #status = :paid ADD #version :one"),
		ConditionExpression:      aws.String("#status = :placed AND #total <= :limit"),
		ExpressionAttributeNames: map[string]string{"#status": "status", "#version": "version", "#total": "total"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":paid":   &types.AttributeValueMemberS{Value: "paid"},
			":placed": &types.AttributeValueMemberS{Value: "placed"},
			":limit":  &types.AttributeValueMemberN{Value: strconv.Itoa(limit)},
			":one":    &types.AttributeValueMemberN{Value: "1"},
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		if refused.Item == nil {
			return ErrNotFound
		}
		var o Order
		if err := attributevalue.UnmarshalMap(refused.Item, &o); err != nil {
			return err
		}
		return fmt.Errorf("order %s is %s over %d", o.ID, o.Status, o.Total)
	}
	return err
}

//page:end condition
