package guregu

import (
	"context"
	"fmt"

	"github.com/guregu/dynamo/v2"
)

//page:begin condition

func Pay(ctx context.Context, db *dynamo.DB, id string, limit int) error {
	err := db.Table("Shop").Update("PK", "o#"+id).Range("SK", "o").Set("status", "paid").Add("version", 1).
		If("'status' = ? AND 'total' <= ?", "placed", limit).Run(ctx)
	if dynamo.IsCondCheckFailed(err) { // what refused is read again, and may have changed meanwhile
		var o Order
		if err := db.Table("Shop").Get("PK", "o#"+id).Range("SK", dynamo.Equal, "o").Consistent(true).One(ctx, &o); err != nil {
			return err
		}
		return fmt.Errorf("order %s is %s over %d", o.ID, o.Status, o.Total)
	}
	return err
}

//page:end condition
