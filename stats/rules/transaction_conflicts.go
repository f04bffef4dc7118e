package rules

import (
	"cmp"
	"fmt"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var transactionConflicts = &Rule{
	ID:       "transaction-conflicts",
	Title:    "Transactions that meet each other on one item",
	Category: Reliability,
	Looks:    "At calls that another transaction at work on the same item cancelled, and at the items that they had in common.",
	Fires:    "When Thresholds.ConflictShare (5 %) of an operation's calls conflict, with Thresholds.FewCalls at least.",
	Rests:    "When a transaction conflicts now and then and its repetition goes through; when it is a condition that cancels it.",
	Sources:  []string{page("transaction-apis"), page("bp-partition-key-sharding")},
	Find:     findTransactionConflicts,
}

// mostContended is the share of conflicts that one item has to have a part in for being the one to see to.
const mostContended = 0.5

func findTransactionConflicts(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		conflicts := o.Outcomes[stats.Conflict]
		if o.Calls < in.Thresholds.FewCalls || conflicts < in.Thresholds.ConflictShare*o.Calls || conflicts < fewRefused {
			continue
		}
		of := conflicts / o.Calls
		f := Finding{Severity: Warning, Table: o.Table, Cause: ofOperation(o), Confidence: 0.85, Because: "Whether the item has to be exact at every moment is not seen."}
		if of >= capacity.ContentionLimit {
			f.Severity = Critical
		}
		f.Evidence = []Evidence{share("calls that another transaction cancelled", of, in.Thresholds.ConflictShare, "Thresholds.ConflictShare")}
		f.Title = fmt.Sprintf("%s: %s of the calls meet another transaction on their items", subject(o), percent(of))
		if o.Retries > 0 {
			f.Evidence = append(f.Evidence, share("calls that repeat another one", o.Retries/o.Calls, 0, ""))
		}
		r := &f.Remedy
		var top *stats.Key
		if items := in.contendedOf(o); len(items) > 0 {
			top = items[0]
		}
		switch {
		case o.Operation == "TransactGetItems":
			r.Ease = Code
			r.Text = "Reading in a transaction is cancelled by every write that is under way, and costs twice. Unless the items have to be of one moment, read them with one batch, " +
				"strongly consistent if need be."
			r.Snippets = []Snippet{{"go", "items, err := Orders.GetAll(keys).Consistent().Run(ctx, db)"}}
		case top != nil && top.Load >= mostContended*conflicts:
			f.Table, f.Key, f.Cause = cmp.Or(f.Table, top.Table), top.Key, cause(ofItem, top.Table, keyName(top))
			f.Title += fmt.Sprintf(", most of them on %s", keyName(top))
			if load := in.itemLoad(top.Hash); load != nil {
				f.Evidence = append(f.Evidence, Evidence{What: "calls of that item", Value: in.perSecond(load.Calls), Unit: "calls/s"})
			}
			f.Evidence = append(f.Evidence, Evidence{What: "conflicts with a part in the one item", Value: top.Load, Unit: "calls"})
			r.Ease = Code
			r.Text = "Take the item out of the transaction: a single update with a condition never conflicts with others like it, and the service does them one after another, up to 1,000 a second. " +
				"If it counts, keep it in several items (NewShardCounter) and add them up when it is read; if it is stock, reserve it before the transaction with an update that " +
				"refuses at zero, and give back what is not used."
			r.Snippets = []Snippet{
				{"go", "err := Stock.Update(id, Stock.Left.Minus(1)).If(Stock.Left.AtLeast(1)).Else(errSoldOut).Run(ctx, db) // first, and alone"},
				{"go", "var Sales = tablewright.NewShardCounter(Totals.Entity, Totals.Count) // items with {shard}\n// …\nerr := tablewright.Transact(append(writes, Sales.Add(what, 1))...).Run(ctx, db)"},
			}
		default:
			r.Ease = Code
			r.Text = "The conflicts are on many items. Make transactions shorter and smaller, with what really has to change together; let one process work on one item at a time " +
				"(a queue by key); and do what a single conditional write can do without one."
			r.Snippets = []Snippet{{"go", "err := Orders.Update(id, Orders.Status.Set(\"paid\")).If(Orders.Status.Equals(\"open\")).Run(ctx, db) // one write, no transaction"}}
		}
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}
