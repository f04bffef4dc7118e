package rules

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/stats"
)

var ttlIgnored = &Rule{
	ID:       "ttl-ignored",
	Title:    "A time to live that does not do what it is for",
	Category: Reliability,
	Looks:    "At the attribute of a table's time to live in its sampled items: whether it is what the service understands, and whether it was over when they were last read.",
	Fires: "When half of ten sampled items or more hold something else than a number of seconds in it, which the service passes over in silence; when no sampled item has it, nor any write, and their end is " +
		"in another attribute, as ttl-missing tells one; or when a tenth of those that have it, five of ten at least, were still read more than an hour after their end.",
	Rests:   "When single items are read shortly after their end, since the service takes up to some days to delete them; when items without the attribute are to stay for ever.",
	Sources: []string{page("TTL"), page("ttl-expired-items"), page("time-to-live-ttl-before-you-start")},
	Find:    findTTLIgnored,
}

// overRead is the share of items that were seen after their end from which on it is no exception, and fewLate how many they are at least.
const (
	overRead = 0.10
	fewLate  = 5
)

func findTTLIgnored(in *Input) (found []Finding) {
	for _, t := range in.Tables {
		name, attribute := t.Declared.Name, t.Declared.TTL
		if attribute == "" && t.Live != nil {
			attribute = t.Live.Table.TTL
		}
		if attribute == "" {
			continue
		}
		if f := in.ttlElsewhere(name, attribute); f != nil {
			found = append(found, *f)
		}
		for _, x := range in.expiries(name, attribute) {
			f := Finding{Table: name, Cause: cause(ofTable, name, "ttl"), Severity: Warning, Confidence: 0.9, Because: "Sampled items stand for all."}
			other := x.with - x.seconds
			switch {
			case x.with >= fewEnds && 2*other >= x.with:
				what := "no moment"
				switch {
				case 2*x.millis >= other:
					what = "milliseconds, which are a date in 50,000 years"
				case 2*x.texts >= other:
					what = "a text"
				}
				f.Title = fmt.Sprintf("%s: the time to live %s holds %s, so that nothing is ever deleted", name, attribute, what)
				f.Evidence = []Evidence{share("sampled items whose "+attribute+" is no number of seconds", float64(other)/float64(x.with), 0.5, page("time-to-live-ttl-before-you-start"))}
				f.Remedy = Remedy{
					Text: "The service understands a number of seconds since 1970 and nothing else, and says nothing of what it does not understand. Write the field as such, and items that are there anew " +
						"(package migrate), or they stay for ever.",
					Snippets: []Snippet{{"go", fmt.Sprintf("Expires time.Time `ddb:\"%s,epoch-s\"`", attribute)}},
					Ease:     Code,
				}
				in.affect(&f, in.everything(name, writes)...)
			case x.with >= fewEnds && x.over >= fewLate && float64(x.over) >= overRead*float64(x.with):
				f.Title = fmt.Sprintf("%s: %s of the sampled items were over when they were last read", name, percent(float64(x.over)/float64(x.with)))
				f.Evidence = []Evidence{
					share("sampled items that were over when they were last seen", float64(x.over)/float64(x.with), overRead, page("ttl-expired-items")),
					{What: "hours by which they were, on average", Value: x.late / 3600, Unit: "hours"},
				}
				f.Remedy = Remedy{
					Text: fmt.Sprintf("The service deletes what is over within some days; until then reads bring it, and are paid. This library's reads hide it; other readers take what is over for valid: give them the "+
						"condition that %s lies ahead. A filter hides without saving; to save the units put the end into the sort key of what is queried, so that the key condition leaves out what is over, or delete at the end.", attribute),
					Snippets: []Snippet{
						{"go", fmt.Sprintf("err := Sessions.Update(id, changes...).If(Sessions.Expires.Greater(db.Now())).Run(ctx, db) // writes go by what is stored: %s", attribute)},
						{"go", `Key: map[string]string{"PK": "u#{user}", "SK": "{expires:iso}#{id}"} // and query From(db.Now())`},
					},
					Ease: Code,
				}
				f.Confidence, f.Because = 0.75, "Whether readers leave it out is not seen."
				if t.Declared.TTL != "" { // this library's reads leave it out
					f.Severity = Advice
				}
				in.affect(&f, in.everything(name, func(o *stats.Operation) bool { return !writes(o) })...)
			default:
				continue
			}
			found = append(found, f)
		}
	}
	return found
}

// ttlElsewhere is about a time to live of an attribute that nobody writes, where items carry their end in another one.
func (in *Input) ttlElsewhere(table, attribute string) *Finding {
	if slices.ContainsFunc(in.sample(table), func(item stats.SizedItem) bool { return hasPrint(&item, attribute) }) {
		return nil
	}
	for _, o := range in.everything(table, writes) {
		if a := o.Attributes[attribute]; a != nil && a.Written > 0 {
			return nil
		}
	}
	x := in.end(table)
	if x == nil {
		return nil
	}
	f := &Finding{Table: table, Cause: cause(ofTable, table, "ttl"), Severity: Warning, Confidence: 0.85, Because: "That the attribute is an end is told by its name and values."}
	f.Title = fmt.Sprintf("%s: the time to live is %s, which no item has: they carry their end in %s, and nothing is ever deleted", table, attribute, x.name)
	f.Evidence = []Evidence{
		share("sampled items that have "+attribute, 0, 0, page("time-to-live-ttl-before-you-start")),
		share("sampled items with a moment in "+x.name, float64(x.moments())/float64(max(len(in.sample(table)), 1)), 0, page("TTL")),
	}
	f.Remedy = Remedy{
		Text: fmt.Sprintf("The service passes over items that have no %s, and says nothing. Make %s the table's time to live: the one that is set is switched off first, and each change takes up to an hour.", attribute, x.name),
		Snippets: []Snippet{
			{"go", fmt.Sprintf("plan.Table{Name: %q, …, TTL: %q}", table, x.name)},
			{"aws", fmt.Sprintf("aws dynamodb update-time-to-live --table-name %[1]s --time-to-live-specification Enabled=false,AttributeName=%[2]s\n"+
				"aws dynamodb update-time-to-live --table-name %[1]s --time-to-live-specification Enabled=true,AttributeName=%[3]s", table, attribute, x.name)},
		},
		Ease: Setting,
	}
	if x.seconds < x.millis+x.dates {
		f.Remedy.Ease = Code
		f.Remedy.Text += " It has to be a number of seconds, the option epoch-s of the field, also in what is there (package migrate)."
	}
	in.affect(f, in.everything(table, writes)...)
	return f
}
