package tablewrighttest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
	"github.com/tablewright/tablewright/wire"
)

type Order struct {
	ID       string         `ddb:"orderId"`
	Customer string         `ddb:"customerId"`
	Status   string         `ddb:"status"`
	PlacedAt time.Time      `ddb:"placedAt,iso"`
	Total    attr.Number    `ddb:"total"`
	Ship     *Address       `ddb:"ship"`
	Lines    []Line         `ddb:"lines,omitzero"`
	Tags     []string       `ddb:"tags,set,omitzero"`
	Hours    []int          `ddb:"hours,set,omitzero"`
	Paid     bool           `ddb:"paid"`
	Draft    time.Time      `ddb:"draftUntil,epoch-s,omitzero"`
	Photo    []byte         `ddb:"photo"`
	Extra    any            `ddb:"extra"`
	Scores   map[string]int `ddb:"scores"`
	Note     *string        `ddb:"note"`
	Version  int            `ddb:"version,version"`
	Made     time.Time      `ddb:"made,created"`
	Seen     *time.Time     `ddb:"seen,updated"`
}

type Address struct {
	Street string `ddb:"street"`
	City   string `ddb:"city"`
}

type Line struct {
	SKU string `ddb:"sku"`
	Qty int    `ddb:"qty"`
}

type Customer struct {
	ID    string `ddb:"customerId"`
	Email string `ddb:"email"`
	Name  string `ddb:"name"`
}

type Book struct {
	ISBN  string `ddb:"isbn"`
	Title string `ddb:"title"`
}

var Shop = tablewright.NewTable(plan.Table{
	Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"}, TTL: "draftUntil",
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"status", "placedAt"}}},
})

var Orders = tablewright.Declare[struct {
	tablewright.Entity[string, Order]
	Status     tablewright.Text[Order, string]
	ByCustomer tablewright.Index2[Order, string, string, time.Time]
}](Shop, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})

var Customers = tablewright.Declare[struct {
	tablewright.Entity[string, Customer]
	Name tablewright.Text[Customer, string]
}](Shop, plan.Item{Name: "Customer", Key: map[string]string{"PK": "c#{customerId}", "SK": "c"}})

var PaidOrders = tablewright.NewPattern(Shop, "paidOrders", func(customer string) tablewright.Query[Order] {
	return Orders.ByCustomer.Of(customer).Is("paid").Descending()
})

var BooksTable = tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "isbn"}})

var Books = tablewright.Declare[tablewright.Entity[string, Book]](BooksTable, plan.Item{Name: "Book"})

// watched takes what a test of the kit itself would say.
type watched struct {
	testing.TB
	said  []string
	clean []func()
}

func (w *watched) Context() context.Context  { return context.Background() }
func (w *watched) Helper()                   {}
func (w *watched) Cleanup(f func())          { w.clean = append(w.clean, f) }
func (w *watched) Error(args ...any)         { w.said = append(w.said, fmt.Sprint(args...)) }
func (w *watched) Errorf(f string, a ...any) { w.said = append(w.said, fmt.Sprintf(f, a...)) }
func (w *watched) Fatalf(f string, a ...any) { w.said = append(w.said, fmt.Sprintf(f, a...)); panic(w) }

// end does what the end of a test does.
func (w *watched) end() {
	for _, c := range w.clean {
		c()
	}
}

// says runs f and answers what it said.
func says(t *testing.T, f func(t testing.TB)) string {
	t.Helper()
	w := &watched{TB: t}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(w) {
				panic(r)
			}
		}()
		f(w)
		w.end()
	}()
	return strings.Join(w.said, "\n")
}

// hears fails unless what was said has all parts; none: nothing was said.
func hears(t *testing.T, said string, parts ...string) {
	t.Helper()
	if (said == "") != (len(parts) == 0) {
		t.Errorf("said: %q", said)
	}
	for _, p := range parts {
		if !strings.Contains(said, p) {
			t.Errorf("said without %q:\n%s", p, said)
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.Start(t, Shop, BooksTable)
	kit.Load(t, "testdata/shop.yaml", "testdata/more.json", "testdata/lines.ndjson")
	o := tablewrighttest.Has(t, kit, Orders, "o1")
	if o.Total != attr.Dec("19.9") || o.Ship.City != "Oslo" || len(o.Lines) != 2 || o.Lines[0] != (Line{"s1", 2}) || len(o.Tags) != 2 ||
		len(o.Hours) != 2 || !o.Paid || string(o.Photo) != "hello" || o.Scores["ann"] != 3 || o.Note != nil || o.Version != 7 ||
		!o.PlacedAt.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)) || !o.Made.Equal(kit.Clock.Now()) || !o.Seen.Equal(kit.Clock.Now()) {
		t.Errorf("%+v", o)
	}
	if got := tablewrighttest.Has(t, kit, Orders, "17"); got.Version != 1 || got.Total != attr.Int(5) {
		t.Errorf("%+v", got)
	}
	if got := tablewrighttest.Has(t, kit, Customers, "c2"); got != (Customer{"c2", "ada@example.org", "no"}) {
		t.Errorf("%+v", got)
	}
	kit.Golden(t, "testdata/loaded.golden")
	kit.Expect(t, tablewrighttest.Calls{}, tablewrighttest.Count{})
}

func TestLoadMistakes(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.Start(t, Shop, BooksTable)
	dir := t.TempDir()
	for i, test := range []struct{ name, text, want string }{
		{"a.yaml", "Shop:\n  Order:\n    - {orderId: o1, statsu: paid}", "a.yaml:3: Order has no attribute statsu: is status meant?"},
		{"a.yaml", "Shop:\n  Orders: [{}]", "a.yaml:2: table Shop has no kind of items Orders: is Order meant?"},
		{"a.yaml", "Shp: {}", "a.yaml:1: the kit was started without a table Shp: is Shop meant?"},
		{"a.yaml", "Shop:\n  Order:\n    - orderId: o1\n      paid: maybe", "a.yaml:4: paid is true or false, not a text"},
		{"a.yaml", "Shop:\n  Order:\n    - orderId: o1\n      total: [1]", "a.yaml:4: total is a number, not a list"},
		{"a.yaml", "Shop:\n  Order:\n    - orderId: o1\n      placedAt: noon", "a.yaml:4: placedAt is a time"},
		{"a.yaml", "Shop:\n  Order:\n    - {status: paid}", "a.yaml:3: "},
		{"a.yaml", "Books:\n  Book:\n    - {isbn: a, title: x}\n    - {isbn: a, title: y}", "a.yaml:4: it has the key of the item at "},
		{"a.yaml", "Books:\n  raw:\n    - {isbn: a}", "a.yaml:3: "},
		{"a.yaml", "Books: [", "a.yaml: "},
		{"a.yaml", "Books: {Book: 1}", "a list of items of Book is wanted, not a number"},
		{"a.json", "{\"Books\":\n{\"Book\":[{\"isbn\":\"a\",\n\"titel\":\"x\"}]}}", "a.json:3: Book has no attribute titel: is title meant?"},
		{"a.json", "{\"Books\":{", "a.json:1: it does not end"},
		{"a.json", "{}{}", "a.json: 2 values, not one"},
		{"a.ndjson", "{\"Table\":\"Books\",\"Book\":{\"isbn\":\"a\"}}\n{\"Book\":{\"isbn\":\"b\"}}", "a.ndjson:2: the kit has several tables"},
		{"a.txt", "", "items are read from .yaml"},
	} {
		file := filepath.Join(dir, fmt.Sprint(i), test.name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		hears(t, says(t, func(t testing.TB) { kit.Load(t, file) }), test.want)
	}
	hears(t, says(t, func(t testing.TB) { kit.Load(t, "testdata/none.yaml") }), "none.yaml")
}

func TestGolden(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.Start(t, Shop, BooksTable)
	file := filepath.Join(t.TempDir(), "new", "a.golden")
	hears(t, says(t, func(t testing.TB) { kit.Golden(t, file) }), "go test -update writes it")
	kit.Load(t, "testdata/shop.yaml")
	golden(t, kit, file)
	hears(t, says(t, func(t testing.TB) { kit.Golden(t, file) }))
	if err := Orders.Update("17", Orders.Status.Set("shipped")).Run(t.Context(), kit.DB); err != nil {
		t.Fatal(err)
	}
	if err := Customers.Delete("c2").Run(t.Context(), kit.DB); err != nil {
		t.Fatal(err)
	}
	hears(t, says(t, func(t testing.TB) { kit.Golden(t, file) }), "a.golden", `- {"PK":{"S":"c#c2"}`, `~ status {"S":"paid"} → {"S":"shipped"}`)
	hears(t, says(t, func(t testing.TB) { kit.Golden(t, file, BooksTable) }), "there is no table Shop among Books")
}

// golden writes a golden file as -update does.
func golden(t *testing.T, kit *tablewrighttest.Kit, file string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(kit.Engine.Snapshot(t).String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestClockAndIDs(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.StartWith(t, tablewrighttest.Options{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}, Shop)
	o := Order{ID: "o1", Customer: "c1", Status: "placed", PlacedAt: kit.Clock.Now(), Draft: kit.Clock.Now().Add(time.Hour)}
	if err := Orders.Put(o).Run(t.Context(), kit.DB); err != nil {
		t.Fatal(err)
	}
	if got := tablewrighttest.Has(t, kit, Orders, "o1"); !got.Made.Equal(kit.Clock.Now()) {
		t.Error(got.Made)
	}
	kit.Clock.Advance(2 * time.Hour)
	tablewrighttest.HasNot(t, kit, Orders, "o1")
	hears(t, says(t, func(t testing.TB) { tablewrighttest.Has(t, kit, Orders, "o1") }), "no item o1: tablewright: GetItem Shop: not found")
}

func TestHas(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.Start(t, BooksTable)
	kit.Load(t, "testdata/books.jsonl")
	tablewrighttest.HasEqual(t, kit, Books, Book{"978-1", "Dusk"})
	hears(t, says(t, func(t testing.TB) { tablewrighttest.HasEqual(t, kit, Books, Book{"978-1", "Noon"}) }), "item 978-1 differs",
		`- title {"S":"Noon"}`, `+ title {"S":"Dusk"}`)
	hears(t, says(t, func(t testing.TB) { tablewrighttest.HasEqual(t, kit, Books, Book{"978-9", "Noon"}) }), "no item 978-9")
	hears(t, says(t, func(t testing.TB) { tablewrighttest.HasNot(t, kit, Books, "978-1") }), "there is an item 978-1: {ISBN:978-1 Title:Dusk}")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, http := range []bool{false, true} {
		kit := tablewrighttest.StartWith(t, tablewrighttest.Options{HTTP: http}, Shop)
		kit.Load(t, "testdata/one.yaml")
		f := kit.Inject(tablewrighttest.Fault{Operation: "UpdateItem", Key: tablewrighttest.Key(Customers, "c1"), Times: 1, DropAnswer: true})
		// The repeated update meets its own first try: refused, and the caller learns that it may have been itself.
		err := Customers.Update("c1", Customers.Name.Set("Eve")).If(Customers.Name.Equals("Ada")).Run(t.Context(), kit.DB)
		if refused, ok := Customers.Refused(err); !errors.Is(err, tablewright.ErrUnknownOutcome) || !ok || refused.Name != "Eve" || f.Met() != 1 {
			t.Errorf("%v, %+v", err, refused)
		}
		kit.Expect(t, tablewrighttest.Calls{Operation: "UpdateItem"}, tablewrighttest.Count{Requests: 2, Failed: 2})
		kit.Inject(tablewrighttest.Fault{Table: "Shop", Err: wire.NewError(wire.CodeThroughputExceeded, ""), Times: 3})
		if err := Customers.Update("c2", Customers.Name.Set("Bob")).Run(t.Context(), kit.DB); !errors.Is(err, tablewright.ErrNotFound) {
			t.Error(err)
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	kit := tablewrighttest.Start(t, Shop)
	kit.Load(t, "testdata/one.yaml")
	for _, err := range PaidOrders.With("c1").All(t.Context(), kit.DB) {
		if err != nil {
			t.Fatal(err)
		}
	}
	kit.Expect(t, tablewrighttest.Calls{Pattern: "paidOrders"}, tablewrighttest.Count{Requests: 1, Items: 1, Scanned: 1, Read: 0.5})
	kit.Expect(t, tablewrighttest.Calls{Operation: "Query", Table: "Shop", Index: "ByCustomer"}, tablewrighttest.Count{Requests: 1})
	kit.Expect(t, tablewrighttest.Calls{Pattern: "others"}, tablewrighttest.Count{})
	kit.NoScans(t)
	hears(t, says(t, func(t testing.TB) {
		kit.Expect(t, tablewrighttest.Calls{Pattern: "paidOrders"}, tablewrighttest.Count{Requests: 2})
	}), "Requests:1", "Query Shop.ByCustomer paidOrders: 1 items of 1, read 0.5")
	for _, err := range Orders.Scan().Intended().All(t.Context(), kit.DB) {
		if err != nil {
			t.Fatal(err)
		}
	}
	hears(t, says(t, kit.NoScans), "1 scans, which looked at 3 items", "Scan Shop")
	kit.Reset()
	kit.NoScans(t)
}

func TestScript(t *testing.T) {
	t.Parallel()
	run := func(write func(s *tablewrighttest.Script), call func(db *tablewright.DB)) string {
		return says(t, func(t testing.TB) {
			s := tablewrighttest.NewScript(t)
			write(s)
			call(tablewright.New(s, tablewright.Options{Clock: engine.NewClock(time.Time{})}))
		})
	}
	get := func(db *tablewright.DB) {
		b, err := Books.Get("a").Run(t.Context(), db)
		if err == nil && b.Title != "Dawn" {
			t.Error(b)
		}
	}
	hears(t, run(func(s *tablewrighttest.Script) {
		s.Expect("GetItem").Fail(wire.NewError(wire.CodeThroughputExceeded, ""))
		s.Expect("GetItem").With(`{"Key":{"isbn":{"S":"a"}}}`).With(`{"TableName":"Books"}`).Answer(`{"Item":{"isbn":{"S":"a"},"title":{"S":"Dawn"}}}`)
	}, get))
	hears(t, run(func(s *tablewrighttest.Script) { s.Expect("PutItem") }, get), "GetItem came where PutItem was expected", "PutItem was expected and did not come")
	hears(t, run(func(*tablewrighttest.Script) {}, get), "GetItem came unexpectedly, at the end of the script")
	hears(t, run(func(s *tablewrighttest.Script) { s.Expect("GetItem").With(`{"Key":{"isbn":{"S":"b"}}}`) }, get), "GetItem came otherwise than expected at .Key.isbn.S")
	hears(t, run(func(s *tablewrighttest.Script) { s.Expect("GetItem").With(`{"ConsistentRead":true}`) }, get), "at .ConsistentRead")
	hears(t, run(func(s *tablewrighttest.Script) { s.Expect("GetItem").With(`{`) }, get), "is no JSON")
	hears(t, run(func(s *tablewrighttest.Script) {
		s.Expect("DeleteItem").Fail(tablewrighttest.ErrAnswerLost)
		s.Expect("DeleteItem")
	}, func(db *tablewright.DB) {
		if err := Books.Delete("a").Run(t.Context(), db); err != nil {
			t.Error(err)
		}
	}))
}

// A kit takes less than a millisecond; a fifth of fifty have to, since the machine may be busy.
func TestStartIsQuick(t *testing.T) {
	var took []time.Duration
	for range 50 {
		t.Run("", func(t *testing.T) {
			began := time.Now()
			tablewrighttest.Start(t)
			took = append(took, time.Since(began))
		})
	}
	n := 0
	for _, d := range took {
		if d < time.Millisecond {
			n++
		}
	}
	if n < len(took)/5 {
		t.Errorf("of %d kits %d took less than a millisecond: %v", len(took), n, took)
	}
	if tablewrighttest.Updating() != (flag.Lookup("update").Value.String() == "true") {
		t.Error("-update")
	}
}
