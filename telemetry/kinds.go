package telemetry

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/tablewright/tablewright"
)

const errorType = attribute.Key("error.type")

// kind is what all requests of one operation, table, index and access pattern have in common, made once.
type kind struct {
	name       string // of the span
	attributes []attribute.KeyValue
	start      []trace.SpanStartOption // with what samplers go by
	recorded   []attribute.KeyValue    // of a span that is recorded
	record     []metric.RecordOption   // of a request without an error
}

type kindKey struct{ operation, table, index, pattern string }

// kinds finds a kind without a lock and without allocating. There are as many as a program declares.
type kinds struct {
	known atomic.Pointer[map[kindKey]*kind]
	mu    sync.Mutex // of who adds one
}

func (l *kinds) of(c *tablewright.Call) *kind {
	key := kindKey{c.Operation, c.Table, c.Index, c.Pattern}
	if known := l.known.Load(); known != nil {
		if k := (*known)[key]; k != nil {
			return k
		}
	}
	return l.add(key)
}

func (l *kinds) add(key kindKey) *kind {
	l.mu.Lock()
	defer l.mu.Unlock()
	with := map[kindKey]*kind{}
	if known := l.known.Load(); known != nil {
		with = maps.Clone(*known)
	}
	k := with[key]
	if k == nil {
		k = newKind(key)
		with[key] = k
		l.known.Store(&with)
	}
	return k
}

func newKind(key kindKey) *kind {
	k := &kind{name: key.operation}
	k.attributes = []attribute.KeyValue{
		attribute.String("db.system.name", "aws.dynamodb"),
		attribute.String("db.operation.name", key.operation),
	}
	if key.table != "" {
		k.name += " " + key.table
		k.attributes = append(k.attributes, attribute.String("db.collection.name", key.table))
	}
	if key.index != "" {
		k.attributes = append(k.attributes, attribute.String("aws.dynamodb.index_name", key.index))
	}
	if key.pattern != "" {
		k.attributes = append(k.attributes, attribute.String("tablewright.pattern", key.pattern))
	}
	k.record = []metric.RecordOption{metric.WithAttributeSet(attribute.NewSet(k.attributes...))}
	// Samplers are told what the conventions want them to know (opentelemetry.io/docs/specs/semconv/database/dynamodb): every
	// attribute that is told at the start is copied, recorded or not.
	n := 2
	if key.table != "" {
		n = 3
	}
	k.recorded = slices.Clone(k.attributes[n:])
	if key.table != "" {
		k.recorded = append(k.recorded, attribute.StringSlice("aws.dynamodb.table_names", []string{key.table}))
	}
	k.start = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(k.attributes[:n:n]...)}
	return k
}
