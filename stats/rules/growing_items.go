package rules

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var growingItems = &Rule{
	ID:       "growing-items",
	Title:    "Items that grow without bound",
	Category: Reliability,
	Looks:    "At the course of the sizes of items that were seen several times: whether they grow steadily and go on growing, and when they will have 400 KB, where the service refuses more.",
	Fires:    "When an item of a quarter of Thresholds.LargeItem (25 KB) or more, or one that was watched for a day and has 8 KB, grew by a quarter at least, still grows, and at this pace has 400 KB within a year.",
	Rests:    "When items are large and stay so, or got larger once; when an item was filled and then grows no more, or gets smaller in between; when it would take longer than a year.",
	Sources:  []string{page("Constraints"), page("bp-one-to-many"), page("bp-use-s3-too")},
	Find:     findGrowingItems,
}

const (
	growsFrom     = 8 << 10              // bytes that an item has at least that is said to grow without bound
	growsFor      = 365 * 24 * time.Hour // within which it has to be at its limit
	grownBy       = 0.25                 // of its first size, at least
	stillGrows    = 0.4                  // of the pace of all the time, that of its later half
	atOnce        = 0.8                  // of all growth between two points is a step, and no growth, unless it is nearly all the time that
	atOnceIn      = 0.6                  // lies between them
	fewSizes      = 4                    // points of its course
	fewLater      = 3                    // of these in its later half
	shortestGrows = 10 * time.Minute
)

// growth is how an item grows.
type growth struct {
	perDay float64
	full   time.Time // when it has as much as an item may have
}

// grows says how an item grows, if it does so without bound.
func (in *Input) grows(item *stats.SizedItem) (g growth, ok bool) {
	span := item.Last.Sub(item.First)
	points := append([]stats.SizeAt{{At: item.First, Bytes: item.FirstBytes}}, item.Course...)
	if points[len(points)-1].At.Before(item.Last) {
		points = append(points, stats.SizeAt{At: item.Last, Bytes: item.LastBytes})
	}
	grown := float64(item.LastBytes - item.FirstBytes)
	switch {
	case len(points) < fewSizes || span < shortestGrows:
		return g, false
	case item.LastBytes < growsFrom || item.LastBytes < int(in.Thresholds.LargeItem)/4 && span < day:
		return g, false
	case grown < grownBy*float64(item.FirstBytes):
		return g, false
	}
	half, shrank, later := points[0], 0.0, 0
	for i := 1; i < len(points); i++ {
		d := float64(points[i].Bytes - points[i-1].Bytes)
		if d < 0 {
			shrank -= d
		}
		if d >= atOnce*grown && float64(points[i].At.Sub(points[i-1].At)) < atOnceIn*float64(span) {
			return g, false
		}
		if points[i].At.Sub(item.First) <= span/2 {
			half = points[i]
		} else {
			later++
		}
	}
	late := float64(item.LastBytes-half.Bytes) / item.Last.Sub(half.At).Hours() * 24
	all := grown / span.Hours() * 24
	end := float64(item.LastBytes) - sizeAt(points, item.Last.Add(-span/4)) // what it grew in the last quarter
	if later < fewLater || shrank > 0.1*grown || late < stillGrows*all || end < stillGrows*grown/4 {
		return g, false
	}
	g.perDay = min(late, all*2)
	left := float64(in.Thresholds.ItemLimit) - float64(item.LastBytes)
	days := max(left, 0) / g.perDay
	if days > growsFor.Hours()/24 {
		return g, false
	}
	g.full = item.Last.Add(time.Duration(days * 24 * float64(time.Hour)))
	return g, true
}

// sizeAt is how large an item was at a time, in between of when it was seen.
func sizeAt(points []stats.SizeAt, at time.Time) float64 {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if !b.At.Before(at) {
			return float64(a.Bytes) + float64(b.Bytes-a.Bytes)*float64(at.Sub(a.At))/float64(max(b.At.Sub(a.At), 1))
		}
	}
	return float64(points[len(points)-1].Bytes)
}

func findGrowingItems(in *Input) (found []Finding) {
	for _, s := range in.Stats.Sizes {
		for _, kind := range kindsOf(sizedItems(s, growsFrom)) {
			var first *stats.SizedItem
			var soonest growth
			n, seen := 0, 0
			for _, item := range kind.items {
				if item.Seen >= fewSizes {
					seen++
				}
				if g, ok := in.grows(item); ok {
					if n++; first == nil || g.full.Before(soonest.full) {
						first, soonest = item, g
					}
				}
			}
			if first != nil {
				found = append(found, in.growing(s.Table, kind, first, soonest, n, seen))
			}
		}
	}
	return found
}

func (in *Input) growing(table string, kind *itemKind, item *stats.SizedItem, g growth, n, seen int) Finding {
	when := g.full.UTC().Format(time.DateOnly)
	left := g.full.Sub(in.Stats.To)
	f := Finding{
		Severity: Warning, Table: table, Key: item.Key, Cause: cause(ofItem, table, "large", kind.name),
		Title: fmt.Sprintf("%s: the item %s grows by %s a day and has 400 KB on %s, where the service refuses more", table, itemName(item), inBytes(g.perDay), when),
		Evidence: []Evidence{
			{What: "days until the item has 400 KB, on " + when, Value: max(left.Hours()/24, 0), Unit: "days", Limit: growsFor.Hours() / 24, Source: page("Constraints")},
			{What: "growth", Value: g.perDay, Unit: "B/day"},
			{What: "bytes when it was first seen", Value: float64(item.FirstBytes), Unit: "B"},
			{What: "bytes when it was last seen", Value: float64(item.LastBytes), Unit: "B", Limit: float64(in.Thresholds.ItemLimit), Source: "Thresholds.ItemLimit"},
			{What: "items of its kind that grow so, of those of 8 KB or more seen several times", Value: float64(n), Unit: "items", Limit: float64(seen)},
		},
		Confidence: 0.85, Because: "That it goes on growing as it did is an assumption.",
	}
	if left < 30*day {
		f.Severity = Critical
	}
	part := "what it collects"
	if p, of := biggest(item); p.Name != "" && of >= mostOfItem {
		part = fmt.Sprintf("what the attribute %s collects (%s of it, %s)", p.Name, percent(of), p.Type)
	}
	size := capacity.Bytes(item.LastBytes)
	partition, sort := keyNames(in.table(table), &stats.Key{Key: item.Key})
	f.Remedy.Ease = Migration
	f.Remedy.Text = fmt.Sprintf("Move %s into items of their own under the same partition key: adding one costs what that one has, not %s write units for the whole, and there is no end to them. "+
		"A query reads as many of them as are wanted, the newest first. Counts and totals stay in the item.", part, number(float64(capacity.Write(size, size))))
	if sort == "" {
		sort = "SK"
		f.Remedy.Text += " The table has no sort key: the new items go to one that has."
	}
	f.Remedy.Snippets = []Snippet{{"go", fmt.Sprintf(`type entries struct {
	tablewright.Entity[EntryKey, Entry]
	Of tablewright.Index1[Entry, string, time.Time] `+"`index:\".\"`"+`
}

var Entries = tablewright.Declare[entries](%s, plan.Item{Name: "Entry", Key: map[string]string{%q: "{owner}", %q: "entry#{at:iso}#{id}"}})

page, err := Entries.Of.Of(owner).Descending().Page(ctx, db, 20)`, goName(table), partition, sort)}}
	freeNames(f.Remedy.Snippets, partition, sort)
	in.affect(&f, in.everything(table, func(o *stats.Operation) bool { return writes(o) || o.Operation == "GetItem" })...)
	return f
}
