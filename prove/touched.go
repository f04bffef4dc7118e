package prove

import (
	"maps"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A touched is what calls of a write pattern meet. Calls of a proof change what is stored as often as one another, however rare
// they are in the application, and what they are about is not always what the laws say: the oracle knows before each call which
// instances it changes or requires, and which of them have a marker and will have one.
type touched struct {
	markers map[*plan.Stage]float64 // that a step writes
	bytes   map[*plan.Kind][]float64
	runs    map[*plan.Stage][]cost.Run  // of steps that read first
	lengths map[*spec.Parameter]float64 // of lists
}

func (t *touched) add(o touched) {
	for s, n := range o.markers {
		if t.markers == nil {
			t.markers = map[*plan.Stage]float64{}
		}
		t.markers[s] += n
	}
	for k, all := range o.bytes {
		if t.bytes == nil {
			t.bytes = map[*plan.Kind][]float64{}
		}
		t.bytes[k] = append(t.bytes[k], all...)
	}
	for q, n := range o.lengths {
		if t.lengths == nil {
			t.lengths = map[*spec.Parameter]float64{}
		}
		t.lengths[q] += n
	}
	for s, all := range o.runs {
		if t.runs == nil {
			t.runs = map[*plan.Stage][]cost.Run{}
		}
		t.runs[s] = append(t.runs[s], all...)
	}
}

// touches is what a call is about to meet.
func (s *session) touches(p *spec.Pattern, args attr.Item) (out touched) {
	proc, o := s.compiled.Procedure(p.Name), s.oracle
	items := newWalk(o, &plan.Procedure{}, s.src)
	for _, q := range p.Parameters {
		if q.List {
			out.add(touched{lengths: map[*spec.Parameter]float64{q: float64(len(args.Get(q.Name).Elems()))}})
		}
	}
	if slices.ContainsFunc(proc.Stages, func(x *plan.Stage) bool { return !x.Verb.Writes() && x.Verb != plan.Check }) {
		w := newWalk(o, proc, s.src)
		w.call(args)
		for _, x := range proc.Stages {
			if runs, ok := w.met(x); ok {
				out.add(touched{runs: map[*plan.Stage][]cost.Run{x: runs}})
			}
		}
	}
	var about []*Instance
	var changes []change
	for _, x := range proc.Stages {
		for _, a := range append([]*plan.Stage{x}, x.Actions...) {
			switch {
			case a.Kind == nil || len(a.Actions) > 0 || !a.Verb.Writes() && a.Verb != plan.Check:
			case a.Kind.Role == plan.UniqueItem && a.Verb.Writes():
				if changes == nil {
					_, changes = o.plan(p, args, nil)
				}
				n := 0.0
				for _, c := range changes {
					n += o.marks(a, c)
				}
				out.add(touched{markers: map[*plan.Stage]float64{a: n}})
			case a.Kind.Role == plan.EntityItem && out.bytes[a.Kind] == nil:
				if about == nil {
					about = o.about(p, args)
				}
				for _, in := range about {
					if a.Embed != nil && in.Entity == a.Embed.Child {
						in = o.parent(in, a.Embed.Way)
					}
					if in != nil && in.Entity == a.Kind.Entity {
						out.add(touched{bytes: map[*plan.Kind][]float64{a.Kind: {items.holds(a.Kind, nil, in)}}})
					}
				}
			}
		}
	}
	return out
}

// marks is 1 where a stage writes the marker of what becomes of an instance, else 0. A marker that is deleted and put again under
// the same key is put.
func (o *Oracle) marks(s *plan.Stage, c change) float64 {
	before := c.gone
	if before == nil {
		before = o.Find(c.entity, c.item)
	}
	if before != nil && before.Entity != s.Kind.Entity || before == nil && c.entity != s.Kind.Entity {
		return 0
	}
	was, is := before != nil && claimed(s.Kind, before.Item), c.gone == nil && claimed(s.Kind, c.item)
	same := was && is && !slices.ContainsFunc(s.Kind.Unique, func(a *spec.Attribute) bool {
		return !attr.Equal(before.Item.Get(a.Name), c.item.Get(a.Name))
	})
	if s.Verb == plan.Put && is || s.Verb == plan.Delete && was && !same || s.Verb == plan.Update && was && is {
		return 1
	}
	return 0
}

// claimed reports whether an instance has a marker of a kind.
func claimed(k *plan.Kind, item attr.Item) bool {
	return spec.Unique{Of: k.Unique, While: k.While}.Claimed(item)
}

// renew estimates again what calls of writes consume, by what those that were measured have met.
func (s *session) renew() {
	before := s.seen.Written
	s.seen.Written = func(p *spec.Pattern, k *plan.Kind) []float64 {
		if t := s.tallies[p]; t.calls >= fewMeasured && len(t.meets.bytes[k]) > 0 {
			return t.meets.bytes[k]
		}
		return before(p, k)
	}
	s.seen.Marked = func(stage *plan.Stage) (float64, bool) {
		t := s.tallies[stage.Procedure.Pattern]
		n, ok := t.meets.markers[stage]
		return n / float64(max(t.calls, 1)), ok
	}
	met := s.seen.Met
	s.seen.Met = func(stage *plan.Stage) ([]cost.Run, bool) {
		t := s.tallies[stage.Procedure.Pattern]
		runs, ok := t.meets.runs[stage]
		if !ok {
			return met(stage)
		}
		runs = slices.Clone(runs)
		for i := range runs {
			runs[i].Times /= float64(max(t.calls, 1))
		}
		return runs, true
	}
	s.figures.Lengths = maps.Clone(s.figures.Lengths)
	for _, t := range s.tallies {
		for q, n := range t.meets.lengths {
			if t.calls >= fewMeasured && n > 0 {
				s.figures.Lengths[q] = n / float64(t.calls)
			}
		}
	}
	estimates := cost.EstimateMet(s.compiled, s.figures, s.seen)
	for p, t := range s.tallies {
		if len(t.meets.markers)+len(t.meets.bytes)+len(t.meets.runs)+len(t.meets.lengths) == 0 {
			continue
		}
		for arm, units := range estimates[p.Name] {
			t.result.Estimated[arm] = rounded(units)
		}
		t.estimated = sum(estimates[p.Name])
	}
}
