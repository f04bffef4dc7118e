package cost

import (
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Seen is what is known of calls better than by the laws of stated figures; the zero value: nothing.
type Seen struct {
	Met     Met
	Written Written
	Marked  Marked
	Turned  Turned
}

// Met says what a reading step meets, where this is known better than by the laws of stated figures: all the different runs
// of the step by calls of its pattern. ok is false where it is not known.
type Met func(s *plan.Stage) (runs []Run, ok bool)

// Run is what one run of a reading step meets. A step runs once in a call, or once for everything that it goes over.
type Run struct {
	Times float64 // such runs in an average call
	Items []int   // in its range, from where it begins, by [plan.Stage.Kinds]; of a read by key whether there is one
	Until int     // how many of these it looks at before it has found what it wants; 0: all
	// Each is what one of these holds of stored attributes on average, names and values in bytes, by kind; nil: as the laws say.
	Each []float64
}

// Written says what items hold of stored attributes, names and values in bytes, that calls of a pattern change, delete or
// check, where this is known better than by the laws; nil where it is not.
type Written func(p *spec.Pattern, k *plan.Kind) []float64

// Marked says how many unique markers a writing step, or an action of a transaction, writes in an average call, or how
// many items in which several of a list lie together; ok is false where it is not known.
type Marked func(s *plan.Stage) (times float64, ok bool)

// Turned says what a writing step, or an action of a transaction, does to entries of an index in some calls, and in how
// many; ok is false where it is not known.
type Turned func(s *plan.Stage, x *plan.Access) (turns []Turn, calls int, ok bool)

// Turn is what one write does to one entry of an index. Before and After are the bytes of stored attributes that the entry holds,
// names and values; 0 without an entry.
type Turn struct {
	Arm           capacity.Arm
	Before, After float64
}

// entriesTurned is what an average call consumes on an index where what happens to its entries is known.
func (f *figures) entriesTurned(s *plan.Stage, x *plan.Access) (units float64, ok bool) {
	if f.seen.Turned == nil {
		return 0, false
	}
	turns, calls, ok := f.seen.Turned(s, x)
	if !ok || calls == 0 {
		return 0, false
	}
	fixed := f.templates(s.Kind, x, nil)
	written := func(bytes float64) float64 { return float64(capacity.ExpectWrite(capacity.Fixed(fixed + bytes))) }
	for _, t := range turns {
		switch t.Arm {
		case capacity.None:
		case capacity.Move:
			units += written(t.Before) + written(t.After)
		default:
			units += written(math.Max(t.Before, t.After))
		}
	}
	return units / float64(calls), true
}

// templates is what templates write into an item of a kind, or into its entry in an index, on average, beside what is
// stored under its own name. is says which values those have that count.
func (f *figures) templates(k *plan.Kind, in *plan.Access, is known) float64 {
	if in == nil {
		in = k.Table.Base
	}
	total := 0.0
	for _, r := range k.Recipes {
		if r.Native || !in.Projects(r.Wire.Name) {
			continue
		}
		share := 1.0
		if !keyOf(in, r.Wire.Name) {
			share = f.indexed(k, []*plan.Recipe{r}, nil)
		}
		total += float64(share * (float64(len(r.Wire.Name)) + f.recipeSize(k, r, is).Average))
	}
	return total
}

// selected returns the literals that a query binds: all items that it finds have these values.
func selected(s *plan.Stage) known {
	var out known
	for _, b := range s.Where {
		if literal(b) {
			out = out.With(b.Path[0], spec.ConstantText(b.Values[0].Literal))
		}
	}
	return out
}

// changed is what it takes to write one of the items that calls of a pattern are about, to which they add some bytes; false: that is not
// known.
func (f *figures) changed(p *spec.Pattern, k *plan.Kind, added float64) (capacity.WriteUnits, bool) {
	if f.seen.Written == nil {
		return 0, false
	}
	all := f.seen.Written(p, k)
	if len(all) == 0 {
		return 0, false
	}
	fixed, sum := f.templates(k, nil, nil), 0.0
	for _, bytes := range all {
		sum += float64(capacity.ExpectWrite(capacity.Fixed(fixed + bytes + added)))
	}
	return capacity.WriteUnits(sum / float64(len(all))), true
}

// run is what a step consumes whose runs are known.
func (f *figures) run(s *plan.Stage, each []*size, c capacity.Consistency) (total float64, ok bool) {
	if f.seen.Met == nil {
		return 0, false
	}
	runs, ok := f.seen.Met(s)
	if !ok {
		return 0, false
	}
	if s.Verb == plan.Get || s.Verb == plan.BatchGet || s.Verb == plan.TransactGet {
		nothing := float64(capacity.ExpectGet(capacity.Fixed(0), c))
		for _, r := range runs {
			one := nothing
			switch {
			case r.Items[0] > 0 && r.Each != nil:
				one = float64(capacity.ExpectGet(capacity.Fixed(f.templates(s.Kind, nil, nil)+r.Each[0]), c))
			case r.Items[0] > 0:
				one = float64(each[0].got(c))
			}
			total += float64(r.Times * one)
		}
		return total, true
	}
	if len(each) > 1 || s.Verb == plan.Scan {
		for _, r := range runs {
			bytes, items := 0.0, 0.0
			if r.Each != nil {
				for i, n := range r.Items {
					bytes, items = bytes+float64(float64(n)*(f.templates(s.Kinds[i], s.Access, nil)+r.Each[i])), items+float64(n)
				}
				total += float64(r.Times * float64(capacity.ExpectQuery(capacity.Fixed(bytes), bytes/math.Max(items, 1), c)))
				continue
			}
			var sum dist.Dist
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
	fixed := f.templates(s.Kinds[0], s.Access, selected(s))
	for _, r := range runs {
		n := r.Items[0]
		ask := func(n int, times float64) {
			if r.Each == nil {
				requests[n] += times
				return
			}
			total += float64(times * float64(capacity.ExpectQuery(capacity.Fixed(float64(n)*(fixed+r.Each[0])), fixed+r.Each[0], c)))
		}
		switch {
		case step == 0:
			ask(n, r.Times)
			continue
		case s.Wanted() == 0: // it asks for so many and no more
			ask(min(n, step), r.Times)
			continue
		case r.Until > 0:
			n = min(n, (r.Until+step-1)/step*step)
		}
		full := n / step
		ask(step, float64(r.Times*float64(full)))
		if rest := n - full*step; rest > 0 || r.Until == 0 { // that nothing is left shows in one more
			ask(rest, r.Times)
		}
	}
	var weights []float64
	var counts []dist.Dist
	several := 0.0
	for _, n := range slices.Sorted(maps.Keys(requests)) {
		several += requests[n]
		weights, counts = append(weights, requests[n]), append(counts, dist.Point(float64(n)))
	}
	if several == 0 {
		return total, true
	}
	return total + several*float64(capacity.ExpectQuery(each[0].sums().Compound(dist.Mix(weights, counts)), each[0].mean(), c)), true
}
