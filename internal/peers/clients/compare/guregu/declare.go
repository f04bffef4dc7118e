// Package guregu has the programs written with guregu/dynamo.
package guregu

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"
)

//page:begin declare

type Customer struct {
	ID    string `dynamo:"customerId"`
	Email string `dynamo:"email"`
	Name  string `dynamo:"name"`
}

type Order struct {
	ID       string    `dynamo:"orderId"`
	Customer string    `dynamo:"customerId"`
	Status   string    `dynamo:"status"`
	PlacedAt time.Time `dynamo:"placedAt,unixtime"`
	Total    int       `dynamo:"total"`
	SKUs     []string  `dynamo:"skus,omitempty"`
	Version  int       `dynamo:"version"`
}

// Items have the attributes of the key beside those of the type.
type (
	customerItem struct {
		PK, SK string
		Customer
	}
	orderItem struct {
		PK, SK string
		Order
	}
)

func newCustomerItem(c Customer) customerItem { return customerItem{"c#" + c.ID, "c", c} }
func newOrderItem(o Order) orderItem          { return orderItem{"o#" + o.ID, "o", o} }

var ErrExists = errors.New("exists")

func Store(ctx context.Context, db *dynamo.DB, o Order) error {
	o.Version = 1
	err := db.Table("Shop").Put(newOrderItem(o)).If("attribute_not_exists(PK)").Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return ErrExists
	}
	return err
}

//page:end declare
