package tablewright_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// What patterns look like as plans: where each parameter goes, which kinds of items are read.
func TestPatternPlans(t *testing.T) {
	for name, want := range map[string]plan.Step{
		"ordersByStatus": {Query: "Shop.ByCustomer", Items: []string{"Order"}, Order: "descending",
			Where: map[string]plan.Range{"customerId": {Is: "$customer"}, "status": {Is: "$status"}, "placedAt": {Between: []string{"$from", "$to"}}}},
		"ordersInState": {Query: "Shop.ByCustomer", Items: []string{"Order"},
			Where: map[string]plan.Range{"customerId": {Is: "$customer"}, "status": {Is: "$status"}, "placedAt": {From: "$since"}}},
		"orderDetails": {Query: "Shop", Items: []string{"Order", "Shipment", "Invoice"}, Consistent: true,
			Where: map[string]plan.Range{"orderId": {Is: "$orderId"}}},
		"payOrder": {Update: "Order", Key: map[string]string{"orderId": "$orderId"}, Set: map[string]string{"status": "'paid'"},
			If: []string{"present", "status = 'placed'"}},
		"register": {Transact: []plan.Step{{Put: "Customer", If: []string{"absent"}}, {Put: "CustomerEmail", If: []string{"absent"}}}},
	} {
		info, ok := Shop.Pattern(name)
		if !ok {
			t.Fatal(name)
		}
		for _, got := range info.Plan.Steps {
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Errorf("%s:\n%+v, want\n%+v", name, got, want)
			}
		}
		if d := info.Differs(plan.Plan{Steps: map[string]plan.Step{"x": want}}); len(d) > 0 {
			t.Errorf("%s differs from itself: %v", name, d)
		}
	}
	byStatus, _ := Shop.Pattern("ordersByStatus")
	other := plan.Step{Query: "Shop.ByCustomer", Items: []string{"Order"}, Order: "ascending",
		Where: map[string]plan.Range{"customerId": {Is: "$customer"}, "status": {Is: "$status"}, "placedAt": {From: "$from"}}}
	want := "[where: declared {customerId: $customer, placedAt: from $from, status: $status}, found {customerId: $customer, placedAt: between $from and $to, " +
		"status: $status} order: declared none, found descending]"
	if d := byStatus.Differs(plan.Plan{Steps: map[string]plan.Step{"q": other}}); fmt.Sprint(d) != want {
		t.Errorf("differs in %v", d)
	}
	if d := byStatus.Differs(plan.Plan{Steps: map[string]plan.Step{"a": other, "b": other}}); len(d) != 1 {
		t.Error(d)
	}
}

// Every change and condition has its words.
func TestPatternWords(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Words", Key: plan.Key{Partition: "orderId"}})
	type words struct {
		tablewright.Entity[OrderID, Order]
		Status tablewright.Text[Order, Status]
		Total  tablewright.Number[Order, attr.Number]
		Note   tablewright.Text[Order, string]
		Tags   tablewright.Set[Order, string]
		Lines  tablewright.List[Order, Line, lineOf[Order]]
		Draft  tablewright.Time[Order]
	}
	w := tablewright.Declare[words](table, plan.Item{Name: "Order"})
	type params struct {
		ID    OrderID
		Note  string
		Total attr.Number
		Line  Line
		Until time.Time
	}
	tablewright.NewPattern(table, "all", func(p params) tablewright.Update[Order] {
		return w.Update(p.ID, w.Note.SetIfAbsent(p.Note), w.Total.Plus(p.Total), w.Tags.Insert("a", "b"), w.Lines.Append(p.Line), w.Draft.Set(p.Until), w.Status.Remove()).
			If(w.Total.Between(attr.Int(1), p.Total), w.Note.Absent().Or(w.Note.BeginsWith(p.Note)), w.Note.Size().AtMost(9), w.Status.In(Paid, Placed).Not(),
				w.Where("begins_with(note, ?)", "x"))
	})
	info, _ := table.Pattern("all")
	got := fmt.Sprintf("%+v", info.Plan.Steps["write"])
	want := plan.Step{Update: "Order", Key: map[string]string{"orderId": "$id"},
		Set: map[string]string{"note": "if_missing(note, $note)", "total": "total + $total", "lines": "append(lines, $computed)", "draftUntil": "$until"},
		Add: map[string]string{"tags": "$computed"}, Remove: []string{"status"},
		If: []string{"present", "total between 1 and $total", "absent(note) or begins_with(note, $note)", "size(note) <= 9", "not status in ('paid', 'placed')",
			"begins_with(note, :0)"}}
	if got != fmt.Sprintf("%+v", want) {
		t.Errorf("%s, want\n%+v", got, want)
	}
}
