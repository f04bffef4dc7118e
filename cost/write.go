package cost

import (
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// writes is what a writing stage, or an action inside one, consumes per call of its pattern; of what reads, nothing.
func (f *figures) writes(p *spec.Pattern, s *plan.Stage, transacted bool) units {
	out, ok := f.write[s]
	if ok {
		return out
	}
	out = units{}
	switch s.Verb {
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			out.plus(f.writes(p, a, s.Transacted()))
		}
	case plan.Put, plan.Update, plan.Delete, plan.Check:
		f.action(p, s, transacted, out)
	}
	f.write[s] = out
	return out
}

// action adds what one written item consumes: the table's arm, which counts twice in a transaction, and that of each
// index that it touches, which does not.
func (f *figures) action(p *spec.Pattern, s *plan.Stage, transacted bool, out units) {
	if s.JoinsPut() { // the other action on the item takes the units
		return
	}
	if o := s.Outer(); o != nil { // the same, but for indexes that show the children and nothing else of what is written
		for _, x := range s.Kind.Table.Indexes {
			if x.Projects(s.Embed.Attribute) && (o.Verb == plan.Check || len(f.arms(p, o, x)) == 0) {
				for _, a := range f.arms(p, s, x) {
					out.add(x.Name(), f.actions(p, s)*a.units)
				}
			}
		}
		return
	}
	k := s.Kind
	times := f.actions(p, s)
	table := k.Table.Name
	if s.Verb == plan.Check {
		times = math.Max(times-f.joinedBy(p, s), 0)
		so, more := growth{}, 0.0
		if holds(s) {
			so = f.growing(p, s)
			more = f.added(p, s, so)
		}
		one, ok := f.changed(p, k, more)
		if !ok {
			one = f.sizeGrown(k, nil, f.Reached(p, k.Entity), nil, so).longer(more)
		}
		if transacted {
			one = capacity.Transact(one)
		}
		out.add(table, times*float64(one))
		return
	}
	arm := f.own(p, s)
	if transacted {
		arm = capacity.Transact(arm)
	}
	out.add(table, times*float64(arm))
	for _, x := range k.Table.Indexes {
		if units, ok := f.entriesTurned(s, x); ok {
			out.add(x.Name(), units)
			continue
		}
		for _, a := range f.arms(p, s, x) {
			out.add(x.Name(), times*a.units)
		}
	}
}

// holds reports whether an action on a child inside the item that is checked joins the check: they are an update of it.
func holds(check *plan.Stage) bool {
	i := slices.IndexFunc(check.Procedure.Stages, func(t *plan.Stage) bool { return slices.Contains(t.Actions, check) })
	return i >= 0 && slices.ContainsFunc(check.Procedure.Stages[i].Actions, func(s *plan.Stage) bool { return s.Outer() == check })
}

// joinedBy is how often a check is part of an update of the same item in its transaction: one that counts there for
// each of what a step before it has found.
func (f *figures) joinedBy(p *spec.Pattern, check *plan.Stage) (times float64) {
	i := slices.IndexFunc(check.Procedure.Stages, func(t *plan.Stage) bool { return slices.Contains(t.Actions, check) })
	if i < 0 || len(check.Each) > 0 {
		return 0
	}
	for _, o := range check.Procedure.Stages[i].Actions {
		if o.Verb == plan.Update && o.Kind == check.Kind && len(o.Each) > 0 && maps.Equal(o.Document.Key, check.Document.Key) {
			times += f.times(p, o)
		}
	}
	return times
}

// actions is how many items a stage writes in one call of its pattern.
func (f *figures) actions(p *spec.Pattern, s *plan.Stage) float64 {
	packed := s.Kind.Pack != nil && (s.Verb == plan.Put || s.Verb == plan.Delete) && len(s.Each) > 0
	if s.Kind.Role != plan.UniqueItem && !packed {
		return f.times(p, s)
	}
	if f.seen.Marked != nil {
		if times, ok := f.seen.Marked(s); ok {
			return times
		}
	}
	if packed {
		return f.times(p, s)
	}
	return f.times(p, s) * f.markers(p, s)
}

// own is the arm of the table itself.
func (f *figures) own(p *spec.Pattern, s *plan.Stage) capacity.WriteUnits {
	e := s.Kind.Entity
	if units, ok := f.changed(p, s.Kind, 0); ok && s.Verb == plan.Delete && s.Kind.Role == plan.EntityItem {
		return units
	}
	if s.Kind.Pack != nil {
		if met, ok := f.changed(p, s.Kind, 0); ok {
			return met
		}
		return f.packing(p, s)
	}
	if s.Verb != plan.Update {
		weight, so := workload.Even(f.Members(e)), f.growing(p, s)
		if s.Verb != plan.Put || s.Embed != nil { // a child inside changes a parent that is there
			weight = f.reached(p, s)
		} else if act := workload.ActionOf(p, e); act != nil && act.Verb == spec.Create {
			return f.sizeNew(s.Kind, weight, p, act).written()
		}
		size := f.sizeGrown(s.Kind, nil, weight, nil, so)
		there := size.written()
		switch {
		case s.Verb == plan.Delete:
			share := capacity.WriteUnits(onlyChild(p, s))
			return share*there + (1-share)*capacity.ExpectWrite(capacity.Fixed(0))
		case s.Embed != nil:
			more := f.added(p, s, so)
			if met, ok := f.changed(p, s.Kind, more); ok {
				return met
			}
			return size.longer(more)
		}
		return there
	}
	act := actionOf(p, s)
	var arm, before capacity.WriteUnits
	optional := func(name string) bool { a := e.Attribute(name); return a != nil && a.Optional }
	so := f.growing(p, s)
	longer := f.lengthens(p, act) + f.added(p, s, so)
	met, known := f.changed(p, s.Kind, longer)
	for _, step := range f.StepsOf(p, act, e, optional) {
		there := f.sizeGrown(s.Kind, nil, f.reached(p, s), step.Touched(act), so)
		arm += capacity.WriteUnits(step.Share * float64(there.longer(longer)))
		if known {
			was := f.sizeWith(s.Kind, nil, f.reached(p, s), step.Before)
			before += capacity.WriteUnits(step.Share * float64(was.longer(longer)))
		}
	}
	if before > 0 { // larger or smaller ones than calls reach by the laws, as they are before
		arm *= met / before
	}
	return arm
}

// lengthens is by how many bytes an update makes lists and sets longer to which it adds elements.
func (f *figures) lengthens(p *spec.Pattern, act *spec.Action) (bytes float64) {
	if act == nil {
		return 0
	}
	for _, set := range act.Set {
		a := act.Entity.Attribute(set.Path[0])
		if set.Value.Op != "append" && set.Value.Op != "prepend" || len(set.Path) != 1 || a == nil || a.Of == nil || len(set.Value.Args) == 0 {
			continue
		}
		n := 1.0
		if r := set.Value.Args[len(set.Value.Args)-1].Reference; len(r) > 0 {
			if q := p.Parameter(r[0]); q != nil && q.List {
				n = f.Elements(p, r)
			}
		}
		if a.Type == spec.ListType {
			bytes += n
		}
		bytes += n * a.Of.Bytes.Average
	}
	return bytes
}

// reached is how the writes of a stage spread over the items of its kind. Of children inside an item each is as likely,
// so that an item with many of them is larger and written more often.
func (f *figures) reached(p *spec.Pattern, s *plan.Stage) spread {
	if s.Embed != nil && f.SkewOver(p, s.Kind.Entity).Uniform() && f.Children(s.Embed.Way).Stated {
		return f.Kids(s.Embed.Way)
	}
	return f.Reached(p, s.Kind.Entity)
}

// arm is what a share of calls puts on the entry of an item, by the key under which it lies then: an entry that moves
// is two.
type arm struct {
	units float64        // of one written item
	is    known          // what is known of the item there
	step  *workload.Step // what writes it there; nil: all of it is new, or stays as it is
}

// actionOf is the action of a pattern that a stage carries out: of several on one entity that with its key.
func actionOf(p *spec.Pattern, s *plan.Stage) *spec.Action {
	for _, a := range p.Actions {
		if a.Entity == s.Kind.Entity && len(a.Key) > 0 && !slices.ContainsFunc(a.Key, func(k spec.Assign) bool { return s.Document.Key[k.Path.String()] != k.Value.String() }) {
			return a
		}
	}
	return workload.ActionOf(p, s.Kind.Entity)
}

// arms is what an action does to one index.
func (f *figures) arms(p *spec.Pattern, s *plan.Stage, x *plan.Access) []arm {
	keys := keyRecipes(s.Kind, x)
	if keys == nil { // this kind never has an entry
		return nil
	}
	if s.Kind.Pack != nil {
		return []arm{{f.packed(p, s, x, keys), f.Initial(s.Kind.Entity), nil}}
	}
	e := s.Kind.Entity
	changed := f.Changed(p, e)
	weight := workload.Even(f.Members(e))
	if s.Verb != plan.Put && changed == 1 { // else every life has as many changes, however often it is written
		weight = f.reached(p, s)
	}
	on := func(verb capacity.Arm, sure known) float64 {
		return f.sizeWith(s.Kind, x, weight, sure).arm(verb)
	}
	act := actionOf(p, s)
	switch {
	case s.Embed != nil: // a child inside the item: the item's entries stay where they are
		if x.Projects(s.Embed.Attribute) {
			return []arm{{f.indexed(s.Kind, keys, nil) * on(capacity.InPlace, nil), nil, nil}}
		}
		return nil
	case s.Verb == plan.Put && s.EntersLater(x):
		if act != nil && act.Verb == spec.Replace {
			return []arm{{f.indexed(s.Kind, keys, nil) * on(capacity.Leave, nil), nil, nil}}
		}
		return nil // its entry comes with what is filled in
	case s.Fills && slices.ContainsFunc(keys, func(r *plan.Recipe) bool { return slices.Contains(s.Changes, r.Wire.Name) }):
		return []arm{{f.indexed(s.Kind, keys, nil) * on(capacity.Enter, nil), nil, nil}}
	case s.Verb == plan.Put && act != nil && act.Verb == spec.Replace:
		return []arm{{f.indexed(s.Kind, keys, nil) * on(capacity.InPlace, nil), nil, nil}}
	case s.Verb == plan.Put:
		is := f.Initial(e)
		enters := f.indexed(s.Kind, keys, is)
		new := []arm{{enters * on(capacity.Enter, is), is, nil}}
		if again := f.Renews(p); again > 0 && act != nil && act.Verb == spec.Upsert {
			new[0].units *= 1 - again
			return append(new, arm{again * f.renewed(s, x, keys, enters, on), is, nil})
		}
		return new
	case s.Verb == plan.Delete:
		var out []arm
		for _, d := range workload.Demands(p, e) {
			out = append(out, arm{d.Share * onlyChild(p, s) * f.indexed(s.Kind, keys, d.Is) * on(capacity.Leave, nil), d.Is, nil})
		}
		return out
	}
	var out []arm
	made := act.Made(p)
	if made > 0 && !s.EntersLater(x) {
		is := f.Initial(e)
		out = append(out, arm{made * f.indexed(s.Kind, keys, is) * on(capacity.Enter, is), is, nil})
	}
	add := func(units float64, is known, step *workload.Step) {
		if units *= float64(changed * (1 - made)); units > 0 {
			out = append(out, arm{units, is, step})
		}
	}
	steps := f.copying(p, s, x, keys)
	if steps == nil {
		steps = f.StepsOf(p, act, e, f.concerned(s, x, keys))
	}
	for _, step := range steps {
		touched := step.Touched(act)
		inPlace := slices.ContainsFunc(s.Changes, func(name string) bool { return x.Projects(name) && f.rewrites(s, act, &step, name) })
		if !slices.ContainsFunc(keys, func(r *plan.Recipe) bool { return slices.Contains(s.Changes, r.Wire.Name) }) {
			if inPlace {
				add(step.Share*f.indexed(s.Kind, keys, step.Before)*on(capacity.InPlace, touched), step.Before, nil)
			}
			continue
		}
		was, is, both := f.turned(s.Kind, keys, step.Before, step.After)
		switch {
		case slices.ContainsFunc(keys, func(r *plan.Recipe) bool { return f.rewritten(s, act, &step, r) }):
			units := step.Share * both * on(capacity.Move, touched) / 2
			add(units, step.Before, nil)
			add(units, step.After, &step)
		case inPlace:
			add(step.Share*both*on(capacity.InPlace, touched), step.Before, nil)
		}
		add(step.Share*(is-both)*on(capacity.Enter, step.After), step.After, &step)
		add(step.Share*(was-both)*on(capacity.Leave, step.Before), step.Before, nil)
	}
	return out
}

// copying are the steps of an update that writes copies alone, as those of what they are copies of: a copy changes as
// often as that does. They tell copies by the names under which they are stored, and by the paths that lead to what
// they are of. nil: it writes something else, or copies of several.
func (f *figures) copying(p *spec.Pattern, s *plan.Stage, x *plan.Access, keys []*plan.Recipe) (out []workload.Step) {
	if actionOf(p, s) != nil {
		return nil
	}
	var of *spec.Entity
	names := map[string][]string{} // of attributes that it copies, by their own
	several := false
	add := func(a *spec.Attribute, path spec.Path, name string, matters bool) {
		several = several || of != nil && of != a.Entity
		of = a.Entity
		if matters {
			names[a.Name] = append(names[a.Name], name, path.String())
		}
	}
	for _, st := range s.Kind.Stored {
		if slices.Contains(s.Changes, st.Name) {
			if !st.Copy {
				return nil
			}
			add(st.Attribute, st.Path, st.Name, x.Projects(st.Name))
		}
	}
	for _, r := range s.Kind.Recipes {
		for _, part := range r.Parts {
			if part.Attribute != nil && len(part.Path) > 1 && slices.Contains(s.Changes, r.Wire.Name) {
				add(part.Attribute, part.Path, part.Path.String(), slices.Contains(keys, r) || x.Projects(r.Wire.Name))
			}
		}
	}
	if of == nil || several || workload.ActionOf(p, of) == nil || workload.ActionOf(p, of).Verb != spec.Update {
		return nil
	}
	as := func(is known) known {
		told := known{}
		for name, value := range is {
			for _, n := range names[name] {
				told[n] = value
			}
		}
		return told
	}
	for _, step := range f.Steps(p, of, func(name string) bool { return names[name] != nil }) {
		one := workload.Step{Share: step.Share, Before: as(step.Before), After: as(step.After), Left: map[string]bool{}}
		for name := range step.Left {
			for _, n := range names[name] {
				one.Left[n] = true
			}
		}
		out = append(out, one)
	}
	return out
}

// onlyChild is the share of calls in which a get or a delete finds something: the only child of what is deleted, by the
// parent's key, may not be there.
func onlyChild(p *spec.Pattern, s *plan.Stage) float64 {
	if len(s.Each) > 0 || s.Kind == nil || s.Kind.Role != plan.EntityItem {
		return 1
	}
	for _, a := range p.Actions {
		for _, with := range a.With {
			if w := a.Entity.WayBack(with); a.Verb == spec.Delete && w != nil && w.From == s.Kind.Entity && w.Single() {
				return math.Min(w.PerParent.Average, 1)
			}
		}
	}
	return 1
}

// renewed is what an upsert does to the entry of what is there: it has the identity of what it takes the place of, and
// values of its own of all else.
func (f *figures) renewed(s *plan.Stage, x *plan.Access, keys []*plan.Recipe, has float64, on func(capacity.Arm, known) float64) float64 {
	same := 1.0 // share of these whose key stays
	for _, r := range keys {
		for _, part := range r.Parts {
			a := part.Attribute
			if a == nil || slices.Contains(s.Kind.Entity.Identity, a) {
				continue
			}
			equal := 0.0
			for _, v := range a.Shares {
				equal += float64(v.Of * v.Of)
			}
			same *= equal
		}
	}
	stays := same*on(capacity.InPlace, nil) + (1-same)*on(capacity.Move, nil)
	if has >= 1 {
		return stays
	}
	return has*has*stays + 2*has*(1-has)*on(capacity.Enter, nil)
}

// concerned says which attributes matter to an index: those that its key is made of, what its conditions test, and
// whatever it projects of what may be left out or stay as it is.
func (f *figures) concerned(s *plan.Stage, x *plan.Access, keys []*plan.Recipe) func(name string) bool {
	names := map[string]bool{}
	for _, r := range keys {
		for _, part := range r.Parts {
			if len(part.Path) > 0 {
				names[part.Path[0]] = true
			}
		}
		for t := range spec.Tests(r.When) {
			if len(t.Path) > 0 {
				names[t.Path[0]] = true
			}
		}
	}
	return func(name string) bool {
		a := s.Kind.Entity.Attribute(name)
		return names[name] || a != nil && a.States == nil && x.Projects(name)
	}
}

// rewrites reports whether a step changes a wire attribute that the stage may change. What an update is said to change
// may be a template whose `when` alone is concerned: its value stays while it is there.
func (f *figures) rewrites(s *plan.Stage, act *spec.Action, step *workload.Step, name string) bool {
	if r := s.Kind.Recipe(name); r != nil {
		return f.rewritten(s, act, step, r)
	}
	return !step.Left[name] && !stays(step, name)
}

// stays reports whether a step writes what was there.
func stays(step *workload.Step, name string) bool {
	before, known := step.Before[name]
	return known && before != workload.There && before == step.After[name]
}

// rewritten reports whether a step changes a part of a template.
func (f *figures) rewritten(s *plan.Stage, act *spec.Action, step *workload.Step, r *plan.Recipe) bool {
	return slices.ContainsFunc(r.Parts, func(part *plan.Part) bool {
		switch {
		case part.Attribute == nil:
			return false
		case part.Attribute.Entity != s.Kind.Entity: // copied from elsewhere: it is written because it changes
			return !step.Left[part.Path.String()] && !stays(step, part.Path.String())
		}
		name := part.Attribute.Name
		if slices.Contains(s.Kind.Entity.Identity, part.Attribute) {
			return false // an update that may make the item writes it as it was
		}
		return !step.Left[name] && !stays(step, name) && (slices.Contains(s.Changes, name) || step.Writes(act, name))
	})
}

// markers is the share of calls that write a unique marker: those in which all that is unique is there, and unique for
// what the instance is, and in which something of that is written. What an update sets is there after it, what it
// removes was before. Of what stays unique where not all changes, the marker is put anew and not deleted, as is one
// that the call gives up and claims again.
func (f *figures) markers(p *spec.Pattern, s *plan.Stage) float64 {
	share := f.writtenAlone(p, s)
	if s.Verb != plan.Delete {
		return share
	}
	for _, x := range s.Procedure.Stages {
		if !slices.Contains(x.Actions, s) {
			continue
		}
		for _, put := range x.Actions {
			if put.Renews(s) {
				share *= 1 - f.writtenAlone(p, put)
			}
		}
	}
	return share
}

// claims is the action whose instance has the marker that a stage writes. Of several on the entity, each has its marker
// deleted if its instance may have one before it, and put if it may have one after it: in the order of the actions.
func (f *figures) claims(p *spec.Pattern, s *plan.Stage) *spec.Action {
	e, u := s.Kind.Entity, spec.Unique{Of: s.Kind.Unique, While: s.Kind.While}
	var acts []*spec.Action
	for _, a := range p.Actions {
		if a.Entity != e {
			continue
		}
		before, after := a.Decides(u.While)
		last := after
		none := a.Verb == spec.Delete
		if s.Verb == plan.Delete {
			last, none = before, a.Verb == spec.Create
		}
		touches := a.Verb != spec.Update || slices.ContainsFunc(e.Attributes, func(x *spec.Attribute) bool { return u.Rests(x) && a.Changes(x.Name) })
		if !none && touches && last != spec.Never {
			acts = append(acts, a)
		}
	}
	var alike []*plan.Stage
	for _, x := range s.Procedure.Stages {
		for _, y := range x.Actions {
			if y.Kind == s.Kind && y.Verb == s.Verb {
				alike = append(alike, y)
			}
		}
	}
	if len(alike) != len(acts) || len(acts) == 0 {
		return workload.ActionOf(p, e)
	}
	return acts[slices.Index(alike, s)]
}

// writtenAlone is the share of calls in which the instance of one action asks for it, whatever other actions do.
func (f *figures) writtenAlone(p *spec.Pattern, s *plan.Stage) float64 {
	e := s.Kind.Entity
	act := f.claims(p, s)
	u := spec.Unique{Of: s.Kind.Unique, While: s.Kind.While}
	rests := func(name string) bool { a := e.Attribute(name); return a != nil && u.Rests(a) }
	total := 0.0
	for _, step := range f.StepsOf(p, act, e, rests) {
		if act != nil && act.Verb == spec.Create {
			for name, state := range f.Initial(e) {
				step.After = step.After.With(name, state)
			}
		}
		was, is, both := f.Turn(claimed(s.Kind), e, step.Before, step.After)
		share := is
		if s.Verb == plan.Delete {
			share = was
		}
		alone, same := act != nil && act.Verb == spec.Update, act != nil && act.Verb == spec.Update
		for _, a := range e.Attributes {
			if !u.Rests(a) {
				continue
			}
			alone = alone && step.Left[a.Name]
			same = same && (u.Tests(a) && !slices.Contains(u.Of, a) || step.Left[a.Name] || !act.Changes(a.Name))
		}
		if same && s.Verb == plan.Delete {
			share -= both
		}
		if !alone {
			total += float64(step.Share * share)
		}
	}
	return total
}
