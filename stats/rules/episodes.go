package rules

import (
	"time"

	"github.com/tablewright/tablewright/stats"
)

// What the rules need that look at what several calls did together.

// fewEpisodes is how many of one kind have to be really seen, not only reckoned, before they are taken for a habit of the program:
// fewer may be one request that was repeated, or two contexts that one after the other had the same place in memory.
const fewEpisodes = 10

// sampled reports whether only some calls were recorded: then there are no episodes.
func (in *Input) sampled() bool { return in.Stats.Rate > 0 && in.Stats.Rate < 1 }

// episodes are those of a kind that were seen often enough.
func (in *Input) episodes(kind stats.EpisodeKind) (all []*stats.Episode) {
	return in.episodesSeen(kind, func(e *stats.Episode) bool { return e.Seen >= fewEpisodes })
}

func (in *Input) episodesSeen(kind stats.EpisodeKind, enough func(e *stats.Episode) bool) (all []*stats.Episode) {
	for _, e := range in.Stats.Episodes {
		if e.Kind == kind && e.Count > 0 && e.Table != others && enough(e) {
			all = append(all, e)
		}
	}
	return all
}

// worker reports whether the callers of an episode are goroutines that go on and on under one context, not requests: of these each
// does such a thing once or twice.
func worker(e *stats.Episode) bool { return e.Callers > 0 && e.Count > 5*e.Callers }

// related reports whether the calls of an episode have to do with each other. Those of one request have; what a worker does with an
// item has to do with what he did with it before if it follows at once, and is chance if other calls came between.
func (in *Input) related(e *stats.Episode) bool {
	return !worker(e) || e.Took <= 2*breath+5*(typical(in.begins(e))+typical(in.completes(e)))
}

// crossed is how often of an episode, a get and the write of the same item, two of one context were under way at once: the item was read
// twice, with no write between, and then written twice. One context is nobody's where callers share it, so that these are two of them; where
// each request has its own, one that reads and writes twice is meant to.
func (in *Input) crossed(e *stats.Episode) float64 {
	gets := in.begins(e)
	if gets == nil || e.First == "" || e.Callers > 1.5*float64(max(in.Stats.Sources, 1)) || e.Took > moment {
		return 0
	}
	var again float64
	for _, r := range in.Stats.Episodes {
		if r.Kind == stats.ReadAgain && r.Table == e.Table && r.Operation == e.First && r.Pattern == e.FirstPattern {
			again += r.Count
		}
	}
	return max(0, min(again, e.Count-(gets.Calls-again))) // writes that are more than the gets that bring something new
}

// operation is what one operation did by one access pattern, as a statement or not; nil if it did nothing. Batches and transactions are of
// no one table.
func (in *Input) operation(name, as, table, index, pattern string) *stats.Operation {
	for _, of := range []string{table, ""} {
		for _, o := range in.operations(of, index, name) {
			if o.Pattern == pattern && o.As == as {
				return o
			}
		}
	}
	return nil
}

// completes is the operation of the call that completes an episode, and begins that of the one that begins it, which may be
// the same; nil if it is not known. An index is the last one's: what begins an episode there is a read or write of the table.
func (in *Input) completes(e *stats.Episode) *stats.Operation {
	return in.operation(e.Operation, e.As, e.Table, e.Index, e.Pattern)
}

func (in *Input) begins(e *stats.Episode) *stats.Operation {
	if e.First == "" {
		return in.completes(e)
	}
	return in.operation(e.First, e.FirstAs, e.Table, "", e.FirstPattern)
}

// taking fills in the operations of the calls that take part, and how often that happens: Calls are those of the finding.
func (in *Input) taking(f *Finding, e *stats.Episode) {
	var all []*stats.Operation
	last, first := in.completes(e), in.begins(e)
	if last != nil {
		all = append(all, last)
	}
	if first != nil && first != last {
		all = append(all, first)
	}
	in.affect(f, all...)
	f.Calls = in.perSecond(e.Calls)
}

// called names calls in a sentence: by their pattern, or as the operation on a table or index.
func called(operation, as, pattern, table, index string) string {
	if pattern != "" {
		return pattern
	}
	return named(operation, as) + " of " + place(table, index)
}

func completing(e *stats.Episode) string {
	return called(e.Operation, e.As, e.Pattern, e.Table, e.Index)
}

// beginning names the call that begins an episode.
func beginning(e *stats.Episode) string {
	if e.First == "" {
		return completing(e)
	}
	return called(e.First, e.FirstAs, e.FirstPattern, e.Table, "")
}

// typical is how long one call of an operation takes, half of them at most; 0 if it is not known.
func typical(o *stats.Operation) time.Duration {
	if o == nil || o.Took == nil || o.Took.Count() == 0 {
		return 0
	}
	return time.Duration(o.Took.Quantile(0.5))
}
