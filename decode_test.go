package tablewright_test

import (
	"errors"
	"strings"
	"testing"

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
		if text := err.Error(); !strings.HasPrefix(strings.Replace(text, "answer: ", "", 1), want+"an item of Order cannot be read: lines[0].qty: type S does not go into int (give the field") ||
			strings.Contains(text, "secret") {
			t.Errorf("%s: %s", test.name, text)
		}
		var where *tablewright.Error
		if !errors.As(err, &where) || where.Table != "Shop" {
			t.Errorf("%s: %+v", test.name, where)
		}
	}
}
