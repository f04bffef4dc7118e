package prove

import (
	"maps"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A touched is what calls of a write pattern meet. Calls of a proof change what is stored as often as one another,
// however rare they are in the application, and what they are about is not always what the laws say: the oracle knows
// before each call which instances it changes or requires, and which of them have a marker, or an entry in an index,
// and will have one.
type touched struct {
	turns   map[target][]cost.Turn
	markers map[*plan.Stage]float64 // that a step writes
	bytes   map[*plan.Kind][]float64
	runs    map[*plan.Stage][]cost.Run  // of steps that read first
	lengths map[*spec.Parameter]float64 // of lists
}

// A target is an index that a step writes to.
type target struct {
	step  *plan.Stage
	index *plan.Access
}

func (t *touched) add(o touched) {
	for at, all := range o.turns {
		if t.turns == nil {
			t.turns = map[target][]cost.Turn{}
		}
		t.turns[at] = append(t.turns[at], all...)
	}
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
	w := newWalk(o, proc, s.src)
	found, values := w.call(args)
	for _, x := range proc.Stages {
		if runs, ok := w.met(x); ok {
			out.add(touched{runs: map[*plan.Stage][]cost.Run{x: runs}})
		}
	}
	var about []*Instance
	var changes []change
	if slices.ContainsFunc(proc.Stages, func(x *plan.Stage) bool { return indexed(x) || slices.ContainsFunc(x.Actions, indexed) }) {
		_, changes = o.plan(p, args, nil)
		out.turns = o.turns(p, proc, changes, items)
	}
	for _, x := range proc.Stages {
		for _, a := range append([]*plan.Stage{x}, x.Actions...) {
			if tallies(p, a) {
				if all, known := w.keyed(a, found, args, values); known {
					out.add(tallied(a, all, items))
					continue
				}
			}
			switch {
			case a.Kind == nil || len(a.Actions) > 0 || !a.Verb.Writes() && a.Verb != plan.Check:
			case a.Kind.Role == plan.UniqueItem && a.Verb.Writes():
				if changes == nil {
					_, changes = o.plan(p, args, nil)
				}
				alike := 0
				for _, y := range x.Actions {
					if y.Kind == a.Kind && y.Verb == a.Verb {
						alike++
					}
				}
				out.add(touched{markers: map[*plan.Stage]float64{a: o.marks(a, changes) / float64(max(alike, 1))}})
			case a.Kind.Pack != nil && (a.Verb == plan.Put || a.Verb == plan.Delete):
				all := wholes(p, a.Kind.Entity, o, args)
				if a.Verb == plan.Delete {
					all = goings(p, a.Kind.Entity, o, args)
				}
				met := items.packed(a, all)
				out.add(met)
				if len(a.Each) > 0 { // those in one item are written together
					out.add(touched{markers: map[*plan.Stage]float64{a: float64(len(met.bytes[a.Kind]))}})
				}
			case a.Joins(): // the other action on the item meets it
			case a.Embed != nil && a.Verb == plan.Put:
				if changes == nil {
					_, changes = o.plan(p, args, nil)
				}
				for _, c := range changes {
					if c.gone != nil || c.entity != a.Embed.Child {
						continue
					}
					child := &Instance{Entity: c.entity, Item: c.item, ID: c.entity.IdentityOf(c.item)}
					if in := o.parent(child, a.Embed.Way); in != nil {
						out.add(touched{bytes: map[*plan.Kind][]float64{a.Kind: {items.holds(a.Kind, nil, in)}}})
					}
				}
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

// tallies reports whether a step only keeps numbers of children, in the item of a parent that no action of its pattern
// names.
func tallies(p *spec.Pattern, s *plan.Stage) bool {
	return s.Verb == plan.Update && s.Kind != nil && s.Kind.Role == plan.EntityItem && s.Embed == nil && len(s.Actions) == 0 &&
		!slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return a.Entity == s.Kind.Entity }) &&
		!slices.ContainsFunc(s.Changes, func(name string) bool { return !sums(s.Kind, name) })
}

// sums reports whether what an item has under a name is a number that is kept of children, or made of one.
func sums(k *plan.Kind, name string) bool {
	if r := k.Recipe(name); r != nil {
		return slices.ContainsFunc(r.Parts, func(part *plan.Part) bool { return summed(part.Attribute) })
	}
	return slices.ContainsFunc(k.Stored, func(st *plan.Stored) bool { return st.Name == name && summed(st.Attribute) })
}

// tallied is what a step that keeps numbers meets: the items of some instances, and their entries in indexes.
func tallied(s *plan.Stage, all []*Instance, items *walk) touched {
	k := s.Kind
	out := touched{bytes: map[*plan.Kind][]float64{}, turns: map[target][]cost.Turn{}}
	for _, in := range all {
		out.bytes[k] = append(out.bytes[k], items.holds(k, nil, in))
	}
	for _, x := range k.Table.Indexes {
		keys := keyed(k, x)
		if slices.ContainsFunc(keys, func(r *plan.Recipe) bool {
			for t := range spec.Tests(r.When) {
				if len(t.Path) > 0 && summed(k.Entity.Attribute(t.Path[0])) {
					return true
				}
			}
			return false
		}) {
			continue // the number decides whether there is an entry
		}
		arm := capacity.None
		switch {
		case slices.ContainsFunc(keys, func(r *plan.Recipe) bool { return slices.Contains(s.Changes, r.Wire.Name) }):
			arm = capacity.Move
		case slices.ContainsFunc(s.Changes, x.Projects):
			arm = capacity.InPlace
		}
		turns := []cost.Turn{}
		for _, in := range all {
			if items.entered(k, x, in) {
				n := items.holds(k, x, in)
				turns = append(turns, cost.Turn{Arm: arm, Before: n, After: n})
			}
		}
		out.turns[target{s, x}] = turns
	}
	return out
}

// indexed reports whether a step writes the item of an entity in a table that has indexes.
func indexed(s *plan.Stage) bool {
	return s.Verb.Writes() && len(s.Actions) == 0 && s.Kind != nil && s.Kind.Role == plan.EntityItem && s.Embed == nil &&
		len(s.Kind.Table.Indexes) > 0
}

// turns are what the changes of a call do to entries of indexes, by the steps that make them. What a step writes that
// is no change of the entity, as copies and numbers are, and what several steps write, is left to the laws.
func (o *Oracle) turns(p *spec.Pattern, proc *plan.Procedure, changes []change, items *walk) map[target][]cost.Turn {
	writers := map[*plan.Kind][]*plan.Stage{}
	for _, x := range proc.Stages {
		for _, s := range append([]*plan.Stage{x}, x.Actions...) {
			if s.Kind != nil && s.Verb.Writes() && len(s.Actions) == 0 && !s.Joins() {
				writers[s.Kind] = append(writers[s.Kind], s)
			}
		}
	}
	out := map[target][]cost.Turn{}
	for k, steps := range writers {
		s := steps[0]
		about := func(a *spec.Action) bool { return a.Entity == k.Entity }
		if len(steps) > 1 || !indexed(s) || s.Verb != plan.Delete && !slices.ContainsFunc(p.Actions, about) {
			continue
		}
		last := map[string]change{} // what several actions do to one instance
		var ids []string
		for _, c := range changes {
			e, id := c.entity, ""
			if c.gone != nil {
				e, id = c.gone.Entity, c.gone.ID
			} else {
				id = e.IdentityOf(c.item)
			}
			if e != k.Entity {
				continue
			}
			if _, ok := last[id]; !ok {
				ids = append(ids, id)
			}
			last[id] = c
		}
		for _, x := range k.Table.Indexes {
			sums := func(r *plan.Recipe) bool {
				return slices.ContainsFunc(r.Parts, func(part *plan.Part) bool { return summed(part.Attribute) })
			}
			inside := func(m *plan.Embedding) bool { return x.Projects(m.Attribute) }
			if k.Pack != nil || keyed(k, x) == nil || slices.ContainsFunc(keyed(k, x), sums) || slices.ContainsFunc(k.Embeds, inside) {
				continue
			}
			at := target{s, x}
			out[at] = []cost.Turn{}
			for _, id := range ids {
				out[at] = append(out[at], o.turnOf(s, x, last[id], items))
			}
		}
	}
	return out
}

// summed reports whether an attribute is a number that is kept of children: what a change makes of it, its own entity
// does not tell.
func summed(a *spec.Attribute) bool { return a != nil && a.Derived != nil && a.Derived.Func != "" }

// written are the attributes of an item that is there which a step can change.
func written(s *plan.Stage) (names []string) {
	if s.Verb == plan.Update {
		return s.Changes
	}
	for _, x := range s.Kind.Stored {
		names = append(names, x.Name)
	}
	for _, r := range s.Kind.Recipes {
		names = append(names, r.Wire.Name)
	}
	return names
}

// turnOf is what a change does to the entry of an instance.
func (o *Oracle) turnOf(s *plan.Stage, x *plan.Access, c change, items *walk) (t cost.Turn) {
	k, before := s.Kind, c.gone
	var after *Instance
	if c.gone == nil {
		before = o.Find(c.entity, c.item)
		after = &Instance{Entity: c.entity, Item: c.item, ID: c.entity.IdentityOf(c.item)}
	}
	if before != nil && items.entered(k, x, before) {
		t.Arm, t.Before = capacity.Leave, items.holds(k, x, before)
	}
	if after == nil || s.EntersLater(x) || !items.entered(k, x, after) {
		return t
	}
	t.After = items.holds(k, x, after)
	moves := func(a *spec.Attribute, path spec.Path) bool {
		return summed(a) || !attr.Equal(o.value(before, path), o.value(after, path))
	}
	differs := func(r *plan.Recipe) bool {
		return slices.ContainsFunc(r.Parts, func(part *plan.Part) bool { return part.Path != nil && moves(part.Attribute, part.Path) })
	}
	changed := func(name string) bool {
		if r := k.Recipe(name); r != nil {
			return x.Projects(name) && differs(r)
		}
		st := slices.IndexFunc(k.Stored, func(st *plan.Stored) bool { return st.Name == name })
		return x.Projects(name) && (st < 0 || moves(k.Stored[st].Attribute, k.Stored[st].Path))
	}
	switch {
	case t.Arm == capacity.None:
		t.Arm = capacity.Enter
	case slices.ContainsFunc(keyed(k, x), differs):
		t.Arm = capacity.Move
	case slices.ContainsFunc(written(s), changed):
		t.Arm = capacity.InPlace
	default:
		t.Arm = capacity.None
	}
	return t
}

// marks is how many markers of its kind a call writes by a verb: it changes instances that have them. A marker that is
// deleted and put again under the same key, for the same instance or for another one, is put.
func (o *Oracle) marks(s *plan.Stage, changes []change) float64 {
	var left, taken []attr.Item // what instances claim no more, and what they claim now
	stays := 0
	for _, c := range changes {
		before := c.gone
		if before == nil {
			before = o.Find(c.entity, c.item)
		}
		if before != nil && before.Entity != s.Kind.Entity || before == nil && c.entity != s.Kind.Entity {
			continue
		}
		was, is := before != nil && claimed(s.Kind, before.Item), false
		if was {
			left = append(left, before.Item)
		}
		if c.gone == nil {
			item := o.following(c.entity, c.item)
			if is = claimed(s.Kind, item); is {
				taken = append(taken, item)
			}
		}
		if was && is {
			stays++
		}
	}
	switch s.Verb {
	case plan.Put:
		return float64(len(taken))
	case plan.Update:
		return float64(stays)
	case plan.Delete:
		return float64(len(slices.DeleteFunc(left, func(was attr.Item) bool {
			return slices.ContainsFunc(taken, func(is attr.Item) bool {
				return !slices.ContainsFunc(s.Kind.Unique, func(a *spec.Attribute) bool {
					return !attr.Equal(was.Get(a.Name), is.Get(a.Name))
				})
			})
		})))
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
	s.seen.Turned = func(stage *plan.Stage, x *plan.Access) ([]cost.Turn, int, bool) {
		t := s.tallies[stage.Procedure.Pattern]
		turns, ok := t.meets.turns[target{stage, x}]
		return turns, t.calls, ok
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
			if t.calls >= fewMeasured { // none at all where nothing stored belongs to what else a call says
				s.figures.Lengths[q] = n / float64(t.calls)
			}
		}
	}
	estimates := cost.EstimateMet(s.compiled, s.figures, s.seen)
	for p, t := range s.tallies {
		if len(t.meets.turns)+len(t.meets.markers)+len(t.meets.bytes)+len(t.meets.runs)+len(t.meets.lengths) == 0 {
			continue
		}
		for arm, units := range estimates[p.Name] {
			t.result.Estimated[arm] = rounded(units)
		}
		t.estimated = sum(estimates[p.Name])
	}
}
