package guregu

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"
)

//page:begin version

var ErrStale = errors.New("somebody else was faster, again and again")

func Edit(ctx context.Context, db *dynamo.DB, id string, f func(*Order) error) (Order, error) {
	for range 10 {
		var o Order
		if err := db.Table("Shop").Get("PK", "o#"+id).Range("SK", dynamo.Equal, "o").Consistent(true).One(ctx, &o); err != nil {
			return o, err
		}
		version := o.Version
		if err := f(&o); err != nil {
			return o, err
		}
		o.Version = version + 1
		err := db.Table("Shop").Put(newOrderItem(o)).If("'version' = ?", version).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return o, err
		}
	}
	return Order{}, ErrStale
}

//page:end version
