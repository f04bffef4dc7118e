package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// heldEngine is an engine whose next update waits, once hold is called, until it is let go.
func heldEngine(t *testing.T) (e *engine.Engine, hold func() (entered <-chan struct{}, letGo func())) {
	s := &holding{Store: kv.NewMemory(), entered: make(chan struct{}), hold: make(chan struct{})}
	e = openOn(t, s, nil)
	do(t, e, "CreateTable", hashTable, "")
	for _, pk := range []string{"a", "b", "c"} {
		do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"%s"},"n":{"N":"0"}}}`, pk)
	}
	return e, func() (<-chan struct{}, func()) {
		s.nth.Store(1)
		return s.entered, sync.OnceFunc(func() { close(s.hold) })
	}
}

// reasonsOf are the codes of a cancelled transaction's reasons.
func reasonsOf(t *testing.T, err error) string {
	t.Helper()
	var refused *wire.Error
	if !errors.As(err, &refused) || refused.Code != wire.CodeTransactionCanceled {
		t.Fatalf("got %v, want a cancelled transaction", err)
	}
	var codes []string
	for _, r := range refused.Reasons {
		codes = append(codes, r.Code+r.Message)
	}
	return fmt.Sprint(codes)
}

const increment = `{"Update":{"TableName":"tbl","Key":{"pk":{"S":"%s"}},"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}`

// TestConflictsWithTransaction: what meets a transaction that is under way is refused as the service does it, in every
// operation; what only reads one item at a time is not, and afterwards all is free again (transaction-apis).
func TestConflictsWithTransaction(t *testing.T) {
	e, hold := heldEngine(t)
	entered, letGo := hold()
	defer letGo()
	committed := make(chan error)
	go func() {
		_, err := try(e, "TransactWriteItems", `{"TransactItems":[`+fmt.Sprintf(increment, "a")+`,
			{"ConditionCheck":{"TableName":"tbl","Key":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)"}}]}`)
		committed <- err
	}()
	<-entered
	for _, item := range []string{"a", "b"} { // also the one that is only checked
		for operation, request := range map[string]string{
			"PutItem":    `{"TableName":"tbl","Item":{"pk":{"S":"%s"}},"ConditionExpression":"attribute_not_exists(pk)"}`,
			"UpdateItem": `{"TableName":"tbl","Key":{"pk":{"S":"%s"}}}`,
			"DeleteItem": `{"TableName":"tbl","Key":{"pk":{"S":"%s"}}}`,
		} {
			_, err := try(e, operation, request, item)
			if err == nil || err.Error() != "TransactionConflictException: Transaction is ongoing for the item" {
				t.Errorf("%s of %s: %v", operation, item, err)
			}
		}
		_, err := try(e, "TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"tbl","Key":{"pk":{"S":"c"}},"ConditionExpression":"attribute_not_exists(pk)"}},
			{"Delete":{"TableName":"tbl","Key":{"pk":{"S":"d"}}}},{"Delete":{"TableName":"tbl","Key":{"pk":{"S":"%s"}}}}]}`, item)
		if got, want := reasonsOf(t, err), "[ConditionalCheckFailedThe conditional request failed None TransactionConflictTransaction is ongoing for the item]"; got != want {
			t.Errorf("a transaction on %s: %s, want %s", item, got, want)
		}
		_, err = try(e, "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"tbl","Key":{"pk":{"S":"c"}}}},{"Get":{"TableName":"tbl","Key":{"pk":{"S":"%s"}}}}]}`, item)
		if got, want := reasonsOf(t, err), "[None TransactionConflictTransaction is ongoing for the item]"; got != want {
			t.Errorf("a transaction that reads %s: %s, want %s", item, got, want)
		}
		if got := do(t, e, "GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"%s"}},"ConsistentRead":true}`, item); fmt.Sprint(got["Item"].(map[string]any)["n"]) != "map[N:0]" {
			t.Errorf("a read of %s meanwhile: %v", item, got)
		}
	}
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"c"}}}`)
	letGo()
	if err := <-committed; err != nil {
		t.Errorf("the transaction itself: %v", err)
	}
	do(t, e, "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"tbl","Key":{"pk":{"S":"a"}}}},{"Get":{"TableName":"tbl","Key":{"pk":{"S":"b"}}}}]}`)
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"a"}}}`)
	do(t, e, "TransactWriteItems", `{"TransactItems":[`+fmt.Sprintf(increment, "a")+`,`+fmt.Sprintf(increment, "b")+`]}`)
}

// TestBatchLeavesConflictsOver: of a batch only what meets a transaction is left over.
func TestBatchLeavesConflictsOver(t *testing.T) {
	s := &holding{Store: kv.NewMemory(), entered: make(chan struct{}), hold: make(chan struct{})}
	e := openOn(t, s, nil)
	for _, name := range []string{"one", "two"} {
		do(t, e, "CreateTable", `{"TableName":"%s","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`, name)
	}
	s.nth.Store(1)
	committed := make(chan error)
	go func() {
		_, err := try(e, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"one","Item":{"pk":{"S":"a"}}}},{"Put":{"TableName":"two","Item":{"pk":{"S":"b"}}}}]}`)
		committed <- err
	}()
	<-s.entered
	answer, err := json.Marshal(do(t, e, "BatchWriteItem", `{"RequestItems":{"one":[{"PutRequest":{"Item":{"pk":{"S":"a"},"v":{"S":"x"}}}},{"PutRequest":{"Item":{"pk":{"S":"free"}}}}],"two":[{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]},"ReturnConsumedCapacity":"TOTAL"}`))
	close(s.hold)
	if err := errors.Join(err, <-committed); err != nil {
		t.Error(err)
	}
	want := `{"ConsumedCapacity":[{"CapacityUnits":1,"TableName":"one"},{"CapacityUnits":1,"TableName":"two"}],"UnprocessedItems":{"one":[{"PutRequest":{"Item":{"pk":{"S":"a"},"v":{"S":"x"}}}}],"two":[{"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}}`
	if string(answer) != want {
		t.Errorf("got  %s\nwant %s", answer, want)
	}
}

// TestPlainWriteUnderWay: a transaction that reads is refused while any write of its items goes on; one that writes waits
// for it.
func TestPlainWriteUnderWay(t *testing.T) {
	e, hold := heldEngine(t)
	entered, letGo := hold()
	defer letGo()
	done := make(chan error, 2)
	go func() {
		_, err := try(e, "UpdateItem", `{"TableName":"tbl","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"5"}}}`)
		done <- err
	}()
	<-entered
	_, err := try(e, "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"tbl","Key":{"pk":{"S":"a"}}}},{"Get":{"TableName":"tbl","Key":{"pk":{"S":"b"}}}}]}`)
	if got, want := reasonsOf(t, err), "[TransactionConflictTransaction is ongoing for the item None]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	go func() {
		_, err := try(e, "TransactWriteItems", `{"TransactItems":[`+fmt.Sprintf(increment, "a")+`]}`)
		done <- err
	}()
	letGo()
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestTransactionsOnOneItem: of transactions on the same items at the same time each is either done or cancelled for the
// conflict, and nothing is lost or done twice.
func TestTransactionsOnOneItem(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		e := open(t, dir, nil)
		do(t, e, "CreateTable", hashTable, "")
		var passed atomic.Int64
		var all sync.WaitGroup
		for w := range 8 {
			all.Go(func() {
				first, second := "a", "b"
				if w%2 == 1 { // in the other order
					first, second = second, first
				}
				for range 25 {
					_, err := try(e, "TransactWriteItems", `{"TransactItems":[`+fmt.Sprintf(increment, first)+`,`+fmt.Sprintf(increment, second)+`]}`)
					var refused *wire.Error
					switch {
					case err == nil:
						passed.Add(1)
					case !errors.As(err, &refused) || !errors.Is(err, wire.ErrConflict) || !refused.Retryable():
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if passed.Load() == 0 {
			t.Error("nothing passed: of two in each other's way one must")
		}
		for _, pk := range []string{"a", "b"} {
			got := do(t, e, "GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"%s"}}}`, pk)
			if n := fmt.Sprint(got["Item"].(map[string]any)["n"].(map[string]any)["N"]); n != fmt.Sprint(passed.Load()) {
				t.Errorf("%s counts %s of %d", pk, n, passed.Load())
			}
		}
	}
}

// TestSameTokenAtOnce: calls with the same client request token at the same time are done once, the others find that.
func TestSameTokenAtOnce(t *testing.T) {
	e := open(t, "", nil)
	do(t, e, "CreateTable", hashTable, "")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := try(e, "TransactWriteItems", `{"ClientRequestToken":"token","TransactItems":[`+fmt.Sprintf(increment, "a")+`]}`); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := do(t, e, "GetItem", `{"TableName":"tbl","Key":{"pk":{"S":"a"}}}`); fmt.Sprint(got["Item"].(map[string]any)["n"]) != "map[N:1]" {
		t.Errorf("after 8 calls with one token: %v", got)
	}
}

// TestTokenOfRegion: Regions know nothing of each other's tokens.
func TestTokenOfRegion(t *testing.T) {
	e := open(t, "", nil)
	for _, region := range []string{"eu-west-1", "eu-west-2"} {
		in := e.In(region)
		if _, err := in.Do(t.Context(), "CreateTable", fmt.Appendf(nil, hashTable, "")); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Do(t.Context(), "TransactWriteItems", []byte(`{"ClientRequestToken":"token","TransactItems":[{"Put":{"TableName":"tbl","Item":{"pk":{"S":"`+region+`"}}}}]}`)); err != nil {
			t.Errorf("the same token with another request, in %s: %v", region, err)
		}
	}
}
