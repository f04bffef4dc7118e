package graphql

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	graphqlgo "github.com/graph-gophers/graphql-go"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/relay"
)

type Customer struct {
	ID   string `ddb:"customerId"`
	Name string `ddb:"name"`
}

type Order struct {
	ID       string `ddb:"orderId"`
	Shop     string `ddb:"shop"`
	Customer string `ddb:"customer"`
	Number   int32  `ddb:"number"`
}

var (
	Orders = tablewright.Declare[struct {
		tablewright.Entity[string, Order]
		OfShop tablewright.Index1[Order, string, int32]
	}](tablewright.NewTable(plan.Table{Name: "Orders", Key: plan.Key{Partition: "orderId"},
		GSI: map[string]plan.Index{"OfShop": {Partition: []string{"shop"}, Sort: []string{"number"}}}}), plan.Item{Name: "Order"})
	Customers = tablewright.Declare[tablewright.Entity[string, Customer]](
		tablewright.NewTable(plan.Table{Name: "Customers", Key: plan.Key{Partition: "customerId"}}), plan.Item{Name: "Customer"})
)

const schema = `
	type Query { orders(shop: String!, first: Int, after: String, last: Int, before: String): OrderConnection! }
	type OrderConnection { edges: [OrderEdge!]! pageInfo: PageInfo! }
	type OrderEdge { node: Order! cursor: String! }
	type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
	type Order { id: ID! number: Int! customer: Customer }
	type Customer { id: ID! name: String! }
`

type loadersKey struct{}

type root struct{ db *tablewright.DB }

func (r *root) Orders(ctx context.Context, args struct {
	Shop          string
	First, Last   *int32
	After, Before *string
}) (*connection, error) {
	c, err := relay.Connect(ctx, r.db, Orders.OfShop.Of(args.Shop).Query,
		relay.Args{First: args.First, After: args.After, Last: args.Last, Before: args.Before})
	return &connection{c}, err
}

type connection struct{ c relay.Connection[Order] }

func (c *connection) PageInfo() relay.PageInfo { return c.c.PageInfo }

func (c *connection) Edges() (edges []edge) {
	for _, e := range c.c.Edges {
		edges = append(edges, edge{order{e.Node}, e.Cursor})
	}
	return edges
}

type edge struct {
	Node   order
	Cursor string
}

type order struct{ o Order }

func (o order) ID() graphqlgo.ID { return graphqlgo.ID(o.o.ID) }
func (o order) Number() int32    { return o.o.Number }

func (o order) Customer(ctx context.Context) (*customer, error) {
	c, err := ctx.Value(loadersKey{}).(*relay.Loader[string, Customer]).Load(ctx, o.o.Customer)
	if err != nil {
		return nil, err
	}
	return &customer{c}, nil
}

type customer struct{ c Customer }

func (c *customer) ID() graphqlgo.ID { return graphqlgo.ID(c.c.ID) }
func (c *customer) Name() string     { return c.c.Name }

// TestConnections pages through orders both ways, with the customer of each: of a page's customers there is one request.
func TestConnections(t *testing.T) {
	var used tablewright.Usage
	db := tablewright.New(tablewright.InProcess(engine.New(t, engine.Options{})), tablewright.Options{}).Measure(&used)
	for _, table := range []*tablewright.Table{Orders.Table(), Customers.Table()} {
		if err := table.CreateIn(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	for i := range int32(25) {
		c := fmt.Sprintf("c%d", i%4)
		if err := Orders.Put(Order{fmt.Sprintf("o%02d", i), "s1", c, i}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if err := Customers.Put(Customer{c, "Name of " + c}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	server := graphqlgo.MustParseSchema(schema, &root{db}, graphqlgo.UseFieldResolvers(), graphqlgo.MaxParallelism(100))
	type page struct {
		Orders struct {
			Edges []struct {
				Node struct {
					ID       string
					Number   int
					Customer struct{ Name string }
				}
				Cursor string
			}
			PageInfo struct {
				HasNextPage, HasPreviousPage bool
				StartCursor, EndCursor       *string
			}
		}
	}
	ask := func(variables map[string]any) (p page, failed string) {
		t.Helper()
		// Each request of the server's has loaders of its own.
		ctx := context.WithValue(t.Context(), loadersKey{}, relay.NewLoader(db, Customers, relay.LoaderOptions{Wait: 50 * time.Millisecond}))
		before := used.Requests
		answer := server.Exec(ctx, `query($first: Int, $after: String, $last: Int, $before: String) {
			orders(shop: "s1", first: $first, after: $after, last: $last, before: $before) {
				edges { node { id number customer { name } } cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, "", variables)
		if len(answer.Errors) > 0 {
			return p, answer.Errors[0].Error()
		}
		if err := json.Unmarshal(answer.Data, &p); err != nil {
			t.Fatal(err)
		}
		if n := used.Requests - before; len(p.Orders.Edges) > 0 && n != 2 {
			t.Errorf("%d requests for a page and its customers", n)
		}
		return p, ""
	}
	var numbers []int
	for variables := map[string]any{"first": 10}; ; {
		p, failed := ask(variables)
		if failed != "" {
			t.Fatal(failed)
		}
		for _, e := range p.Orders.Edges {
			numbers = append(numbers, e.Node.Number)
			if want := fmt.Sprintf("Name of c%d", e.Node.Number%4); e.Node.Customer.Name != want {
				t.Errorf("order %d is of %q, want %q", e.Node.Number, e.Node.Customer.Name, want)
			}
		}
		if !p.Orders.PageInfo.HasNextPage {
			break
		}
		variables = map[string]any{"first": 10, "after": *p.Orders.PageInfo.EndCursor}
	}
	if len(numbers) != 25 || numbers[0] != 0 || numbers[24] != 24 {
		t.Errorf("forward: %v", numbers)
	}
	p, failed := ask(map[string]any{"last": 3})
	if failed != "" || len(p.Orders.Edges) != 3 || p.Orders.Edges[0].Node.Number != 22 || !p.Orders.PageInfo.HasPreviousPage || p.Orders.PageInfo.HasNextPage {
		t.Errorf("%s: the last three: %+v", failed, p)
	}
	p, failed = ask(map[string]any{"last": 30, "before": *p.Orders.PageInfo.StartCursor})
	if failed != "" || len(p.Orders.Edges) != 22 || p.Orders.PageInfo.HasPreviousPage || !p.Orders.PageInfo.HasNextPage {
		t.Errorf("%s: those before: %+v", failed, p.Orders.PageInfo)
	}
	for want, variables := range map[string]map[string]any{
		"exclude each other": {"first": 1, "last": 1},
		"cursor":             {"first": 1, "after": "x"},
		"1 to 100":           {"first": 1000},
	} {
		if _, failed := ask(variables); !strings.Contains(failed, want) {
			t.Errorf("%v: %q, want %s", variables, failed, want)
		}
	}
}
