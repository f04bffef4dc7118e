package stats_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/stats"
)

// foreign is a program that sends its own requests, each with a context of its own where limit is.
type foreign struct {
	t     *testing.T
	c     *stats.Collector
	way   tablewright.Transport
	limit time.Duration
}

func newForeign(t *testing.T) *foreign {
	c := stats.NewCollector(stats.Options{Detail: 1})
	db := tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	return &foreign{t: t, c: c, way: db.Transport()}
}

func (f *foreign) do(ctx context.Context, operation, table, index, request string) {
	f.t.Helper()
	if f.limit > 0 {
		limited, cancel := context.WithTimeout(ctx, f.limit)
		defer cancel()
		ctx = limited
	}
	if err := f.way.Do(ctx, &tablewright.Call{Operation: operation, Table: table, Index: index, Request: []byte(request), Attempt: 1}); err != nil {
		f.t.Fatalf("%s: %v", request, err)
	}
}

const roomsSchema = `{"TableName":"Rooms","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"room","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],
	"AttributeDefinitions":[{"AttributeName":"room","AttributeType":"S"},{"AttributeName":"at","AttributeType":"S"},{"AttributeName":"guest","AttributeType":"S"}],
	"GlobalSecondaryIndexes":[{"IndexName":"ByGuest","KeySchema":[{"AttributeName":"guest","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`

// What the keys of a table are called that nobody declared is learned from requests: from one that makes the table, or from what
// gets and queries name.
func TestForeignKeys(t *testing.T) {
	for _, told := range []bool{true, false} {
		f := newForeign(t)
		if told {
			f.do(t.Context(), "CreateTable", "", "", roomsSchema)
		} else {
			quiet := tablewright.New(f.way, tablewright.Options{})
			f.c.SetRate(0)
			if _, err := quiet.Send(t.Context(), "CreateTable", "", []byte(roomsSchema)); err != nil {
				t.Fatal(err)
			}
			f.c.SetRate(1)
			f.do(t.Context(), "GetItem", "Rooms", "", `{"TableName":"Rooms","Key":{"at":{"S":"1"},"room":{"S":"r1"}}}`) // of two names, nobody knows which
			f.do(t.Context(), "Query", "Rooms", "", `{"TableName":"Rooms","KeyConditionExpression":"(#r = :r) AND (begins_with (#a, :a))","ExpressionAttributeNames":{"#r":"room","#a":"at"},"ExpressionAttributeValues":{":r":{"S":"r0"},":a":{"S":"1"}}}`)
			f.do(t.Context(), "Query", "Rooms", "ByGuest", `{"TableName":"Rooms","IndexName":"ByGuest","KeyConditionExpression":":g = guest","ExpressionAttributeValues":{":g":{"S":"nobody"}}}`)
		}
		f.c.Reset()
		for range 3 {
			f.do(t.Context(), "PutItem", "Rooms", "", `{"TableName":"Rooms","Item":{"at":{"S":"1"},"room":{"S":"r1"},"guest":{"S":"ada"}}}`)
			f.do(t.Context(), "Query", "Rooms", "", `{"TableName":"Rooms","KeyConditionExpression":"room = :r AND #at >= :a","ExpressionAttributeNames":{"#at":"at"},"ExpressionAttributeValues":{":r":{"S":"r2"},":a":{"S":"1"}}}`)
			f.do(t.Context(), "Query", "Rooms", "ByGuest", `{"TableName":"Rooms","IndexName":"ByGuest","KeyConditionExpression":"guest = :g","ExpressionAttributeValues":{":g":{"S":"ada"}}}`)
		}
		got := map[string]float64{}
		s := f.c.Snapshot()
		for _, k := range s.Partitions.List {
			got[k.Index+k.Key] += k.Calls
		}
		for _, want := range []string{`{"room":{"S":"r1"}}`, `{"room":{"S":"r2"}}`, `ByGuest{"guest":{"S":"ada"}}`} {
			if got[want] < 3 {
				t.Errorf("told %v: %s has %v calls, of %v", told, want, got[want], got)
			}
		}
		if len(s.Items.List) != 1 || s.Items.List[0].Key != `{"room":{"S":"r1"},"at":{"S":"1"}}` {
			t.Errorf("told %v: items are %+v", told, s.Items.List)
		}
	}
}

// Of a request that somebody else made it is seen that it goes on after a page, that a statement reads, and how large an item is that
// is answered by an update or, by the units, that is not.
func TestForeignRequests(t *testing.T) {
	f := newForeign(t)
	f.do(t.Context(), "CreateTable", "", "", roomsSchema)
	big := fmt.Sprintf("%08000d", 1)
	f.do(t.Context(), "UpdateItem", "Rooms", "", `{"TableName":"Rooms","Key":{"at":{"S":"1"},"room":{"S":"r1"}},"UpdateExpression":"SET note = :n","ExpressionAttributeValues":{":n":{"S":"`+big+`"}}}`)
	f.do(t.Context(), "UpdateItem", "Rooms", "", `{"TableName":"Rooms","Key":{"at":{"S":"2"},"room":{"S":"r1"}},"UpdateExpression":"SET note = :n","ReturnValues":"ALL_NEW","ExpressionAttributeValues":{":n":{"S":"`+big[:2000]+`"}}}`)
	f.do(t.Context(), "Query", "Rooms", "", `{"TableName":"Rooms","Limit":1,"KeyConditionExpression":"room = :r","ExpressionAttributeValues":{":r":{"S":"r1"}},"ExclusiveStartKey":{"room":{"S":"r1"},"at":{"S":"1"}}}`)
	f.do(t.Context(), "Scan", "Rooms", "", `{"TableName":"Rooms","ExclusiveStartKey":{"room":{"S":"r1"},"at":{"S":"1"}}}`)
	f.do(t.Context(), "ExecuteStatement", "Rooms", "", `{"Statement":"select * from Rooms where room = 'r1'"}`)
	f.do(t.Context(), "BatchExecuteStatement", "", "", `{"Statements":[{"Statement":"SELECT * FROM Rooms WHERE room = 'r1' AND \"at\" = '1'"}]}`)
	s := f.c.Snapshot()
	for _, o := range s.Operations {
		switch o.Operation {
		case "Query", "Scan":
			if o.Resumed != 1 {
				t.Errorf("%s: %v of 1 go on after a page", o.Operation, o.Resumed)
			}
		case "ExecuteStatement", "BatchExecuteStatement":
			if o.Read == 0 || o.Write != 0 {
				t.Errorf("%s: %v read and %v write units", o.Operation, o.Read, o.Write)
			}
		}
	}
	sizes := map[string]int{}
	for _, one := range s.Sizes {
		for _, item := range one.Largest {
			sizes[item.Key] = item.FirstBytes
		}
	}
	if n := sizes[`{"room":{"S":"r1"},"at":{"S":"1"}}`]; n != 7680 { // 8 units: between 7 and 8 KB
		t.Errorf("by its units an item has %d bytes", n)
	}
	if n := sizes[`{"room":{"S":"r1"},"at":{"S":"2"}}`]; n != 2013 {
		t.Errorf("as it is answered an item has %d bytes", n)
	}
}

type span struct{}

// Contexts that are made for single calls are those of the caller that made them.
func TestCallsWithContextsOfTheirOwn(t *testing.T) {
	type request struct{ context.Context }
	for name, of := range map[string]func(ctx context.Context) (context.Context, context.CancelFunc){
		"none": func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} },
		"a limit": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Hour)
		},
		"a value": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithValue(ctx, span{}, new(int)), func() {}
		},
		"a limit and more": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.WithValue(ctx, span{}, new(int)), time.Hour)
		},
	} {
		f := newForeign(t)
		f.do(t.Context(), "CreateTable", "", "", roomsSchema)
		for i := range 300 {
			ctx := context.Context(&request{t.Context()})
			for j := range 10 {
				one, cancel := of(ctx)
				f.do(one, "GetItem", "Rooms", "", fmt.Sprintf(`{"TableName":"Rooms","Key":{"at":{"S":"%d"},"room":{"S":"r%d"}}}`, j, i))
				cancel()
			}
		}
		var runs, calls float64
		for _, e := range f.c.Snapshot().Episodes {
			if e.Kind == stats.SingleGets {
				runs, calls = e.Count, e.Calls
			}
		}
		if runs < 200 || runs > 300 || calls/runs < 9 || calls/runs > 11 {
			t.Errorf("%s: %v runs of %v gets, of 300 of 10", name, runs, calls)
		}
	}
}

// A context with a limit that several calls have is a caller of its own, even if single calls have one now and then.
func TestLimitsOfRequests(t *testing.T) {
	f := newForeign(t)
	f.do(t.Context(), "CreateTable", "", "", roomsSchema)
	for i := range 600 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		for j := range []int{1, 1, 2}[i%3] { // never three in a row by one caller
			f.do(ctx, "GetItem", "Rooms", "", fmt.Sprintf(`{"TableName":"Rooms","Key":{"at":{"S":"%d"},"room":{"S":"r%d"}}}`, j, i))
		}
		cancel()
	}
	for _, e := range f.c.Snapshot().Episodes {
		if e.Kind == stats.SingleGets {
			t.Errorf("%v runs of %v gets", e.Count, e.Calls)
		}
	}
}
