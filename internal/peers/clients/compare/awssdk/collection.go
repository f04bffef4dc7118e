package awssdk

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

//page:begin collection

type Invoice struct {
	Order  string `dynamodbav:"orderId"`
	Number string `dynamodbav:"number"`
}

type Shipment struct {
	Order   string `dynamodbav:"orderId"`
	Carrier string `dynamodbav:"carrier"`
}

type OrderPage struct {
	Order     Order
	Invoice   *Invoice
	Shipments []Shipment
}

func ReadPage(ctx context.Context, db *dynamodb.Client, id string) (page OrderPage, err error) {
	found := false
	pages := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
		TableName:                 table,
		KeyConditionExpression:    aws.String("PK = :order"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":order": &types.AttributeValueMemberS{Value: "o#" + id}},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return page, err
		}
		for _, item := range out.Items {
			sk, _ := item["SK"].(*types.AttributeValueMemberS)
			switch {
			case sk.Value == "o":
				found = true
				err = attributevalue.UnmarshalMap(item, &page.Order)
			case sk.Value == "i":
				err = attributevalue.UnmarshalMap(item, &page.Invoice)
			case strings.HasPrefix(sk.Value, "sh#"):
				var s Shipment
				err = attributevalue.UnmarshalMap(item, &s)
				page.Shipments = append(page.Shipments, s)
			}
			if err != nil {
				return page, err
			}
		}
	}
	if !found {
		return page, ErrNotFound
	}
	return page, nil
}

//page:end collection
