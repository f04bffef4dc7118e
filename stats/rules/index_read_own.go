package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/stats"
)

var indexReadOwn = &Rule{
	ID:       "index-read-own",
	Title:    "Reading one's own write through an index",
	Category: Reliability,
	Looks:    "At reads of a global index by a caller who wrote an item of the same partition key there within the second before.",
	Fires: "When callers do so again and again: a global index follows its table a moment later, usually within a fraction of a second, and cannot be read " +
		"strongly, so that such a read finds the item as it was before, or not at all.",
	Rests:   "On some reads that come a while after the write where callers are workers, who do one thing after the other under one context, or on reads that come no more often than chance has it there, with as many partition keys as the index has; on reads of other partition keys; on reads by others, or later; on reads of the table, and of local indexes, which can be strongly consistent.",
	Sources: []string{page("GSI"), page("HowItWorks.ReadConsistency")},
	Find:    findIndexReadOwn,
}

// thanChance is how many times as often as by chance a worker's reads have to follow his writes.
const thanChance = 3

// byChance reports whether of a worker's writes and reads, which are those of everybody he works for, hardly more come together than
// would if each chose its partition key by itself.
func (in *Input) byChance(e *stats.Episode) bool {
	last, first, c := in.completes(e), in.begins(e), in.consumed(e.Table, e.Index)
	if last == nil || first == nil || c == nil || c.Partitions == nil {
		return false
	}
	chance := thanChance / max(c.Partitions.Count(), 1)
	return e.Count < min(chance, 0.9)*min(ended(last), ended(first))
}

// always reports whether nine in ten of the reads, or of the writes, are of such an episode: then the one is there for the other, also where
// a worker takes a while in between.
func (in *Input) always(e *stats.Episode) bool {
	last, first := in.completes(e), in.begins(e)
	return last != nil && first != nil && e.Count >= 0.9*min(ended(last), ended(first))
}

func findIndexReadOwn(in *Input) (found []Finding) {
	for _, e := range in.episodes(stats.IndexReadOwn) {
		if worker(e) && in.byChance(e) || !in.related(e) && !in.always(e) {
			continue
		}
		f := Finding{
			Severity: Warning, Table: e.Table, Index: e.Index, Key: e.Key,
			Cause: cause(ofReads, e.Table, e.Index, e.Operation, e.Pattern),
			Title: fmt.Sprintf("%s reads %s right after %s wrote there, %s: it may not find that yet",
				completing(e), place(e.Table, e.Index), beginning(e), rate(in.perSecond(e.Count))),
			Evidence: []Evidence{
				{What: "reads of the index within a second after the caller's own write of the same partition key", Value: in.perSecond(e.Count), Unit: "a second"},
				{What: "from the write to the answer, on average", Value: float64(e.Took) / 1e6, Unit: "ms"},
			},
			Remedy: Remedy{
				Text: fmt.Sprintf("Do not ask %s for what was just written. A write can answer the item as it is stored, and what the caller shows can be put together "+
					"from that; by its key the item is read from the table, strongly consistently; and a list that must have it is read from the table's own key, or "+
					"from an attribute that is written with it. Where a moment of delay does no harm, as in a list on another page, leave it as it is.", e.Index),
				Snippets: []Snippet{
					{"go", "item, err := Items.Update(key, changes...).New(ctx, db) // as it is stored, without another read"},
					{"go", "item, err := Items.Get(key).Consistent().Run(ctx, db)   // from the table, by its key"},
				},
				Ease: Code,
			},
			Confidence: 0.7,
			Because:    "The caller may not need to see what it has just written.",
		}
		in.taking(&f, e)
		if o := in.completes(e); o != nil && o.Calls > 0 {
			f.Evidence = append(f.Evidence, Evidence{What: "of all calls of " + completing(e), Value: 100 * min(e.Count/o.Calls, 1), Unit: "%"})
		}
		found = append(found, f)
	}
	return found
}
