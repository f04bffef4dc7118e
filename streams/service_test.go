package streams_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
	"github.com/tablewright/tablewright/streams"
)

// The same program over HTTP, in real time, on the engine and on DynamoDB Local: a group with two workers that
// are stopped and go on where they were; then another group, with where it begins.
func TestOverHTTP(t *testing.T) {
	t.Run("engine", func(t *testing.T) {
		e := engine.New(t, engine.Options{Streams: engine.StreamOptions{Shards: 3}})
		server := httptest.NewServer(e.Handler())
		t.Cleanup(server.Close)
		consumeOverHTTP(t, server.URL, true)
	})
	t.Run("DynamoDB Local", func(t *testing.T) {
		if testing.Short() {
			t.Skip("it takes seconds to start")
		}
		url, _ := peers.StartLocal(t, peers.Brief...)
		consumeOverHTTP(t, url, false) // it tells times to the minute, and takes none
	})
}

func consumeOverHTTP(t *testing.T, url string, seconds bool) {
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	t.Setenv("AWS_REGION", "us-east-1")
	db, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: url})
	must(t, err)
	must(t, Shop.CreateIn(t.Context(), db))
	must(t, TotalsTable.CreateIn(t.Context(), db))
	var all seen
	handlers := []streams.Handler{
		streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { all.note(c.New.ID, c.New.Total); return nil }),
		streams.Aggregate(Orders, AllTotals, func(o Order) (string, bool) { return o.Customer, true },
			streams.Count[Order](AllTotals.Orders), streams.SumOf(AllTotals.Spent, func(o Order) int { return o.Total })),
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := streams.Options{Group: "g", Create: true, Poll: 50 * time.Millisecond}
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if err := streams.Run(ctx, db, Shop, o, handlers...); err != nil {
				t.Error(err)
			}
		})
	}
	const items, rounds = 6, 5
	for n := 1; n <= rounds; n++ {
		for i := range items {
			put(t, db, fmt.Sprint("o", i), n)
		}
	}
	handled := func() bool {
		all.mu.Lock()
		defer all.mu.Unlock()
		for i := range items {
			if l := all.by[fmt.Sprint("o", i)]; len(l) == 0 || l[len(l)-1] != rounds {
				return false
			}
		}
		return true
	}
	for end := time.Now().Add(30 * time.Second); !handled() && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	workers.Wait()
	// What the workers had not counted yet is counted now, and nothing again.
	last := o
	last.Drain = true
	must(t, streams.Run(t.Context(), db, Shop, last, handlers...))
	for i := range items {
		all.check(t, fmt.Sprint("o", i), rounds)
		key := fmt.Sprint("c", i)
		if got, err := AllTotals.Get(key).Run(t.Context(), db); err != nil || got != (Totals{key, 1, rounds}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	time.Sleep(1100 * time.Millisecond)
	last.Group, last.Start = "later", streams.Latest()
	var late []string
	h := streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { late = append(late, c.New.ID); return nil })
	must(t, streams.Run(t.Context(), db, Shop, last, h))
	put(t, db, "o7", 1)
	must(t, streams.Run(t.Context(), db, Shop, last, h))
	if seconds && len(late) != 1 || !slices.Contains(late, "o7") {
		t.Errorf("since the latest change came %v", late)
	}
}
