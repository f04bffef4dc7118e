package telemetry

import (
	"context"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/tablewright/tablewright"
)

// Options of Hook; the zero value is all there is, on the global providers.
type Options struct {
	Tracer trace.TracerProvider // nil: otel.GetTracerProvider
	Meter  metric.MeterProvider // nil: otel.GetMeterProvider
	// NoCapacity leaves consumed capacity out unless something else asks for it. To tell it, requests have to ask: that adds
	// some hundred bytes to an answer.
	NoCapacity bool
}

const scope = "github.com/tablewright/tablewright/telemetry"

// Hook makes a span and measurements of every request. Instruments that a provider refuses make it panic: that is a mistake
// of the program's, and found when it starts.
func Hook(o Options) tablewright.Hook {
	if o.Tracer == nil {
		o.Tracer = otel.GetTracerProvider()
	}
	if o.Meter == nil {
		o.Meter = otel.GetMeterProvider()
	}
	tracer, meter := o.Tracer.Tracer(scope), newInstruments(o.Meter.Meter(scope))
	return func(next tablewright.Transport) tablewright.Transport {
		return &observer{next: next, tracer: tracer, meter: meter, capacity: !o.NoCapacity}
	}
}

type observer struct {
	next     tablewright.Transport
	tracer   trace.Tracer
	meter    *instruments
	capacity bool
	kinds    kinds
}

func (h *observer) Do(ctx context.Context, c *tablewright.Call) error {
	k := h.kinds.of(c)
	ctx, span := h.tracer.Start(ctx, k.name, k.start...)
	recorded, measured := span.IsRecording(), h.meter.enabled(ctx)
	if !recorded && !measured {
		err := h.next.Do(ctx, c)
		span.End()
		return err
	}
	c.Measure = c.Measure || h.capacity
	begin := time.Now()
	err := h.next.Do(ctx, c)
	took := time.Since(begin)
	problem := problemOf(ctx, err)
	if measured {
		h.meter.record(ctx, c, k, took, problem)
	}
	if recorded {
		describe(span, c, k, problem)
		if err != nil && problem.fault {
			span.SetStatus(codes.Error, problem.text)
		}
	}
	span.End()
	return err
}

// describe adds what is known after the answer.
func describe(span trace.Span, c *tablewright.Call, k *kind, p problem) {
	list := make([]attribute.KeyValue, 0, 12)
	list = append(list, k.recorded...)
	if c.RequestID != "" {
		list = append(list, attribute.String("aws.request_id", c.RequestID))
	}
	if c.Attempt > 1 {
		list = append(list, attribute.Int("tablewright.attempt", c.Attempt))
	}
	if p.code != "" {
		list = append(list, attribute.String("db.response.status_code", p.code))
	}
	if p.kind != "" {
		list = append(list, errorType.String(p.kind))
	}
	if p.kind == "" && c.Reads() {
		list = append(list, attribute.Int("aws.dynamodb.count", c.Items), attribute.Int("aws.dynamodb.scanned_count", c.Scanned))
	}
	var consumed []string
	for table, units := range arms(c) {
		consumed = append(consumed, units.json(table))
	}
	if consumed != nil {
		list = append(list, attribute.StringSlice("aws.dynamodb.consumed_capacity", consumed))
	}
	span.SetAttributes(list...)
}

// arm is a table, or an index of one.
type arm struct{ table, index string }

type units tablewright.Units

// arms are the tables and indexes that consumed something.
func arms(c *tablewright.Call) func(yield func(arm, units) bool) {
	return func(yield func(arm, units) bool) {
		c.Consumed(func(table, index string, u tablewright.Units) bool { return yield(arm{table, index}, units(u)) })
	}
}

// json is a member of the ConsumedCapacity that the convention wants; of each table and index one.
func (u units) json(a arm) string {
	b := append([]byte(nil), `{"TableName":`...)
	b = strconv.AppendQuote(b, a.table)
	if a.index != "" {
		b = strconv.AppendQuote(append(b, `,"IndexName":`...), a.index)
	}
	b = append(b, `,"CapacityUnits":`...)
	b = strconv.AppendFloat(b, float64(u.Read)+float64(u.Write), 'g', -1, 64)
	return string(append(b, '}'))
}
