package cache_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cache"
	"github.com/tablewright/tablewright/engine"
)

// TestFirstRead has a table written that was never read, just before its first read and beside it: what that brings may be
// of before the write, and is not kept.
func TestFirstRead(t *testing.T) {
	read := func(t *testing.T, b *bench) {
		t.Helper()
		if _, err := Products.Get(lamp).Run(t.Context(), b.db); err != nil {
			t.Error(err)
		}
	}
	send := func(b *bench, operation, request string) error {
		return b.db.Transport().Do(context.Background(), &tablewright.Call{Operation: operation, Request: []byte(request), Attempt: 1})
	}
	for name, write := range map[string]func(ctx context.Context, b *bench) error{
		"put": func(ctx context.Context, b *bench) error {
			return Products.Put(product{"acme", "lamp", 8}).Run(ctx, b.db)
		},
		"batch": func(ctx context.Context, b *bench) error {
			return tablewright.BatchOf(Products.Put(product{"acme", "lamp", 8})).Run(ctx, b.db)
		},
		"transaction": func(ctx context.Context, b *bench) error {
			return tablewright.Transact(Products.Update(lamp, Products.Stock.Plus(1))).Run(ctx, b.db)
		},
		"another's request": func(_ context.Context, b *bench) error {
			return send(b, "PutItem", `{"Item":{"name":{"S":"lamp"},"maker":{"S":"acme"}},"TableName":"Store"}`)
		},
		"a stream's record": func(ctx context.Context, b *bench) error {
			b.cache.Drop(ctx, "Store", attr.ItemOf(attr.Field{Name: "maker", Value: attr.Text("acme")}))
			return nil
		},
	} {
		bench := func(t *testing.T) *bench { // with an item that the cache does not know to be written
			b := newBench(t, cache.Options{})
			direct := tablewright.New(tablewright.InProcess(b.Engine), tablewright.Options{Clock: b.clock})
			if err := Products.Put(product{"acme", "lamp", 7}).Run(t.Context(), direct); err != nil {
				t.Fatal(err)
			}
			b.clock.Advance(2 * time.Second)
			return b
		}
		t.Run(name+"/before", func(t *testing.T) {
			b := bench(t)
			if err := write(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if n := b.asked(func() { read(t, b) }); n != 1 {
					t.Errorf("%d requests: what was read right after a write was kept", n)
				}
			}
			b.clock.Advance(time.Second)
			read(t, b)
			if n := b.asked(func() { read(t, b) }); n != 0 {
				t.Errorf("%d requests after all has settled", n)
			}
		})
		t.Run(name+"/beside", func(t *testing.T) {
			b := bench(t)
			hold, ended := make(chan struct{}), make(chan struct{})
			b.Inject(engine.Fault{Operation: "GetItem", Times: 1, Until: hold})
			before := b.requests.Load()
			go func() { read(t, b); close(ended) }()
			for b.requests.Load() == before {
				time.Sleep(100 * time.Microsecond)
			}
			if err := write(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			b.clock.Advance(2 * time.Second) // the read takes longer than it takes to settle
			close(hold)
			<-ended
			if n := b.asked(func() { read(t, b) }); n != 1 {
				t.Errorf("%d requests: what was read beside a write was kept", n)
			}
			if n := b.asked(func() { read(t, b) }); n != 0 {
				t.Errorf("%d requests: the next read was not kept", n)
			}
		})
		t.Run(name+"/under way", func(t *testing.T) {
			if name == "a stream's record" {
				t.Skip("is told after it was written")
			}
			b := bench(t)
			hold, ended := make(chan struct{}), make(chan error)
			for _, operation := range []string{"PutItem", "BatchWriteItem", "TransactWriteItems"} {
				b.Inject(engine.Fault{Operation: operation, Times: 1, Until: hold})
			}
			before := b.requests.Load()
			go func() { ended <- write(context.WithoutCancel(t.Context()), b) }()
			for b.requests.Load() == before {
				time.Sleep(100 * time.Microsecond)
			}
			b.clock.Advance(2 * time.Second) // the write takes longer than that
			for range 2 {
				if n := b.asked(func() { read(t, b) }); n != 1 {
					t.Errorf("%d requests: kept while a write is under way", n)
				}
			}
			close(hold)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLongRead has so many keys written during a read that what is known of them is swept away, that of the read's own key
// among it: it is still not kept.
func TestLongRead(t *testing.T) {
	b := newBench(t, cache.Options{})
	ctx := t.Context()
	hold, ended := make(chan struct{}), make(chan struct{})
	b.Inject(engine.Fault{Operation: "GetItem", Times: 1, Until: hold})
	before := b.requests.Load()
	go func() { _, _ = Products.Get(lamp).Run(ctx, b.db); close(ended) }()
	for b.requests.Load() == before {
		time.Sleep(100 * time.Microsecond)
	}
	if err := Products.Put(product{"acme", "lamp", 8}).Run(ctx, b.db); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(2 * time.Second)
	for i := range 64 * 64 * 2 {
		b.cache.Drop(ctx, "Store", attr.ItemOf(attr.Field{Name: "maker", Value: attr.Text(fmt.Sprint(i))}))
	}
	close(hold)
	<-ended
	if n := b.asked(func() { _, _ = Products.Get(lamp).Run(ctx, b.db) }); n != 1 {
		t.Errorf("%d requests: what a read brought from before a write was kept", n)
	}
}
