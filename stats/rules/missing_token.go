package rules

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/stats"
)

var missingToken = &Rule{
	ID:       "missing-token",
	Title:    "Transactions without a token",
	Category: Reliability,
	Looks:    "At transactions that write, of those that were looked into: whether they carry a ClientRequestToken, and whether answers were lost or calls repeated.",
	Fires:    "When less than half of Thresholds.FewCalls transactions or more carry one.",
	Rests: "When they carry one, as those that this library makes do; for single writes, which have none. When all that a transaction asks is whether its items are there, as one that " +
		"makes them does, and no answer was lost: a second one is refused.",
	Sources: []string{page("transaction-apis"), "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html"},
	Find:    findMissingToken,
}

func findMissingToken(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		if o.Operation != "TransactWriteItems" || o.Calls < in.Thresholds.FewCalls || o.Detailed == 0 {
			continue
		}
		with := o.Tokened / o.Detailed
		doubtful := o.Outcomes[stats.Lost] + o.Outcomes[stats.Failed] + o.Outcomes[stats.Ended]
		if with >= 0.5 || doubtful == 0 && in.creates(o) {
			continue
		}
		f := Finding{Severity: Advice, Cause: ofOperation(o), Confidence: 0.8, Because: "What a second execution would do is not seen: conditions may refuse it."}
		for _, table := range tablesOf(o) {
			f.Table = table
			break
		}
		f.Title = fmt.Sprintf("%s: %s of the transactions carry no token: one that is repeated may be done twice, or be refused for what it did itself", subject(o), percent(1-with))
		f.Evidence = []Evidence{share("transactions with a ClientRequestToken", with, 0.5, page("transaction-apis"))}
		if doubtful > 0 {
			f.Severity = Warning
			f.Evidence = append(f.Evidence, Evidence{What: "of which nobody knows whether they were done", Value: doubtful, Unit: "calls"})
		}
		f.Remedy = Remedy{
			Text: "Send a token with each: within ten minutes the service does a transaction once for each token, and answers repetitions as if it had done them. Transact makes one for " +
				"every run by itself; with Token it is the caller's own, such as the id of the order, so that the second press of a button does nothing either.",
			Snippets: []Snippet{{"go", `err := tablewright.Transact(writes...).Token(order.ID).Run(ctx, db)`}},
			Ease:     Code,
		}
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}

// creates reports whether the transactions of an operation ask for keys only, that is whether items are there, and reckon with nothing
// that is stored: to do one twice is refused, or changes nothing.
func (in *Input) creates(o *stats.Operation) bool {
	if o.Conditional < 0.99*o.Detailed {
		return false
	}
	var keys []string
	for _, table := range tablesOf(o) {
		t := in.table(table)
		if t == nil {
			return false
		}
		keys = append(keys, t.keyAttributes("")...)
	}
	for name, a := range o.Attributes {
		if a.Tested > 0 && !slices.Contains(keys, name) {
			return false
		}
	}
	return true
}
