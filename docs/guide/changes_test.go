package guide

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

type Product struct {
	SKU   string      `ddb:"sku"`
	Name  string      `ddb:"name"`
	Price attr.Number `ddb:"price"`
	Stock int         `ddb:"stock"`
	Tags  []string    `ddb:"tags,set"`
}

var ProductsTable = tablewright.NewTable(plan.Table{Name: "Products", Key: plan.Key{Partition: "sku"}})

// products has a field for each attribute that conditions and changes name.
type products struct {
	tablewright.Entity[string, Product]
	Price tablewright.Number[Product, attr.Number]
	Stock tablewright.Number[Product, int]
	Tags  tablewright.Set[Product, string]
}

var Products = tablewright.Declare[products](ProductsTable, plan.Item{Name: "Product"})

func Example_changes() {
	ctx, db := open(ProductsTable)
	_ = Products.Create(Product{SKU: "lamp", Name: "Lamp", Price: attr.Dec("19.90"), Stock: 2}).Run(ctx, db)

	take := func(sku string, n int) error {
		left, err := Products.Update(sku, Products.Stock.Minus(n)).
			If(Products.Stock.AtLeast(n)).
			New(ctx, db)
		if refused, ok := Products.Refused(err); ok {
			return fmt.Errorf("only %d left", refused.Stock)
		}
		if err == nil {
			fmt.Println(left.Stock, "left")
		}
		return err
	}
	fmt.Println(take("lamp", 1))
	fmt.Println(take("lamp", 5))
	fmt.Println(errors.Is(take("chair", 1), tablewright.ErrNotFound))

	p, err := Products.Update("lamp", Products.Price.Set(attr.Dec("17.50")), Products.Tags.Insert("sale", "light")).New(ctx, db)
	fmt.Println(p.Price, p.Tags, err)

	changed, err := Products.Update("lamp", Products.Stock.Add(10)).Updated(ctx, db)
	fmt.Printf("%+v %v\n", changed, err)
	// Output:
	// 1 left
	// <nil>
	// only 1 left
	// true
	// 17.5 [light sale] <nil>
	// {SKU:lamp Name: Price:0 Stock:11 Tags:[]} <nil>
}

func Example_text() {
	ctx, db := open(ProductsTable)
	_ = Products.Create(Product{SKU: "lamp", Name: "Lamp", Price: attr.Dec("19.90"), Stock: 2}).Run(ctx, db)

	p, err := Products.Update("lamp", Products.Clause("SET price = ?, stock = stock + ?", attr.Dec("17.50"), 10)).
		If(Products.Where("stock < ? AND NOT contains(tags, ?)", 5, "sale")).
		New(ctx, db)
	fmt.Println(p.Price, p.Stock, err)

	_, err = Products.Update("lamp", Products.Clause("SET prize = ?", 1)).Request()
	fmt.Println(err)
	// Output:
	// 17.5 12 <nil>
	// tablewright: UpdateItem Products: invalid request: "SET prize = ?": guide.Product has no attribute prize (position 5)
}
