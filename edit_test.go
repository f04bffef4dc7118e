package tablewright_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// Ten edits of one item at once: none is lost.
func TestEdit(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	if err := Orders.Create(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	patient := db.WithRetry(tablewright.Retry{Attempts: 100, Budget: 1e12})
	var wait sync.WaitGroup
	for i := range 10 {
		wait.Go(func() {
			_, err := Orders.Edit("o1", func(o *Order) error {
				o.Lines[0].Qty++ // in place: before and after share nothing
				o.Lines = append(o.Lines, Line{fmt.Sprint("e", i), 1})
				return nil
			}).New(ctx, patient)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	got := must[Order](t)(Orders.Get("o1").Run(ctx, db))
	if got.Lines[0].Qty != 11 || len(got.Lines) != 12 || got.Version != 11 {
		t.Errorf("%v, version %d", got.Lines, got.Version)
	}
	no := errors.New("already paid")
	isError(t, Orders.Edit("o1", func(*Order) error { return no }).Run(ctx, db), no)
	isError(t, Orders.Edit("none", func(*Order) error { return nil }).Run(ctx, db), tablewright.ErrNotFound)
	isError(t, Customers.Edit("c1", func(*Customer) error { return nil }).Run(ctx, db), tablewright.ErrInvalid)
}

func TestMove(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	before := must[Order](t)(Orders.Create(order("o1")).New(ctx, db))
	after := before
	after.ID = "o2"
	if err := Orders.Move(before, after).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if _, err := Orders.Get("o1").Run(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
		t.Error(err)
	}
	if got := must[Order](t)(Orders.Get("o2").Run(ctx, db)); got.Version != 2 {
		t.Errorf("%v", got)
	}
	isError(t, Orders.Move(before, after).Run(ctx, db), tablewright.ErrCancelled, tablewright.ErrStale, tablewright.ErrExists)
	s := Shipment{"o1", "a", "post"}
	isError(t, Shipments.Move(s, Shipment{"o2", "a", "post"}).Run(ctx, db), tablewright.ErrNotFound)
}

// grade is stored by its own method, which refuses what is not to be stored.
type grade int

func (g grade) MarshalValue() (attr.Value, error) {
	if g < 0 {
		return attr.Value{}, errors.New("no grade yet")
	}
	return attr.Num(attr.Int(int64(g))), nil
}

func (g *grade) UnmarshalValue(v attr.Value) error { *g = grade(v.Number().Float64()); return nil }

type exam struct {
	ID      string `ddb:"id"`
	Grade   grade  `ddb:"grade"`
	Version int    `ddb:"version,version"`
}

// What cannot be stored of the item that is moved away does not make the removal unconditional.
func TestMoveKeepsItsCondition(t *testing.T) {
	exams := tablewright.Declare[tablewright.Entity[string, exam]](
		tablewright.NewTable(plan.Table{Name: "Exams", Key: plan.Key{Partition: "id"}}), plan.Item{Name: "Exam"})
	request, err := exams.Move(exam{"a", -1, 7}, exam{"b", 2, 7}).Request()
	if body := string(request.Body); err != nil || !strings.Contains(body, `"Delete":{"TableName":"Exams","Key":{"id":{"S":"a"}},"ConditionExpression":"#0 = :0"`) ||
		!strings.Contains(body, `{":0":{"N":"7"}}`) {
		t.Errorf("%s, %v", body, err)
	}
	if _, err := exams.Move(exam{"a", 1, 7}, exam{"b", -1, 7}).Request(); err == nil || !strings.Contains(err.Error(), "no grade yet") {
		t.Error(err)
	}
}

func TestUnique(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	register := func(c Customer) error {
		return tablewright.Transact(Customers.Create(c), Customers.EmailClaim.Claim(c)).Run(ctx, db)
	}
	ada := Customer{ID: "c1", Email: "ada@example.org"}
	for _, c := range []Customer{ada, {ID: "c2", Email: "eve@example.org"}} {
		if err := register(c); err != nil {
			t.Fatal(err)
		}
	}
	change := func(before Customer, email string) error {
		after := before
		after.Email = email
		return tablewright.Transact(Customers.Patch(before, after), Customers.EmailClaim.Change(before, after)).Run(ctx, db)
	}
	err := change(ada, "EVE@example.org")
	isError(t, err, tablewright.ErrExists)
	if c, ok := Customers.Refused(err); ok {
		t.Errorf("a marker was taken for %v", c)
	}
	if err := change(ada, "Ada@Example.org"); err != nil { // the same marker
		t.Error(err)
	}
	ada.Email = "Ada@Example.org"
	if err := change(ada, "ada@example.com"); err != nil {
		t.Error(err)
	}
	if err := register(Customer{ID: "c3", Email: "ada@example.org"}); err != nil {
		t.Errorf("a released address is not free: %v", err)
	}
	// What somebody else has meanwhile is not released.
	isError(t, change(ada, "x@example.org"), tablewright.ErrConditionFailed)
	c3 := Customer{ID: "c3", Email: "ada@example.org"}
	if err := tablewright.Transact(Customers.Delete("c3"), Customers.EmailClaim.Release(c3)).Run(ctx, db); err != nil {
		t.Error(err)
	}
	n := 0
	for range Customers.Scan().Intended().All(ctx, db) {
		n++
	}
	if n != 2 {
		t.Errorf("%d customers: markers are none", n)
	}
}

// What is unique may be computed when the item is written: the claim is of that value.
func TestUniqueComputed(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Members", Key: plan.Key{Partition: "PK"}, Items: map[string]plan.Item{
		"MemberHandle": {Holds: plan.Holds{Unique: "Member.handle"}, Key: map[string]string{"PK": "handle#{handle}"}}}})
	type members struct {
		tablewright.Entity[string, member]
		HandleClaim tablewright.Unique[member, string]
	}
	of := tablewright.Declare[members](table, plan.Item{Name: "Member", Key: map[string]string{"PK": "m#{id}"}})
	db := open(t, tablewright.Options{}, table)
	ann, other := member{ID: "1", Name: "Ann"}, member{ID: "2", Name: "ANN"}
	join := func(m member) error {
		return tablewright.Transact(of.Create(m), of.HandleClaim.Claim(m)).Run(t.Context(), db)
	}
	if err := join(ann); err != nil {
		t.Fatal(err)
	}
	isError(t, join(other), tablewright.ErrExists)
	if err := tablewright.Transact(of.Delete("1"), of.HandleClaim.Release(ann)).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := join(other); err != nil {
		t.Error(err)
	}
}

type member struct {
	ID     string `ddb:"id"`
	Name   string `ddb:"name"`
	Handle string `ddb:"handle,omitzero" check:"computed=Lower"`
}

// Lower computes the handle.
func (m member) Lower() string { return strings.ToLower(m.Name) }
