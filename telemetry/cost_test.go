package telemetry_test

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	noopmeter "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/telemetry"
)

// What hooks cost a call: a hook that counts nothing to speak of, and no allocation; a span that is not recorded what
// OpenTelemetry's own start of it costs, a microsecond at most; a log of failures nothing but the time.
func TestCost(t *testing.T) {
	answer := tablewright.TransportFunc(func(context.Context, *tablewright.Call) error { return nil })
	calls := 0
	counting := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			calls += c.Items
			return err
		})
	}
	never := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))
	for _, c := range []struct {
		name        string
		way         tablewright.Transport
		most        time.Duration
		allocations float64
	}{
		{"a hook that counts", counting(answer), 300 * time.Nanosecond, 0},
		{"a span that is not recorded", telemetry.Hook(telemetry.Options{Tracer: never, Meter: noopmeter.NewMeterProvider()})(answer), time.Microsecond, 3},
		{"a log of failures", telemetry.Log(slog.New(slog.DiscardHandler), telemetry.LogOptions{})(answer), time.Microsecond, 1},
	} {
		call := &tablewright.Call{Operation: "Query", Table: "Shop", Index: "ByCustomer", Pattern: "ordersOfCustomer", Attempt: 1, Items: 3}
		run := func() {
			if err := c.way.Do(context.Background(), call); err != nil {
				t.Fatal(err)
			}
		}
		if got := testing.AllocsPerRun(1000, run); got > c.allocations {
			t.Errorf("%s: %v allocations, want %v at most", c.name, got, c.allocations)
		}
		if raced() {
			continue // which makes everything ten times as slow
		}
		if got := fastest(run); got > c.most {
			t.Errorf("%s: %v, want %v at most", c.name, got, c.most)
		} else {
			t.Logf("%s: %v", c.name, got)
		}
	}
}

// fastest is what a run takes when nothing comes between: of many short stretches, that which one in twenty is faster than.
func fastest(run func()) time.Duration {
	const runs = 50
	all := make([]time.Duration, 2000)
	for i := range all {
		start := time.Now()
		for range runs {
			run()
		}
		all[i] = time.Since(start) / runs
	}
	slices.Sort(all)
	return all[len(all)/20]
}

// raced reports whether this is built with the race detector.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
