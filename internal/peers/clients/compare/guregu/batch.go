package guregu

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"
)

//page:begin batch

func Import(ctx context.Context, db *dynamo.DB, customers []Customer) (failed []int) {
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(8)
	for first := 0; first < len(customers); first += 25 {
		group.Go(func() error {
			chunk := customers[first:min(first+25, len(customers))]
			left := writeChunk(ctx, db, chunk)
			mu.Lock()
			defer mu.Unlock()
			for i, c := range chunk {
				if left["c#"+c.ID] {
					failed = append(failed, first+i)
				}
			}
			return nil
		})
	}
	group.Wait()
	slices.Sort(failed)
	return failed
}

// writeChunk writes up to 25 customers. A batch sends what is unprocessed again until its context ends; then it tells how
// many it wrote, not which: those are looked for.
func writeChunk(ctx context.Context, db *dynamo.DB, chunk []Customer) map[string]bool {
	left := map[string]bool{}
	batch := db.Table("Shop").Batch("PK", "SK")
	write := batch.Write()
	var keys []dynamo.Keyed
	for _, c := range chunk {
		item := newCustomerItem(c)
		left[item.PK] = true
		write.Put(item)
		keys = append(keys, dynamo.Keys{item.PK, item.SK})
	}
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := write.Run(short); err == nil {
		return nil
	}
	var there []customerItem
	if err := batch.Get(keys...).Consistent(true).All(ctx, &there); err != nil {
		return left
	}
	for _, item := range there {
		delete(left, item.PK)
	}
	return left
}

//page:end batch
