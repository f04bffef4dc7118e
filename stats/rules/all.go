package rules

// rules are all rules, in the order of their pages.
var rules = []*Rule{
	unusedIndex,
}

// All lists the rules.
func All() []*Rule { return append([]*Rule(nil), rules...) }
