package stats

import (
	"context"
	"fmt"
	"testing"

	"github.com/tablewright/tablewright"
)

// What was needed to look into an uncommon item is not kept.
func TestLargeScratch(t *testing.T) {
	item := []byte("{")
	for i := range 5000 {
		item = fmt.Appendf(item, `"a%d":{"N":"%d"},`, i, i)
	}
	item = append(item, `"PK":{"S":"x"}}`...)
	c := NewCollector(Options{Detail: 1})
	var now *tablewright.Call
	hook := c.Hook(tablewright.TransportFunc(func(_ context.Context, call *tablewright.Call) error {
		*call = *now
		return nil
	}))
	get := &tablewright.Call{Operation: "GetItem", Table: "T", Attempt: 1, Items: 1, Key: []byte(`{"PK":{"S":"x"}}`), ItemKey: []byte(`{"PK":{"S":"x"}}`),
		Request: []byte(`{"TableName":"T","Key":{"PK":{"S":"x"}}}`), Response: append(append([]byte(`{"Item":`), item...), '}')}
	put := &tablewright.Call{Operation: "PutItem", Table: "T", Attempt: 1, Key: get.Key, ItemKey: get.ItemKey, Response: []byte("{}"),
		Request: append(append([]byte(`{"TableName":"T","Item":`), item...), '}')}
	for _, now = range []*tablewright.Call{get, put} {
		if err := hook.Do(t.Context(), &tablewright.Call{Operation: now.Operation}); err != nil {
			t.Fatal(err)
		}
		s := c.scratch.Get().(*scratch)
		if n := cap(s.fields) + cap(s.request.fields); n > 2<<10 {
			t.Errorf("%s leaves room for %d attributes", now.Operation, n)
		}
	}
	if items := c.Snapshot().Items.List; len(items) != 1 {
		t.Errorf("%d items were seen", len(items))
	}
}

// What tells the names of keys is seen however few calls are recorded.
func TestSchemaOfSample(t *testing.T) {
	for range 20 {
		c := NewCollector(Options{Rate: 0.01})
		hook := c.Hook(tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return nil }))
		err := hook.Do(t.Context(), &tablewright.Call{Operation: "CreateTable", Table: "T", Attempt: 1,
			Request: []byte(`{"TableName":"T","KeySchema":[{"AttributeName":"owner","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}]}`)})
		if err != nil {
			t.Fatal(err)
		}
		if k := c.tables.find("T"); k == nil || k.partition != "owner" || k.sort != "at" {
			t.Fatalf("the keys are %+v", k)
		}
		if o := c.Snapshot().Operations; len(o) != 1 || o[0].Calls != 1 {
			t.Fatalf("%d operations", len(o))
		}
	}
}
