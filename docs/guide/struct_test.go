package guide

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// Customer is a Go struct; the tags name the attributes of an item.
type Customer struct {
	ID    string `ddb:"customerId"`
	Email string `ddb:"email"`
	Name  string `ddb:"name"`
}

var CustomersTable = tablewright.NewTable(plan.Table{
	Name: "Customers", Key: plan.Key{Partition: "customerId"},
})

var Customers = tablewright.Declare[tablewright.Entity[string, Customer]](CustomersTable, plan.Item{Name: "Customer"})

func Example_connect() {
	ctx := context.Background()
	db, err := tablewright.Connect(ctx, tablewright.Options{}) // Endpoint: "http://127.0.0.1:8000" for a local server
	if err != nil {
		log.Fatal(err)
	}
	differences, err := CustomersTable.Compare(ctx, db)
	fmt.Println(differences, err)
}

func Example_struct() {
	ctx, db := open(CustomersTable)

	ada := Customer{ID: "c1", Email: "ada@example.org", Name: "Ada"}
	fmt.Println(Customers.Create(ada).Run(ctx, db))
	err := Customers.Create(ada).Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrExists))

	c, err := Customers.Get("c1").Run(ctx, db)
	fmt.Println(c.Name, err)

	c.Name = "Ada Lovelace"
	fmt.Println(Customers.Replace(c).Run(ctx, db))

	fmt.Println(Customers.Delete("c1").Run(ctx, db))
	_, err = Customers.Get("c1").Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrNotFound))
	fmt.Println(err)

	// Output:
	// <nil>
	// true
	// Ada <nil>
	// <nil>
	// <nil>
	// true
	// tablewright: GetItem Customers: not found
}

func Example_request() {
	request, err := Customers.Create(Customer{ID: "c1", Email: "ada@example.org", Name: "Ada"}).Request()
	fmt.Println(request.Operation, err)
	fmt.Println(string(request.Body))
	// Output:
	// PutItem <nil>
	// {"TableName":"Customers","Item":{"customerId":{"S":"c1"},"email":{"S":"ada@example.org"},"name":{"S":"Ada"}},"ConditionExpression":"attribute_not_exists(#0)","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ExpressionAttributeNames":{"#0":"customerId"}}
}
