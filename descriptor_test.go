package tablewright_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type warehouse struct {
	ID    string            `ddb:"id"`
	Bins  [][]Line          `ddb:"bins,omitzero"`
	Stock map[string]Line   `ddb:"stock,omitzero"`
	Names map[string]string `ddb:"names,omitzero"`
}

type warehouses struct {
	tablewright.Entity[string, warehouse]
	Bins  tablewright.List[warehouse, []Line, tablewright.List[warehouse, Line, lineOf[warehouse]]]
	Stock tablewright.Map[warehouse, Line, lineOf[warehouse]]
	Names tablewright.Map[warehouse, string, tablewright.Text[warehouse, string]]
}

// Places that there cannot be are refused where they are used, before anything is sent.
func TestImpossiblePlaces(t *testing.T) {
	all := tablewright.Declare[warehouses](tablewright.NewTable(plan.Table{Name: "Warehouses", Key: plan.Key{Partition: "id"}}), plan.Item{Name: "Warehouse"})
	const below, beyond, empty = "there is no position -1", "there is no position 2147483648", "an empty key"
	type request interface {
		Request() (tablewright.Request, error)
	}
	for _, test := range []struct {
		call request
		want string
	}{
		{all.Update("a", all.Bins.At(-1).Remove()), "bins: " + below},
		{all.Update("a", all.Bins.At(-1).At(0).Qty.Plus(1)), "bins: " + below},
		{all.Update("a", all.Bins.At(1).At(-1).Qty.Set(1)), "bins[1]: " + below},
		{all.Update("a", all.Bins.At(1).At(-1).SKU.SetIfAbsent("x")), "bins[1]: " + below},
		{all.Update("a", all.Bins.At(math.MaxInt32+1).Append(Line{})), "bins: " + beyond},
		{all.Update("a", all.Stock.At("").Qty.Minus(1)), "stock: the value under " + empty},
		{all.Update("a", all.Names.At("x").Set("y")).If(all.Names.At("").Exists()), "names: the value under " + empty},
		{all.Delete("a").If(all.Bins.At(-1).At(0).SKU.Equals("x")), below},
		{all.Delete("a").If(all.Bins.At(0).At(-1).SKU.Absent().Not()), below},
		{all.Put(warehouse{ID: "a"}).If(all.Bins.At(-1).Exists().Or(all.Bins.At(0).Exists())), below},
		{all.Put(warehouse{ID: "a"}).If(all.Names.At("").Size().AtMost(3)), empty},
		{tablewright.Transact(all.Update("a", all.Bins.At(-1).Remove())), below},
	} {
		r, err := test.call.Request()
		if err == nil || !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %s, %v", test.want, r.Body, err)
		}
	}
	r, err := all.Update("a", all.Bins.At(math.MaxInt32).At(0).Qty.Plus(1), all.Names.At(" ").Set("y")).Request()
	if err != nil || !strings.Contains(string(r.Body), `SET #0[2147483647][0].#1 = `) {
		t.Errorf("%s, %v", r.Body, err)
	}
	r, err = all.Delete("a").If(all.Stock.Size().Less(3)).Request()
	if err != nil || !strings.Contains(string(r.Body), `"size(#0) < :0"`) {
		t.Errorf("%s, %v", r.Body, err)
	}
}

// The size of a text is its own, not its value's: it counts UTF-16 units, and one that is demanded says nothing of the value.
func TestSize(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	ctx := t.Context()
	o := order("o1")
	o.Note = "a😀" // 3 units, 5 bytes
	if err := Orders.Put(o).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	size := Orders.Note.Size()
	for n := range 6 {
		for name, test := range map[string]struct {
			cond  tablewright.Cond[Order]
			holds bool
		}{
			"equals": {size.Equals(n), n == 3}, "less": {size.Less(n), 3 < n}, "at most": {size.AtMost(n), 3 <= n},
			"greater": {size.Greater(n), 3 > n}, "at least": {size.AtLeast(n), 3 >= n}, "not": {size.Equals(n).Not(), n != 3},
		} {
			found, err := Orders.ByCustomer.Of("c1").Filter(test.cond).Count(ctx, db)
			if err != nil || (found == 1) != test.holds {
				t.Errorf("%s %d: %d found, %v", name, n, found, err)
			}
		}
	}
	for cond, holds := range map[tablewright.Cond[Order]]bool{
		Orders.Lines.Size().Less(2): false, Orders.Lines.Size().Equals(2): true, Orders.Tags.Size().AtMost(9): false, Orders.Tags.Size().AtMost(9).Not(): true,
	} {
		if found, err := Orders.ByCustomer.Of("c1").Filter(cond).Count(ctx, db); err != nil || (found == 1) != holds {
			t.Errorf("%d found, %v", found, err)
		}
	}
	absent := order("o2")
	if err := Orders.Put(absent).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	isError(t, Orders.Delete("o2").If(size.AtMost(9)).Run(ctx, db), tablewright.ErrConditionFailed)
}
