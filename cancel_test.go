package tablewright_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// Wherever a call is when its context ends, it ends: waiting for an answer, for the next try, for its turn.
func TestContextEnds(t *testing.T) {
	asked := make(chan struct{}, 1000)
	note := func() {
		select {
		case asked <- struct{}{}:
		default:
		}
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client go
		note()
		<-r.Context().Done()
	}))
	defer silent.Close()
	mute, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: silent.URL})
	if err != nil {
		t.Fatal(err)
	}
	throttled := tablewright.TransportFunc(func(context.Context, *tablewright.Call) error {
		note()
		return wire.NewError(wire.CodeThroughputExceeded, "slow down")
	})
	patience := tablewright.Retry{Attempts: 1 << 30, Budget: time.Hour}
	adaptive := patience
	adaptive.Adaptive = true
	lists := []Customer{{ID: "c1"}, {ID: "c2"}}
	calls := map[string]func(ctx context.Context, db *tablewright.DB) error{
		"get": func(ctx context.Context, db *tablewright.DB) error {
			_, err := Orders.Get("x").Run(ctx, db)
			return err
		},
		"put": func(ctx context.Context, db *tablewright.DB) error { return Orders.Put(order("x")).Run(ctx, db) },
		"update": func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Update("x", Orders.Note.Set("y")).Run(ctx, db)
		},
		"edit": func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Edit("x", func(*Order) error { return nil }).Run(ctx, db)
		},
		"query": func(ctx context.Context, db *tablewright.DB) error {
			_, err := Orders.ByCustomer.Of("x").Slice(ctx, db)
			return err
		},
		"page": func(ctx context.Context, db *tablewright.DB) error {
			_, err := Orders.ByCustomer.Of("x").Page(ctx, db, 5)
			return err
		},
		"collect": func(ctx context.Context, db *tablewright.DB) error {
			_, err := OrderPages.Of("x").Run(ctx, db)
			return err
		},
		"scan": func(ctx context.Context, db *tablewright.DB) error {
			for _, err := range Customers.Scan().Intended().Parallel(4).Rate(1).All(ctx, db) {
				return err
			}
			return nil
		},
		"get all": func(ctx context.Context, db *tablewright.DB) error {
			_, err := Customers.GetAll([]CustomerID{"x"}).Run(ctx, db)
			return err
		},
		"put all": func(ctx context.Context, db *tablewright.DB) error {
			return Customers.PutAll(slices.Values(lists)).Parallel(2).Rate(1).Run(ctx, db)
		},
		"transaction": func(ctx context.Context, db *tablewright.DB) error {
			return tablewright.Transact(Orders.Put(order("x"))).Run(ctx, db)
		},
		"snapshot": func(ctx context.Context, db *tablewright.DB) error {
			return tablewright.Snapshot(Orders.Get("x").Into(new(Order))).Run(ctx, db)
		},
		"create table": func(ctx context.Context, db *tablewright.DB) error { return Shop.CreateIn(ctx, db) },
	}
	var slowest sync.Map
	for where, db := range map[string]*tablewright.DB{
		"waiting for the answer":   mute,
		"waiting for another try":  tablewright.New(throttled, tablewright.Options{Retry: patience}),
		"held back":                tablewright.New(throttled, tablewright.Options{Retry: adaptive}),
		"waiting for the answer 2": mute.WithRetry(adaptive),
	} {
		for name, call := range calls {
			best := time.Hour // of several: the machine may have other things to do
			for range 4 {
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				for len(asked) > 0 {
					<-asked
				}
				go func() { ended <- call(ctx, db) }()
				select {
				case <-asked:
				case <-time.After(10 * time.Millisecond): // held back before it asked
				}
				time.Sleep(2 * time.Millisecond)
				start := time.Now()
				cancel()
				var err error
				select {
				case err = <-ended:
				case <-time.After(5 * time.Second):
					t.Fatalf("%s, %s: does not end", where, name)
				}
				best = min(best, time.Since(start))
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s, %s: %v", where, name, err)
				}
			}
			slowest.Store(where+", "+name, best)
			if best > 20*time.Millisecond { // a millisecond on an idle machine without the race detector
				t.Errorf("%s, %s: ended %v after its context", where, name, best)
			}
		}
	}
	if testing.Verbose() {
		slowest.Range(func(k, v any) bool { t.Log(k, v); return true })
	}
}
