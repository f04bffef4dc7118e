package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

type OrdersOf struct {
	Customer CustomerID
	Status   Status
	From, To time.Time
}

var OrdersByStatus = tablewright.NewPattern(Shop, "ordersByStatus", func(p OrdersOf) tablewright.Query[Order] {
	return Orders.ByCustomer.Of(p.Customer).Is(p.Status).Between(p.From, p.To).Descending()
})

var PayOrder = tablewright.NewPattern(Shop, "payOrder", func(id OrderID) tablewright.Update[Order] {
	return Orders.Update(id, Orders.Status.Set(Paid)).If(Orders.Status.Equals(Placed))
})

// InState has optional parameters: as deep as the caller knows.
type InState struct {
	Customer CustomerID
	Status   Status    `param:"optional"`
	Since    time.Time `param:"since,optional"`
}

var OrdersInState = tablewright.NewPattern(Shop, "ordersInState", func(p InState) tablewright.Query[Order] {
	all := Orders.ByCustomer.Of(p.Customer)
	switch {
	case p.Status == "":
		return all.Query
	case p.Since.IsZero():
		return all.Is(p.Status).Query
	}
	return all.Is(p.Status).From(p.Since)
})

var OrderDetails = tablewright.NewPattern(Shop, "orderDetails", func(id OrderID) tablewright.Collect[OrderPage] {
	return OrderPages.Of(id).Consistent()
})

var Register = tablewright.NewPattern(Shop, "register", func(c Customer) tablewright.Tx {
	return tablewright.Transact(Customers.Create(c), Customers.EmailClaim.Claim(c))
})

// Access patterns with names: typed where they are called, listed and run by name for tools.
func ExampleNewPattern() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Placed, PlacedAt: noon}).Run(ctx, db)
	order, err := PayOrder.With("o1").New(ctx, db)
	fmt.Println(order.Status, err)
	for order, err := range OrdersByStatus.With(OrdersOf{Customer: "c1", Status: Paid, From: noon, To: noon}).All(ctx, db) {
		fmt.Println(order.ID, err)
	}
	for p := range Shop.Patterns() {
		fmt.Println(p.Name, p.Operation, p.Index, p.Parameters)
	}
	p, _ := Shop.Pattern("ordersInState")
	for item, err := range p.Run(ctx, db, map[string]attr.Value{"customer": attr.Text("c1"), "status": attr.Text("paid")}) {
		fmt.Println(item.Get("orderId").Str(), err)
	}
	// Output:
	// paid <nil>
	// o1 <nil>
	// orderDetails Query  [{orderId string false}]
	// ordersByStatus Query ByCustomer [{customer string false} {status string false} {from timestamp false} {to timestamp false}]
	// ordersInState Query ByCustomer [{customer string false} {status string true} {since timestamp true}]
	// paidOrders Query ByCustomer [{customer string false} {since timestamp false} {most number false}]
	// payOrder UpdateItem  [{orderId string false}]
	// register TransactWriteItems  [{id string false} {email string false} {name string false} {since timestamp false}]
	// o1 <nil>
}

func TestPattern(t *testing.T) {
	var names []string
	spy := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if c.Pattern != "" {
				names = append(names, c.Pattern+":"+c.Operation)
			}
			return next.Do(ctx, c)
		})
	}
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{spy}}, Shop)
	ctx := t.Context()
	if err := Register.With(Customer{ID: "c1", Email: "a@b"}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := Orders.Create(order("o1")).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if page := must[OrderPage](t)(OrderDetails.With("o1").Run(ctx, db)); page.Order.ID != "o1" {
		t.Error(page)
	}
	if n := must[int](t)(OrdersInState.With(InState{Customer: "c1"}).Count(ctx, db)); n != 1 {
		t.Error(n)
	}
	_, err := PayOrder.With("none").New(ctx, db)
	isError(t, err, tablewright.ErrNotFound)
	var e *tablewright.Error
	if !errors.As(err, &e) || e.Pattern != "payOrder" || !strings.Contains(err.Error(), "payOrder: UpdateItem Shop") {
		t.Errorf("%v", err)
	}
	if got := fmt.Sprint(names); got != "[register:TransactWriteItems orderDetails:Query ordersInState:Query payOrder:UpdateItem]" {
		t.Errorf("hooks saw %s", got)
	}
	pay, _ := Shop.Pattern("payOrder")
	for it, err := range pay.Run(ctx, db, map[string]attr.Value{"orderId": attr.Text("o1")}) {
		if err != nil || it.Get("status").Str() != "paid" {
			t.Errorf("%v, %v", it, err)
		}
	}
	details, _ := Shop.Pattern("orderDetails")
	for it, err := range details.Run(ctx, db, map[string]attr.Value{"orderId": attr.Text("o1")}) {
		if err != nil || it.Get("PK").Str() != "o#o1" {
			t.Errorf("%v, %v", it, err)
		}
	}
	for want, params := range map[string]map[string]attr.Value{
		"orderId is missing":      {},
		"N does not go into":      {"orderId": attr.Num(attr.Int(1))},
		"there is no parameter x": {"orderId": attr.Text("o1"), "x": attr.Text("y")},
	} {
		for _, err := range pay.Run(ctx, db, params) {
			if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, tablewright.ErrInvalid) {
				t.Errorf("%s: %v", want, err)
			}
		}
	}
	if _, ok := Shop.Pattern("nothing"); ok {
		t.Error("a pattern that nobody declared")
	}
	panics := func(want string, f func()) {
		t.Helper()
		defer func() {
			if m := fmt.Sprint(recover()); !strings.Contains(m, "pattern_test.go:") || !strings.Contains(m, want) {
				t.Errorf("%s: %s", want, m)
			}
		}()
		f()
	}
	panics("a pattern of that name", func() {
		tablewright.NewPattern(Shop, "payOrder", func(id OrderID) tablewright.Get[Order] { return Orders.Get(id) })
	})
	panics("read consistently", func() {
		tablewright.NewPattern(Shop, "wrong", func(c CustomerID) tablewright.Query[Order] { return Orders.ByCustomer.Of(c).Consistent() })
	})
	panics("its call is of table Users", func() {
		tablewright.NewPattern(Shop, "wrong", func(id string) tablewright.Get[User] { return Users.Get(id) })
	})
	panics("cannot be filtered", func() {
		tablewright.NewPattern(Shop, "wrong", func(c CustomerID) tablewright.Query[Order] {
			return Orders.ByCustomer.Of(c).Filter(Orders.Status.Equals(Paid))
		})
	})
	panics("no attribute nothing", func() {
		tablewright.NewPattern(Shop, "wrong", func(c CustomerID) tablewright.Query[Order] {
			return Orders.ByCustomer.Of(c).Filter(Orders.Where("nothing = ?", 1))
		})
	})
	calls := 0
	panics("depend on them alone", func() {
		tablewright.NewPattern(Shop, "wrong", func(c CustomerID) tablewright.Query[Order] {
			calls++
			return Orders.ByCustomer.Of(c).Is(Status(fmt.Sprint(calls))).Query
		})
	})
	panics("panics on made-up parameters", func() {
		tablewright.NewPattern(Shop, "wrong", func(ids []OrderID) tablewright.Get[Order] { return Orders.Get(ids[0]) })
	})
	panics("without status and since", func() {
		tablewright.NewPattern(Shop, "wrong", func(p struct {
			Customer CustomerID
			Status   Status    `param:"optional"`
			Since    time.Time `param:"optional"`
		}) tablewright.Query[Order] {
			if p.Status == "" && p.Since.IsZero() {
				return Orders.ByCustomer.Of(p.Customer).Is("").Query
			}
			return Orders.ByCustomer.Of(p.Customer).Query
		})
	})
	panics("without status", func() {
		tablewright.NewPattern(Shop, "wrong", func(p struct {
			Customer CustomerID
			Status   Status `param:"optional"`
		}) tablewright.Query[Order] {
			return Orders.ByCustomer.Of(p.Customer).Is(p.Status).Query
		})
	})
}
