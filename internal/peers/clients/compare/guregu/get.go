package guregu

import (
	"context"

	"github.com/guregu/dynamo/v2"
)

//page:begin get

func Get(ctx context.Context, db *dynamo.DB, id string) (o Order, err error) {
	err = db.Table("Shop").Get("PK", "o#"+id).Range("SK", dynamo.Equal, "o").One(ctx, &o) // errors.Is(err, dynamo.ErrNotFound)
	return o, err
}

//page:end get
