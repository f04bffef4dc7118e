package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/stats"
)

var lostUpdate = &Rule{
	ID:       "lost-update",
	Title:    "Read, changed and written back by several, without a version",
	Category: Reliability,
	Looks: "At gets that are followed by a put of the same item by the same caller, either of which may be part of a batch or transaction, which asks nothing but whether the item is there: how many callers do so to how many items, how long it " +
		"takes them, and whether somebody else wrote the item in between.",
	Fires: "As critical when puts were seen that undid another caller's write of the same item. As a warning when none was seen to, but callers are more " +
		"than items and, at their rate, at least one write a year is undone if they come independently; and when updates without a condition set a number, list, set or map of an item " +
		"that another caller wrote since it was read. " +
		"Of callers who share one context, when the item is read twice and then put twice.",
	Rests: "When the put has a condition, such as a version; when each item has one caller; when an item is written so seldom that callers hardly ever meet; " +
		"on updates that reckon with what is stored, or that set texts, flags and times.",
	Sources: []string{page("Expressions.ConditionExpressions"), page("DynamoDBMapper.OptimisticLocking"), page("WorkingWithItems")},
	Find:    findLostUpdate,
}

// lostSeen is how many lost updates have to be really seen. One or two may be calls whose contexts had, one after the other, the
// same place in memory.
const lostSeen = 3

// crossedShare is the share of rounds that have to be crossed by another one under the same context: fewer may be steps of one task.
const crossedShare = 0.05

// exposed is the least time from a read to the write that relies on it: two requests of some milliseconds each, as
// capacity.Contention reckons.
const exposed = 10 * time.Millisecond

func findLostUpdate(in *Input) (found []Finding) {
	for _, e := range append(in.episodes(stats.ReadPut), in.episodes(stats.ReadPutChecked)...) {
		if e.Operation == "UpdateItem" || !in.related(e) || e.Kind == stats.ReadPutChecked && (in.asks(e) || e.Returned < 0.5*e.Count) {
			continue // what was not there to be read is made on the condition that it still is not
		}
		if lost := in.lost(e); lost != nil && lost.Seen >= lostSeen {
			found = append(found, in.lostSeen(e, lost))
			continue
		}
		if n := in.crossed(e); n >= fewEpisodes && n >= crossedShare*e.Count {
			found = append(found, in.lostCrossed(e, n))
			continue
		}
		if year := in.lostYearly(e); year >= 1 {
			found = append(found, in.lostPossible(e, year))
		}
	}
	for _, e := range in.episodes(stats.ReadUpdate) {
		if e.Operation != "UpdateItem" || !in.related(e) || in.asks(e) || in.lost(e) != nil {
			continue
		}
		if n := in.crossed(e); n >= fewEpisodes && n >= crossedShare*e.Count {
			if names := in.overwritten(e); len(names) > 0 {
				found = append(found, in.lostSet(e, names, 0))
			}
			continue
		}
		if year := in.lostYearly(e); year >= 1 {
			if names := in.overwritten(e); len(names) > 0 {
				found = append(found, in.lostSet(e, names, year))
			}
		}
	}
	// Of callers who share one context nobody can tell who read what: two gets and then two puts of one item are two callers, if they
	// follow at once.
	for _, e := range in.episodes(stats.LostUpdate) {
		if e.Operation == "UpdateItem" {
			if names := in.overwritten(e, "M"); len(names) > 0 && e.Seen >= lostSeen && in.related(e) {
				found = append(found, in.lostSet(e, names, 0))
			}
			continue
		}
		if e.First == "" && e.Took <= 2*breath+10*typical(in.completes(e)) {
			found = append(found, in.lostSeen(e, e))
		}
	}
	return found
}

// lost is what was seen of writes undone by those of an episode; nil if nothing.
func (in *Input) lost(e *stats.Episode) *stats.Episode {
	for _, o := range in.Stats.Episodes {
		if o.Kind == stats.LostUpdate && o.Table == e.Table && o.Operation == e.Operation && o.Pattern == e.Pattern && o.First == e.First && o.FirstPattern == e.FirstPattern {
			return o
		}
	}
	return nil
}

// overwritten are the attributes that an update sets to values of the program's, and that are numbers, lists or sets, or of further
// types, which are most often made of what they were: not texts, flags and times, which are what they are.
func (in *Input) overwritten(e *stats.Episode, further ...string) (names []string) {
	o := in.completes(e)
	if o == nil || o.Detailed == 0 {
		return nil
	}
	keys := in.keysOf(e)
	for _, name := range sortedKeys(o.Attributes) {
		a := o.Attributes[name]
		if a.Written < 0.5*o.Detailed || a.Reckoned > 0.1*a.Written || slices.Contains(keys, name) || name == others {
			continue
		}
		switch kind := in.typeOf(e.Table, name); kind {
		case "N":
			if !in.isTime(e.Table, name) {
				names = append(names, name)
			}
		case "L", "SS", "NS", "BS":
			names = append(names, name)
		default:
			if slices.Contains(further, kind) {
				names = append(names, name)
			}
		}
	}
	return names
}

// lostSet is about such an update: of which some were seen to be undone or, if year is not 0, so many may be in a year.
func (in *Input) lostSet(e *stats.Episode, names []string, year float64) Finding {
	f := in.unversioned(e)
	f.Severity = Warning
	what := strings.Join(names, ", ")
	f.Title = fmt.Sprintf("%s sets %s of an item that another caller wrote since it was read, %s", completing(e), what, rate(in.perSecond(e.Count)))
	f.Evidence = append([]Evidence{{What: "updates of what another caller wrote since the read", Value: 24 * 3600 * in.perSecond(e.Count), Unit: "a day"}}, f.Evidence[1:]...)
	if year > 0 {
		f.Severity = Advice
		f.Title = fmt.Sprintf("%s sets %s of an item that several callers read and write: some %s times a year another one's change may be lost", completing(e), what, number(math.Ceil(year)))
		f.Evidence[0] = Evidence{What: "updates of what another caller wrote since the read, if callers come independently", Value: year, Unit: "a year", Limit: 1}
	}
	f.Remedy.Text = fmt.Sprintf("Where %s is made of what was read, one of two changes is lost. Have the update reckon with what is stored (plus, append, add to a set), which needs no read; or demand "+
		"by a condition that it is still what was read, or that a version is.", what)
	f.Remedy.Snippets = f.Remedy.Snippets[1:]
	f.Key = e.Key
	f.Confidence, f.Because = 0.6, "The new value may not be made of what was read, and the other caller may have written something else of the item."
	if year > 0 {
		f.Confidence = 0.5
	}
	return f
}

// lostYearly is how many writes a year are undone if callers come to each item independently and to all of them alike, which
// is the least: of n rounds of one caller, each open for a time, on one item during a span, about n²·time/span meet another.
func (in *Input) lostYearly(e *stats.Episode) float64 {
	seconds := in.Stats.Span().Seconds()
	if e.Callers < 2 || e.Items < 1 || ofEach(e) < 1.25 || seconds <= 0 {
		return 0
	}
	open := max(e.Took, exposed).Seconds()
	return e.Count * (e.Count / e.Items) * open / seconds * 12 * in.Prices.Seconds() / seconds
}

// ofEach is how many callers wrote each item.
func ofEach(e *stats.Episode) float64 { return max(e.Callers, e.Pairs) / e.Items }

func (in *Input) lostSeen(e, lost *stats.Episode) Finding {
	f := in.unversioned(e)
	f.Severity = Critical
	f.Title = fmt.Sprintf("%s undid another caller's write of the same item, %s", completing(e), rate(in.perSecond(lost.Count)))
	f.Evidence = append([]Evidence{
		{What: "writes that were undone", Value: 24 * 3600 * in.perSecond(lost.Count), Unit: "a day"},
		{What: "of all such writes", Value: 100 * min(lost.Count/e.Count, 1), Unit: "%"},
	}, f.Evidence...)
	f.Key = lost.Key
	f.Confidence, f.Because = 0.95, "The writer may have wanted to set the item whatever was there."
	return f
}

func (in *Input) lostCrossed(e *stats.Episode, n float64) Finding {
	f := in.unversioned(e)
	f.Severity = Critical
	f.Title = fmt.Sprintf("%s puts an item that was read twice, and put since: the other one's change is undone, %s", completing(e), rate(in.perSecond(n)))
	f.Evidence = append([]Evidence{
		{What: "items that were read twice under one context, and then put twice", Value: 24 * 3600 * in.perSecond(n), Unit: "a day"},
		{What: "of all such writes", Value: 100 * n / e.Count, Unit: "%"},
	}, f.Evidence...)
	f.Key = e.Key
	f.Confidence, f.Because = 0.7, "All have one context: that one caller reads twice and writes in two steps cannot be told from two of them."
	return f
}

func (in *Input) lostPossible(e *stats.Episode, year float64) Finding {
	f := in.unversioned(e)
	f.Severity = Warning
	f.Title = fmt.Sprintf("%s can undo another caller's write of the same item: some %s times a year", completing(e), number(math.Ceil(year)))
	f.Evidence = append([]Evidence{
		{What: "writes to be undone if callers come independently", Value: year, Unit: "a year", Limit: 1},
		{What: "callers for each item", Value: ofEach(e), Unit: "callers"},
	}, f.Evidence...)
	f.Key = e.Key
	f.Confidence, f.Because = 0.6, "None was seen to be undone: something outside of the table may let only one caller at an item at a time."
	return f
}

func (in *Input) unversioned(e *stats.Episode) Finding {
	f := Finding{
		Table: e.Table, Cause: cause(ofWrites, e.Table, e.Operation, e.Pattern),
		Evidence: []Evidence{
			{What: "puts, on no condition that anything is still as it was, of an item that the same caller had read", Value: in.perSecond(e.Count), Unit: "a second"},
			{What: "from the read to the end of the write", Value: float64(e.Took) / 1e6, Unit: "ms"},
		},
		Remedy: Remedy{
			Text: "Two callers that read an item, change it and write it back lose one of both changes. Give the item a version: every write then demands that the " +
				"stored one is still the one that was read, and raises it; Edit reads, changes and writes again until nobody was faster. Items that are there have none " +
				"yet, and are refused as stale until an Update, which counts from 0, has given them one. Or change single attributes by an update, which needs no read.",
			Snippets: []Snippet{
				{"go", "Version int `ddb:\"version,version\"` // a field of the item"},
				{"go", "item, err := Items.Edit(key, func(i *Item) error { i.Lines = append(i.Lines, line); return nil }).New(ctx, db)"},
				{"go", "err := Items.Update(key, Items.Stock.Minus(1)).If(Items.Stock.AtLeast(1)).Run(ctx, db) // without reading first"},
			},
			Ease: Code,
		},
	}
	in.taking(&f, e)
	return f
}
