package rules

import "slices"

// rules are all rules, in the order of their pages.
var rules = []*Rule{
	hotPartition,
	hotIndexPartition,
	largeItems,
	largeAttributes,
	growingItems,
	failingConditions,
	transactionConflicts,
	missingToken,
	throttleBurst,
	retryBudget,
	ttlMissing,
	ttlIgnored,
	errorsUnhandled,
	conditionsUnhandled,
	unitsUnobserved,
	unusedIndex,
	capacityMode,
	utilization,
	singleGets,
	singlePuts,
	readBeforeWrite,
	lostUpdate,
	unpaged,
	indexReadOwn,
	repeatedReads,
	datedPartitionKeys,
	reservedNames,
	concatenatedKeys,
	keyFormats,
	consistentReads,
	tableClass,
	scanReadsMuch,
	filterDropsMuch,
	wideIndex,
	sparseIndex,
	indexKeyChurn,
	overFetching,
	expensivePattern,
	attributeNames,
}

// All lists the rules.
func All() []*Rule { return slices.Clone(rules) }

// ByID is the rule with an identifier; nil if there is none.
func ByID(id string) *Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}
