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
