package rules

// Check says what a finding lacks that every one has to have; "" if it is whole.
func (f *Finding) Check() string {
	switch {
	case f.Rule == "" || f.Severity == 0 || f.Category == "" || f.Cause == "":
		return "no rule, severity, category or cause"
	case f.Title == "":
		return "no title"
	case len(f.Evidence) == 0:
		return "no evidence"
	case f.Remedy.Text == "" || f.Remedy.Ease == 0:
		return "no remedy, or none that says how much work it is"
	case f.Confidence <= 0 || f.Confidence > 1 || f.Confidence < 1 && f.Because == "":
		return "no confidence, or no reason why there is not more"
	}
	return ""
}

// Run runs some rules, as Recommend runs all.
func Run(in Input, some ...*Rule) []Finding { return run(in, some) }

// Instead has all rules be others, until the answer is called.
func Instead(others ...*Rule) (restore func()) {
	before := rules
	rules = others
	return func() { rules = before }
}
