package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// limitedTable has a table that takes 5 reads and 5 writes, with a global index that takes as many reads and 2 writes, and
// a local one.
const limitedTable = `{"TableName":"tbl","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
	"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":2}}]}`

func limitedEngine(t *testing.T, dir string) (*engine.Engine, *clock) {
	c := newClock()
	e := open(t, dir, &engine.Options{Clock: c, Throttle: &engine.Throttle{}, SweepEvery: -1})
	do(t, e, "CreateTable", limitedTable)
	return e, c
}

// untilRefused repeats a request until it is refused and returns how often it passed, and the refusal.
func untilRefused(t *testing.T, e *engine.Engine, operation, request string) (int, *wire.Error) {
	t.Helper()
	for n := range 1000 {
		_, err := try(e, operation, fmt.Sprintf(request, n))
		var refused *wire.Error
		if errors.As(err, &refused) {
			return n, refused
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("%s is never refused", operation)
	return 0, nil
}

const (
	tableExceeded = "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API."
	indexExceeded = "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API."
	tableARN      = "arn:aws:dynamodb:us-east-1:000000000000:table/tbl"
)

// TestThrottledOperations: every operation is refused where its table or index has nothing left, with the reason and the
// resource (API_ThrottlingReason), and passes again a second later.
func TestThrottledOperations(t *testing.T) {
	for _, c := range []struct {
		operation, request string // %[1]d: the number of the try
		passes             int
		message, reason    string
		resource           string
	}{
		{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}`, 5, tableExceeded, "TableWriteProvisionedThroughputExceeded", tableARN},
		{"UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}`, 5, tableExceeded, "TableWriteProvisionedThroughputExceeded", tableARN},
		{"DeleteItem", `{"TableName":"tbl","Key":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}`, 5, tableExceeded, "TableWriteProvisionedThroughputExceeded", tableARN},
		// With entries in both indexes: of the table's 5 each write takes 2, one for the local index.
		{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"},"g":{"S":"g"}}}`, 2, indexExceeded, "IndexWriteProvisionedThroughputExceeded", tableARN + "/index/gsi"},
		{"GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}`, 10, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}},"ConsistentRead":true}`, 5, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"Query", `{"TableName":"tbl","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"%[1]d"}}}`, 10, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"Query", `{"TableName":"tbl","IndexName":"lsi","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"%[1]d"}},"ScanIndexForward":false}`, 10, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"Query", `{"TableName":"tbl","IndexName":"gsi","KeyConditionExpression":"g = :p","ExpressionAttributeValues":{":p":{"S":"%[1]d"}}}`, 10, indexExceeded, "IndexReadProvisionedThroughputExceeded", tableARN + "/index/gsi"},
		{"Scan", `{"TableName":"tbl","Limit":1%[1]d}`, 10, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"Scan", `{"TableName":"tbl","TotalSegments":4,"Segment":3,"ConsistentRead":true,"Limit":1%[1]d}`, 5, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"BatchGetItem", `{"RequestItems":{"tbl":{"Keys":[{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}],"ConsistentRead":true}}}`, 5, tableExceeded, "TableReadProvisionedThroughputExceeded", tableARN},
		{"BatchWriteItem", `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}}]}}`, 5, tableExceeded, "TableWriteProvisionedThroughputExceeded", tableARN},
	} {
		e, clock := limitedEngine(t, "")
		passed, refused := untilRefused(t, e, c.operation, c.request)
		if passed != c.passes || refused.Code != wire.CodeThroughputExceeded || refused.Message != c.message ||
			fmt.Sprint(refused.Throttling) != fmt.Sprintf("[{%s %s}]", c.reason, c.resource) {
			t.Errorf("%s %s:\npassed %d times, want %d; then %v %v", c.operation, c.request, passed, c.passes, refused, refused.Throttling)
		}
		clock.move(time.Second)
		if _, err := try(e, c.operation, fmt.Sprintf(c.request, 9999)); err != nil {
			t.Errorf("%s a second later: %v", c.operation, err)
		}
	}
}

// TestThrottledBatches: what a batch finds nothing left for is left over; the rest is done (API_BatchWriteItem).
func TestThrottledBatches(t *testing.T) {
	e, _ := limitedEngine(t, "")
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	answer := do(t, e, "BatchWriteItem", `{"RequestItems":{"tbl":[
		{"PutRequest":{"Item":{"pk":{"S":"1"},"sk":{"S":"x"},"g":{"S":"g"}}}},{"PutRequest":{"Item":{"pk":{"S":"2"},"sk":{"S":"x"}}}},{"PutRequest":{"Item":{"pk":{"S":"3"},"sk":{"S":"x"},"g":{"S":"h"}}}},
		{"PutRequest":{"Item":{"pk":{"S":"4"},"sk":{"S":"x"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"5"},"sk":{"S":"x"}}}}]},"ReturnConsumedCapacity":"TOTAL"}`)
	if got, want := text(answer["UnprocessedItems"]), `{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"4"},"sk":{"S":"x"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"5"},"sk":{"S":"x"}}}}]}`; got != want {
		t.Errorf("left over %s\nwant      %s", got, want)
	}
	answer = do(t, e, "BatchGetItem", `{"RequestItems":{"tbl":{"ConsistentRead":true,"Keys":[{"pk":{"S":"1"},"sk":{"S":"x"}},{"pk":{"S":"2"},"sk":{"S":"x"}},{"pk":{"S":"3"},"sk":{"S":"x"}},
		{"pk":{"S":"4"},"sk":{"S":"x"}},{"pk":{"S":"5"},"sk":{"S":"x"}},{"pk":{"S":"6"},"sk":{"S":"x"}},{"pk":{"S":"7"},"sk":{"S":"x"}}]}}}`)
	if got, want := text(answer["UnprocessedKeys"]), `{"tbl":{"ConsistentRead":true,"Keys":[{"pk":{"S":"6"},"sk":{"S":"x"}},{"pk":{"S":"7"},"sk":{"S":"x"}}]}}`; got != want {
		t.Errorf("left over %s\nwant      %s", got, want)
	}
	if got := len(answer["Responses"].(map[string]any)["tbl"].([]any)); got != 3 {
		t.Errorf("%d items were read", got)
	}
}

// TestThrottledTransactions: a transaction is cancelled for what its actions find nothing left for, with the reasons' codes
// and messages (API_TransactWriteItems), and takes twice what its writes take.
func TestThrottledTransactions(t *testing.T) {
	e, _ := limitedEngine(t, "")
	passed, refused := untilRefused(t, e, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}}]}`)
	if want := "[ProvisionedThroughputExceeded" + tableExceeded + "]"; passed != 3 || reasonsOf(t, refused) != want {
		t.Errorf("%d transactions pass, then %s", passed, reasonsOf(t, refused))
	}
	e, _ = limitedEngine(t, t.TempDir())
	_, refused = untilRefused(t, e, "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"tbl","Key":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}}]}`)
	if want := "[ProvisionedThroughputExceeded" + tableExceeded + "]"; reasonsOf(t, refused) != want {
		t.Errorf("got %s", reasonsOf(t, refused))
	}
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"S":"x"},"g":{"S":"g"}}}`)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"b"},"sk":{"S":"x"},"g":{"S":"g"}}}`)
	_, err := try(e, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"a"},"sk":{"S":"x"},"g":{"S":"h"}}}},
		{"ConditionCheck":{"TableName":"tbl","Key":{"pk":{"S":"b"},"sk":{"S":"x"}},"ConditionExpression":"attribute_exists(pk)"}}]}`)
	if want := "[ProvisionedThroughputExceeded" + indexExceeded + " None]"; reasonsOf(t, err) != want {
		t.Errorf("a throttled index: %s", reasonsOf(t, err))
	}
}

// TestThrottledOnDemand: on demand one item takes 1,000 writes a second, whatever its table takes; a condition that fails
// counts as well, expiry does not.
func TestThrottledOnDemand(t *testing.T) {
	c := newClock()
	e := open(t, "", &engine.Options{Clock: c, Throttle: &engine.Throttle{PartitionWrites: 10, PartitionReads: 10}, SweepEvery: -1})
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"hot"}}}`)
	failing := 0
	for failing < 100 {
		_, err := try(e, "UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"hot"}},"ConditionExpression":"attribute_exists(nope)"}`)
		if !errors.Is(err, wire.ErrConditionFailed) {
			var refused *wire.Error
			if !errors.As(err, &refused) || refused.Code != wire.CodeThrottling || fmt.Sprint(refused.Throttling) != "[{TableWriteKeyRangeThroughputExceeded "+tableARN+"}]" {
				t.Errorf("got %v", err)
			}
			break
		}
		failing++
	}
	if failing != 9 {
		t.Errorf("after one write %d failing ones pass in the same second, want 9", failing)
	}
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"cold"}}}`)
	passed, refused := untilRefused(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"g":{"S":"same"}}}`)
	if passed != 10 || refused.Message != "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly." ||
		fmt.Sprint(refused.Throttling) != "[{IndexWriteKeyRangeThroughputExceeded "+tableARN+"/index/gsi}]" {
		t.Errorf("one key of an index takes %d, then %v %v", passed, refused, refused.Throttling)
	}
	do(t, e, "UpdateTable", `{"TableName":"tbl","OnDemandThroughput":{"MaxWriteRequestUnits":3}}`)
	c.move(time.Second)
	passed, refused = untilRefused(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"}}}`)
	if passed != 3 || refused.Message != "Throughput exceeds the maximum OnDemandThroughput configured on table or index" {
		t.Errorf("with a bound of 3 %d pass, then %v", passed, refused)
	}
}

// failingLate is a store whose updates, when told, fail after all was written.
type failingLate struct {
	kv.Store
	fail atomic.Bool
}

func (s *failingLate) Update(f func(kv.Writer) error) error {
	return s.Store.Update(func(w kv.Writer) error {
		if err := f(w); err != nil {
			return err
		}
		if s.fail.Load() {
			return errors.New("no space left on device")
		}
		return nil
	})
}

// TestThrottledUndone: what is undone has consumed nothing.
func TestThrottledUndone(t *testing.T) {
	s := &failingLate{Store: kv.NewMemory()}
	e := openOn(t, s, &engine.Options{Clock: newClock(), Throttle: &engine.Throttle{}, SweepEvery: -1, Logger: slog.New(slog.DiscardHandler)})
	do(t, e, "CreateTable", limitedTable)
	s.fail.Store(true)
	for _, r := range [][2]string{
		{"PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"1"},"sk":{"S":"x"},"g":{"S":"g"}}}`},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"1"},"sk":{"S":"x"},"g":{"S":"g"}}}},{"Put":{"TableName":"tbl","Item":{"pk":{"S":"2"},"sk":{"S":"x"},"g":{"S":"g"}}}}]}`},
		{"BatchWriteItem", `{"RequestItems":{"tbl":[{"PutRequest":{"Item":{"pk":{"S":"1"},"sk":{"S":"x"}}}},{"PutRequest":{"Item":{"pk":{"S":"2"},"sk":{"S":"x"}}}}]}}`},
	} {
		for range 4 {
			if _, err := try(e, r[0], r[1]); err == nil || errors.Is(err, wire.ErrThrottled) {
				t.Fatalf("%s: %v", r[0], err)
			}
		}
	}
	s.fail.Store(false)
	passed, refused := untilRefused(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}`)
	if passed != 5 {
		t.Errorf("%d of 5 writes pass, then %v", passed, refused)
	}
}

// TestThrottledAfterFailedIndex: an index that failed to be added leaves nothing to the next one. A write that shared the
// commit with it had met its limits.
func TestThrottledAfterFailedIndex(t *testing.T) {
	dir := memoryDir(t)
	disk := newHeldDisk(dir)
	e := openOn(t, disk.open(t, dir), &engine.Options{Clock: newClock(), Throttle: &engine.Throttle{}, SweepEvery: -1, Logger: slog.New(slog.DiscardHandler)})
	do(t, e, "CreateTable", strings.Replace(fmt.Sprintf(hashTable, ""), `"BillingMode":"PAY_PER_REQUEST"`, `"ProvisionedThroughput":{"ReadCapacityUnits":50,"WriteCapacityUnits":50}`, 1))
	add := func(units int) error {
		_, err := try(e, "UpdateTable", `{"TableName":"tbl","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[
			{"Create":{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},
			"ProvisionedThroughput":{"ReadCapacityUnits":50,"WriteCapacityUnits":%d}}}]}`, units)
		return err
	}
	put := func(n int) error {
		_, err := try(e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"g":{"S":"g%d"}}}`, n, n)
		return err
	}
	disk.held.Store(true)
	var all sync.WaitGroup
	all.Go(func() { _ = put(0) })
	<-disk.arrived
	failed := make(chan error, 2)
	all.Go(func() { failed <- add(1) })
	time.Sleep(50 * time.Millisecond) // so that it waits before the write, most likely
	all.Go(func() { failed <- put(1) })
	time.Sleep(50 * time.Millisecond)
	disk.held.Store(true)
	disk.goOn <- nil
	<-disk.arrived
	disk.goOn <- errors.New("no disk")
	all.Wait()
	for range 2 {
		if err := <-failed; err == nil {
			t.Fatal("what was to fail did not")
		}
	}
	if err := add(50); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if err := put(n + 10); err != nil {
			t.Fatalf("of 20 writes of 50 that the new index takes, after %d: %v", n, err)
		}
	}
}

// TestThrottledAtOnce: however many ask at the same time, no more passes than there is, and one request of each of them.
func TestThrottledAtOnce(t *testing.T) {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock, Throttle: &engine.Throttle{}})
	do(t, e, "CreateTable", limitedTable)
	const clients, rounds = 8, 5
	for round := range rounds {
		var all sync.WaitGroup
		var passed atomic.Int64
		for i := range clients {
			all.Go(func() {
				for n := range 10 {
					switch _, err := try(e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"sk":{"S":"%d"}}}`, i, n); {
					case err == nil:
						passed.Add(1)
					case !errors.Is(err, wire.ErrThrottled):
						t.Error(err)
					}
					if _, err := try(e, "Query", `{"TableName":"tbl","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"%d"}}}`, i); err != nil && !errors.Is(err, wire.ErrThrottled) {
						t.Error(err)
					}
				}
			})
		}
		all.Go(func() { // settings change meanwhile
			do(t, e, "UpdateTable", `{"TableName":"tbl","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":%d}}`, 6+round)
			if _, err := try(e, "BatchWriteItem", `{"RequestItems":{"tbl":[{"DeleteRequest":{"Key":{"pk":{"S":"x"},"sk":{"S":"x"}}}}]}}`); err != nil && !errors.Is(err, wire.ErrThrottled) {
				t.Error(err)
			}
		})
		all.Wait()
		if n := passed.Load(); n > 10+rounds+clients {
			t.Errorf("%d writes pass in one second", n)
		}
		clock.Advance(time.Second)
	}
}

// TestThrottledCancelled: a transaction that is cancelled for a condition or a conflict has prepared its actions: each takes
// as much as its write alone; what is throttled takes nothing.
func TestThrottledCancelled(t *testing.T) {
	for name, request := range map[string]string{
		"a condition": `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}},
			{"ConditionCheck":{"TableName":"tbl","Key":{"pk":{"S":"b"},"sk":{"S":"x"}},"ConditionExpression":"attribute_exists(pk)"}}]}`,
		"a conflict": `{"TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"%[1]d"},"sk":{"S":"x"}}}},
			{"Delete":{"TableName":"tbl","Key":{"pk":{"S":"held"},"sk":{"S":"x"}}}}]}`,
	} {
		e := engine.New(t, engine.Options{Clock: engine.NewClock(time.Time{}), Throttle: &engine.Throttle{}})
		do(t, e, "CreateTable", limitedTable)
		defer e.Hold(t, "tbl", `{"pk":{"S":"held"},"sk":{"S":"x"}}`)()
		cancelled, throttled := 0, 0
		for n := range 10 {
			_, err := try(e, "TransactWriteItems", request, n)
			switch reasons := reasonsOf(t, err); {
			case strings.Contains(reasons, "ProvisionedThroughputExceeded"):
				throttled++
			case strings.Contains(reasons, "ConditionalCheckFailed"), strings.Contains(reasons, "TransactionConflict"):
				cancelled++
			default:
				t.Errorf("%s: %s", name, reasons)
			}
		}
		// Of 5 units each takes 2; the third finds 1, and takes what it takes.
		if cancelled != 3 || throttled != 7 {
			t.Errorf("%s cancels %d transactions, then %d are throttled", name, cancelled, throttled)
		}
	}
}

// TestDividedShards: a partition that is divided divides the shard of the stream that its records go to, with its lineage;
// no record is lost, and their order stays.
func TestDividedShards(t *testing.T) {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock, Throttle: &engine.Throttle{PartitionWrites: 10, SplitAfter: 2 * time.Second}})
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`)
	arn := do(t, e, "DescribeTable", `{"TableName":"tbl"}`)["Table"].(map[string]any)["LatestStreamArn"].(string)
	type shard struct{ ShardId, ParentShardId string }
	shards := func() (l []shard) {
		text, err := e.Do(t.Context(), "DescribeStream", fmt.Appendf(nil, `{"StreamArn":%q}`, arn))
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ StreamDescription struct{ Shards []shard } }
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		return d.StreamDescription.Shards
	}
	before := len(shards())
	written := 0
	for range 20 { // of 400 partitions one is hot: it takes 10 a second
		for i := range 30 {
			if _, err := try(e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%d"},"n":{"N":"%d"}}}`, i%2, written); err == nil {
				written++
			} else if !errors.Is(err, wire.ErrThrottled) {
				t.Fatal(err)
			}
		}
		clock.Advance(time.Second)
	}
	after := shards()
	if len(after) <= before {
		t.Fatalf("%d shards before and %d after partitions were divided", before, len(after))
	}
	children := map[string]int{}
	for _, s := range after {
		if s.ParentShardId != "" {
			children[s.ParentShardId]++
		}
	}
	if len(children) == 0 {
		t.Errorf("no shard has a parent: %v", after)
	}
	for parent, n := range children {
		if n != 2 {
			t.Errorf("%s has %d children", parent, n)
		}
	}
	records, last := 0, map[string]int{}
	for _, s := range after { // in the order in which they were opened, so that parents come first
		iterator := do(t, e, "GetShardIterator", `{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`, arn, s.ShardId)["ShardIterator"]
		for iterator != nil {
			answer := do(t, e, "GetRecords", `{"ShardIterator":%q}`, iterator)
			list := answer["Records"].([]any)
			for _, r := range list {
				image := r.(map[string]any)["dynamodb"].(map[string]any)["NewImage"].(map[string]any)
				pk := image["pk"].(map[string]any)["S"].(string)
				n, err := strconv.Atoi(image["n"].(map[string]any)["N"].(string))
				if err != nil || n < last[pk] {
					t.Fatalf("of %s record %d comes after %d, %v", pk, n, last[pk], err)
				}
				last[pk] = n
				records++
			}
			if iterator = answer["NextShardIterator"]; len(list) == 0 {
				break
			}
		}
	}
	if records != written {
		t.Errorf("%d records of %d writes", records, written)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
}
