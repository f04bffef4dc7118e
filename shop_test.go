package tablewright_test

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
)

// The application's own types.
type (
	CustomerID string
	OrderID    string
	Status     string
)

const (
	Placed  Status = "placed"
	Paid    Status = "paid"
	Shipped Status = "shipped"
)

type Customer struct {
	ID    CustomerID `ddb:"customerId"`
	Email string     `ddb:"email"`
	Name  string     `ddb:"name"`
	Since time.Time  `ddb:"since,created"`
}

type Order struct {
	ID       OrderID     `ddb:"orderId"`
	Customer CustomerID  `ddb:"customerId"`
	Status   Status      `ddb:"status" check:"enum=placed|paid|shipped"`
	PlacedAt time.Time   `ddb:"placedAt,iso"`
	Total    attr.Number `ddb:"total"`
	Ship     Address     `ddb:"ship"`
	Lines    []Line      `ddb:"lines,omitzero"`
	Tags     []string    `ddb:"tags,set,omitzero"`
	Note     string      `ddb:"note,omitzero"`
	Draft    time.Time   `ddb:"draftUntil,epoch-s,omitzero"`
	Version  int         `ddb:"version,version"`
}

type Address struct {
	Street string `ddb:"street"`
	City   string `ddb:"city"`
}

type Line struct {
	SKU string `ddb:"sku"`
	Qty int    `ddb:"qty"`
}

// How they lie in the table: the model in Go.
var Shop = tablewright.NewTable(plan.Table{
	Name: "Shop",
	Key:  plan.Key{Partition: "PK", Sort: "SK"},
	GSI: map[string]plan.Index{
		"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"status", "placedAt"}},
		"Open":       {Partition: []string{"openDay"}, Sort: []string{"placedAt"}, Project: plan.Keys},
	},
	TTL:    "draftUntil",
	Stream: plan.NewAndOld,
	Items: map[string]plan.Item{ // the markers that keep e-mail addresses unique
		"CustomerEmail": {Holds: plan.Holds{Unique: "Customer.email"}, Key: map[string]string{"PK": "email#{email:lower}", "SK": "email"}},
	},
})

type customers struct {
	tablewright.Entity[CustomerID, Customer]
	Name       tablewright.Text[Customer, string]
	Email      tablewright.Text[Customer, string]
	EmailClaim tablewright.Unique[Customer, string]
}

var Customers = tablewright.Declare[customers](Shop, plan.Item{
	Name: "Customer",
	Key:  map[string]string{"PK": "c#{customerId}", "SK": "c"},
})

type orders struct {
	tablewright.Entity[OrderID, Order]
	Status   tablewright.Text[Order, Status]
	Total    tablewright.Number[Order, attr.Number]
	PlacedAt tablewright.Time[Order]
	Ship     addressOf[Order]
	Lines    tablewright.List[Order, Line, lineOf[Order]]
	Tags     tablewright.Set[Order, string]
	Note     tablewright.Text[Order, string]
	Version  tablewright.Number[Order, int]

	ByCustomer tablewright.Index2[Order, CustomerID, Status, time.Time]
	Open       tablewright.Index1[OpenRef, time.Time, time.Time]
	Everything tablewright.Index0[Order, OrderID] `index:"Shop"`
	Change     tablewright.Partial[OrderID, Order, OrderChange]
}

// OrderChange comes from an HTTP body: absent, null and value differ.
type OrderChange struct {
	Note attr.Opt[string]  `ddb:"note" json:"note"`
	Ship attr.Opt[Address] `ddb:"ship" json:"ship"`
}

type addressOf[T any] struct{ Street, City tablewright.Text[T, string] }

type lineOf[T any] struct {
	SKU tablewright.Text[T, string]
	Qty tablewright.Number[T, int]
}

var Orders = tablewright.Declare[orders](Shop, plan.Item{
	Name: "Order",
	Key:  map[string]string{"PK": "o#{orderId}", "SK": "o"},
	Set:  map[string]plan.Template{"openDay": {Value: "{placedAt:day}", When: "status in (placed, paid)"}}, // sparse
})

// OpenRef is what the keys-only index Open can answer.
type OpenRef struct {
	ID       OrderID   `ddb:"orderId"`
	PlacedAt time.Time `ddb:"placedAt,iso"`
}

type Shipment struct {
	Order   OrderID `ddb:"orderId"`
	ID      string  `ddb:"shipmentId"`
	Carrier string  `ddb:"carrier"`
}

type ShipmentKey struct {
	Order OrderID
	ID    string
}

type shipments struct {
	tablewright.Entity[ShipmentKey, Shipment]
	Carrier tablewright.Text[Shipment, string]
	OfOrder tablewright.Index1[Shipment, OrderID, string] `index:"Shop"` // the table itself
}

var Shipments = tablewright.Declare[shipments](Shop, plan.Item{
	Name: "Shipment",
	Key:  map[string]string{"PK": "o#{orderId}", "SK": "sh#{shipmentId}"},
})

// OrderHead is a smaller reading: the projection follows from its fields.
type OrderHead struct {
	ID     OrderID `ddb:"orderId"`
	Status Status  `ddb:"status"`
}

type orderHeads struct {
	tablewright.View[OrderID, OrderHead]
	ByCustomer tablewright.Index2[OrderHead, CustomerID, Status, time.Time]
}

var OrderHeads = tablewright.ViewOf[orderHeads](Orders)

// noon is when everything in the tests happens.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// stoppedClock stands still until it is moved; waiting moves it.
type stoppedClock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *stoppedClock { return &stoppedClock{now: noon} }

func (c *stoppedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stoppedClock) Sleep(ctx context.Context, d time.Duration) error {
	time.Sleep(min(d/100, time.Millisecond)) // whom a call waits for needs a moment of real time
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

// open makes an engine with the tables in it.
func open(t testing.TB, o tablewright.Options, tables ...*tablewright.Table) *tablewright.DB {
	t.Helper()
	if o.Clock == nil {
		o.Clock = newClock()
	}
	e, err := engine.Open("", &engine.Options{Clock: o.Clock, SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Check(); err != nil {
			t.Error("the engine's data does not fit together:", err)
		}
		e.Close()
	})
	db := tablewright.New(tablewright.InProcess(e), o)
	for _, table := range tables {
		if err := table.CreateIn(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// overHTTP makes an engine behind a server, with the tables in it.
func overHTTP(t testing.TB, o tablewright.Options, tables ...*tablewright.Table) *tablewright.DB {
	t.Helper()
	if o.Clock == nil {
		o.Clock = newClock()
	}
	e, err := engine.Open("", &engine.Options{Clock: o.Clock, SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e.Handler())
	t.Cleanup(func() { server.Close(); e.Close() })
	o.Endpoint = server.URL
	db, err := tablewright.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if err := table.CreateIn(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// User has an index of 2 + 3 attributes.
type User struct {
	ID       string `ddb:"userId"`
	Tenant   string `ddb:"tenantId"`
	Customer string `ddb:"customerId"`
	Country  string `ddb:"country"`
	State    string `ddb:"state"`
	City     string `ddb:"city"`
}

type tenantCustomer struct{ Tenant, Customer string }

type users struct {
	tablewright.Entity[string, User]
	ByPlace tablewright.Index3[User, tenantCustomer, string, string, string]
}

var UsersTable = tablewright.NewTable(plan.Table{
	Name: "Users", Key: plan.Key{Partition: "userId"},
	GSI: map[string]plan.Index{"ByPlace": {Partition: []string{"tenantId", "customerId"}, Sort: []string{"country", "state", "city"}}},
})

var Users = tablewright.Declare[users](UsersTable, plan.Item{Name: "User"})

type Invoice struct {
	Order OrderID `ddb:"orderId"`
	No    string  `ddb:"invoiceNo"`
}

var Invoices = tablewright.Declare[tablewright.Entity[OrderID, Invoice]](Shop, plan.Item{
	Name: "Invoice",
	Key:  map[string]string{"PK": "o#{orderId}", "SK": "i"},
})

// OrderPage is an order with everything under its partition key.
type OrderPage struct {
	Order     Order
	Invoice   *Invoice
	Shipments []Shipment
	Rest      []attr.Item // kinds this program does not know
}

var OrderPages = tablewright.NewCollection[OrderPage](Orders.Everything)
