package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// shopProgram compiles the published single-table model of the online shop.
var shopProgram = sync.OnceValues(func() (*plan.Program, error) {
	return compiled(filepath.Join("examples", "online-shop.yaml"), filepath.Join("examples", "online-shop.published-model.yaml"))
})

// compiled compiles a model for requirements.
func compiled(requirements, document string) (*plan.Program, error) {
	r, _, found, err := model.LoadRequirements(requirements)
	if err == nil && r == nil {
		err = errors.New(fmt.Sprint(found))
	}
	if err != nil {
		return nil, err
	}
	m, source, found, err := model.LoadModel(document)
	if err == nil && m == nil {
		err = errors.New(fmt.Sprint(found))
	}
	if err != nil {
		return nil, err
	}
	p, found := model.CompileModel(m, source, r)
	for _, d := range found {
		if strings.Contains(fmt.Sprint(d), "error") {
			return nil, errors.New(fmt.Sprint(d))
		}
	}
	return p, nil
}

// runner runs patterns of the shop.
type runner struct {
	t       *testing.T
	db      *tablewright.DB
	program *tablewright.Program
}

func newRunner(t *testing.T, o tablewright.Options) runner {
	t.Helper()
	p, err := shopProgram()
	if err != nil {
		t.Fatal(err)
	}
	o.Hooks = append(o.Hooks, newAsks(t).hook)
	r := runner{t, open(t, o), tablewright.NewProgram(p)}
	if err := r.program.CreateTables(t.Context(), r.db); err != nil {
		t.Fatal(err)
	}
	return r
}

func item(fields ...any) attr.Item {
	var it attr.Item
	for i := 0; i < len(fields); i += 2 {
		it.Set(fields[i].(string), value(fields[i+1]))
	}
	return it
}

func value(v any) attr.Value {
	switch v := v.(type) {
	case attr.Value:
		return v
	case attr.Item:
		return attr.Map(v)
	case int:
		return attr.Num(attr.Int(int64(v)))
	case []attr.Item:
		list := make([]attr.Value, len(v))
		for i := range v {
			list[i] = attr.Map(v[i])
		}
		return attr.List(list...)
	}
	return attr.Text(v.(string))
}

func (r runner) run(pattern string, args ...any) (tablewright.Result, error) {
	return r.program.Run(r.t.Context(), r.db, pattern, item(args...), tablewright.RunOptions{})
}

func (r runner) must(pattern string, args ...any) tablewright.Result {
	r.t.Helper()
	result, err := r.run(pattern, args...)
	if err != nil {
		r.t.Fatalf("%s: %v", pattern, err)
	}
	return result
}

// stock puts products into a warehouse.
func (r runner) stock(n, quantity int) {
	r.t.Helper()
	r.must("createWarehouse", "warehouse", item("warehouseId", "w1", "address", item("city", "Oslo")))
	for i := range n {
		id := fmt.Sprint("p", i)
		r.must("createProduct", "product", item("productId", id, "name", "Product "+id, "description", "", "price", 10, "category", "books"))
		r.must("createInventory", "inventory", item("productId", id, "warehouseId", "w1", "quantity", quantity))
	}
}

// place places an order of one piece of each product.
func (r runner) place(customer string, products ...string) (tablewright.Result, error) {
	var items []attr.Item
	for _, p := range products {
		items = append(items, item("productId", p, "warehouseId", "w1", "quantity", 1, "price", 10, "productName", "Product "+p))
	}
	return r.run("placeOrder", "order", item("customerId", customer, "address", item("city", "Bergen"), "items", items,
		"invoice", item("amount", 10*len(products))))
}

func TestProgram(t *testing.T) {
	clock := newClock()
	r := newRunner(t, tablewright.Options{Clock: clock})
	r.stock(3, 2)
	placed, err := r.place("c1", "p0", "p1", "p2")
	if err != nil {
		t.Fatal(err)
	}
	order := placed.Arguments.Get("order").Map()
	id := order.Get("orderId").Str()
	if len(id) != 26 || order.Get("placedAt").Str() != "2026-11-21T12:00:00.000Z" || len(placed.Items) == 0 {
		t.Errorf("completed arguments %v", placed.Arguments)
	}
	got := r.must("getOrderDetailsByOrderId", "orderId", id)
	if len(got.Items) != 1 || len(got.Items[0].Get("items").Elems()) != 3 ||
		got.Items[0].Get("invoice").Map().Get("orderId").Str() != id || got.Items[0].Get("status").Str() != "placed" {
		t.Errorf("details %s", attr.AppendItem(nil, got.Items[0]))
	}
	if got := r.must("getProductInventoryByProductId", "productId", "p1"); len(got.Items) != 1 || got.Items[0].Get("quantity").Str() != "1" {
		t.Errorf("inventory %v", got.Items)
	}
	invoiceID := order.Get("invoice").Map().Get("invoiceId").Str()
	if got := r.must("getInvoiceByInvoiceId", "invoiceId", invoiceID); len(got.Items) != 1 {
		t.Errorf("invoice %v", got.Items)
	}
	r.must("updateOrderStatus", "orderId", id, "status", "packed")
	if got := r.must("getOrderDetailsByOrderId", "orderId", id); got.Items[0].Get("status").Str() != "packed" {
		t.Errorf("%v", got.Items)
	}
	for _, test := range []struct {
		name, code string
		kind       error
		err        error
	}{
		{"backwards", "state", tablewright.ErrConditionFailed, second(r.run("updateOrderStatus", "orderId", id, "status", "paid"))},
		{"no such order", "missing", tablewright.ErrNotFound, second(r.run("updateOrderStatus", "orderId", "none", "status", "paid"))},
		{"twice", "exists", tablewright.ErrExists, second(r.run("createWarehouse", "warehouse", item("warehouseId", "w1", "address", item())))},
		{"sold out", "out-of-stock", tablewright.ErrConditionFailed, second(r.run("updateInventory", "productId", "p1", "warehouseId", "w1", "delta", -5))},
		{"no such stock", "missing", tablewright.ErrNotFound, second(r.run("updateInventory", "productId", "p9", "warehouseId", "w1", "delta", 1))},
	} {
		var refused *tablewright.Refused
		if !errors.As(test.err, &refused) || refused.Code != test.code || !errors.Is(test.err, test.kind) {
			t.Errorf("%s: %v", test.name, test.err)
		}
	}
	for range 1 {
		if _, err := r.place("c1", "p0"); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.place("c1", "p1", "p0")
	var refused *tablewright.Refused
	if !errors.As(err, &refused) || refused.Code != "out-of-stock" {
		t.Errorf("%v", err)
	}
	if got := r.must("getProductInventoryByProductId", "productId", "p1"); got.Items[0].Get("quantity").Str() != "1" {
		t.Errorf("a refused order took %v", got.Items)
	}
	// What the entity does not have would not be stored.
	if _, err := r.run("createProduct", "product", item("productId", "p8", "name", "P", "descripton", "", "description", "", "price", 10, "category", "books")); !errors.Is(err, tablewright.ErrInvalid) ||
		!strings.Contains(err.Error(), "Product has no attribute descripton: did you mean description?") {
		t.Errorf("an attribute that is not declared: %v", err)
	}
	if _, err := r.run("placeOrder", "order", item("customerId", "c1", "address", item("city", "Bergen"), "invoice", item("amount", 10),
		"items", []attr.Item{item("productId", "p1", "warehouseId", "w1", "quantity", 1, "price", 10, "productName", "P", "colour", "red")})); err == nil || !strings.Contains(err.Error(), "has no attribute colour") {
		t.Errorf("an attribute that is not declared, of a child: %v", err)
	}
	if _, err := r.run("nothing"); !errors.Is(err, tablewright.ErrInvalid) {
		t.Error(err)
	}
	if _, err := r.run("getOrderDetailsByOrderId"); !errors.Is(err, tablewright.ErrInvalid) {
		t.Errorf("without its parameter: %v", err)
	}
}

func second(_ tablewright.Result, err error) error { return err }

func TestProgramPages(t *testing.T) {
	r := newRunner(t, tablewright.Options{})
	r.must("createWarehouse", "warehouse", item("warehouseId", "w1", "address", item()))
	const n = 230
	for i := range n {
		r.must("createInventory", "inventory", item("productId", fmt.Sprintf("p%03d", i), "warehouseId", "w1", "quantity", i))
	}
	var used tablewright.Usage
	db := r.db.Measure(&used)
	args := item("warehouseId", "w1")
	var sizes []int
	seen := map[string]bool{}
	var cursor tablewright.Cursor
	for {
		page, err := r.program.Run(t.Context(), db, "getProductInventoryByWarehouseId", args, tablewright.RunOptions{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Items))
		for _, it := range page.Items {
			seen[it.Get("productId").Str()] = true
		}
		if cursor = page.Cursor; cursor == "" {
			break
		}
		if _, err := r.program.Run(t.Context(), db, "getProductInventoryByWarehouseId", item("warehouseId", "w2"),
			tablewright.RunOptions{Cursor: cursor}); !errors.Is(err, tablewright.ErrCursor) {
			t.Errorf("other parameters take the cursor: %v", err)
		}
	}
	if fmt.Sprint(sizes) != "[100 100 30]" || len(seen) != n {
		t.Errorf("pages of %v, %d different ones", sizes, len(seen))
	}
	for _, size := range []int{1, 7, 99} {
		again := map[string]bool{}
		cursor, total := tablewright.Cursor(""), 0
		for {
			page, err := r.program.Run(t.Context(), r.db, "getProductInventoryByWarehouseId", args, tablewright.RunOptions{Cursor: cursor, Page: size})
			if err != nil || len(page.Items) > size {
				t.Fatalf("%d items, %v", len(page.Items), err)
			}
			for _, it := range page.Items {
				again[it.Get("productId").Str()] = true
				total++
			}
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		if total != n || len(again) != n {
			t.Errorf("pages of %d: %d items, %d different ones", size, total, len(again))
		}
	}
	if used.Requests != 3 || used.Returned != n || used.Arms["OnlineShop.GSI2"].Read == 0 || used.Arms["OnlineShop.GSI2"].Read != used.Read {
		t.Errorf("%+v", &used)
	}
}

// The client cuts the page first, and reads what only the answer shows for the entities of that page.
func TestProgramReadsLate(t *testing.T) {
	p, err := compiled(filepath.Join("plan", "testdata", "late.yaml"), filepath.Join("plan", "testdata", "late.model.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r := runner{t, open(t, tablewright.Options{}), tablewright.NewProgram(p)}
	if err := r.program.CreateTables(t.Context(), r.db); err != nil {
		t.Fatal(err)
	}
	const n = 40
	for i := range n {
		species := fmt.Sprintf("s%02d", i)
		r.must("addSpecies", "species", item("speciesId", species, "familyId", "f", "name", "name of "+species, "rare", attr.Bool(false)))
		r.must("addLifer", "lifer", item("liferId", fmt.Sprintf("l%02d", i), "observerId", "o", "speciesId", species, "times", n-i))
	}
	for _, size := range []int{0, 16} { // of the plan, of the call
		var cursor tablewright.Cursor
		at := n
		for at > 0 {
			var used tablewright.Usage
			page, err := r.program.Run(t.Context(), r.db.Measure(&used), "names", item("observerId", "o"), tablewright.RunOptions{Cursor: cursor, Page: size})
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range page.Items {
				at--
				if name, want := it.Get("species").Map().Get("name").Str(), fmt.Sprintf("name of s%02d", at); name != want {
					t.Errorf("%q instead of %q", name, want)
				}
			}
			if read := float64(used.Arms["Kinds"].Read); read != float64(len(page.Items)) { // strongly consistent: a unit each
				t.Errorf("%v units of species for a page of %d", read, len(page.Items))
			}
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		if at != 0 {
			t.Errorf("%d of %d are missing", at, n)
		}
	}
}

// The weather does not change what is stored: what is lost is repeated under its token, or reported.
func TestProgramInBadWeather(t *testing.T) {
	var bad atomic.Bool
	r := newRunner(t, tablewright.Options{Hooks: []tablewright.Hook{when(&bad, weather(7))}})
	const pieces = 40
	r.stock(1, pieces)
	bad.Store(true)
	sold, unknown := 0, 0
	for i := range 30 {
		switch _, err := r.place(fmt.Sprint("c", i), "p0"); {
		case err == nil:
			sold++
		case errors.Is(err, tablewright.ErrUnknownOutcome):
			unknown++
		default:
			t.Fatal(err)
		}
	}
	left := r.must("getProductInventoryByProductId", "productId", "p0")
	n, _ := left.Items[0].Get("quantity").Number().Int64()
	if taken := pieces - int(n); taken < sold || taken > sold+unknown || sold < 25 {
		t.Errorf("%d sold, %d unknown, %d taken", sold, unknown, taken)
	}
}

// Two orders for the last piece at once: one gets it.
func TestProgramConcurrent(t *testing.T) {
	r := newRunner(t, tablewright.Options{Clock: nil})
	const pieces, buyers = 5, 12
	r.stock(1, pieces)
	var wait sync.WaitGroup
	errs := make([]error, buyers)
	for i := range buyers {
		wait.Go(func() { _, errs[i] = r.place(fmt.Sprint("c", i), "p0") })
	}
	wait.Wait()
	sold := 0
	for _, err := range errs {
		var refused *tablewright.Refused
		switch {
		case err == nil:
			sold++
		case !errors.As(err, &refused) || refused.Code != "out-of-stock":
			t.Error(err)
		}
	}
	if sold != pieces {
		t.Errorf("%d sold of %d", sold, pieces)
	}
}

const shelvesRequirements = `
tablewright: 1
application: shelves
entities:
  Shelf:
    identity: [shelfId]
    attributes: {shelfId: {type: string, bytes: 6}}
    bytes: 60
    count: 10
  Book:
    identity: [bookId]
    attributes:
      bookId: {type: string, bytes: 6}
      shelfId: {references: Shelf}
    bytes: 100
    count: 1_000
patterns:
  build: {write: {create: Shelf}, rate: {average: 1/s, peak: 1/s}}
  fill:
    write: {create: Book, each: $books, requires: [shelf]}
    parameters: {books: {length: {average: 20, max: 500}}}
    atomic: false
    rate: {average: 1/s, peak: 1/s}
`

const shelvesModel = `
tablewright: 1
application: shelves
tables:
  Shelves: {attributes: {shelfId: S}, key: {partition: shelfId}, items: {Shelf: {key: {shelfId: "{shelfId}"}}}}
  Books: {attributes: {bookId: S}, key: {partition: bookId}, items: {Book: {key: {bookId: "{bookId}"}}}}
plans:
  build: {steps: {w: {put: Shelf, if: absent}}}
  fill:
    steps:
      w:
        transact: [{put: Book, if: absent}, {check: Shelf, key: {shelfId: $each.shelfId}, if: present}]
        each: $books
`

// Transactions of one call that check the same item are sent one after another, however long each takes: together they would
// be refused for each other.
func TestProgramTakesTurnsAtOneItem(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"r.yaml": shelvesRequirements, "m.yaml": shelvesModel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := compiled(filepath.Join(dir, "r.yaml"), filepath.Join(dir, "m.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	under, together := map[string]int{}, map[string]int{} // requests that name a shelf, now and at most
	slow := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if c.Operation != "TransactWriteItems" {
				return next.Do(ctx, c)
			}
			shelf := "s1"
			if strings.Contains(string(c.Request), "s2") {
				shelf = "s2"
			}
			mu.Lock()
			for _, of := range []string{shelf, "all"} {
				under[of]++
				together[of] = max(together[of], under[of])
			}
			mu.Unlock()
			time.Sleep(20 * time.Millisecond)
			mu.Lock()
			under[shelf]--
			under["all"]--
			mu.Unlock()
			return next.Do(ctx, c)
		})
	}
	r := runner{t, open(t, tablewright.Options{Hooks: []tablewright.Hook{slow}}), tablewright.NewProgram(p)}
	if err := r.program.CreateTables(t.Context(), r.db); err != nil {
		t.Fatal(err)
	}
	r.must("build", "shelf", item("shelfId", "s1"))
	r.must("build", "shelf", item("shelfId", "s2"))
	var books []attr.Item
	for i := range 8 {
		books = append(books, item("bookId", fmt.Sprint("b", i), "shelfId", fmt.Sprint("s", 1+i%2)))
	}
	r.must("fill", "books", books)
	if together["s1"] != 1 || together["s2"] != 1 || together["all"] != 2 {
		t.Errorf("under way at once: %v", together)
	}
}

// Every pattern of the model can be called with arguments of the right shape; what it sends the engine accepts.
func TestProgramEveryPattern(t *testing.T) {
	r := newRunner(t, tablewright.Options{})
	p, err := shopProgram()
	if err != nil {
		t.Fatal(err)
	}
	for _, proc := range p.Procedures {
		if proc.Pattern.Writes() {
			continue
		}
		args := attr.Item{}
		for _, q := range proc.Pattern.Parameters {
			switch {
			case q.Like != nil && q.Like.Type == spec.Timestamp:
				args.Set(q.Name, spec.TimeValue(noon))
			case q.Like != nil && q.Like.Type == spec.Number:
				args.Set(q.Name, value(1))
			default:
				args.Set(q.Name, attr.Text("x"))
			}
		}
		result, err := r.program.Run(t.Context(), r.db, proc.Name, args, tablewright.RunOptions{})
		if err != nil || len(result.Items) != 0 || result.Cursor != "" {
			t.Errorf("%s: %v, %v", proc.Name, result, err)
		}
	}
	if err := r.program.DeleteTables(t.Context(), r.db); err != nil {
		t.Fatal(err)
	}
	if err := r.program.DeleteTables(t.Context(), r.db); err != nil {
		t.Errorf("deleting tables that are gone: %v", err)
	}
}

func TestProgramNeedsDB(t *testing.T) {
	p, err := shopProgram()
	if err != nil {
		t.Fatal(err)
	}
	for _, db := range []*tablewright.DB{nil, {}} {
		_, err := tablewright.NewProgram(p).Run(t.Context(), db, p.Procedures[0].Name, attr.Item{}, tablewright.RunOptions{})
		if !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(fmt.Sprint(err), "DB is nil or zero") {
			t.Error(err)
		}
	}
}
