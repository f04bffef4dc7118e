package tracebench

import (
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// Trace is traffic on tables, and what is to be found in it.
type Trace struct {
	Name   string // a sentence's beginning, as its page shows it: "an index that nobody reads"
	Tables []plan.Table

	// Seed fills the tables before anybody watches: with World.Store.
	Seed func(w *World)
	Run  func(w *World)

	// Processes is how many processes there are, each with a collector of its own; 0: one. Callers are of one after another.
	Processes int
	// Stats are options of the collectors; Clock and Tables are the World's.
	Stats stats.Options
	// Foreign has calls come as those of the SDK's client over a DB do: without their keys, whose names the collector has to learn, and
	// with a context of its own for each.
	Foreign bool
	// Described has nobody declare the tables: what is known of them passed, as answers that described them.
	Described bool
	// Stated has calls be statements of PartiQL, where there is one that does the same.
	Stated bool
	// Hooks are further hooks of each process, behind its collector: what a cache is. The clock is the callers'.
	Hooks func(clock tablewright.Clock) []tablewright.Hook
	// Engine are options of the engine: what lags or throttles. Clock is the World's; SweepEvery 0 sweeps never.
	Engine engine.Options
	// Live has rules also know the tables as they are at the service.
	Live bool
	// Alone has rules know the statistics alone, as of an export that is read where nobody declares the tables.
	Alone bool

	// Fires are the rules that have to find something: these and no others, but for those in May.
	Fires, May []string
	// Near marks traffic that looks like what a rule fires on, and is not.
	Near bool

	// Remedied is the same traffic with the remedy applied; nil where no saving is claimed.
	Remedied *Remedied
}

// Remedied says what the remedy changes of a Trace. What is nil stays as it is.
type Remedied struct {
	Tables []plan.Table
	Seed   func(w *World)
	Run    func(w *World)
	Stats  *stats.Options
	// Scaled has auto scaling change what is provisioned of the tables, from what they are declared with, which is the least,
	// upward; the bill is of what that was on average.
	Scaled bool
	Hooks  func(clock tablewright.Clock) []tablewright.Hook
	// Unstated has calls be no statements any more.
	Unstated bool
}

// Result is what was seen of a Trace, and what it really took.
type Result struct {
	Stats *stats.Snapshot // of all processes
	// Tables are the tables as declared, Live as they are at the end; empty unless Trace.Live.
	Tables []plan.Table
	Live   []tablewright.Description

	Units map[Place]Units // that the engine consumed, of each table and index
	Sum   Units
	Span  time.Duration
	// Bill is what a month like this costs, at the default prices: what is consumed of tables on demand and what is provisioned of
	// others; with Trace.Live also what is stored at the end.
	Bill capacity.Money
}

// PerSecond are the units of all tables and indexes, on average.
func (r *Result) PerSecond() Units {
	s := r.Span.Seconds()
	return Units{r.Sum.Read / s, r.Sum.Write / s}
}

// Place is a table or an index of one.
type Place struct{ Table, Index string }

// Units are read and write units.
type Units struct{ Read, Write float64 }

// Play runs a trace. Nothing in it depends on anything but the trace, unless calls are sampled.
func (tr *Trace) Play(t testing.TB) *Result {
	t.Helper()
	return tr.play(t, false)
}

func (tr *Trace) play(t testing.TB, scaled bool) *Result {
	t.Helper()
	w := newWorld(t, tr)
	if tr.Seed != nil {
		tr.Seed(w)
	}
	w.begin()
	if scaled {
		w.scale()
	}
	tr.Run(w)
	return w.end()
}

// PlayRemedied is Play with the remedy applied.
func (tr *Trace) PlayRemedied(t testing.TB) *Result {
	t.Helper()
	with, scaled := *tr, false
	if r := tr.Remedied; r != nil {
		if r.Tables != nil {
			with.Tables = r.Tables
		}
		if r.Seed != nil {
			with.Seed = r.Seed
		}
		if r.Run != nil {
			with.Run = r.Run
		}
		if r.Stats != nil {
			with.Stats = *r.Stats
		}
		if r.Hooks != nil {
			with.Hooks = r.Hooks
		}
		scaled, with.Stated = r.Scaled, with.Stated && !r.Unstated
	}
	return with.play(t, scaled)
}
