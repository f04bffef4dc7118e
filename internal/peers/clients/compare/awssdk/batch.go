package awssdk

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

//page:begin batch

func Import(ctx context.Context, db *dynamodb.Client, customers []Customer) (failed []int) {
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

// writeChunk writes up to 25 customers. What is still left after some tries is told by its partition key.
func writeChunk(ctx context.Context, db *dynamodb.Client, chunk []Customer) map[string]bool {
	left := map[string]bool{}
	var requests []types.WriteRequest
	for _, c := range chunk {
		left["c#"+c.ID] = true
		if item, err := attributevalue.MarshalMap(newCustomerItem(c)); err == nil {
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
	}
	for try := 0; try < 6 && len(requests) > 0; try++ {
		if try > 0 {
			select {
			case <-time.After(rand.N(50 * time.Millisecond << try)):
			case <-ctx.Done():
				return left
			}
		}
		out, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"Shop": requests}})
		if err != nil {
			return left // after the SDK's own tries
		}
		for _, r := range requests {
			delete(left, r.PutRequest.Item["PK"].(*types.AttributeValueMemberS).Value)
		}
		requests = out.UnprocessedItems["Shop"]
		for _, r := range requests {
			left[r.PutRequest.Item["PK"].(*types.AttributeValueMemberS).Value] = true
		}
	}
	return left
}

//page:end batch
