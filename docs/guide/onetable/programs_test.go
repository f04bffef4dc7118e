package onetable

import (
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/docs/internal/local"
)

func Example_templates() {
	ctx, db := open()
	order := Order{ID: "1001", Customer: "c1", Status: Paid, PlacedAt: local.Noon, Total: attr.Dec("39.80")}
	fmt.Println(Orders.Create(order).Run(ctx, db))

	order, err := Orders.Get("1001").Run(ctx, db)
	fmt.Println(order.Status, order.Total, err)

	raw, _ := Shop.Raw().Get(attr.ItemOf(attr.Field{Name: "PK", Value: attr.Text("o#1001")}, attr.Field{Name: "SK", Value: attr.Text("o")})).Run(ctx, db)
	for name, value := range raw.All() {
		fmt.Printf("%-14s %v\n", name, value)
	}
	// Output:
	// <nil>
	// paid 39.8 <nil>
	// PK             {"S":"o#1001"}
	// SK             {"S":"o"}
	// customerId     {"S":"c1"}
	// orderId        {"S":"1001"}
	// placedAt       {"S":"2026-11-21T12:00:00.000Z"}
	// status         {"S":"paid"}
	// toShip         {"S":"2026-11-21"}
	// total          {"N":"39.8"}
	// version        {"N":"1"}
}

func Example_collection() {
	ctx, db := open()
	err := tablewright.Transact(
		Orders.Create(Order{ID: "1001", Customer: "c1", Status: Paid, PlacedAt: local.Noon, Total: attr.Dec("39.80")}),
		Lines.Create(Line{Order: "1001", No: 1, SKU: "lamp", Qty: 2, Price: attr.Dec("9.90")}),
		Lines.Create(Line{Order: "1001", No: 2, SKU: "chair", Qty: 1, Price: attr.Dec("20")}),
		Shipments.Create(Shipment{Order: "1001", ID: "s1", Carrier: "DHL"}),
	).Run(ctx, db)
	if err != nil {
		log.Fatal(err)
	}

	var used tablewright.Usage
	page, err := OrderPages.Of("1001").Run(ctx, db.Measure(&used))
	fmt.Println(page.Order.Total, len(page.Lines), page.Shipments[0].Carrier, err)
	fmt.Println(used.Requests, "request,", used.Read, "read units,", used.Returned, "items")

	for item, err := range OrderPages.Of("1001").Items(ctx, db) {
		switch item := item.(type) {
		case Line:
			fmt.Println("line", item.No, item.SKU, err)
		case Shipment:
			fmt.Println("by", item.Carrier, err)
		}
	}
	lines, err := Lines.OfOrder.Of("1001").From(2).Slice(ctx, db) // one kind of them alone
	fmt.Println(len(lines), err)
	// Output:
	// 39.8 2 DHL <nil>
	// 1 request, 0.5 read units, 4 items
	// line 1 lamp <nil>
	// line 2 chair <nil>
	// by DHL <nil>
	// 1 <nil>
}

func Example_sparse() {
	ctx, db := open()
	for i, status := range []Status{Placed, Paid, Paid, Shipped} {
		_ = Orders.Create(Order{ID: fmt.Sprint(1001 + i), Customer: "c1", Status: status, PlacedAt: local.Noon}).Run(ctx, db)
	}
	ship := func() {
		waiting, err := Orders.ToShip.Of(local.Noon).Slice(ctx, db)
		fmt.Print(len(waiting), " to ship:")
		for _, ref := range waiting {
			fmt.Print(" ", ref.ID)
		}
		fmt.Println("; error:", err)
	}
	ship()

	o, _ := Orders.Get("1002").Run(ctx, db)
	shipped := o
	shipped.Status = Shipped
	var used tablewright.Usage
	fmt.Println(Orders.Patch(o, shipped).If(Orders.Status.Equals(Paid)).Run(ctx, db.Measure(&used)))
	fmt.Println(used.Arms["Shop"].Write, used.Arms["Shop.ByCustomer"].Write, used.Arms["Shop.ToShip"].Write)
	ship()
	// Output:
	// 2 to ship: 1002 1003; error: <nil>
	// <nil>
	// 1 1 1
	// 1 to ship: 1003; error: <nil>
}

//page:begin writes

var (
	errEmailTaken = errors.New("e-mail address is taken")
	errNoCustomer = errors.New("no such customer")
	errNotPlaced  = errors.New("order is not waiting for its payment")
)

func register(c Customer) tablewright.Tx {
	return tablewright.Transact(
		Customers.Create(c),
		Customers.EmailClaim.Claim(c).Else(errEmailTaken),
	)
}

func place(o Order, all ...Line) tablewright.Tx {
	writes := []tablewright.TxWrite{Orders.Create(o), Customers.Check(o.Customer).Else(errNoCustomer)}
	for _, l := range all {
		writes = append(writes, Lines.Create(l))
	}
	return tablewright.Transact(writes...)
}

func pay(id string) tablewright.Edit[Order] {
	return Orders.Edit(id, func(o *Order) error {
		if o.Status != Placed {
			return errNotPlaced
		}
		o.Status = Paid
		return nil
	})
}

//page:end writes

//page:begin patterns

var (
	GetCustomer = tablewright.NewPattern(Shop, "getCustomer", func(customer string) tablewright.Get[Customer] {
		return Customers.Get(customer)
	})
	GetOrderPage = tablewright.NewPattern(Shop, "getOrderPage", func(order string) tablewright.Collect[OrderPage] {
		return OrderPages.Of(order)
	})
	OrdersOfCustomer = tablewright.NewPattern(Shop, "ordersOfCustomer", func(customer string) tablewright.Query[Order] {
		return Orders.ByCustomer.Of(customer).Descending()
	})
	OrdersToShip = tablewright.NewPattern(Shop, "ordersToShip", func(day time.Time) tablewright.Query[OrderRef] {
		return Orders.ToShip.Of(day).Query
	})
)

//page:end patterns

func Example_whole() {
	ctx, db := open()
	step := func(name string, run func(db *tablewright.DB) error) {
		var used tablewright.Usage
		err := run(db.Measure(&used))
		fmt.Printf("%-12s read %v, write %v", name, used.Read, used.Write)
		if err != nil {
			fmt.Printf(", refused: %t %t", errors.Is(err, errEmailTaken), errors.Is(err, errNotPlaced))
		}
		fmt.Println()
	}
	step("register", func(db *tablewright.DB) error {
		return register(Customer{ID: "c1", Email: "ada@example.org"}).Run(ctx, db)
	})
	step("again", func(db *tablewright.DB) error {
		return register(Customer{ID: "c2", Email: "ADA@example.org"}).Run(ctx, db)
	})
	step("place", func(db *tablewright.DB) error {
		return place(
			Order{ID: "1001", Customer: "c1", Status: Placed, PlacedAt: local.Noon, Total: attr.Dec("29.90")},
			Line{Order: "1001", No: 1, SKU: "lamp", Qty: 1, Price: attr.Dec("9.90")},
			Line{Order: "1001", No: 2, SKU: "chair", Qty: 1, Price: attr.Dec("20")},
		).Run(ctx, db)
	})
	step("pay", func(db *tablewright.DB) error { return pay("1001").Run(ctx, db) })
	step("pay again", func(db *tablewright.DB) error { return pay("1001").Run(ctx, db) })
	step("to ship", func(db *tablewright.DB) error { _, err := OrdersToShip.With(local.Noon).Slice(ctx, db); return err })
	step("its page", func(db *tablewright.DB) error { _, err := GetOrderPage.With("1001").Run(ctx, db); return err })
	step("all of Ada's", func(db *tablewright.DB) error { _, err := OrdersOfCustomer.With("c1").Page(ctx, db, 20); return err })
	// Output:
	// register     read 0, write 4
	// again        read 0, write 0, refused: true false
	// place        read 0, write 9
	// pay          read 1, write 3
	// pay again    read 1, write 0, refused: false true
	// to ship      read 0.5, write 0
	// its page     read 0.5, write 0
	// all of Ada's read 0.5, write 0
}

func Example_list() {
	for p := range Shop.Patterns() {
		fmt.Printf("%s: %s of %q\n", p.Name, p.Operation, p.Index)
	}
	fmt.Println(Shop.Seal())
	// Output:
	// getCustomer: GetItem of ""
	// getOrderPage: Query of ""
	// ordersOfCustomer: Query of "ByCustomer"
	// ordersToShip: Query of "ToShip"
	// <nil>
}
