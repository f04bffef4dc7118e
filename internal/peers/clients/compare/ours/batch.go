package ours

import (
	"context"
	"errors"
	"slices"

	"github.com/tablewright/tablewright"
)

//page:begin batch

func Import(ctx context.Context, db *tablewright.DB, customers []Customer) (failed []int) {
	err := Customers.PutAll(slices.Values(customers)).Parallel(8).Run(ctx, db)
	if part, ok := errors.AsType[*tablewright.BatchError](err); ok {
		for _, f := range part.Failed {
			failed = append(failed, f.Index) // why: f.Err
		}
	}
	return failed
}

//page:end batch
