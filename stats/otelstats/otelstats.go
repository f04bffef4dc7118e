// Package otelstats tells OpenTelemetry what a stats.Collector knows: observable instruments, read when a meter's reader asks,
// so that calls pay nothing more for them.
//
//	stop, err := otelstats.Register(collector, nil) // the global meter provider
//
// It is for programs whose figures go to an OpenTelemetry backend; package telemetry has spans and the conventional metrics of
// single requests, and the two do not need each other. Instruments:
//
//	tablewright.calls                  {call}  sum, by outcome
//	tablewright.retries                {call}  sum
//	tablewright.consumed.units         {unit}  sum, by table and index, kind read or write, source reported or computed
//	tablewright.items                  {item}  sum, kind returned or scanned
//	tablewright.conditions.refused     {condition}  sum
//	tablewright.conditions.errors      {error} sum: those of which the client told the program
//	tablewright.conditions.errors.asked {error} sum: those of them of which the program asked what they are
//	tablewright.throttling             {call}  sum, by the service's reason
//	tablewright.call.duration.quantile s       gauge, by quantile: 0.5, 0.9, 0.99, 0.999
//	tablewright.item.size.quantile     By      gauge, by quantile
//	tablewright.keys.distinct          {key}   gauge, by table and index
//	tablewright.keys.hottest           1       gauge, by table and index: the load of the hottest partition key in its busiest minute,
//	                                           as a share of one partition's throughput
//
// with the attributes db.operation.name, db.collection.name, aws.dynamodb.index_name and tablewright.pattern, as package telemetry
// has them, and tablewright.as, what a statement of PartiQL does: see stats.Operation.As. None has values of keys. Figures
// are at most a minute old: see stats.Collector.Recent. After Collector.Reset sums begin anew, which backends take for a restart of
// the program; a reader whose sums are deltas tells what it cannot be then, so that it and Reset do not go together.
package otelstats

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/tablewright/tablewright/stats"
)

const scope = "github.com/tablewright/tablewright/stats/otelstats"

// Register makes the instruments on a provider; nil is the global one. stop takes them off again. The error is the provider's.
func Register(c *stats.Collector, provider metric.MeterProvider) (stop func() error, err error) {
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	m := provider.Meter(scope)
	var in instruments
	var errs []error
	counter := func(name, unit, description string) metric.Float64ObservableCounter {
		i, err := m.Float64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		in.all = append(in.all, i)
		return i
	}
	gauge := func(name, unit, description string) metric.Float64ObservableGauge {
		i, err := m.Float64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		in.all = append(in.all, i)
		return i
	}
	in.calls = counter("tablewright.calls", "{call}", "Calls, each try for itself, by how they ended.")
	in.retries = counter("tablewright.retries", "{call}", "Calls that repeat another one.")
	in.units = counter("tablewright.consumed.units", "{unit}", "Capacity units that were consumed.")
	in.items = counter("tablewright.items", "{item}", "Items returned and looked at.")
	in.refused = counter("tablewright.conditions.refused", "{condition}", "Conditions that did not hold.")
	in.surfaced = counter("tablewright.conditions.errors", "{error}", "Errors of conditions that did not hold, as the client gave them to the program.")
	in.asked = counter("tablewright.conditions.errors.asked", "{error}", "Those of them of which the program asked what they are.")
	in.throttling = counter("tablewright.throttling", "{call}", "Calls that were throttled, by the service's reason.")
	in.took = gauge("tablewright.call.duration.quantile", "s", "Time of a call.")
	in.size = gauge("tablewright.item.size.quantile", "By", "Size of an item, as DynamoDB counts it.")
	in.distinct = gauge("tablewright.keys.distinct", "{key}", "About how many different partition keys were seen.")
	in.hottest = gauge("tablewright.keys.hottest", "1", "Load of the hottest partition key, of one partition's throughput.")
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r, err := m.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		in.observe(o, c.Recent())
		return nil
	}, in.all...)
	if err != nil {
		return nil, err
	}
	return r.Unregister, nil
}

type instruments struct {
	calls, retries, units, items, refused, surfaced, asked, throttling metric.Float64ObservableCounter

	took, size, distinct, hottest metric.Float64ObservableGauge
	all                           []metric.Observable
}

func (in *instruments) observe(o metric.Observer, s *stats.Snapshot) {
	for _, op := range s.Operations {
		in.operation(o, op)
	}
	hottest := map[[2]string]float64{}
	for i := range s.Partitions.List {
		k := &s.Partitions.List[i]
		at := [2]string{k.Table, k.Index}
		hottest[at] = max(hottest[at], k.Peak/60)
	}
	for _, x := range s.Consumed {
		of := place(x.Table, x.Index)
		for _, u := range []struct {
			kind, source string
			n            float64
		}{
			{"read", "reported", x.Read - x.ComputedRead}, {"read", "computed", x.ComputedRead},
			{"write", "reported", x.Write - x.ComputedWrite}, {"write", "computed", x.ComputedWrite},
		} {
			if u.n > 0 {
				o.ObserveFloat64(in.units, u.n, with(of, attribute.String("kind", u.kind), attribute.String("source", u.source)))
			}
		}
		o.ObserveFloat64(in.distinct, math.Round(x.Partitions.Count()), with(of)) // an estimate, of whole keys
		if load, ok := hottest[[2]string{x.Table, x.Index}]; ok {
			o.ObserveFloat64(in.hottest, load, with(of))
		}
	}
}

func (in *instruments) operation(o metric.Observer, op *stats.Operation) {
	of := append(place(op.Table, op.Index), attribute.String("db.operation.name", op.Operation))
	if op.As != "" {
		of = append(of, attribute.String("tablewright.as", op.As))
	}
	if op.Pattern != "" {
		of = append(of, attribute.String("tablewright.pattern", op.Pattern))
	}
	for i, n := range op.Outcomes {
		if n > 0 {
			o.ObserveFloat64(in.calls, n, with(of, attribute.String("outcome", stats.Outcome(i).String())))
		}
	}
	for _, x := range []struct {
		to metric.Float64ObservableCounter
		n  float64
		kv []attribute.KeyValue
	}{
		{in.retries, op.Retries, nil},
		{in.items, op.Items, []attribute.KeyValue{attribute.String("kind", "returned")}},
		{in.items, op.Scanned, []attribute.KeyValue{attribute.String("kind", "scanned")}},
		{in.refused, op.Refused, nil},
		{in.surfaced, op.Surfaced, nil},
		{in.asked, op.Asked, nil},
	} {
		if x.n > 0 {
			o.ObserveFloat64(x.to, x.n, with(of, x.kv...))
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(op.Throttling)) {
		o.ObserveFloat64(in.throttling, op.Throttling[reason], with(of, attribute.String("reason", reason)))
	}
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
		quantile := attribute.String("quantile", strconv.FormatFloat(q, 'g', -1, 64))
		o.ObserveFloat64(in.took, float64(op.Took.Quantile(q))/1e9, with(of, quantile))
		if op.Sizes.Count() > 0 {
			o.ObserveFloat64(in.size, float64(op.Sizes.Quantile(q)), with(of, quantile))
		}
	}
}

func place(table, index string) []attribute.KeyValue {
	list := make([]attribute.KeyValue, 0, 6)
	if table != "" {
		list = append(list, attribute.String("db.collection.name", table))
	}
	if index != "" {
		list = append(list, attribute.String("aws.dynamodb.index_name", index))
	}
	return list
}

func with(of []attribute.KeyValue, more ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(append(of[:len(of):len(of)], more...)...)
}
