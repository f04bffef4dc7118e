package design

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// What a call may read at most, if the client makes the pages. Up to the small bounds that is a plan like others; up to
// the large ones it is what remains where nothing else serves: a hundred requests of 1 MB, or some rounds of many by
// key.
const (
	cutBytes, cutRequests         = float64(capacity.PageBytes), 100.0
	mostCutBytes, mostCutRequests = 100 * float64(capacity.PageBytes), 10_000.0
	// longCutBytes in no more than cutRequests are a candidate beside an index that is written far more often than it
	// is read: to sort what lies under one key, at worst for a second, may cost a hundredth of what keeps an order that
	// changes all the time. A plan that on average finds no more than a page holds seldom reads more than one anyway:
	// for it, it is enough that the order changes more often than somebody asks for it, or that at worst it reads no
	// more than plans do that find the order and filter what they find.
	longCutBytes = 10 * float64(capacity.PageBytes)
	farMore      = 100.0
)

// plans lists the read plans of the demand in the layout: those that find the matches in their order, and those that
// read all matches, of which the client makes pages.
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
	driven, unlucky := math.Inf(1), math.Inf(1)
	for _, q := range out {
		driven, unlucky = min(driven, s.driven(q)), min(unlucky, q.unlucky())
	}
	ordered := len(out) > 0
	var large []*readPlan
	for _, q := range there.direct() {
		q.demand, q.cut = s.d, true
		q.name = q.describe()
		q.points++
		q.rule += byClient
		switch bytes, requests := q.atMost(); {
		case bytes <= cutBytes && requests <= cutRequests:
			out = append(out, q)
		case ordered && (driven > farMore || (driven > 1 || bytes <= unlucky) && q.onePage()) && bytes <= longCutBytes && requests <= cutRequests:
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

// driven is how many times as often as a plan is called other patterns change what the key of an index is made of that
// it reads: the attribute that changes most.
func (s *seeker) driven(q *readPlan) float64 {
	most := 0.0
	for _, t := range q.steps {
		if t.index == nil {
			continue
		}
		for _, r := range t.index.refs() {
			writes := 0.0
			for _, w := range s.facts.writers(r) {
				writes += w.pattern.Rate.Average
			}
			most = max(most, writes)
		}
	}
	return most / s.d.rate.Average
}

// onePage reports whether no step of a plan finds more than a page on average, of all that the client makes pages of.
func (q *readPlan) onePage() bool {
	late := q.late()
	for i, t := range q.steps {
		if !late[i] && t.per.average*t.found.average > float64(q.demand.page) {
			return false
		}
	}
	return true
}

// unlucky is what a call of a plan that finds its matches in their order reads where its filters reject all: what lies
// under its keys. Without a filter it is a page.
func (q *readPlan) unlucky() (bytes float64) {
	late, sure := q.late(), len(q.keep) == 0
	for i, t := range q.steps {
		if late[i] {
			continue
		}
		n := t.per.most * t.found.most
		if sure && len(t.filter) == 0 && i == q.from[0] {
			n = min(n, float64(q.demand.page))
		}
		for _, e := range t.kinds {
			bytes += n * t.shownBytes(e)
		}
	}
	return bytes
}

// byClient ends the rule of a plan of which the client makes the pages.
const byClient = ", pages made by the client"

// atMost is what a call of a plan reads at most: all matches, where every step finds exactly what leads to them, else
// what its steps find. Late steps run for a page.
func (q *readPlan) atMost() (bytes, requests float64) {
	exact := len(q.keep) == 0 && !slices.ContainsFunc(q.steps, func(t *readStep) bool { return len(t.filter) > 0 })
	late, share := q.late(), make([]float64, len(q.steps))
	for i, t := range q.steps {
		switch share[i] = 1; {
		case !late[i]:
		case late[t.prev]:
			share[i] = share[t.prev]
		default:
			share[i] = min(float64(q.demand.page)/t.per.most, 1)
		}
		times := share[i] * t.per.most
		n := times * t.found.most
		if t.inside != nil {
			n /= max(t.inside.way.PerParent.Average, 1)
		}
		if exact && i == q.from[0] && t.inside == nil {
			n = min(n, q.demand.results.Max)
		}
		for _, e := range t.kinds {
			bytes += n * t.shownBytes(e)
		}
		if t.verb != verbGet { // gets go together in batches
			requests += max(times, 1)
		} else {
			requests += max(times/float64(capacity.BatchGetItems), 1)
		}
	}
	return bytes, requests
}

// shownBytes is what a step reads of each entity of a kind: all of it, or what an index has to have for the step.
func (t *readStep) shownBytes(e *spec.Entity) float64 {
	if t.index == nil {
		return e.Bytes.Average
	}
	has := map[string]bool{}
	for _, r := range slices.Concat(t.index.refs(), identityRefs(e)) {
		has[r.key()] = true
	}
	for _, c := range t.need {
		has[c] = true
	}
	n := 0.0
	for _, a := range e.Attributes {
		if has[a.Name] {
			n += float64(len(a.Name)) + presence(a)*a.Bytes.Average
			delete(has, a.Name)
		}
	}
	if len(has) > 0 { // copies and children, of which the entity says nothing
		return e.Bytes.Average
	}
	return min(n, e.Bytes.Average)
}

// late says which steps of a plan whose answer the client cuts bring only what the answer shows: they run after the
// cut, as the model's plans do (see [plan.Stage.Late]).
func (q *readPlan) late() []bool {
	var decisive []ref
	for _, o := range q.demand.order {
		decisive = append(decisive, o.ref)
	}
	for _, text := range q.keep {
		if c, err := spec.ParseCondition(text); err == nil {
			decisive = append(decisive, q.demand.remark(c).refs...)
		}
	}
	out := make([]bool, len(q.steps))
	follows := func(i int) bool {
		at := q.steps[i].prev
		return at >= 0 && q.steps[i].verb != verbScan && (at == q.from[0] || out[at])
	}
	for i, t := range q.steps {
		out[i] = follows(i) && !slices.ContainsFunc(decisive, t.passed) && (t.aside != nil || !slices.Contains(t.kinds, q.demand.target))
	}
	for i, t := range slices.Backward(q.steps) {
		if t.prev >= 0 && !out[i] {
			out[t.prev] = false
		}
	}
	for i := range q.steps {
		out[i] = out[i] && follows(i)
	}
	return out
}

// lateOf names what the late steps of a plan bring.
func (q *readPlan) lateOf() (out []string) {
	for i, late := range q.late() {
		name := q.steps[i].kinds[0].Name
		if x := q.steps[i].aside; x != nil {
			name += "." + x.Name
		}
		if late && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// passed reports whether a value lies at the end of ways through something that a step finds, or is a number that it
// finds.
func (t *readStep) passed(r ref) bool {
	return t.aside != nil && t.aside == r.attr || slices.ContainsFunc(r.hops, func(h hop) bool {
		return slices.Contains(t.kinds, h.to())
	})
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
