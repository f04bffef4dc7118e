package tablewright_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// everywhere runs a test in process, over HTTP, and on DynamoDB Local where that is installed.
func everywhere(t *testing.T, test func(t *testing.T, db *tablewright.DB)) {
	t.Run("in process", func(t *testing.T) { test(t, open(t, tablewright.Options{}, Shop)) })
	t.Run("over HTTP", func(t *testing.T) { test(t, overHTTP(t, tablewright.Options{}, Shop)) })
	t.Run("on DynamoDB Local", func(t *testing.T) { test(t, onLocal(t, tablewright.Options{}, Shop)) })
}

func order(id OrderID) Order {
	return Order{ID: id, Customer: "c1", Status: Placed, PlacedAt: noon, Total: attr.Dec("19.90"),
		Ship: Address{"Main Street", "Bergen"}, Lines: []Line{{"s1", 1}, {"s2", 5}}}
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func isError(t *testing.T, err error, kinds ...error) {
	t.Helper()
	for _, k := range kinds {
		if !errors.Is(err, k) {
			t.Errorf("%v is not %q", err, k)
		}
	}
}

func TestLifeOfAnItem(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		ctx := t.Context()
		if _, err := Orders.Get("o1").Run(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
			t.Fatal(err)
		}
		stored := must[Order](t)(Orders.Create(order("o1")).New(ctx, db))
		if stored.Version != 1 {
			t.Errorf("version %d after create", stored.Version)
		}
		if got := must[Order](t)(Orders.Get("o1").Consistent().Run(ctx, db)); fmt.Sprint(got) != fmt.Sprint(stored) || got.Total != attr.Dec("19.9") {
			t.Errorf("got %v, stored %v", got, stored)
		}
		err := Orders.Create(order("o1")).Run(ctx, db)
		isError(t, err, tablewright.ErrExists, tablewright.ErrConditionFailed)
		if it, ok := Orders.Refused(err); !ok || it.Version != 1 {
			t.Errorf("refused by %v, %t", it, ok)
		}
		if _, ok := Customers.Refused(err); ok {
			t.Error("an order refused a customer")
		}
		isError(t, Orders.Replace(order("o2")).Run(ctx, db), tablewright.ErrNotFound)
		stored.Note = "ring twice"
		stored = must[Order](t)(Orders.Replace(stored).New(ctx, db))
		if stored.Version != 2 {
			t.Errorf("version %d after replace", stored.Version)
		}
		isError(t, Orders.Replace(order("o1")).Run(ctx, db), tablewright.ErrStale, tablewright.ErrConditionFailed)
		isError(t, Orders.Put(order("o1")).Run(ctx, db), tablewright.ErrStale)
		old := must[Order](t)(Orders.Put(stored).Old(ctx, db))
		if old.Version != 2 || old.Note != "ring twice" {
			t.Errorf("old is %v", old)
		}
		if gone := must[Order](t)(Orders.Delete("o1").Old(ctx, db)); gone.Version != 3 {
			t.Errorf("deleted %v", gone)
		}
		_, err = Orders.Delete("o1").Old(ctx, db)
		isError(t, err, tablewright.ErrNotFound)
		if err := Orders.Delete("o1").Run(ctx, db); err != nil {
			t.Error(err)
		}
		c := must[Customer](t)(Customers.Put(Customer{ID: "c1", Name: "Ada"}).New(ctx, db))
		if !c.Since.Equal(noon) {
			t.Errorf("created at %v", c.Since)
		}
	})
}

func TestUpdate(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		ctx := t.Context()
		if err := Orders.Create(order("o1")).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		got := must[Order](t)(Orders.Update("o1",
			Orders.Ship.City.Set("Oslo"), Orders.Lines.At(0).Qty.Plus(2),
			Orders.Tags.Insert("gift", "new"), Orders.Note.SetIfAbsent("ring"), Orders.Total.Minus(attr.Dec("0.9"))).
			If(Orders.Lines.At(0).SKU.Equals("s1").Or(Orders.Note.Exists()), Orders.Total.Between(attr.Int(1), attr.Int(20))).
			New(ctx, db))
		if got.Ship != (Address{"Main Street", "Oslo"}) || fmt.Sprint(got.Lines) != "[{s1 3} {s2 5}]" ||
			!slices.Equal(got.Tags, []string{"gift", "new"}) || got.Note != "ring" || got.Total != attr.Int(19) || got.Version != 2 {
			t.Errorf("%+v", got)
		}
		got = must[Order](t)(Orders.Update("o1", Orders.Clause("SET lines[1].qty = lines[1].qty + ?, ship.street = ? REMOVE note DELETE tags ?",
			2, "Side Street", attr.TextSet("new"))).If(Orders.Where("lines[0].sku = ? AND attribute_exists(note) AND size(tags) = ?", "s1", 2)).New(ctx, db))
		if got.Ship.Street != "Side Street" || got.Lines[1].Qty != 7 || got.Note != "" || len(got.Tags) != 1 {
			t.Errorf("%+v", got)
		}
		taken := errors.New("not placed any more")
		err := Orders.Update("o1", Orders.Status.Set(Paid)).If(Orders.Status.Equals(Placed), Orders.Total.AtMost(attr.Int(1))).Else(taken).Run(ctx, db)
		isError(t, err, tablewright.ErrConditionFailed, taken)
		if it, ok := Orders.Refused(err); !ok || it.Status != Placed {
			t.Errorf("%v, %t", it, ok)
		}
		isError(t, Orders.Update("none", Orders.Note.Set("x")).Run(ctx, db), tablewright.ErrNotFound)
		made := must[Order](t)(Orders.Update("new", Orders.Note.Set("x"), Orders.Status.Set(Shipped)).Upsert().New(ctx, db))
		if made.ID != "new" || made.Note != "x" || made.Version != 1 {
			t.Errorf("upserted %+v", made)
		}
	})
}

// Index attributes that depend on what an update changes are computed anew, or refused when they cannot be.
func TestUpdateFollowsIndexes(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	if placed := must[Order](t)(Orders.Create(order("o1")).New(ctx, db)); placed.Version != 1 {
		t.Errorf("created %+v", placed)
	}
	openRefs := func() int {
		t.Helper()
		return len(must[[]OpenRef](t)(Orders.Open.Of(noon).Slice(ctx, db)))
	}
	if openRefs() != 1 {
		t.Fatal("a placed order is not in the index of open ones")
	}
	err := Orders.Update("o1", Orders.Status.Set(Paid)).Run(ctx, db)
	isError(t, err, tablewright.ErrInvalid)
	if err == nil || !strings.Contains(err.Error(), "placedAt is not known here") {
		t.Errorf("without placedAt: %v", err)
	}
	// It was placed, so it is in the index, and as a paid one it stays there.
	stored := must[Order](t)(Orders.Update("o1", Orders.Status.Set(Paid)).If(Orders.Status.Equals(Placed)).New(ctx, db))
	if openRefs() != 1 {
		t.Errorf("%d open", openRefs())
	}
	after := stored
	after.Status = Shipped
	stored = must[Order](t)(Orders.Patch(stored, after).New(ctx, db))
	if openRefs() != 0 || stored.Status != Shipped || stored.Version != 3 {
		t.Errorf("%d open, %v", openRefs(), stored)
	}
	if _, err := Orders.Update("o1", Orders.Status.Set(Paid), Orders.PlacedAt.Set(noon.AddDate(0, 0, 1))).New(ctx, db); err != nil {
		t.Fatal(err)
	}
	refs := must[[]OpenRef](t)(Orders.Open.Of(noon.AddDate(0, 0, 1)).Slice(ctx, db))
	if len(refs) != 1 || refs[0].ID != "o1" || !refs[0].PlacedAt.Equal(noon.AddDate(0, 0, 1)) {
		t.Errorf("%v", refs)
	}
	after.Note = "late"
	isError(t, Orders.Patch(stored, after).Run(ctx, db), tablewright.ErrStale)
	appended := must[Order](t)(Orders.Update("o1", Orders.Lines.Append(Line{"s9", 1}), Orders.Tags.Drop("x")).New(ctx, db))
	if len(appended.Lines) != 3 || appended.Lines[2].SKU != "s9" {
		t.Errorf("%v", appended.Lines)
	}
}

func TestPatchWithoutDifference(t *testing.T) {
	sent := 0
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{count(&sent)}}, Shop)
	before := sent
	o := order("o1")
	if got := must[Order](t)(Orders.Patch(o, o).New(t.Context(), db)); got.ID != "o1" || sent != before {
		t.Errorf("%v, %d requests", got, sent-before)
	}
	other := order("o2")
	isError(t, Orders.Patch(o, other).Run(t.Context(), db), tablewright.ErrInvalid)
}

func TestExpired(t *testing.T) {
	clock := newClock()
	db := open(t, tablewright.Options{Clock: clock}, Shop)
	o := order("o1")
	o.Draft = noon.Add(time.Hour)
	if err := Orders.Put(o).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	query := Orders.ByCustomer.Of("c1")
	if n := must[int](t)(query.Count(t.Context(), db)); n != 1 {
		t.Errorf("%d orders before the time", n)
	}
	clock.Sleep(t.Context(), 2*time.Hour)
	_, err := Orders.Get("o1").Run(t.Context(), db)
	isError(t, err, tablewright.ErrNotFound)
	if n := must[int](t)(query.Count(t.Context(), db)); n != 0 {
		t.Errorf("%d orders after the time", n)
	}
	if items := must[[]Order](t)(query.Slice(t.Context(), db)); len(items) != 0 {
		t.Errorf("%v", items)
	}
}

// What is wrong with a call is said before anything is sent.
func TestRefusedBeforeSending(t *testing.T) {
	sent := 0
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{count(&sent)}}, Shop)
	sent = 0
	ctx := t.Context()
	noCustomer := order("o1")
	noCustomer.Customer = ""
	late := order("o1")
	late.Note = strings.Repeat("x", 400<<10)
	for want, err := range map[string]error{
		"orderId is empty":             Orders.Put(Order{Status: Placed}).Run(ctx, db),
		"customerId of Order is empty": Orders.Put(noCustomer).Run(ctx, db),
		"at most 409600 can be stored": Orders.Put(late).Run(ctx, db),
		"has 3002 bytes":               Orders.Delete(OrderID(strings.Repeat("x", 3000))).Run(ctx, db),
		"one action per item":          tablewright.Transact(Orders.Put(order("o1")), Orders.Delete("o1")).Run(ctx, db),
		"1 to 100 actions":             tablewright.Transact().Run(ctx, db),
		"has a version":                tablewright.BatchOf(Orders.Put(order("o1"))).Run(ctx, db),
		"read consistently":            func() error { _, err := Orders.ByCustomer.Of("c1").Consistent().First(ctx, db); return err }(),
		"lower bound is above": func() error {
			_, err := Orders.ByCustomer.Of("c1").Is(Paid).Between(noon, noon.Add(-1e9)).First(ctx, db)
			return err
		}(),
		"part of the key: it cannot": func() error {
			_, err := Orders.ByCustomer.Of("c1").Filter(Orders.Status.Equals(Paid)).First(ctx, db)
			return err
		}(),
		"has no attribute nothing": func() error {
			_, err := Orders.ByCustomer.Of("c1").Filter(Orders.Where("nothing = ?", 1)).First(ctx, db)
			return err
		}(),
		"? at position 8 has no value": func() error {
			_, err := Orders.ByCustomer.Of("c1").Filter(Orders.Where("note = ?")).First(ctx, db)
			return err
		}(),
		"Syntax error":    Orders.Delete("o1").If(Orders.Where("note = = ?", 1)).Run(ctx, db),
		"the zero Change": Orders.Update("o1", tablewright.Change[Order]{}).Run(ctx, db),
	} {
		var batch *tablewright.BatchError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, tablewright.ErrInvalid) && !errors.As(err, &batch) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if sent != 0 {
		t.Errorf("%d requests were sent", sent)
	}
}
