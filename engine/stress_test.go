package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

// TestEverythingAtOnce: writes, streams that are read, split, disabled and enabled, sweeps, indexes and time to live that come and go, tables that are deleted and created,
// delayed entries and checks, all side by side. Nothing is a failure of the engine, and at the end the data is in order.
func TestEverythingAtOnce(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		for _, lag := range []*engine.Lag{nil, {Max: time.Minute, Seed: 1}} {
			c := newClock()
			e, err := engine.Open(dir, &engine.Options{Clock: c, Lag: lag, NoSync: true, SweepEvery: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			everythingAtOnce(t, e, c)
			e.WaitFilled()
			if err := e.Settle(); err != nil {
				t.Error(err)
			}
			if n, err := e.Pending(); n != 0 || err != nil {
				t.Errorf("%d entries wait after all were shown, %v", n, err)
			}
			if err := errors.Join(e.Check(), e.Close()); err != nil {
				t.Errorf("in %q with lag %v: %v", dir, lag, err)
			}
		}
	}
}

func everythingAtOnce(t *testing.T, e *engine.Engine, c *clock) {
	const rounds = 150
	var writing, changing sync.WaitGroup
	var done atomic.Bool
	ask := func(operation, request string, args ...any) {
		_, err := e.Do(context.Background(), operation, fmt.Appendf(nil, request, args...))
		var refused *wire.Error
		if err != nil && (!errors.As(err, &refused) || refused.HTTPStatus() >= 500) {
			t.Errorf("%s: %v", operation, err)
		}
	}
	const create = `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"l","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST",
		"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`
	ask("CreateTable", "%s", create)
	for i := range 4 {
		writing.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 0))
			for n := range rounds {
				pk, sk := r.IntN(4), r.IntN(30)
				item := fmt.Sprintf(`{"pk":{"S":"%d"},"sk":{"N":"%d"},"g":{"S":"%d"},"l":{"N":"%d"},"ttl":{"N":"%d"}}`, pk, sk, r.IntN(5), r.IntN(3), c.Now().Add(time.Duration(r.IntN(600)-60)*time.Second).Unix())
				switch n % 5 {
				case 0:
					ask("DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"%d"},"sk":{"N":"%d"}}}`, pk, sk)
				case 1:
					ask("TransactWriteItems", `{"ClientRequestToken":"%d-%d","TransactItems":[{"Put":{"TableName":"tbl","Item":%s}},{"Delete":{"TableName":"tbl","Key":{"pk":{"S":"%d"},"sk":{"N":"%d"}}}}]}`, i, n, item, pk, sk+1)
				case 2:
					ask("UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"%d"},"sk":{"N":"%d"}},"UpdateExpression":"SET g = :g REMOVE l","ExpressionAttributeValues":{":g":{"S":"x"}}}`, pk, sk)
				default:
					ask("PutItem", `{"TableName":"tbl","Item":%s}`, item)
				}
			}
		})
	}
	again := func(f func(n int)) {
		changing.Go(func() {
			for n := 0; !done.Load(); n++ {
				f(n)
			}
		})
	}
	again(func(n int) {
		request := `{"Delete":{"IndexName":"gsi"}}`
		if n%2 == 0 {
			request = `{"Create":{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["l"]}}}`
		}
		ask("UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],"GlobalSecondaryIndexUpdates":[%s]}`, request)
		ask("Query", `{"TableName":"tbl","IndexName":"gsi","KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"x"}}}`)
	})
	again(func(n int) {
		ask("UpdateTimeToLive", `{"TableName":"tbl","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":%v}}`, n%2 == 0)
		c.move(61 * time.Minute)
		if _, err := e.Sweep(context.Background()); err != nil {
			t.Error(err)
		}
	})
	again(func(n int) {
		ask("Query", `{"TableName":"tbl","IndexName":"lsi","Select":"ALL_ATTRIBUTES","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"1"}}}`)
		if n%50 == 49 {
			ask("DeleteTable", `{"TableName":"tbl"}`)
			ask("CreateTable", "%s", create)
		}
		if err := e.Check(); err != nil {
			t.Error(err)
		}
	})
	again(func(n int) {
		if n%20 == 19 {
			ask("UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":false}}`)
			ask("UpdateTable", `{"TableName":"tbl","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
		}
		readStreams(t, e, n)
	})
	writing.Wait()
	done.Store(true)
	changing.Wait()
}

// readStreams reads the streams of everythingAtOnce, as far as they are there: they end while they are read.
func readStreams(t *testing.T, e *engine.Engine, n int) {
	ask := func(operation string, request interface{ Append([]byte) []byte }, answer any) bool {
		body, err := e.Do(context.Background(), operation, request.Append(nil))
		var refused *wire.Error
		if errors.As(err, &refused) && refused.HTTPStatus() < 500 {
			return false
		}
		if err == nil {
			err = json.Unmarshal(body, answer)
		}
		if err != nil {
			t.Errorf("%s: %v", operation, err)
		}
		return err == nil
	}
	var list wire.ListStreamsOutput
	ask("ListStreams", &wire.ListStreamsInput{}, &list)
	for _, s := range list.Streams[max(len(list.Streams)-2, 0):] {
		var stream wire.DescribeStreamOutput
		ask("DescribeStream", &wire.DescribeStreamInput{ARN: s.ARN}, &stream)
		for i, h := range stream.Stream.Shards {
			var at wire.GetShardIteratorOutput
			if ask("GetShardIterator", &wire.GetShardIteratorInput{ARN: s.ARN, Shard: h.ID, Type: "TRIM_HORIZON"}, &at) {
				var page struct{ Records []json.RawMessage }
				ask("GetRecords", &wire.GetRecordsInput{Iterator: at.Iterator}, &page)
			}
			if i == len(stream.Stream.Shards)-1 && n%7 == 0 {
				_ = e.SplitShard(s.ARN, h.ID) // it may be closed
			}
		}
	}
}
