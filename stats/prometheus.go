package stats

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// PrometheusOptions say what WritePrometheus writes beside operations and tables.
type PrometheusOptions struct {
	// Keys is how many of the partition keys and items with the most load are written, as series of their own: data of
	// customers, unless keys are hashed, and never the same series for long. 0: none.
	Keys int
}

// quantiles are what is written of latencies and sizes.
var quantiles = []float64{0.5, 0.9, 0.95, 0.99, 0.999}

// WritePrometheus writes a Snapshot in the text format of Prometheus (prometheus.io/docs/instrumenting/exposition_formats). Names
// begin with tablewright_; times are seconds, sizes bytes. Summaries are of the whole time of the Snapshot: of a process, from
// its start on.
func (s *Snapshot) WritePrometheus(w io.Writer, o PrometheusOptions) error {
	p := promWriter{w: bufio.NewWriter(w)}
	p.family("calls_total", "counter", "Calls, each try for itself, by how they ended.")
	for _, op := range s.Operations {
		for i, n := range op.Outcomes {
			if n > 0 {
				p.sample("calls_total", n, op.labels("outcome", Outcome(i).String())...)
			}
		}
	}
	for _, f := range []struct {
		name, help string
		of         func(c *Counts) float64
	}{
		{"retries_total", "Calls that repeat another one.", func(c *Counts) float64 { return c.Retries }},
		{"read_units_total", "Read capacity units.", func(c *Counts) float64 { return c.Read }},
		{"write_units_total", "Write capacity units.", func(c *Counts) float64 { return c.Write }},
		{"computed_read_units_total", "The part of the read capacity units that was computed, not reported.", func(c *Counts) float64 { return c.ComputedRead }},
		{"computed_write_units_total", "The part of the write capacity units that was computed, not reported.", func(c *Counts) float64 { return c.ComputedWrite }},
		{"items_total", "Items returned.", func(c *Counts) float64 { return c.Items }},
		{"scanned_total", "Items looked at.", func(c *Counts) float64 { return c.Scanned }},
		{"pages_total", "Answers of queries and scans.", func(c *Counts) float64 { return c.Pages }},
		{"conditions_refused_total", "Conditions that did not hold.", func(c *Counts) float64 { return c.Refused }},
		{"condition_errors_total", "Errors of conditions that did not hold, as the client gave them to the program.", func(c *Counts) float64 { return c.Surfaced }},
		{"condition_errors_asked_total", "Those of them of which the program asked what they are.", func(c *Counts) float64 { return c.Asked }},
		{"unprocessed_total", "Parts of batches that the service left.", func(c *Counts) float64 { return c.Unprocessed }},
	} {
		p.family(f.name, "counter", f.help)
		for _, op := range s.Operations {
			if n := f.of(&op.Counts); n > 0 {
				p.sample(f.name, n, op.labels()...)
			}
		}
	}
	p.family("throttling_total", "counter", "Calls that were throttled, by the service's reason.")
	for _, op := range s.Operations {
		for _, reason := range slices.Sorted(maps.Keys(op.Throttling)) {
			p.sample("throttling_total", op.Throttling[reason], op.labels("reason", reason)...)
		}
	}
	for _, f := range []struct {
		name, help string
		scale      float64
		of         func(o *Operation) *Distribution
	}{
		{"call_duration_seconds", "Time of a call.", 1e-9, func(o *Operation) *Distribution { return o.Took }},
		{"request_bytes", "Size of a request, in JSON.", 1, func(o *Operation) *Distribution { return o.Sent }},
		{"answer_bytes", "Size of an answer, in JSON.", 1, func(o *Operation) *Distribution { return o.Received }},
		{"item_bytes", "Size of an item, as DynamoDB counts it.", 1, func(o *Operation) *Distribution { return o.Sizes }},
	} {
		p.family(f.name, "summary", f.help)
		for _, op := range s.Operations {
			d := f.of(op)
			if d.Count() == 0 {
				continue
			}
			for _, q := range quantiles {
				p.sample(f.name, float64(d.Quantile(q))*f.scale, op.labels("quantile", strconv.FormatFloat(q, 'g', -1, 64))...)
			}
			p.sample(f.name+"_sum", d.Sum()*f.scale, op.labels()...)
			p.sample(f.name+"_count", d.Count(), op.labels()...)
		}
	}
	p.consumed(s)
	if o.Keys > 0 {
		p.keys("partition_key_load", "Load of one of the hottest partition keys, in seconds of one partition's throughput.", s.Partitions, o.Keys)
		p.keys("item_load", "Load of one of the hottest items, in seconds of one partition's throughput.", s.Items, o.Keys)
	}
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}

func (o *Operation) labels(more ...string) []string {
	return append([]string{"operation", o.Operation, "as", o.As, "table", o.Table, "index", o.Index, "pattern", o.Pattern}, more...)
}

// promWriter writes families of samples.
type promWriter struct {
	w   *bufio.Writer
	err error
}

func (p *promWriter) family(name, kind, help string) {
	p.print("# HELP tablewright_%s %s\n# TYPE tablewright_%s %s\n", name, help, name, kind)
}

func (p *promWriter) print(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

var promEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// sample writes a value with its labels, given as names and values; those without a value are left out.
func (p *promWriter) sample(name string, value float64, labels ...string) {
	var b strings.Builder
	for i := 0; i+1 < len(labels); i += 2 {
		if labels[i+1] == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s="%s"`, labels[i], promEscaper.Replace(strings.ToValidUTF8(labels[i+1], "\ufffd")))
	}
	p.print("tablewright_%s{%s} %s\n", name, b.String(), strconv.FormatFloat(value, 'g', -1, 64))
}

func (p *promWriter) consumed(s *Snapshot) {
	p.family("consumed_units_total", "counter", "Units that a table or index consumed.")
	for _, c := range s.Consumed {
		p.sample("consumed_units_total", c.Read, "table", c.Table, "index", c.Index, "kind", "read")
		p.sample("consumed_units_total", c.Write, "table", c.Table, "index", c.Index, "kind", "write")
	}
	p.family("consumed_units_peak", "gauge", "Units per second of the busiest minute.")
	for _, c := range s.Consumed {
		peak := c.Traffic.Peak() // a first minute that was not seen whole is not quieter than the average
		p.sample("consumed_units_peak", max(peak.Read, s.PerSecond(c.Read)), "table", c.Table, "index", c.Index, "kind", "read")
		p.sample("consumed_units_peak", max(peak.Write, s.PerSecond(c.Write)), "table", c.Table, "index", c.Index, "kind", "write")
	}
	p.family("distinct_partition_keys", "gauge", "About how many different partition keys were seen.")
	for _, c := range s.Consumed {
		p.sample("distinct_partition_keys", math.Round(c.Partitions.Count()), "table", c.Table, "index", c.Index)
	}
}

func (p *promWriter) keys(name, help string, k *Keys, n int) {
	p.family(name, "gauge", help)
	for i := range k.List[:min(n, len(k.List))] {
		key := &k.List[i]
		text := key.Key
		if text == "" {
			text = strconv.FormatUint(key.Hash, 16)
		}
		p.sample(name, key.Load, "table", key.Table, "index", key.Index, "key", text)
	}
}

// PrometheusHandler answers with what c knows, at most a minute old, in the text format of Prometheus.
func (c *Collector) PrometheusHandler(o PrometheusOptions) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = c.Recent().WritePrometheus(w, o) // who asked is gone
	})
}

// Handler answers with what c knows, at most a minute old, as JSON: see Snapshot.
func (c *Collector) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = c.Recent().Write(w)
	})
}
