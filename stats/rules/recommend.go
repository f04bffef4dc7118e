package rules

import (
	"cmp"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
)

// Recommend runs every rule and is what they found: one finding for each cause, the most pressing first.
func Recommend(in Input) []Finding { return run(in, All()) }

func run(in Input, rules []*Rule) []Finding {
	in.settle()
	var found []Finding
	for _, r := range rules {
		for _, f := range r.Find(&in) {
			f.Rule, f.Category = r.ID, cmp.Or(f.Category, r.Category)
			found = append(found, f)
		}
	}
	found = unify(found)
	slices.SortStableFunc(found, byPriority)
	return found
}

func (in *Input) settle() {
	if in.Prices == nil {
		in.Prices = capacity.DefaultPrices()
	}
	if in.Thresholds == (stats.Thresholds{}) {
		in.Thresholds = in.Stats.Thresholds
	}
}

// unify makes one finding of those with one cause: the most severe, or the one that saves most; the others' rules are named
// with it.
func unify(found []Finding) []Finding {
	var out []Finding
	at := map[string]int{}
	for _, f := range found {
		i, known := at[f.Cause]
		if !known || f.Cause == "" {
			at[f.Cause] = len(out)
			out = append(out, f)
			continue
		}
		if strength(&f, &out[i]) < 0 {
			f, out[i] = out[i], f
		}
		if o := &out[i]; f.Rule != o.Rule && !slices.Contains(o.Also, f.Rule) {
			o.Also = append(o.Also, f.Rule)
		}
	}
	return out
}

func strength(a, b *Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Saving.Monthly(), a.Saving.Monthly()), cmp.Compare(b.Confidence, a.Confidence))
}

// byPriority is severity, saving, frequency, ease; and where all that is the same a fixed order.
func byPriority(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(b.Saving.Monthly(), a.Saving.Monthly()),
		cmp.Compare(b.Calls, a.Calls),
		cmp.Compare(b.Remedy.Ease, a.Remedy.Ease),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Cause, b.Cause))
}
