package prove

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Which unique markers a write puts, changes and deletes depends on which instances it is about. Calls of a proof change what is
// stored as often as one another, however rare they are in the application, so that stated shares do not tell whom a call meets:
// the oracle knows before each call which instances have a marker, and which will.

// marking is how many markers each step of a write plan is about to write in a call; nil: it writes none.
func (o *Oracle) marking(proc *plan.Procedure, args attr.Item) map[*plan.Stage]float64 {
	var stages []*plan.Stage
	for _, s := range proc.Stages {
		for _, a := range append([]*plan.Stage{s}, s.Actions...) {
			if a.Kind != nil && a.Kind.Role == plan.UniqueItem && a.Verb.Writes() && len(a.Actions) == 0 {
				stages = append(stages, a)
			}
		}
	}
	if len(stages) == 0 {
		return nil
	}
	_, changes := o.plan(proc.Pattern, args)
	out := map[*plan.Stage]float64{}
	for _, s := range stages {
		out[s] = 0
		for _, c := range changes {
			out[s] += o.marks(s, c)
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

// mark estimates again what calls consume whose markers have been counted.
func (s *session) mark() {
	s.seen.Marked = func(stage *plan.Stage) (float64, bool) {
		t := s.tallies[stage.Procedure.Pattern]
		n, ok := t.marked[stage]
		return n / float64(max(t.calls, 1)), ok
	}
	estimates := cost.EstimateMet(s.compiled, s.figures, s.seen)
	for p, t := range s.tallies {
		if len(t.marked) == 0 {
			continue
		}
		for arm, units := range estimates[p.Name] {
			t.result.Estimated[arm] = rounded(units)
		}
		t.estimated = sum(estimates[p.Name])
	}
}
