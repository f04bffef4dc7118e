package iam_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/bulk"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/iam"
	"github.com/tablewright/tablewright/migrate"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/streams"
	"github.com/tablewright/tablewright/wire"
)

type Customer struct {
	ID     string `ddb:"customerId"`
	Email  string `ddb:"email"`
	Orders int    `ddb:"orders"`
	Last   int    `ddb:"last"`
}

type Order struct {
	ID       string    `ddb:"orderId"`
	Customer string    `ddb:"customerId"`
	PlacedAt time.Time `ddb:"placedAt,iso"`
	Note     string    `ddb:"note"`
	Version  int       `ddb:"version,version"`
}

type Shipment struct {
	Order   string `ddb:"orderId"`
	Carrier string `ddb:"carrier"`
}

type shipmentKey struct{ Order, Carrier string }

var Shop = tablewright.NewTable(plan.Table{
	Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"}, Stream: plan.NewAndOld, TTL: "until",
	GSI: map[string]plan.Index{"ByCustomer": {Partition: []string{"customerId"}, Sort: []string{"placedAt"}}},
	Items: map[string]plan.Item{"CustomerEmail": {Holds: plan.Holds{Unique: "Customer.email"},
		Key: map[string]string{"PK": "email#{email:lower}", "SK": "email"}}},
})

var Customers = tablewright.Declare[struct {
	tablewright.Entity[string, Customer]
	Email      tablewright.Text[Customer, string]
	Orders     tablewright.Number[Customer, int]
	Last       tablewright.Number[Customer, int]
	EmailClaim tablewright.Unique[Customer, string]
}](Shop, plan.Item{Name: "Customer", Key: map[string]string{"PK": "c#{customerId}", "SK": "c"}})

var Orders = tablewright.Declare[struct {
	tablewright.Entity[string, Order]
	Note       tablewright.Text[Order, string]
	Version    tablewright.Number[Order, int]
	ByCustomer tablewright.Index1[Order, string, time.Time]
	InOrder    tablewright.Index0[Order, string] `index:"Shop"`
}](Shop, plan.Item{Name: "Order", Key: map[string]string{"PK": "o#{orderId}", "SK": "o"}})

var Shipments = tablewright.Declare[tablewright.Entity[shipmentKey, Shipment]](Shop,
	plan.Item{Name: "Shipment", Key: map[string]string{"PK": "o#{orderId}", "SK": "sh#{carrier}"}})

var OrderPages = tablewright.NewCollection[struct {
	Order     Order
	Shipments []Shipment
}](Orders.InOrder)

var (
	OrderCount = tablewright.NewRefs(Customers.Entity, Customers.Orders, func(o Order) string { return o.Customer })
	Numbers    = tablewright.NewSequence(Customers.Entity, Customers.Last)
	Visits     = tablewright.NewCounter(Customers.Entity, Customers.Orders, 3, func(what string, shard int) string { return fmt.Sprint(what, shard) })
)

// Front is kept in copies.
type Front struct {
	Country string `ddb:"country"`
	Text    string `ddb:"text"`
}

var frontPages = tablewright.Declare[struct {
	tablewright.Entity[string, Front]
	Text tablewright.Text[Front, string]
}](Shop, plan.Item{Name: "Front", Key: map[string]string{"PK": "front#{country}#{shard}", "SK": "f"}, Shard: &plan.Shard{Of: 2, By: "random"}})

var Fronts = tablewright.NewCopies(frontPages.Entity)

// later is the table Shop as a later version of the program declares it: one index more, one less.
var later = tablewright.NewTable(plan.Table{
	Name: "Shop", Key: plan.Key{Partition: "PK", Sort: "SK"}, Attributes: map[string]plan.Type{"PK": plan.S, "SK": plan.S, "note": plan.S},
	GSI: map[string]plan.Index{"ByNote": {Partition: []string{"note"}}},
})

// Ledger is another table, made by the calls that make tables.
var Ledger = tablewright.NewTable(plan.Table{Name: "Ledger", Key: plan.Key{Partition: "id"}, TTL: "until", Attributes: map[string]plan.Type{"id": plan.S}})

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func someOrder(id string) Order { return Order{ID: id, Customer: "c1", PlacedAt: noon, Note: "ring"} }

// prepare makes what the calls find.
func prepare(ctx context.Context, db *tablewright.DB) error {
	return errors.Join(Shop.CreateIn(ctx, db), Orders.Create(someOrder("o1")).Run(ctx, db),
		tablewright.PartiQL[Order](Shop, `UPDATE "Shop" SET GSI1PK = 'old' WHERE PK = 'o#o1' AND SK = 'o'`).Run(ctx, db),
		Fronts.Put(Front{Country: "no"}).Run(ctx, db),
		tablewright.Transact(Customers.Create(Customer{ID: "c1", Email: "ada@example.org"}), Customers.EmailClaim.Claim(Customer{ID: "c1", Email: "ada@example.org"})).Run(ctx, db))
}

// world is what a call has.
type world struct {
	context.Context
	db *tablewright.DB
}

// A row of the table: what is called, the exported methods that it stands for, and the call.
type row struct {
	call    string
	methods []string
	run     func(w world) error
}

func drain[T any](seq func(yield func(T, error) bool)) (err error) {
	seq(func(_ T, e error) bool { err = e; return e == nil })
	return err
}

var newNote = Orders.Note.Set("knock")

var rows = []row{
	{"`Get`", []string{"Get.Run"}, func(w world) error { _, err := Orders.Get("o1").Run(w, w.db); return err }},
	{"`GetAll`", []string{"GetAll.Run"}, func(w world) error { _, err := Orders.GetAll([]string{"o1"}).Run(w, w.db); return err }},
	{"query of the table: `InOrder.Of(…)`", []string{"Query.All", "Query.Slice", "Query.First", "Query.Last", "Query.One", "Query.Count", "Query.Page", "Query.Pages"},
		func(w world) error { _, err := Orders.InOrder.Of("o1").Slice(w, w.db); return err }},
	{"query of an index: `ByCustomer.Of(…)`", nil, func(w world) error { _, err := Orders.ByCustomer.Of("c1").Page(w, w.db, 5); return err }},
	{"`Collect`", []string{"Collect.Run", "Collect.Items"}, func(w world) error { _, err := OrderPages.Of("o1").Run(w, w.db); return err }},
	{"`Scan`", []string{"Scan.All", "Scan.Pages", "Scan.Slice", "Scan.First", "Scan.One", "Scan.Count"}, func(w world) error { return drain(Orders.Scan().Intended().All(w, w.db)) }},
	{"`Scan` of an index: `ByCustomer.Scan()`", nil, func(w world) error { return drain(Orders.ByCustomer.Scan().Intended().All(w, w.db)) }},
	{"`Snapshot`", []string{"Snap.Run"}, func(w world) error {
		var o Order
		return tablewright.Snapshot(Orders.Get("o1").Into(&o)).Run(w, w.db)
	}},
	{"`Create`, `Replace`, `Put`", []string{"PutIf.Run", "PutIf.New", "PutIf.Old", "Put.Run", "Put.New", "Put.Old"},
		func(w world) error { return Orders.Create(someOrder("o2")).Run(w, w.db) }},
	{"`Update`, `Patch`, `Partial.Patch`, `Counter.Add`", []string{"Update.Run", "Update.New", "Update.Old", "Update.Updated"},
		func(w world) error { return Orders.Update("o1", newNote).Run(w, w.db) }},
	{"`Edit`", []string{"Edit.Run", "Edit.New"}, func(w world) error {
		return Orders.Edit("o1", func(o *Order) error { o.Note = "x"; return nil }).Run(w, w.db)
	}},
	{"`Delete`", []string{"Delete.Run", "Delete.Old", "DeleteIf.Run", "DeleteIf.Old"}, func(w world) error { return Orders.Delete("o1").Run(w, w.db) }},
	{"`Move`", nil, func(w world) error {
		before := someOrder("o1")
		before.Version = 1
		after := before
		after.ID = "o2"
		return Orders.Move(before, after).Run(w, w.db)
	}},
	{"`PutAll`, `DeleteAll`, `BatchOf`", []string{"Batch.Run"}, func(w world) error {
		return Shipments.PutAll(slices.Values([]Shipment{{"o1", "air"}, {"o1", "rail"}})).Run(w, w.db)
	}},
	{"`Transact` of a create, replace or put", []string{"Tx.Run"}, func(w world) error { return tablewright.Transact(Orders.Create(someOrder("o2"))).Run(w, w.db) }},
	{"`Transact` of an update or patch", nil, func(w world) error { return tablewright.Transact(Orders.Update("o1", newNote)).Run(w, w.db) }},
	{"`Transact` of a delete", nil, func(w world) error { return tablewright.Transact(Orders.Delete("o1")).Run(w, w.db) }},
	{"`Transact` of a `Check`", nil, func(w world) error { return tablewright.Transact(Orders.Check("o1")).Run(w, w.db) }},
	{"`Unique.Claim`", nil, func(w world) error {
		return tablewright.Transact(Customers.EmailClaim.Claim(Customer{ID: "c2", Email: "eve@example.org"})).Run(w, w.db)
	}},
	{"`Unique.Change`", nil, func(w world) error {
		return tablewright.Transact(Customers.EmailClaim.Change(Customer{ID: "c1", Email: "ada@example.org"}, Customer{ID: "c1", Email: "eve@example.org"})).Run(w, w.db)
	}},
	{"`Unique.Release`", nil, func(w world) error {
		return tablewright.Transact(Customers.EmailClaim.Release(Customer{ID: "c1", Email: "ada@example.org"})).Run(w, w.db)
	}},
	{"`Refs.Added`, `Removed`, in a transaction", nil, func(w world) error { return tablewright.Transact(OrderCount.Added(someOrder("o2"))).Run(w, w.db) }},
	{"`Sequence.Next`", []string{"Sequence.Next"}, func(w world) error { _, err := Numbers.Next(w, w.db, "c1"); return err }},
	{"`Sequence.Give`, and what its function writes", []string{"Sequence.Give"}, func(w world) error {
		_, err := Numbers.Give(w, w.db, "c1", func(int) ([]tablewright.TxWrite, error) { return nil, nil })
		return err
	}},
	{"`Counter.Sum`", []string{"Counter.Sum"}, func(w world) error { _, err := Visits.Sum(w, w.db, "page"); return err }},
	{"`PartiQL` SELECT", []string{"Statement.All", "Statement.Slice", "Statement.One", "Statement.Page", "Statement.Run"}, func(w world) error {
		_, err := tablewright.PartiQL[Order](Shop, `SELECT * FROM "Shop" WHERE PK = ?`, "o#o1").Slice(w, w.db)
		return err
	}},
	{"`PartiQL` SELECT from an index", nil, func(w world) error {
		_, err := tablewright.PartiQL[Order](Shop, `SELECT * FROM "Shop"."ByCustomer" WHERE customerId = ?`, "c1").Slice(w, w.db)
		return err
	}},
	{"`PartiQL` INSERT", nil, func(w world) error {
		return tablewright.PartiQL[Shipment](Shop, `INSERT INTO "Shop" VALUE {'PK': 'o#o1', 'SK': 'sh#air', 'orderId': 'o1', 'carrier': 'air'}`).Run(w, w.db)
	}},
	{"`PartiQL` UPDATE", nil, func(w world) error {
		return tablewright.PartiQL[Order](Shop, `UPDATE "Shop" SET note = ? WHERE PK = ? AND SK = 'o'`, "x", "o#o1").Run(w, w.db)
	}},
	{"`PartiQL` DELETE", nil, func(w world) error {
		return tablewright.PartiQL[Order](Shop, `DELETE FROM "Shop" WHERE PK = ? AND SK = 'o'`, "o#o1").Run(w, w.db)
	}},
	{"`Table.CreateIn`, of a table with time to live", []string{"Table.CreateIn"}, func(w world) error { return Ledger.CreateIn(w, w.db) }},
	{"`Table.CreateIn` with `Tags`", nil, func(w world) error { return Ledger.CreateIn(w, w.db, tablewright.Tags(map[string]string{"team": "a"})) }},
	{"`Table.CreateIn` with `Recoverable`", nil, func(w world) error { return Ledger.CreateIn(w, w.db, tablewright.Recoverable()) }},
	{"`Table.Compare`", []string{"Table.Compare"}, func(w world) error { _, err := Shop.Compare(w, w.db); return err }},
	{"`Describe`", []string{"Describe"}, func(w world) error { _, err := tablewright.Describe(w, w.db, "Shop"); return err }},
	{"`Copies.Put`, `Create`", []string{"CopiesWrite.Run"}, func(w world) error { return Fronts.Put(Front{Country: "no"}).Run(w, w.db) }},
	{"`Copies.Update`", nil, func(w world) error { return Fronts.Update("no", frontPages.Text.Set("x")).Run(w, w.db) }},
	{"`Copies.Delete`", nil, func(w world) error { return Fronts.Delete("no").Run(w, w.db) }},
	{"`Table.AddIndex`", []string{"Table.AddIndex"}, func(w world) error { return later.AddIndex(w, w.db, "ByNote") }},
	{"`Table.DropIndex`", []string{"Table.DropIndex"}, func(w world) error { return later.DropIndex(w, w.db, "ByCustomer") }},
	{"`migrate.Backfill`", nil, func(w world) error {
		_, err := migrate.Backfill{Table: Shop, Remove: []string{"GSI1PK"}}.Run(w, w.db)
		return err
	}},
	{"`migrate.Verify`", nil, func(w world) error {
		_, err := migrate.Verify{Table: Shop, Old: "ByCustomer", New: "ByCustomer"}.Run(w, w.db)
		return err
	}},
	{"`bulk.Export`", nil, func(w world) error {
		_, err := bulk.ExportTo(w, w.db, Orders.Scan().Intended(), io.Discard, bulk.ExportOptions{})
		return err
	}},
	{"`bulk.Import`", nil, func(w world) error {
		_, err := bulk.Import(w, w.db, Shop.Raw(), strings.NewReader(`{"Item":{"PK":{"S":"a"},"SK":{"S":"b"}}}`), bulk.ImportOptions{})
		return err
	}},
	{"`streams.Run`, with the table of leases made by it", nil, func(w world) error {
		return streams.Run(w, w.db, Shop, streams.Options{Group: "g", Create: true, Drain: true},
			streams.On(Orders, func(context.Context, streams.Change[Order]) error { return nil }))
	}},
}

// others take a context and a DB, and need what they are told to do.
var others = map[string]string{
	"PatternInfo.Run":      "the pattern's call",
	"Program.Run":          "the steps of the plan",
	"Program.CreateTables": "as Table.CreateIn",
	"Program.DeleteTables": "DeleteTable and DescribeTable",
}

var refusal = regexp.MustCompile(`is not authorized to perform: (\S+) on resource: (\S+)`)

const anywhere = "arn:aws:dynamodb:us-east-1:000000000000:"

// measure runs a call as a user who may do nothing, and grants what is refused until nothing is: what was granted is what
// the call needs, no less and no more. recorded is what the Recorder says of it.
func measure(t *testing.T, r row) (needs, recorded []iam.Need) {
	t.Helper()
	var recorder iam.Recorder
	for len(needs) < 20 {
		denied, err := try(t, r, iam.Policy(iam.Account{}, needs), recorder.Hook)
		if denied == nil {
			if err != nil {
				t.Fatalf("%s: %v", r.call, err)
			}
			return needs, recorder.Needs()
		}
		if slices.Contains(needs, *denied) {
			t.Fatalf("%s: %s is refused though it is granted", r.call, denied)
		}
		needs = append(needs, *denied)
	}
	t.Fatalf("%s: no end of refusals: %v", r.call, needs)
	return nil, nil
}

// try makes a call as a user with a policy, and tells the first refusal.
func try(t *testing.T, r row, policy []byte, hooks ...tablewright.Hook) (denied *iam.Need, err error) {
	t.Helper()
	e, err := engine.Open("", &engine.Options{SweepEvery: -1,
		Credentials: []engine.Credential{{KeyID: "USER", Secret: "secret", Principal: "user", Policy: policy}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := prepare(t.Context(), tablewright.New(tablewright.InProcess(e), tablewright.Options{})); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	refused := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			if service := (*wire.Error)(nil); denied == nil && errors.As(err, &service) && service.Code == "AccessDeniedException" {
				if m := refusal.FindStringSubmatch(service.Message); m != nil {
					denied = &iam.Need{Action: m[1], Resource: asNeed(m[2])}
					cancel()
				}
			}
			return err
		})
	}
	cfg := aws.Config{Region: "us-east-1", Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "USER", SecretAccessKey: "secret"}, nil
	})}
	db, err := tablewright.Connect(ctx, tablewright.Options{AWS: &cfg, Endpoint: server.URL, Hooks: append(hooks, refused), Retry: tablewright.Retry{Attempts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	err = r.run(world{ctx, db})
	return denied, err
}

// asNeed is the resource of a refusal as policies name it: streams with a star in place of their times.
func asNeed(arn string) string {
	name := strings.TrimPrefix(arn, anywhere)
	if table, _, ok := strings.Cut(name, "/stream/"); ok {
		return table + "/stream/*"
	}
	return name
}

// measured is the needs of all rows, held to what the Recorder says of the same calls, and to the policy that it makes.
func measured(t *testing.T) map[string][]iam.Need {
	t.Helper()
	all := map[string][]iam.Need{}
	for _, r := range rows {
		needs, recorded := measure(t, r)
		byName := func(l []iam.Need) []string {
			var names []string
			for _, n := range l {
				names = append(names, n.String())
			}
			slices.Sort(names)
			return names
		}
		if !slices.Equal(byName(needs), byName(recorded)) {
			t.Errorf("%s needs\n%q\nand the Recorder says\n%q", r.call, byName(needs), byName(recorded))
		}
		if denied, err := try(t, r, iam.Policy(iam.Account{Region: "us-east-1", ID: "000000000000"}, recorded)); denied != nil || err != nil {
			t.Errorf("%s with the recorded policy: %v, %v", r.call, denied, err)
		}
		all[r.call] = needs
	}
	return all
}

// TestRowsAreComplete: whatever takes a context and a DB is in the table, or is told there to need what it is told to do.
func TestRowsAreComplete(t *testing.T) {
	covered := map[string]bool{}
	for _, r := range rows {
		for _, m := range r.methods {
			covered[m] = true
		}
	}
	fset := token.NewFileSet()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !takesDB(f) {
				continue
			}
			name, exported := methodName(f)
			if !exported {
				continue
			}
			found++
			if !covered[name] && others[name] == "" {
				t.Errorf("%s sends requests: which actions it needs has to be in rows, for docs/iam.md", name)
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d functions were found", found)
	}
}

// takesDB reports whether a function takes a context and a *DB, or is a method of *DB's that sends.
func takesDB(f *ast.FuncDecl) bool {
	var types []string
	for _, p := range f.Type.Params.List {
		switch x := p.Type.(type) {
		case *ast.SelectorExpr:
			types = append(types, x.Sel.Name)
		case *ast.StarExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				types = append(types, "*"+id.Name)
			}
		}
	}
	return slices.Contains(types, "Context") && slices.Contains(types, "*DB")
}

func methodName(f *ast.FuncDecl) (name string, exported bool) {
	if f.Recv == nil {
		return f.Name.Name, true
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name, x.IsExported()
		default:
			return "", false
		}
	}
}
