package engine_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestAnyOrder: writes of all kinds, indexes that come, go, lag and are held, streams that split and end, expiry, tables that go
// and come, commits that fail and the engine closed and opened with other options, in random orders: after each step all of it
// belongs together.
func TestAnyOrder(t *testing.T) {
	for seed := range uint64(10) {
		w := &anyOrder{t: t, r: rand.New(rand.NewPCG(seed, 7)), dir: t.TempDir(), clock: newClock(), seed: seed}
		w.open()
		w.ask("CreateTable", "%s", streamedBooks)
		for range 250 {
			w.step()
			w.e.WaitFilled()
			w.sound()
		}
		for _, show := range w.held {
			show()
		}
		if err := w.e.Settle(); err != nil {
			t.Fatal(err)
		}
		if n, err := w.e.Pending(); n != 0 || err != nil {
			t.Fatalf("seed %d: %d entries wait, %v", seed, n, err)
		}
		w.sound()
		if err := w.e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

var streamedBooks = strings.Replace(booksTable, `"BillingMode"`, `"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"BillingMode"`, 1)

// anyOrder is one random history.
type anyOrder struct {
	t     *testing.T
	r     *rand.Rand
	dir   string
	clock *clock
	seed  uint64
	store *failsNext
	e     *engine.Engine
	held  []func()
	trace []string
}

// failsNext is a store whose next commit fails if it is told so.
type failsNext struct {
	kv.Store
	fail atomic.Bool
}

var errNextFails = errors.New("this commit fails")

func (s *failsNext) Update(f func(kv.Writer) error) error {
	fail := s.fail.Swap(false)
	return s.Store.Update(func(w kv.Writer) error {
		if err := f(w); err != nil || !fail {
			return err
		}
		return errNextFails
	})
}

func (w *anyOrder) one(of int) bool { return w.r.IntN(of) == 0 }

func (w *anyOrder) open() {
	o := &engine.Options{Clock: w.clock, SweepEvery: -1, TimeToLiveRest: -1, Logger: slog.New(slog.DiscardHandler),
		Streams: engine.StreamOptions{Shards: 1 + w.r.IntN(3), ShardLife: time.Hour}}
	if !w.one(3) {
		o.Lag = &engine.Lag{Max: time.Duration(1+w.r.IntN(3600)) * time.Second, Seed: w.seed}
	}
	if w.one(3) {
		o.StateTime = time.Minute
	}
	if w.one(3) {
		o.Throttle = &engine.Throttle{PartitionWrites: 5, SplitAfter: time.Second, PartitionBytes: 300}
	}
	d, err := kv.OpenDurable(w.dir, kv.Options{NoSync: true, Memory: 1 + w.r.IntN(20_000)})
	if err != nil {
		w.t.Fatal(err)
	}
	w.store = &failsNext{Store: d}
	if w.e, err = engine.OpenStore(w.store, o); err != nil {
		w.t.Fatal(err)
	}
	w.held, w.trace = nil, append(w.trace, "open")
}

// try does something of which a commit may fail.
func (w *anyOrder) try(what string, f func() error) {
	w.store.fail.Store(w.one(5))
	err := f()
	w.store.fail.Store(false)
	w.trace = append(w.trace, fmt.Sprint(what, ": ", err))
	if err != nil && strings.Contains(err.Error(), "Internal") && !strings.Contains(err.Error(), errNextFails.Error()) {
		w.t.Fatalf("seed %d:\n%s", w.seed, strings.Join(w.trace, "\n"))
	}
}

func (w *anyOrder) ask(operation, request string, args ...any) {
	w.try(operation+" "+fmt.Sprintf(request, args...), func() error { _, err := try(w.e, operation, request, args...); return err })
}

func (w *anyOrder) sound() {
	if err := w.e.Check(); err != nil {
		w.t.Fatalf("seed %d: %v\n%s", w.seed, err, strings.Join(w.trace, "\n"))
	}
}

func (w *anyOrder) step() {
	isbn, author, now := w.r.IntN(6), w.r.IntN(3), w.clock.Now().Unix()
	const table = `{"TableName":"Books",`
	update := func(change string, args ...any) { w.ask("UpdateTable", table+change+"}", args...) }
	switch w.r.IntN(20) {
	case 0, 1, 2:
		w.ask("PutItem", table+`"Item":{"isbn":{"S":"%d"},"author":{"S":"%d"},"ttl":{"N":"%d"}}}`, isbn, author, now+int64(w.r.IntN(600)-100))
	case 3:
		w.ask("UpdateItem", table+`"Key":{"isbn":{"S":"%d"}},"UpdateExpression":"SET author = :a","ExpressionAttributeValues":{":a":{"S":"%d"}}}`, isbn, author)
	case 4:
		w.ask("UpdateItem", table+`"Key":{"isbn":{"S":"%d"}},"UpdateExpression":"REMOVE author"}`, isbn)
	case 5:
		w.ask("DeleteItem", table+`"Key":{"isbn":{"S":"%d"}}}`, isbn)
	case 6:
		w.ask("TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"Books","Item":{"isbn":{"S":"%d"},"author":{"S":"%d"}}}},
			{"Delete":{"TableName":"Books","Key":{"isbn":{"S":"%d"}}}}]}`, isbn, author, isbn+1)
	case 7:
		w.ask("BatchWriteItem", `{"RequestItems":{"Books":[{"PutRequest":{"Item":{"isbn":{"S":"%d"},"author":{"S":"%d"}}}},
			{"DeleteRequest":{"Key":{"isbn":{"S":"%d"}}}}]}}`, isbn, author, isbn+1)
	case 8:
		w.ask("BatchExecuteStatement", `{"Statements":[{"Statement":"UPDATE Books SET author='%d' WHERE isbn='%d'"},
			{"Statement":"INSERT INTO Books VALUE {'isbn':'%d','author':'0'}"}]}`, author, isbn, isbn+1)
	case 9, 10:
		var d testDouble // a table or an index that is not there
		if show := w.e.HoldIndex(&d, "Books", "ByAuthor"); d.failed == "" {
			w.held, w.trace = append(w.held, show), append(w.trace, "hold")
		}
	case 11:
		if n := len(w.held); n > 0 {
			w.held[w.r.IntN(n)]()
			w.trace = append(w.trace, "show")
		}
	case 12:
		w.clock.move(time.Duration(w.r.IntN(400)) * time.Second)
	case 13:
		if w.one(4) {
			w.clock.move(time.Duration(w.r.IntN(20)) * time.Hour)
		}
		w.try("sweep", func() error { _, err := w.e.Sweep(w.t.Context()); return err })
	case 14:
		update(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"ByAuthor"}}]`)
	case 15:
		update(`"AttributeDefinitions":[{"AttributeName":"author","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"ByAuthor",
			"KeySchema":[{"AttributeName":"author","KeyType":"HASH"}],"Projection":{"ProjectionType":"%s"}}}]`, []string{"ALL", "KEYS_ONLY"}[w.r.IntN(2)])
	case 16:
		w.ask("UpdateTimeToLive", table+`"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":%v}}`, w.one(2))
	case 17:
		update([]string{`"StreamSpecification":{"StreamEnabled":false}`,
			`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`}[w.r.IntN(2)])
	case 18:
		w.split()
	case 19:
		switch w.r.IntN(8) {
		case 0:
			w.ask("DeleteTable", `{"TableName":"Books"}`)
		case 1, 2:
			if err := w.e.Close(); err != nil {
				w.t.Fatal(err)
			}
			w.open()
		default:
			w.ask("CreateTable", "%s", streamedBooks)
		}
	}
}

// split splits a shard of a stream, which may be closed or over.
func (w *anyOrder) split() {
	streams, _ := try(w.e, "ListStreams", `{}`)
	if l, _ := streams["Streams"].([]any); len(l) > 0 {
		arn := l[w.r.IntN(len(l))].(map[string]any)["StreamArn"].(string)
		described, err := try(w.e, "DescribeStream", `{"StreamArn":"%s"}`, arn)
		if err != nil {
			w.t.Fatal(err)
		}
		shards := described["StreamDescription"].(map[string]any)["Shards"].([]any)
		shard := shards[w.r.IntN(len(shards))].(map[string]any)["ShardId"].(string)
		w.try("split "+shard, func() error { return w.e.SplitShard(arn, shard) })
	}
}
