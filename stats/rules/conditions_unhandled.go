package rules

import (
	"fmt"

	"github.com/tablewright/tablewright/stats"
)

var conditionsUnhandled = &Rule{
	ID:       "conditions-unhandled",
	Title:    "Conditions that fail, and nobody asks why",
	Category: Reliability,
	Looks: "At puts, updates and deletes of single items whose condition did not hold, and at what becomes of the errors that the client makes of that: whether anything in the " +
		"program asks what they are, wherever they are passed on to and however they are wrapped. errors.Is with ErrConditionFailed, ErrExists, ErrStale, ErrNotFound or the error given " +
		"with Else asks that, so does errors.As with *wire.Error, or Refused for the item as it is stored; to log an error, or to ask it for other things, does not.",
	Fires: "When ten such errors of an operation or more were given to the program, and nine of ten or more were never asked what they are.",
	Rests: "When they are asked for, be it at the top of the program or by the client itself, as Edit does when it reads again. When only a few of many are passed over. On " +
		"calls of which it is not known: transactions and programs of a model, whose errors tell their reasons unasked, and requests that the program wrote itself (Send) or the SDK's client.",
	Sources: []string{page("Expressions.ConditionExpressions"), page("Programming.Errors"), "https://pkg.go.dev/errors#Is"},
	Find:    findConditionsUnhandled,
}

// fewSurfaced is the least number of errors to conclude from, and muchUnasked the share of them of which nobody asked what they
// are: some errors are always on their way, and some places are forgotten.
const (
	fewSurfaced = 10
	muchUnasked = 0.9
)

// unhandled reports whether a program does not ask what the errors of an operation are, as good as always.
func (in *Input) unhandled(o *stats.Operation) bool {
	few := float64(fewSurfaced)
	if in.Stats.Rate > 0 { // ten that stand for a hundred are ten
		few /= in.Stats.Rate
	}
	return o.Surfaced >= few && o.Surfaced-o.Asked >= muchUnasked*o.Surfaced && o.Operation != others
}

func findConditionsUnhandled(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		if !in.unhandled(o) {
			continue
		}
		unasked := o.Surfaced - o.Asked
		f := Finding{
			Severity: Warning, Table: o.Table, Cause: cause(ofErrors, o.Table, o.Operation, o.Pattern),
			Title: fmt.Sprintf("%s: %s of the calls end with a condition that failed, and the program does not ask what these errors are", subject(o), percent(min(o.Surfaced/max(o.Calls, 1), 1))),
			Evidence: []Evidence{
				share("errors of failed conditions that nobody asked what they are", unasked/o.Surfaced, muchUnasked, ""),
				{What: "errors of failed conditions that the program was given", Value: o.Surfaced, Unit: "errors", Limit: fewSurfaced},
				{What: "such errors", Value: in.perSecond(o.Surfaced) * 3600, Unit: "an hour"},
			},
			Remedy: Remedy{Text: unhandledText, Snippets: handling(o, in.conditionAsks(o)), Ease: Code},
			// Programs are seen from inside here, and only one way to handle is not: by the text, or without a difference.
			Confidence: 0.75,
			Because: "Who handles such errors by their text, after errors.As to *tablewright.Error alone, or on purpose like any other error (by ignoring it, or by doing it all again), asks nothing; " +
				"an error that was still on its way when statistics were taken was not asked yet.",
		}
		if c := in.contention(o); c != nil { // what makes them fail comes first, and what to do with the rest is said there
			f.Cause, f.Severity, f.Confidence = c.cause(), Advice, min(f.Confidence, 0.7)
		}
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}

const unhandledText = "A condition that does not hold is an answer: what a caller wants is taken, gone, sold out, or was changed by somebody else. Passed on like a failure it becomes a status of 500, an alarm, or " +
	"a repetition that is charged and refused again. Ask where it can be answered, at the place of the call or at the top through all wrapping with %w: errors.Is tells the kind, Else gives the condition an error " +
	"of the program's own, and Refused is the item as it is stored."

// handling shows how to tell what the conditions of an operation ask about.
func handling(o *stats.Operation, asks []string) []Snippet {
	switch {
	case len(asks) > 0:
		return []Snippet{
			{"go", `err := Accounts.Update(id, Accounts.Cents.Minus(200)).
	If(Accounts.Cents.AtLeast(200)).
	Else(errTooLittle). // the condition, in the program's words
	Run(ctx, db)
switch {
case errors.Is(err, errTooLittle):
	return http.StatusConflict
case err != nil:
	return http.StatusInternalServerError
}`},
			{"go", `_, err := Accounts.Edit(id, change).New(ctx, db) // of a version: reads and writes again until nobody was faster`},
		}
	case o.Operation == "PutItem":
		return []Snippet{{"go", `err := Accounts.Create(account).Run(ctx, db)
switch {
case errors.Is(err, tablewright.ErrExists): // it is there already: Accounts.Refused(err) is what is stored
	return http.StatusConflict
case err != nil:
	return http.StatusInternalServerError
}`}}
	}
	return []Snippet{{"go", `err := Accounts.Update(id, Accounts.Cents.Add(200)).Run(ctx, db)
switch {
case errors.Is(err, tablewright.ErrNotFound): // there is none to change
	return http.StatusNotFound
case err != nil:
	return http.StatusInternalServerError
}`}}
}

// edited is what else there is to say of errors of versions.
func edited(lock bool) string {
	if lock {
		return ""
	}
	return ", or let Edit read and write again"
}
