package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
)

var expensivePattern = &Rule{
	ID:       "expensive-pattern",
	Title:    "An access pattern that reads very much each time",
	Category: Cost,
	Looks:    "At queries and scans: the units of one request, all its pages together, and their share of what the tables' reads and writes cost.",
	Fires: "When a request takes 64 read units on average (Thresholds.HighRead), there were a hundred at least (Thresholds.FewCalls), and together they are a quarter of the bill for reads " +
		"and writes, and a dollar a month.",
	Rests: "When a pattern is expensive because it is called often: then it is the program's work. When few requests read very much, as exports and reports over night. When filters drop what " +
		"was read: other rules know more of these.",
	Sources: []string{page("Query.Pagination"), page("bp-query-scan"), page("CapacityUnitCalculations")},
	Find:    findExpensivePattern,
}

const (
	expensiveShare = 0.25            // of the bill for reads and writes
	aPage          = 50              // items that somebody looks at
	leastExpense   = capacity.Dollar // a month
)

func findExpensivePattern(in *Input) (found []Finding) {
	var all capacity.Money
	for _, o := range in.Stats.Operations {
		all += in.reads(o.Table, in.perSecond(o.Read)) + in.writes(o.Table, in.perSecond(o.Write))
	}
	for _, o := range in.Stats.Operations {
		if o.Operation != "Query" && o.Operation != "Scan" {
			continue
		}
		n := requests(o)
		if n < in.Thresholds.FewCalls || o.Read/n < float64(in.Thresholds.HighRead) {
			continue
		}
		if _, drops := in.filter(o); drops {
			continue
		}
		cost := in.reads(o.Table, in.perSecond(o.Read))
		part := cost.Dollars() / max(all.Dollars(), 1e-12)
		if part < expensiveShare || cost < leastExpense {
			continue
		}
		items := o.Scanned / n
		f := Finding{
			Severity: Advice, Table: o.Table, Index: o.Index, Cause: cause(ofReads, o.Table, o.Index, o.Operation, o.Pattern),
			Title: fmt.Sprintf("%s takes %s read units each time, and %s of the bill for reads and writes: %s", subject(o), number(o.Read/n), percent(part), monthly(cost)),
			Evidence: []Evidence{
				{What: "read units of a request", Value: o.Read / n, Unit: "read units", Limit: float64(in.Thresholds.HighRead), Source: "Thresholds.HighRead"},
				share("share of the bill for reads and writes", part, expensiveShare, ""),
				{What: "items that a request reads", Value: items, Unit: "items"},
				{What: "read units of a page of 50 of these", Value: o.Read / n * min(aPage/max(items, 1), 1), Unit: "read units", Source: page("Query.Pagination")},
			},
			Remedy: Remedy{
				Text: "Find out what of it somebody looks at. Where it is the first items: ask for a page of these, and go on when asked to. Where it is a sum or a count: keep it in an " +
					"item of its own, changed with each write. Where it is always the same: cache it, or keep the answer in one item. Where it is a range of time: narrow the key condition.",
				Snippets: []Snippet{{Kind: "go", Text: "page, err := Things.ByOwner.Of(owner).Descending().Page(ctx, db, 50)\nnext, err := Things.ByOwner.Of(owner).Descending().Resume(page.Next).Page(ctx, db, 50)"}},
				Ease:     Code,
			},
		}
		if cost >= worth {
			f.Severity = Warning
		}
		f.Confidence, f.Because = in.sure(0.6, "All of it may be needed: what the program does with the items cannot be seen.")
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}
