package stats_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
)

// Where nobody asks for units they are computed and marked so; of reads by key, whole pages and puts of new items they are
// what an engine that is asked would have told, indexes of writes left out.
func TestComputedUnits(t *testing.T) {
	c := stats.NewCollector(stats.Options{NoUnits: true})
	silent := open(t, c)
	asked := stats.NewCollector(stats.Options{})
	telling := open(t, asked)
	c.Reset()
	asked.Reset()
	ctx := t.Context()
	for _, db := range []*tablewright.DB{silent, telling} {
		for i := range 12 {
			must(t, orders.Put(order{ID: "o1", Line: fmt.Sprint(i), Customer: "c1", Note: strings.Repeat("é", 700*i)}).Run(ctx, db))
		}
		for i := range 13 {
			_, _ = orders.Get(orderKey{"o1", fmt.Sprint(i)}).Run(ctx, db)
			_, _ = orders.Get(orderKey{"o1", fmt.Sprint(i)}).Consistent().Run(ctx, db)
		}
		_, err := linesOfOrder.With("o1").Evaluate(5).Slice(ctx, db)
		must(t, err)
		_, err = orders.ByCustomer.Of("c1").Slice(ctx, db)
		must(t, err)
		_, err = orders.ByCustomer.Of("nobody").Slice(ctx, db)
		must(t, err)
		var a, b order
		must(t, tablewright.Snapshot(orders.Get(orderKey{"o1", "1"}).Into(&a), orders.Get(orderKey{"o1", "9"}).Into(&b)).Run(ctx, db))
		must(t, tablewright.BatchOf(orders.Put(order{ID: "o2", Line: "1", Customer: "c2", Note: strings.Repeat("x", 3000)}), orders.Delete(orderKey{"o2", "2"})).Run(ctx, db))
	}
	got, want := c.Snapshot(), asked.Snapshot()
	for _, x := range []struct{ operation, index string }{{"GetItem", ""}, {"Query", ""}, {"Query", "ByCustomer"}, {"TransactGetItems", ""}} {
		g, w := operation(t, got, x.operation, x.index), operation(t, want, x.operation, x.index)
		if g.Read != w.Read || g.ComputedRead != g.Read || w.ComputedRead != 0 || g.Read == 0 {
			t.Errorf("%s of %q: %v units computed (of %v), %v reported", x.operation, x.index, g.ComputedRead, g.Read, w.Read)
		}
	}
	table := func(s *stats.Snapshot) *stats.Consumption {
		for _, x := range s.Consumed {
			if x.Table == "Shop" && x.Index == "" {
				return x
			}
		}
		t.Fatal("no table")
		return nil
	}
	if g, w := table(got), table(want); g.Write != w.Write || g.ComputedWrite != g.Write {
		t.Errorf("%v write units computed, %v reported", g.Write, w.Write)
	}
}

// Traffic is kept by minute for so many hours; peaks and sums are of all time.
func TestTraffic(t *testing.T) {
	now := &settable{at: time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC)}
	c := stats.NewCollector(stats.Options{Clock: now, Hours: 3})
	hook := c.Hook(nothing)
	from := now.at
	for minute := range 600 { // 10 hours
		n := 1
		if minute == 100 {
			n = 60
		}
		for range n {
			_ = hook.Do(t.Context(), getCall(1))
		}
		now.at = now.at.Add(time.Minute)
	}
	s := c.Snapshot()
	traffic := s.Operations[0].Traffic
	minutes := 0
	for at, m := range traffic.All() {
		if minutes++; m.Calls != 1 || m.Read != 0.5 || at.Before(now.at.Add(-3*time.Hour)) {
			t.Errorf("%v has %+v", at, m)
		}
	}
	if minutes != 150 || traffic.Peak().Calls != 1 || traffic.Sum().Calls != 659 || s.Span() != 600*time.Minute {
		t.Errorf("%d minutes, peak %+v, sum %+v, over %v", minutes, traffic.Peak(), traffic.Sum(), s.Span())
	}
	if a := traffic.Average(from, now.at); math.Abs(a.Calls-659.0/36000) > 1e-9 {
		t.Errorf("on average %+v", a)
	}
	if k := s.Partitions.List[0]; k.PeakMinute != from.Add(100*time.Minute).Unix()/60 || math.Abs(k.Peak-60*0.5/3000) > 1e-6 {
		t.Errorf("the key's peak is %v in minute %d", k.Peak, k.PeakMinute)
	}
}

// Items that grow are seen to grow.
func TestGrowth(t *testing.T) {
	now := &settable{at: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	c := stats.NewCollector(stats.Options{Clock: now, Detail: 1})
	db := open(t, c)
	for day := range 11 {
		must(t, orders.Put(order{ID: "log", Line: "1", Customer: "c", Note: strings.Repeat("x", 20_000+1_000*day)}).Run(t.Context(), db))
		must(t, orders.Put(order{ID: fmt.Sprint(day), Line: "1", Customer: "c"}).Run(t.Context(), db))
		now.at = now.at.Add(24 * time.Hour)
	}
	z := c.Snapshot().Sizes[0]
	top := z.Largest[0]
	if top.Key != `{"PK":{"S":"o#log"},"SK":{"S":"l#1"}}` || top.PerDay() != 1000 || top.Seen != 11 || top.MaxBytes-top.FirstBytes != 10_000 || len(z.Sample) != 12 {
		t.Errorf("%d items, the largest %+v grows by %v", len(z.Sample), top, top.PerDay())
	}
}

// Whatever is different in every call is bounded: operations, attributes, tables.
func TestBounds(t *testing.T) {
	c := stats.NewCollector(stats.Options{Operations: 10, Detail: 1, Keys: 64})
	hook := c.Hook(nothing)
	for i := range 3_000 {
		call := getCall(i)
		call.Pattern, call.Table = fmt.Sprint("p", i%50), fmt.Sprint("t", i%2000)
		call.Response = fmt.Appendf(nil, `{"Item":{"a%d":{"S":"x"}}}`, i)
		_ = hook.Do(t.Context(), call)
	}
	s := c.Snapshot()
	var calls, attributes float64
	for _, o := range s.Operations {
		calls += o.Calls
		for _, a := range o.Attributes {
			attributes += a.Read
		}
		if len(o.Attributes) > 257 {
			t.Errorf("%d attributes", len(o.Attributes))
		}
	}
	if len(s.Operations) != 11 || calls != 3_000 || attributes != 3_000 || len(s.Consumed) > 1025 || len(s.Items.List) > 64 {
		t.Errorf("%d operations with %v calls and %v attributes, %d tables, %d items", len(s.Operations), calls, attributes, len(s.Consumed), len(s.Items.List))
	}
}

// Who asks for units himself is told them, and so is a collector that does not ask.
func TestUnitsOfWhoAsks(t *testing.T) {
	c := stats.NewCollector(stats.Options{NoUnits: true})
	db := open(t, c)
	must(t, orders.Put(order{ID: "o1", Line: "1", Customer: "c1", Note: strings.Repeat("x", 5000)}).Run(t.Context(), db))
	c.Reset()
	for operation, request := range map[string]string{
		"GetItem": `{"TableName":"Shop","Key":{"PK":{"S":"o#o1"},"SK":{"S":"l#1"}},"ReturnConsumedCapacity":"TOTAL"}`,
		"Query":   `{"TableName":"Shop","KeyConditionExpression":"PK = :id","ExpressionAttributeValues":{":id":{"S":"o#o1"}},"ReturnConsumedCapacity":"INDEXES"}`,
	} {
		if _, err := db.Send(t.Context(), operation, "Shop", []byte(request)); err != nil {
			t.Fatal(err)
		}
		if o := operationOf(t, c, operation); o.Read != 1 || o.ComputedRead != 0 {
			t.Errorf("%s: %v units, %v of them computed", operation, o.Read, o.ComputedRead)
		}
	}
}

func operationOf(t *testing.T, c *stats.Collector, name string) *stats.Operation {
	t.Helper()
	return operation(t, c.Snapshot(), name, "")
}
