package ours

import (
	"context"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

//page:begin collection

type Invoice struct {
	Order  string `ddb:"orderId"`
	Number string `ddb:"number"`
}

type Shipment struct {
	Order   string `ddb:"orderId"`
	Carrier string `ddb:"carrier"`
}

type ShipmentKey struct{ Order, Carrier string }

var Invoices = tablewright.Declare[tablewright.Entity[string, Invoice]](Shop,
	plan.Item{Name: "Invoice", Key: map[string]string{"PK": "o#{orderId}", "SK": "i"}})

var Shipments = tablewright.Declare[tablewright.Entity[ShipmentKey, Shipment]](Shop,
	plan.Item{Name: "Shipment", Key: map[string]string{"PK": "o#{orderId}", "SK": "sh#{carrier}"}})

type OrderPage struct {
	Order     Order
	Invoice   *Invoice
	Shipments []Shipment
}

var OrderPages = tablewright.NewCollection[OrderPage](Orders.InOrder)

func ReadPage(ctx context.Context, db *tablewright.DB, id string) (OrderPage, error) {
	return OrderPages.Of(id).Run(ctx, db) // errors.Is(err, tablewright.ErrNotFound)
}

//page:end collection
