package doctor

import (
	"slices"

	"github.com/tablewright/tablewright/stats/rules"
)

// The rules of this package: what a Comparison and a priced model tell. Rule.Find of them is nil, because they look at a model,
// which an Input of package rules does not have.
var (
	promiseRate = &rules.Rule{
		ID: "promise-rate", Title: "Called more or less often than promised", Category: rules.Capacity,
		Looks: "At how often each access pattern of a model is called, on average and in its busiest minute, and at the rates that the model was designed and priced for.",
		Fires: "When the average of a day or more, or the busiest minute, lies outside of Ranges.Rate (half to one and a quarter of the promise) by more than four standard deviations of calls that come at random.",
		Rests: "While less than a day was watched nothing is said of averages, nor that the busiest minute is a quiet one: traffic has the rhythm of a day. Repetitions are no calls, and requests for further pages are only where pages are what the pattern's rate counts.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-modeling-nosql.html",
		},
	}
	promiseUnits = &rules.Rule{
		ID: "promise-units", Title: "Calls consume other units than promised", Category: rules.Cost,
		Looks: "At the read and write units that one call of each access pattern consumes, together and of each table and index, and at those it was priced with.",
		Fires: "When a call consumes less than Ranges.Units.Below or more than Ranges.Units.Above of its promise (0.6 and 1.2), by a tenth of a unit at least.",
		Rests: "Below Ranges.FewCalls calls. Where the service does not tell units they are computed, as the least that they can have been: then it is never said that a call consumes too little. Where all items of the kind that it reads or puts have another size, promise-item-size speaks for it.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html",
		},
	}
	promiseItems = &rules.Rule{
		ID: "promise-items", Title: "Answers have other sizes than promised", Category: rules.Performance,
		Looks: "At how many items one call of each access pattern reads or writes, and how many bytes they have, and at what the model was designed for.",
		Fires: "When either lies outside of Ranges.Items or Ranges.Bytes (half to one and a half of the promise).",
		Rests: "Below Ranges.FewCalls calls; where the plan leaves out some of what it reads, so that what it was designed for cannot be told; and where bytes were not seen, as with updates. Where answers have other units with their size, or all items of their kind another one, promise-units or promise-item-size speaks for it.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html",
		},
	}
	promiseItemSize = &rules.Rule{
		ID: "promise-item-size", Title: "Items have other sizes than promised", Category: rules.Cost,
		Looks: "At the average and the largest size of each kind of item, of reads and writes that concern that kind alone, and at the sizes that the model was priced with.",
		Fires: "When the average lies outside of Ranges.ItemBytes (half to one and a half of the promise), or the largest item is larger than that.",
		Rests: "Below Ranges.FewCalls items. Queries that read several kinds at once tell nothing of any of them.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html",
		},
	}
	promiseSkew = &rules.Rule{
		ID: "promise-skew", Title: "One key is hotter than promised", Category: rules.Capacity,
		Looks: "At the busiest minute of the hottest partition key of each table and index, in shares of what one partition can do, and at what the stated skews make of it at peak.",
		Fires: "When it is above Ranges.Hottest.Above of the promise (one and a half times) and above Ranges.Hot (a tenth) of what one partition can do.",
		Rests: "For loads that no partition notices. That the load is too high is rule hot-partition's to say: this one says that the model does not know of it.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
		},
	}
	patternUnknown = &rules.Rule{
		ID: "pattern-unknown", Title: "Calls that are in no model", Category: rules.Practice,
		Looks: "At operations under the name of an access pattern that the model does not have, on whatever table, and at those on the model's tables under none.",
		Fires: "For each such pattern, and for unnamed calls of each table together: the model was neither designed, proven nor priced for them.",
		Rests: "For operations that read and write no items, and for calls without a name on tables that the model does not have. A pattern that only touches such tables may belong to another model: it is advice, and says so.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html",
		},
	}
	patternIdle = &rules.Rule{
		ID: "pattern-idle", Title: "A pattern of the model never runs", Category: rules.Cost,
		Looks: "At access patterns of the model of which no call was seen.",
		Fires: "When at least Ranges.Expected calls (10) were to be expected of it in the time that was watched. Indexes and copies that only it needs are paid for nothing.",
		Rests: "For patterns that are so rare that none of their calls may have fallen into the time that was watched, and where calls without a name may be its own: pattern-unknown says so.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-cost-optimization.html",
		},
	}
	modelLimit = &rules.Rule{
		ID: "model-limit", Title: "The model comes near a limit", Category: rules.Capacity,
		Looks: "At a model alone, at the rates and sizes that its requirements state for peak.",
		Fires: "When a key takes more than half of what one partition can do, transactions meet each other often, items can come near 400 KB, a table is provisioned for less than it needs, or a quota has to be raised; and when a plan scans.",
		Rests: "For whatever stays below half of a limit at peak.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html",
			"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
		},
	}
	tableDiffers = &rules.Rule{
		ID: "table-differs", Title: "A table is not as the model says", Category: rules.Reliability,
		Looks: "At the keys, indexes, projections, time to live, stream, class and capacity of a table at the service, and at what the model says of it.",
		Fires: "For each table with a difference, all of them together.",
		Rests: "For tables that the model does not have, and for what lies in them.",
		Sources: []string{
			"https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html",
		},
	}
)

// own are the rules of this package, in the order of their pages.
var own = []*rules.Rule{promiseRate, promiseUnits, promiseItems, promiseItemSize, promiseSkew, patternUnknown, patternIdle, modelLimit, tableDiffers}

// Rules lists all rules whose findings a doctor has: those of package rules, then those of this one.
func Rules() []*rules.Rule { return slices.Concat(rules.All(), own) }

// Rule finds a rule by its ID; nil if there is none.
func Rule(id string) *rules.Rule {
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	return nil
}
