package rules

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

var throttleBurst = &Rule{
	ID:       "throttle-burst",
	Title:    "Calls that are throttled",
	Category: Capacity,
	Looks: "At the reasons that the service gives for throttled calls, which say what was at its limit: what is provisioned, a bound of the table's owner, the " +
		"account's quota, or a range of keys; and at the minute in which most were throttled.",
	Fires: "When Thresholds.ThrottledShare (1 %) of the calls of the operations that met a limit were throttled, or a tenth of those of one minute, " +
		"Thresholds.FewCalls at least.",
	Rests: "When a call is throttled now and then, which a repetition hides; when one partition key is what is at its limit, which hot-partition and " +
		"hot-index-partition tell.",
	Sources: []string{page("throttling-diagnosing"), page("provisioned-capacity-mode"), page("on-demand-capacity-mode"), page("warm-throughput")},
	Find:    findThrottleBurst,
}

// burstShare is the share of a minute's calls that were throttled from which it is a burst.
const burstShare = 0.10

// fewRefused is how many calls have to be throttled for a share of them to say anything.
const fewRefused = 10

func findThrottleBurst(in *Input) (found []Finding) {
	for _, x := range in.throttling() {
		why := x.cause(in)
		if x.calls < in.Thresholds.FewCalls || strings.HasPrefix(why, ofKey) {
			continue
		}
		all := x.refused / x.calls
		inMinute, ofMinute := in.burst(x)
		isBurst := inMinute >= in.Thresholds.FewCalls && inMinute >= burstShare*ofMinute
		if (all < in.Thresholds.ThrottledShare || x.refused < fewRefused) && !isBurst {
			continue
		}
		f := Finding{Severity: Warning, Table: x.table, Index: x.index, Cause: why, Confidence: 0.9, Because: "How long callers can wait is not seen: repetitions may have hidden all of it."}
		if all >= burstShare {
			f.Severity = Critical
		}
		f.Evidence = []Evidence{
			share("calls that were throttled", all, in.Thresholds.ThrottledShare, "Thresholds.ThrottledShare"),
			{What: "throttled calls, " + strings.Join(x.reasons, ", "), Value: x.refused, Unit: "calls", Source: page("throttling-diagnosing")},
		}
		if inMinute > 0 && ofMinute > 0 {
			f.Evidence = append(f.Evidence, share("of the calls of the worst minute, at least", min(inMinute/ofMinute, 1), burstShare, ""))
		}
		f.Title = fmt.Sprintf("%s: %s of the calls that met its limit were throttled, %s in all", place(x.table, x.index), percent(min(all, 1)), number(x.refused))
		in.relieve(&f, x)
		in.affect(&f, x.operations...)
		found = append(found, f)
	}
	return found
}

// relieve writes the remedy.
func (in *Input) relieve(f *Finding, x *throttles) {
	what, of := "read", "table"
	if x.writes {
		what = "write"
	}
	if x.index != "" {
		of = "index"
	}
	peak, have := 0.0, 0.0
	if c := in.consumed(x.table, x.index); c != nil {
		peak = c.Traffic.Peak().Read
		if x.writes {
			peak = c.Traffic.Peak().Write
		}
	}
	t := in.table(x.table)
	if t != nil {
		have = t.Declared.Billing.Read
		if x.writes {
			have = t.Declared.Billing.Write
		}
	}
	f.Evidence = append(f.Evidence, Evidence{What: what + " units consumed in the busiest minute", Value: peak, Unit: what + " units/s", Limit: have})
	need := math.Ceil(max(peak, have) * (1 + x.refused/max(x.calls, 1)) / 0.7)
	r := &f.Remedy
	r.Ease = Setting
	kind := x.kind
	if kind == unknownLimit || kind == rangeLimit {
		kind = rangeLimit
		if t.provisioned() {
			kind = provisionedLimit
		}
	}
	switch kind {
	case provisionedLimit:
		r.Text = fmt.Sprintf("What is provisioned for the %s is used up: %s units a second were consumed in the busiest minute, and more was asked for. Provision about %s for such minutes, or let auto scaling do so where load "+
			"rises over minutes; what comes within seconds is best served on demand, which has nothing to set.", of, number(peak)+" "+what, number(need))
		if x.index != "" && x.writes {
			r.Text += " An index with too little throttles the writes of its table."
		}
		r.Snippets = []Snippet{
			{"aws", fmt.Sprintf("aws dynamodb update-table --table-name %s --billing-mode PAY_PER_REQUEST", x.table)},
			{"go", "Billing: plan.Billing{}, // on demand; or {Read: …, Write: …} with enough for the busiest minutes"},
		}
	case maximumLimit:
		r.Text = fmt.Sprintf("The owner of the table bounds what it may take on demand, and the bound was met. It protects from a bill, not from load: raise it to %s %s units a second, or take it away.",
			number(need), what)
		r.Snippets = []Snippet{{"aws", fmt.Sprintf("aws dynamodb update-table --table-name %s --on-demand-throughput Max%sRequestUnits=%.0f", x.table, map[bool]string{true: "Write", false: "Read"}[x.writes], need)}}
	case accountLimit:
		r.Text = "The account's quota for the Region is used up. Quotas can be raised: ask for it in Service Quotas, and bound what jobs take (bulk, Options.Retry.Adaptive) until then."
		r.Snippets = []Snippet{{"aws", "aws service-quotas list-service-quotas --service-code dynamodb"}}
	default:
		r.Text = fmt.Sprintf("Many keys were throttled, none of them hot: the table was not ready for so much at once. On demand it takes twice its previous peak at any time, and more only "+
			"after some minutes. Where such a rise is known before, make the %s ready for it with warm throughput, which is charged once and never becomes less; jobs are better slowed down: "+
			"bulk with a Rate, or a DB with Retry.Adaptive.", of)
		r.Snippets = []Snippet{
			{"go", fmt.Sprintf("Warm: plan.Billing{Read: %s, Write: %s},", warm(!x.writes, need, 12_000), warm(x.writes, need, 4_000))},
			{"go", "db, err := tablewright.Connect(ctx, tablewright.Options{Retry: tablewright.Retry{Adaptive: true}})"},
		}
	}
}

// warm is what a table is to be ready for: what it needs, or what a new one is.
func warm(this bool, need, least float64) string {
	if !this {
		need = least
	}
	return fmt.Sprintf("%.0f", cmp.Or(max(need, least), least))
}
