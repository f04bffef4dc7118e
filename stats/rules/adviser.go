package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

// Options of an Adviser; the zero value knows the tables that the program declares and asks nobody for more.
type Options struct {
	// Tables are tables that the program declares and the collector may not have seen: those whose calls it sees need not be
	// listed.
	Tables []*tablewright.Table
	// DB is asked to describe the tables, those that are declared and those that calls were seen on, in the background and every
	// DescribeEvery, so that findings know what is stored, what is provisioned and which indexes there are at the service. Nil: nobody is
	// asked.
	DB *tablewright.DB
	// DescribeEvery is how often: 0 is every six hours, as often as the service counts items
	// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html). After an error it is five minutes, if that is
	// sooner.
	DescribeEvery time.Duration
	// Prices are those of the tables' Region. Nil: the embedded ones, us-east-1.
	Prices *capacity.Prices
	// Thresholds are what is compared with. Figures that are 0 are those of the Collector.
	Thresholds stats.Thresholds
	// Logger is told what goes wrong: a table that cannot be described, a rule that fails. Nil: slog.Default.
	Logger *slog.Logger
}

// Adviser finds what to change about a running program, from what a Collector knows. Nothing is computed unless somebody asks,
// and then aside from the program's calls, which do not wait for it; an answer serves everybody who asks within a minute. It is safe
// for concurrent use.
type Adviser struct {
	c *stats.Collector
	o Options

	mu      sync.Mutex
	of      *stats.Snapshot // that found is of
	changed bool            // what is known of tables, since
	found   []Finding
	tables  map[string]*Table
	names   map[string]bool // of tables that there are
	ask     time.Time       // when the tables are to be described again
	asking  bool
	refused string          // why they could not be the last time; whoever fails for an hour is told once
	failed  map[string]bool // rules

	news news
}

// NewAdviser makes an Adviser on a Collector.
//
//	adviser := rules.NewAdviser(collector, rules.Options{})
//	…
//	for _, f := range adviser.Recommendations(Shop) {
//		fmt.Println(f.String())
//	}
func NewAdviser(c *stats.Collector, o Options) *Adviser {
	if o.DescribeEvery <= 0 {
		o.DescribeEvery = 6 * time.Hour
	}
	o.Thresholds = o.Thresholds.Or(c.Options().Thresholds)
	o.Tables = slices.Clone(o.Tables)
	return &Adviser{c: c, o: o, tables: map[string]*Table{}, names: map[string]bool{}, failed: map[string]bool{}}
}

// Recommendations is what to change about a table, the most pressing first. It must not be changed. Findings that concern several
// tables, or none, are in All.
func (a *Adviser) Recommendations(t *tablewright.Table) []Finding {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.know(t)
	var of []Finding
	for _, f := range a.settled() {
		if f.Table == t.Name() {
			of = append(of, f)
		}
	}
	return of
}

// All is what to change about the program, the most pressing first. It must not be changed.
func (a *Adviser) All() []Finding {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.settled()
}

// know adds a table's declaration.
func (a *Adviser) know(t *tablewright.Table) {
	if a.tables[t.Name()] == nil {
		a.tables[t.Name()] = &Table{Declared: t.Definition()}
		a.changed = true
		a.see(t.Name())
	}
}

// see has a table described that nobody asked for before.
func (a *Adviser) see(table string) {
	if table != "" && !a.names[table] {
		a.names[table], a.ask = true, time.Time{}
	}
}

// recent is what the collector knows, with the tables that it is of.
func (a *Adviser) recent() *stats.Snapshot {
	for _, t := range a.o.Tables {
		a.know(t)
	}
	for _, t := range a.c.Tables() {
		a.know(t)
	}
	s := a.c.Recent()
	for _, o := range s.Operations {
		a.see(o.Table)
	}
	return s
}

// settled are the findings of the last minute.
func (a *Adviser) settled() []Finding {
	s := a.recent()
	if a.o.DB != nil && !a.asking && !s.To.Before(a.ask) {
		a.asking = true
		before := a.refused
		go func() {
			if err := a.Describe(context.Background()); err != nil && err.Error() != before {
				a.logger().Warn("tables could not be described: recommendations do without", slog.Any("error", err))
			}
		}()
	}
	if s == a.of && !a.changed {
		return a.found
	}
	in := Input{Stats: s, Prices: a.o.Prices, Thresholds: a.o.Thresholds}
	for _, t := range a.tables {
		in.Tables = append(in.Tables, t)
	}
	slices.SortFunc(in.Tables, func(x, y *Table) int { return cmp.Compare(x.Declared.Name, y.Declared.Name) })
	var sound []*Rule
	for _, r := range All() {
		guarded := *r
		guarded.Find = func(in *Input) (found []Finding) {
			defer func() {
				if p := recover(); p != nil {
					found = nil
					a.broken(r, p)
				}
			}()
			return r.Find(in)
		}
		sound = append(sound, &guarded)
	}
	a.of, a.changed, a.found = s, false, slices.Clip(run(in, sound))
	return a.found
}

// broken tells once that a rule failed: whoever asks for advice must not be brought down by it.
func (a *Adviser) broken(r *Rule, p any) {
	if !a.failed[r.ID] {
		a.failed[r.ID] = true
		a.logger().Error("a rule failed and is left out", slog.String("rule", r.ID), slog.String("panic", fmt.Sprint(p)))
	}
}

func (a *Adviser) logger() *slog.Logger {
	if a.o.Logger != nil {
		return a.o.Logger
	}
	return slog.Default()
}

const (
	describeTime  = time.Minute     // how long the service may take to describe all tables
	describeAgain = 5 * time.Minute // after it could not
)

// Describe asks for the tables at the service, now rather than when the time comes. The error is of those that could not be
// described, of which the last answer stays known; without Options.DB it does nothing. It consumes no units.
func (a *Adviser) Describe(ctx context.Context) error {
	if a.o.DB == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, describeTime)
	defer cancel()
	a.mu.Lock()
	a.recent()
	names, declared := slices.Sorted(maps.Keys(a.names)), map[string]bool{}
	for _, t := range slices.Concat(a.o.Tables, a.c.Tables()) {
		declared[t.Name()] = true
	}
	a.mu.Unlock()
	var failure error
	live := map[string]*tablewright.Description{}
	for _, name := range names {
		d, err := tablewright.Describe(ctx, a.o.DB, name)
		if errors.Is(err, tablewright.ErrNotFound) && !declared[name] {
			continue // it was deleted since calls were seen on it
		}
		if err != nil {
			failure = fmt.Errorf("table %s: %w", name, err)
			continue
		}
		live[name] = &d
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, d := range live {
		known := Table{Declared: d.Table, Live: d} // in the place of the one that there was, which findings may be computed from
		if before := a.tables[name]; before != nil {
			known.Declared.Items = before.Declared.Items
		}
		a.tables[name] = &known
	}
	a.asking, a.changed = false, true
	now, wait := a.c.Recent().To, a.o.DescribeEvery
	a.refused = ""
	if failure != nil {
		wait, a.refused = min(wait, describeAgain), failure.Error()
	}
	if len(a.names) == len(names) { // or one came meanwhile, which is asked for at once
		a.ask = now.Add(wait)
	}
	return failure
}
