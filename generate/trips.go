package generate

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Rounds is how often a call waits for DynamoDB at least: the longest chain of stages that need each other's results. What does
// not depend on each other is sent at once.
func Rounds(proc *plan.Procedure) int {
	depth := map[*plan.Stage]int{}
	most := 0
	for _, s := range proc.Stages { // in an order in which they can run
		for _, n := range s.Needs {
			depth[s] = max(depth[s], depth[n])
		}
		depth[s]++
		most = max(most, depth[s])
	}
	return most
}

// requests is how many requests a call sends at most, apart from those that go on because an answer is large: each shard
// is asked by one of its own, and so is what is read for each of the items found before, all at once.
func requests(proc *plan.Procedure) float64 {
	x := proc.Pattern
	all := math.Max(x.Results.Max, 1)
	left := all
	switch {
	case x.Writes():
		all, left = 1, 1
	case x.Page > 0:
		left = float64(x.Page)
	case x.Top > 0:
		left = float64(x.Top)
	}
	n := 0.0
	for _, s := range proc.Stages {
		times, found := 1.0, left
		if proc.Leaves() > 0 && !s.Late() { // before the client cuts
			found = all
		}
		switch {
		case len(s.Each) == 0:
		case s.Verb == plan.BatchGet:
			times = math.Ceil(found / capacity.BatchGetItems)
		case s.Verb == plan.Get || s.Verb == plan.Query:
			times = found
		}
		n += times * math.Max(float64(s.Scatter), 1)
	}
	return n
}

// tripsText is the round trips of a call as a cell shows them: 1; 2; 1 to 3 where the largest answer does not fit into
// one request; "1 or more" where items that are read can be left out, so that a page may need another request;
// 1 (up to 10 requests) where several are sent at once.
func (in *Input) tripsText(proc *plan.Procedure) string {
	least := Rounds(proc)
	text := show.Number(float64(least))
	if !proc.Pattern.Writes() {
		switch n, more := in.pages(proc); {
		case n > 1:
			text += " to " + show.Number(float64(least)+n-1)
		case more:
			text += " or more"
		}
	}
	if n := requests(proc); n > float64(least) {
		text += " (up to " + show.Number(n) + " requests)"
	}
	return text
}

// pages is how many requests the largest answer of a read takes because of its size, and whether a page of it can need
// more than one because what is read can be left out.
func (in *Input) pages(proc *plan.Procedure) (n float64, more bool) {
	x := proc.Pattern
	n = 1
	for _, s := range proc.Stages {
		switch {
		case s.Verb == plan.Scan && x.Whole:
			n = math.Max(n, math.Ceil(in.volume(s.Access)/float64(capacity.PageBytes)))
		case s.Verb != plan.Query && s.Verb != plan.Scan:
		case x.Page > 0 || x.Top > 0:
			more = more || s.Document.Filter != "" || s.Scatter < 0 || s.Evaluate > 0 && len(s.Kinds) > 1
		case !one(x):
			n = math.Max(n, math.Ceil(x.Results.Max*in.bytesPerResult(s, x.Read)/float64(capacity.PageBytes)))
		}
	}
	return n, more
}

// bytesPerResult is how much a query reads on average for one entity of an answer: an item, or of a parent with children
// inside the child's share; 0 if it reads neither.
func (in *Input) bytesPerResult(s *plan.Stage, read *spec.Entity) float64 {
	share := 0.0
	for _, k := range s.Kinds {
		if k.Entity == read {
			share = 1
		}
		for _, m := range k.Embeds {
			if m.Child == read && share == 0 {
				share = 1 / math.Max(m.Way.PerParent.Average, 1)
			}
		}
	}
	count, bytes := 0.0, 0.0
	for _, it := range in.Price.Place(s.Access.Name()).Items {
		if slices.ContainsFunc(s.Kinds, func(k *plan.Kind) bool { return k.Name == it.Name }) {
			count += it.Count
			bytes += it.Count * it.Bytes
		}
	}
	return share * bytes / math.Max(count, 1)
}

// volume is what lies in a table or index, as requests read it.
func (in *Input) volume(a *plan.Access) float64 {
	bytes := 0.0
	for _, it := range in.Price.Place(a.Name()).Items {
		bytes += it.Count * it.Bytes
	}
	return bytes
}
