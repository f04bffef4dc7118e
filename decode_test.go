package tablewright_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// An item that does not go into its Go type is told with its table, kind, attribute and key, whichever call meets it, and
// without its values.
func TestDecodeErrors(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	if err := Orders.Put(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	key := attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("o#o1")}, attr.Field{Name: "SK", Value: attr.Text("o")})
	spoiled := must[attr.Item](t)(Shop.Raw().Get(key).Run(ctx, db))
	spoiled.Set("lines", attr.List(attr.Map(attr.ItemOf(attr.Field{Name: "qty", Value: attr.Text("secret")}))))
	var into Order
	for _, test := range []struct {
		name, where string
		done        bool
		run         func() error
	}{
		{"get", "GetItem Shop: ", false, func() error { _, err := Orders.Get("o1").Run(ctx, db); return err }},
		{"get all", "BatchGetItem Shop: ", false, func() error { _, err := Orders.GetAll([]OrderID{"o1"}).Run(ctx, db); return err }},
		{"snapshot", "TransactGetItems Shop: ", false, func() error { return tablewright.Snapshot(Orders.Get("o1").Into(&into)).Run(ctx, db) }},
		{"query", "Query Shop.ByCustomer: ", false, func() error { _, err := Orders.ByCustomer.Of("c1").Slice(ctx, db); return err }},
		{"page", "Query Shop.ByCustomer: ", false, func() error { _, err := Orders.ByCustomer.Of("c1").Page(ctx, db, 5); return err }},
		{"collect", "Query Shop: ", false, func() error { _, err := OrderPages.Of("o1").Run(ctx, db); return err }},
		{"named", "ordersInState: Query Shop.ByCustomer: ", false, func() error { _, err := OrdersInState.With(InState{Customer: "c1"}).Slice(ctx, db); return err }},
		{"scan", "Scan Shop: ", false, func() error {
			for _, err := range Orders.Scan().Intended().All(ctx, db) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"edit", "GetItem Shop: ", false, func() error { return Orders.Edit("o1", func(*Order) error { return nil }).Run(ctx, db) }},
		{"update", "UpdateItem Shop: ", true, func() error { _, err := Orders.Update("o1", Orders.Note.Set("x")).New(ctx, db); return err }},
		{"update, old", "UpdateItem Shop: ", true, func() error { _, err := Orders.Update("o1", Orders.Note.Set("x")).Old(ctx, db); return err }},
		{"put, old", "PutItem Shop: ", true, func() error { o := order("o1"); o.Version = 1; _, err := Orders.Put(o).Old(ctx, db); return err }},
		{"delete, old", "DeleteItem Shop: ", true, func() error { _, err := Orders.Delete("o1").Old(ctx, db); return err }},
	} {
		if err := Shop.Raw().Put(spoiled).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		err := test.run()
		var e *tablewright.DecodeError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if e.Entity != "Order" || e.Attribute != "lines[0].qty" || e.Key.Get("PK").Str() != "o#o1" || e.Key.Get("SK").Str() != "o" {
			t.Errorf("%s: %+v", test.name, e)
		}
		want := "tablewright: " + test.where
		if test.done {
			want += "the write was done: "
		}
		if text := err.Error(); !strings.HasPrefix(strings.NewReplacer("answer: ", "", "read 0: ", "").Replace(text), want+"an item of Order cannot be read: lines[0].qty: type S does not go into int (give the field") ||
			strings.Contains(text, "secret") {
			t.Errorf("%s: %s", test.name, text)
		}
		var where *tablewright.Error
		if !errors.As(err, &where) || where.Table != "Shop" {
			t.Errorf("%s: %+v", test.name, where)
		}
	}
}

// With OwnTexts no text of an item lies behind another in the same memory, whichever way it is read.
func TestOwnTexts(t *testing.T) {
	ctx := t.Context()
	const note, id = "a note of more than sixteen bytes", "an-order-of-more-than-sixteen"
	behind := func(a, b string) bool {
		follows := func(a, b string) bool {
			return uintptr(unsafe.Pointer(unsafe.StringData(a)))+uintptr(len(a)) == uintptr(unsafe.Pointer(unsafe.StringData(b)))
		}
		return follows(a, b) || follows(b, a)
	}
	for _, own := range []bool{false, true} {
		db := open(t, tablewright.Options{OwnTexts: own}, Shop)
		o := order(id)
		o.Note = note
		if err := Orders.Put(o).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
		var beside, untyped bool // one after the other, in one of some reads: a buffer may end between them
		for range 50 {
			got := must[Order](t)(Orders.Get(id).Run(ctx, db))
			if got.Note != note || got.ID != id {
				t.Fatalf("OwnTexts %v: read %q and %q", own, got.Note, got.ID)
			}
			beside = beside || behind(got.Note, string(got.ID))
			raw := must[attr.Item](t)(Shop.Raw().Get(attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("o#" + id)}, attr.Field{Name: "SK", Value: attr.Text("o")})).Run(ctx, db))
			var texts []string
			for name, v := range raw.All() {
				texts = append(texts, name)
				if v.Kind() == attr.KindS {
					texts = append(texts, v.Str())
				}
			}
			untyped = untyped || slices.ContainsFunc(texts, func(a string) bool {
				return slices.ContainsFunc(texts, func(b string) bool { return len(a) > 16 && behind(a, b) })
			})
		}
		if beside == own || untyped == own {
			t.Errorf("OwnTexts %v: texts of an entity's item next to each other: %v; texts of an untyped item: %v", own, beside, untyped)
		}
	}
}
