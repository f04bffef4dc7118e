package guregu

import (
	"context"
	"math"
	"sync"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

//page:begin scan

func Export(ctx context.Context, db *dynamo.DB, each func(Customer) error) error {
	const segments, unitsPerSecond = 4, 200
	var mu sync.Mutex
	limit := rate.NewLimiter(unitsPerSecond, unitsPerSecond)
	group, ctx := errgroup.WithContext(ctx)
	for segment := range segments {
		group.Go(func() error {
			for from, more := (dynamo.PagingKey)(nil), true; more; more = from != nil {
				var used dynamo.ConsumedCapacity
				var customers []Customer
				var err error
				from, err = db.Table("Shop").Scan().Segment(segment, segments).Filter("begins_with(PK, ?)", "c#").
					StartFrom(from).RequestLimit(1).ConsumedCapacity(&used).AllWithLastEvaluatedKey(ctx, &customers)
				if err != nil {
					return err
				}
				mu.Lock()
				for _, c := range customers {
					if err := each(c); err != nil {
						mu.Unlock()
						return err
					}
				}
				mu.Unlock()
				if err := limit.WaitN(ctx, int(math.Ceil(used.Total))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

//page:end scan
