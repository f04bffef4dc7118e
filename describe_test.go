package tablewright_test

import (
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
		if _, err := tablewright.Describe(ctx, nil, "Shop"); !errors.Is(err, tablewright.ErrInvalid) {
			t.Error(err)
		}
		for _, err := range (*tablewright.DB)(nil).Tables(ctx) {
			if !errors.Is(err, tablewright.ErrInvalid) {
				t.Error(err)
			}
		}
		var used tablewright.Usage
		if _, err := Orders.Get("o01").Run(ctx, db.Measure(&used)); err != nil || used.Sum().Read != 0.5 || used.Sum().Write != 0 {
			t.Errorf("%v: %+v", err, used.Sum())
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
