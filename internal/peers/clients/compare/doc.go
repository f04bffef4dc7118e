// Package compare holds the programs that a user of DynamoDB writes first, each with this module's client, with the AWS SDK
// and with guregu/dynamo (packages ours, awssdk and guregu; a file per program). Its test runs all of them against the
// engine and demands that the three answer the same and leave the same items behind; docs/comparison.md shows them.
//
// A library's programs are written as its own users write them, with the helpers it brings: attributevalue and plain
// expressions for the SDK, its expressions, iterators and batches for guregu/dynamo, golang.org/x/sync and
// golang.org/x/time where something is done at once or at a pace. What stands between the marks //page:begin and
// //page:end is the program; what is around it calls it.
package compare

import (
	"context"
	"time"
)

// Order is an order as the test compares it; those of the libraries differ in their tags.
type Order struct {
	ID       string
	Customer string
	Status   string
	PlacedAt time.Time
	Total    int
	SKUs     []string
	Version  int
}

// Customer is a customer as the test compares it.
type Customer struct {
	ID    string
	Email string
	Name  string
}

// OrderPage is an order with what lies beside it.
type OrderPage struct {
	Order     Order
	Invoice   string   // its number; "" if there is none
	Shipments []string // their carriers
}

// Shop is a library's programs.
type Shop interface {
	Store(ctx context.Context, o Order) error
	Get(ctx context.Context, id string) (Order, error)
	Pay(ctx context.Context, id string, limit int) error
	Paid(ctx context.Context, customer string, since time.Time, after string, n int) (orders []Order, next string, err error)
	Ship(ctx context.Context, order, carrier string) error
	Page(ctx context.Context, id string) (OrderPage, error)
	ByStatus(ctx context.Context, customer, status string, from, to time.Time) ([]Order, error)
	Register(ctx context.Context, c Customer) error
	Import(ctx context.Context, c []Customer) (failed []int)
	Edit(ctx context.Context, id string, f func(*Order) error) (Order, error)
	Export(ctx context.Context, each func(Customer) error) error
	Follow(ctx context.Context, f func(old, new *Order) error) error
	// Kind says what an error is: exists, not found, email taken, or its text.
	Kind(err error) string
}
