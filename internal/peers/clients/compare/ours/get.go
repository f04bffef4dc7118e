package ours

import (
	"context"

	"github.com/tablewright/tablewright"
)

//page:begin get

func Get(ctx context.Context, db *tablewright.DB, id string) (Order, error) {
	return Orders.Get(id).Run(ctx, db) // errors.Is(err, tablewright.ErrNotFound)
}

//page:end get
