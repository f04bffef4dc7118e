package telemetry_test

import (
	"context"
	"fmt"
	"log"

	noopmeter "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/telemetry"
)

// Spans of a program; one would use an exporter to a collector instead of one to memory.
func ExampleHook() {
	spans := tracetest.NewInMemoryExporter()
	e, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: []tablewright.Hook{telemetry.Hook(telemetry.Options{
		Tracer: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)),
		Meter:  noopmeter.NewMeterProvider(),
	})}})
	ctx := context.Background()
	if err := shop.CreateIn(ctx, db); err != nil {
		log.Fatal(err)
	}
	if err := Orders.Put(order{"o1", "c1"}).Run(ctx, db); err != nil {
		log.Fatal(err)
	}
	all := spans.GetSpans()
	fmt.Println(all[len(all)-1].Name)
	// Output: PutItem Shop
}
