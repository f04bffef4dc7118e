package tablewright_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

type draft[V any] struct {
	ID      string `ddb:"id"`
	Text    string `ddb:"text"`
	Version V      `ddb:"version,version"`
}

// A version that its type cannot count on is refused: it would begin anew, or be stored as what nobody can read.
func TestVersionsEnd(t *testing.T) {
	t.Run("int8", func(t *testing.T) { versionsEnd[int8](t, math.MaxInt8) })
	t.Run("uint16", func(t *testing.T) { versionsEnd[uint16](t, math.MaxUint16) })
	t.Run("int64", func(t *testing.T) { versionsEnd[int64](t, math.MaxInt64) })
	t.Run("uint64", func(t *testing.T) { versionsEnd[uint64](t, math.MaxUint64) })
}

func versionsEnd[V int8 | uint16 | int64 | uint64](t *testing.T, last V) {
	drafts := tablewright.Declare[tablewright.Entity[string, draft[V]]](
		tablewright.NewTable(plan.Table{Name: "Drafts", Key: plan.Key{Partition: "id"}}), plan.Item{Name: "Draft"})
	at := func(v V, text string) draft[V] { return draft[V]{"a", text, v} }
	for name, call := range map[string]func(v V) (tablewright.Request, error){
		"put":     func(v V) (tablewright.Request, error) { return drafts.Put(at(v, "x")).Request() },
		"replace": func(v V) (tablewright.Request, error) { return drafts.Replace(at(v, "x")).Request() },
		"patch":   func(v V) (tablewright.Request, error) { return drafts.Patch(at(v, "x"), at(v, "y")).Request() },
	} {
		if r, err := call(last); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), "ends there") {
			t.Errorf("%s of version %d: %s, %v", name, last, r.Body, err)
		}
		before := last - 1
		if any(last) == any(uint64(math.MaxUint64)) {
			before = last/2 - 1 // versions are counted as int64
		}
		if r, err := call(before); err != nil || !strings.Contains(string(r.Body), fmt.Sprintf(`"N":"%d"`, before+1)) {
			t.Errorf("%s of version %d: %s, %v", name, before, r.Body, err)
		}
	}
}

// Numbers that the caller chooses are used or refused; none turns into another on the way.
func TestChosenNumbers(t *testing.T) {
	var limits []string
	spy := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if _, rest, ok := strings.Cut(string(c.Request), `"Limit":`); ok {
				limits = append(limits, rest[:strings.IndexAny(rest, ",}")])
			}
			return next.Do(ctx, c)
		})
	}
	db := open(t, tablewright.Options{Hooks: []tablewright.Hook{spy}}, Shop)
	ctx := t.Context()
	fillOrders(t, db)
	all := Orders.ByCustomer.Of("c1").Query
	for _, n := range []int{math.MaxInt32, math.MaxInt32 + 1, math.MaxInt} {
		if page, err := all.Page(ctx, db, n); err != nil || len(page.Items) != 15 || page.Next != "" {
			t.Errorf("page of %d: %d items, %q, %v", n, len(page.Items), page.Next, err)
		}
		if items, err := all.Top(n).Slice(ctx, db); err != nil || len(items) != 15 {
			t.Errorf("top %d: %d items, %v", n, len(items), err)
		}
		if items, err := all.Evaluate(n).Slice(ctx, db); err != nil || len(items) != 15 {
			t.Errorf("evaluate %d: %d items, %v", n, len(items), err)
		}
	}
	if len(limits) == 0 || slices.ContainsFunc(limits, func(s string) bool { return s != fmt.Sprint(math.MaxInt32) }) {
		t.Errorf("limits sent: %v", limits)
	}
	for name, q := range map[string]tablewright.Query[Order]{"top": all.Top(-1), "evaluate": all.Evaluate(-1)} {
		if _, err := q.Slice(ctx, db); !errors.Is(err, tablewright.ErrInvalid) {
			t.Errorf("%s -1: %v", name, err)
		}
	}
	for _, n := range []int{0, -1} {
		if _, err := all.Page(ctx, db, n); !errors.Is(err, tablewright.ErrInvalid) {
			t.Errorf("page of %d: %v", n, err)
		}
	}
	tx := tablewright.Transact(Customers.Delete("c1"))
	if err := tx.Token(strings.Repeat("x", 36)).Run(ctx, db); err != nil {
		t.Error(err)
	}
	if _, err := tx.Token(strings.Repeat("x", 37)).Request(); !errors.Is(err, tablewright.ErrInvalid) {
		t.Error(err)
	}
	statuses := make([]Status, 101)
	for i := range statuses {
		statuses[i] = Status(fmt.Sprint(i))
	}
	if _, err := Orders.Delete("o1").If(Orders.Status.In(statuses[:100]...)).Request(); err != nil {
		t.Error(err)
	}
	if _, err := Orders.Delete("o1").If(Orders.Status.In(statuses...)).Request(); !errors.Is(err, tablewright.ErrInvalid) {
		t.Errorf("101 values: %v", err)
	}
}

// However slow a rate is, the wait for its next request is none in the past.
func TestSlowestRate(t *testing.T) {
	clock := newClock()
	db := open(t, tablewright.Options{Clock: clock}, Shop)
	var many []Customer
	for i := range 30 {
		many = append(many, Customer{ID: CustomerID(fmt.Sprint("c", i))})
	}
	if err := Customers.PutAll(slices.Values(many)).Rate(5).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if d := clock.Now().Sub(noon); d != 5*time.Second {
		t.Errorf("25 units at 5 a second before the last 5: %v", d)
	}
	start := clock.Now()
	if err := Customers.PutAll(slices.Values(many)).Rate(1e-300).Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if d := clock.Now().Sub(start); d < 100*365*24*time.Hour {
		t.Errorf("waited %v", d)
	}
}
