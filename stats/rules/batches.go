package rules

import (
	"fmt"
	"math"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// What single-gets and single-puts have in common: a caller that does one by one what one request does.

// joined is from how many calls on a run is one that a batch would be written for: two or three gets in a row are most often of
// different things, each found by the one before.
const joined = 4

// plain is from how many calls on a run is a loop beyond doubt, if it was seen a single time.
const plain = 25

// breath is what may pass between two calls of a run that belong together, beside the calls themselves, and no more than some calls
// take: where they take no time little may pass, shortBreath.
const (
	breath      = 10 * time.Millisecond
	shortBreath = 200 * time.Microsecond
)

// runs are the runs of single calls that a batch could be.
func (in *Input) runs(kind stats.EpisodeKind) (all []*stats.Episode) {
	enough := func(e *stats.Episode) bool { return e.Seen >= fewEpisodes || e.Calls/e.Count >= plain }
	for _, e := range in.episodesSeen(kind, enough) {
		length := e.Calls / e.Count
		if length < joined || e.Seen*length < in.Thresholds.FewCalls {
			continue
		}
		if in.atFirst(in.completes(e)) {
			continue
		}
		// A worker that gets a request now and then under one context is no loop.
		one := typical(in.completes(e))
		if slow := 3*one + min(shortBreath+10*one, breath); time.Duration(float64(e.Took)/length) > slow {
			continue
		}
		if in.idle(e) || length < plain && worker(e) && (e.Seen < 3*fewEpisodes || byChance(e)) {
			continue
		}
		all = append(all, e)
	}
	return all
}

// idle reports whether those who make runs, all the time, rest more than they work: calls of many requests under one context, which come one
// after the other as often as a loop's. A loop waits for its calls, and for little else.
func (in *Input) idle(e *stats.Episode) bool {
	always := worker(e) || e.Callers > 0 && e.Calls > 5*plain*e.Callers
	return always && float64(e.Took)*e.Count > e.Calls*float64(2*typical(in.completes(e))+breath/5)
}

// atFirst reports whether an operation was at work only when the program began, as what fills a table that is new.
func (in *Input) atFirst(o *stats.Operation) bool {
	span := in.Stats.Span()
	return o != nil && o.First.Sub(in.Stats.From) < span/100 && o.Last.Sub(in.Stats.From) < span/20
}

// byChance reports whether runs are as long as chance has them, where a goroutine makes calls of all kinds one after the other:
// their lengths then differ about as much as they are long. Those of a loop are about the same, or spread evenly.
func byChance(e *stats.Episode) bool {
	const least = 3 // calls that are a run
	mean := e.Calls / e.Count
	beyond := mean - least
	return math.Sqrt(max(e.Squares/e.Count-mean*mean, 0)) >= 0.65*math.Sqrt(beyond*(1+beyond))
}

// batched is what both rules say of a run: batches of so many items instead of single calls.
func (in *Input) batched(e *stats.Episode, most int, what, verb string) Finding {
	length := e.Calls / e.Count
	trips := math.Ceil(length / float64(most))
	one := typical(in.completes(e))
	if one == 0 || one > time.Duration(float64(e.Took)/length) { // some are under way at once
		one = time.Duration(float64(e.Took) / length)
	}
	f := Finding{
		Severity: Advice, Table: e.Table,
		Title: fmt.Sprintf("%s: %s %s one by one where %s would do", completing(e), number(math.Round(length)), what,
			batches(trips)),
		Evidence: []Evidence{
			{What: "calls in a row by one caller, on average", Value: length, Unit: "calls", Limit: joined},
			{What: "such rows", Value: in.perSecond(e.Count), Unit: "rows/s"},
			{What: "units of these calls, which stay as they are", Value: in.perSecond(e.Read + e.Write), Unit: "units/s"},
		},
		Faster:     &Faster{RoundTrips: in.perSecond(e.Calls - e.Count*trips)},
		Confidence: 0.75,
		Because:    "A caller may need the answer of one call to make the next.",
	}
	if e.First != "" || e.FirstPattern != "" && e.FirstPattern != e.Pattern {
		f.Confidence, f.Because = 0.5, "The calls are of different access patterns: one may need the answer of another."
	}
	if e.Took > 0 {
		f.Faster.Before, f.Faster.After = e.Took, min(e.Took, time.Duration(trips*float64(one)))
		f.Evidence = append(f.Evidence, Evidence{What: "such a row takes", Value: float64(e.Took) / 1e6, Unit: "ms"})
		if e.Took >= in.Thresholds.SlowCall {
			f.Severity = Warning
		}
	}
	in.taking(&f, e)
	f.Remedy = Remedy{Ease: Code, Text: fmt.Sprintf("%s in batches of up to %d. This saves round trips, %s, and nothing else: a batch consumes the units "+
		"of its items, as the single calls do.", verb, most, rate(f.Faster.RoundTrips))}
	return f
}

func batches(n float64) string {
	if n <= 1 {
		return "one batch"
	}
	return number(n) + " batches"
}
