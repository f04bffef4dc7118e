package awssdk

import (
	"context"
	"math"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

//page:begin scan

func Export(ctx context.Context, db *dynamodb.Client, each func(Customer) error) error {
	const segments, unitsPerSecond = 4, 200
	var mu sync.Mutex
	limit := rate.NewLimiter(unitsPerSecond, unitsPerSecond)
	group, ctx := errgroup.WithContext(ctx)
	for segment := range segments {
		group.Go(func() error {
			pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{
				TableName:                 table,
				Segment:                   aws.Int32(int32(segment)),
				TotalSegments:             aws.Int32(segments),
				FilterExpression:          aws.String("begins_with(PK, :customers)"),
				ExpressionAttributeValues: map[string]types.AttributeValue{":customers": &types.AttributeValueMemberS{Value: "c#"}},
				ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
			})
			for pages.HasMorePages() {
				out, err := pages.NextPage(ctx)
				if err != nil {
					return err
				}
				var customers []Customer
				if err := attributevalue.UnmarshalListOfMaps(out.Items, &customers); err != nil {
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
				if err := limit.WaitN(ctx, int(math.Ceil(*out.ConsumedCapacity.CapacityUnits))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

//page:end scan
