package telemetry

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

type instruments struct {
	duration    metric.Float64Histogram
	rows        metric.Int64Histogram
	read, write metric.Float64Counter
}

func newInstruments(m metric.Meter) *instruments {
	var in instruments
	var err [4]error
	// The buckets are those of opentelemetry.io/docs/specs/semconv/database/database-metrics.
	in.duration, err[0] = m.Float64Histogram("db.client.operation.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of database client operations."),
		metric.WithExplicitBucketBoundaries(.001, .005, .01, .05, .1, .5, 1, 5, 10))
	in.rows, err[1] = m.Int64Histogram("db.client.response.returned_rows", metric.WithUnit("{row}"),
		metric.WithDescription("The number of items that a read returned."),
		metric.WithExplicitBucketBoundaries(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000))
	in.read, err[2] = m.Float64Counter("tablewright.consumed.read", metric.WithUnit("{unit}"),
		metric.WithDescription("Read capacity units that were consumed."))
	in.write, err[3] = m.Float64Counter("tablewright.consumed.write", metric.WithUnit("{unit}"),
		metric.WithDescription("Write capacity units that were consumed."))
	if err := errors.Join(err[:]...); err != nil {
		panic("tablewright/telemetry: " + err.Error())
	}
	return &in
}

func (in *instruments) enabled(ctx context.Context) bool {
	return in.duration.Enabled(ctx) || in.rows.Enabled(ctx) || in.read.Enabled(ctx) || in.write.Enabled(ctx)
}

func (in *instruments) record(ctx context.Context, c *tablewright.Call, k *kind, took time.Duration, p problem) {
	if p.kind != "" {
		with := append(k.attributes[:len(k.attributes):len(k.attributes)], errorType.String(p.kind))
		in.duration.Record(ctx, took.Seconds(), metric.WithAttributes(with...))
		return
	}
	in.duration.Record(ctx, took.Seconds(), k.record...)
	if c.Reads() {
		in.rows.Record(ctx, int64(c.Items), k.record...)
	}
	for a, u := range arms(c) {
		of := consumedBy(c, a)
		if u.Read != 0 {
			in.read.Add(ctx, float64(u.Read), of)
		}
		if u.Write != 0 {
			in.write.Add(ctx, float64(u.Write), of)
		}
	}
}

// consumedBy names an arm of a call: with the index that was charged, which is not always the one that was asked.
func consumedBy(c *tablewright.Call, a arm) metric.MeasurementOption {
	list := make([]attribute.KeyValue, 0, 5)
	list = append(list, attribute.String("db.system.name", "aws.dynamodb"), attribute.String("db.operation.name", c.Operation),
		attribute.String("db.collection.name", a.table))
	if a.index != "" {
		list = append(list, attribute.String("aws.dynamodb.index_name", a.index))
	}
	if c.Pattern != "" {
		list = append(list, attribute.String("tablewright.pattern", c.Pattern))
	}
	return metric.WithAttributes(list...)
}

// problem is an error as the conventions tell it.
type problem struct {
	kind, code string // error.type; the service's code
	text       string // without values: what the service said may have some
	fault      bool   // not an answer that programs ask for
}

func problemOf(ctx context.Context, err error) problem {
	var answer *wire.Error
	switch {
	case err == nil:
		return problem{}
	case errors.As(err, &answer):
		return problem{kind: answer.Code, code: answer.Code, text: answer.Code, fault: answer.Code != wire.CodeConditionFailed}
	case errors.Is(err, context.DeadlineExceeded):
		return problem{kind: "timeout", text: "the time was over", fault: true}
	case errors.Is(err, context.Canceled), ctx.Err() != nil:
		return problem{kind: "canceled", text: "the caller gave up", fault: true}
	}
	return problem{kind: "connection", text: "no answer", fault: true}
}
