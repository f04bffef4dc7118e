package ours

import (
	"context"

	"github.com/tablewright/tablewright"
)

//page:begin version

func Edit(ctx context.Context, db *tablewright.DB, id string, f func(*Order) error) (Order, error) {
	return Orders.Edit(id, f).New(ctx, db)
}

//page:end version
