package tablewright_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// Any query, cut behind any item, in this process or at the end of an HTTP request, and resumed by somebody else who knows
// no more than the query and the cursor: the parts together are the whole, nothing is missing and nothing comes twice. No
// other query takes the cursor.
func TestCursorProperty(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, key := range []string{"", "a key"} {
		options := tablewright.Options{CursorKey: []byte(key), Clock: newClock()}
		first := overHTTP(t, options, Shop)
		fillRandomly(t, first, r)
		options.Clock = newClock()
		another := tablewright.New(first.Transport(), options) // another process with the same key
		var queries []tablewright.Query[Order]
		for range 40 {
			queries = append(queries, anyQuery(r))
		}
		service := httptest.NewServer(orderService(t, another, queries))
		defer service.Close()
		for i, q := range queries {
			whole, err := q.Slice(t.Context(), first)
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				got, cuts := takeApart(t, r, q, service.URL, i, first, another)
				if !slices.EqualFunc(got, whole, func(a, b Order) bool { return a.ID == b.ID }) {
					t.Fatalf("query %d, cut at %v: %s, want %s", i, cuts, ids(got), ids(whole))
				}
			}
			if len(whole) < 2 {
				continue
			}
			page := must[tablewright.Page[Order]](t)(q.Page(t.Context(), first, 1))
			if len(page.Items) == 0 { // Evaluate found nothing among the first ones
				continue
			}
			for j, other := range queries {
				a, _ := q.Request()
				b, _ := other.Request()
				_, err := other.Resume(page.At(0)).Page(t.Context(), another, 1)
				if same := limit.ReplaceAllString(string(a.Body), "") == limit.ReplaceAllString(string(b.Body), ""); same == errors.Is(err, tablewright.ErrCursor) {
					t.Fatalf("a cursor of query %d given to query %d: %v", i, j, err)
				}
			}
		}
	}
}

// limit is what does not make another query: how many items a request looks at.
var limit = regexp.MustCompile(`,"Limit":\d+`)

func fillRandomly(t *testing.T, db *tablewright.DB, r *rand.Rand) {
	t.Helper()
	var all []tablewright.BatchWrite
	for i := range 80 {
		o := Order{ID: OrderID(fmt.Sprint("o", i)), Customer: CustomerID(fmt.Sprint("c", r.IntN(2))), Status: []Status{Placed, Paid, Shipped}[r.IntN(3)],
			PlacedAt: noon.Add(time.Duration(r.IntN(8)) * time.Hour), Total: attr.Int(int64(r.IntN(5)))}
		if r.IntN(6) == 0 {
			o.Draft = noon.Add(-time.Hour) // expired, and still there
		}
		stored, err := Orders.Encode(o)
		if err != nil {
			t.Fatal(err)
		}
		it, err := attr.ParseItem(stored)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Shop.Raw().Put(it))
	}
	if err := tablewright.BatchOf(all...).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
}

// anyQuery is a query of any shape.
func anyQuery(r *rand.Rand) tablewright.Query[Order] {
	of := Orders.ByCustomer.Of(CustomerID(fmt.Sprint("c", r.IntN(2))))
	at := func() time.Time { return noon.Add(time.Duration(r.IntN(8)) * time.Hour) }
	q := of.Query
	switch status := []Status{Placed, Paid, Shipped}[r.IntN(3)]; r.IntN(8) {
	case 0:
		q = of.Is(status).Query
	case 1:
		q = of.Is(status).From(at())
	case 2:
		q = of.Is(status).Before(at())
	case 3:
		lo, hi := at(), at()
		if hi.Before(lo) {
			lo, hi = hi, lo
		}
		q = of.Is(status).Between(lo, hi)
	case 4:
		q = tablewright.Prefix(of, "p")
	case 5:
		q = of.After(Paid)
	}
	if r.IntN(2) == 0 {
		q = q.Descending()
	}
	switch r.IntN(4) {
	case 0:
		q = q.Filter(Orders.Total.Greater(attr.Int(int64(r.IntN(5)))))
	case 1:
		q = q.Filter(Orders.Total.Less(attr.Int(3))).Evaluate(1 + r.IntN(5))
	case 2:
		q = q.Evaluate(1 + r.IntN(5))
	}
	return q
}

// takeApart reads a query piece by piece.
func takeApart(t *testing.T, r *rand.Rand, q tablewright.Query[Order], service string, i int, dbs ...*tablewright.DB) (got []Order, cuts []int) {
	t.Helper()
	var at tablewright.Cursor
	for range 1000 {
		n := 1 + r.IntN(7)
		var items []Order
		var next tablewright.Cursor
		if r.IntN(2) == 0 {
			items, next = overService(t, service, i, n, at)
		} else {
			page, err := q.Resume(at).Page(t.Context(), dbs[r.IntN(len(dbs))], n)
			if err != nil {
				t.Fatal(err)
			}
			items, next = page.Items, page.Next
			if cut := r.IntN(n + 3); cut < len(items) { // in the middle of the page
				items, next = items[:cut+1], page.At(cut)
			}
		}
		got = append(got, items...)
		cuts = append(cuts, len(got))
		if at = next; at == "" {
			return got, cuts
		}
	}
	t.Fatal("no end")
	return got, cuts
}

type answerOf struct {
	IDs  []OrderID
	Next tablewright.Cursor
}

// orderService answers pages of queries by their number.
func orderService(t *testing.T, db *tablewright.DB, queries []tablewright.Query[Order]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		i, _ := strconv.Atoi(req.FormValue("query"))
		n, _ := strconv.Atoi(req.FormValue("n"))
		page, err := queries[i].Resume(tablewright.Cursor(req.FormValue("after"))).Page(req.Context(), db, n)
		if err != nil {
			t.Error(err)
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out := answerOf{Next: page.Next}
		for _, o := range page.Items {
			out.IDs = append(out.IDs, o.ID)
		}
		_ = json.NewEncoder(w).Encode(out)
	})
}

func overService(t *testing.T, service string, i, n int, at tablewright.Cursor) (items []Order, next tablewright.Cursor) {
	t.Helper()
	// The cursor stands in the address as it is: it needs no escaping.
	if escaped := url.QueryEscape(string(at)); escaped != string(at) {
		t.Fatalf("cursor %q would have to be escaped", at)
	}
	resp, err := http.Get(fmt.Sprintf("%s?query=%d&n=%d&after=%s", service, i, n, at))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	var answer answerOf
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, id := range answer.IDs {
		items = append(items, Order{ID: id})
	}
	return items, answer.Next
}

// Without a key anybody can make a cursor of a query that he knows. What is in it becomes a part of a request: it is a position and
// nothing else.
func TestForgedCursor(t *testing.T) {
	requests := 0
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{count(&requests)}}, Shop)
	fillOrders(t, db)
	name := func(r tablewright.Request, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return r.Body[:len(r.Body)-1]
	}
	forged := func(name []byte, position string) tablewright.Cursor {
		h := sha256.New()
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(name))))
		h.Write(name)
		h.Write([]byte(position))
		return tablewright.Cursor(base64.RawURLEncoding.EncodeToString(append(h.Sum([]byte("r"))[:1+9], position...)))
	}
	q, s := Orders.ByCustomer.Of("c1").Query, Orders.Scan().Intended()
	query, scan := name(q.Request()), name(s.Request())
	page := must[tablewright.Page[Order]](t)(q.Page(t.Context(), db, 3))
	raw := must[[]byte](t)(base64.RawURLEncoding.DecodeString(string(page.Next)))
	if forged(query, string(raw[1+9:])) != page.Next {
		t.Fatal("the test does not know how cursors are made")
	}
	requests = 0
	for _, position := range []string{
		`{"PK":{"S":"o#o01"}},"TableName":"Secrets"`, `{"other":{"S":"x"}}`, `{"PK":{"L":[]}}`, `{"PK":{"S":"a"`, `{}`, `null`, ``, `[]`, `{"PK":"x"}`,
	} {
		_, one := q.Resume(forged(query, position)).Page(t.Context(), db, 3)
		_, two := q.Last(t.Context(), db, forged(query, position), 3)
		_, three := s.Resume(forged(scan, "["+position+"]")).Slice(t.Context(), db)
		for what, err := range map[string]error{"query": one, "last": two, "scan": three} {
			if !errors.Is(err, tablewright.ErrCursor) && (what != "scan" || position != "null") { // null is the beginning of a segment
				t.Errorf("%s: a position %s: %v", what, position, err)
			}
		}
	}
	if requests > 1 { // that of the scan from its beginning
		t.Errorf("%d requests were sent", requests)
	}
}
