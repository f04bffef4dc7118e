package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// following counts what becomes of the errors of all calls, each as three.
func following(h *tablewright.Handling) tablewright.Hook {
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			if err != nil {
				c.Follow(h, 3)
			}
			return err
		})
	}
}

// taken is an error of a program's with a type of its own.
type taken struct{ what string }

func (e *taken) Error() string { return e.what + " is taken" }

// Which questions of a program count, and which do not: each is asked of an error of its own, wrapped and joined.
func TestFollow(t *testing.T) {
	var h tablewright.Handling
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{following(&h)}}, Shop)
	ctx := t.Context()
	stored := must[Order](t)(Orders.Create(order("o1")).New(ctx, db))
	stale := stored
	stale.Version = 7
	mine := &taken{"o1"}
	create := func() error { return Orders.Create(order("o1")).Run(ctx, db) }
	otherwise := func() error { return Orders.Create(order("o1")).Else(mine).Run(ctx, db) }
	put := func() error { return Orders.Put(stale).Run(ctx, db) }
	missing := func() error { return Orders.Update("none", Orders.Note.Set("x")).Run(ctx, db) }
	test := func() error {
		return Orders.Update("o1", Orders.Note.Set("x")).If(Orders.Note.Equals("y")).Run(ctx, db)
	}
	remove := func() error { return Orders.Delete("o1").If(Orders.Note.Equals("y")).Run(ctx, db) }
	is := func(kind error) func(error) bool { return func(err error) bool { return errors.Is(err, kind) } }
	for _, c := range []struct {
		name  string
		fails func() error
		asks  func(err error) bool
		yes   bool // what the program is told
		asked bool
	}{
		{"its kind", create, is(tablewright.ErrExists), true, true},
		{"the more general kind", create, is(tablewright.ErrConditionFailed), true, true},
		{"a stale version", put, is(tablewright.ErrStale), true, true},
		{"a stale version, as a condition", put, is(tablewright.ErrConditionFailed), true, true},
		{"an item that is missing", missing, is(tablewright.ErrNotFound), true, true},
		{"an item that is missing, as a condition", missing, is(tablewright.ErrConditionFailed), true, true},
		{"a test", test, is(tablewright.ErrConditionFailed), true, true},
		{"a test of a delete", remove, is(tablewright.ErrConditionFailed), true, true},
		{"its own error", otherwise, is(mine), true, true},
		{"its own type", otherwise, func(err error) bool { e, ok := errors.AsType[*taken](err); return ok && e == mine }, true, true},
		{"its own type, of another error", create, func(err error) bool { _, ok := errors.AsType[*taken](err); return ok }, false, false},
		{"the kind of one that has its own", otherwise, is(tablewright.ErrExists), true, true},
		{"the service's error", create, func(err error) bool {
			var w *wire.Error
			return errors.As(err, &w) && w.Code == wire.CodeConditionFailed
		}, true, true},
		{"the item that is stored", test, func(err error) bool { o, ok := Orders.Refused(err); return ok && o.ID == "o1" }, true, true},
		{"the item of another kind", test, func(err error) bool { _, ok := Customers.Refused(err); return ok }, false, false},
		{"the text", create, func(err error) bool { return err.Error() != "" && fmt.Sprintf("%+v", err) != "" }, true, false},
		{"another kind", create, is(tablewright.ErrStale), false, false},
		{"throttling", test, is(tablewright.ErrThrottled), false, false},
		{"a context", test, is(context.Canceled), false, false},
		{"the error itself", test, func(err error) bool { e, ok := errors.AsType[*tablewright.Error](err); return ok && errors.Is(err, e) }, true, false},
		{"where it is from", test, func(err error) bool {
			var e *tablewright.Error
			return errors.As(err, &e) && e.Operation == "UpdateItem" && e.Table == "Shop"
		}, true, false},
		{"an interface", create, func(err error) bool {
			var e interface{ Retryable() bool }
			return errors.As(err, &e) && !e.Retryable()
		}, true, false},
	} {
		h.Surfaced.Store(0)
		h.Asked.Store(0)
		err := fmt.Errorf("serving: %w", errors.Join(io.ErrClosedPipe, c.fails()))
		if n := h.Surfaced.Load(); n != 3 || h.Asked.Load() != 0 {
			t.Fatalf("%s: %d errors, asked about %d, before anybody asks", c.name, n, h.Asked.Load())
		}
		for range 2 {
			if yes := c.asks(err); yes != c.yes {
				t.Errorf("%s: the answer is %t", c.name, yes)
			}
		}
		want := int64(0)
		if c.asked {
			want = 3
		}
		if n := h.Asked.Load(); n != want || h.Surfaced.Load() != 3 {
			t.Errorf("%s: asked about %d, want %d", c.name, n, want)
		}
	}
}

// What nobody can be said not to have asked about is not followed; what the client deals with is asked about.
func TestFollowWhat(t *testing.T) {
	var h, outer tablewright.Handling
	ctx := t.Context()
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{following(&outer), following(&h)}}, Shop)
	expect := func(what string, surfaced, asked int64) {
		t.Helper()
		if h.Surfaced.Load() != surfaced || h.Asked.Load() != asked {
			t.Errorf("%s: %d errors, asked about %d, want %d and %d", what, h.Surfaced.Load(), h.Asked.Load(), surfaced, asked)
		}
		h.Surfaced.Store(0)
		h.Asked.Store(0)
	}
	failed := func(err error) {
		t.Helper()
		if err == nil {
			t.Error("nothing failed")
		}
	}
	if err := Orders.Create(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	expect("no error", 0, 0)
	_, err := Orders.Get("none").Run(ctx, db)
	failed(err)
	_, err = Customers.Delete("none").Old(ctx, db)
	failed(err)
	expect("items that are not there", 0, 0)
	failed(tablewright.Transact(Orders.Create(order("o1"))).Run(ctx, db))
	expect("a transaction", 0, 0)
	failed(Orders.Update("o1", Orders.Note.Set(strings.Repeat("x", 400<<10))).Run(ctx, db))
	expect("a mistake", 0, 0)
	call := &tablewright.Call{Operation: "PutItem", Table: "Shop", Request: []byte(`{}`), Attempt: 1}
	failed(db.Transport().Do(ctx, call))
	expect("a request of somebody else's", 0, 0)

	behind := 0
	edit := func(times int, retry tablewright.Retry) error {
		behind = 0
		return Orders.Edit("o1", func(o *Order) error {
			if behind++; behind <= times {
				if err := Orders.Update("o1", Orders.Note.Set(fmt.Sprint("faster", behind))).Run(ctx, db); err != nil {
					return err
				}
			}
			o.Lines[0].Qty++
			return nil
		}).Run(ctx, db.WithRetry(retry))
	}
	if err := edit(2, tablewright.Retry{Attempts: 10, Budget: 1e12}); err != nil {
		t.Fatal(err)
	}
	expect("an edit that reads again twice", 6, 6)
	err = edit(3, tablewright.Retry{Attempts: 2, Budget: 1e12})
	if h.Surfaced.Load() != 6 || h.Asked.Load() != 3 {
		t.Errorf("of an edit that gives up %d errors, asked about %d", h.Surfaced.Load(), h.Asked.Load())
	}
	isError(t, err, tablewright.ErrStale)
	expect("an edit that gives up, whose error is asked for", 6, 6)
	if outer.Surfaced.Load() != 0 || outer.Asked.Load() != 0 {
		t.Error("a second hook counted the same errors")
	}
}

// What an earlier try may have written is no condition to ask about, and a Call that is used again counts for nobody.
func TestFollowRetries(t *testing.T) {
	var h tablewright.Handling
	tries := 0
	lose := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			if tries++; tries == 1 && c.Operation == "PutItem" {
				c.Follow(&h, 3) // of a try that is repeated
				return io.ErrUnexpectedEOF
			}
			return err
		})
	}
	plain := open(t, tablewright.Options{}, Shop)
	db := tablewright.New(plain.Transport(), tablewright.Options{Hooks: []tablewright.Hook{lose}})
	err := Orders.Create(order("o1")).Run(t.Context(), db)
	isError(t, err, tablewright.ErrUnknownOutcome)
	for range 50 { // some of them with the same Call
		if err := Orders.Create(order("o1")).Run(t.Context(), plain); !errors.Is(err, tablewright.ErrExists) {
			t.Fatal(err)
		}
	}
	if h.Surfaced.Load() != 0 || h.Asked.Load() != 0 {
		t.Errorf("%d errors, asked about %d", h.Surfaced.Load(), h.Asked.Load())
	}
}

// However many ask of one error, and when, it counts once.
func TestFollowOnce(t *testing.T) {
	var h tablewright.Handling
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{following(&h)}}, Shop)
	if err := Orders.Create(order("o1")).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			err := Orders.Create(order("o1")).Run(t.Context(), db)
			for range 8 {
				wait.Go(func() { isError(t, err, tablewright.ErrExists, tablewright.ErrConditionFailed) })
			}
		})
	}
	wait.Wait()
	if h.Surfaced.Load() != 24 || h.Asked.Load() != 24 {
		t.Errorf("%d errors, asked about %d", h.Surfaced.Load(), h.Asked.Load())
	}
}
