package ours

import (
	"context"

	"github.com/tablewright/tablewright"
)

//page:begin scan

func Export(ctx context.Context, db *tablewright.DB, each func(Customer) error) error {
	for c, err := range Customers.Scan().Intended().Parallel(4).Rate(200).All(ctx, db) {
		if err != nil {
			return err
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return nil
}

//page:end scan
