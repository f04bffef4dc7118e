package tablewrighttest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/tablewrighttest"
)

var errPaidBefore = errors.New("paid before")

// pay is what is tested.
func pay(ctx context.Context, db *tablewright.DB, id string) error {
	_, err := Orders.Edit(id, func(o *Order) error {
		if o.Status == "paid" {
			return errPaidBefore
		}
		o.Status = "paid"
		return nil
	}).New(ctx, db)
	return err
}

// A test of one's own: items from a file, the program on an engine, and what has come of it.
func Example() {
	t := new(watched) // in a test: *testing.T
	defer t.end()
	kit := tablewrighttest.Start(t, Shop)
	kit.Load(t, "testdata/one.yaml")
	fmt.Println(pay(t.Context(), kit.DB, "o1"))
	fmt.Println(pay(t.Context(), kit.DB, "o1"))
	o := tablewrighttest.Has(t, kit, Orders, "o1")
	fmt.Println(o.Status, o.Version)
	kit.NoScans(t)
	reads := kit.Count(tablewrighttest.Calls{Operation: "GetItem"})
	fmt.Println(reads.Requests, "reads of", reads.Read, "units")
	// Output:
	// <nil>
	// paid before
	// paid 2
	// 2 reads of 2 units
}

// An answer that is lost: the write was done, or it was not.
func ExampleKit_Inject() {
	t := new(watched) // in a test: *testing.T
	defer t.end()
	kit := tablewrighttest.Start(t, Shop)
	kit.Load(t, "testdata/one.yaml")
	kit.Inject(tablewrighttest.Fault{Operation: "UpdateItem", Times: 1, DropAnswer: true})
	err := Customers.Update("c1", Customers.Name.Set("Eve")).If(Customers.Name.Equals("Ada")).Run(t.Context(), kit.DB)
	fmt.Println(errors.Is(err, tablewright.ErrUnknownOutcome))
	fmt.Println(tablewrighttest.Has(t, kit, Customers, "c1").Name)
	// Output:
	// true
	// Eve
}

// Answers that a test makes up.
func ExampleScript() {
	t := new(watched) // in a test: *testing.T
	defer t.end()
	script := tablewrighttest.NewScript(t)
	script.Expect("GetItem").With(`{"Key":{"isbn":{"S":"978-0"}}}`).Answer(`{"Item":{"isbn":{"S":"978-0"},"title":{"S":"Dawn"}}}`)
	db := tablewright.New(script, tablewright.Options{})
	book, err := Books.Get("978-0").Run(t.Context(), db)
	fmt.Println(book.Title, err)
	// Output: Dawn <nil>
}

// TestPay is a whole test.
func TestPay(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.StartWith(t, tablewrighttest.Options{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}, Shop)
	kit.Load(t, "testdata/one.yaml")
	if err := pay(t.Context(), kit.DB, "o1"); err != nil {
		t.Fatal(err)
	}
	kit.Clock.Advance(time.Minute)
	if err := pay(t.Context(), kit.DB, "o1"); !errors.Is(err, errPaidBefore) {
		t.Error(err)
	}
	kit.Golden(t, "testdata/paid.golden")
	kit.NoScans(t)
	kit.Expect(t, tablewrighttest.Calls{Operation: "GetItem"}, tablewrighttest.Count{Requests: 2, Items: 2, Read: 2})
}
