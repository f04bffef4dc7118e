package rules

var filterDropsMuch = &Rule{
	ID:       "filter-drops-much",
	Title:    "A query whose filter drops most of what it read",
	Category: Cost,
	Looks:    "At queries with a filter: items read against items returned, the units of both, what the filter compares with =, and who else reads the same index.",
	Fires: "When five queries or more returned less than a quarter (Thresholds.ReturnedShare) of what they read, a hundred items at least (Thresholds.FewCalls), and having the filtered attribute in a key " +
		"costs less, the index's own writes and storage included. Where a single attribute is filtered by something else than =, a hundred times at least, it advises on a sort key, and claims no saving.",
	Rests: "When the index would cost as much as the filter, as it does where little is read and much is written. When the filter is on several attributes and has no equality that a key could state. " +
		"When what is left out is past its time to live, which has to be filtered.",
	Sources: []string{page("Query.FilterExpression"), page("GSI"), page("GSI.DesignPattern.MultiAttributeKeys"), page("CapacityUnitCalculations")},
	Find: func(in *Input) (found []Finding) {
		for _, o := range in.Stats.Operations {
			if o.Operation != "Query" {
				continue
			}
			if f, ok := in.filter(o); ok {
				if one, ok := in.readsMuch(f); ok {
					found = append(found, one)
				}
			}
		}
		return found
	},
}
