package tablewright_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/stats"
)

var (
	sinkGet    tablewright.Get[Order]
	sinkCond   tablewright.Cond[Order]
	sinkChange tablewright.Change[Order]
	sinkQuery  tablewright.Query[Order]
)

// Building a call allocates once, and once for each thing that is configured or narrowed; times have to be formatted.
func TestAllocationsOfBuilding(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, test := range []struct {
		name  string
		most  float64
		build func()
	}{
		{"get", 2, func() { sinkGet = Orders.Get("o1").Consistent() }},
		{"condition", 1, func() { sinkCond = Orders.Status.Equals(Paid) }},
		{"condition on something inside", 1, func() { sinkCond = Orders.Ship.City.BeginsWith("B") }},
		{"change", 1, func() { sinkChange = Orders.Note.Set("x") }},
		{"query", 4, func() { sinkQuery = Orders.ByCustomer.Of("c1").Is(Paid).Descending().Top(3) }},
		{"query over times", 7, func() { sinkQuery = Orders.ByCustomer.Of("c1").Is(Paid).Between(noon, noon) }},
	} {
		if n := testing.AllocsPerRun(100, test.build); n > test.most {
			t.Errorf("%s: %v allocations, at most %v", test.name, n, test.most)
		}
	}
}

// canned answers every call with the same body.
func canned(body string, hooks ...tablewright.Hook) *tablewright.DB {
	answer := []byte(body)
	return tablewright.New(tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		c.Response = append(c.Response[:0], answer...)
		return nil
	}), tablewright.Options{Hooks: hooks})
}

// Running a call on a transport that costs nothing: what the client itself allocates, the answer's strings included.
func TestAllocationsOfRunning(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	const it = `{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},"status":{"S":"paid"},` +
		`"placedAt":{"S":"2026-11-21T12:00:00.000Z"},"total":{"N":"19.9"},"note":{"S":"ring twice"},"version":{"N":"1"}}`
	get, query := canned(`{"Item":`+it+`}`), canned(`{"Count":1,"Items":[`+it+`],"ScannedCount":1}`)
	nothing := canned(`{}`)
	ctx := t.Context()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name string
		most float64
		run  func()
	}{
		{"get", 14, func() { _, err := Orders.Get("o1").Run(ctx, get); check(err) }},
		{"query of one", 40, func() { _, err := Orders.ByCustomer.Of("c1").Is(Paid).Slice(ctx, query); check(err) }},
		{"put", 40, func() { check(Orders.Put(order("o1")).Run(ctx, nothing)) }},
		{"update", 40, func() { check(Orders.Update("o1", Orders.Note.Set("x")).Run(ctx, nothing)) }},
		{"delete", 15, func() { check(Orders.Delete("o1").Run(ctx, nothing)) }},
	} {
		n := testing.AllocsPerRun(100, test.run)
		t.Logf("%s: %v allocations", test.name, n)
		if n > test.most {
			t.Errorf("%s: %v allocations, at most %v", test.name, n, test.most)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	db := canned(`{"Item":{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},"status":{"S":"paid"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Orders.Get("o1").Run(b.Context(), db); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	const it = `{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},"status":{"S":"paid"},` +
		`"placedAt":{"S":"2026-11-21T12:00:00.000Z"},"total":{"N":"19.9"},"note":{"S":"ring twice"},"version":{"N":"1"}}`
	body := `{"Count":100,"Items":[` + it
	for range 99 {
		body += "," + it
	}
	db := canned(body + `],"ScannedCount":100}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Orders.ByCustomer.Of("c1").Is(Paid).Slice(b.Context(), db); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	db := canned(`{}`)
	o := order("o1")
	b.ReportAllocs()
	for b.Loop() {
		if err := Orders.Put(o).Run(b.Context(), db); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHooks is what hooks make of a get and a query of 100: one that looks at nothing, one that asks for units, and statistics.
func BenchmarkHooks(b *testing.B) {
	const it = `{"PK":{"S":"o#o1"},"SK":{"S":"o"},"orderId":{"S":"o1"},"customerId":{"S":"c1"},"status":{"S":"paid"},` +
		`"placedAt":{"S":"2026-11-21T12:00:00.000Z"},"total":{"N":"19.9"},"note":{"S":"ring twice"},"version":{"N":"1"}}`
	const told = `"ConsumedCapacity":{"CapacityUnits":0.5,"Table":{"CapacityUnits":0.5},"TableName":"Shop"}`
	page := `"Count":100,"Items":[` + it + strings.Repeat(","+it, 99) + `],"ScannedCount":100}`
	for name, of := range map[string]func(db *tablewright.DB) error{
		"get": func(db *tablewright.DB) error { _, err := Orders.Get("o1").Run(b.Context(), db); return err },
		"query": func(db *tablewright.DB) error {
			_, err := Orders.ByCustomer.Of("c1").Is(Paid).Slice(b.Context(), db)
			return err
		},
	} {
		body, measured := `{"Item":`+it+`}`, `{`+told+`,"Item":`+it+`}`
		if name == "query" {
			body, measured = `{`+page, `{`+told+`,`+page
		}
		asks := func(next tablewright.Transport) tablewright.Transport {
			return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
				c.Measure = true
				return next.Do(ctx, c)
			})
		}
		for hooks, db := range map[string]*tablewright.DB{
			"none":  canned(body),
			"one":   canned(body, func(next tablewright.Transport) tablewright.Transport { return next }),
			"units": canned(measured, asks),
			// As the service's own clients have seen it, the members may stand in any order.
			"units, told last": canned(strings.Replace(strings.TrimSuffix(body, "}")+","+told+"}", "{,", "{", 1), asks),
			"statistics":       canned(measured, tablewright.Statistics(stats.NewCollector(stats.Options{}))),
		} {
			b.Run(name+"/"+hooks, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := of(db); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
