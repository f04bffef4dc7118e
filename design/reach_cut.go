package design

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
)

// What a call may read at most, if the client makes the pages. Up to the small bounds that is a plan like others; up to the
// large ones it is what remains where nothing else serves: a hundred requests of 1 MB, or some rounds of many by key.
const (
	cutBytes, cutRequests         = float64(capacity.PageBytes), 100.0
	mostCutBytes, mostCutRequests = 100 * float64(capacity.PageBytes), 10_000.0
)

// plans lists the read plans of the demand in the layout: those that find the matches in their order, and those that read all
// matches, of which the client makes pages.
func (s *seeker) plans() []*readPlan {
	out := s.direct()
	if s.d.snapshot && len(out) == 0 {
		s.noMoment()
	}
	if !s.d.paged() || s.d.locates != nil || s.d.whole || s.d.results.Max <= 0 {
		return out
	}
	all := *s.d
	all.page = 0
	there := *s
	there.d = &all
	var large []*readPlan
	for _, q := range there.direct() {
		q.demand, q.cut = s.d, true
		q.name = q.describe()
		q.points++
		q.rule += byClient
		switch bytes, requests := q.atMost(); {
		case bytes <= cutBytes && requests <= cutRequests:
			out = append(out, q)
		case bytes <= mostCutBytes && requests <= mostCutRequests:
			q.stretched = true
			large = append(large, q)
		default:
			s.tooLarge(bytes, requests)
		}
	}
	if len(out) == 0 {
		return large
	}
	return out
}

// byClient ends the rule of a plan of which the client makes the pages.
const byClient = ", pages made by the client"

// atMost is what a call of a plan reads at most: all matches, where every step finds exactly what leads to them, else what its
// steps find.
func (q *readPlan) atMost() (bytes, requests float64) {
	exact := len(q.keep) == 0 && !slices.ContainsFunc(q.steps, func(t *readStep) bool { return len(t.filter) > 0 })
	for i, t := range q.steps {
		n := t.per.most * t.found.most
		if t.inside != nil {
			n /= max(t.inside.way.PerParent.Average, 1)
		}
		if exact && i == q.from[0] && t.inside == nil {
			n = min(n, q.demand.results.Max)
		}
		for _, e := range t.kinds {
			bytes += n * e.Bytes.Average
		}
		if t.verb != verbGet { // gets go together in batches
			requests += max(t.per.most, 1)
		} else {
			requests += max(t.per.most/float64(capacity.BatchGetItems), 1)
		}
	}
	return bytes, requests
}

// tooLarge notes that the client cannot make the pages of a demand.
func (s *seeker) tooLarge(bytes, requests float64) {
	const cut = "a client that makes the pages would read"
	why := s.misses[s.d.name]
	if strings.Contains(why, cut) {
		return
	}
	if why == "" {
		why = "no key has its order"
	}
	s.misses[s.d.name] = fmt.Sprintf("%s; and %s up to %s in %s requests for each", why, cut, show.Bytes(bytes), show.Number(math.Ceil(requests)))
}
