package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var unpaged = &Rule{
	ID:       "unpaged",
	Title:    "Answers that are cut, and nobody asks for the rest",
	Category: Reliability,
	Looks:    "At pages of queries and scans that were not the last, and whether anybody went on where they ended.",
	Fires: "When nobody goes on from pages that ended at 1 MB, or at a limit before a filter: what follows is missing from the answer, and nothing says so. At a " +
		"limit alone when the page is longer than anybody reads, 150 items and more, or of a scan, whose order means nothing, and no page of that access pattern was ever gone on from.",
	Rests: "When somebody goes on from pages at a limit, if only now and then: a list whose next page few want; from nine of ten of those that ended at 1 MB. On short pages at a limit: the newest ten are all that was wanted. On " +
		"a page that happens to end with the last item.",
	Sources: []string{page("Query.Pagination"), page("Scan")},
	Find:    findUnpaged,
}

const (
	// followed is the share of pages from which somebody goes on, by whatever way, above which an access pattern knows of pages.
	followed = 0.05
	// leftShare is the share of the pages of 1 MB that are left, above which it is no single search that ended with what it found.
	leftShare = 0.1
	// listed is how many items a page has that is no page for people, of which most never want a second one. Some have 100, as the inventory of
	// a warehouse in examples/online-shop.yaml has.
	listed = 150
)

func findUnpaged(in *Input) (found []Finding) {
	for _, e := range in.left(stats.Unpaged) {
		o := in.completes(e)
		if o == nil || o.More == 0 || e.Count < leftShare*o.More {
			continue
		}
		if o.Filtered > 0.5*o.Detailed && o.Resumed > followed*o.More {
			continue // searches that end with what they found, and go on when more is wanted
		}
		f := in.cut(e, o)
		f.Severity = Warning
		f.Title = fmt.Sprintf("%s stops at a page's end, %s: what follows is missing", completing(e), rate(in.perSecond(e.Count)))
		f.Confidence, f.Because = 0.85, "What was found on the first page may be all that was wanted."
		found = append(found, f)
	}
	for _, e := range in.left(stats.UnpagedLimit) {
		o := in.completes(e)
		if o == nil || o.Resumed > 0 || o.Operation != "Scan" && e.Returned/e.Count < listed {
			continue
		}
		f := in.cut(e, o)
		f.Severity = Advice
		f.Title = fmt.Sprintf("%s ends at its limit of %s items, %s, and nobody reads on", completing(e), number(e.Returned/e.Count), rate(in.perSecond(e.Count)))
		f.Confidence, f.Because = 0.5, "The first items may be all that was wanted."
		found = append(found, f)
	}
	return found
}

// left are the pages that nobody went on from. Where only some calls are recorded it is not seen who went on where, but that hardly anybody
// does it is.
func (in *Input) left(kind stats.EpisodeKind) (all []*stats.Episode) {
	if !in.sampled() {
		return in.episodes(kind)
	}
	for _, o := range in.Stats.Operations {
		if o.More*in.Stats.Rate < fewEpisodes || o.Resumed > followed*o.More || o.Detailed == 0 {
			continue
		}
		at := stats.Unpaged
		if o.Limited > 0.05*o.Detailed && o.Filtered < 0.95*o.Detailed {
			at = stats.UnpagedLimit
		}
		if at != kind {
			continue
		}
		n := o.More - o.Resumed
		all = append(all, &stats.Episode{Kind: kind, Table: o.Table, Index: o.Index, Operation: o.Operation, Pattern: o.Pattern, As: o.As, Count: n, Seen: n * in.Stats.Rate, Calls: n,
			Returned: n * o.Items / max(ended(o), 1)})
	}
	return all
}

func (in *Input) cut(e *stats.Episode, o *stats.Operation) Finding {
	f := Finding{
		Table: e.Table, Index: e.Index, Key: e.Key, Cause: cause(ofReads, e.Table, e.Index, e.Operation, e.Pattern),
		Evidence: []Evidence{
			{What: "pages that more followed, from which nobody went on", Value: in.perSecond(e.Count), Unit: "a second"},
			{What: "of all pages that more followed", Value: 100 * min(e.Count/max(o.More, 1), 1), Unit: "%"},
			{What: "items that such a page brought", Value: e.Returned / e.Count, Unit: "items"},
		},
		Remedy: Remedy{
			Text: "Read on until there is no more: an answer ends at 1 MB, at a limit, or where the service likes, and its cursor is the only sign of it. All reads every " +
				"page; Page hands out a cursor that a caller can come back with; Top says that no more is wanted. Reading on costs the units of what is read.",
			Snippets: []Snippet{
				{"go", "for item, err := range Items.ByOwner.Of(owner).All(ctx, db) { … } // every page"},
				{"go", "page, err := Items.ByOwner.Of(owner).Resume(after).Page(ctx, db, 50) // page.Next goes back to the user; \"\" at the end"},
			},
			Ease: Code,
		},
	}
	if o.Filtered > 0.5*o.Detailed { // what was read and dropped counts for the page's size, and is not in the answer
		f.Evidence = append(f.Evidence, Evidence{What: "read units of such a page", Value: e.Read / e.Count, Unit: "read units", Source: page("Query.Pagination")})
	} else if e.Returned > 0 && o.Received != nil && o.Received.Count() > 0 {
		f.Evidence = append(f.Evidence, Evidence{What: "the longest answer", Value: float64(o.Received.Max()), Unit: "B", Limit: float64(capacity.PageBytes),
			Source: page("Query.Pagination")})
	}
	in.taking(&f, e)
	return f
}
