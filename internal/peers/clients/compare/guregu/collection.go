package guregu

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

//page:begin collection

type Invoice struct {
	Order  string `dynamo:"orderId"`
	Number string `dynamo:"number"`
}

type Shipment struct {
	Order   string `dynamo:"orderId"`
	Carrier string `dynamo:"carrier"`
}

type OrderPage struct {
	Order     Order
	Invoice   *Invoice
	Shipments []Shipment
}

func ReadPage(ctx context.Context, db *dynamo.DB, id string) (page OrderPage, err error) {
	found := false
	items := db.Table("Shop").Get("PK", "o#"+id).Iter()
	for item := (dynamo.Item{}); items.Next(ctx, &item); item = nil {
		sk, _ := item["SK"].(*types.AttributeValueMemberS)
		switch {
		case sk.Value == "o":
			found = true
			err = dynamo.UnmarshalItem(item, &page.Order)
		case sk.Value == "i":
			page.Invoice = new(Invoice)
			err = dynamo.UnmarshalItem(item, page.Invoice)
		case strings.HasPrefix(sk.Value, "sh#"):
			var s Shipment
			err = dynamo.UnmarshalItem(item, &s)
			page.Shipments = append(page.Shipments, s)
		}
		if err != nil {
			return page, err
		}
	}
	if err := items.Err(); err != nil {
		return page, err
	}
	if !found {
		return page, dynamo.ErrNotFound
	}
	return page, nil
}

//page:end collection
