package rules

// Rule looks at what is known of a running program and tells what to change. Each stands in a file of its own, which adds it to
// the list in all.go.
type Rule struct {
	ID       string // as in its file's name and page: hot-partition
	Title    string // what it is about, in a few words
	Category Category

	// Looks, Fires and Rests are for its page, in sentences: what it looks at, when it fires, and what looks like it and is not.
	Looks string
	Fires string
	Rests string
	// Sources are the pages that its figures and advice are from, whole addresses.
	Sources []string

	// Find is every finding of the rule. It changes nothing of what it is given, keeps no state, and asks nothing of anybody.
	Find func(in *Input) []Finding
}

// Severity is how soon a finding wants attention.
type Severity int

// The severities, from the least. A program in production loses requests or data by what is Critical, money or headroom by a
// Warning; Advice is what would be better.
const (
	Advice Severity = iota + 1
	Warning
	Critical
)

// String is "advice", "warning" or "critical".
func (s Severity) String() string {
	if s > 0 && int(s) < len(severityNames) {
		return severityNames[s]
	}
	return "?"
}

// Category is what a rule is good for.
type Category string

// The categories.
const (
	Performance Category = "performance"
	Cost        Category = "cost"
	Reliability Category = "reliability"
	Capacity    Category = "capacity"
	Practice    Category = "practice"
)
