package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// What every rule needs to know of an Input, and how it says it.

// tables are the names of all tables that anything is known of, in order.
func (in *Input) tables() []string {
	var names []string
	for _, t := range in.Tables {
		names = append(names, t.Declared.Name)
	}
	for _, o := range in.Stats.Operations {
		names = append(names, o.Table)
	}
	for _, c := range in.Stats.Consumed {
		names = append(names, c.Table)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || name == others })
}

// others is what package stats counts under that it does not tell apart.
const others = "(others)"

// table is what is known of a table beside its statistics; nil if nothing is.
func (in *Input) table(name string) *Table {
	for _, t := range in.Tables {
		if t.Declared.Name == name {
			return t
		}
	}
	return nil
}

// index is what an index is declared as, and whether it is a local one.
func (t *Table) index(name string) (x plan.Index, local, known bool) {
	if t == nil {
		return x, false, false
	}
	if x, known = t.Declared.GSI[name]; known {
		return x, false, true
	}
	x, local = t.Declared.LSI[name]
	return x, local, local
}

// keyAttributes are the attributes of the table's key, and of an index's unless that is "".
func (t *Table) keyAttributes(index string) []string {
	names := []string{t.Declared.Key.Partition}
	if t.Declared.Key.Sort != "" {
		names = append(names, t.Declared.Key.Sort)
	}
	if x, _, known := t.index(index); known {
		names = append(append(names, x.Partition...), x.Sort...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// provisioned reports whether a table has provisioned capacity; of a table that nobody knows it is taken to be on demand.
func (t *Table) provisioned() bool { return t != nil && t.Declared.Billing != (plan.Billing{}) }

// class is a table's class.
func (t *Table) class() capacity.Class {
	if t != nil && t.Declared.Class == "infrequent-access" {
		return capacity.InfrequentAccess
	}
	return capacity.Standard
}

// tariff is what units and storage of a table and its indexes cost.
func (in *Input) tariff(table string) capacity.Tariff {
	t, billing := in.table(table), capacity.OnDemand
	if t.provisioned() {
		billing = capacity.Provisioned
	}
	return in.Prices.Tariff(t.class(), billing)
}

// reads is what a month of so many read units per second costs. Of a table with provisioned capacity that is what has to be
// provisioned for them, which is saved when it is lowered.
func (in *Input) reads(table string, perSecond float64) capacity.Money {
	if in.table(table).provisioned() {
		perSecond /= capacity.TargetUtilization
	}
	return in.tariff(table).Reads(capacity.ReadUnits(perSecond))
}

// writes is reads of write units.
func (in *Input) writes(table string, perSecond float64) capacity.Money {
	if in.table(table).provisioned() {
		perSecond /= capacity.TargetUtilization
	}
	return in.tariff(table).Writes(capacity.WriteUnits(perSecond))
}

// storage is what a month of so many stored items or entries costs, bytes each on average.
func (in *Input) storage(table string, count, bytes float64) capacity.Money {
	return in.tariff(table).Storage(capacity.Stored(count, bytes))
}

// perSecond is a sum over the whole time that was watched as a rate.
func (in *Input) perSecond(n float64) float64 {
	if d := in.watched(); d > 0 {
		return n / d.Seconds()
	}
	return 0
}

// operations are those on a table and one of its indexes ("": the table itself) with one of the names, or with any if there is
// none.
func (in *Input) operations(table, index string, names ...string) (all []*stats.Operation) {
	for _, o := range in.Stats.Operations {
		if o.Table == table && o.Index == index && (len(names) == 0 || slices.Contains(names, o.Operation)) {
			all = append(all, o)
		}
	}
	return all
}

// consumed is what a table or an index consumed, of any operation; nil if nothing.
func (in *Input) consumed(table, index string) *stats.Consumption {
	for _, c := range in.Stats.Consumed {
		if c.Table == table && c.Index == index {
			return c
		}
	}
	return nil
}

// sizes is what is known of the items of a table; nil if nothing is.
func (in *Input) sizes(table string) *stats.ItemSizes {
	for _, s := range in.Stats.Sizes {
		if s.Table == table {
			return s
		}
	}
	return nil
}

// stored is how many items or entries a table or an index has, and their bytes on average, as the service told; without it,
// known is false.
func (t *Table) stored(index string) (count, bytes float64, known bool) {
	if t == nil || t.Live == nil {
		return 0, 0, false
	}
	items, size := t.Live.Items, t.Live.Bytes
	if index != "" {
		x, ok := t.Live.Indexes[index]
		if !ok {
			return 0, 0, false
		}
		items, size = x.Items, x.Bytes
	}
	return float64(items), float64(size) / float64(max(items, 1)), true
}

// ofTables reports whether an operation is about a table itself, such as CreateTable, and no traffic on it.
func ofTables(operation string) bool {
	return strings.Contains(operation, "Table") || strings.HasSuffix(operation, "TimeToLive")
}

// affect fills in the operations that a finding affects, their patterns and how often they are called.
func (in *Input) affect(f *Finding, operations ...*stats.Operation) {
	operations = slices.Clone(operations)
	slices.SortStableFunc(operations, func(a, b *stats.Operation) int { return cmp.Compare(b.Calls, a.Calls) })
	for _, o := range operations {
		if ofTables(o.Operation) {
			continue
		}
		sent := o.Operation
		if byStatement(o) {
			sent = o.As
		}
		f.Operations = append(f.Operations, OperationRef{sent, o.Table, o.Index, o.Pattern})
		if o.Pattern != "" {
			f.Patterns = append(f.Patterns, o.Pattern)
		}
		f.Calls += in.perSecond(o.Calls)
	}
	slices.Sort(f.Patterns)
	f.Patterns = slices.Compact(f.Patterns)
}

// worth is the saving a month from which money is a Warning: less than an hour's work of somebody is Advice.
const worth = 10 * capacity.Dollar

// severity is that of a finding about money.
func (s *Saving) severity() Severity {
	if s.Monthly() >= worth {
		return Warning
	}
	return Advice
}

// page is the address of a page of the developer guide.
func page(name string) string {
	return "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/" + name + ".html"
}

// place names a table or an index for people.
func place(table, index string) string {
	if index == "" {
		return table
	}
	return table + "." + index
}

// Figures in sentences: those with few digits, as people read them.

// number is 1,234 or 0.12.
func number(n float64) string { return show.Number(n) }

// percent is 12 %.
func percent(share float64) string { return show.Percent(share) }

// inBytes is 4.2 KB.
func inBytes(n float64) string { return show.Bytes(n) }

// rate is "12 a second", "3 a minute", "5 an hour" or "2 a day": the first of which there is one.
func rate(perSecond float64) string {
	switch {
	case perSecond >= 1:
		return number(perSecond) + " a second"
	case perSecond*60 >= 1:
		return number(perSecond*60) + " a minute"
	case perSecond*3600 >= 1:
		return number(perSecond*3600) + " an hour"
	}
	return number(perSecond*86400) + " a day"
}

// monthly is "$12.30 a month".
func monthly(m capacity.Money) string {
	if m > 0 && m < capacity.Dollar/100 {
		return "less than a cent a month"
	}
	return m.String() + " a month"
}

// lasting is "8 days", "2.5 hours", "850 ms".
func lasting(d time.Duration) string { return show.Lasting(d) }

// a percentage and other figures as evidence.
func share(what string, value, limit float64, source string) Evidence {
	return Evidence{What: what, Value: 100 * value, Unit: "%", Limit: 100 * limit, Source: source}
}

func readUnits(perSecond float64) capacity.ReadUnits   { return capacity.ReadUnits(perSecond) }
func writeUnits(perSecond float64) capacity.WriteUnits { return capacity.WriteUnits(perSecond) }
