package ours

import (
	"context"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/streams"
)

//page:begin stream

func Follow(ctx context.Context, db *tablewright.DB, f func(old, new *Order) error) error {
	return streams.Run(ctx, db, Shop, streams.Options{Group: "follower", Create: true, Drain: true},
		streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error { return f(c.Old, c.New) }))
}

//page:end stream
