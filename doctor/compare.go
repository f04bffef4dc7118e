package doctor

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// Options of Compare; the zero value works.
type Options struct {
	Prices *capacity.Prices // nil: the embedded ones
	Ranges Ranges           // zero: DefaultRanges
}

// Comparison is a model's promises held against what was measured.
type Comparison struct {
	Application string        `json:"application"`
	From        time.Time     `json:"from"` // of the statistics
	To          time.Time     `json:"to"`
	Watched     time.Duration `json:"watched"` // of that time, for how long somebody watched: nanoseconds
	Ranges      Ranges        `json:"ranges"`

	Patterns []*Pattern `json:"patterns"` // in the order of the requirements
	Places   []*Place   `json:"places"`   // tables, each followed by its indexes
	Items    []*Item    `json:"items"`    // in the order of tables and names
	// Unknown are operations by patterns that the model does not have, and those on its tables by none, the busiest first.
	Unknown []Unknown `json:"unknown,omitempty"`
	// Month is what all reads and writes cost a month, those of Unknown with them, in dollars, without storage.
	Month Figure `json:"month"`
}

// Pattern is an access pattern.
type Pattern struct {
	Name  string  `json:"name"`
	Calls float64 `json:"calls"` // that were seen
	// Estimated says why Calls is an estimate; "" if it is a count.
	Estimated string `json:"estimated,omitempty"`
	// Idle says that it never ran, though it should have by now.
	Idle bool `json:"idle,omitempty"`

	Average Figure `json:"average"` // calls a second
	Peak    Figure `json:"peak"`    // the same in the busiest minute
	Items   Figure `json:"items"`   // that one call reads or writes, on average
	Bytes   Figure `json:"bytes"`   // of them
	Read    Figure `json:"read"`    // read units of one call
	Write   Figure `json:"write"`   // write units of one call
	Month   Figure `json:"month"`   // what its reads and writes cost a month, in dollars

	// Units are Read and Write by table and index, of those where either is not 0.
	Units []PlaceUnits `json:"units,omitempty"`
	// MostItems is how many items the largest answer had that was seen.
	MostItems int `json:"mostItems,omitempty"`
	// Kind is what it reads, as Table/Item, if that is items of one kind.
	Kind string `json:"kind,omitempty"`
	// Puts is what it puts, as Table/Item, if that is items of one kind.
	Puts string `json:"puts,omitempty"`
}

// Out reports whether a figure of the pattern has left its range.
func (p *Pattern) Out() bool {
	for _, f := range []Figure{p.Average, p.Peak, p.Items, p.Bytes, p.Read, p.Write} {
		if f.Out() {
			return true
		}
	}
	return p.Idle
}

// PlaceUnits are the units that one call consumes of a table or index.
type PlaceUnits struct {
	Place string `json:"place"` // Table or Table.Index
	Read  Figure `json:"read"`
	Write Figure `json:"write"`
}

// Place is a table or index.
type Place struct {
	Name    string `json:"name"`    // Table or Table.Index
	Read    Figure `json:"read"`    // units a second on average
	Write   Figure `json:"write"`   // units a second on average
	Hottest Figure `json:"hottest"` // load of its hottest key in the busiest minute, in shares of what a partition can do
	Key     string `json:"key,omitempty"`
	Of      string `json:"of,omitempty"` // whose key is promised to be the hottest
}

// Item is what lies in a table under one kind of key.
type Item struct {
	Name  string  `json:"name"`
	Table string  `json:"table"`
	Bytes Figure  `json:"bytes"` // on average
	Most  Figure  `json:"most"`  // of the largest
	Seen  float64 `json:"seen"`  // reads and writes that this is of
}

// Out reports whether a size of the items has left its range.
func (it *Item) Out() bool { return it.Bytes.Out() || it.Most.Out() }

// Unknown is an operation that no pattern of the model accounts for.
type Unknown struct {
	Operation string  `json:"operation"`
	Table     string  `json:"table"`
	Index     string  `json:"index,omitempty"`
	Pattern   string  `json:"pattern,omitempty"` // "": the calls have no name
	Foreign   bool    `json:"foreign,omitempty"` // the table is none of the model's, nor does the operation tell several
	Calls     float64 `json:"calls"`
	PerSecond float64 `json:"perSecond"`
	Month     float64 `json:"month"` // dollars
	// Like are, of calls without a name, the patterns of the model that send such requests.
	Like []string `json:"like,omitempty"`
}

// Compare holds the promises of a model against statistics of processes that serve it. What is not known on one side is said to
// be so; nothing fails.
func Compare(p *plan.Program, s *stats.Snapshot, o *Options) *Comparison {
	if o == nil {
		o = &Options{}
	}
	c := &comparer{program: p, stats: s.WithoutStatements(), ranges: o.Ranges, price: cost.Price(p, o.Prices), watched: Watched(s)}
	if c.ranges == (Ranges{}) {
		c.ranges = DefaultRanges()
	}
	c.seconds = c.watched.Seconds()
	c.sort()
	out := &Comparison{Application: p.Model.Application, From: s.From, To: s.To, Watched: c.watched, Ranges: c.ranges, Month: Figure{Is: Within}}
	for _, priced := range c.price.Patterns {
		one := c.pattern(priced)
		out.Patterns = append(out.Patterns, one)
		out.Month.Promised += one.Month.Promised
		out.Month.Measured += one.Month.Measured
	}
	out.Unknown = c.unknown()
	for _, u := range out.Unknown {
		out.Month.Measured += u.Month
	}
	out.Month = figure(out.Month.Promised, out.Month.Measured, 0.01, c.ranges.Units).unless(c.watched < c.ranges.Day)
	out.Places = c.places()
	out.Items = c.items()
	return out
}

// Watched is for how long somebody watched, of the time that a snapshot covers.
func Watched(s *stats.Snapshot) (sum time.Duration) {
	if len(s.Watched) == 0 {
		return s.Span()
	}
	for _, w := range s.Watched {
		sum += w.To.Sub(w.From)
	}
	return sum
}

// comparer compares one model with one snapshot.
type comparer struct {
	program *plan.Program
	stats   *stats.Snapshot
	price   *cost.Report
	ranges  Ranges
	watched time.Duration
	seconds float64

	byPattern map[string][]*stats.Operation // those on data, of patterns of the model
	strange   []*stats.Operation
}

// sort tells the operations of the model's patterns from others on its tables.
func (c *comparer) sort() {
	c.byPattern = map[string][]*stats.Operation{}
	for _, o := range c.stats.Operations {
		switch {
		case !onData(o.Operation):
		case o.Pattern != "" && c.procedure(o.Pattern) != nil:
			c.byPattern[o.Pattern] = append(c.byPattern[o.Pattern], o)
		case o.Pattern != "" || c.program.Table(o.Table) != nil:
			c.strange = append(c.strange, o)
		}
	}
}

func (c *comparer) procedure(pattern string) *plan.Procedure { return c.program.Procedure(pattern) }

// onData reports whether an operation reads or writes items.
func onData(operation string) bool {
	return reads(operation) || writes(operation) || partiQL(operation)
}

func reads(operation string) bool {
	return slices.Contains([]string{"GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"}, operation)
}

func writes(operation string) bool {
	return slices.Contains([]string{"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}, operation)
}

func partiQL(operation string) bool {
	return slices.Contains([]string{"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"}, operation)
}

// pattern compares an access pattern.
func (c *comparer) pattern(priced *cost.Pattern) *Pattern {
	proc := c.procedure(priced.Name)
	promise := c.promise(proc, priced)
	m := c.measure(proc, c.byPattern[priced.Name])
	few := m.calls < c.ranges.FewCalls
	short := c.watched < c.ranges.Day
	out := &Pattern{Name: priced.Name, Calls: m.calls, Estimated: m.estimated, MostItems: m.mostItems, Kind: kindRead(proc), Puts: kindPut(proc)}

	expected := promise.average * c.seconds
	out.Idle = m.calls == 0 && expected >= c.ranges.Expected
	// Calls come at random: four standard deviations are no trend.
	out.Average = figure(promise.average, m.average, noise(promise.average, c.seconds), c.ranges.Rate).unless(short)
	out.Peak = figure(promise.peak, m.peak, noise(promise.peak, 60), c.ranges.Rate).unlessBelow(short)
	if m.calls == 0 { // it says nothing about how it is when it runs
		m.items, m.bytes, m.read, m.write = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	out.Items = figure(promise.items, m.items, 0.5, c.ranges.Items).unless(few)
	out.Bytes = figure(promise.bytes, m.bytes, 64, c.ranges.Bytes).unless(few)
	out.Read = figure(sum(promise.read), m.read, 0.1, c.ranges.Units).unless(few).unlessBelow(m.computed)
	out.Write = figure(sum(promise.write), m.write, 0.1, c.ranges.Units).unless(few).unlessBelow(m.computed)
	for _, where := range slices.Sorted(maps.Keys(union(promise.read, promise.write, m.reads, m.writes))) {
		u := PlaceUnits{Place: where}
		if m.calls > 0 {
			u.Read = figure(promise.read[where], m.reads[where], 0.1, c.ranges.Units).unless(few).unlessBelow(m.computed)
			u.Write = figure(promise.write[where], m.writes[where], 0.1, c.ranges.Units).unless(few).unlessBelow(m.computed)
		} else {
			u.Read, _ = known(promise.read[where], math.NaN())
			u.Write, _ = known(promise.write[where], math.NaN())
		}
		out.Units = append(out.Units, u)
	}
	out.Month = figure(c.month(promise.average, promise.read, promise.write), c.month(m.average, m.reads, m.writes), 0.01, c.ranges.Units).unless(short)
	return out
}

// noise is how far the rate of calls that come at random may lie from what it is in the long run.
func noise(perSecond, seconds float64) float64 {
	if seconds <= 0 {
		return math.Inf(1)
	}
	return 4 * math.Sqrt(max(perSecond*seconds, 1)) / seconds
}

func sum(m map[string]float64) (n float64) {
	for _, where := range slices.Sorted(maps.Keys(m)) {
		n += m[where]
	}
	return n
}

func union(all ...map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for _, m := range all {
		for name, n := range m {
			if n != 0 {
				out[name] = n
			}
		}
	}
	return out
}

// month is what so many calls a second cost a month that consume so much each, in dollars.
func (c *comparer) month(rate float64, read, write map[string]float64) float64 {
	var sum capacity.Money
	for where, n := range read {
		sum += c.tariff(where).Reads(capacity.ReadUnits(n * rate))
	}
	for where, n := range write {
		sum += c.tariff(where).Writes(capacity.WriteUnits(n * rate))
	}
	return sum.Dollars()
}

// tariff is that of a table or index by its name; of others that of a standard table on demand.
func (c *comparer) tariff(where string) capacity.Tariff {
	class, billing := capacity.Standard, capacity.OnDemand
	if place := c.price.Place(where); place != nil {
		document := place.Table.Document
		if document.Class == "infrequent-access" {
			class = capacity.InfrequentAccess
		}
		if document.Billing != (plan.Billing{}) {
			billing = capacity.Provisioned
		}
	}
	return c.price.Prices.Tariff(class, billing)
}

// unknown lists what no pattern of the model accounts for.
func (c *comparer) unknown() []Unknown {
	var out []Unknown
	for _, o := range c.strange {
		sent := o.Operation
		if o.As != "" { // as a statement of PartiQL
			sent = o.As
		}
		u := Unknown{Operation: sent, Table: o.Table, Index: o.Index, Pattern: o.Pattern, Calls: o.Calls, Foreign: o.Table != "" && c.program.Table(o.Table) == nil}
		if c.seconds > 0 {
			u.PerSecond = o.Calls / c.seconds
			read, write := arms(o)
			u.Month = c.month(1/c.seconds, read, write)
		}
		if u.Pattern == "" {
			u.Like = c.like(stepKey(u.Operation, u.Table, u.Index))
		}
		out = append(out, u)
	}
	slices.SortStableFunc(out, func(a, b Unknown) int { return cmp.Compare(b.Calls, a.Calls) })
	return out
}

// like are the patterns whose plans send such a request.
func (c *comparer) like(key string) (names []string) {
	for _, priced := range c.price.Patterns {
		if stepsOf(c.procedure(priced.Name))[key] != nil {
			names = append(names, priced.Name)
		}
	}
	return names
}
