package streams_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/streams"
	"github.com/tablewright/tablewright/wire"
)

func streamsOf(t testing.TB, e *engine.Engine, table string) (arns []string) {
	t.Helper()
	answer, err := e.Do(context.Background(), "ListStreams", (&wire.ListStreamsInput{TableName: table}).Append(nil))
	must(t, err)
	out, err := wire.DecodeListStreamsOutput(answer)
	must(t, err)
	for _, s := range out.Streams {
		arns = append(arns, s.ARN)
	}
	return arns
}

// Everything a handler is told of a change, and who is told.
func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		ctx := t.Context()
		put(t, db, "o1", 10)
		must(t, Customers.Put(Customer{ID: "c1", Name: "Ada"}).Run(ctx, db))
		must(t, Orders.Update("o1", Orders.Total.Set(12)).Run(ctx, db))
		must(t, Shop.Raw().Put(raw("1")).Run(ctx, db))
		must(t, Orders.Delete("o1").Run(ctx, db))
		var got []string
		note := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
		var w streams.Watch
		err := streams.Run(ctx, db, Shop, streams.Options{Group: "g", Create: true, Drain: true, Watch: &w},
			streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error {
				switch {
				case c.Old == nil:
					note("%s %s %d", c.Event, c.New.ID, c.New.Total)
				case c.New == nil:
					note("%s %s %d", c.Event, c.Old.ID, c.Old.Total)
				default:
					note("%s %s %d %d", c.Event, c.New.ID, c.Old.Total, c.New.Total)
				}
				if c.Keys.Get("PK").Str() != "o#o1" || c.At.IsZero() || c.Sequence == "" || c.ID == "" || c.Shard == "" || c.Attempt != 1 {
					t.Errorf("%+v", c)
				}
				return nil
			}),
			streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error { note("again"); return nil }),
			streams.Else(func(_ context.Context, c streams.Change[attr.Item]) error {
				note("else %s", c.New.Get("PK").Str())
				return nil
			}))
		must(t, err)
		want := []string{"INSERT o1 10", "again", "else c#c1", "MODIFY o1 10 12", "again", "else x#1", "REMOVE o1 12", "again"}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		s := w.Shards()
		if len(s) != 1 || s[0].Handled != 5 || s[0].Held || s[0].Pending != 0 || w.Behind() != 0 {
			t.Errorf("%+v", s)
		}
		// A second run has nothing left to do.
		got = nil
		put(t, db, "o2", 1)
		must(t, streams.Run(ctx, db, Shop, streams.Options{Group: "g", Drain: true}, streams.On(Orders, func(_ context.Context, c streams.Change[Order]) error {
			note("%s", c.New.ID)
			return nil
		})))
		if !slices.Equal(got, []string{"o2"}) {
			t.Errorf("%q", got)
		}
	})
}

// A consumer that is stopped goes on where it was.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, db := newEngine(t, engine.Options{})
		for i := range 10 {
			put(t, db, fmt.Sprint("o", i), i)
		}
		var got []int
		ctx, cancel := context.WithCancel(t.Context())
		run := func() error {
			return streams.Run(ctx, db, Shop, streams.Options{Group: "g", Create: true}, streams.On(Orders, func(ctx context.Context, c streams.Change[Order]) error {
				if len(got) == 4 {
					cancel()
					time.Sleep(20 * time.Second) // it is waited for
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
				got = append(got, c.New.Total)
				return nil
			}))
		}
		must(t, run())
		if len(got) != 5 {
			t.Fatal(got)
		}
		ctx, cancel = context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- run() }()
		synctest.Wait()
		time.Sleep(time.Second) // the lease was released: nobody waits for its end
		synctest.Wait()
		cancel()
		must(t, <-done)
		if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Error(got)
		}
	})
}
