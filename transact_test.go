package tablewright_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
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

// After a lost answer: a transaction is repeated under its token, a put is repeated, a condition that meets the first try
// and an addition are of unknown outcome.
func TestLostAnswers(t *testing.T) {
	lossy := func(operation string) *tablewright.DB {
		db := open(t, tablewright.Options{Hooks: []tablewright.Hook{lose(operation, 1)}}, Shop)
		return db
	}
	ctx := t.Context()
	if err := Orders.Create(order("o1")).Run(ctx, lossy("PutItem")); !errors.Is(err, tablewright.ErrUnknownOutcome) || !errors.Is(err, tablewright.ErrExists) {
		t.Errorf("create: %v", err)
	}
	if err := Customers.Put(Customer{ID: "c1"}).Run(ctx, lossy("PutItem")); err != nil {
		t.Errorf("put: %v", err)
	}
	if _, err := Customers.Put(Customer{ID: "c1"}).Old(ctx, lossy("PutItem")); !errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Errorf("put, and the old item: %v", err)
	}
	if err := tablewright.Transact(Orders.Create(order("o1"))).Run(ctx, lossy("TransactWriteItems")); err != nil {
		t.Errorf("transaction: %v", err)
	}
	db := lossy("UpdateItem")
	if err := Orders.Put(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	err := Orders.Update("o1", Orders.Total.Add(order("").Total)).Run(ctx, db)
	isError(t, err, tablewright.ErrUnknownOutcome)
	if o := must[Order](t)(Orders.Get("o1").Run(ctx, db)); o.Version != 2 {
		t.Errorf("repeated: %v", o)
	}
	db = lossy("UpdateItem")
	if err := Orders.Put(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := Orders.Update("o1", Orders.Note.Set("x")).Run(ctx, db); err != nil {
		t.Errorf("an update that sets: %v", err)
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
