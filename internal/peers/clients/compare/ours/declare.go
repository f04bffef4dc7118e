// Package ours has the programs written with this module's client.
package ours

import (
	"context"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

//page:begin declare

type Customer struct {
	ID    string `ddb:"customerId"`
	Email string `ddb:"email"`
	Name  string `ddb:"name"`
}

type Order struct {
	ID       string    `ddb:"orderId"`
	Customer string    `ddb:"customerId"`
	Status   string    `ddb:"status" check:"enum=placed|paid|shipped"`
	PlacedAt time.Time `ddb:"placedAt,epoch-s"`
	Total    int       `ddb:"total"`
	SKUs     []string  `ddb:"skus,omitzero"`
	Version  int       `ddb:"version,version"`
}

var Shop = tablewright.NewTable(plan.Table{
	Name: "Shop",
	Key:  plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{
		"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"status", "placedAt"}},
	},
	Stream: plan.NewAndOld,
	Items: map[string]plan.Item{ // what keeps e-mail addresses unique
		"CustomerEmail": {Holds: plan.Holds{Unique: "Customer.email"}, Key: map[string]string{"PK": "email#{email:lower}", "SK": "email"}},
	},
})

var Customers = tablewright.Declare[struct {
	tablewright.Entity[string, Customer]
	EmailClaim tablewright.Unique[Customer, string]
}](Shop, plan.Item{Name: "Customer", Key: map[string]string{"PK": "c#{customerId}", "SK": "c"}})

var Orders = tablewright.Declare[struct {
	tablewright.Entity[string, Order]
	Status     tablewright.Text[Order, string]
	Total      tablewright.Number[Order, int]
	ByCustomer tablewright.Index2[Order, string, string, time.Time]
	InOrder    tablewright.Index0[Order, string] `index:"Shop"`
}](Shop, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})

func Store(ctx context.Context, db *tablewright.DB, o Order) error {
	return Orders.Create(o).Run(ctx, db) // errors.Is(err, tablewright.ErrExists)
}

//page:end declare
