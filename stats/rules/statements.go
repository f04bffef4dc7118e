package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

// byStatement reports whether an operation was sent as a statement of PartiQL: rules look at what that does (see
// stats.Snapshot.WithoutStatements), and what it was sent as stands in As.
func byStatement(o *stats.Operation) bool { return o.As != "" }

// largeSelect is from how many read units each on a statement that returns little reads more than it needs: an item or two that are
// large are read by fewer.
const largeSelect = 16

// named is an operation in a sentence, with what it was sent as.
func named(operation, as string) string {
	if as == "" {
		return operation
	}
	return as + " (" + operation + ")"
}

// reckonScanned fills in how many items SELECT statements with a filter looked at, which the service does not tell of them: what they
// paid for, in items as large as those that came back or else as those that were seen.
func (in *Input) reckonScanned() {
	for _, o := range in.Stats.Operations {
		if !byStatement(o) || o.Operation != "Query" && o.Operation != "Scan" || o.Filtered == 0 || o.Detailed == 0 {
			continue
		}
		bytes := 0.0
		if o.Sizes != nil && o.Sizes.Count() > 0 {
			bytes = o.Sizes.Mean()
		} else if items := in.sample(o.Table); len(items) > 0 && o.Index == "" {
			for i := range items {
				bytes += float64(items[i].LastBytes) / float64(len(items))
			}
		}
		if bytes == 0 {
			continue
		}
		consistent := min(o.Consistent/o.Detailed, 1)
		block := float64(capacity.ReadBlock)
		paid := o.Read*block*(2-consistent) - ended(o)*block/2 // half a block too much on average
		o.Scanned = max(o.Items, paid/bytes)
	}
}

// reckoned is what is to be said of such a number.
func reckoned(o *stats.Operation) string {
	if !byStatement(o) {
		return ""
	}
	return "How many items a statement looks at is not told: it is reckoned from what it pays for."
}

// statementsReadMuch are SELECT statements that read much and return little, on a table whose keys nobody knows, so that it is not known what
// they are: they do not tell how many items they read, but what they pay for.
func (in *Input) statementsReadMuch() (found []Finding) {
	for _, o := range in.Stats.Operations {
		n := ended(o)
		if o.Operation != "ExecuteStatement" || n < fewReads || o.Read/n < largeSelect || o.Received == nil || o.Received.Count() == 0 {
			continue
		}
		paid := o.Read / n * 2 * float64(capacity.ReadBlock) // eventually consistent; twice what a consistent read pays for
		returned := o.Received.Mean() / paid                 // JSON is longer than what it stands for
		if returned >= in.Thresholds.ReturnedShare/2 {
			continue
		}
		for _, table := range tablesOf(o) {
			now := in.perSecond(o.Read)
			f := Finding{
				Severity: Warning, Table: table, Cause: cause(ofReads, table, "", o.Operation, o.Pattern),
				Title: fmt.Sprintf("Statements on %s take %s read units each and return %s of what they read", table, number(o.Read/n), percent(returned)),
				Evidence: []Evidence{
					share("bytes returned of those paid for, at most", returned, in.Thresholds.ReturnedShare/2, "Thresholds.ReturnedShare"),
					{What: "read units of one statement", Value: o.Read / n, Unit: "read units", Limit: largeSelect, Source: page("ql-reference.select")},
					{What: "read units", Value: now, Unit: "read units/s"},
					{What: "reads a month, as they are", Value: in.reads(table, now).Dollars(), Unit: "$"},
				},
				Remedy: Remedy{
					Text: "A SELECT whose WHERE does not state the partition key with = or IN is a scan of the whole table: every item is read and paid for, whatever is returned. Name the partition " +
						"key; or make an index of what is compared with = and select from that, FROM \"Table\".\"Index\".",
					Snippets: []Snippet{{Kind: "go", Text: "for v, err := range Things.ByOwner.Of(owner).All(ctx, db) { … } // a key condition instead of a statement"}},
					Ease:     NewIndex,
				},
				Confidence: 0.7, Because: "What the table's keys are called is not known, nor so whether these statements name them; and they may want one attribute of large items.",
			}
			in.affect(&f, o)
			found = append(found, f)
		}
	}
	return found
}
