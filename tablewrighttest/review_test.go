package tablewrighttest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/tablewrighttest"
)

// request is a context of its own, as each request that a program serves has one.
func request(t testing.TB) context.Context { return context.WithValue(t.Context(), requestKey{}, t) }

type requestKey struct{}

func (w *watched) Log(args ...any) { w.Error("logged: " + fmt.Sprint(args...)) }

// sloppy does what a reviewer frowns at, clean the same as it should be.
var sloppy = map[string]func(t testing.TB, kit *tablewrighttest.Kit){
	"lost-update": func(t testing.TB, kit *tablewrighttest.Kit) {
		ok(t, Customers.Put(Customer{ID: "c1"}).Run(request(t), kit.DB))
	},
	"scan-reads-much": func(t testing.TB, kit *tablewrighttest.Kit) {
		for _, err := range Books.Scan().Intended().All(request(t), kit.DB) {
			ok(t, err)
		}
	},
	"read-before-write": func(t testing.TB, kit *tablewrighttest.Kit) {
		ctx := request(t)
		book, err := Books.Get("978-0").Run(ctx, kit.DB)
		ok(t, err)
		book.Title = "Noon"
		ok(t, Books.Put(book).Run(ctx, kit.DB))
	},
	"single-gets": func(t testing.TB, kit *tablewrighttest.Kit) {
		ctx := request(t)
		for _, id := range []string{"978-0", "978-1", "978-2", "978-3"} {
			_, err := Books.Get(id).Run(ctx, kit.DB)
			ok(t, err)
		}
	},
	"repeated-reads": func(t testing.TB, kit *tablewrighttest.Kit) {
		ctx := request(t)
		for range 2 {
			_, err := Books.Get("978-0").Run(ctx, kit.DB)
			ok(t, err)
		}
	},
	"unpaged": func(t testing.TB, kit *tablewrighttest.Kit) { // a limit before a filter
		for range 3 {
			query(t, kit, `,"Limit":4,"FilterExpression":"#t <= :t","ExpressionAttributeNames":{"#t":"total"}`)
		}
	},
	"filter-drops-much": func(t testing.TB, kit *tablewrighttest.Kit) {
		query(t, kit, `,"FilterExpression":"#t < :t","ExpressionAttributeNames":{"#t":"total"}`)
	},
	"large-items": func(t testing.TB, kit *tablewrighttest.Kit) {
		ok(t, Books.Create(Book{ISBN: "978-9", Title: strings.Repeat("x", 150_000)}).Run(request(t), kit.DB))
	},
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// query reads the orders of c1, of which one has a total below 6.
func query(t testing.TB, kit *tablewrighttest.Kit, more string) {
	_, err := kit.DB.Send(request(t), "Query", "Shop", []byte(`{"TableName":"Shop","IndexName":"ByCustomer","KeyConditionExpression":"customerId = :c",`+
		`"ExpressionAttributeValues":{":c":{"S":"c1"},":t":{"N":"6"}}`+more+`}`))
	ok(t, err)
}

func reviewed(t testing.TB, mode tablewrighttest.Review) *tablewrighttest.Kit {
	kit := tablewrighttest.StartWith(t, tablewrighttest.Options{Review: mode}, Shop, BooksTable)
	kit.Load(t, "testdata/review.yaml")
	return kit
}

// What is sloppy is remarked once, and nothing else is.
func TestReview(t *testing.T) {
	for rule, f := range sloppy {
		t.Run(rule, func(t *testing.T) {
			kit := reviewed(t, tablewrighttest.ReviewLog)
			f(t, kit)
			remarks := kit.Review()
			if len(remarks) != 1 || remarks[0].Rule != rule || strings.Contains(remarks[0].Text, "c1") ||
				remarks[0].String() != remarks[0].Text+" ["+rule+"]" {
				t.Errorf("remarked: %v", remarks)
			}
			t.Log(remarks)
		})
	}
	kit := reviewed(t, tablewrighttest.ReviewFail)
	ok(t, Customers.Create(Customer{ID: "c1"}).Run(request(t), kit.DB))
	ok(t, Orders.Edit("o1", func(o *Order) error { o.Paid = true; return nil }).Run(request(t), kit.DB))
	orders, err := PaidOrders.With("c1").Slice(request(t), kit.DB)
	ok(t, err)
	if remarks := kit.Review(); len(remarks) > 0 || len(orders) != 5 {
		t.Errorf("of what is as it should be: %v", remarks)
	}
}

// Remarks are logged or fail the test, as the test or the environment says.
func TestReviewIsTold(t *testing.T) {
	for _, test := range []struct {
		mode        tablewrighttest.Review
		environment string
		logs, fails bool
	}{
		{tablewrighttest.ReviewDefault, "", false, false},
		{tablewrighttest.ReviewDefault, "off", false, false},
		{tablewrighttest.ReviewDefault, "1", true, false},
		{tablewrighttest.ReviewDefault, "fail", false, true},
		{tablewrighttest.ReviewOff, "fail", false, false},
		{tablewrighttest.ReviewLog, "", true, false},
		{tablewrighttest.ReviewFail, "1", false, true},
	} {
		t.Setenv("TABLEWRIGHT_REVIEW", test.environment)
		said := says(t, func(t testing.TB) {
			kit := reviewed(t, test.mode)
			sloppy["scan-reads-much"](t, kit)
			if test.logs || test.fails {
				return
			}
			if remarks := kit.Review(); remarks != nil {
				t.Errorf("%v", remarks)
			}
		})
		want := ""
		if test.logs {
			want = "logged: "
		}
		if test.logs || test.fails {
			want += "tablewrighttest: a reviewer would say:\n  Scan of Books, once, 4 items looked at for 4: it reads all there is, however much that gets; a query of a key " +
				"or an index reads what is wanted [scan-reads-much]"
		}
		if said != want {
			t.Errorf("%+v: %s", test, said)
		}
	}
}

// Statements of PartiQL are looked at as what they do.
func TestReviewOfStatements(t *testing.T) {
	kit := reviewed(t, tablewrighttest.ReviewLog)
	_, err := tablewright.PartiQL[Customer](Shop, `SELECT * FROM "Shop" WHERE note = 'x'`).Slice(request(t), kit.DB)
	ok(t, err)
	ctx := request(t)
	for i := range 5 {
		_, err := tablewright.PartiQL[Customer](Shop, `SELECT * FROM "Shop" WHERE PK = ? AND SK = ?`, fmt.Sprint("c#", i), "c").Slice(ctx, kit.DB)
		ok(t, err)
	}
	got := map[string]string{}
	for _, r := range kit.Review() {
		got[r.Rule] = r.Text
	}
	if len(got) != 2 || !strings.HasPrefix(got["scan-reads-much"], "ExecuteStatement (Scan) of Shop, once, whose WHERE states no partition key") || !strings.HasPrefix(got["single-gets"], "ExecuteStatement (GetItem) of Shop, 5 requests") {
		t.Errorf("remarked: %v", got)
	}
}
