package rules

var scanReadsMuch = &Rule{
	ID:       "scan-reads-much",
	Title:    "A scan that reads much and returns little",
	Category: Cost,
	Looks:    "At scans with a filter: items read against items returned, the units of both, and what the filter compares with =.",
	Fires: "When five scans or more returned less than a quarter (Thresholds.ReturnedShare) of what they read, a hundred items at least (Thresholds.FewCalls), and an index that answers them costs less, " +
		"its own writes and storage included, or the table's key or an index that is there answers them. Without an equality in the filter it advises on keys, and claims no saving. Of SELECT statements, which do not say how many items they read, that is reckoned from " +
		"their units; where the table's keys are not known, it fires when the units of each are 16 or more, and what is returned is less than a quarter of what they pay for.",
	Rests:   "When everything is wanted, as by an export. When scans are so few, or the table so small, that the index's writes cost more than they do. When what is left out is past its time to live.",
	Sources: []string{page("bp-query-scan"), page("Query.FilterExpression"), page("GSI"), page("Scan")},
	Find: func(in *Input) (found []Finding) {
		found = in.statementsReadMuch()
		for _, o := range in.Stats.Operations {
			if o.Operation != "Scan" {
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
