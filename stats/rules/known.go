package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// indexed is what decides an index's entries, in the terms of package capacity.
func (t *Table) indexed(x plan.Index) capacity.Index {
	form := t.Declared
	out := capacity.Index{Include: x.Include, Key: slices.Concat(x.Partition, x.Sort)}
	for _, name := range []string{form.Key.Partition, form.Key.Sort} {
		if name != "" {
			out.TableKey = append(out.TableKey, name)
		}
	}
	switch x.Project {
	case plan.Keys:
		out.Projection = capacity.KeysOnly
	case plan.Include:
		out.Projection = capacity.Include
	}
	return out
}

// keyOf are the partition attributes and the sort attributes of a table, or of an index.
func (t *Table) keyOf(index string) (partition, sort []string) {
	form := t.Declared
	if index == "" {
		if form.Key.Sort != "" {
			sort = []string{form.Key.Sort}
		}
		return []string{form.Key.Partition}, sort
	}
	x, local, _ := t.index(index)
	if local {
		return []string{form.Key.Partition}, x.Sort
	}
	return x.Partition, x.Sort
}

// sample are the items of a table that were seen whole.
func (in *Input) sample(table string) []stats.SizedItem {
	for _, s := range in.Stats.Sizes {
		if s.Table == table {
			var out []stats.SizedItem
			for _, one := range s.Sample {
				if len(one.Attributes) > 0 {
					out = append(out, one)
				}
			}
			return out
		}
	}
	return nil
}

// printOf is an attribute of a sampled item.
func printOf(item *stats.SizedItem, name string) (stats.Print, bool) {
	for _, p := range item.Attributes {
		if p.Name == name {
			return p, true
		}
	}
	return stats.Print{}, false
}

// watched is for how long somebody watched.
func (in *Input) watched() time.Duration {
	var sum time.Duration
	for _, p := range in.Stats.Watched {
		sum += p.To.Sub(p.From)
	}
	return cmp.Or(sum, in.Stats.Span())
}

// day is what has to be seen for a month to be reckoned from it without a word: nights are part of it.
const day = 24 * time.Hour

// sure is a confidence and what speaks against more; a month that is reckoned from less than a day is one of the reasons.
func (in *Input) sure(confidence float64, because string) (float64, string) {
	if d := in.watched(); d < day {
		confidence *= 0.85
		because = sentences(because, fmt.Sprintf("Only %s were seen: a month is reckoned as if all of it were like that.", lasting(d)))
	}
	return confidence, because
}

// sentences joins them.
func sentences(all ...string) string {
	out := ""
	for _, s := range all {
		if s == "" {
			continue
		}
		if out != "" {
			out += " "
		}
		out += s
	}
	return out
}

// writes reports whether an operation writes items.
func writes(o *stats.Operation) bool {
	switch o.Operation {
	case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
		return true
	}
	return false
}

// reads reports whether an operation reads items outside of transactions.
func reads(o *stats.Operation) bool {
	switch o.Operation {
	case "GetItem", "BatchGetItem", "Query", "Scan":
		return true
	}
	return false
}

// ended is how many calls were answered as they should be.
func ended(o *stats.Operation) float64 { return o.Outcomes[stats.Done] }

// requests is how many reads by query or scan were begun: pages that go on are none of their own.
func requests(o *stats.Operation) float64 { return max(ended(o)-o.Resumed, 0) }

// everything are the operations on a table, its indexes, and on several tables that consume of it, that satisfy a condition.
func (in *Input) everything(table string, that func(o *stats.Operation) bool) (all []*stats.Operation) {
	for _, o := range in.Stats.Operations {
		if (o.Table == table || slices.ContainsFunc(o.Arms, func(a stats.Arm) bool { return a.Table == table })) && that(o) {
			all = append(all, o)
		}
	}
	return all
}

// subject names an operation in a sentence: its pattern, or what it does where.
func subject(o *stats.Operation) string {
	if o.Pattern != "" {
		return o.Pattern
	}
	return named(o.Operation, o.As) + " of " + place(o.Table, o.Index)
}

// consumes reports whether an operation consumed anything: others, such as asking for the table, cost nothing.
func consumes(o *stats.Operation) bool { return o.Read+o.Write > 0 }

// touched is how many writes of an operation consumed write units of an index, and how many these were.
func (in *Input) touched(o *stats.Operation, table, index string) (writes, units float64) {
	if e := o.EntriesOf(table, index); e != nil {
		return min(max(e.Calls, in.partsOf(o, table, index)), max(e.Write, e.Calls)), e.Write // each takes a unit at least
	}
	for _, a := range o.Arms {
		if a.Table == table && a.Index == index {
			return min(max(ended(o), o.Parts), a.Write), a.Write
		}
	}
	return 0, 0
}

// partsOf is how many parts of batches or transactions write an index, as far as the attributes tell which these write: puts those of its
// key, updates that leave its key any that it holds; a batch deletes what it does not put. 0 of single writes.
func (in *Input) partsOf(o *stats.Operation, table, index string) (parts float64) {
	t := in.table(table)
	x, _, known := t.index(index)
	if o.Parts == 0 || !known || slices.ContainsFunc(o.Arms, func(a stats.Arm) bool { return a.Table != table }) { // whose attributes are of both
		return 0
	}
	entry := t.indexed(x)
	parts = written(o, entry.Key...)
	switch {
	case o.Operation == "BatchWriteItem":
		parts += max(o.Parts-written(o, entry.TableKey...), 0)
	case parts == 0:
		for name := range o.Attributes {
			if entry.Projects(name) && !slices.Contains(entry.TableKey, name) {
				parts = max(parts, written(o, name))
			}
		}
	}
	return parts
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// watchedSince is for how long somebody watched from a time on.
func (in *Input) watchedSince(since time.Time) time.Duration {
	periods := in.Stats.Watched
	if len(periods) == 0 {
		periods = []stats.Period{{From: in.Stats.From, To: in.Stats.To}}
	}
	var sum time.Duration
	for _, p := range periods {
		from := p.From
		if from.Before(since) {
			from = since
		}
		sum += max(p.To.Sub(from), 0)
	}
	return sum
}

// unreported reports whether most of what a table's writes consumed was computed, which leaves out what they consumed of indexes and
// what they replaced.
func (in *Input) unreported(table string) bool {
	c := in.consumed(table, "")
	return c != nil && c.ComputedWrite > 0.5*c.Write
}
