package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var singleGets = &Rule{
	ID:       "single-gets",
	Title:    "Items got one by one that one caller could get at once",
	Category: Performance,
	Looks:    "At gets of one table that one caller sends with nothing between them: how many in a row, how often, and how long the row takes.",
	Fires: "When such a row is four gets long on average, the gets follow each other without a pause, and at least Thresholds.FewCalls of them were made. " +
		"It claims round trips and no units: a batch of gets costs what the gets cost.",
	Rests: "On two or three gets in a row, which are most often of different things; on gets of the same item again, which a batch does not save; on gets " +
		"whose key stood in the answer before, as those that go from an item to its parent; on gets that come now and then under one context, as those of a worker, or whose rows are as long as chance has them; on batches and transactions.",
	Sources: []string{
		"https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html",
		page("CapacityUnitCalculations"),
	},
	Find: findSingleGets,
}

func findSingleGets(in *Input) (found []Finding) {
	for _, e := range in.runs(stats.SingleGets) {
		if in.repeats(e) > 0.5*e.Calls {
			continue // of the same items: repeated-reads
		}
		led, told := led(in.completes(e))
		if told && led >= mostLed {
			continue // each needs what the one before brought
		}
		f := in.batched(e, capacity.BatchGetItems, "gets", "Get the items of a row")
		f.Cause = cause(ofReads, e.Table, "", e.Operation, e.Pattern)
		f.Remedy.Text += " Each key may be named once; the client takes care of that, of what the service leaves, and of the order. A batch is no " +
			"snapshot: use a transaction where the items must be of one moment."
		f.Remedy.Snippets = []Snippet{{"go", "found, err := Items.GetAll(keys).Run(ctx, db) // found[i] is that of keys[i]; found[i].OK says that it is there"}}
		switch {
		case told && led < 0.1:
			f.Confidence, f.Because = max(f.Confidence, 0.9), "Of the keys asked for hardly any stood in the answer before."
		case told:
			f.Confidence = 0.5
			f.Because = fmt.Sprintf("%s of the keys asked for stood in the answer before: these cannot be asked for at once.", percent(led))
			f.Remedy.Text += " Where items lead from one to the next, hold the way in the first: its parents in an attribute, or all of them in one collection."
		}
		found = append(found, f)
	}
	return found
}

// mostLed is the share of gets whose key stood in the answer before from which on a row of them follows references.
const mostLed = 0.5

// led is the share of an operation's gets, of those of which it is known, whose key stood in the answer of the get before.
func led(o *stats.Operation) (share float64, told bool) {
	const few = 12
	if o == nil || o.Preceded < few {
		return 0, false
	}
	return o.Led / o.Preceded, true
}

// repeats is how many gets of an episode's access pattern were of items that the same caller had got before.
func (in *Input) repeats(e *stats.Episode) (calls float64) {
	for _, o := range in.Stats.Episodes {
		if o.Kind == stats.ReadAgain && o.Table == e.Table && o.Operation == e.Operation && o.Pattern == e.Pattern {
			calls += o.Count
		}
	}
	return calls
}
