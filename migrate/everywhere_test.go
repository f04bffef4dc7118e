package migrate_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/peers"
	"github.com/tablewright/tablewright/migrate"
)

var local peers.Local

func TestMain(m *testing.M) {
	code := m.Run()
	local.Stop()
	os.Exit(code)
}

// way migrates a table of 40 items, and says what each step of it answers.
func way(ctx context.Context, db *tablewright.DB) string {
	var said strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
	say("made: %v, filled: %v", legacy().CreateIn(ctx, db), fill(ctx, db, legacy(), 40))
	shop, orders := both()
	say("index: %v", shop.AddIndex(ctx, db, "ByTenant"))
	say("new: %v", orders.Create(Order{ID: "new", Tenant: "t3", Region: "eu", Status: "paid", PlacedAt: noon}).Run(ctx, db))
	verify := migrate.Verify{Table: shop, Old: "GSI1", New: "ByTenant"}
	report, err := verify.Run(ctx, db)
	say("before: %t %d %d %d %d %v", report.OK(), report.Items, report.Old, report.New, report.Wrong, err)
	progress, err := migrate.Backfill{Table: shop, Writers: 3, Segments: 2}.Run(ctx, db)
	say("backfilled: %d %d %d %v", progress.Read, progress.Written, progress.Again, err)
	report, err = verify.Run(ctx, db)
	say("after: %s %v", report, err)
	old, now, err := queries(ctx, db, orders)
	say("%v\n%v\n%v", old, now, err)
	shop, reduced := done()
	say("dropped: %v", shop.DropIndex(ctx, db, "GSI1"))
	progress, err = migrate.Backfill{Table: shop, Remove: []string{"GSI1PK", "GSI1SK"}}.Run(ctx, db)
	say("removed: %d %v", progress.Written, err)
	differences, err := shop.Compare(ctx, db)
	say("differences: %v %v", differences, err)
	one, err := reduced.ByTenant.Of(Place{"t1", "eu"}).Is("paid").First(ctx, db)
	say("%+v %v", one, err)
	it, err := shop.Raw().Get(shop.Raw().Key(must2(shop.Raw().Scan().Intended().Filter(shop.Raw().Where("orderId = ?", "7")).One(ctx, db)))).Run(ctx, db)
	say("%s %v", it, err)
	return said.String()
}

func must2[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The same program does the same on the engine in process, over HTTP, and on DynamoDB Local.
func TestTheSameEverywhere(t *testing.T) {
	t.Parallel() // DynamoDB Local takes its time to make and drop an index
	open := func(endpoint string) *tablewright.DB {
		db, err := tablewright.Connect(t.Context(), tablewright.Options{Endpoint: endpoint, Retry: tablewright.Retry{Budget: time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	want := way(t.Context(), tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{}))
	if !strings.Contains(want, "before: false 41 41 1 40 <nil>") || !strings.Contains(want, "backfilled: 41 40 0 <nil>") || !strings.Contains(want, "after: 41 items, 41 of them indexed") ||
		!strings.Contains(want, "removed: 41 <nil>") || !strings.Contains(want, "differences: [] <nil>") {
		t.Fatal(want)
	}
	t.Run("over HTTP", func(t *testing.T) {
		server := httptest.NewServer(engine.New(t).Handler())
		t.Cleanup(server.Close)
		if got := way(t.Context(), open(server.URL)); got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
	})
	t.Run("on DynamoDB Local", func(t *testing.T) {
		if got := way(t.Context(), open(local.URL(t))); got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
	})
}
