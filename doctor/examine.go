package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// Case is what a doctor is given: as much of it as there is. Rules that need what is missing rest.
type Case struct {
	Stats  *stats.Snapshot // nil: none; Empty(…) to put items into
	Tables []*rules.Table  // beside those of Program
	// Program is the model that the program is to serve; nil: none.
	Program *plan.Program
	// Differences are those of live tables from the model, by table.
	Differences map[string][]tablewright.Difference
	Prices      *capacity.Prices // nil: the embedded ones
	Thresholds  stats.Thresholds // zero: those of Stats
	Ranges      Ranges           // zero: DefaultRanges
}

// Diagnosis is what a doctor finds.
type Diagnosis struct {
	Findings []rules.Finding // the most pressing first
	Promises *Comparison     // nil without a model, or without statistics
}

// Examine runs all rules on a case.
func Examine(c *Case) *Diagnosis {
	s := c.Stats
	if s == nil {
		s = Empty(c.Thresholds)
	}
	in := rules.Input{Stats: s, Tables: c.Tables, Prices: c.Prices, Thresholds: c.Thresholds}
	out := &Diagnosis{}
	var found []rules.Finding
	if c.Program != nil {
		for _, t := range c.Program.Tables {
			if !slices.ContainsFunc(in.Tables, func(o *rules.Table) bool { return o.Declared.Name == t.Name }) {
				in.Tables = append(slices.Clip(in.Tables), &rules.Table{Declared: *t.Document})
			}
		}
		found = append(found, Limits(c.Program, c.Prices)...)
		if len(s.Operations) > 0 {
			out.Promises = Compare(c.Program, s, &Options{Prices: c.Prices, Ranges: c.Ranges})
			found = append(found, out.Promises.Findings()...)
		}
	}
	found = append(found, differences(c.Differences)...)
	found = append(found, rules.Recommend(in)...)
	slices.SortStableFunc(found, byPriority)
	out.Findings = found
	return out
}

// byPriority is severity, saving, frequency and ease, as package rules has it, and then a fixed order.
func byPriority(a, b rules.Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Saving.Monthly(), a.Saving.Monthly()), cmp.Compare(b.Calls, a.Calls),
		cmp.Compare(b.Remedy.Ease, a.Remedy.Ease), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Cause, b.Cause))
}

// Limits are the findings of a model alone, at the rates and sizes that its requirements state.
func Limits(p *plan.Program, prices *capacity.Prices) (out []rules.Finding) {
	add := func(x cost.Finding, advice rules.Severity) {
		severity := advice
		if x.Over {
			severity = rules.Critical
		}
		f := finding(modelLimit, severity, x.Code+"/"+x.Of, "%s", x.Message)
		if p.Procedure(x.Of) != nil {
			f.Patterns = []string{x.Of}
		} else {
			f.Table, f.Index, _ = strings.Cut(x.Of, ".")
		}
		f.Remedy = rules.Remedy{Text: limitRemedies[x.Code], Ease: rules.Migration, Snippets: []rules.Snippet{{Kind: "shell", Text: "tablewright cost requirements.yaml model.yaml\ntablewright design requirements.yaml > other.yaml"}}}
		switch x.Code {
		case "table-quota", "index-quota", "provisioned":
			f.Remedy.Ease, f.Remedy.Snippets = rules.Setting, nil
		}
		f.Confidence, f.Because = 0.8, "the figures are those that the requirements state, not measured ones"
		out = append(out, *f)
	}
	for _, x := range cost.Price(p, prices).Findings() {
		add(x, rules.Warning)
	}
	for _, x := range cost.Scans(p) {
		add(x, rules.Advice)
	}
	return out
}

// limitRemedies say what to do, by the code of package cost.
var limitRemedies = map[string]string{
	"hot-key":      "Spread the key: a further attribute in it, or shards (keys `shard: {of: 8, by: random}` of an item), with reads that gather them; or have a cache answer most reads. Design does so if it is given the rates.",
	"contention":   "Let fewer transactions meet on one item: keep counters apart from what is transacted, in shards, or replace a transaction by a single conditional write.",
	"item-size":    "Split the item: children as items of their own, large attributes in an item that is read less often, or in S3 with a reference here.",
	"table-quota":  "Ask for a higher quota of the account before the traffic comes (Service Quotas).",
	"index-quota":  "Ask for a higher quota, or serve several patterns by one index.",
	"provisioned":  "Provision what the stated rates need, with auto scaling, or use on demand.",
	"skew":         "State a larger max, or a smaller share of the hottest, whichever is wrong.",
	"assumed":      "State how much is in the range: the share of the values of an enum, or the tests of the range as an access pattern of their own with its results.",
	"worst-case":   "Put what the filter tests into the key, or let an index hold only what passes it.",
	"client-pages": "Give the asked order a key: state what keeps an index from holding it, or ask for a smaller set at a time.",
	"scan":         "Give what is asked a key or an index of its own, or say `whole: true` if everything is wanted.",
}

// differences are one finding for each table that is not as the model says.
func differences(of map[string][]tablewright.Difference) (out []rules.Finding) {
	for table, list := range of {
		if len(list) == 0 {
			continue
		}
		f := finding(tableDiffers, rules.Warning, table, "%s is not as the model says: %s", table, show.Count(len(list), "difference", ""))
		f.Table = table
		var lines []string
		for _, d := range list {
			lines = append(lines, d.String())
		}
		f.Evidence = []rules.Evidence{{What: "differences: " + strings.Join(lines, "; "), Value: float64(len(list))}}
		f.Remedy = rules.Remedy{Text: "Bring the table to what the model says, or the model to what the table is: plans are proven and priced for the one in the model.", Ease: rules.Setting,
			Snippets: []rules.Snippet{{Kind: "shell", Text: fmt.Sprintf("tablewright describe %s --model model.yaml …", table)}}}
		f.Confidence = 1
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b rules.Finding) int { return cmp.Compare(a.Table, b.Table) })
	return out
}
