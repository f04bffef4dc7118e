package tablewright_test

import (
	"encoding/json"
	"errors"
	"reflect"
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

// TestReadDeclaration: what makes a table, and what describes it, is read as what was declared.
func TestReadDeclaration(t *testing.T) {
	request := []byte(`{"TableName":"Rooms","BillingMode":"PAY_PER_REQUEST","TableClass":"STANDARD_INFREQUENT_ACCESS",
		"KeySchema":[{"AttributeName":"house","KeyType":"HASH"},{"AttributeName":"room","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"house","AttributeType":"S"},{"AttributeName":"room","AttributeType":"N"},{"AttributeName":"guest","AttributeType":"S"}],
		"GlobalSecondaryIndexes":[{"IndexName":"ByGuest","KeySchema":[{"AttributeName":"guest","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["until"]}}]}`)
	want := plan.Table{Name: "Rooms", Key: plan.Key{Partition: "house", Sort: "room"}, Class: "infrequent-access",
		Attributes: map[string]plan.Type{"house": plan.S, "room": plan.N, "guest": plan.S},
		GSI:        map[string]plan.Index{"ByGuest": {Partition: []string{"guest"}, Project: plan.Include, Include: []string{"until"}}}}
	got, err := tablewright.ReadDeclaration(request)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v, want %+v", err, got, want)
	}
	for _, text := range []string{``, `[]`, `{}`, `{"TableName":"Rooms","KeySchema":[{"AttributeName":"room","KeyType":"RANGE"}]}`} {
		if d, err := tablewright.ReadDeclaration([]byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, d)
		}
	}
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		answer, err := db.Send(t.Context(), "DescribeTable", "Shop", []byte(`{"TableName":"Shop"}`))
		if err != nil {
			t.Fatal(err)
		}
		var of struct{ Table json.RawMessage }
		if err := json.Unmarshal(answer, &of); err != nil {
			t.Fatal(err)
		}
		described, err := tablewright.ReadDeclaration(of.Table)
		d, failure := tablewright.Describe(t.Context(), db, "Shop")
		if d.Table.TTL = ""; err != nil || failure != nil || described.Name == "" || described.Key.Sort != "SK" {
			t.Errorf("%v, %v: %+v", err, failure, described)
		}
		if described.Name = "Shop"; !reflect.DeepEqual(described, d.Table) { // as the database calls it
			t.Errorf("read %+v, described %+v", described, d.Table)
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
