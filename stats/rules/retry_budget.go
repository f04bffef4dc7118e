package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/tablewright/tablewright/stats"
)

var retryBudget = &Rule{
	ID:       "retry-budget",
	Title:    "Calls that are repeated too often",
	Category: Reliability,
	Looks: "At how many calls repeat another one, and for what; at the parts of batches that the service left; at calls whose caller's time was over before an " +
		"answer came.",
	Fires: "When a tenth of an operation's calls are repetitions, or a tenth fail on the way or at the service, or a tenth of the parts of its batches were left over, or one call in twenty ended with its " +
		"caller's context, with Thresholds.FewCalls at least.",
	Rests:   "When repetitions are few; when they come of transactions that conflict, which transaction-conflicts tells.",
	Sources: []string{page("Programming.Errors"), page("throttling-diagnosing"), "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"},
	Find:    findRetryBudget,
}

const (
	// muchRepeated is the share of calls that repeat another from which repetitions are no exception any more.
	muchRepeated = 0.10
	// muchEnded is the share of calls whose caller did not wait for the answer.
	muchEnded = 0.05
)

func findRetryBudget(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		if o.Calls < in.Thresholds.FewCalls || o.Operation == others {
			continue
		}
		repeated := o.Retries / o.Calls
		left, over := 0.0, o.Outcomes[stats.Ended]/o.Calls
		if o.Parts >= in.Thresholds.FewCalls {
			left = o.Unprocessed / o.Parts
		}
		reason, of := mostOften(o)
		if repeated >= muchRepeated && reason == stats.Conflict && left < muchRepeated && over < muchEnded {
			continue
		}
		failed := (o.Outcomes[stats.Failed] + o.Outcomes[stats.Lost]) / o.Calls
		if repeated < muchRepeated && left < muchRepeated && over < muchEnded && failed < muchRepeated {
			continue
		}
		f := Finding{Severity: Warning, Table: o.Table, Index: o.Index, Confidence: 0.85, Because: "How much time callers have is not seen."}
		f.Evidence = []Evidence{share("calls that repeat another one", repeated, muchRepeated, page("Programming.Errors"))}
		if o.Parts > 0 {
			f.Evidence = append(f.Evidence, share("parts of batches that the service left over", left, muchRepeated, "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"))
		}
		if over > 0 {
			f.Evidence = append(f.Evidence, share("calls whose caller did not wait for the answer", over, muchEnded, ""))
		}
		if of > 0 {
			f.Evidence = append(f.Evidence, Evidence{What: "calls that ended as " + reason.String(), Value: of, Unit: "calls"})
		}
		switch {
		case reason == stats.Throttled && repeated >= muchRepeated || left >= muchRepeated:
			f.Cause = in.throttleCause(o)
			f.Title = fmt.Sprintf("%s: %s of the calls are repetitions after throttling", subject(o), percent(repeated))
			if left >= muchRepeated {
				f.Title = fmt.Sprintf("%s: %s of the items in its batches were left over and sent again", subject(o), percent(left))
			}
			f.Remedy.Ease = Code
			f.Remedy.Text = "Repetitions do not make room: they come on top of the load that is refused. First see to what is at its limit. A job slows down by itself with " +
				"Retry.Adaptive, or with a Rate in units a second (bulk); batches at once are bounded by Parallel. Who waits for an answer is better refused early, " +
				"with a small Budget, than late."
			f.Remedy.Snippets = []Snippet{
				{"go", "db, err := tablewright.Connect(ctx, tablewright.Options{Retry: tablewright.Retry{Adaptive: true}}) // for jobs"},
				{"go", "db, err := tablewright.Connect(ctx, tablewright.Options{Retry: tablewright.Retry{Attempts: 4, Budget: time.Second}}) // for requests"},
			}
		case over >= muchEnded && repeated < muchRepeated && failed < muchRepeated:
			p99 := time.Duration(o.Took.Quantile(0.99))
			f.Cause = ofOperation(o)
			f.Title = fmt.Sprintf("%s: %s of the calls end before their answer, because their caller's time is over", subject(o), percent(over))
			f.Evidence = append(f.Evidence, Evidence{What: "99 % of the calls take up to", Value: float64(p99) / 1e6, Unit: "ms"})
			f.Remedy.Ease = Code
			f.Remedy.Text = fmt.Sprintf("A write that nobody waits for may be done or not (ErrUnknownOutcome). Give the context more time than the slowest calls take, %s for 99 %% of them, and "+
				"keep the budget of retries below it, so that the last word is an error that says why.", lasting(p99))
			f.Remedy.Snippets = []Snippet{{"go", fmt.Sprintf("ctx, cancel := context.WithTimeout(ctx, %d*time.Millisecond)\ndefer cancel()", max(3*p99.Milliseconds(), 100))}}
		default:
			f.Cause = ofOperation(o)
			f.Title = fmt.Sprintf("%s: %s of the calls are repetitions, most often because the call %s", subject(o), percent(repeated), ending(reason))
			if failed >= muchRepeated {
				f.Title = fmt.Sprintf("%s: %s of the calls fail on the way or at the service, and %s are repetitions", subject(o), percent(failed), percent(repeated))
				f.Evidence = append([]Evidence{share("calls that failed on the way or at the service", failed, muchRepeated, page("Programming.Errors"))}, f.Evidence...)
			}
			f.Remedy.Ease = Code
			f.Remedy.Text = "Answers are lost, or the service fails, more often than a repetition now and then is meant for. Look at the way there: connections that are closed in between, a " +
				"proxy, a time limit of the HTTP client below what calls take. Writes that count are not repeated after a lost answer: put them into a transaction, whose token makes them happen once."
			f.Remedy.Snippets = []Snippet{{"go", "err := tablewright.Transact(update).Run(ctx, db) // once, also where it is repeated"}}
		}
		if repeated >= 0.5 || left >= 0.5 {
			f.Severity = Critical
		}
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}

// mostOften is the outcome that most of the calls had that have to be repeated, and how many had it.
func mostOften(o *stats.Operation) (reason stats.Outcome, calls float64) {
	for _, x := range []stats.Outcome{stats.Throttled, stats.Conflict, stats.Failed, stats.Lost} {
		if o.Outcomes[x] > calls {
			reason, calls = x, o.Outcomes[x]
		}
	}
	return reason, calls
}

func ending(o stats.Outcome) string {
	switch o {
	case stats.Failed:
		return "failed at the service"
	case stats.Lost:
		return "was not answered"
	}
	return "was " + o.String()
}

// throttleCause is what throttles an operation.
func (in *Input) throttleCause(o *stats.Operation) string {
	best, refused := "", 0.0
	for _, x := range in.throttling() {
		for _, of := range x.operations {
			if of == o && x.refused > refused {
				best, refused = x.cause(in), x.refused
			}
		}
	}
	if best != "" {
		return best
	}
	if len(o.Arms) == 0 { // batches tell no reason for what they leave
		return ofOperation(o)
	}
	x := throttles{table: o.Arms[0].Table, kind: unknownLimit}
	for _, hot := range in.hotKeys(false) {
		if hot[0].key.Table == x.table {
			x.kind = rangeLimit
		}
	}
	return x.cause(in)
}

// ofOperation is the cause of what is the matter with one operation alone.
func ofOperation(o *stats.Operation) string {
	if writes(o) {
		return cause(ofWrites, o.Table, o.Operation, o.Pattern)
	}
	return cause(ofReads, strings.Join([]string{o.Table, o.Index}, "/"), o.Operation, o.Pattern)
}
