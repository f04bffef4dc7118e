package stats_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// again creates an order that is there already.
func again(t testing.TB, db *tablewright.DB) error {
	t.Helper()
	err := orders.Create(order{ID: "o1", Line: "1", Customer: "c"}).Run(context.Background(), db)
	if err == nil {
		t.Fatal("it was created twice")
	}
	return err
}

func watchedOrders(t *testing.T, o stats.Options) (*stats.Collector, *tablewright.DB) {
	c := stats.NewCollector(o)
	db := open(t, c)
	must(t, orders.Create(order{ID: "o1", Line: "1", Customer: "c"}).Run(t.Context(), db))
	return c, db
}

// What becomes of the errors of conditions is known for each operation and pattern, through an export and a merge of several.
func TestErrorsAskedAbout(t *testing.T) {
	c, db := watchedOrders(t, stats.Options{})
	for i := range 12 {
		if err := again(t, db); i < 5 && !errors.Is(fmt.Errorf("serving: %w", err), tablewright.ErrExists) {
			t.Fatal(err)
		}
	}
	counted := orders.Update(orderKey{"o1", "1"}, orders.Count.Plus(1)).If(orders.Count.Equals(7)).Run(t.Context(), db)
	if !errors.Is(counted, tablewright.ErrConditionFailed) {
		t.Fatal(counted)
	}
	s := c.Snapshot()
	put, update := operation(t, s, "PutItem", ""), operation(t, s, "UpdateItem", "")
	if put.Surfaced != 12 || put.Asked != 5 || put.Counts.Refused != 12 || update.Surfaced != 1 || update.Asked != 1 {
		t.Errorf("%+v, %+v", put.Counts, update.Counts)
	}
	var b bytes.Buffer
	must(t, s.Write(&b))
	read, err := stats.ReadSnapshot(&b)
	must(t, err)
	all, err := stats.Merge(read, s)
	must(t, err)
	if put := operation(t, all, "PutItem", ""); put.Surfaced != 24 || put.Asked != 10 {
		t.Errorf("merged %+v", put.Counts)
	}
	b.Reset()
	must(t, s.WritePrometheus(&b, stats.PrometheusOptions{}))
	for _, line := range []string{
		`tablewright_condition_errors_total{operation="PutItem",table="Shop"} 12`,
		`tablewright_condition_errors_asked_total{operation="PutItem",table="Shop"} 5`,
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}

// An export from before there were such counts is read, and says that none are known.
func TestErrorsOfOlderExports(t *testing.T) {
	c, db := watchedOrders(t, stats.Options{})
	_ = again(t, db)
	var b bytes.Buffer
	must(t, c.Snapshot().Write(&b))
	older := strings.ReplaceAll(b.String(), `"surfaced":1,`, "")
	if older == b.String() {
		t.Fatal("there is no such member")
	}
	s, err := stats.ReadSnapshot(strings.NewReader(older))
	must(t, err)
	if put := operation(t, s, "PutItem", ""); put.Surfaced != 0 || put.Counts.Refused != 1 {
		t.Errorf("%+v", put.Counts)
	}
}

// An error that is asked about after a Reset counts then; nothing is lost or counted twice.
func TestErrorsOutliveReset(t *testing.T) {
	c, db := watchedOrders(t, stats.Options{})
	var late []error
	for range 7 {
		late = append(late, again(t, db))
	}
	first := c.Reset()
	if put := operation(t, first, "PutItem", ""); put.Surfaced != 7 || put.Asked != 0 {
		t.Errorf("before: %+v", put.Counts)
	}
	for _, err := range late {
		if !errors.Is(err, tablewright.ErrExists) {
			t.Fatal(err)
		}
	}
	if between := c.Snapshot(); len(between.Operations) != 0 {
		t.Errorf("%d operations without a call", len(between.Operations))
	}
	if err := again(t, db); !errors.Is(err, tablewright.ErrExists) {
		t.Fatal(err)
	}
	second := c.Reset()
	if put := operation(t, second, "PutItem", ""); put.Surfaced != 1 || put.Asked != 8 {
		t.Errorf("after: %+v", put.Counts)
	}
	all, err := stats.Merge(first, second)
	must(t, err)
	if put := operation(t, all, "PutItem", ""); put.Surfaced != 8 || put.Asked != 8 {
		t.Errorf("in all: %+v", put.Counts)
	}
	if err := again(t, db); err == nil {
		t.Fatal(err)
	}
	if put := operation(t, c.Snapshot(), "PutItem", ""); put.Surfaced != 1 || put.Asked != 0 {
		t.Errorf("the period before counts again: %+v", put.Counts)
	}
}

// Errors of calls that stand for others do so too.
func TestErrorsOfASample(t *testing.T) {
	const n, rate = 4_000, 0.3
	c, db := watchedOrders(t, stats.Options{})
	c.Reset()
	c.SetRate(rate)
	for i := range n {
		if err := again(t, db); i%4 == 0 && !errors.Is(err, tablewright.ErrExists) {
			t.Fatal(err)
		}
	}
	put := operation(t, c.Snapshot(), "PutItem", "")
	spread := 5 * math.Sqrt(n*(1-rate)/rate)
	if math.Abs(put.Surfaced-n) > spread || math.Abs(put.Asked-n/4) > spread || math.Abs(put.Surfaced-put.Calls) > 1 {
		t.Errorf("of %d errors %v, asked about %v, of %v calls", n, put.Surfaced, put.Asked, put.Calls)
	}
}
