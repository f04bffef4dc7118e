package clients

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	metricnoop "go.opentelemetry.io/otel/metric/noop"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/telemetry"
)

var (
	report = flag.String("report", "", "write the figures to this file, as Markdown")
	rounds = flag.Int("rounds", 100, "rounds of the report, in which the clients take turns")
)

// TestReport measures everything and writes docs/performance.md.
func TestReport(t *testing.T) {
	if *report == "" {
		t.Skip("without -report nothing is measured")
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, `# Performance of the client

Written by

    cd internal/peers/clients && go test -run TestReport -timeout 30m -report ../../../docs/performance.md

on %s, %d processors, %s/%s, with %s, %s.
All clients send the same operations to the same canned HTTP answers, in the same process and run: what is compared is building,
signing and sending a request, reading and decoding the answer, without network and service. They take turns in %d rounds, each
on a clean heap and with so many calls that the SDK's garbage is collected once or twice. Times are medians of the rounds, in
microseconds for a call (in parentheses the quickest round); a share is the median of the rounds' shares. Allocations and bytes
are those of a call. SDK is aws-sdk-go-v2 with its package attributevalue. A machine that does other things too makes all times
longer, and shares less certain.

| operation | Tablewright µs | SDK µs | guregu/dynamo µs | of the SDK's time | of guregu's | allocations: Tablewright | SDK | guregu | bytes: Tablewright | SDK | guregu |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`, processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), versions(t), *rounds)
	for _, task := range tasks() {
		c, err := New(task.answer)
		check(t, err)
		var calls []func()
		for _, run := range []func(ctx context.Context, c *Clients) error{task.ours, task.sdk, task.guregu} {
			calls = append(calls, func() { check(t, run(t.Context(), c)) })
		}
		n := int(8<<20/interleaved(0, 20, calls[1])[0].bytes) + 1
		f := interleaved(*rounds, max(20, n), calls...)
		fmt.Fprintf(&doc, "| %s | %s | %s | %s | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", task.name, f[0], f[1], f[2],
			share(f[0], f[1]), share(f[0], f[2]), f[0].allocs, f[1].allocs, f[2].allocs, f[0].bytes, f[1].bytes, f[2].bytes)
		t.Log(task.name, f[0], f[1], f[2])
	}
	doc.WriteString("\n" + hooks(t) + "\n" + schemas(t) + "\n" + callers(t))
	items, peak := scanMemory(t, 1000)
	fmt.Fprintf(&doc, "\n## Memory\n\nA scan of %d items through the iterator had %.1f MB on the heap at most. The texts of a page share\n"+
		"a few buffers of 8 KB; with Options.OwnTexts each has memory of its own.\n", items, float64(peak)/(1<<20))
	check(t, os.WriteFile(*report, []byte(doc.String()), 0o644))
}

// hooks measures what hooks add to a get.
func hooks(t *testing.T) string {
	var seen atomic.Int64
	counting := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			err := next.Do(ctx, c)
			seen.Add(int64(c.Items))
			return err
		})
	}
	tracing := telemetry.Hook(telemetry.Options{Tracer: tracenoop.NewTracerProvider(), Meter: metricnoop.NewMeterProvider()})
	answer := `{"Item":` + Item(1) + `}`
	measured := strings.TrimSuffix(answer, "}") + `,"ConsumedCapacity":{"TableName":"Orders","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}}`
	kinds := []struct {
		name, answer string
		hooks        []tablewright.Hook
	}{
		{"none", answer, nil},
		{"none, once more", answer, nil},
		{"one that counts", answer, []tablewright.Hook{counting}},
		{"spans and metrics that nobody records", answer, []tablewright.Hook{tracing}},
		{"statistics of everything, and the units that they ask for", measured, []tablewright.Hook{tablewright.Statistics(stats.NewCollector(stats.Options{}))}},
	}
	var calls []func()
	for _, k := range kinds {
		c, err := New(k.answer, k.hooks...)
		check(t, err)
		calls = append(calls, func() {
			_, err := Orders.Get("o-000001").Run(t.Context(), c.Tablewright)
			check(t, err)
		})
	}
	f := interleaved(max(*rounds/10, 1), 400, calls...)
	d := differences(200**rounds, 5, calls...)
	var doc strings.Builder
	fmt.Fprintf(&doc, `## Hooks

What a hook adds to a get, in nanoseconds. In each of %d rounds five gets of each kind follow each other, in an order that changes. Of
the quickest quarter of the rounds, when nobody else was busy, the differences to gets without hooks count: the mean of their
middle half is told, with its standard error. Clients without hooks are measured twice: what those differ is what cannot be told
apart.

| hooks | more ns | ± | allocations |
|---|---:|---:|---:|
`, 200**rounds)
	for i, k := range kinds {
		fmt.Fprintf(&doc, "| %s | %.0f | %.0f | %.0f |\n", k.name, d[i].ns, d[i].err, f[i].allocs)
		t.Log(k.name, d[i])
	}
	return doc.String()
}

// schemas measures what the checks of an item add to a put.
func schemas(t *testing.T) string {
	c, err := New(`{}`)
	check(t, err)
	o := Example(1)
	f := interleaved(*rounds, 400,
		func() { check(t, Orders.Put(o).Run(t.Context(), c.Tablewright)) },
		func() { check(t, Checked.Put(CheckedOrder(o)).Run(t.Context(), c.Tablewright)) })
	return fmt.Sprintf("## Schemas\n\nA put of 12 attributes takes %s µs, and with a rule for each of them %s: %.1f %% more.\n", f[0], f[1], 100*(share(f[1], f[0])-1))
}

// callers measures how throughput goes with the number of goroutines that call.
func callers(t *testing.T) string {
	const gets = 5_000
	c, err := New(`{"Item":` + Item(1) + `}`)
	check(t, err)
	var get task
	for _, task := range tasks() {
		if task.name == "get" {
			get = task
		}
	}
	var doc strings.Builder
	doc.WriteString("## Many callers\n\nGets per second of one client, used by so many goroutines.\n\n| callers | Tablewright | SDK | guregu/dynamo |\n|---:|---:|---:|---:|\n")
	for _, n := range []int{1, 10, 100, 1000} {
		var calls []func()
		for _, run := range []func(ctx context.Context, c *Clients) error{get.ours, get.sdk, get.guregu} {
			calls = append(calls, func() {
				var wait sync.WaitGroup
				for range n {
					wait.Go(func() {
						for range gets / n {
							if err := run(t.Context(), c); err != nil {
								t.Error(err)
							}
						}
					})
				}
				wait.Wait()
			})
		}
		f := interleaved(max(*rounds/20, 1), 1, calls...)
		fmt.Fprintf(&doc, "| %d |", n)
		for i := range f {
			fmt.Fprintf(&doc, " %.0f |", gets/f[i].median().Seconds())
		}
		doc.WriteString("\n")
	}
	return doc.String()
}

// processor is the machine's, as Linux tells it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unnamed processor"
}

// versions are those of what is compared.
func versions(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Path}} {{.Version}}", "github.com/aws/aws-sdk-go-v2", "github.com/aws/aws-sdk-go-v2/service/dynamodb",
		"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue", "github.com/guregu/dynamo/v2").Output()
	check(t, err)
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(string(out)), "github.com/", ""), "\n", ", ")
}

func check(t *testing.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
