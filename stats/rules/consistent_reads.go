package rules

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/stats"
)

var consistentReads = &Rule{
	ID:       "consistent-reads",
	Title:    "Strongly consistent reads without need",
	Category: Cost,
	Looks:    "At reads that ask for strong consistency, and whether what they read was written within the second before, by anybody seen here.",
	Fires: "When a pattern reads strongly consistent, a hundred times at least (Thresholds.FewCalls), and one in a hundred of these at most read what was just written. Of scans, batches and statements on tables whose keys are not known, and of all where Options.Rate is below 1, it is not seen " +
		"what they read: then there has to be one call in a hundred at most that writes the table.",
	Rests: "When reads follow writes. When what was read is written back, or transactions with conditions write the table, since a decision on old data would undo a change, or be refused. " +
		"In transactions, which are always consistent.",
	Sources: []string{page("HowItWorks.ReadConsistency"), page("read-write-operations"), page("CapacityUnitCalculations")},
	Find:    findConsistentReads,
}

// freshShare is the share of reads of what was just written below which consistency is for nothing: what one in a hundred sees
// a second late, a user may see as late by waiting for the network.
const freshShare = 0.01

// fewStrong is the share of a pattern's reads that have to be strongly consistent where that is not worth any money.
const fewStrong = 0.2

// allStrong is the share of a pattern's reads from which on a saving is claimed: how many of them ask for consistency is told by those calls
// that were looked into, too few of which are of two kinds to reckon with.
const allStrong = 0.9

// fewFollowed is a number of reads that were followed below which nothing is concluded: only a part of all are.
const fewFollowed = 30

// followed reports whether an operation reads single items or partition keys, of which it is followed when they were written: of
// scans, batches and statements that are not known for what they are it is not, nor of anything where only some calls are recorded.
func (in *Input) followed(o *stats.Operation) bool {
	return (o.Operation == "GetItem" || o.Operation == "Query") && !in.sampled()
}

// changing is how many calls write the tables of an operation: as many of its own, at most, read what was just written, where nobody reads
// twice within that second.
func (in *Input) changing(o *stats.Operation) (calls float64) {
	for _, table := range tablesOf(o) {
		for _, w := range in.everything(table, func(o *stats.Operation) bool { return o.Write > 0 }) {
			calls += w.Calls
		}
	}
	return calls
}

// decided reports whether what an operation reads may be what transactions decide on: they write its table, on conditions.
func (in *Input) decided(o *stats.Operation) bool {
	for _, w := range in.Stats.Operations {
		on := func(a stats.Arm) bool { return a.Table == o.Table }
		if w.Operation == "TransactWriteItems" && slices.ContainsFunc(w.Arms, on) && w.Conditional > 0.5*w.Detailed && w.Calls > freshShare*o.Calls {
			return true
		}
	}
	return false
}

func findConsistentReads(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		if !reads(o) && o.Operation != "ExecuteStatement" || o.Table == "" || o.Detailed == 0 || o.Consistent*ended(o)/o.Detailed < in.Thresholds.FewCalls {
			continue
		}
		share := min(o.Consistent/o.Detailed, 1)
		var fresh, still, seen, back float64
		for _, e := range in.Stats.Episodes {
			if e.Table != o.Table {
				continue
			}
			switch e.Kind {
			case stats.ConsistentFresh, stats.ConsistentStill:
				if e.Operation != o.Operation || e.Pattern != o.Pattern || e.Index != o.Index {
					continue
				}
				seen += e.Seen
				if e.Kind == stats.ConsistentFresh {
					fresh += e.Count
				} else {
					still += e.Count
				}
			case stats.ReadPut, stats.ReadPutChecked, stats.ReadUpdate, stats.LostUpdate:
				if e.First == o.Operation && e.FirstPattern == o.Pattern {
					back += e.Count
				}
			}
		}
		if !in.followed(o) {
			fresh = in.changing(o)
			still, seen = max(ended(o)-fresh, 0), ended(o)
		}
		if in.decided(o) || seen < fewFollowed || fresh+still < in.Thresholds.FewCalls || fresh > freshShare*(fresh+still) || back > freshShare*(fresh+still) {
			continue
		}
		now := in.perSecond(o.Read)
		l := in.ledger(o.Table)
		l.reads(o.Index, now, now/(1+share))  // a strongly consistent read consumes exactly twice, and so that share counts twice of what is read now
		saving, severity := l.worth(), Advice // of little traffic there is nothing to save, but it reads so for nothing all the same
		switch {
		case saving != nil:
			severity = saving.severity()
		case share < fewStrong:
			continue
		}
		f := Finding{
			Severity: severity, Table: o.Table, Index: o.Index, Cause: cause(ofReads, o.Table, o.Index, o.Operation, o.Pattern, "consistency"),
			Title: fmt.Sprintf("%s reads strongly consistent, and %s of what it reads was written within the second before", subject(o), percent(fresh/(fresh+still))),
			Evidence: []Evidence{
				{What: "reads of what was just written", Value: 100 * fresh / (fresh + still), Unit: "%", Limit: 100 * freshShare},
				{What: "strongly consistent reads", Value: 100 * share, Unit: "%"},
				{What: "read units", Value: now, Unit: "read units/s", Source: page("read-write-operations")},
			},
			Remedy: Remedy{
				Text: "Read eventually consistent, which costs half: leave out Consistent. Replicas are usually behind by milliseconds. Keep it where a decision hangs on the very last " +
					"write; better still state what must hold as a condition of the write.",
				Snippets: []Snippet{{Kind: "go", Text: consistentSnippet(o)}},
				Ease:     Code,
			},
			Saving: saving,
		}
		if share < allStrong {
			f.Saving = nil
		}
		in.affect(&f, o)
		f.Confidence, f.Because = in.sure(0.75, "Whether somebody needs the latest state cannot be seen, nor who writes from elsewhere.")
		if len(in.everything(o.Table, writes)) == 0 {
			f.Confidence *= 0.8
			f.Because = sentences("Nobody was seen to write the table: whoever does is not among those that were watched.", f.Because)
		}
		found = append(found, f)
	}
	return found
}

func consistentSnippet(o *stats.Operation) string {
	switch o.Operation {
	case "GetItem":
		return "v, err := Things.Get(key).Run(ctx, db) // without .Consistent()"
	case "BatchGetItem":
		return "all, err := Things.GetAll(keys...).Slice(ctx, db) // without .Consistent()"
	}
	return "for v, err := range Things.ByOwner.Of(owner).All(ctx, db) { … } // without .Consistent()"
}
