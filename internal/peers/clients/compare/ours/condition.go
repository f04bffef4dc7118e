package ours

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright"
)

//page:begin condition

func Pay(ctx context.Context, db *tablewright.DB, id string, limit int) error {
	err := Orders.Update(id, Orders.Status.Set("paid")).
		If(Orders.Status.Equals("placed"), Orders.Total.AtMost(limit)).Run(ctx, db)
	if o, ok := Orders.Refused(err); ok {
		return fmt.Errorf("order %s is %s over %d", o.ID, o.Status, o.Total)
	}
	return err
}

//page:end condition
