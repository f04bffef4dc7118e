package tablewright_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// fillOrders stores 30 orders of two customers in three states, an hour apart.
func fillOrders(t *testing.T, db *tablewright.DB) {
	t.Helper()
	for i := range 30 {
		o := order(OrderID(fmt.Sprintf("o%02d", i)))
		o.Customer = []CustomerID{"c1", "c2"}[i%2]
		o.Status = []Status{Placed, Paid, Shipped}[i%3]
		o.PlacedAt = noon.Add(time.Duration(i) * time.Hour)
		o.Total = attr.Int(int64(i))
		if err := Orders.Put(o).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []string{"a", "b"} {
		if err := Shipments.Put(Shipment{"o01", s, "post"}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
}

func ids(items []Order) string {
	var s []string
	for _, o := range items {
		s = append(s, strings.TrimPrefix(string(o.ID), "o"))
	}
	return strings.Join(s, " ")
}

func TestQuery(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		fillOrders(t, db)
		ctx := t.Context()
		paid := Orders.ByCustomer.Of("c1").Is(Paid)
		at := func(i int) time.Time { return noon.Add(time.Duration(i) * time.Hour) }
		for _, test := range []struct {
			name  string
			query tablewright.Query[Order]
			want  string
		}{
			{"partition", Orders.ByCustomer.Of("c1").Query, "04 10 16 22 28 00 06 12 18 24 02 08 14 20 26"},
			{"equal", paid.Query, "04 10 16 22 28"},
			{"descending", paid.Descending(), "28 22 16 10 04"},
			{"from", paid.From(at(16)), "16 22 28"},
			{"after", paid.After(at(16)), "22 28"},
			{"to", paid.To(at(16)), "04 10 16"},
			{"before", paid.Before(at(16)), "04 10"},
			{"between", paid.Between(at(10), at(22)), "10 16 22"},
			{"all equal", paid.Is(at(10)), "10"},
			{"prefix", tablewright.Prefix(Orders.ByCustomer.Of("c1"), "p"), "04 10 16 22 28 00 06 12 18 24"},
			{"states from", Orders.ByCustomer.Of("c1").From(Placed), "00 06 12 18 24 02 08 14 20 26"},
			{"filter", paid.Filter(Orders.Total.Greater(attr.Int(10))), "16 22 28"},
			{"top", paid.Top(2), "04 10"},
			{"filter and top", paid.Filter(Orders.Total.Greater(attr.Int(10))).Top(2), "16 22"},
			{"none", Orders.ByCustomer.Of("c9").Query, ""},
		} {
			items, err := test.query.Slice(ctx, db)
			if err != nil || ids(items) != test.want {
				t.Errorf("%s: %s, %v, want %s", test.name, ids(items), err, test.want)
			}
			if n, err := test.query.Count(ctx, db); err != nil || n != len(items) {
				t.Errorf("%s: count %d, %v", test.name, n, err)
			}
		}
		if o := must[Order](t)(paid.Descending().First(ctx, db)); o.ID != "o28" {
			t.Errorf("first %v", o.ID)
		}
		_, err := paid.One(ctx, db)
		isError(t, err, tablewright.ErrSeveral)
		_, err = Orders.ByCustomer.Of("c9").One(ctx, db)
		isError(t, err, tablewright.ErrNotFound)
		if o := must[Order](t)(paid.Is(at(10)).One(ctx, db)); o.ID != "o10" {
			t.Errorf("one %v", o.ID)
		}
		shipped := must[[]Shipment](t)(Shipments.OfOrder.Of("o01").Slice(ctx, db))
		if fmt.Sprint(shipped) != "[{o01 a post} {o01 b post}]" {
			t.Errorf("%v", shipped)
		}
		if n := must[int](t)(tablewright.Prefix(Shipments.OfOrder.Of("o01"), "b").Count(ctx, db)); n != 1 {
			t.Errorf("%d shipments with b", n)
		}
		if o := must[[]Order](t)(Orders.Everything.Of("o01").Slice(ctx, db)); ids(o) != "01" {
			t.Errorf("%v", o)
		}
		heads := must[[]OrderHead](t)(OrderHeads.ByCustomer.Of("c1").Is(Paid).Top(2).Slice(ctx, db))
		if fmt.Sprint(heads) != "[{o04 paid} {o10 paid}]" {
			t.Errorf("%v", heads)
		}
		if h := must[OrderHead](t)(OrderHeads.Get("o05").Run(ctx, db)); h != (OrderHead{"o05", Shipped}) {
			t.Errorf("%v", h)
		}
	})
}

// A query cut at any item and resumed, its cursor as text, gives the whole without repetitions.
func TestPages(t *testing.T) {
	for _, key := range []string{"", "secret"} {
		db := open(t, tablewright.Options{CursorKey: []byte(key)}, Shop)
		fillOrders(t, db)
		ctx := t.Context()
		for _, q := range []tablewright.Query[Order]{
			Orders.ByCustomer.Of("c1").Query,
			Orders.ByCustomer.Of("c1").Descending(),
			tablewright.Prefix(Orders.ByCustomer.Of("c2"), "p"),
			Orders.ByCustomer.Of("c1").Filter(Orders.Total.Greater(attr.Int(12))),
			Orders.ByCustomer.Of("c1").Filter(Orders.Total.Greater(attr.Int(12))).Evaluate(3),
			Orders.ByCustomer.Of("c1").Evaluate(2),
		} {
			whole := ids(must[[]Order](t)(q.Slice(ctx, db)))
			for n := 1; n <= 16; n++ {
				var got []Order
				pages := 0
				for page, err := range q.Pages(ctx, db, n) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, page.Items...)
					if pages++; pages > 40 {
						t.Fatal("no end")
					}
				}
				if ids(got) != whole {
					t.Errorf("pages of %d: %s, want %s", n, ids(got), whole)
				}
				first := must[tablewright.Page[Order]](t)(q.Page(ctx, db, n))
				for i := range first.Items {
					rest := must[[]Order](t)(q.Resume(first.At(i)).Slice(ctx, db))
					if both := ids(append(slices.Clone(first.Items[:i+1]), rest...)); both != whole {
						t.Errorf("cut after %d of %d: %s, want %s", i+1, n, both, whole)
					}
				}
			}
		}
		all := Orders.ByCustomer.Of("c1")
		if p := must[tablewright.Page[Order]](t)(all.Page(ctx, db, 15)); p.Next != "" || len(p.Items) != 15 {
			t.Errorf("a page of all there is: %d, next %q", len(p.Items), p.Next)
		}
		p := must[tablewright.Page[Order]](t)(all.Page(ctx, db, 5))
		for name, q := range map[string]tablewright.Query[Order]{
			"another partition": Orders.ByCustomer.Of("c2").Query,
			"another range":     all.Is(Paid).Query,
			"another order":     all.Descending(),
			"another filter":    all.Filter(Orders.Note.Exists()),
		} {
			if _, err := q.Resume(p.Next).Page(ctx, db, 5); !errors.Is(err, tablewright.ErrCursor) {
				t.Errorf("%s takes the cursor: %v", name, err)
			}
		}
		if _, err := all.Resume(p.Next+"x").Slice(ctx, db); !errors.Is(err, tablewright.ErrCursor) {
			t.Error(err)
		}
	}
}

// Concatenated keys: the bounds of a range include what goes on behind them and nothing else.
type Reading struct {
	Site  string    `ddb:"site"`
	Kind  string    `ddb:"kind"`
	Value int       `ddb:"value"`
	At    time.Time `ddb:"at"`
}

type readingKey struct {
	Site, Kind string
	At         time.Time
	Value      int
}

type readings struct {
	tablewright.Entity[readingKey, Reading]
	ByKind  tablewright.Index3[Reading, string, string, time.Time, int] `index:"Readings"`
	Highest tablewright.Index2[Reading, string, int, time.Time]
}

var Readings = tablewright.NewTable(plan.Table{Name: "Readings", Key: plan.Key{Partition: "PK", Sort: "SK"},
	LSI: map[string]plan.Index{"Highest": {Sort: []string{"top"}}}})

var ReadingsOf = tablewright.Declare[readings](Readings, plan.Item{
	Key: map[string]string{"PK": "s#{site}", "SK": "r#{kind}#{at:iso}{value:pad4}"},
	Set: map[string]plan.Template{"top": {Value: "{value:pad4:inverted}#{at:ms13}"}},
})

func TestConcatenatedKey(t *testing.T) {
	db := open(t, tablewright.Options{}, Readings)
	ctx := t.Context()
	kinds := []string{"a", "a ", "a#", "aa", "ab", "b"}
	n := 0
	for _, kind := range kinds {
		for i := range 4 {
			if err := ReadingsOf.Put(Reading{"x", kind, i * 10, noon.Add(time.Duration(i) * time.Millisecond)}).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	show := func(q tablewright.Query[Reading]) string {
		t.Helper()
		var s []string
		for r, err := range q.All(ctx, db) {
			if err != nil {
				t.Fatal(err)
			}
			s = append(s, fmt.Sprintf("%s:%d", r.Kind, r.Value))
		}
		return strings.Join(s, " ")
	}
	all := ReadingsOf.ByKind.Of("x")
	a := all.Is("a")
	at := func(i int) time.Time { return noon.Add(time.Duration(i) * time.Millisecond) }
	for _, test := range []struct {
		name  string
		query tablewright.Query[Reading]
		want  string
	}{
		{"equal text", a.Query, "a:0 a:10 a:20 a:30"},
		{"text with a separator", all.Is("a#").Query, "a#:0 a#:10 a#:20 a#:30"},
		{"to", all.To("a"), "a:0 a:10 a:20 a:30"},
		{"before", all.Before("a#"), "a:0 a:10 a:20 a:30 a :0 a :10 a :20 a :30"},
		{"after", all.After("aa"), "ab:0 ab:10 ab:20 ab:30 b:0 b:10 b:20 b:30"},
		{"from", all.From("b"), "b:0 b:10 b:20 b:30"},
		{"between", all.Between("aa", "ab"), "aa:0 aa:10 aa:20 aa:30 ab:0 ab:10 ab:20 ab:30"},
		{"prefix", tablewright.Prefix(all, "aa"), "aa:0 aa:10 aa:20 aa:30"},
		{"times after", a.After(at(1)), "a:20 a:30"},
		{"times to", a.To(at(1)), "a:0 a:10"},
		{"times before", a.Before(at(1)), "a:0"},
		{"last part before", a.Is(at(1)).Before(10), ""},
		{"last part to", a.Is(at(1)).To(10), "a:10"},
		{"last part after", a.Is(at(1)).After(9), "a:10"},
		{"inverted", ReadingsOf.Highest.Of("x").From(30).Top(2), "a:30 a :30"},
		{"inverted before", ReadingsOf.Highest.Of("x").Before(10).Top(1), "a:0"},
		{"inverted between", ReadingsOf.Highest.Of("x").Between(10, 20).Descending().Top(1), "b:10"},
	} {
		if got := show(test.query); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if got := must[int](t)(all.Count(ctx, db)); got != n {
		t.Errorf("%d of %d", got, n)
	}
	r := Reading{"x", "a", 10, at(1)}
	if key := ReadingsOf.Key(r); key != (readingKey{"x", "a", at(1), 10}) {
		t.Errorf("key %v", key)
	}
	if got := must[Reading](t)(ReadingsOf.Get(ReadingsOf.Key(r)).Run(ctx, db)); got != r {
		t.Errorf("%v", got)
	}
}

func TestScan(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	fillOrders(t, db)
	for i := range 5 {
		if err := Customers.Put(Customer{ID: CustomerID(fmt.Sprint("c", i))}).Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	for _, segments := range []int{1, 4} {
		seen := map[CustomerID]int{}
		for c, err := range Customers.Scan().Intended().Parallel(segments).All(t.Context(), db) {
			if err != nil {
				t.Fatal(err)
			}
			seen[c.ID]++
		}
		if fmt.Sprint(seen) != "map[c0:1 c1:1 c2:1 c3:1 c4:1]" {
			t.Errorf("%d segments: %v", segments, seen)
		}
		n := 0
		var from tablewright.Cursor
		for pages := 0; ; pages++ {
			ended := true
			for page, err := range Orders.Scan().Intended().Parallel(segments).Filter(Orders.Total.AtLeast(attr.Int(10))).Resume(from).Pages(t.Context(), db) {
				if err != nil {
					t.Fatal(err)
				}
				n += len(page.Items)
				from = page.Next
				ended = from == ""
				break // as if interrupted after every page
			}
			if ended || pages > 20 {
				break
			}
		}
		if n != 20 {
			t.Errorf("%d segments: %d orders", segments, n)
		}
		if segments == 4 {
			continue
		}
	}
}

// What a view reads can be counted, whether the service counts it or the client does, and also behind a page.
func TestCountOfViews(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		ctx := t.Context()
		if err := UsersTable.CreateIn(ctx, db); err != nil {
			t.Fatal(err)
		}
		for i := range 7 {
			if err := Users.Put(User{ID: fmt.Sprint(i), Tenant: "t", Customer: "c", Country: "NO", State: "x", City: "y"}).Run(ctx, db); err != nil {
				t.Fatal(err)
			}
		}
		var used tablewright.Usage
		of := UserNames.ByPlace.Of(tenantCustomer{"t", "c"})
		if n, err := of.Count(ctx, db.Measure(&used)); n != 7 || err != nil || used.Returned != 7 {
			t.Errorf("%d, %v, %d items", n, err, used.Returned)
		}
		page := must[tablewright.Page[UserName]](t)(of.Page(ctx, db, 3))
		if n, err := of.Resume(page.Next).Count(ctx, db); n != 4 || err != nil {
			t.Errorf("behind a page %d, %v", n, err)
		}
		if n, err := of.Top(2).Count(ctx, db); n != 2 || err != nil {
			t.Errorf("of the first %d, %v", n, err)
		}
		for name, scan := range map[string]tablewright.Scan[UserName]{"table": UserNames.Scan(), "index": UserNames.ByPlace.Scan()} {
			scan = scan.Intended()
			if n, err := scan.Parallel(2).Count(ctx, db); n != 7 || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			for page, err := range scan.Pages(ctx, db) {
				if err != nil {
					t.Fatal(err)
				}
				if n, err := scan.Resume(page.At(2)).Count(ctx, db); n != 4 || err != nil {
					t.Errorf("%s, behind an item: %d, %v", name, n, err)
				}
				break
			}
		}
	})
}

// UserName is a smaller reading of a User, with an index.
type UserName struct {
	ID string `ddb:"userId"`
}

type userNames struct {
	tablewright.View[string, UserName]
	ByPlace tablewright.Index3[UserName, tenantCustomer, string, string, string]
}

var UserNames = tablewright.ViewOf[userNames](Users)

// Top ends an answer; a page ends by its own number, and does not go past the end of what Top leaves without saying so.
func TestTopAndPages(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	fillOrders(t, db)
	q := Orders.ByCustomer.Of("c1").Is(Paid).Top(1)
	_, err := q.Page(t.Context(), db, 3)
	isError(t, err, tablewright.ErrInvalid)
	for _, err := range q.Pages(t.Context(), db, 3) {
		isError(t, err, tablewright.ErrInvalid)
	}
	if one, err := q.One(t.Context(), db); err != nil || one.ID != "o04" {
		t.Errorf("the only one of the first: %v, %v", one.ID, err)
	}
	_, err = q.Top(2).One(t.Context(), db)
	isError(t, err, tablewright.ErrSeveral)
}
