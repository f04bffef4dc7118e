package cost

import (
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
)

// Met says what a reading step meets, where this is known better than by the laws of stated figures: all the different runs
// of the step by calls of its pattern. ok is false where it is not known.
type Met func(s *plan.Stage) (runs []Run, ok bool)

// Run is what one run of a reading step meets. A step runs once in a call, or once for everything that it goes over.
type Run struct {
	Times float64 // such runs in an average call
	Items []int   // in its range, from where it begins, by [plan.Stage.Kinds]; of a read by key whether there is one
	Until int     // how many of these it looks at before it has found what it wants; 0: all
}

// seen is what a step consumes whose runs are known.
func (f *figures) seen(s *plan.Stage, each []*size, c capacity.Consistency) (total float64, ok bool) {
	if f.met == nil {
		return 0, false
	}
	runs, ok := f.met(s)
	if !ok {
		return 0, false
	}
	if s.Verb == plan.Get || s.Verb == plan.BatchGet || s.Verb == plan.TransactGet {
		nothing := float64(capacity.ExpectGet(capacity.Fixed(0), c))
		for _, r := range runs {
			one := nothing
			if r.Items[0] > 0 {
				one = float64(each[0].got(c))
			}
			total += float64(r.Times * one)
		}
		return total, true
	}
	if len(each) > 1 {
		for _, r := range runs {
			var sum dist.Dist
			bytes, items := 0.0, 0.0
			for i, n := range r.Items {
				sum = dist.Plus(sum, each[i].sums().Of(n))
				bytes, items = bytes+float64(float64(n)*each[i].mean()), items+float64(n)
			}
			total += float64(r.Times * float64(capacity.ExpectQuery(sum, bytes/math.Max(items, 1), c)))
		}
		return total, true
	}
	requests := map[int]float64{} // in an average call, by how many items each evaluates
	step := s.Evaluate
	if page := math.Max(math.Floor(float64(capacity.PageBytes)/math.Max(each[0].mean(), 1)), 1); step == 0 && s.Wanted() > 0 || float64(step) > page {
		step = int(page)
	}
	for _, r := range runs {
		n := r.Items[0]
		switch {
		case step == 0:
			requests[n] += r.Times
			continue
		case s.Wanted() == 0: // it asks for so many and no more
			requests[min(n, step)] += r.Times
			continue
		case r.Until > 0:
			n = min(n, (r.Until+step-1)/step*step)
		}
		full := n / step
		requests[step] += float64(r.Times * float64(full))
		if rest := n - full*step; rest > 0 || r.Until == 0 { // that nothing is left shows in one more
			requests[rest] += r.Times
		}
	}
	var weights []float64
	var counts []dist.Dist
	for _, n := range slices.Sorted(maps.Keys(requests)) {
		total += requests[n]
		weights, counts = append(weights, requests[n]), append(counts, dist.Point(float64(n)))
	}
	if total == 0 {
		return 0, true
	}
	return total * float64(capacity.ExpectQuery(each[0].sums().Compound(dist.Mix(weights, counts)), each[0].mean(), c)), true
}
