package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// A parent and its children of other types in one query.
func ExampleNewCollection() {
	ctx, db := inMemory(Shop)
	err := tablewright.BatchOf(Invoices.Put(Invoice{"o1", "2026-7"}), Shipments.Put(Shipment{"o1", "s1", "post"}), Shipments.Put(Shipment{"o1", "s2", "sea"})).Run(ctx, db)
	if err == nil {
		err = Orders.Put(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon}).Run(ctx, db)
	}
	if err != nil {
		log.Fatal(err)
	}
	page, err := OrderPages.Of("o1").Run(ctx, db)
	fmt.Println(page.Order.Status, page.Invoice.No, len(page.Shipments), err)
	for item, err := range OrderPages.Of("o1").Items(ctx, db) {
		switch it := item.(type) {
		case Order:
			fmt.Println("order", it.ID)
		case Shipment:
			fmt.Println("shipment by", it.Carrier)
		case nil:
			log.Fatal(err)
		}
	}
	// Output:
	// placed 2026-7 2 <nil>
	// order o1
	// shipment by post
	// shipment by sea
}

func TestCollection(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	_, err := OrderPages.Of("o1").Run(ctx, db)
	isError(t, err, tablewright.ErrNotFound)
	if err := Orders.Put(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	page := must[OrderPage](t)(OrderPages.Of("o1").Consistent().Run(ctx, db))
	if page.Order.ID != "o1" || page.Invoice != nil || page.Shipments != nil || page.Rest != nil {
		t.Errorf("%+v", page)
	}
	// A kind that nobody declared is kept.
	strange := Shop.Raw()
	if err := strange.Put(item("PK", "o#o1", "SK", "z#1", "text", "kept")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	page = must[OrderPage](t)(OrderPages.Of("o1").Run(ctx, db))
	if len(page.Rest) != 1 || page.Rest[0].Get("text").Str() != "kept" {
		t.Errorf("%v", page.Rest)
	}
	panics := func(want string, f func()) {
		t.Helper()
		defer func() {
			if m := fmt.Sprint(recover()); !strings.Contains(m, "collect_test.go:") || !strings.Contains(m, want) {
				t.Errorf("%s: %s", want, m)
			}
		}()
		f()
	}
	panics("has no entity of type int", func() { tablewright.NewCollection[struct{ N int }](Orders.Everything) })
	panics("is built otherwise", func() { tablewright.NewCollection[struct{ C []Customer }](Orders.Everything) })
}

func TestTransform(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	fillOrders(t, db)
	ctx := t.Context()
	type row struct{ text string }
	rows := tablewright.Transform(Orders.ByCustomer.Of("c1").Is(Paid).Query, func(o Order) (row, error) {
		if o.ID == "o28" {
			return row{}, errors.New("not this one")
		}
		return row{string(o.ID) + " " + o.Total.String()}, nil
	})
	page := must[tablewright.Page[row]](t)(rows.Page(ctx, db, 2))
	if fmt.Sprint(page.Items) != "[{o04 4} {o10 10}]" {
		t.Errorf("%v", page.Items)
	}
	page = must[tablewright.Page[row]](t)(rows.Resume(page.Next).Page(ctx, db, 2))
	if fmt.Sprint(page.Items) != "[{o16 16} {o22 22}]" {
		t.Errorf("%v", page.Items)
	}
	length := tablewright.Transform(rows, func(r row) (int, error) { return len(r.text), nil })
	if n := must[int](t)(length.First(ctx, db)); n != 5 {
		t.Errorf("%d", n)
	}
	if _, err := rows.Slice(ctx, db); err == nil || !strings.Contains(err.Error(), "not this one") {
		t.Error(err)
	}
}

// The untyped way in.
func TestRaw(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := context.WithoutCancel(t.Context())
	raw := Shop.Raw()
	if err := Orders.Put(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	key := item("PK", "o#o1", "SK", "o")
	got := must[attr.Item](t)(raw.Get(key).Run(ctx, db))
	if got.Get("openDay").Str() != "2026-11-21" || got.Get("orderId").Str() != "o1" {
		t.Errorf("%s", attr.AppendItem(nil, got))
	}
	got.Set("note", attr.Text("by hand"))
	if err := raw.Put(got).If(raw.Where("version = ?", 1)).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := raw.Update(key, raw.Clause("SET note = ?", "again")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if o := must[Order](t)(Orders.Get("o1").Run(ctx, db)); o.Note != "again" {
		t.Errorf("%v", o)
	}
	isError(t, raw.Create(got).Run(ctx, db), tablewright.ErrExists)
	n := 0
	for range raw.Scan().Intended().All(ctx, db) {
		n++
	}
	if n != 1 {
		t.Errorf("%d items", n)
	}
	if err := raw.Delete(key).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	isError(t, raw.Delete(item("PK", "x")).Run(ctx, db), tablewright.ErrInvalid)
}
