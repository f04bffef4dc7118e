package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/stats"
)

var unusedIndex = &Rule{
	ID:       "unused-index",
	Title:    "An index that nobody reads",
	Category: Cost,
	Looks:    "At every global secondary index of the declared tables: whether any query, scan or statement read it, and what writing and storing it takes.",
	Fires:    "When the index was not read for Thresholds.Unused (seven days) up to now, all of it observed, while the table was in use.",
	Rests: "While less time than that was observed, or not all of it; when the index was read even once in it, by whatever operation; when the table itself was hardly " +
		"used, so that nothing can be said of its indexes, or nearly so while only a part of the calls is recorded; when the table, or the index by what writes consume on it, was not " +
		"there for so long; for local secondary indexes, which cannot be dropped.",
	Sources: []string{page("bp-indexes-general"), page("GSI.OnlineOps")},
	Find:    findUnusedIndex,
}

func findUnusedIndex(in *Input) (found []Finding) {
	since := in.Stats.To.Add(-in.Thresholds.Unused)
	if in.Stats.Span() < in.Thresholds.Unused || in.watchedSince(since) < in.Thresholds.Unused*19/20 {
		return nil // nobody knows what happened while nobody watched
	}
	few := in.Thresholds.FewCalls
	if in.Stats.Rate > 0 && in.Stats.Rate < 1 {
		few *= 10 // a read now and then may be among the calls that were passed by
	}
	for _, t := range in.Tables {
		name := t.Declared.Name
		if in.callsOf(name) < few {
			continue
		}
		for _, index := range slices.Sorted(maps.Keys(t.Declared.GSI)) {
			if unused := min(in.unread(name, index), in.there(name, index)); unused >= in.Thresholds.Unused {
				found = append(found, in.unusedIndex(t, index, unused))
			}
		}
	}
	return found
}

// callsOf is how often a table was called, at whichever index; batches and transactions are counted where they consumed.
func (in *Input) callsOf(table string) (calls float64) {
	for _, c := range in.Stats.Consumed {
		if c.Table == table && c.Index == "" {
			calls += c.Traffic.Sum().Calls
		}
	}
	return calls
}

// unread is for how long nobody read an index.
func (in *Input) unread(table, index string) time.Duration {
	if last := in.lastRead(table, index); !last.IsZero() {
		return in.Stats.To.Sub(last)
	}
	return in.Stats.Span()
}

// there is for how long an index is known to be there: an index that was made while somebody watched has no writes before. That is told by
// its minutes as long as these are kept, and by how much of the table's writes went there before and since.
func (in *Input) there(table, index string) time.Duration {
	const expected = 5  // units that it would have had before, if it had been there: an index of few entries need not be new
	const surely = 0.75 // of Thresholds.Unused, where its age is reckoned: what is written to an index changes, too
	span := in.Stats.Span()
	var used time.Time
	for _, o := range in.everything(table, consumes) { // a table that was made is not in use yet
		if used.IsZero() || o.First.Before(used) {
			used = o.First
		}
	}
	if !used.IsZero() {
		span = min(span, in.Stats.To.Sub(used))
	}
	of, whole := in.consumed(table, index), in.consumed(table, "")
	if of == nil || whole == nil || of.Write == 0 {
		return span
	}
	var first, kept time.Time
	for at, m := range of.Traffic.All() {
		if m.Write > 0 {
			first = at
			break
		}
	}
	var before, since, all float64 // what was written to the table
	for at, m := range whole.Traffic.All() {
		if kept.IsZero() {
			kept = at
		}
		all += m.Write
		if at.Before(first) {
			before += m.Write
		} else {
			since += m.Write
		}
	}
	dropped, gone := of.Traffic.Dropped().Write, whole.Traffic.Dropped().Write
	if dropped == 0 {
		if before += gone; since > 0 && of.Write*before/since >= expected {
			return in.Stats.To.Sub(first)
		}
		return span
	}
	share := (of.Write - dropped) / max(all, 1)
	age := in.Stats.To.Sub(kept)
	age += time.Duration(float64(span-age) * min(dropped/max(share*gone, 1), 1))
	if age < time.Duration(surely*float64(in.Thresholds.Unused)) {
		return age
	}
	return span
}

// lastRead is when an index was read last; zero if never.
func (in *Input) lastRead(table, index string) (last time.Time) {
	for _, o := range in.operations(table, index) {
		if o.Last.After(last) {
			last = o.Last
		}
	}
	if c := in.consumed(table, index); c != nil { // by statements that could not be read, say
		for at, m := range c.Traffic.All() {
			if m.Read > 0 && at.After(last) {
				last = at
			}
		}
	}
	return last
}

func (in *Input) unusedIndex(t *Table, index string, unused time.Duration) Finding {
	name := t.Declared.Name
	f := Finding{
		Table: name, Index: index, Cause: cause(ofIndex, name, index),
		Evidence: []Evidence{
			{What: "days without a read of the index", Value: unused.Hours() / 24, Unit: "days", Limit: in.Thresholds.Unused.Hours() / 24, Source: "Thresholds.Unused"},
		},
		Remedy: Remedy{
			Text: fmt.Sprintf("Drop the index %s of %s: take it out of the table's declaration and delete it at the service. Items stay as they are. "+
				"It can be made again later, for the price of writing each item's entry once.", index, name),
			Snippets: []Snippet{
				{"go", fmt.Sprintf("err := %s.DropIndex(ctx, db, %q) // and take it out of plan.Table.GSI", name, index)},
				{"aws", fmt.Sprintf(`aws dynamodb update-table --table-name %s --global-secondary-index-updates '[{"Delete":{"IndexName":"%s"}}]'`, name, index)},
			},
			Ease: Setting,
		},
		Confidence: 0.8,
		Because:    "A job that runs less often than that may read it, or a program that is not watched.",
	}
	if unused >= 31*24*time.Hour {
		f.Confidence, f.Because = 0.95, "A program that is not watched may read it."
	}
	const stored = "What is stored is not known, and left out."
	save := &Saving{Assumes: stored}
	writing := 0.0
	if c := in.consumed(name, index); c != nil {
		writing = in.perSecond(c.Write)
	}
	if x, _, _ := t.index(index); in.unreported(name) {
		save.Assumes = sentences("What its writes consume is reckoned from the items that were seen: units are not reported.", save.Assumes)
		if m, ok := in.entries(name, t.indexed(x), nil); ok {
			writing = in.perSecond(m.writes(in, name, 1))
		}
	}
	save.WriteBefore = writing
	if t.provisioned() { // an index has units of its own, which are paid whether they are used or not
		have := in.provisioned(name, index)
		save.Before = in.tariff(name).Reads(readUnits(have.Read)) + in.tariff(name).Writes(writeUnits(have.Write))
	} else {
		save.Before = in.writes(name, writing)
	}
	f.Evidence = append(f.Evidence, Evidence{What: "write units of the index", Value: writing, Unit: "write units/s"})
	if count, size, known := t.stored(index); known {
		save.Before += in.storage(name, count, size)
		save.Assumes = strings.TrimSuffix(save.Assumes, stored)
		f.Evidence = append(f.Evidence, Evidence{What: "entries stored", Value: count, Unit: "items"})
	}
	if save.Before > 0 {
		f.Saving = save
	}
	f.Severity = f.Saving.severity()
	f.Title = fmt.Sprintf("%s was not read for %s, and costs %s", place(name, index), lasting(unused), monthly(save.Before))
	in.affect(&f, in.everything(name, func(o *stats.Operation) bool { return armOf(o, name, index) > 0 })...)
	return f
}
