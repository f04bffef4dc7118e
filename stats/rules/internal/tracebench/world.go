package tracebench

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// World is where a Trace runs: an engine, processes that work on it, and a clock.
type World struct {
	Engine *engine.Engine
	Clock  *engine.ManualClock
	// Rand is for what happens in the trace. It is the same whenever the trace is played, and nothing else draws from it.
	Rand *rand.Rand

	t         testing.TB
	trace     *Trace
	tables    map[string]*plan.Table
	processes []*process
	next      int // process
	latency   *rand.Rand
	caller    *Caller // at work
	account   account
	scaling   *scaling
	from      time.Time
}

// process is a program that runs on its own, with a collector of its own.
type process struct {
	collector *stats.Collector
	db        *tablewright.DB
	way       tablewright.Transport
}

func newWorld(t testing.TB, tr *Trace) *World {
	w := &World{
		Clock: engine.NewClock(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)), // a Monday
		Rand:  rand.New(rand.NewPCG(1, 2)), latency: rand.New(rand.NewPCG(3, 4)),
		t: t, trace: tr, tables: map[string]*plan.Table{},
	}
	o := tr.Engine
	o.Clock = w.Clock
	if o.SweepEvery == 0 {
		o.SweepEvery = -1
	}
	w.Engine = engine.New(t, o)
	w.account.w = w
	direct := tablewright.New(tablewright.InProcess(w.Engine), tablewright.Options{Clock: w.Clock})
	tr.Tables = slices.Clone(tr.Tables)
	for i := range tr.Tables {
		tr.Tables[i] = typed(tr.Tables[i])
		w.tables[tr.Tables[i].Name] = &tr.Tables[i]
		if err := tablewright.NewTable(tr.Tables[i]).CreateIn(t.Context(), direct); err != nil {
			t.Fatalf("tracebench: making table %s: %v", tr.Tables[i].Name, err)
		}
	}
	return w
}

// typed has key attributes of which nothing else is said be strings.
func typed(p plan.Table) plan.Table {
	names := []string{p.Key.Partition, p.Key.Sort}
	for _, indexes := range []map[string]plan.Index{p.GSI, p.LSI} {
		for _, x := range indexes {
			names = append(append(names, x.Partition...), x.Sort...)
		}
	}
	p.Attributes = maps.Clone(p.Attributes)
	if p.Attributes == nil {
		p.Attributes = map[string]plan.Type{}
	}
	for _, name := range names {
		if name != "" && p.Attributes[name] == "" {
			p.Attributes[name] = plan.S
		}
	}
	return p
}

// begin starts the processes.
func (w *World) begin() {
	for range max(w.trace.Processes, 1) {
		o := w.trace.Stats
		o.Clock = callersClock{w}
		for _, p := range w.trace.Tables {
			if w.trace.Foreign || w.trace.Described {
				break
			}
			o.Tables = append(o.Tables, tablewright.NewTable(p))
		}
		c := stats.NewCollector(o)
		hooks := []tablewright.Hook{tablewright.Statistics(c)}
		if w.trace.Hooks != nil {
			hooks = append(hooks, w.trace.Hooks(o.Clock)...)
		}
		db := tablewright.New(&w.account, tablewright.Options{Hooks: hooks, Clock: o.Clock})
		one := &process{c, db, db.Transport()}
		w.processes = append(w.processes, one)
		if w.trace.Described {
			for _, p := range w.trace.Tables {
				one.describe(w.t, p.Name)
			}
			c.Reset()
		}
	}
	w.from = w.Clock.Now()
}

// describe has answers pass that tell of a table all there is.
func (p *process) describe(t testing.TB, table string) {
	for _, op := range []string{"DescribeTable", "DescribeTimeToLive"} {
		call := &tablewright.Call{Operation: op, Table: table, Request: fmt.Appendf(nil, `{"TableName":%q}`, table)}
		if err := p.way.Do(t.Context(), call); err != nil {
			t.Fatalf("tracebench: %s of %s: %v", op, table, err)
		}
	}
}

func (w *World) end() *Result {
	var all []*stats.Snapshot
	for _, p := range w.processes {
		all = append(all, p.collector.Snapshot())
	}
	s := all[0]
	if len(all) > 1 {
		var err error
		if s, err = stats.Merge(all...); err != nil {
			w.t.Fatalf("tracebench: %v", err)
		}
	}
	if w.trace.Described && len(s.Tables) != len(w.trace.Tables) {
		w.t.Fatalf("tracebench: %s: %d tables were described, and %d are known", w.trace.Name, len(w.trace.Tables), len(s.Tables))
	}
	r := &Result{Stats: s, Tables: w.trace.Tables, Units: w.account.units, Span: w.Clock.Now().Sub(w.from)}
	if r.Span <= 0 {
		w.t.Fatalf("tracebench: %s takes no time: run it with Traffic or Pause", w.trace.Name)
	}
	for _, u := range r.Units {
		r.Sum.Read += u.Read
		r.Sum.Write += u.Write
	}
	if w.trace.Live {
		db := tablewright.New(tablewright.InProcess(w.Engine), tablewright.Options{Clock: w.Clock})
		for _, p := range w.trace.Tables {
			d, err := tablewright.Describe(w.t.Context(), db, p.Name)
			if err != nil {
				w.t.Fatalf("tracebench: %v", err)
			}
			r.Live = append(r.Live, d)
		}
	}
	r.Bill = w.bill(r)
	return r
}

// Collectors are those of the processes, while the trace runs.
func (w *World) Collectors() (all []*stats.Collector) {
	for _, p := range w.processes {
		all = append(all, p.collector)
	}
	return all
}

// Store puts items into a table before anybody watches.
func (w *World) Store(table string, items ...Item) {
	w.t.Helper()
	for _, item := range items {
		body := append(append([]byte(`{"TableName":`), attr.AppendText(nil, table)...), `,"Item":`...)
		body = append(item.append(body), '}')
		if _, err := w.Engine.Do(w.t.Context(), "PutItem", body); err != nil {
			w.t.Fatalf("tracebench: %v", err)
		}
	}
}

// Pause lets time pass in which nothing happens.
func (w *World) Pause(d time.Duration) { w.until(w.Clock.Now().Add(d)) }

// Caller is a new request that the program serves, of the next process.
func (w *World) Caller() *Caller {
	w.next = (w.next + 1) % len(w.processes)
	return w.CallerOf(w.next)
}

// CallerOf is a new request that a process serves, from 0.
func (w *World) CallerOf(process int) *Caller {
	type request struct{ context.Context }
	return &Caller{w: w, p: w.processes[process], at: w.Clock.Now(), ctx: &request{w.t.Context()}}
}

// callersClock tells whoever is at work his own time.
type callersClock struct{ w *World }

func (c callersClock) Now() time.Time {
	if c.w.caller != nil {
		return c.w.caller.at
	}
	return c.w.Clock.Now()
}

// Sleep lets the caller's time pass.
func (c callersClock) Sleep(ctx context.Context, d time.Duration) error {
	if c.w.caller != nil {
		c.w.caller.at = c.w.caller.at.Add(d)
	}
	return ctx.Err()
}

// bill is what a month costs.
func (w *World) bill(r *Result) (sum capacity.Money) {
	prices := capacity.DefaultPrices()
	stored := map[Place]capacity.Bytes{}
	for _, d := range r.Live {
		stored[Place{d.Table.Name, ""}] = d.Bytes + capacity.Bytes(d.Items)*capacity.StoredItemOverhead
		for name, x := range d.Indexes {
			stored[Place{d.Table.Name, name}] = x.Bytes + capacity.Bytes(x.Items)*capacity.StoredItemOverhead
		}
	}
	for _, p := range r.Tables {
		class, billing := capacity.Standard, capacity.OnDemand
		if p.Class == "infrequent-access" {
			class = capacity.InfrequentAccess
		}
		if p.Billing != (plan.Billing{}) {
			billing = capacity.Provisioned
		}
		tariff := prices.Tariff(class, billing)
		places := []string{""}
		for name := range p.GSI {
			places = append(places, name)
		}
		for name := range p.LSI {
			places = append(places, name)
		}
		for _, index := range places {
			at := Place{p.Name, index}
			use := capacity.Usage{Stored: stored[at]}
			switch _, local := p.LSI[index]; {
			case billing == capacity.OnDemand:
				use.Read = capacity.ReadUnits(r.Units[at].Read / r.Span.Seconds())
				use.Write = capacity.WriteUnits(r.Units[at].Write / r.Span.Seconds())
			case w.scaling != nil && !local:
				use.Read, use.Write = w.scaling.provisioned(at)
			case !local: // global indexes are given what the table has
				use.Read, use.Write = capacity.ReadUnits(p.Billing.Read), capacity.WriteUnits(p.Billing.Write)
			}
			sum += tariff.Bill(use).Total()
		}
	}
	return sum
}
