package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/stats"
)

var errorsUnhandled = &Rule{
	ID:       "errors-unhandled",
	Title:    "Requests that can never succeed, sent again and again",
	Category: Reliability,
	Looks: "At calls that the service refuses as a mistake of the program: a request that breaks a rule, a table or index that is not there, an item that is too large. " +
		"What a program does with an error that it is given is not seen; that it goes on making the same mistake is.",
	Fires:   "When one call in a hundred of an operation is refused so, ten at least, with Thresholds.FewCalls calls.",
	Rests:   "When single calls are invalid, as input of users may make them; when conditions fail or calls are throttled, which other rules look at.",
	Sources: []string{page("Programming.Errors"), "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html"},
	Find:    findErrorsUnhandled,
}

// muchInvalid is the share of invalid calls from which on they are no input of users any more, and fewInvalid their least number.
const (
	muchInvalid = 0.01
	fewInvalid  = 10
)

func findErrorsUnhandled(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		n := o.Outcomes[stats.Invalid]
		if o.Calls < in.Thresholds.FewCalls || n < fewInvalid || n < muchInvalid*o.Calls || o.Operation == others {
			continue
		}
		f := Finding{
			Severity: Warning, Table: o.Table, Index: o.Index, Cause: ofOperation(o),
			Title: fmt.Sprintf("%s: %s of the calls are refused as invalid, and the program goes on making them", subject(o), percent(n/o.Calls)),
			Evidence: []Evidence{
				share("calls that the service refuses as a mistake in the request", n/o.Calls, muchInvalid, page("Programming.Errors")),
				{What: "such calls", Value: n, Unit: "calls"},
			},
			Remedy: Remedy{
				Text: "No repetition helps: errors.Is(err, tablewright.ErrInvalid) tells such errors from those that pass. Log what the service says, which names the attribute or parameter; check input before it is " +
					"sent (a schema on the type); and tell the limits apart with ErrLimit, which an item that has become too large ends with.",
				Snippets: []Snippet{{"go", `switch {
case errors.Is(err, tablewright.ErrLimit): // the item or collection is as large as it may be
case errors.Is(err, tablewright.ErrInvalid):
	log.Printf("a mistake of this program: %v", err)
}`}},
				Ease: Code,
			},
			Confidence: 0.9, Because: "What the program does with the errors is not seen.",
		}
		if n >= 0.5*o.Calls {
			f.Severity = Critical
		}
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}
