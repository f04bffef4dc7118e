package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/wire"
)

func TestTransact(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		ctx := t.Context()
		taken := errors.New("the order is taken")
		err := tablewright.Transact(
			Customers.Create(Customer{ID: "c1", Name: "Ada"}),
			Orders.Create(order("o1")).Else(taken),
			Shipments.Put(Shipment{"o1", "a", "post"}),
		).Run(ctx, db)
		if err != nil {
			t.Fatal(err)
		}
		err = tablewright.Transact(
			Customers.Update("c1", Customers.Name.Set("Eve")).If(Customers.Name.Equals("Ada")),
			Orders.Create(order("o1")).Else(taken),
			Orders.Check("o2"),
			Shipments.Delete(ShipmentKey{"o1", "a"}).If(Shipments.Carrier.Equals("sea")),
		).Run(ctx, db)
		isError(t, err, tablewright.ErrCancelled, taken, tablewright.ErrExists, tablewright.ErrNotFound, tablewright.ErrConditionFailed)
		var tx *tablewright.TxError
		if !errors.As(err, &tx) || len(tx.Reasons) != 3 || tx.Reasons[0].Action != 1 || tx.Reasons[1].Action != 2 || tx.Reasons[2].Action != 3 {
			t.Fatalf("%+v", tx)
		}
		isError(t, tx.Reasons[0].Err, taken, tablewright.ErrExists)
		isError(t, tx.Reasons[1].Err, tablewright.ErrNotFound)
		if errors.Is(tx.Reasons[2].Err, tablewright.ErrExists) {
			t.Errorf("%v", tx.Reasons[2].Err)
		}
		if o, ok := Orders.Refused(err); !ok || o.ID != "o1" {
			t.Errorf("refused by order %v, %t", o, ok)
		}
		if s, ok := Shipments.Refused(err); !ok || s.Carrier != "post" {
			t.Errorf("refused by shipment %v, %t", s, ok)
		}
		if c := must[Customer](t)(Customers.Get("c1").Run(ctx, db)); c.Name != "Ada" {
			t.Errorf("a cancelled transaction wrote %v", c)
		}
		var c Customer
		var o Order
		if err := tablewright.Snapshot(Customers.Get("c1").Into(&c), Orders.Get("o1").Into(&o)).Run(ctx, db); err != nil || c.Name != "Ada" || o.Version != 1 {
			t.Errorf("%v %v %v", c, o, err)
		}
		err = tablewright.Snapshot(Customers.Get("none").Into(&c), Orders.Get("o1").Into(&o)).Run(ctx, db)
		isError(t, err, tablewright.ErrNotFound)
	})
}

func TestToken(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	for range 2 {
		tx := tablewright.Transact(Orders.Update("o1", Orders.Total.Add(order("").Total)).Upsert()).Token("once")
		if err := tx.Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	if v := must[OrderHead](t)(OrderHeads.Get("o1").Run(t.Context(), db)); v.ID != "o1" {
		t.Error(v)
	}
	if o := must[Order](t)(Orders.Get("o1").Run(t.Context(), db)); o.Total != order("").Total || o.Version != 1 {
		t.Errorf("done twice: %v", o)
	}
}

// A transaction that writes times is the same one when its value is run again, later: the service would refuse other bytes
// under a known token.
func TestTokenWithTimes(t *testing.T) {
	clock := newClock()
	db := open(t, tablewright.Options{Clock: clock}, Shop)
	ctx := t.Context()
	tx := tablewright.Transact(Customers.Put(Customer{ID: "c1"})).Token("register c1")
	for range 3 {
		if err := tx.Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		_ = clock.Sleep(ctx, time.Minute)
	}
	if c := must[Customer](t)(Customers.Get("c1").Run(ctx, db)); !c.Since.Equal(noon) {
		t.Errorf("since %v", c.Since)
	}
	// Made anew, as another process would: the time has to be stated.
	again := func() tablewright.Tx {
		return tablewright.Transact(Customers.Put(Customer{ID: "c2"})).Token("register c2")
	}
	if err := again().At(noon).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := again().At(noon).Run(ctx, db); err != nil {
		t.Error(err)
	}
	var w *wire.Error
	if err := again().Run(ctx, db); !errors.As(err, &w) || w.Code != "IdempotentParameterMismatchException" {
		t.Errorf("another time under the same token: %v", err)
	}
	if c := must[Customer](t)(Customers.Get("c2").Run(ctx, db)); !c.Since.Equal(noon) {
		t.Errorf("since %v", c.Since)
	}
}

// An item that moves was created when it was created.
func TestMoveKeepsCreated(t *testing.T) {
	clock := newClock()
	db := open(t, tablewright.Options{Clock: clock}, Shop)
	ctx := t.Context()
	before := must[Customer](t)(Customers.Create(Customer{ID: "c1"}).New(ctx, db))
	_ = clock.Sleep(ctx, time.Hour)
	after := before
	after.ID = "c2"
	if err := Customers.Move(before, after).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if c := must[Customer](t)(Customers.Get("c2").Run(ctx, db)); !c.Since.Equal(noon) {
		t.Errorf("since %v", c.Since)
	}
}

// What becomes of a write that was carried out and whose answer was lost.
func TestLostAnswers(t *testing.T) {
	mine := errors.New("the caller's word for a condition that failed")
	for _, test := range []struct {
		name    string
		write   func(ctx context.Context, db *tablewright.DB) error
		sent    int
		unknown bool // else there is no error
		met     bool // the repeat met what the first try wrote
		version int  // of order o1 afterwards; it was 1
	}{
		{"create", func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Create(order("o2")).Else(mine).Run(ctx, db)
		}, 2, true, true, 1},
		{"put", func(ctx context.Context, db *tablewright.DB) error {
			return Customers.Put(Customer{ID: "c1"}).Run(ctx, db)
		}, 2, false, false, 1},
		{"put, and the old item", func(ctx context.Context, db *tablewright.DB) error {
			_, err := Customers.Put(Customer{ID: "c1"}).Old(ctx, db)
			return err
		}, 1, true, false, 1},
		{"replace, and the old item", func(ctx context.Context, db *tablewright.DB) error {
			_, err := Customers.Replace(Customer{ID: "c0"}).Old(ctx, db)
			return err
		}, 1, true, false, 1},
		{"put of a version", func(ctx context.Context, db *tablewright.DB) error {
			o := order("o1")
			o.Version = 1
			return Orders.Put(o).Run(ctx, db)
		}, 2, true, true, 2},
		{"patch of a version", func(ctx context.Context, db *tablewright.DB) error {
			before := order("o1")
			before.Version = 1
			after := before
			after.Note = "x"
			return Orders.Patch(before, after).Else(mine).Run(ctx, db)
		}, 2, true, true, 2},
		{"edit", func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Edit("o1", func(o *Order) error { o.Note += "x"; return nil }).Run(ctx, db)
		}, 2, true, true, 2},
		{"update of an entity with a version", func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Update("o1", Orders.Note.Set("x")).Run(ctx, db)
		}, 1, true, false, 2},
		{"update on any other condition", func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Update("o1", Orders.Note.Set("x")).If(Orders.Status.Equals(Placed)).Run(ctx, db)
		}, 1, true, false, 2},
		{"update on the version", func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Update("o1", Orders.Total.Add(attr.Int(1))).If(Orders.Version.Equals(1)).Else(mine).Run(ctx, db)
		}, 2, true, true, 2},
		{"partial change on the version", func(ctx context.Context, db *tablewright.DB) error {
			return Orders.Change.Patch("o1", OrderChange{Note: attr.Some("x")}).If(Orders.Version.Equals(1)).Run(ctx, db)
		}, 2, true, true, 2},
		{"update without a version", func(ctx context.Context, db *tablewright.DB) error {
			return Customers.Update("c0", Customers.Name.Set("Eve")).Run(ctx, db)
		}, 2, false, false, 1},
		{"update without a version, and the old item", func(ctx context.Context, db *tablewright.DB) error {
			_, err := Customers.Update("c0", Customers.Name.Set("Eve")).Old(ctx, db)
			return err
		}, 1, true, false, 1},
		{"delete", func(ctx context.Context, db *tablewright.DB) error {
			return Customers.Delete("c0").Run(ctx, db)
		}, 2, false, false, 1},
		{"delete, and the old item", func(ctx context.Context, db *tablewright.DB) error {
			_, err := Customers.Delete("c0").Old(ctx, db)
			return err
		}, 1, true, false, 1},
		{"transaction", func(ctx context.Context, db *tablewright.DB) error {
			return tablewright.Transact(Orders.Update("o1", Orders.Total.Add(attr.Int(1)))).Run(ctx, db)
		}, 2, false, false, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			var on atomic.Bool
			sent := 0
			losing := func(next tablewright.Transport) tablewright.Transport {
				first := true
				return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
					err := next.Do(ctx, c)
					if c.Operation == "GetItem" {
						return err
					}
					if sent++; first && err == nil {
						first, err = false, io.ErrUnexpectedEOF
					}
					return err
				})
			}
			db := open(t, tablewright.Options{Hooks: []tablewright.Hook{when(&on, losing)}}, Shop)
			ctx := t.Context()
			if err := errors.Join(Orders.Put(order("o1")).Run(ctx, db), Customers.Put(Customer{ID: "c0", Name: "Ada"}).Run(ctx, db)); err != nil {
				t.Fatal(err)
			}
			on.Store(true)
			err := test.write(ctx, db)
			on.Store(false)
			if sent != test.sent {
				t.Errorf("sent %d times, not %d", sent, test.sent)
			}
			if errors.Is(err, tablewright.ErrUnknownOutcome) != test.unknown || err != nil && !test.unknown {
				t.Errorf("%v", err)
			}
			if errors.Is(err, tablewright.ErrConditionFailed) != test.met {
				t.Errorf("condition failed: %v", err)
			}
			// It is not told that another was faster: it may have been itself.
			for _, kind := range []error{tablewright.ErrStale, tablewright.ErrExists, tablewright.ErrNotFound, mine} {
				if errors.Is(err, kind) {
					t.Errorf("%v is %q", err, kind)
				}
			}
			if _, ok := Orders.Refused(err); ok != test.met {
				t.Errorf("the stored item: %t, with %v", ok, err)
			}
			if o := must[Order](t)(Orders.Get("o1").Run(ctx, db)); o.Version != test.version {
				t.Errorf("version %d, not %d", o.Version, test.version)
			}
		})
	}
}

// A transaction that was cancelled under its token was not carried out by an earlier try either.
func TestCancelledAfterLostRequest(t *testing.T) {
	taken := errors.New("taken")
	var on atomic.Bool
	n := 0
	lost := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if n++; n == 1 {
				return io.ErrUnexpectedEOF // it never arrives
			}
			return next.Do(ctx, c)
		})
	}
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{when(&on, lost)}}, Shop)
	if err := Orders.Put(order("o1")).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	on.Store(true)
	err := tablewright.Transact(Orders.Create(order("o1")).Else(taken)).Run(t.Context(), db)
	isError(t, err, tablewright.ErrCancelled, tablewright.ErrExists, taken)
	if errors.Is(err, tablewright.ErrUnknownOutcome) || n != 2 {
		t.Errorf("%d requests, %v", n, err)
	}
}

// A batch takes nothing more from a sequence, which may have no end, once its context has ended.
func TestBatchCancelled(t *testing.T) {
	for _, test := range []struct {
		name           string
		parallel, rate int
	}{{"one at a time", 0, 0}, {"parallel", 4, 0}, {"held to a rate", 1, 10}} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			requests := 0
			stop := func(next tablewright.Transport) tablewright.Transport {
				return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
					if c.Operation == "BatchWriteItem" {
						if requests++; requests >= 3 {
							cancel()
							return ctx.Err()
						}
					}
					return next.Do(ctx, c)
				})
			}
			var one sync.Mutex
			serial := func(next tablewright.Transport) tablewright.Transport {
				return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
					one.Lock()
					defer one.Unlock()
					return next.Do(ctx, c)
				})
			}
			db := open(t, tablewright.Options{Hooks: []tablewright.Hook{serial, stop}}, Shop)
			taken := 0
			endless := func(yield func(Customer) bool) {
				for yield(Customer{ID: CustomerID(fmt.Sprint("c", taken))}) {
					if taken++; taken > 10_000 {
						t.Fatal("the sequence is read on and on")
					}
				}
			}
			err := Customers.PutAll(endless).Parallel(test.parallel).Rate(capacity.WriteUnits(test.rate)).Run(ctx, db)
			isError(t, err, context.Canceled)
			var batch *tablewright.BatchError
			if !errors.As(err, &batch) || batch.Done != 50 || batch.Done+len(batch.Failed) != taken+1 || batch.Failed[len(batch.Failed)-1].Index != taken {
				t.Errorf("%d taken: %+v", taken+1, batch)
			}
		})
	}
}

func TestBatch(t *testing.T) {
	const n = 1000
	var all []Customer
	for i := range n {
		all = append(all, Customer{ID: CustomerID(fmt.Sprintf("c%04d", i)), Name: strings.Repeat("x", i%50)})
	}
	for name, hooks := range map[string][]tablewright.Hook{
		"fair":    nil,
		"weather": {weather(1), unprocessed},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			db := open(t, tablewright.Options{Hooks: hooks}, Shop)
			if err := Customers.PutAll(slices.Values(all)).Parallel(4).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
			keys := []CustomerID{"none"}
			for _, c := range all {
				keys = append(keys, c.ID, c.ID)
			}
			found := must[[]tablewright.Found[Customer]](t)(Customers.GetAll(keys).Run(ctx, db))
			if len(found) != len(keys) || found[0].OK {
				t.Fatalf("%d slots", len(found))
			}
			for i, f := range found[1:] {
				if !f.OK || f.Item.ID != keys[i+1] || f.Item.Name != all[i/2].Name {
					t.Fatalf("slot %d: %v", i, f)
				}
			}
			err := tablewright.BatchOf(Customers.Delete("c0001"), Shipments.Put(Shipment{"o1", "a", "x"}), Shipments.Put(Shipment{"o1", "a", "y"})).Run(ctx, db)
			if err != nil {
				t.Fatal(err)
			}
			if s := must[Shipment](t)(Shipments.Get(ShipmentKey{"o1", "a"}).Run(ctx, db)); s.Carrier != "y" {
				t.Errorf("the later of two writes of one key was lost: %v", s)
			}
			if err := Customers.DeleteAll(slices.Values(keys)).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
			for c, err := range Customers.Scan().Intended().All(ctx, db) {
				t.Fatalf("left: %v, %v", c, err)
			}
		})
	}
}

// A batch says of every item whether it was written.
func TestBatchError(t *testing.T) {
	stubborn := func(next tablewright.Transport) tablewright.Transport { return next }
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{stubborn, weather(3)}, Retry: tablewright.Retry{Attempts: 1}}, Shop)
	for Shop.CreateIn(t.Context(), db) == nil { // the weather holds for creating, too
	}
	var all []Customer
	for i := range 500 {
		all = append(all, Customer{ID: CustomerID(fmt.Sprint("c", i))})
	}
	all[77].ID = ""
	err := Customers.PutAll(slices.Values(all)).Run(t.Context(), db)
	var failed *tablewright.BatchError
	if !errors.As(err, &failed) || failed.Done+len(failed.Failed) != len(all) {
		t.Fatalf("%v", err)
	}
	isError(t, err, tablewright.ErrThrottled, tablewright.ErrUnknownOutcome, tablewright.ErrInvalid)
	state := map[int]error{}
	for _, f := range failed.Failed {
		state[f.Index] = f.Err
	}
	patient := db.WithRetry(tablewright.Retry{Attempts: 50})
	for i, c := range all {
		if i == 77 {
			isError(t, state[i], tablewright.ErrInvalid)
			continue
		}
		_, err := Customers.Get(c.ID).Run(t.Context(), patient)
		switch stored := err == nil; {
		case state[i] == nil && !stored:
			t.Errorf("%d is reported as done and is not there: %v", i, err)
		case state[i] != nil && !errors.Is(state[i], tablewright.ErrUnknownOutcome) && stored:
			t.Errorf("%d is reported as not done and is there", i)
		}
	}
}

func TestErrorText(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	secret := order("o-secret")
	if err := Orders.Put(secret).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	err := Orders.Update(secret.ID, Orders.Note.Set("secret words")).If(Orders.Ship.City.Equals("secret city")).Run(t.Context(), db)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	want := "tablewright: UpdateItem Shop: condition failed: ConditionalCheckFailedException: The conditional request failed"
	if err.Error() != want {
		t.Errorf("%s\nwant %s", err, want)
	}
	var e *tablewright.Error
	var w *wire.Error
	if !errors.As(err, &e) || e.Table != "Shop" || e.Attempt != 1 || !e.Time.Equal(noon) || !errors.As(err, &w) {
		t.Errorf("%+v", e)
	}
}
