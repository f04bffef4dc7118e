package engine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// metrics are what an engine counts from Open on.
type metrics struct {
	operations map[string]*operationMetrics // by name; "" is for what is no operation
	failures   atomic.Uint64                // of the disk
	told       atomic.Int64                 // when the last one was logged, in nanoseconds since 1970
	sweeps     atomic.Uint64
	expired    atomic.Uint64 // items deleted by sweeps
	fills      atomic.Int64  // indexes being filled
	filled     atomic.Uint64 // items that were looked at for them

	making sync.Mutex                          // held by who replaces usages
	usages atomic.Pointer[map[kv.Space]*usage] // is replaced, not changed
}

// usage is what requests consumed of a table or index, in half units, of which all consumption is made. What was undone is
// in it too.
type usage struct{ reads, writes atomic.Int64 }

// usage is that of a space.
func (m *metrics) usage(s kv.Space) *usage {
	if l := m.usages.Load(); l != nil {
		if u := (*l)[s]; u != nil {
			return u
		}
	}
	m.making.Lock()
	defer m.making.Unlock()
	next := map[kv.Space]*usage{}
	if l := m.usages.Load(); l != nil {
		maps.Copy(next, *l)
	}
	if next[s] == nil {
		next[s] = &usage{}
		m.usages.Store(&next)
	}
	return next[s]
}

// forget lets go of the usages of a table that is no more, or of indexes that it has no more.
func (m *metrics) forget(before, after *table) {
	m.making.Lock()
	defer m.making.Unlock()
	l := m.usages.Load()
	if before == nil || l == nil {
		return
	}
	there := map[kv.Space]bool{}
	for s := range after.spaces {
		there[s] = true
	}
	next := maps.Clone(*l)
	for s := range before.spaces {
		if !there[s] {
			delete(next, s)
		}
	}
	if len(next) < len(*l) {
		m.usages.Store(&next)
	}
}

// spaces are those of a table and its indexes; none if there is no table.
func (t *table) spaces(yield func(kv.Space) bool) {
	if t == nil || !yield(t.space) {
		return
	}
	for _, x := range t.indexes {
		if !yield(x.space) {
			return
		}
	}
}

// read counts what a read consumed of a table, or of an index of it.
func (m *metrics) read(t *table, x *index, units float64) {
	s := t.space
	if x != nil {
		s = x.space
	}
	m.usage(s).reads.Add(int64(units * 2))
}

// wrote counts what a write consumed of its table and of indexes.
func (m *metrics) wrote(c *change) {
	if c.expired {
		return
	}
	m.usage(c.table.space).writes.Add(int64(c.use().Units * 2))
	for _, a := range c.units.arms {
		m.usage(a.index.space).writes.Add(int64(a.units * 2))
	}
}

// operationMetrics are the requests of one operation.
type operationMetrics struct {
	ok      atomic.Uint64
	refused sync.Map // code → *atomic.Uint64
	buckets [len(latencies) + 1]atomic.Uint64
	nanos   atomic.Int64
}

// latencies are the upper bounds of the buckets of times, in seconds.
var latencies = [...]float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// operationsToCount has a place for each operation there is.
func operationsToCount() map[string]*operationMetrics {
	m := map[string]*operationMetrics{"": {}}
	for name := range handlers {
		m[name] = &operationMetrics{}
	}
	return m
}

// request counts a request. The name of an operation that does not exist is the client's and not counted by itself.
func (m *metrics) request(operation, code string, took time.Duration) {
	o := m.operations[operation]
	if o == nil {
		o = m.operations[""]
	}
	if code == "OK" {
		o.ok.Add(1)
	} else {
		n, ok := o.refused.Load(code)
		if !ok {
			n, _ = o.refused.LoadOrStore(code, new(atomic.Uint64))
		}
		n.(*atomic.Uint64).Add(1)
	}
	seconds := took.Seconds()
	i := 0
	for i < len(latencies) && seconds > latencies[i] {
		i++
	}
	o.buckets[i].Add(1)
	o.nanos.Add(int64(took))
}

// MetricsType is the content type of what WriteMetrics writes.
const MetricsType = "text/plain; version=0.0.4; charset=utf-8"

// WriteMetrics writes what the engine has counted since it was opened, and how much it holds, in the text format of
// Prometheus. Labels are names of operations, codes, Regions, tables and indexes; there is never a value of an item.
func (e *Engine) WriteMetrics(w io.Writer) error {
	stats, err := e.Stats()
	if err != nil {
		return err
	}
	p := &printer{w: bufio.NewWriter(w)}
	e.metrics.print(p)
	p.family("tablewright_tables", "gauge", "Tables.")
	p.sample("tablewright_tables", float64(len(stats.Tables)))
	for _, f := range []struct {
		name, help string
		of         func(count, bytes int64) int64
	}{
		{"tablewright_items", "Items of a table, or entries of an index.", func(count, _ int64) int64 { return count }},
		{"tablewright_item_bytes", "Sizes of the items of a table, or entries of an index, as DynamoDB counts them.", func(_, bytes int64) int64 { return bytes }},
	} {
		p.family(f.name, "gauge", f.help)
		for _, t := range stats.Tables {
			p.sample(f.name, float64(f.of(t.Items, t.Bytes)), "region", t.Region, "table", t.Name, "index", "")
			for _, x := range t.Indexes {
				p.sample(f.name, float64(f.of(x.Entries, x.Bytes)), "region", t.Region, "table", t.Name, "index", x.Name)
			}
		}
	}
	p.family("tablewright_consumed_units_total", "counter", "Capacity units that requests consumed.")
	c := e.catalog.Load()
	for _, id := range slices.SortedFunc(maps.Keys(c.byID), tableID.compare) {
		t := c.byID[id]
		if t.gone(e.nanoseconds()) {
			continue
		}
		e.metrics.printUsage(p, t, "", t.space)
		for _, x := range t.indexes {
			if x.kind != expiryIndex {
				e.metrics.printUsage(p, t, x.name, x.space)
			}
		}
	}
	p.family("tablewright_data_bytes", "gauge", "Size of the data's files; 0 in memory.")
	p.sample("tablewright_data_bytes", float64(stats.FileBytes))
	p.family("tablewright_pending_entries", "gauge", "Index entries that a lag holds back.")
	p.sample("tablewright_pending_entries", float64(stats.Pending))
	return p.w.Flush()
}

func (m *metrics) printUsage(p *printer, t *table, index string, s kv.Space) {
	u := m.usage(s)
	for kind, n := range map[string]int64{"read": u.reads.Load(), "write": u.writes.Load()} {
		p.sample("tablewright_consumed_units_total", float64(n)/2, "region", t.id.region, "table", t.name, "index", index, "kind", kind)
	}
}

func (m *metrics) print(p *printer) {
	names := slices.Sorted(maps.Keys(m.operations))
	p.family("tablewright_requests_total", "counter", "Requests answered, by operation and code of the answer.")
	for _, name := range names {
		o := m.operations[name]
		if n := o.ok.Load(); n > 0 {
			p.sample("tablewright_requests_total", float64(n), "operation", labelOf(name), "code", "OK")
		}
		codes := map[string]uint64{}
		o.refused.Range(func(code, n any) bool { codes[code.(string)] = n.(*atomic.Uint64).Load(); return true })
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			p.sample("tablewright_requests_total", float64(codes[code]), "operation", labelOf(name), "code", code)
		}
	}
	p.family("tablewright_request_duration_seconds", "histogram", "Time from the whole request read to its answer made.")
	for _, name := range names {
		o := m.operations[name]
		var counts [len(latencies) + 1]uint64
		sum := uint64(0)
		for i := range counts {
			counts[i] = o.buckets[i].Load()
			sum += counts[i]
		}
		if sum == 0 {
			continue
		}
		below := uint64(0)
		for i, bound := range latencies {
			below += counts[i]
			p.sample("tablewright_request_duration_seconds_bucket", float64(below), "operation", labelOf(name), "le", strconv.FormatFloat(bound, 'g', -1, 64))
		}
		p.sample("tablewright_request_duration_seconds_bucket", float64(sum), "operation", labelOf(name), "le", "+Inf")
		p.sample("tablewright_request_duration_seconds_sum", float64(o.nanos.Load())/1e9, "operation", labelOf(name))
		p.sample("tablewright_request_duration_seconds_count", float64(sum), "operation", labelOf(name))
	}
	for _, c := range []struct {
		name, kind, help string
		value            float64
	}{
		{"tablewright_disk_failures_total", "counter", "Requests that failed because the data could not be written or read.", float64(m.failures.Load())},
		{"tablewright_sweeps_total", "counter", "Sweeps for items whose time to live is over.", float64(m.sweeps.Load())},
		{"tablewright_expired_items_total", "counter", "Items that sweeps deleted.", float64(m.expired.Load())},
		{"tablewright_index_fills", "gauge", "Indexes that are being filled.", float64(m.fills.Load())},
		{"tablewright_index_filled_items_total", "counter", "Items that were looked at to fill indexes.", float64(m.filled.Load())},
	} {
		p.family(c.name, c.kind, c.help)
		p.sample(c.name, c.value)
	}
}

func labelOf(operation string) string {
	if operation == "" {
		return "unknown"
	}
	return operation
}

// printer writes the text format. Errors of writing stick to the bufio.Writer.
type printer struct{ w *bufio.Writer }

func (p *printer) family(name, kind, help string) {
	fmt.Fprintf(p.w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// sample writes a value with its labels, names and values in turn.
func (p *printer) sample(name string, value float64, labels ...string) {
	p.w.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		if i == 0 {
			p.w.WriteByte('{')
		} else {
			p.w.WriteByte(',')
		}
		p.w.WriteString(labels[i] + `="` + labelEscapes.Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		p.w.WriteByte('}')
	}
	p.w.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

// Stats are how much an engine holds.
type Stats struct {
	Format    int          `json:"format"` // of the data
	FileBytes int64        `json:"fileBytes"`
	Pending   int          `json:"pendingEntries"` // index entries that a Lag holds back
	Tables    []TableStats `json:"tables"`         // by Region and name
}

// TableStats are those of one table. Bytes are as DynamoDB counts them, of the finished items.
type TableStats struct {
	Region  string       `json:"region"`
	Name    string       `json:"name"`
	Items   int64        `json:"items"`
	Bytes   int64        `json:"bytes"`
	Indexes []IndexStats `json:"indexes,omitempty"`
}

// IndexStats are those of one index.
type IndexStats struct {
	Name    string `json:"name"`
	Local   bool   `json:"local,omitempty"`
	Entries int64  `json:"entries"`
	Bytes   int64  `json:"bytes"`
	Filling bool   `json:"filling,omitempty"` // entries of items that were there before are still added
}

// Ping reads one value, so that it tells at no cost whether the data can be read.
func (e *Engine) Ping() error {
	return e.store.View(func(r kv.Reader) error {
		if r.Get(spaceMeta, keyFormat) == nil {
			return errors.New("engine: the data has no format")
		}
		return nil
	})
}

// Stats tells how much the engine holds at this time. It reads a few bytes for each table and index.
func (e *Engine) Stats() (*Stats, error) {
	s := &Stats{Format: formatVersion, FileBytes: e.fileBytes(), Tables: []TableStats{}}
	err := e.store.View(func(r kv.Reader) error {
		c, err := readCatalog(r) // as of this view
		if err != nil {
			return err
		}
		s.Tables, s.Pending = s.Tables[:0], 0
		for _, id := range slices.SortedFunc(maps.Keys(c.byID), tableID.compare) {
			t := c.byID[id]
			if t.gone(e.nanoseconds()) {
				continue
			}
			sum := statsOf(r, t.space)
			ts := TableStats{Region: id.region, Name: id.name, Items: sum.count, Bytes: sum.bytes}
			for _, x := range t.indexes {
				if x.kind == expiryIndex {
					continue
				}
				sum := statsOf(r, x.space)
				ts.Indexes = append(ts.Indexes, IndexStats{Name: x.name, Local: x.kind == localIndex, Entries: sum.count, Bytes: sum.bytes, Filling: x.filling})
			}
			s.Tables = append(s.Tables, ts)
		}
		r.Ascend(spacePending, nil, nil, func(_, _ []byte) bool { s.Pending++; return true })
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}
