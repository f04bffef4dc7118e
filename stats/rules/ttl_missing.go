package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/stats"
)

var ttlMissing = &Rule{
	ID:       "ttl-missing",
	Title:    "Items that end, in a table without a time to live",
	Category: Cost,
	Looks:    "At tables without a time to live whose sampled items have an attribute that by its name and value is their end; at deletes that the program makes by itself.",
	Fires: "When ten sampled items or more, nine of ten of those that have the attribute, hold a moment in it, as a number or as a text such as 2026-11-22T12:00:00Z. When fifteen sampled items or more were made longer than Thresholds.Unused ago (7 days) and read within a day, later than the minute in which they were made, and of all that old " +
		"hardly any was read or written later, in a table from which the program deletes nothing.",
	Rests:   "When the table has a time to live; when nothing is known of the table's settings; when the attribute is a date of something else, such as of an order, or lies more than 400 days ahead.",
	Sources: []string{page("TTL"), page("time-to-live-ttl-before-you-start")},
	Find:    findTTLMissing,
}

// longestEnd is how far ahead an end is that is one of data: what ends later is a contract, a licence or the like, and is kept.
const longestEnd = 400 * day

// fewEnds is how many sampled items say that an attribute is their end.
const fewEnds = 10

func findTTLMissing(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		name := t.Declared.Name
		if t.TTLUnknown || t.Declared.TTL != "" || t.Live != nil && t.Live.Table.TTL != "" {
			continue
		}
		if x := in.end(name); x != nil {
			found = append(found, in.ttlMissing(t, x))
		} else if f := in.neverReadAgain(t); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// end is the attribute that by its name and values is the end of a table's items; nil if there is none.
func (in *Input) end(table string) *expiry {
	for _, x := range in.expiries(table, "") {
		if n := x.moments(); n >= fewEnds && n >= 9*x.with/10 && x.ahead <= longestEnd.Seconds() {
			return x
		}
	}
	return nil
}

func (in *Input) ttlMissing(t *Table, x *expiry) Finding {
	name := t.Declared.Name
	sampled := len(in.sample(name))
	f := Finding{
		Severity: Advice, Table: name, Cause: cause(ofTable, name, "ttl"),
		Title: fmt.Sprintf("%s: items carry their end in %s, and the table has no time to live that deletes them", name, x.name),
		Evidence: []Evidence{
			share("sampled items with a moment in "+x.name, float64(x.moments())/float64(max(sampled, 1)), 0, page("TTL")),
			{What: "of these, over when they were last seen", Value: float64(x.over), Unit: "items"},
		},
		Confidence: 0.85, Because: "That the attribute is an end is told by its name and values.",
	}
	if x.over >= fewEnds {
		f.Severity = Warning
		f.Evidence = append(f.Evidence, Evidence{What: "hours by which they were, on average", Value: x.late / 3600, Unit: "hours"})
	}
	var deletes, deleted float64
	operations := in.everything(name, func(o *stats.Operation) bool { return o.Operation == "DeleteItem" })
	for _, o := range operations {
		deletes += o.Outcomes[stats.Done]
		deleted += o.Write
	}
	f.Remedy = Remedy{
		Text: fmt.Sprintf("Make %s the table's time to live: the service deletes what is over within some days, without write units, and storage ends with it. What is over and still there is hidden by this "+
			"library's reads; other readers need a filter or condition until then.", x.name),
		Snippets: []Snippet{
			{"go", fmt.Sprintf("plan.Table{Name: %q, …, TTL: %q}", name, x.name)},
			{"aws", fmt.Sprintf("aws dynamodb update-time-to-live --table-name %s --time-to-live-specification Enabled=true,AttributeName=%s", name, x.name)},
		},
		Ease: Setting,
	}
	switch {
	case x.millis > x.seconds+x.dates:
		f.Remedy.Ease = Code
		f.Remedy.Text += " It holds milliseconds, which the service takes for a date in 50,000 years: write seconds, the option epoch-s of the field."
	case x.dates > x.seconds:
		f.Remedy.Ease = Code
		f.Remedy.Text += " It holds a text, which the service passes over: write a number of seconds, the option epoch-s of the field, and what is there anew (package migrate)."
	}
	if deletes > 0 {
		f.Evidence = append(f.Evidence, Evidence{What: "deletes by the program", Value: in.perSecond(deletes), Unit: "calls/s"},
			Evidence{What: "a month of them", Value: in.writes(name, in.perSecond(deleted)).Dollars(), Unit: "$"})
		f.Remedy.Text += " Deletes that the program makes of what is over can go."
	}
	if count, size, known := t.stored(""); known {
		f.Evidence = append(f.Evidence, Evidence{What: "a month of what is stored", Value: in.storage(name, count, size).Dollars(), Unit: "$"})
	}
	in.affect(&f, in.everything(name, func(o *stats.Operation) bool { return writes(o) })...)
	return f
}
