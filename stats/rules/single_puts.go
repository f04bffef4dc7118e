package rules

import (
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

var singlePuts = &Rule{
	ID:       "single-puts",
	Title:    "Items written one by one that one caller could write at once",
	Category: Performance,
	Looks: "At puts and deletes of one table, without condition and without an answer, that one caller sends with nothing between them: how many in a row, how " +
		"often, and how long the row takes.",
	Fires: "When such a row is four writes long on average, they follow each other without a pause, and at least Thresholds.FewCalls of them were made. It " +
		"claims round trips and no units: a batch of writes costs what the writes cost.",
	Rests: "On what is written once when the program begins; on two or three writes in a row; on writes with a condition or an answer, and on updates, none of which a batch can do, but for INSERT of PartiQL, which asks for a condition in a batch, too; on writes that come now " +
		"and then under one context, as those of a consumer of a queue; on transactions.",
	Sources: []string{
		"https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html",
		page("CapacityUnitCalculations"),
	},
	Find: findSinglePuts,
}

func findSinglePuts(in *Input) (found []Finding) {
	for _, e := range in.runs(stats.SinglePuts) {
		f := in.batched(e, capacity.BatchWriteItems, "writes", "Write the items of a row")
		f.Cause = cause(ofWrites, e.Table, e.Operation, e.Pattern, "rows")
		f.Because = "That one write is done before the next may matter, or that nothing follows one that failed."
		f.Remedy.Text += " A batch is not one write: a part of it may fail, which the client repeats and then reports item by item. Use a transaction, at twice the " +
			"units, where all or none must be written."
		if e.As != "" {
			f.Remedy.Text += " Of INSERT, BatchExecuteStatement still asks that there is no such item; a batch of puts replaces it."
		}
		f.Remedy.Snippets = []Snippet{{"go", "err := Items.PutAll(slices.Values(items)).Run(ctx, db) // a *tablewright.BatchError tells what is not done"}}
		found = append(found, f)
	}
	return found
}
