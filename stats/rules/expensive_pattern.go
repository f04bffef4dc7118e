package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var expensivePattern = &Rule{
	ID:       "expensive-pattern",
	Title:    "An access pattern that reads or writes very much each time",
	Category: Cost,
	Looks: "At queries and scans: the units of one request, all its pages together. At puts and updates: the units of one, indexes included. At the share of either in what the " +
		"tables' reads and writes cost.",
	Fires: "When a request takes 64 read units (Thresholds.HighRead) or 50 write units (Thresholds.HighWrite) on average, there were a hundred at least (Thresholds.FewCalls), and together they are a quarter of the bill for reads " +
		"and writes, and a cent a month.",
	Rests: "When a pattern is expensive because it is called often: then it is the program's work. When few requests read very much, as exports and reports over night. When filters drop what " +
		"was read: other rules know more of these.",
	Sources: []string{page("Query.Pagination"), page("bp-query-scan"), page("CapacityUnitCalculations")},
	Find:    findExpensivePattern,
}

const (
	expensiveShare = 0.25                  // of the bill for reads and writes
	aPage          = 50                    // items that somebody looks at
	leastExpense   = capacity.Dollar / 100 // a month: less is nobody's worry, whatever the share
)

func findExpensivePattern(in *Input) (found []Finding) {
	var all capacity.Money
	for _, o := range in.Stats.Operations {
		all += in.reads(o.Table, in.perSecond(o.Read)) + in.writes(o.Table, in.perSecond(o.Write))
	}
	for _, o := range in.Stats.Operations {
		if o.Operation == "PutItem" || o.Operation == "UpdateItem" {
			if f, ok := in.expensiveWrite(o, all); ok {
				found = append(found, f)
			}
			continue
		}
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

// expensiveWrite looks at writes of single items, that are not so large that this alone is the reason.
func (in *Input) expensiveWrite(o *stats.Operation, all capacity.Money) (f Finding, ok bool) {
	n := ended(o)
	cost := in.writes(o.Table, in.perSecond(o.Write))
	part := cost.Dollars() / max(all.Dollars(), 1e-12)
	if n < in.Thresholds.FewCalls || o.Write/n < float64(in.Thresholds.HighWrite) || part < expensiveShare || cost < leastExpense {
		return f, false
	}
	table := armOf(o, o.Table, "")
	if table/n >= float64(capacity.Write(0, in.Thresholds.LargeItem)) {
		return f, false
	}
	f = Finding{
		Severity: Advice, Table: o.Table, Cause: cause(ofWrites, o.Table, o.Operation, o.Pattern),
		Title: fmt.Sprintf("%s takes %s write units each time, and %s of the bill for reads and writes: %s", subject(o), number(o.Write/n), percent(part), monthly(cost)),
		Evidence: []Evidence{
			{What: "write units of one write", Value: o.Write / n, Unit: "write units", Limit: float64(in.Thresholds.HighWrite), Source: "Thresholds.HighWrite"},
			{What: "of these, of the table", Value: table / n, Unit: "write units", Source: page("CapacityUnitCalculations")},
			share("share of the bill for reads and writes", part, expensiveShare, ""),
		},
		Remedy: Remedy{
			Text: "A write is paid by the size of the whole item, and again by every index that holds what changed. Have indexes hold less; keep what changes often apart from what is large; " +
				"compress what nobody asks for by its parts, or store it elsewhere and its address here.",
			Snippets: []Snippet{{Kind: "go", Text: "\"ByOwner\": {Partition: []string{\"owner\"}, Project: plan.Include, Include: []string{\"title\"}}, // instead of everything"}},
			Ease:     NewIndex,
		},
	}
	for _, a := range o.Arms {
		if a.Table == o.Table && a.Index != "" && a.Write > 0 {
			f.Evidence = append(f.Evidence, Evidence{What: "of these, of " + place(a.Table, a.Index), Value: a.Write / n, Unit: "write units", Source: page("GSI")})
		}
	}
	if cost >= worth {
		f.Severity = Warning
	}
	f.Confidence, f.Because = in.sure(0.6, "All of it may be needed: what the program does with the items cannot be seen.")
	in.affect(&f, o)
	return f, true
}
