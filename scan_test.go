package tablewright_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
)

// A scan whose context ends has read everything or says that it has not, whichever segment noticed it.
func TestScanCancelled(t *testing.T) {
	cancel := context.CancelFunc(func() {})
	over := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(context.WithoutCancel(ctx), c)
			if c.Operation == "Scan" {
				cancel() // after the answer, before it is handed on
			}
			return err
		})
	}
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{over}}, Shop)
	fillOrders(t, db)
	for range 100 {
		for _, segments := range []int{1, 4} {
			ctx, stop := context.WithCancel(t.Context())
			cancel = stop
			n := 0
			var failed error
			for _, err := range Orders.Scan().Intended().Parallel(segments).All(ctx, db) {
				if err != nil {
					failed = err
					break
				}
				n++
			}
			stop()
			if n < 30 && !errors.Is(failed, context.Canceled) {
				t.Fatalf("%d segments: %d of 30 orders and no word of the cancelled context: %v", segments, n, failed)
			}
		}
	}
}

// Any item of a scan can be the last one: what is resumed from its cursor, and what was dealt with before, is the whole.
func TestScanCutAnywhere(t *testing.T) {
	db := open(t, tablewright.Options{}, Shop)
	fillOrders(t, db)
	ctx := t.Context()
	for _, segments := range []int{1, 3} {
		scan := Orders.Scan().Intended().Parallel(segments).Filter(Orders.Status.In(Placed, Paid, Shipped))
		whole := map[OrderID]bool{}
		for o, err := range scan.All(ctx, db) {
			if err != nil {
				t.Fatal(err)
			}
			whole[o.ID] = true
		}
		cuts := 0
		for cut := 1; cut <= len(whole); cut++ {
			seen := map[OrderID]bool{}
			var position tablewright.Cursor
			for page, err := range scan.Pages(ctx, db) {
				if err != nil {
					t.Fatal(err)
				}
				for i, o := range page.Items {
					if len(seen) < cut {
						seen[o.ID] = true
						position = page.At(i)
					}
				}
				if len(seen) == cut {
					break
				}
			}
			for o, err := range scan.Resume(position).All(ctx, db) {
				if err != nil {
					t.Fatal(err)
				}
				if seen[o.ID] {
					t.Fatalf("%d segments, cut after %d: %s comes twice", segments, cut, o.ID)
				}
				seen[o.ID] = true
			}
			if len(seen) != len(whole) {
				t.Fatalf("%d segments, cut after %d: %d of %d", segments, cut, len(seen), len(whole))
			}
			cuts++
		}
		if cuts < 30 {
			t.Errorf("only %d cuts", cuts)
		}
	}
}

// The rate is that of the units that the service reports, not of what comes back: a filter drops nearly everything here.
func TestScanRate(t *testing.T) {
	clock := newClock()
	db := open(t, tablewright.Options{Clock: clock}, Shop)
	var many []Customer
	for i := range 2000 {
		many = append(many, Customer{ID: CustomerID(fmt.Sprint("c", i)), Name: strings.Repeat("x", 1000)})
	}
	if err := Customers.PutAll(slices.Values(many)).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	var used tablewright.Usage
	start := clock.Now()
	for _, err := range Customers.Scan().Intended().Rate(10).Filter(Customers.Name.Equals("none")).All(t.Context(), db.Measure(&used)) {
		t.Fatal(err)
	}
	if took := clock.Now().Sub(start).Seconds(); used.Read < 200 || took < float64(used.Read-130)/10 || took > float64(used.Read)/10+1 {
		t.Errorf("%v units at 10 a second took %v s", used.Read, took)
	}
}

// A scan that was not marked is warned of once for each place in the caller's code.
func TestScanWarns(t *testing.T) {
	var log bytes.Buffer
	db := open(t, tablewright.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, Shop)
	scan := func(s tablewright.Scan[Order]) {
		for _, err := range s.All(t.Context(), db) {
			t.Fatal(err)
		}
	}
	for range 3 {
		scan(Orders.Scan())
	}
	scan(Orders.Scan().Intended())
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "scan_test.go:") || !strings.Contains(text, "table=Shop") {
		t.Errorf("logged %q", text)
	}
	for _, err := range Orders.Scan().Pages(t.Context(), db) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if text := log.String(); strings.Count(text, "\n") != 2 {
		t.Errorf("another place: logged %q", text)
	}
}

// An index is scanned as a table is: what of it is sparse is there, keys and all; in parallel, resumed, counted, filtered by parts
// of its key too.
func TestScanOfIndex(t *testing.T) {
	everywhere(t, func(t *testing.T, db *tablewright.DB) {
		fillOrders(t, db)
		ctx := t.Context()
		var want []string
		for o, err := range Orders.Scan().Intended().All(ctx, db) {
			if err != nil {
				t.Fatal(err)
			}
			if o.Status != Shipped {
				want = append(want, string(o.ID))
			}
		}
		slices.Sort(want)
		for _, segments := range []int{1, 3} {
			var got []string
			for ref, err := range Orders.Open.Scan().Intended().Parallel(segments).All(ctx, db) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(ref.ID))
			}
			if slices.Sort(got); !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%d segments: %v, not %v", segments, got, want)
			}
		}
		if n, err := Orders.Open.Scan().Intended().Count(ctx, db); n != len(want) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		paid, err := Orders.ByCustomer.Scan().Intended().Filter(Orders.Status.Equals(Paid)).Slice(ctx, db)
		if err != nil || len(paid) == 0 {
			t.Errorf("%d, %v", len(paid), err)
		}
		for _, o := range paid {
			if o.Status != Paid || o.Ship.City == "" {
				t.Errorf("%+v", o)
			}
		}
		if n, err := Orders.ByCustomer.Scan().Intended().Filter(Orders.Status.Equals(Paid)).Count(ctx, db); n != len(paid) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		for page, err := range Orders.ByCustomer.Scan().Intended().Pages(ctx, db) { // a cursor of an index, and of no other
			if err != nil {
				t.Fatal(err)
			}
			rest, err := Orders.ByCustomer.Scan().Intended().Resume(page.At(9)).Slice(ctx, db)
			if err != nil || len(rest) != len(page.Items)-10 {
				t.Errorf("%d of %d, %v", len(rest), len(page.Items), err)
			}
			if _, err := Orders.Scan().Intended().Resume(page.At(9)).Slice(ctx, db); !errors.Is(err, tablewright.ErrCursor) {
				t.Error(err)
			}
		}
		if _, err := Orders.Everything.Scan().Intended().Consistent().First(ctx, db); err != nil {
			t.Error(err)
		}
		if _, err := Orders.Scan().Intended().One(ctx, db); !errors.Is(err, tablewright.ErrSeveral) {
			t.Error(err)
		}
		if _, err := Customers.Scan().Intended().First(ctx, db); !errors.Is(err, tablewright.ErrNotFound) {
			t.Error(err)
		}
		if _, err := Orders.ByCustomer.Scan().Intended().Consistent().Slice(ctx, db); !errors.Is(err, tablewright.ErrInvalid) {
			t.Error(err)
		}
	})
	request, err := Users.Scan().Consistent().Request()
	if err != nil || string(request.Body) != `{"TableName":"Users","ConsistentRead":true}` {
		t.Errorf("%s, %v", request.Body, err)
	}
	request, err = Users.ByPlace.Scan().Parallel(2).Request()
	if err != nil || string(request.Body) != `{"TableName":"Users","IndexName":"ByPlace","Segment":0,"TotalSegments":2}` {
		t.Errorf("%s, %v", request.Body, err)
	}
	var log bytes.Buffer
	users := open(t, tablewright.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, UsersTable)
	var u tablewright.Usage
	for i := range 3 {
		if err := Users.Put(User{ID: fmt.Sprint(i), Tenant: "t", Customer: "c", Country: "no", State: "s", City: "c"}).Run(t.Context(), users); err != nil {
			t.Fatal(err)
		}
	}
	n, err := Users.ByPlace.Scan().Count(t.Context(), users.Measure(&u))
	if err != nil || n != 3 || u.Requests != 1 || !strings.Contains(log.String(), "a scan reads a whole index") || !strings.Contains(log.String(), "index=ByPlace") {
		t.Errorf("%d, %v, %+v, %s", n, err, &u, &log)
	}
	if _, err := Users.Scan().Intended().First(t.Context(), users); err != nil {
		t.Error(err)
	}
}
