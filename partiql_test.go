package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// PartiQL, with typed results.
func ExamplePartiQL() {
	ctx, db := inMemory(Shop)
	_ = Orders.Create(Order{ID: "o1", Customer: "c1", Status: Paid, PlacedAt: noon}).Run(ctx, db)
	type head struct {
		ID     OrderID `ddb:"orderId"`
		Status Status  `ddb:"status"`
	}
	paid, err := tablewright.PartiQL[head](Shop, `SELECT orderId, status FROM "Shop"."ByCustomer" WHERE customerId = ? AND status = ?`, "c1", Paid).Slice(ctx, db)
	fmt.Println(paid, err)
	_, err = tablewright.PartiQL[head](Shop, `SELECT * FROM "Shop" WHERE PK = `).Slice(ctx, db)
	fmt.Println(errors.Is(err, tablewright.ErrInvalid))
	// Output:
	// [{o1 paid}] <nil>
	// true
}

func TestPartiQL(t *testing.T) {
	db := open(t, tablewright.Options{TableName: func(n string) string { return "test-" + n }}, Shop)
	ctx := t.Context()
	fillOrders(t, db)
	all := tablewright.PartiQL[Order](Shop, `SELECT * FROM Shop.ByCustomer WHERE customerId = ?`, "c1")
	whole := must[[]Order](t)(all.Slice(ctx, db))
	if ids(whole) != ids(must[[]Order](t)(Orders.ByCustomer.Of("c1").Slice(ctx, db))) || len(whole) != 15 {
		t.Errorf("%s", ids(whole))
	}
	var got []Order
	var at tablewright.Cursor
	for range 20 {
		page, err := all.Resume(at).Page(ctx, db, 4)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, page.Items...)
		if at = page.Next; at == "" {
			break
		}
	}
	if ids(got) != ids(whole) {
		t.Errorf("by pages %s", ids(got))
	}
	page := must[tablewright.Page[Order]](t)(all.Page(ctx, db, 4))
	other := tablewright.PartiQL[Order](Shop, `SELECT * FROM Shop.ByCustomer WHERE customerId = ?`, "c2")
	if _, err := other.Resume(page.Next).Slice(ctx, db); !errors.Is(err, tablewright.ErrCursor) {
		t.Errorf("another statement's cursor: %v", err)
	}
	var used tablewright.Usage
	one := must[Order](t)(tablewright.PartiQL[Order](Shop, `SELECT * FROM "Shop" WHERE PK = ? AND SK = 'o'`, "o#"+string(whole[0].ID)).One(ctx, db.Measure(&used)))
	if one.ID != whole[0].ID || used.Read != 0.5 || used.Write != 0 || used.Returned != 1 {
		t.Errorf("%v, %+v", one.ID, &used)
	}
	if err := tablewright.PartiQL[Order](Shop, `UPDATE "Shop" SET note = ? WHERE PK = ? AND SK = 'o'`, "by statement", "o#"+string(one.ID)).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if o := must[Order](t)(Orders.Get(one.ID).Run(ctx, db)); o.Note != "by statement" {
		t.Error(o)
	}
	items := must[[]attr.Item](t)(tablewright.PartiQL[attr.Item](Shop, `DELETE FROM Shop WHERE PK = ? AND SK = 'o' RETURNING ALL OLD *`, "o#"+string(one.ID)).Slice(ctx, db))
	if len(items) != 1 || items[0].Get("note").Str() != "by statement" {
		t.Error(items)
	}
	_, err := tablewright.PartiQL[Order](Shop, `SELECT * FROM "Shop" WHERE PK = ? AND SK = 'o'`, "o#"+string(one.ID)).One(ctx, db)
	isError(t, err, tablewright.ErrNotFound)
	_, err = all.One(ctx, db)
	isError(t, err, tablewright.ErrSeveral)
	requests := 0
	counted := open(t, tablewright.Options{Hooks: []tablewright.Hook{count(&requests)}})
	for want, s := range map[string]tablewright.Statement[Order]{
		"is about Other": tablewright.PartiQL[Order](Shop, `SELECT * FROM Other`),
		"value 1":        tablewright.PartiQL[Order](Shop, `SELECT * FROM Shop WHERE PK = ?`, (*string)(nil)),
		"SELEC ":         tablewright.PartiQL[Order](Shop, `SELEC * FROM Shop`),
		"not declared":   {},
	} {
		if err := s.Run(ctx, counted); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if requests > 0 {
		t.Errorf("%d requests were sent", requests)
	}
	// What is told of a statement has no values.
	secret := `SELECT * FROM Shop WHERE "a1" = 'O''Hara' AND b2 = -12.5e3 AND begins_with(c, 'secre`
	err = tablewright.PartiQL[Order](Shop, secret).Run(ctx, counted)
	isError(t, err, tablewright.ErrInvalid)
	if text := err.Error(); strings.Contains(text, "Hara") || strings.Contains(text, "12.5") || strings.Contains(text, "secre") || !strings.Contains(text, `\"a1\" = '*******' AND b2 = ******* AND`) {
		t.Error(text)
	}
}

// The name at the service stands where the statement names the table, and nowhere else: texts are the caller's.
func TestStatementsTexts(t *testing.T) {
	db := open(t, tablewright.Options{TableName: func(n string) string { return "test-" + n }}, Shop)
	for _, text := range []string{"from Shop", "it''s from Shop into Shop, update Shop"} {
		insert := tablewright.PartiQL[attr.Item](Shop, "INSERT INTO Shop VALUE {'PK': 'x', 'SK': '"+text[:2]+"', 'note': '"+text+"'}")
		if err := insert.Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		read := tablewright.PartiQL[attr.Item](Shop, "SELECT \"note\" FROM \"Shop\" WHERE PK = 'x' AND SK = '"+text[:2]+"' AND note = '"+text+"'")
		it := must[attr.Item](t)(read.One(t.Context(), db))
		if want := strings.ReplaceAll(text, "''", "'"); it.Get("note").Str() != want {
			t.Errorf("%q was written as %q", want, it.Get("note").Str())
		}
	}
}

// Hooks are told what index a statement names, and of its pages which go on, and who goes on from them.
func TestStatementCalls(t *testing.T) {
	type told struct {
		index                 string
		resumed, goesOn, more bool
	}
	var calls []told
	table := tablewright.NewTable(plan.Table{Name: "Slips", Attributes: map[string]plan.Type{"PK": plan.S, "SK": plan.S, "note": plan.S},
		Key: plan.Key{Partition: "PK", Sort: "SK"}, GSI: map[string]plan.Index{"ByNote": {Partition: []string{"note"}}}})
	hook := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			if c.Operation == "ExecuteStatement" {
				calls = append(calls, told{c.Index, c.Resumed, c.GoesOn, c.More})
			}
			return err
		})
	}
	db, ctx := open(t, tablewright.Options{Hooks: []tablewright.Hook{hook}}, table), t.Context()
	for i := range 3 {
		if err := tablewright.PartiQL[attr.Item](table, `INSERT INTO "Slips" VALUE {'PK': 'p', 'SK': ?, 'note': 'n'}`, fmt.Sprint(i)).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	calls = nil
	of := tablewright.PartiQL[attr.Item](table, `SELECT * FROM "Slips" WHERE PK = 'p'`)
	page, err := of.Page(ctx, db, 2)
	if err == nil {
		_, err = of.Resume(page.Next).Slice(ctx, db)
	}
	if err == nil {
		_, err = tablewright.PartiQL[attr.Item](table, `SELECT * FROM "Slips"."ByNote" WHERE note = 'n'`).Slice(ctx, db)
	}
	if want := []told{{"", false, false, true}, {"", true, true, false}, {"ByNote", false, true, false}}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("%v: told %v, want %v", err, calls, want)
	}
}
