package rules

import (
	"cmp"
	"slices"

	"github.com/tablewright/tablewright/capacity"
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
	in.Stats = in.Stats.WithoutStatements()
	for _, form := range in.Stats.Tables {
		if in.table(form.Name) == nil {
			in.Tables = append(slices.Clip(in.Tables), &Table{Declared: form.Plan(), TTLUnknown: form.TTLUnknown})
		}
	}
	in.reckonScanned()
	if in.Prices == nil {
		in.Prices = capacity.DefaultPrices()
	}
	in.Thresholds = in.Thresholds.Or(in.Stats.Thresholds)
	if in.Stats.Rate > 0 { // ten calls that stand for a hundred are few
		in.Thresholds.FewCalls /= in.Stats.Rate
	}
}

// unify makes one finding of those with one cause: the most severe, or the one that saves most. The others' rules are named with
// it, and what they saw is added to what it saw. A finding whose remedy does away with what others are about has their cause, too.
func unify(found []Finding) []Finding {
	var out []Finding
	at := map[string]int{}
	for _, f := range found {
		causes := []string{f.Cause}
		if f.replaces != "" {
			causes = append(causes, f.replaces)
		}
		i := -1
		for _, cause := range causes {
			if known, ok := at[cause]; ok && cause != "" && i < 0 {
				i = known
			}
		}
		if i < 0 {
			i = len(out)
			out = append(out, f)
		} else {
			if strength(&f, &out[i]) < 0 {
				f, out[i] = out[i], f
			}
			out[i].join(&f)
		}
		for _, cause := range causes {
			at[cause] = i
		}
	}
	return out
}

// join adds what a weaker finding of the same cause says.
func (f *Finding) join(o *Finding) {
	for _, id := range append([]string{o.Rule}, o.Also...) {
		if id != f.Rule && !slices.Contains(f.Also, id) {
			f.Also = append(f.Also, id)
		}
	}
	f.Evidence = slices.Clip(f.Evidence)
	for _, e := range o.Evidence {
		if !slices.ContainsFunc(f.Evidence, func(x Evidence) bool { return x.What == e.What }) {
			f.Evidence = append(f.Evidence, e)
		}
	}
	f.Operations = slices.Clip(f.Operations)
	for _, ref := range o.Operations {
		if !slices.Contains(f.Operations, ref) {
			f.Operations = append(f.Operations, ref)
		}
	}
	f.Patterns = slices.Compact(slices.Sorted(slices.Values(slices.Concat(f.Patterns, o.Patterns))))
	f.Calls = max(f.Calls, o.Calls)
	f.Key = cmp.Or(f.Key, o.Key)
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
