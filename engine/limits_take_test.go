package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/wire"
)

func demandKey(fields ...string) attr.Item {
	var it attr.Item
	for i := 0; i < len(fields); i += 2 {
		it.Set(fields[i], attr.Text(fields[i+1]))
	}
	return it
}

// refusedFor is how Take refuses, in short: code, reason and resource.
func refusedFor(t *testing.T, err error) string {
	t.Helper()
	var refused *wire.Error
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &refused):
		t.Fatal(err)
	case refused.Throttling == nil:
		return refused.Message
	}
	return fmt.Sprintf("%s %s %s", refused.Code, refused.Throttling[0].Reason, refused.Throttling[0].Resource)
}

// TestLimitsTake: what is asked for without requests meets the limits that requests meet, and both take from the same.
func TestLimitsTake(t *testing.T) {
	clock := engine.NewClock(time.Time{})
	e := engine.New(t, engine.Options{Clock: clock, Throttle: &engine.Throttle{}})
	do(t, e, "CreateTable", limitedTable)
	l := e.Limits()
	write := func(pk string) engine.Demand {
		return engine.Demand{Table: "tbl", Key: demandKey("pk", pk, "sk", "x"), Write: 1}
	}
	do(t, e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"1"},"sk":{"S":"x"}}}`)
	for i := range 5 {
		want := ""
		if i == 4 { // the put was the fifth
			want = wire.CodeThroughputExceeded + " TableWriteProvisionedThroughputExceeded " + tableARN
		}
		if got := refusedFor(t, l.Take(write(strconv.Itoa(i)))); got != want {
			t.Errorf("write %d: %s", i, got)
		}
	}
	if _, err := try(e, "PutItem", `{"TableName":"tbl","Item":{"pk":{"S":"2"},"sk":{"S":"x"}}}`); !errors.Is(err, wire.ErrThrottled) {
		t.Errorf("after them a put: %v", err)
	}
	// All of a request or nothing: its index has no more than 2 for each second, so nothing is taken of the table after those.
	clock.Advance(time.Second)
	entry := engine.Demand{Table: "tbl", Index: "gsi", Key: demandKey("g", "g"), Write: 1}
	for i := range 6 {
		want := ""
		if i >= 4 {
			want = wire.CodeThroughputExceeded + " IndexWriteProvisionedThroughputExceeded " + tableARN + "/index/gsi"
		}
		if got := refusedFor(t, l.Take(write("a"), entry)); got != want {
			t.Errorf("request %d: %s", i, got)
		}
	}
	if err := l.Take(write("b")); err != nil {
		t.Errorf("what the index has left of the table: %v", err)
	}
	// A local index is its table.
	if got := refusedFor(t, l.Take(engine.Demand{Table: "tbl", Index: "lsi", Key: demandKey("pk", "a"), Write: 1})); got != wire.CodeThroughputExceeded+" TableWriteProvisionedThroughputExceeded "+tableARN {
		t.Error(got)
	}
	for _, d := range []engine.Demand{{Table: "none", Key: demandKey("pk", "a")}, {Table: "tbl", Index: "none", Key: demandKey("pk", "a")}, {Table: "tbl", Key: demandKey("sk", "a"), Read: 1}} {
		if got := refusedFor(t, l.Take(d)); got == "" {
			t.Errorf("%+v is taken", d)
		}
	}
	if e := engine.New(t, engine.Options{}); e.Limits() != nil {
		t.Error("an engine without limits has some")
	}
}

// TestLimitsHold: a table that is taken to hold much has partitions for it, each with the same limits.
func TestLimitsHold(t *testing.T) {
	e := engine.New(t, engine.Options{Clock: engine.NewClock(time.Time{}), Throttle: &engine.Throttle{}})
	do(t, e, "CreateTable", `{"TableName":"tbl","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":6000}}`)
	l := e.Limits()
	count := func() int {
		n, err := l.Partitions("tbl", "")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 6 {
		t.Errorf("%d partitions for 6,000 writes", n)
	}
	if err := l.Holds("tbl", "", 95<<30); err != nil || count() != 10 {
		t.Errorf("%d partitions for 95 GB, %v", count(), err)
	}
	take := func(n int, keyOf func(i int) string) (passed int, last string) {
		for i := range n {
			err := l.Take(engine.Demand{Table: "tbl", Key: demandKey("pk", keyOf(i)), Write: 10})
			if err != nil {
				last = refusedFor(t, err)
				continue
			}
			passed++
		}
		return passed, last
	}
	const refusal = wire.CodeThrottling + " TableWriteKeyRangeThroughputExceeded " + tableARN
	if n, last := take(200, func(int) string { return "hot" }); n != 100 || last != refusal {
		t.Errorf("%d times 10 units pass for one key, then %s", n, last)
	}
	if n, last := take(1000, strconv.Itoa); n < 480 || n > 500 || last != refusal {
		t.Errorf("%d times 10 units pass for many keys after them, then %s", n, last)
	}
}

func ExampleEngine_Limits() {
	clock := engine.NewClock(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC))
	e, err := engine.Open("", &engine.Options{Clock: clock, Throttle: &engine.Throttle{}})
	if err != nil {
		panic(err)
	}
	defer e.Close()
	_, err = e.Do(context.Background(), "CreateTable", []byte(`{"TableName":"Posts","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"feed","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"feed","KeyType":"HASH"}]}`))
	if err != nil {
		panic(err)
	}
	// 5,000 writes of 1 KB in one second, all with the same key, ten at a time.
	passed := 0
	for range 500 {
		err = e.Limits().Take(engine.Demand{Table: "Posts", Key: attr.ItemOf(attr.Field{Name: "feed", Value: attr.Text("all")}), Write: 10})
		if err == nil {
			passed += 10
		}
	}
	var refused *wire.Error
	fmt.Println(passed, "pass")
	fmt.Println(errors.As(err, &refused), refused.Throttling[0].Reason)
	// Output:
	// 1000 pass
	// true TableWriteKeyRangeThroughputExceeded
}
