package guide

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type Cart struct {
	Customer string `ddb:"customerId"`
	Lines    []Line `ddb:"lines"`
	Version  int    `ddb:"version,version"`
}

type Line struct {
	SKU string `ddb:"sku"`
	Qty int    `ddb:"qty"`
}

var CartsTable = tablewright.NewTable(plan.Table{Name: "Carts", Key: plan.Key{Partition: "customerId"}})

var Carts = tablewright.Declare[tablewright.Entity[string, Cart]](CartsTable, plan.Item{Name: "Cart"})

func Example_versions() {
	ctx, db := open(CartsTable)
	_ = Carts.Create(Cart{Customer: "c1"}).Run(ctx, db)

	mine, _ := Carts.Get("c1").Run(ctx, db)
	yours, _ := Carts.Get("c1").Run(ctx, db)

	mine.Lines = append(mine.Lines, Line{"lamp", 1})
	mine, err := Carts.Put(mine).New(ctx, db)
	fmt.Println(mine.Version, err)

	yours.Lines = append(yours.Lines, Line{"chair", 4})
	err = Carts.Put(yours).Run(ctx, db)
	newer, _ := Carts.Refused(err)
	fmt.Println(errors.Is(err, tablewright.ErrStale), newer.Lines)
	// Output:
	// 2 <nil>
	// true [{lamp 1}]
}

func Example_edit() {
	ctx, db := open(CartsTable)
	_ = Carts.Create(Cart{Customer: "c1"}).Run(ctx, db)

	cart, err := Carts.Edit("c1", func(c *Cart) error {
		c.Lines = append(c.Lines, Line{"chair", 4})
		return nil
	}).New(ctx, db)
	fmt.Println(cart.Lines, cart.Version, err)
	// Output: [{chair 4}] 2 <nil>
}

func Example_patch() {
	before := Cart{Customer: "c1", Lines: []Line{{"lamp", 1}}, Version: 3}
	after := before
	after.Lines = []Line{{"lamp", 2}}
	request, err := Carts.Patch(before, after).Request()
	fmt.Println(string(request.Body), err)
	// Output: {"TableName":"Carts","Key":{"customerId":{"S":"c1"}},"UpdateExpression":"SET #0 = :0, #1 = :1","ConditionExpression":"attribute_exists(#2) AND #1 = :2","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ExpressionAttributeNames":{"#0":"lines","#1":"version","#2":"customerId"},"ExpressionAttributeValues":{":0":{"L":[{"M":{"qty":{"N":"2"},"sku":{"S":"lamp"}}}]},":1":{"N":"4"},":2":{"N":"3"}}} <nil>
}
