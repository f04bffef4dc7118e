package tablewright_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// TestDescribe: what is described is what was declared, and declares a table that is the same.
func TestDescribe(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		ctx := t.Context()
		fillOrders(t, db)
		d, err := tablewright.Describe(ctx, db, "Shop")
		if err != nil {
			t.Fatal(err)
		}
		if d.Table.Name != "Shop" || d.Table.Key != (plan.Key{Partition: "PK", Sort: "SK"}) || d.Table.TTL != "draftUntil" || d.Table.Stream != plan.NewAndOld ||
			d.Status != "ACTIVE" || d.ARN == "" || time.Since(d.Created) < -time.Minute {
			t.Errorf("described %+v", d)
		}
		if x := d.Table.GSI["ByCustomer"]; !slices.Equal(x.Sort, []string{"status", "placedAt"}) || d.Table.GSI["Open"].Project != plan.Keys || len(d.Indexes) != 2 || d.Indexes["Open"].Status != "ACTIVE" {
			t.Errorf("indexes %+v %+v", d.Table.GSI, d.Indexes)
		}
		differences, err := tablewright.NewTable(d.Table).Compare(ctx, db)
		if err != nil || len(differences) > 0 {
			t.Errorf("%v: %v", err, differences)
		}
		if _, err := tablewright.Describe(ctx, db, "Nowhere"); !errors.Is(err, tablewright.ErrNotFound) {
			t.Error(err)
		}
		var names []string
		for name, err := range db.Tables(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		if !slices.Contains(names, "Shop") {
			t.Error(names)
		}
	})
}

// TestDo: what the package has no call for is sent as it is, seen by hooks and counted.
func TestDo(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		fillOrders(t, db)
		var used tablewright.Usage
		answer, err := db.Measure(&used).Do(t.Context(), "Query", []byte(`{"TableName":"Shop","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"o#o01"}}}`))
		var page struct{ Count int }
		if err != nil || json.Unmarshal(answer, &page) != nil || page.Count != 3 {
			t.Errorf("%v %s", err, answer)
		}
		if used.Requests != 1 || used.Sum().Read != 0.5 || used.Returned != 3 {
			t.Errorf("%d requests, %v units, %d items", used.Requests, used.Sum(), used.Returned)
		}
		for request, kind := range map[string]error{`{"TableName":"Nowhere"}`: nil, `[]`: tablewright.ErrInvalid, `{`: tablewright.ErrInvalid} {
			_, err := db.Do(t.Context(), "DescribeTable", []byte(request))
			var e *tablewright.Error
			if !errors.As(err, &e) || e.Operation != "DescribeTable" || kind != nil && !errors.Is(err, kind) {
				t.Errorf("%s: %v", request, err)
			}
		}
		if _, err := (*tablewright.DB)(nil).Do(t.Context(), "ListTables", []byte(`{}`)); !errors.Is(err, tablewright.ErrInvalid) {
			t.Error(err)
		}
		if _, err := tablewright.Describe(t.Context(), nil, "Shop"); !errors.Is(err, tablewright.ErrInvalid) {
			t.Error(err)
		}
	})
}

// TestLast: pages from the end, in the query's order; package relay tests more of it.
func TestLast(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		fillOrders(t, db)
		q := Orders.ByCustomer.Of("c1").Is(Paid).Query // 04 10 16 22 28
		p, err := q.Last(t.Context(), db, "", 2)
		if err != nil || ids(p.Items) != "22 28" || p.Previous == "" || p.Next != "" {
			t.Fatalf("%v: %s, %q %q", err, ids(p.Items), p.Previous, p.Next)
		}
		if p, err = q.Last(t.Context(), db, p.Previous, 2); err != nil || ids(p.Items) != "10 16" || p.Previous == "" || p.Next == "" {
			t.Fatalf("%v: %s", err, ids(p.Items))
		}
		if after, err := q.Resume(p.Next).Slice(t.Context(), db); err != nil || ids(after) != "22 28" {
			t.Errorf("%v: after the page %s", err, ids(after))
		}
		if p, err = q.Last(t.Context(), db, p.Previous, 2); err != nil || ids(p.Items) != "04" || p.Previous != "" {
			t.Errorf("%v: %s, %q", err, ids(p.Items), p.Previous)
		}
		for _, f := range []func() error{
			func() error { _, err := q.Last(t.Context(), db, "", 0); return err },
			func() error { _, err := q.Top(1).Last(t.Context(), db, "", 1); return err },
			func() error { _, err := q.Resume(p.At(0)).Last(t.Context(), db, "", 1); return err },
		} {
			if err := f(); !errors.Is(err, tablewright.ErrInvalid) {
				t.Error(err)
			}
		}
		if _, err := q.Descending().Last(t.Context(), db, p.At(0), 1); !errors.Is(err, tablewright.ErrCursor) {
			t.Error(err)
		}
	})
}
