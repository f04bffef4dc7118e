package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	noopmeter "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/telemetry"
	"github.com/tablewright/tablewright/wire"
)

type order struct {
	ID       string `ddb:"id"`
	Customer string `ddb:"customer"`
}

type orders struct {
	tablewright.Entity[string, order]
	ByCustomer tablewright.Index0[order, string]
}

var (
	shop = tablewright.NewTable(plan.Table{Name: "Shop", Key: plan.Key{Partition: "id"}, GSI: map[string]plan.Index{
		"ByCustomer": {Partition: []string{"customer"}},
	}})
	Orders     = tablewright.Declare[orders](shop, plan.Item{Name: "Order"})
	ofCustomer = tablewright.NewPattern(shop, "ordersOfCustomer", func(customer string) tablewright.Query[order] {
		return Orders.ByCustomer.Of(customer).Filter(Orders.Where("id <> ?", "nobody"))
	})
)

// traffic is one request of several kinds each; the table's creation is not among what the hooks see.
func traffic(t testing.TB, hooks ...tablewright.Hook) {
	t.Helper()
	e := engine.New(t)
	if err := shop.CreateIn(t.Context(), tablewright.New(tablewright.InProcess(e), tablewright.Options{})); err != nil {
		t.Fatal(err)
	}
	ctx, db := t.Context(), tablewright.New(tablewright.InProcess(e), tablewright.Options{Hooks: hooks, Retry: tablewright.Retry{Attempts: 2}})
	if err := Orders.Create(order{"secret-o1", "secret-c1"}).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := Orders.Create(order{"secret-o1", "secret-c1"}).Run(ctx, db); !errors.Is(err, tablewright.ErrExists) {
		t.Fatal(err)
	}
	if all, err := ofCustomer.With("secret-c1").Slice(ctx, db); err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	e.Inject(engine.Fault{Operation: "GetItem", Times: 1, Err: wire.NewError(wire.CodeThroughputExceeded, "secret-o1 is hot")})
	if _, err := Orders.Get("secret-o1").Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	e.Inject(engine.Fault{Operation: "DeleteItem", DropAnswer: true})
	if err := Orders.Delete("secret-o1").Run(ctx, db); !errors.Is(err, tablewright.ErrUnknownOutcome) {
		t.Fatal(err)
	}
}

func TestSpans(t *testing.T) {
	kept := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(kept))
	traffic(t, telemetry.Hook(telemetry.Options{Tracer: provider, Meter: noopmeter.NewMeterProvider()}))
	var said []string
	for _, s := range kept.GetSpans() {
		if s.SpanKind != trace.SpanKindClient {
			t.Errorf("%s is of kind %v", s.Name, s.SpanKind)
		}
		line := s.Name
		if s.Status.Code != codes.Unset {
			line += fmt.Sprintf(" (%v %s)", s.Status.Code, s.Status.Description)
		}
		slices.SortFunc(s.Attributes, func(a, b attribute.KeyValue) int { return strings.Compare(string(a.Key), string(b.Key)) })
		for _, a := range s.Attributes {
			if a.Key != "db.system.name" && a.Key != "aws.request_id" {
				line += fmt.Sprintf(" %s=%s", a.Key, a.Value.String())
			}
		}
		said = append(said, line)
	}
	table := ` aws.dynamodb.table_names=["Shop"] db.collection.name=Shop`
	want := []string{
		`PutItem Shop aws.dynamodb.consumed_capacity=["{\"TableName\":\"Shop\",\"IndexName\":\"ByCustomer\",\"CapacityUnits\":1}","{\"TableName\":\"Shop\",\"CapacityUnits\":1}"]` + table + ` db.operation.name=PutItem`,
		`PutItem Shop` + table + ` db.operation.name=PutItem db.response.status_code=ConditionalCheckFailedException error.type=ConditionalCheckFailedException`,
		`Query Shop aws.dynamodb.consumed_capacity=["{\"TableName\":\"Shop\",\"IndexName\":\"ByCustomer\",\"CapacityUnits\":0.5}"] aws.dynamodb.count=1 aws.dynamodb.index_name=ByCustomer aws.dynamodb.scanned_count=1` + table + ` db.operation.name=Query tablewright.pattern=ordersOfCustomer`,
		`GetItem Shop (Error ProvisionedThroughputExceededException)` + table + ` db.operation.name=GetItem db.response.status_code=ProvisionedThroughputExceededException error.type=ProvisionedThroughputExceededException`,
		`GetItem Shop aws.dynamodb.consumed_capacity=["{\"TableName\":\"Shop\",\"CapacityUnits\":0.5}"] aws.dynamodb.count=1 aws.dynamodb.scanned_count=1` + table + ` db.operation.name=GetItem tablewright.attempt=2`,
		`DeleteItem Shop (Error no answer)` + table + ` db.operation.name=DeleteItem error.type=connection`,
		`DeleteItem Shop (Error no answer)` + table + ` db.operation.name=DeleteItem error.type=connection tablewright.attempt=2`,
	}
	if got, want := strings.Join(said, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMetrics(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	traffic(t, telemetry.Hook(telemetry.Options{Meter: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))}))
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range all.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				kind, _ := p.Attributes.Value("error.type")
				operation, _ := p.Attributes.Value("db.operation.name")
				said = append(said, fmt.Sprintf("%s %s %s %d", m.Name, operation.String(), kind.AsString(), p.Count))
			}
		case metricdata.Histogram[int64]:
			for _, p := range data.DataPoints {
				operation, _ := p.Attributes.Value("db.operation.name")
				said = append(said, fmt.Sprintf("%s %s %d", m.Name, operation.String(), p.Sum))
			}
		case metricdata.Sum[float64]:
			for _, p := range data.DataPoints {
				operation, _ := p.Attributes.Value("db.operation.name")
				index, _ := p.Attributes.Value("aws.dynamodb.index_name")
				pattern, _ := p.Attributes.Value("tablewright.pattern")
				said = append(said, fmt.Sprintf("%s %s %s %s %g", m.Name, operation.String(), index.AsString(), pattern.AsString(), p.Value))
			}
		}
	}
	slices.Sort(said)
	want := `db.client.operation.duration DeleteItem connection 2
db.client.operation.duration GetItem  1
db.client.operation.duration GetItem ProvisionedThroughputExceededException 1
db.client.operation.duration PutItem  1
db.client.operation.duration PutItem ConditionalCheckFailedException 1
db.client.operation.duration Query  1
db.client.response.returned_rows GetItem 1
db.client.response.returned_rows Query 1
tablewright.consumed.read GetItem   0.5
tablewright.consumed.read Query ByCustomer ordersOfCustomer 0.5
tablewright.consumed.write PutItem   1
tablewright.consumed.write PutItem ByCustomer  1`
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLog(t *testing.T) {
	for name, c := range map[string]struct {
		options telemetry.LogOptions
		level   slog.Level
		want    string
	}{
		"failures": {telemetry.LogOptions{}, slog.LevelDebug, `WARN "request failed" operation=GetItem table=Shop code=ProvisionedThroughputExceededException attempt=1
WARN "request failed" operation=DeleteItem table=Shop code=connection attempt=1
WARN "request failed" operation=DeleteItem table=Shop code=connection attempt=2
`},
		"all, but the log wants warnings": {telemetry.LogOptions{All: true, Slow: 1}, slog.LevelError, ""},
		"all": {telemetry.LogOptions{All: true, Slow: -1}, slog.LevelDebug, `DEBUG request operation=PutItem table=Shop attempt=1 writeUnits=2
DEBUG request operation=PutItem table=Shop code=ConditionalCheckFailedException attempt=1
DEBUG request operation=Query table=Shop index=ByCustomer pattern=ordersOfCustomer attempt=1 items=1 scanned=1 readUnits=0.5
WARN "request failed" operation=GetItem table=Shop code=ProvisionedThroughputExceededException attempt=1
DEBUG request operation=GetItem table=Shop attempt=2 items=1 scanned=1 readUnits=0.5
WARN "request failed" operation=DeleteItem table=Shop code=connection attempt=1
WARN "request failed" operation=DeleteItem table=Shop code=connection attempt=2
`},
		"slow": {telemetry.LogOptions{Slow: 1}, slog.LevelDebug, `WARN "slow request" operation=PutItem table=Shop attempt=1 writeUnits=2
WARN "slow request" operation=PutItem table=Shop code=ConditionalCheckFailedException attempt=1
WARN "slow request" operation=Query table=Shop index=ByCustomer pattern=ordersOfCustomer attempt=1 items=1 scanned=1 readUnits=0.5
WARN "request failed" operation=GetItem table=Shop code=ProvisionedThroughputExceededException attempt=1
WARN "slow request" operation=GetItem table=Shop attempt=2 items=1 scanned=1 readUnits=0.5
WARN "request failed" operation=DeleteItem table=Shop code=connection attempt=1
WARN "request failed" operation=DeleteItem table=Shop code=connection attempt=2
`},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			logger := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: c.level}))
			measure := func(next tablewright.Transport) tablewright.Transport {
				return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
					c.Measure = true
					return next.Do(ctx, c)
				})
			}
			traffic(t, telemetry.Log(logger, c.options), measure)
			got := regexp.MustCompile(`(?m)^time=\S+ level=| msg=| took=\S+| request=\S+`).ReplaceAllStringFunc(b.String(), func(s string) string {
				if s == " msg=" {
					return " "
				}
				return ""
			})
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if strings.Contains(b.String(), "secret") {
				t.Error("the log has values")
			}
		})
	}
}

// BenchmarkHook is what hooks add to a call whose transport does nothing.
func BenchmarkHook(b *testing.B) {
	answer := tablewright.TransportFunc(func(_ context.Context, c *tablewright.Call) error { return nil })
	reader := sdkmetric.NewManualReader()
	never := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))
	var nothing metric.MeterProvider = noopmeter.NewMeterProvider()
	for name, t := range map[string]tablewright.Transport{
		"none":                           answer,
		"global providers, none set":     telemetry.Hook(telemetry.Options{})(answer),
		"spans that are not recorded":    telemetry.Hook(telemetry.Options{Tracer: never, Meter: nothing})(answer),
		"the same, and metrics that are": telemetry.Hook(telemetry.Options{Tracer: never, Meter: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))})(answer),
		"a log of failures":              telemetry.Log(slog.New(slog.DiscardHandler), telemetry.LogOptions{})(answer),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			c := &tablewright.Call{Operation: "Query", Table: "Shop", Index: "ByCustomer", Pattern: "ordersOfCustomer", Attempt: 1, Items: 3}
			for b.Loop() {
				if err := t.Do(context.Background(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
