package tablewright_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// A wrong declaration panics with its place and what is wrong.
func TestWrongDeclarations(t *testing.T) {
	table := func() *tablewright.Table {
		return tablewright.NewTable(plan.Table{Name: "Test", Key: plan.Key{Partition: "PK", Sort: "SK"},
			GSI: map[string]plan.Index{
				"ByStatus": {Partition: []string{"status"}, Sort: []string{"placedAt"}},
				"Keys":     {Partition: []string{"status"}, Project: plan.Keys},
			}})
	}
	key := map[string]string{"PK": "o#{orderId}", "SK": "o"}
	ok := plan.Item{Name: "Order", Key: key}
	with := func(pk, sk string) plan.Item {
		return plan.Item{Name: "Order", Key: map[string]string{"PK": pk, "SK": sk}}
	}
	set := func(name string, s plan.Template) plan.Item {
		return plan.Item{Name: "Order", Key: key, Set: map[string]plan.Template{name: s}}
	}
	type entity = tablewright.Entity[OrderID, Order]
	for _, test := range []struct {
		want    string
		declare func()
	}{
		{"name \"x\"", func() { tablewright.NewTable(plan.Table{Name: "x", Key: plan.Key{Partition: "id"}}) }},
		{"no partition key", func() { tablewright.NewTable(plan.Table{Name: "Test"}) }},
		{"has 5 partition attributes", func() {
			tablewright.NewTable(plan.Table{Name: "Test", Key: plan.Key{Partition: "id"}, GSI: map[string]plan.Index{"Wide": {Partition: strings.Split("abcde", "")}}})
		}},
		{"another partition key", func() {
			tablewright.NewTable(plan.Table{Name: "Test", Key: plan.Key{Partition: "id"}, LSI: map[string]plan.Index{"Local": {Partition: []string{"x"}, Sort: []string{"y"}}}})
		}},
		{"embeds no Entity", func() {
			tablewright.Declare[struct {
				Name tablewright.Text[Order, string]
			}](table(), ok)
		}},
		{"under a name that is not exported", func() { tablewright.Declare[struct{ entity }](table(), ok) }},
		{"has no field Nothing", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				Nothing tablewright.Text[Order, string]
			}](table(), ok)
		}},
		{"has no attribute price, which", func() {
			declarePartial[struct {
				Price attr.Opt[int] `ddb:"price"`
			}](table(), ok)
		}},
		{"note is string in", func() {
			declarePartial[struct {
				Note attr.Opt[int] `ddb:"note"`
			}](table(), ok)
		}},
		{"placedAt is time.Time in", func() {
			declarePartial[struct {
				At attr.Opt[time.Time] `ddb:"placedAt,epoch-s"`
			}](table(), ok)
		}},
		{"only an attr.Opt tells", func() {
			declarePartial[struct {
				Note string `ddb:"note"`
			}](table(), ok)
		}},
		{"is kept by the client", func() {
			declarePartial[struct {
				Version attr.Opt[int] `ddb:"version"`
			}](table(), ok)
		}},
		{"is a part of the key of", func() {
			declarePartial[struct {
				ID attr.Opt[OrderID] `ddb:"orderId"`
			}](table(), ok)
		}},
		{"Status is tablewright_test.Status, described as string", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				Status tablewright.Text[Order, string]
			}](table(), ok)
		}},
		{"describes an attribute of tablewright_test.Customer", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				Note tablewright.Text[Customer, string]
			}](table(), ok)
		}},
		{"described as a set", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				Lines tablewright.Set[Order, Line]
			}](table(), ok)
		}},
		{"has no field Price", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				Lines tablewright.List[Order, Line, struct {
					Price tablewright.Number[Order, int]
				}]
			}](table(), ok)
		}},
		{"a time that is set by the client is", func() {
			tablewright.Declare[tablewright.Entity[string, struct {
				ID   string              `ddb:"orderId"`
				Made attr.Opt[time.Time] `ddb:"made,created"`
			}]](table(), ok)
		}},
		{"has no attribute nothing", func() { tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("o#{nothing}", "o")) }},
		{"a { without its }", func() { tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("o#{orderId", "o")) }},
		{"names its codec", func() { tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("o#{placedAt}", "o")) }},
		{"codec pad5 does not write", func() {
			tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("o#{orderId:pad5}", "o"))
		}},
		{"nothing separates", func() { tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("{orderId}{note}", "o")) }},
		{"must begin with a byte below $", func() {
			tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("{orderId}-{note}", "o"))
		}},
		{"the part orderId is tablewright_test.OrderID, not string", func() { tablewright.Declare[tablewright.Entity[string, Order]](table(), ok) }},
		{"they need a struct", func() {
			tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("o#{orderId}", "{note}"))
		}},
		{"has no field Note string", func() {
			tablewright.Declare[tablewright.Entity[struct {
				ID   OrderID
				Text string
			}, Order]](table(), with("o#{orderId}", "{note}"))
		}},
		{"every item would have the same", func() { tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), with("o", "o")) }},
		{"the key attribute SK has no template", func() {
			tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), plan.Item{Key: map[string]string{"PK": "o#{orderId}"}})
		}},
		{"also has an attribute of that name", func() {
			tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), set("note", plan.Template{Value: "x"}))
		}},
		{"when", func() {
			tablewright.Declare[tablewright.Entity[OrderID, Order]](table(), set("x", plan.Template{Value: "x", When: "nothing = 1"}))
		}},
		{"has no index ByNothing", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				ByNothing tablewright.Index0[Order, Status]
			}](table(), ok)
		}},
		{"partition: the part status", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				ByStatus tablewright.Index1[Order, string, time.Time]
			}](table(), ok)
		}},
		{"the sort part placedAt is time.Time, not string", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				ByStatus tablewright.Index1[Order, Status, string]
			}](table(), ok)
		}},
		{"there are only 1 sort parts", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				ByStatus tablewright.Index2[Order, Status, time.Time, string]
			}](table(), ok)
		}},
		{"does not project customerId", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				Keys tablewright.Index0[Order, Status]
			}](table(), ok)
		}},
		{"has no nothing, by which", func() {
			tablewright.Declare[struct {
				tablewright.Entity[OrderID, Order]
				ByX tablewright.Index0[Order, Status]
			}](tablewright.NewTable(plan.Table{Name: "Test", Key: plan.Key{Partition: "PK", Sort: "SK"},
				GSI: map[string]plan.Index{"ByX": {Partition: []string{"nothing"}}}}), ok)
		}},
		{"only reads", func() { tablewright.ViewOf[tablewright.Entity[OrderID, OrderHead]](Orders) }},
		{"in use already", func() {
			t := table()
			_ = t.Seal()
			tablewright.Declare[tablewright.Entity[OrderID, Order]](t, ok)
		}},
	} {
		func() {
			defer func() {
				message := fmt.Sprint(recover())
				if !strings.HasPrefix(message, "tablewright: declare_test.go:") || !strings.Contains(message, test.want) {
					t.Errorf("%s: %s", test.want, message)
				}
			}()
			test.declare()
		}()
	}
}

// Two kinds of items whose keys cannot be told apart are found before the first call.
func TestSeal(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Test", Key: plan.Key{Partition: "PK", Sort: "SK"}})
	tablewright.Declare[tablewright.Entity[OrderID, Order]](table, plan.Item{Name: "Order", Key: map[string]string{"PK": "x#{orderId}", "SK": "a"}})
	tablewright.Declare[tablewright.Entity[CustomerID, Customer]](table, plan.Item{Name: "Customer", Key: map[string]string{"PK": "x#{customerId}", "SK": "{customerId}"}})
	err := table.Seal()
	isError(t, err, tablewright.ErrInvalid)
	if err == nil || !strings.Contains(err.Error(), "an item of Customer can have the key of an item of Order") {
		t.Error(err)
	}
	if err := Shop.Seal(); err != nil {
		t.Error(err)
	}
}

func TestPartitionOfSeveral(t *testing.T) {
	db := open(t, tablewright.Options{}, UsersTable)
	for i, city := range []string{"San Diego", "San Jose", "Santa Cruz", "Los Angeles"} {
		if err := Users.Put(User{fmt.Sprint("u", i), "t1", "c1", "USA", "CA", city}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	in := Users.ByPlace.Of(tenantCustomer{"t1", "c1"}).Is("USA").Is("CA")
	if n := must[int](t)(tablewright.Prefix(in, "San ").Count(t.Context(), db)); n != 2 {
		t.Errorf("%d users in cities called San", n)
	}
	if n := must[int](t)(Users.ByPlace.Of(tenantCustomer{"t1", "c2"}).Count(t.Context(), db)); n != 0 {
		t.Errorf("%d users of another customer", n)
	}
}

func declarePartial[P any](t *tablewright.Table, item plan.Item) {
	tablewright.Declare[struct {
		tablewright.Entity[OrderID, Order]
		Change tablewright.Partial[OrderID, Order, P]
	}](t, item)
}

// A time to live that the service would pass over in silence.
func TestTimeToLiveCountsSeconds(t *testing.T) {
	table := func() *tablewright.Table {
		return tablewright.NewTable(plan.Table{Name: "Sessions", Key: plan.Key{Partition: "id"}, TTL: "until"})
	}
	type text struct {
		ID    string    `ddb:"id"`
		Until time.Time `ddb:"until"`
	}
	type millis struct {
		ID    string     `ddb:"id"`
		Until *time.Time `ddb:"until,epoch-ms"`
	}
	type seconds struct {
		ID    string     `ddb:"id"`
		Until *time.Time `ddb:"until,epoch-s"`
	}
	type number struct {
		ID    string `ddb:"id"`
		Until int64  `ddb:"until"`
	}
	for _, c := range []struct {
		want    string
		declare func()
	}{
		{"a number of seconds: tag it epoch-s", func() { tablewright.Declare[tablewright.Entity[string, text]](table(), plan.Item{}) }},
		{"not milliseconds: tag it epoch-s", func() { tablewright.Declare[tablewright.Entity[string, millis]](table(), plan.Item{}) }},
		{"", func() { tablewright.Declare[tablewright.Entity[string, seconds]](table(), plan.Item{}) }},
		{"", func() { tablewright.Declare[tablewright.Entity[string, number]](table(), plan.Item{}) }},
	} {
		func() {
			defer func() {
				got, _ := recover().(string)
				if c.want == "" && got != "" || !strings.Contains(got, c.want) {
					t.Errorf("%q instead of %q", got, c.want)
				}
			}()
			c.declare()
		}()
	}
}
