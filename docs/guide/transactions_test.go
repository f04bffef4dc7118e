package guide

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/docs/internal/local"
)

func Example_transactions() {
	ctx, db := open(OrdersTable, ProductsTable, CustomersTable)
	_ = Customers.Create(Customer{ID: "c1", Name: "Ada"}).Run(ctx, db)
	_ = Products.Create(Product{SKU: "lamp", Stock: 1}).Run(ctx, db)

	errSoldOut, errNoCustomer := errors.New("sold out"), errors.New("no such customer")
	buy := func(o Order, sku string) error {
		return tablewright.Transact(
			Orders.Create(o),
			Products.Update(sku, Products.Stock.Minus(1)).If(Products.Stock.AtLeast(1)).Else(errSoldOut),
			Customers.Check(o.Customer).Else(errNoCustomer),
		).Run(ctx, db)
	}
	fmt.Println(buy(Order{Customer: "c1", PlacedAt: local.Noon, No: "A-1", Total: attr.Int(20)}, "lamp"))

	err := buy(Order{Customer: "c1", PlacedAt: local.Noon, No: "A-2", Total: attr.Int(20)}, "lamp")
	fmt.Println(errors.Is(err, errSoldOut), errors.Is(err, tablewright.ErrExists), errors.Is(err, errNoCustomer))
	var tx *tablewright.TxError
	if errors.As(err, &tx) {
		for _, reason := range tx.Reasons {
			fmt.Println("action", reason.Action, "failed")
		}
	}
	// Output:
	// <nil>
	// true true false
	// action 0 failed
	// action 1 failed
}

func Example_batches() {
	ctx, db := open(ProductsTable)
	var all []Product
	for i := range 60 {
		all = append(all, Product{SKU: fmt.Sprintf("p%02d", i), Stock: i})
	}
	all[7].SKU = "" // a key cannot be empty

	var used tablewright.Usage
	err := Products.PutAll(slices.Values(all)).Parallel(2).Run(ctx, db.Measure(&used))
	var part *tablewright.BatchError
	if errors.As(err, &part) {
		fmt.Println(part.Done, "written, not:", part.Failed[0].Index)
	}
	fmt.Println(used.Requests, "requests,", used.Write, "write units")

	found, err := Products.GetAll([]string{"p01", "p99", "p01"}).Run(ctx, db)
	for _, f := range found {
		fmt.Println(f.Item.Stock, f.OK, err)
	}
	// Output:
	// 59 written, not: 7
	// 3 requests, 59 write units
	// 1 true <nil>
	// 0 false <nil>
	// 1 true <nil>
}

func Example_snapshot() {
	ctx, db := open(ProductsTable, CustomersTable)
	_ = Customers.Create(Customer{ID: "c1", Name: "Ada"}).Run(ctx, db)
	_ = Products.Create(Product{SKU: "lamp", Stock: 1}).Run(ctx, db)

	var customer Customer
	var product Product
	err := tablewright.Snapshot(Customers.Get("c1").Into(&customer), Products.Get("lamp").Into(&product)).Run(ctx, db)
	fmt.Println(customer.Name, product.Stock, err)
	// Output: Ada 1 <nil>
}
