package ours

import (
	"context"
	"time"

	"github.com/tablewright/tablewright"
)

//page:begin pattern

type OrdersOf struct {
	Customer, Status string
	From, To         time.Time
}

var OrdersByStatus = tablewright.NewPattern(Shop, "ordersByStatus", func(p OrdersOf) tablewright.Query[Order] {
	return Orders.ByCustomer.Of(p.Customer).Is(p.Status).Between(p.From, p.To)
})

func ByStatus(ctx context.Context, db *tablewright.DB, p OrdersOf) ([]Order, error) {
	return OrdersByStatus.With(p).Slice(ctx, db)
}

//page:end pattern
