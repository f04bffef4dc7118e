package ours

import (
	"context"
	"time"

	"github.com/tablewright/tablewright"
)

//page:begin query

func Paid(ctx context.Context, db *tablewright.DB, customer string, since time.Time, after string, n int) ([]Order, string, error) {
	page, err := Orders.ByCustomer.Of(customer).Is("paid").From(since).Descending().
		Resume(tablewright.Cursor(after)).Page(ctx, db, n) // errors.Is(err, tablewright.ErrCursor)
	return page.Items, string(page.Next), err
}

//page:end query
