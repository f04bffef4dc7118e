// Package onetable has the programs of the guide's last pages: a shop in one table.
package onetable

import (
	"context"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/plan"
)

// open makes the shop's table in an engine in memory.
func open() (context.Context, *tablewright.DB) { return local.Open(Shop) }

type Customer struct {
	ID    string    `ddb:"customerId"`
	Email string    `ddb:"email"`
	Name  string    `ddb:"name"`
	Since time.Time `ddb:"since,created"`
}

type Status string

const (
	Placed  Status = "placed"
	Paid    Status = "paid"
	Shipped Status = "shipped"
)

type Order struct {
	ID       string      `ddb:"orderId"`
	Customer string      `ddb:"customerId"`
	Status   Status      `ddb:"status" check:"enum=placed|paid|shipped"`
	PlacedAt time.Time   `ddb:"placedAt,iso"`
	Total    attr.Number `ddb:"total"`
	Version  int         `ddb:"version,version"`
}

type Line struct {
	Order string      `ddb:"orderId"`
	No    int         `ddb:"lineNo"`
	SKU   string      `ddb:"sku"`
	Qty   int         `ddb:"qty"`
	Price attr.Number `ddb:"price"`
}

type LineKey struct {
	Order string
	No    int
}

type Shipment struct {
	Order   string `ddb:"orderId"`
	ID      string `ddb:"shipmentId"`
	Carrier string `ddb:"carrier"`
}

type ShipmentKey struct{ Order, ID string }

var Shop = tablewright.NewTable(plan.Table{
	Name: "Shop",
	Key:  plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{
		"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"placedAt"}},
		"ToShip":     {Partition: []string{"toShip"}, Sort: []string{"placedAt"}, Project: plan.Keys},
	},
	Items: map[string]plan.Item{
		"CustomerEmail": {
			Holds: plan.Holds{Unique: "Customer.email"},
			Key:   map[string]string{"PK": "email#{email:lower}", "SK": "email"},
		},
	},
})

type customers struct {
	tablewright.Entity[string, Customer]
	Name       tablewright.Text[Customer, string]
	EmailClaim tablewright.Unique[Customer, string]
}

var Customers = tablewright.Declare[customers](Shop, plan.Item{
	Name: "Customer",
	Key:  map[string]string{"PK": "c#{customerId}", "SK": "c"},
})

type orders struct {
	tablewright.Entity[string, Order]
	Status     tablewright.Text[Order, Status]
	Everything tablewright.Index0[Order, string] `index:"."`
	ByCustomer tablewright.Index1[Order, string, time.Time]
	ToShip     tablewright.Index1[OrderRef, time.Time, time.Time]
}

var Orders = tablewright.Declare[orders](Shop, plan.Item{
	Name: "Order",
	Key:  map[string]string{"PK": "o#{orderId}", "SK": "o"},
	Set:  map[string]plan.Template{"toShip": {Value: "{placedAt:day}", When: "status = paid"}},
})

// OrderRef is what the index ToShip holds: keys only.
type OrderRef struct {
	ID       string    `ddb:"orderId"`
	PlacedAt time.Time `ddb:"placedAt,iso"`
}

type lines struct {
	tablewright.Entity[LineKey, Line]
	OfOrder tablewright.Index1[Line, string, int] `index:"."`
}

var Lines = tablewright.Declare[lines](Shop, plan.Item{
	Name: "Line",
	Key:  map[string]string{"PK": "o#{orderId}", "SK": "line#{lineNo:pad3}"},
})

var Shipments = tablewright.Declare[tablewright.Entity[ShipmentKey, Shipment]](Shop, plan.Item{
	Name: "Shipment",
	Key:  map[string]string{"PK": "o#{orderId}", "SK": "ship#{shipmentId}"},
})

// OrderPage is an order with all that lies under its partition key.
type OrderPage struct {
	Order     Order
	Lines     []Line
	Shipments []Shipment
}

var OrderPages = tablewright.NewCollection[OrderPage](Orders.Everything)
