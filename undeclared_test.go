package tablewright_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
)

// What was forgotten (to declare something, to make a DB, to leave out a nil) is said by the call: nothing panics in the
// middle of the package, and nothing is sent.
func TestForgotten(t *testing.T) {
	requests := 0
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{count(&requests)}}, Shop)
	requests = 0
	ctx := t.Context()
	var none orders
	var books tablewright.Entity[string, Book]
	var pages tablewright.Collection[OrderID, OrderPage]
	var claim tablewright.Unique[Customer, string]
	var nobody *tablewright.DB
	slice := func(q tablewright.Query[Order]) error { _, err := q.Slice(ctx, db); return err }
	type call struct {
		name string
		run  func() error
	}
	declare := "was not declared"
	for want, calls := range map[string][]call{
		declare: {
			{"put", func() error { return books.Put(Book{}).Run(ctx, db) }},
			{"put shown", func() error { _, err := books.Put(Book{}).Request(); return err }},
			{"get", func() error { _, err := books.Get("x").Run(ctx, db); return err }},
			{"get shown", func() error { _, err := books.Get("x").Request(); return err }},
			{"get all", func() error { _, err := books.GetAll([]string{"x"}).Run(ctx, db); return err }},
			{"create", func() error { return none.Create(order("x")).Run(ctx, db) }},
			{"update", func() error { return none.Update("x", none.Note.Set("y")).Run(ctx, db) }},
			{"patch", func() error { return none.Patch(order("x"), order("y")).Run(ctx, db) }},
			{"partial", func() error { return none.Change.Patch("x", OrderChange{}).Run(ctx, db) }},
			{"edit", func() error { return none.Edit("x", nil).Run(ctx, db) }},
			{"delete", func() error { return none.Delete("x").Run(ctx, db) }},
			{"check", func() error { return tablewright.Transact(none.Check("x")).Run(ctx, db) }},
			{"move", func() error { return none.Move(order("x"), order("y")).Run(ctx, db) }},
			{"claim", func() error { return tablewright.Transact(claim.Claim(Customer{})).Run(ctx, db) }},
			{"zero claim", func() error { return tablewright.Transact(tablewright.Claim{}).Run(ctx, db) }},
			{"put all", func() error { return books.PutAll(slices.Values([]Book{{}})).Run(ctx, db) }},
			{"delete all", func() error { return books.DeleteAll(slices.Values([]string{"x"})).Run(ctx, db) }},
			{"scan", func() error {
				for _, err := range books.Scan().All(ctx, db) {
					return err
				}
				return nil
			}},
			{"query", func() error { return slice(none.ByCustomer.Of("c").Is(Paid).From(noon)) }},
			{"query shown", func() error { _, err := none.ByCustomer.Of("c").Request(); return err }},
			{"zero query", func() error { return slice(tablewright.Query[Order]{}) }},
			{"prefix", func() error { return slice(tablewright.Prefix(none.ByCustomer.Of("c"), "p")) }},
			{"first", func() error { _, err := none.ByCustomer.Of("c").First(ctx, db); return err }},
			{"page", func() error { _, err := none.ByCustomer.Of("c").Page(ctx, db, 3); return err }},
			{"count", func() error { _, err := none.ByCustomer.Of("c").Count(ctx, db); return err }},
			{"collection", func() error { _, err := pages.Of("x").Run(ctx, db); return err }},
			{"condition", func() error { return Orders.Delete("x").If(none.Status.Equals(Paid)).Run(ctx, db) }},
			{"in", func() error { return Orders.Delete("x").If(none.Status.In(Paid)).Run(ctx, db) }},
			{"exists", func() error { return Orders.Delete("x").If(none.Status.Exists().Not()).Run(ctx, db) }},
			{"size", func() error { return Orders.Delete("x").If(none.Note.Size().AtMost(3)).Run(ctx, db) }},
			{"between", func() error { return Orders.Delete("x").If(none.Status.Between("a", "b")).Run(ctx, db) }},
			{"where", func() error { return Orders.Delete("x").If(none.Where("note = ?", "x")).Run(ctx, db) }},
			{"set", func() error { return Orders.Update("x", none.Note.Set("y")).Run(ctx, db) }},
			{"remove", func() error { return Orders.Update("x", none.Note.Remove()).Run(ctx, db) }},
			{"insert", func() error { return Orders.Update("x", none.Tags.Insert("y")).Run(ctx, db) }},
			{"element", func() error { return Orders.Update("x", none.Lines.At(3).Qty.Set(1)).Run(ctx, db) }},
			{"clause", func() error { return Orders.Update("x", none.Clause("SET note = ?", "y")).Run(ctx, db) }},
			{"filter", func() error { return slice(Orders.ByCustomer.Of("c").Filter(none.Note.Equals("x"))) }},
			{"zero get", func() error { _, err := tablewright.Get[Order]{}.Run(ctx, db); return err }},
			{"zero update", func() error { return tablewright.Update[Order]{}.Run(ctx, db) }},
			{"zero delete", func() error { return tablewright.Delete[Order]{}.Run(ctx, db) }},
			{"zero put", func() error { return tablewright.Put[Order]{}.Run(ctx, db) }},
			{"zero in a snapshot", func() error { return tablewright.Snapshot(tablewright.Get[Order]{}.Into(new(Order))).Run(ctx, db) }},
			{"zero in a batch", func() error {
				return tablewright.BatchOf(tablewright.Put[Order]{}, tablewright.Delete[Order]{}).Run(ctx, db)
			}},
		},
		"DB is nil or zero": {
			{"put", func() error { return Orders.Put(order("x")).Run(ctx, nobody) }},
			{"zero DB", func() error { return Orders.Put(order("x")).Run(ctx, &tablewright.DB{}) }},
			{"get", func() error { _, err := Orders.Get("x").Run(ctx, nobody); return err }},
			{"get all", func() error { _, err := Orders.GetAll([]OrderID{"x"}).Run(ctx, nobody); return err }},
			{"update", func() error { return Orders.Update("x", Orders.Note.Set("y")).Run(ctx, nobody) }},
			{"edit", func() error { return Orders.Edit("x", nil).Run(ctx, nobody) }},
			{"delete", func() error { return Orders.Delete("x").Run(ctx, nobody) }},
			{"query", func() error { _, err := Orders.ByCustomer.Of("c").Slice(ctx, nobody); return err }},
			{"collect", func() error { _, err := OrderPages.Of("c").Run(ctx, nobody); return err }},
			{"scan", func() error {
				for _, err := range Orders.Scan().All(ctx, nobody) {
					return err
				}
				return nil
			}},
			{"transaction", func() error { return tablewright.Transact(Orders.Put(order("x"))).Token("t").Run(ctx, nobody) }},
			{"snapshot", func() error { return tablewright.Snapshot(Orders.Get("x").Into(new(Order))).Run(ctx, nobody) }},
			{"batch", func() error { return Orders.DeleteAll(slices.Values([]OrderID{"x"})).Run(ctx, nobody) }},
			{"create table", func() error { return Shop.CreateIn(ctx, nobody) }},
		},
		"is nil: leave it out": {
			{"transaction", func() error { return tablewright.Transact(Orders.Put(order("x")), nil).Run(ctx, db) }},
			{"snapshot", func() error { return tablewright.Snapshot(nil).Run(ctx, db) }},
		},
		"a nil write: leave it out": {{"batch", func() error { return tablewright.BatchOf(nil).Run(ctx, db) }}},
		"Into was given nil":        {{"snapshot", func() error { return tablewright.Snapshot(Orders.Get("x").Into(nil)).Run(ctx, db) }}},
		"1 to 100 actions":          {{"transaction", func() error { return tablewright.Transact().Run(ctx, db) }}},
		"no Transport":              {{"nil transport", func() error { return Orders.Delete("x").Run(ctx, tablewright.New(nil, tablewright.Options{})) }}},
	} {
		for _, c := range calls {
			err := c.run()
			if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of what %s: %v", c.name, want, err)
			}
		}
	}
	if requests > 0 {
		t.Errorf("%d requests were sent", requests)
	}
	if pages := (tablewright.Pattern[string, tablewright.Get[Order]]{}); !strings.Contains(panicOf(func() { pages.With("x") }), "NewPattern") {
		t.Error("a pattern that was not declared does not say so")
	}
	if !strings.Contains(panicOf(func() { tablewright.Declare[tablewright.Entity[string, Book]](nil, plainItem("Book")) }), "the table is nil") {
		t.Error("a nil table")
	}
}

func panicOf(f func()) (message string) {
	defer func() {
		if p := recover(); p != nil {
			message, _ = p.(string)
		}
	}()
	f()
	return ""
}

// A context that has ended before the call sends nothing.
func TestEndedBefore(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Orders.Put(order("x")).Run(ctx, db); !errors.Is(err, context.Canceled) || errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Error(err)
	}
	if _, err := Orders.Get("x").Run(t.Context(), db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
}
