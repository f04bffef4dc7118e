package otelstats_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"testing"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/otelstats"
	"github.com/tablewright/tablewright/wire"
)

// recorded is a collector that has seen three calls, one of them throttled.
func recorded() *stats.Collector {
	c := stats.NewCollector(stats.Options{})
	throttled := wire.NewError(wire.CodeThroughputExceeded, "slow down")
	throttled.Throttling = []wire.ThrottlingReason{{Reason: "TableReadKeyRangeThroughputExceeded", Resource: "arn:aws:dynamodb:eu-west-1:1:table/Shop"}}
	for _, err := range []error{nil, nil, throttled} {
		call := &tablewright.Call{Operation: "GetItem", Table: "Shop", Pattern: "orderById", Attempt: 2, Items: 1, Scanned: 1, Key: []byte(`{"PK":{"S":"o#1"}}`),
			Request: []byte(`{"TableName":"Shop"}`), Response: []byte(`{"Item":{"PK":{"S":"o#1"}}}`)}
		hook := c.Hook(tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return err }))
		_ = hook.Do(context.Background(), call)
	}
	return c
}

// sums reads what a meter tells, by name and attributes.
func sums(reader sdkmetric.Reader) map[string]float64 {
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		log.Fatal(err)
	}
	out := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			var points []metricdata.DataPoint[float64]
			switch data := m.Data.(type) {
			case metricdata.Sum[float64]:
				points = data.DataPoints
			case metricdata.Gauge[float64]:
				points = data.DataPoints
			}
			for _, p := range points {
				name := m.Name
				for _, kv := range p.Attributes.ToSlice() {
					name += " " + kv.Value.String()
				}
				out[name] = p.Value
			}
		}
	}
	return out
}

func TestRegister(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	stop, err := otelstats.Register(recorded(), sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	got := sums(reader)
	for name, want := range map[string]float64{
		"tablewright.calls Shop GetItem done orderById":                                          2,
		"tablewright.calls Shop GetItem throttled orderById":                                     1,
		"tablewright.retries Shop GetItem orderById":                                             3,
		"tablewright.consumed.units Shop read computed":                                          1,
		"tablewright.items Shop GetItem returned orderById":                                      3,
		"tablewright.throttling Shop GetItem TableReadKeyRangeThroughputExceeded Shop orderById": 1,
		"tablewright.item.size.quantile Shop GetItem 0.99 orderById":                             5,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if n := got["tablewright.keys.distinct Shop"]; n != 1 {
		t.Errorf("%v keys", n)
	}
	if load := got["tablewright.keys.hottest Shop"]; load < 1/3000.0/60*0.99 || load > 1/3000.0/60*1.01 {
		t.Errorf("the hottest key has %v", load)
	}
	if t.Failed() {
		for name, v := range got {
			t.Log(name, v)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if left := sums(reader); len(left) != 0 {
		t.Errorf("%d figures after the end", len(left))
	}
}

type thing struct {
	ID string `ddb:"id"`
}

// Errors of conditions, and those that the program asks about, are counted.
func TestErrorsAskedAbout(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Things", Key: plan.Key{Partition: "id"}})
	things := tablewright.Declare[tablewright.Entity[string, thing]](table, plan.Item{Name: "thing"})
	c := stats.NewCollector(stats.Options{})
	db := tablewright.New(tablewright.InProcess(engine.New(t)), tablewright.Options{Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	if err := table.CreateIn(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := things.Create(thing{"t"}).Run(t.Context(), db); i > 1 && !errors.Is(err, tablewright.ErrExists) {
			t.Fatal(err)
		}
	}
	reader := sdkmetric.NewManualReader()
	stop, err := otelstats.Register(c, sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stop() }()
	got := sums(reader)
	if all, asked := got["tablewright.conditions.errors Things PutItem"], got["tablewright.conditions.errors.asked Things PutItem"]; all != 4 || asked != 3 {
		t.Errorf("%v errors, asked about %v", all, asked)
	}
}

// A program would use an exporter's reader.
func ExampleRegister() {
	reader := sdkmetric.NewManualReader()
	stop, err := otelstats.Register(recorded(), sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = stop() }()
	fmt.Println(sums(reader)["tablewright.calls Shop GetItem done orderById"])
	// Output: 2
}
