package tablewright_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// What Updated answers: the key and what was written, as the service has it, and nothing else.
func TestUpdated(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		note := func(s string) (c OrderChange) { c.Note = attr.Some(s); return c }
		before, after := order("o1"), order("o1")
		before.Version, after.Version, after.Ship.City = 1, 1, "Oslo"
		ship, line, lines := Address{City: "Oslo"}, []Line{{Qty: 7}}, []Line{{Qty: 4}}
		if strings.HasSuffix(t.Name(), "Local") { // answers the whole attribute, which AWS does not
			ship, line, lines = after.Ship, []Line{{"s1", 1}, {"s2", 7}}, []Line{{"s1", 4}, {"s2", 5}}
		}
		for _, c := range []struct {
			name   string
			update tablewright.Update[Order]
			want   Order
		}{
			{"one attribute", Orders.Update("o1", Orders.Total.Add(attr.Int(5))), Order{Total: attr.Dec("24.9"), Version: 2}},
			{"inside a map", Orders.Update("o1", Orders.Ship.City.Set("Oslo")), Order{Ship: ship, Version: 2}},
			{"inside a list", Orders.Update("o1", Orders.Lines.At(1).Qty.Plus(2)), Order{Lines: line, Version: 2}},
			{"a set", Orders.Update("o1", Orders.Tags.Insert("b")), Order{Tags: []string{"a", "b"}, Version: 2}},
			{"removed", Orders.Update("o1", Orders.Note.Remove()), Order{Version: 2}},
			{"an index follows", Orders.Update("o1", Orders.PlacedAt.Set(noon.Add(48*time.Hour)), Orders.Status.Set(Paid)),
				Order{PlacedAt: noon.Add(48 * time.Hour), Status: Paid, Version: 2}},
			{"text", Orders.Update("o1", Orders.Clause("SET note = ?, lines[0].qty = lines[0].qty + ?", "x", 3)), Order{Note: "x", Lines: lines, Version: 2}},
			{"a patch", Orders.Patch(before, after), Order{Ship: after.Ship, Version: 2}},
			{"a patch without a difference", Orders.Patch(before, before), Order{}},
			{"that and a condition", Orders.Patch(before, before).If(Orders.Status.Equals(Placed)), Order{Version: 2}},
			{"a partial", Orders.Change.Patch("o1", note("knock")), Order{Note: "knock", Version: 2}},
			{"a partial without a change", Orders.Change.Patch("o1", OrderChange{}), Order{}},
		} {
			o := order("o1")
			o.Note, o.Tags = "ring", []string{"a"}
			if err := Orders.Delete("o1").Run(t.Context(), db); err != nil {
				t.Fatal(err)
			}
			if err := Orders.Create(o).Run(t.Context(), db); err != nil {
				t.Fatal(err)
			}
			c.want.ID = "o1"
			if got := must[Order](t)(c.update.Updated(t.Context(), db)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		}
		for _, c := range []struct {
			name   string
			update tablewright.Update[Order]
			kind   error
		}{
			{"not there", Orders.Update("o9", Orders.Note.Set("x")), tablewright.ErrNotFound},
			{"refused", Orders.Update("o1", Orders.Note.Set("x")).If(Orders.Status.Equals(Shipped)), tablewright.ErrConditionFailed},
			{"stale", Orders.Patch(Order{ID: "o1", Version: 7}, Order{ID: "o1", Version: 7, Note: "x"}), tablewright.ErrStale},
			{"no key", Orders.Update("", Orders.Note.Set("x")), tablewright.ErrInvalid},
			{"zero", tablewright.Update[Order]{}, tablewright.ErrInvalid},
		} {
			got, err := c.update.Updated(t.Context(), db)
			isError(t, err, c.kind)
			if !reflect.DeepEqual(got, Order{}) {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
		// Created by the update: the key's attribute is written, too.
		if got := must[Order](t)(Orders.Update("o2", Orders.Note.Set("x")).Upsert().Updated(t.Context(), db)); !reflect.DeepEqual(got, Order{ID: "o2", Note: "x", Version: 1}) {
			t.Errorf("created: %+v", got)
		}
		// A key of two parts, and none of the type's.
		if err := Shipments.Put(Shipment{"o1", "s1", "post"}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if got := must[Shipment](t)(Shipments.Update(ShipmentKey{"o1", "s1"}, Shipments.Carrier.Set("rail")).Updated(t.Context(), db)); got != (Shipment{"o1", "s1", "rail"}) {
			t.Errorf("two parts: %+v", got)
		}
		raw := must[attr.Item](t)(Shop.Raw().Update(item("PK", "o#o1", "SK", "sh#s1"), Shop.Raw().Clause("SET carrier = ?", "sea")).Updated(t.Context(), db))
		if !attr.EqualItems(raw, item("PK", "o#o1", "SK", "sh#s1", "carrier", "sea")) {
			t.Errorf("raw: %v", raw)
		}
	})
}

// What lies between the type and the table stays out of Updated's answer: names from before, defaults, rules, and attributes that
// the key tells only in part.
func TestUpdatedOfOtherTypes(t *testing.T) {
	type place struct {
		Site string `ddb:"site"`
		Room string `ddb:"room"`
	}
	type visit struct {
		At    place     `ddb:"at"`
		Day   time.Time `ddb:"day,iso"`
		Lang  string    `ddb:"lang,omitzero" check:"enum=en|no,default=en"`
		Title string    `ddb:"t,was=title" check:"len=3..30"`
		Seen  time.Time `ddb:"seen,updated"`
		Count int       `ddb:"count,omitzero"`
	}
	type visitKey struct {
		Site, Room string
		Day        time.Time
	}
	type visits struct {
		tablewright.Entity[visitKey, visit]
		Title tablewright.Text[visit, string]
		Count tablewright.Number[visit, int]
	}
	table := tablewright.NewTable(plan.Table{Name: "Visits", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	declared := tablewright.Declare[visits](table, plan.Item{Key: map[string]string{"PK": "v#{at.site}#{at.room}", "SK": "{day:day}"}})
	db := open(t, tablewright.Options{}, table).CheckReads(func(b *tablewright.BrokenItem) error { return b })
	key := visitKey{"north", "12", noon}
	if err := declared.Put(visit{At: place{"north", "12"}, Day: noon, Lang: "no", Title: "Dawn"}).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	got := must[visit](t)(declared.Update(key, declared.Count.Add(3)).Updated(t.Context(), db))
	if want := (visit{At: place{"north", "12"}, Seen: noon, Count: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	got = must[visit](t)(declared.Update(key, declared.Title.Set("Dusk")).Updated(t.Context(), db))
	if want := (visit{At: place{"north", "12"}, Seen: noon, Title: "Dusk"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// An answer that does not go into the type says that the write was done.
func TestUpdatedUnreadable(t *testing.T) {
	db := canned(`{"Attributes":{"note":{"N":"1"}}}`)
	_, err := Orders.Update("o1", Orders.Note.Set("x")).Updated(t.Context(), db)
	if err == nil || !strings.Contains(err.Error(), "the write was done") || !strings.Contains(err.Error(), "note") {
		t.Error(err)
	}
	request := ""
	db = tablewright.New(tablewright.TransportFunc(func(_ context.Context, c *tablewright.Call) error {
		request = string(c.Request)
		return fmt.Errorf("enough")
	}), tablewright.Options{})
	_, _ = Orders.Update("o1", Orders.Note.Set("x")).Updated(t.Context(), db)
	if !strings.Contains(request, `"ReturnValues":"UPDATED_NEW"`) {
		t.Error(request)
	}
}
