package tablewright_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// A plan of a model, as package model reads it from a model file.
var paidOrders = plan.Plan{Name: "paidOrders", Steps: map[string]plan.Step{"q": {
	Query: "Shop.ByCustomer", Items: []string{"Order"}, Order: "descending", Filter: "total <= $most",
	Where: map[string]plan.Range{"customerId": {Is: "$customer"}, "status": {Is: "paid"}, "placedAt": {From: "$since"}},
}}}

type PaidOf struct {
	Customer CustomerID
	Since    time.Time
	Most     attr.Number
}

var PaidOrders = tablewright.FromPlan[PaidOf](Orders, paidOrders)

// A plan of a model is run as it is, and compared with what the code declares.
func ExampleFromPlan() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Paid, PlacedAt: noon, Total: attr.Int(5)}).Run(ctx, db)
	orders, err := PaidOrders.With(PaidOf{"c1", noon, attr.Int(10)}).Slice(ctx, db)
	fmt.Println(len(orders), err)
	own, _ := Shop.Pattern("ordersByStatus")
	for _, d := range own.Differs(paidOrders) {
		fmt.Println(d)
	}
	// Output:
	// 1 <nil>
	// where: declared {customerId: $customer, placedAt: from $since, status: paid}, found {customerId: $customer, placedAt: between $from and $to, status: $status}
	// filter: declared total <= $most, found none
}

func TestFromPlan(t *testing.T) {
	shop := tablewright.NewTable(Shop.Definition())
	type mine struct {
		tablewright.Entity[OrderID, Order]
		ByCustomer tablewright.Index2[Order, CustomerID, Status, time.Time]
	}
	orders := tablewright.Declare[mine](shop, plan.Item{Name: "Order", Key: m{"PK": "o#{orderId}", "SK": "o"},
		Set: map[string]plan.Template{"openDay": {Value: "{placedAt:day}"}}})
	tablewright.Declare[tablewright.Entity[ShipmentKey, Shipment]](shop, plan.Item{Name: "Shipment", Key: m{"PK": "o#{orderId}", "SK": "sh#{shipmentId}"}})
	step := plan.Step{Query: "Shop.ByCustomer", Items: []string{"Order"},
		Where: map[string]plan.Range{"customerId": {Is: "$customer"}, "status": {Is: "$status"}, "placedAt": {Between: []string{"$from", "$to"}}}}
	with := func(change func(s *plan.Step)) plan.Plan {
		s := step
		s.Where = map[string]plan.Range{}
		for k, v := range step.Where {
			s.Where[k] = v
		}
		change(&s)
		return plan.Plan{Name: "p", Steps: map[string]plan.Step{"q": s}}
	}
	same := func(*plan.Step) {}
	type of struct {
		Customer CustomerID
		Status   Status
		From, To time.Time
	}
	for want, declare := range map[string]func(){
		"only a plan of one query":     func() { tablewright.FromPlan[of](orders, plan.Plan{Name: "p"}) },
		"give the others to a Program": func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Each = "$x" })) },
		"of ByCustomer has none":       func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Scatter = "shard" })) },
		"which is no bucket of time":   func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Scatter = "placedAt" })) },
		"not table Shop": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Query = "Store.ByCustomer" }))
		},
		"has no index ByNothing": func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Query = "Shop.ByNothing" })) },
		"the partition attribute customerId": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { delete(s.Where, "customerId") }))
		},
		"but status before it is not": func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { delete(s.Where, "status") })) },
		"bound behind a range": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Where["status"] = plan.Range{Prefix: "$status"} }))
		},
		"note is no part of the key": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Where["note"] = plan.Range{Is: "'x'"} }))
		},
		"the parameter since": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Where["placedAt"] = plan.Range{From: "$since"} }))
		},
		"which it does not use": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Where["placedAt"] = plan.Range{From: "$from"} }))
		},
		"status is a part of the key": func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Filter = "status = paid" })) },
		"does not project": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Project = []string{"orderId"} }))
		},
		"was not declared": func() {
			tablewright.FromPlan[of](&tablewright.Entity[OrderID, Order]{}, with(same))
		},
		"it reads Shipment, not Order": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Items = []string{"Shipment"} }))
		},
		"no items called Cat": func() {
			tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Items = []string{"Order", "Cat"} }))
		},
		"order \"sideways\"": func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Order = "sideways" })) },
		"read consistently":  func() { tablewright.FromPlan[of](orders, with(func(s *plan.Step) { s.Consistent = true })) },
		"which it is compared, tablewright_test.S": func() {
			tablewright.FromPlan[struct {
				Customer CustomerID
				Status   int
				From, To time.Time
			}](orders, with(same))
		},
		"index Open does not project": func() {
			tablewright.FromPlan[struct{ Day time.Time }](orders, plan.Plan{Name: "p", Steps: map[string]plan.Step{"q": {
				Query: "Shop.Open", Where: map[string]plan.Range{"placedAt:day": {Is: "$day"}}}}})
		},
	} {
		if message := panicOf(declare); !strings.Contains(message, want) || !strings.Contains(message, "from_plan_test.go") {
			t.Errorf("%s: %s", want, message)
		}
	}
	p := with(func(s *plan.Step) {
		s.Filter = "total > 3 and (exists(note) or contains(tags, $tag)) and ship.city in ('Oslo', 'Rome') and not size(note) > 100"
		s.Order = "descending"
	})
	p.Name = "all"
	type all struct {
		Customer CustomerID
		Status   Status    `param:"optional"`
		From     time.Time `param:"optional"`
		To       time.Time `param:"optional"`
		Tag      string    `param:"optional"`
	}
	pattern := tablewright.FromPlan[all](orders, p)
	db := open(t, tablewright.Options{}, shop)
	ctx := t.Context()
	for i := range 12 {
		o := Order{ID: OrderID(fmt.Sprint("o", i)), Customer: "c1", Status: []Status{Placed, Paid}[i%2], PlacedAt: noon.Add(time.Duration(i) * time.Hour),
			Total: attr.Int(int64(i)), Ship: Address{"", []string{"Oslo", "Rome", "Wien"}[i%3]}}
		if i%4 > 0 {
			o.Tags = []string{"a", "b"}
		}
		if err := orders.Create(o).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	for want, params := range map[string]all{
		"o10 o6 o9 o7":    {Customer: "c1", Tag: "a"},
		"o9 o7":           {Customer: "c1", Status: Paid, Tag: "b"},
		"o9":              {Customer: "c1", Status: Paid, From: noon.Add(8 * time.Hour), Tag: "a"},
		"o7":              {Customer: "c1", Status: Paid, To: noon.Add(8 * time.Hour), Tag: "a"},
		"o10":             {Customer: "c1", Status: Placed, From: noon.Add(7 * time.Hour), To: noon.Add(20 * time.Hour), Tag: "a"},
		"o9 o7 ":          {Customer: "c1", Status: Paid, From: noon, To: noon.Add(20 * time.Hour), Tag: "a"},
		"":                {Customer: "c1", Status: Paid, Tag: "none"},
		"without the tag": {Customer: "c1", Status: Paid},
	} {
		got, err := pattern.With(params).Slice(ctx, db)
		if err != nil {
			t.Fatal(err)
		}
		if want == "without the tag" {
			want = "" // no order has a note
		}
		if fmt.Sprint(strings.Fields(ids(got))) != fmt.Sprint(strings.Fields(strings.ReplaceAll(want, "o", ""))) {
			t.Errorf("%+v: %s, want %s", params, ids(got), want)
		}
	}
	if _, err := pattern.With(all{Customer: "c1", From: noon}).Slice(ctx, db); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "status before it is not") {
		t.Errorf("a gap in a call: %v", err)
	}
	page := must[tablewright.Page[Order]](t)(pattern.With(all{Customer: "c1", Tag: "a"}).Page(ctx, db, 2))
	if _, err := pattern.With(all{Customer: "c2", Tag: "a"}).Resume(page.Next).Slice(ctx, db); !errors.Is(err, tablewright.ErrCursor) {
		t.Error(err)
	}
	info, ok := shop.Pattern("all")
	if !ok || info.Operation != "Query" || len(info.Parameters) != 5 {
		t.Errorf("%+v", info)
	}
	n := 0
	for it, err := range info.Run(ctx, db, map[string]attr.Value{"customer": attr.Text("c1"), "tag": attr.Text("a")}) {
		if err != nil || it.Get("customerId").Str() != "c1" {
			t.Errorf("%v, %v", it, err)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d items by name", n)
	}
}
