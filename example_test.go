package tablewright_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

// inMemory is a database for one example: an engine in the same process.
func inMemory(tables ...*tablewright.Table) (context.Context, *tablewright.DB) {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	for _, t := range tables {
		if err := t.CreateIn(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
	return ctx, db
}

// Book is the smallest beginning: no templates, no descriptors.
type Book struct {
	ISBN  string `ddb:"isbn"`
	Title string `ddb:"title"`
}

var BooksTable = tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "isbn"}})

var Books = tablewright.Declare[tablewright.Entity[string, Book]](BooksTable, plan.Item{Name: "Book"})

// The smallest program: one table, one type.
func Example() {
	ctx, db := inMemory(BooksTable) // or tablewright.Connect(ctx, tablewright.Options{})
	if err := Books.Put(Book{ISBN: "978-0", Title: "Dawn"}).Run(ctx, db); err != nil {
		log.Fatal(err)
	}
	book, err := Books.Get("978-0").Run(ctx, db)
	fmt.Println(book.Title, err)
	_, err = Books.Get("978-1").Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrNotFound))
	// Output:
	// Dawn <nil>
	// true
}

// Two kinds of items in one table: key and index attributes are computed, and what would be sent can be seen.
func ExampleDeclare() {
	ctx, db := inMemory(Shop)
	order := Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon, Total: attr.Dec("19.90")}
	stored, err := Orders.Create(order).New(ctx, db)
	fmt.Println(stored.Version, err)
	err = Orders.Create(order).Run(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrExists))
	request, _ := Orders.Get("o1").Request()
	fmt.Println(request.Operation, string(request.Body))
	// Output:
	// 1 <nil>
	// true
	// GetItem {"TableName":"Shop","Key":{"PK":{"S":"o#o1"},"SK":{"S":"o"}}}
}

// What a call consumed.
func ExampleDB_Measure() {
	ctx, db := inMemory(Shop)
	var used tablewright.Usage
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon}).Run(ctx, db.Measure(&used))
	_, err := Orders.Get("o1").Consistent().Run(ctx, db.Measure(&used))
	fmt.Println(used.Read, used.Write, used.Requests, err)
	fmt.Println(used.Arms["Shop"].Write, used.Arms["Shop.ByCustomer"].Write, used.Arms["Shop.Open"].Write)
	// Output:
	// 1 3 2 <nil>
	// 1 1 1
}

// An update on condition, and the item that refused it.
func ExampleUpdate() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon, Total: attr.Int(2_000)}).Run(ctx, db)
	_, err := Orders.Update("o1", Orders.Status.Set(Paid), Orders.Tags.Insert("paid")).
		If(Orders.Status.Equals(Placed), Orders.Total.AtMost(attr.Int(1_000))).
		New(ctx, db)
	if refused, ok := Orders.Refused(err); ok {
		fmt.Printf("order is %s over %v: %t\n", refused.Status, refused.Total, errors.Is(err, tablewright.ErrConditionFailed))
	}
	order, err := Orders.Update("o1", Orders.Ship.City.Set("Oslo"), Orders.Lines.Append(Line{"s1", 2})).
		If(Orders.Lines.Absent().Or(Orders.Note.Absent())).
		New(ctx, db)
	fmt.Println(err, order.Ship, order.Lines)
	// Output:
	// order is placed over 2000: true
	// <nil> { Oslo} [{s1 2}]
}

// The same as text, with placeholders for values.
func ExampleEntity_Clause() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon, Lines: []Line{{"s1", 1}}}).Run(ctx, db)
	order, err := Orders.Update("o1", Orders.Clause("SET lines[0].qty = lines[0].qty + ?, ship.city = ?", 2, "Oslo")).
		If(Orders.Where("lines[0].sku = ? OR attribute_not_exists(note)", "s1")).
		New(ctx, db)
	fmt.Println(order.Lines, order.Ship.City, err)
	// Output: [{s1 3}] Oslo <nil>
}

// An index of several sort attributes: a prefix of equalities, a range on the next, newest first; pages by cursor.
func ExampleQuery_Page() {
	ctx, db := inMemory(Shop)
	for i, status := range []Status{Placed, Paid, Paid, Paid, Shipped} {
		_ = Orders.Create(Order{ID: OrderID(fmt.Sprint("o", i)), Customer: "c1", Status: status, PlacedAt: noon.Add(time.Duration(i) * time.Hour)}).Run(ctx, db)
	}
	paid := Orders.ByCustomer.Of("c1").Is(Paid).From(noon).Descending()
	var after tablewright.Cursor // from a request's parameter, say
	for {
		page, err := paid.Resume(after).Page(ctx, db, 2)
		if err != nil {
			log.Fatal(err)
		}
		for _, order := range page.Items {
			fmt.Print(order.ID, " ")
		}
		fmt.Println("more:", page.Next != "")
		if after = page.Next; after == "" {
			break
		}
	}
	_, err := Orders.ByCustomer.Of("c2").Resume("b3RoZXI").Page(ctx, db, 2)
	fmt.Println(errors.Is(err, tablewright.ErrCursor))
	// Output:
	// o3 o2 more: true
	// o1 more: false
	// true
}

// A smaller reading of the same items.
func ExampleViewOf() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Paid, PlacedAt: noon, Note: "long"}).Run(ctx, db)
	head, err := OrderHeads.Get("o1").Run(ctx, db)
	fmt.Println(head, err)
	// Output: {o1 paid} <nil>
}

// Registering a customer claims the e-mail address, or nothing happens; the reason arrives as the caller's error.
func ExampleTransact() {
	errEmailTaken := errors.New("e-mail address is taken")
	ctx, db := inMemory(Shop)
	register := func(c Customer) error {
		return tablewright.Transact(
			Customers.Create(c),
			Customers.EmailClaim.Claim(c).Else(errEmailTaken),
		).Run(ctx, db)
	}
	fmt.Println(register(Customer{ID: "c1", Email: "ada@example.org"}))
	err := register(Customer{ID: "c2", Email: "Ada@example.org"})
	fmt.Println(errors.Is(err, errEmailTaken), errors.Is(err, tablewright.ErrExists))
	var cancelled *tablewright.TxError
	if errors.As(err, &cancelled) {
		fmt.Println("because of action", cancelled.Reasons[0].Action)
	}
	// Output:
	// <nil>
	// true true
	// because of action 1
}

// Many items: an error unless everything is done.
func ExampleEntity_PutAll() {
	ctx, db := inMemory(Shop)
	all := []Customer{{ID: "c1", Name: "Ada"}, {ID: ""}, {ID: "c3", Name: "Eve"}}
	err := Customers.PutAll(slices.Values(all)).Parallel(8).Run(ctx, db)
	var part *tablewright.BatchError
	if errors.As(err, &part) {
		fmt.Println(part.Done, "stored, not", part.Failed[0].Index)
	}
	found, err := Customers.GetAll([]CustomerID{"c3", "c2"}).Run(ctx, db)
	fmt.Println(found[0].Item.Name, found[1].OK, err)
	// Output:
	// 2 stored, not 1
	// Eve false <nil>
}

// Optimistic locking: the version attribute does it.
func ExampleEntity_Patch() {
	ctx, db := inMemory(Shop)
	before, _ := Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon}).New(ctx, db)
	after := before
	after.Note = "ring twice"
	fmt.Println(Orders.Patch(before, after).Run(ctx, db))
	after.Note = "do not ring"
	err := Orders.Patch(before, after).Run(ctx, db)
	newer, _ := Orders.Refused(err)
	fmt.Println(errors.Is(err, tablewright.ErrStale), newer.Note, newer.Version)
	// Output:
	// <nil>
	// true ring twice 2
}

// Changes from an HTTP body, where absent, null and a value differ; If-Match becomes a condition.
func ExamplePartial() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon, Note: "ring", Ship: Address{"Main Street", "Oslo"}}).Run(ctx, db)
	var change OrderChange
	if err := json.Unmarshal([]byte(`{"note": null}`), &change); err != nil {
		log.Fatal(err)
	}
	order, err := Orders.Change.Patch("o1", change).If(Orders.Version.Equals(1)).New(ctx, db)
	fmt.Printf("%q %v %d %v\n", order.Note, order.Ship, order.Version, err)
	// Output: "" {Main Street Oslo} 2 <nil>
}

// Somebody else may be faster: the item is read, changed and written again until nobody was.
func ExampleEntity_Edit() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon}).Run(ctx, db)
	order, err := Orders.Edit("o1", func(o *Order) error {
		if o.Status != Placed {
			return errors.New("already paid")
		}
		o.Lines = append(o.Lines, Line{"s1", 1})
		return nil
	}).New(ctx, db)
	fmt.Println(order.Lines, order.Version, err)
	// Output: [{s1 1}] 2 <nil>
}

// A scan in parallel that can be interrupted.
func ExampleScan_Pages() {
	ctx, db := inMemory(Shop)
	for i := range 3 {
		_ = Customers.Put(Customer{ID: CustomerID(fmt.Sprint("c", i))}).Run(ctx, db)
	}
	n := 0
	var position tablewright.Cursor // kept between runs
	for page, err := range Customers.Scan().Intended().Parallel(2).Rate(200).Resume(position).Pages(ctx, db) {
		if err != nil {
			log.Fatal(err)
		}
		n += len(page.Items)
		position = page.Next
	}
	fmt.Println(n, position == "")
	// Output: 3 true
}
