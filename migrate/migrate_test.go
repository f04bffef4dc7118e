package migrate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/migrate"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

type m = map[string]string

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Order is what the orders of many tenants are.
type Order struct {
	ID       string    `ddb:"orderId"`
	Tenant   string    `ddb:"tenantId"`
	Region   string    `ddb:"region"`
	Status   string    `ddb:"status"`
	PlacedAt time.Time `ddb:"placedAt,iso"`
	Version  int       `ddb:"version,version"`
}

type Place struct{ Tenant, Region string }

// before is the declaration with both indexes.
type before struct {
	tablewright.Entity[string, Order]
	Status   tablewright.Text[Order, string]
	Region   tablewright.Text[Order, string]
	GSI1     tablewright.Index2[Order, Place, string, time.Time]
	ByTenant tablewright.Index2[Order, Place, string, time.Time]
}

var newIndex = plan.Index{Partition: []string{"tenantId", "region"}, Sort: []string{"status", "placedAt"}}

func both() (*tablewright.Table, *before) {
	t := tablewright.NewTable(plan.Table{Name: "Shop", Key: plan.Key{Partition: "PK"}, GSI: map[string]plan.Index{
		"GSI1": {Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}, "ByTenant": newIndex}})
	return t, tablewright.Declare[before](t, plan.Item{Name: "Order", Key: m{"PK": "o#{orderId}"},
		Set: map[string]plan.Template{"GSI1PK": {Value: "t#{tenantId}#r#{region}"}, "GSI1SK": {Value: "{status}#{placedAt:iso}", When: "status != 'archived'"}}})
}

// after is the declaration without the old one.
type after struct {
	tablewright.Entity[string, Order]
	ByTenant tablewright.Index2[Order, Place, string, time.Time]
}

func done() (*tablewright.Table, *after) {
	t := tablewright.NewTable(plan.Table{Name: "Shop", Key: plan.Key{Partition: "PK"}, GSI: map[string]plan.Index{"ByTenant": newIndex}})
	return t, tablewright.Declare[after](t, plan.Item{Name: "Order", Key: m{"PK": "o#{orderId}"}})
}

// legacy is how the table was before: only the concatenated key says whose an order is, and when it was placed.
func legacy() *tablewright.Table {
	return tablewright.NewTable(plan.Table{Name: "Shop", Key: plan.Key{Partition: "PK"}, Attributes: map[string]plan.Type{"PK": "S", "GSI1PK": "S", "GSI1SK": "S"},
		GSI: map[string]plan.Index{"GSI1": {Partition: []string{"GSI1PK"}, Sort: []string{"GSI1SK"}}}})
}

func fill(ctx context.Context, db *tablewright.DB, t *tablewright.Table, n int) error {
	var all []tablewright.BatchWrite
	for i := range n {
		at := noon.Add(time.Duration(i) * time.Minute).Format("2006-01-02T15:04:05.000Z")
		text := func(name, value string) attr.Field { return attr.Field{Name: name, Value: attr.Text(value)} }
		all = append(all, t.Raw().Put(attr.ItemOf(text("PK", fmt.Sprint("o#", i)), text("orderId", fmt.Sprint(i)),
			text("GSI1PK", fmt.Sprintf("t#t%d#r#eu", i%3)), text("GSI1SK", []string{"paid", "open$20now"}[i%2]+"#"+at), text("legacy", "kept"),
			attr.Field{Name: "version", Value: attr.Num(attr.Int(1))})))
	}
	return tablewright.BatchOf(all...).Run(ctx, db)
}

func queries(ctx context.Context, db *tablewright.DB, o *before) (old, now []Order, err error) {
	for i := range 4 {
		p := Place{fmt.Sprint("t", i), "eu"}
		a, err := o.GSI1.Of(p).Slice(ctx, db)
		if err != nil {
			return nil, nil, err
		}
		b, err := o.ByTenant.Of(p).Slice(ctx, db)
		if err != nil {
			return nil, nil, err
		}
		old, now = append(old, a...), append(now, b...)
	}
	return old, now, nil
}

// The whole way, while programs go on writing.
func Example() {
	ctx := context.Background()
	e, err := engine.Open("", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{})
	_ = legacy().CreateIn(ctx, db)
	_ = fill(ctx, db, legacy(), 250)

	// 1. Both are declared: writes keep them in step.
	shop, orders := both()
	// 2. The new index. Nothing is in it yet: the items lack its attributes.
	if err := shop.AddIndex(ctx, db, "ByTenant"); err != nil {
		fmt.Println(err)
	}
	_ = orders.Create(Order{ID: "new", Tenant: "t3", Region: "eu", Status: "paid", PlacedAt: noon}).Run(ctx, db)
	verify := migrate.Verify{Table: shop, Old: "GSI1", New: "ByTenant"}
	report, err := verify.Run(ctx, db)
	fmt.Println(report.OK(), report.Old, report.New, report.Wrong, err)
	// 3. Backfilled.
	progress, err := migrate.Backfill{Table: shop, Writers: 4}.Run(ctx, db)
	fmt.Println(progress.Read, "read,", progress.Written, "written,", err)
	// 4. Verified.
	report, err = verify.Run(ctx, db)
	fmt.Println(report.OK(), report, err)
	old, now, err := queries(ctx, db, orders)
	fmt.Println(len(old), len(now), err)
	// 5. The old one goes.
	shop, reduced := done()
	if err := shop.DropIndex(ctx, db, "GSI1"); err != nil {
		fmt.Println(err)
	}
	progress, err = migrate.Backfill{Table: shop, Remove: []string{"GSI1PK", "GSI1SK"}}.Run(ctx, db)
	fmt.Println(progress.Written, "written,", err)
	differences, err := shop.Compare(ctx, db)
	fmt.Println(differences, err)
	one, err := reduced.ByTenant.Of(Place{"t1", "eu"}).Is("paid").First(ctx, db)
	fmt.Println(one.ID, one.Tenant, one.PlacedAt.Format(time.TimeOnly), err)
	// Output:
	// false 251 1 250 <nil>
	// 251 read, 250 written, <nil>
	// true 251 items, 251 of them indexed; 251 entries in the old index, 251 in the new one; 0 items are wrong <nil>
	// 251 251 <nil>
	// 251 written, <nil>
	// [] <nil>
	// 4 t1 12:04:00 <nil>
}

// A run that is broken off goes on where it was; writers in between are not overwritten; the rate is kept.
func TestBackfillResumes(t *testing.T) {
	kit := tablewrighttest.Start(t, legacy())
	ctx, db := t.Context(), kit.DB
	if err := fill(ctx, db, legacy(), 40); err != nil {
		t.Fatal(err)
	}
	shop, orders := both()
	if err := shop.AddIndex(ctx, db, "ByTenant"); err != nil {
		t.Fatal(err)
	}
	if err := shop.AddIndex(ctx, db, "ByTenant"); !errors.Is(err, tablewright.ErrExists) {
		t.Errorf("made twice: %v", err)
	}
	stop := errors.New("stop")
	b := migrate.Backfill{Table: shop, Segments: 4, WriteRate: 10, ReadRate: 1000}
	b.Progress = func(p migrate.Progress) error {
		if p.Written > 5 {
			return stop
		}
		return nil
	}
	start := kit.Clock.Now()
	first, err := b.Run(ctx, db)
	if !errors.Is(err, stop) || first.At == "" || first.Written < 6 || first.Written >= 40 {
		t.Fatalf("%+v, %v", first, err)
	}
	// Somebody changes an item between the read and the write of the backfill.
	changed := false
	racing := tablewright.New(tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		if c.Operation == "UpdateItem" && !changed {
			changed = true
			key := attr.LookupRaw(c.Request, "Key")
			id := string(key)[strings.Index(string(key), "o#")+2:]
			id = id[:strings.IndexByte(id, '"')]
			o := Order{ID: id, Tenant: "t9", Region: "us", Status: "paid", PlacedAt: noon, Version: 1}
			if err := orders.Replace(o).Run(ctx, db); err != nil {
				t.Error(err)
			}
		}
		return db.Transport().Do(ctx, c)
	}), tablewright.Options{Clock: kit.Clock})
	b.From, b.Progress = first.At, nil
	second, err := b.Run(ctx, racing)
	if err != nil || second.At != "" || second.Again != 1 || first.Read+second.Read < 40 || first.Written+second.Written != 39 {
		t.Errorf("%+v, then %+v, %v", first, second, err)
	}
	if took, least := kit.Clock.Now().Sub(start), time.Duration(float64(first.WriteUnits+second.WriteUnits)/10*0.8*float64(time.Second)); took < least {
		t.Errorf("%v for %v units at 10 a second", took, first.WriteUnits+second.WriteUnits)
	}
	report, err := migrate.Verify{Table: shop, Old: "GSI1", New: "ByTenant"}.Run(ctx, db)
	if err != nil || !report.OK() {
		t.Errorf("%s, %v", report, err)
	}
	if moved, err := orders.ByTenant.Of(Place{"t9", "us"}).One(ctx, db); err != nil || moved.Version != 2 {
		t.Errorf("%+v, %v", moved, err)
	}
	// Updates keep both in step, and are refused where they cannot.
	if err := orders.Update("3", orders.Status.Set("shipped"), orders.Region.Set("us")).Run(ctx, db); !errors.Is(err, tablewright.ErrInvalid) {
		t.Errorf("half a key: %v", err)
	}
	three := must[Order](t)(orders.Get("3").Run(ctx, db))
	moved := three
	moved.Status, moved.Region = "shipped", "us"
	if err := orders.Patch(three, moved).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if old, now, err := queries(ctx, db, orders); err != nil || len(old) != 38 || len(now) != 38 {
		t.Errorf("%d, %d, %v", len(old), len(now), err)
	}
	// What lies in one only is told.
	archived := moved
	archived.Status, archived.Version = "archived", 2
	if err := orders.Replace(archived).Run(ctx, db); err != nil {
		t.Error(err)
	}
	report, err = migrate.Verify{Table: shop, Old: "GSI1", New: "ByTenant"}.Run(ctx, db)
	if err != nil || report.OK() || report.Wrong != 1 || !strings.Contains(report.String(), "is in ByTenant, and lacks a key attribute of GSI1") {
		t.Errorf("%s, %v", report, err)
	}
	if err := shop.DropIndex(ctx, db, "GSI1"); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "still declared") {
		t.Error(err)
	}
	if _, err := (migrate.Backfill{Table: shop, Remove: []string{"status"}}).Run(ctx, db); err == nil || !strings.Contains(err.Error(), "it is declared") {
		t.Error(err)
	}
	if err := shop.DropIndex(ctx, db, "Never"); err != nil {
		t.Error(err)
	}
}

// A rename on the wire is a backfill, too.
func TestBackfillRenames(t *testing.T) {
	type Old struct {
		ID    string `ddb:"id"`
		Title string `ddb:"title"`
	}
	type Book struct {
		ID    string `ddb:"id"`
		Title string `ddb:"t,was=title"`
	}
	books := func() *tablewright.Table {
		return tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "id"}})
	}
	olds := tablewright.Declare[tablewright.Entity[string, Old]](books(), plan.Item{Name: "Book"})
	table := books()
	tablewright.Declare[tablewright.Entity[string, Book]](table, plan.Item{Name: "Book"})
	kit := tablewrighttest.Start(t, table)
	for i := range 5 {
		if err := olds.Put(Old{fmt.Sprint(i), "Dawn"}).Run(t.Context(), kit.DB); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{5, 0} { // again: nothing to do
		p, err := migrate.Backfill{Table: table}.Run(t.Context(), kit.DB)
		if err != nil || p.Written != want || p.Read != 5 {
			t.Errorf("%+v, %v", p, err)
		}
	}
	for it, err := range table.Raw().Scan().Intended().All(t.Context(), kit.DB) {
		if err != nil || it.Has("title") || it.Get("t").Str() != "Dawn" {
			t.Errorf("%v, %v", it, err)
		}
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
