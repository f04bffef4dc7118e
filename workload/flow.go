package workload

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// Known is what is known of an instance: the values of some attributes, by name; There for one whose value is not
// known, Gone for one that is absent.
type Known map[string]string

// What is known of an attribute besides its value.
const (
	There = ""
	Gone  = "\x00"
)

// Presence is the share of instances that have an attribute.
func (k Known) Presence(a *spec.Attribute) float64 {
	if a != nil {
		if v, ok := k[a.Name]; ok {
			if v == Gone {
				return 0
			}
			return 1
		}
	}
	return presence(a)
}

// With is k with what else is known.
func (k Known) With(name, value string) Known {
	out := Known{name: value}
	for n, v := range k {
		if n != name {
			out[n] = v
		}
	}
	return out
}

// Optional is what is known of an entity's optional attributes, as text: with equal ones, sizes are equal.
func (k Known) Optional(e *spec.Entity) string {
	var b strings.Builder
	for _, a := range e.Attributes {
		if v, ok := k[a.Name]; ok && (a.Optional || a.States != nil || len(a.Shares) > 0) {
			b.WriteString(a.Name + "=" + v + ";")
		}
	}
	return b.String()
}

// ActionOf is the action of a pattern on an entity; nil if it has none.
func ActionOf(p *spec.Pattern, e *spec.Entity) *spec.Action {
	i := slices.IndexFunc(p.Actions, func(a *spec.Action) bool { return a.Entity == e })
	if i < 0 {
		return nil
	}
	return p.Actions[i]
}

// stated is the parameter that decides whether an action sets an attribute: one that a call may leave out; nil: none.
func stated(p *spec.Pattern, a *spec.Action, name string) *spec.Parameter {
	for _, s := range a.Set {
		if s.Path[0] != name {
			continue
		}
		for t := range s.Value.Terms() {
			if len(t.Reference) == 0 {
				continue
			}
			if q := p.Parameter(t.Reference[0]); q != nil && q.Optional {
				return q
			}
		}
	}
	return nil
}

// Demanded is what a pattern demands of what it changes.
func Demanded(p *spec.Pattern, e *spec.Entity) Known {
	return demanded(ActionOf(p, e), e)
}

func demanded(a *spec.Action, e *spec.Entity) Known {
	k := Known{}
	if a == nil {
		return k
	}
	for _, c := range spec.Conjuncts(a.Condition) {
		t, ok := c.(*spec.Test)
		if !ok || len(t.Path) != 1 || e.Attribute(t.Path[0]) == nil {
			continue
		}
		switch at := e.Attribute(t.Path[0]); {
		case t.Op == "absent":
			k[at.Name] = Gone
		case t.Op == "=" && len(t.Args) == 1 && t.Args[0].Op == "" && spec.ConstantText(t.Args[0].Literal) != "":
			k[at.Name] = spec.ConstantText(t.Args[0].Literal)
		case at.Optional && t.Op != "!=": // of what is not there no comparison holds
			k[at.Name] = There
		}
	}
	return k
}

// A Demand is what a share of a pattern's calls finds of what it changes.
type Demand struct {
	Share float64
	Is    Known
}

// Demands is Demanded, told apart by the states and values of enums where a pattern takes several: each comes up as
// often as it is stored. What moves a state itself is about each state that it leaves as often as about the others, as
// Steps says.
func Demands(p *spec.Pattern, e *spec.Entity) []Demand {
	return demands(ActionOf(p, e), e)
}

func demands(a *spec.Action, e *spec.Entity) []Demand {
	all := []Demand{{1, demanded(a, e)}}
	if a == nil {
		return all
	}
	for _, c := range spec.Conjuncts(a.Condition) {
		at, values := oneOf(e, c)
		if at == nil || a.Sets(at.Name) || len(all)*len(values) > mostSteps {
			continue
		}
		if is, ok := all[0].Is[at.Name]; ok && is != There {
			continue // said already
		}
		var next []Demand
		for _, d := range all {
			sum := 0.0
			for _, s := range values {
				sum += s.Of
			}
			for _, s := range values {
				if s.Of > 0 {
					next = append(next, Demand{d.Share * s.Of / sum, d.Is.With(at.Name, s.Value)})
				}
			}
		}
		if len(next) > 0 {
			all = next
		}
	}
	return all
}

// oneOf are the stated values of an attribute among which a test wants to find it; nil: it is no such test.
func oneOf(e *spec.Entity, c spec.Condition) (*spec.Attribute, []spec.Share) {
	t, ok := c.(*spec.Test)
	if !ok || t.Op != "in" || len(t.Path) != 1 {
		return nil, nil
	}
	at := e.Attribute(t.Path[0])
	if at == nil || !decided(t, at) {
		return nil, nil
	}
	return at, slices.DeleteFunc(slices.Clone(shares(at)), func(s spec.Share) bool {
		return !slices.ContainsFunc(t.Args, func(v spec.Expr) bool { x, _ := text(v); return x == s.Value })
	})
}

// Step is what a share of a pattern's updates of an entity does to the instance.
type Step struct {
	Share         float64
	Before, After Known
	Left          map[string]bool // attributes that the pattern can set and this step leaves as they are
}

// Writes reports whether the step sets or removes an attribute of those that the action writes.
func (s *Step) Writes(a *spec.Action, name string) bool {
	return a != nil && !s.Left[name] && a.Changes(name)
}

// leaves is the share of a step that leaves some attributes as they are.
func (s *Step) leaves(share float64, names ...string) Step {
	out := *s
	out.Share = float64(s.Share * share)
	out.Left = maps.Clone(s.Left)
	if out.Left == nil {
		out.Left = map[string]bool{}
	}
	for _, name := range names {
		out.Left[name] = true
	}
	return out
}

// Touched is what is known of the optional attributes of the larger of the item before and after: it has what the step
// sets or removes, and of the others what it has before and after, or has not.
func (s *Step) Touched(a *spec.Action) Known {
	if a == nil || a.Verb != spec.Update {
		return nil
	}
	k := Known{}
	for _, at := range a.Entity.Attributes {
		was, before := s.Before[at.Name]
		is, after := s.After[at.Name]
		if at.Optional && before && after && (was == Gone) == (is == Gone) {
			if k[at.Name] = There; was == Gone {
				k[at.Name] = Gone
			}
		}
	}
	for _, set := range a.Set {
		if len(set.Path) == 1 && !s.Left[set.Path[0]] {
			k[set.Path[0]] = There
		}
	}
	for _, path := range a.Remove {
		if len(path) == 1 {
			k[path[0]] = There
		}
	}
	return k
}

// mostSteps bounds how many steps are told apart: of more, what is written is taken to be there with any value.
const mostSteps = 512

// Steps are what updates of an entity by a pattern do to it, with their shares:
//
//   - A call leaves out the optional parameters that it does not state, by their shares, and sets what the others say.
//   - What is set to another value changes. A life passes its states, each step once (see Leaves); of the values of an enum,
//     those that many instances have are left as often as they are entered, so that shares stay what they are.
//   - Optional attributes that it sets are there afterwards, and were before if most have them; those that it removes were
//     there. What comes with a state is there in that and those after it, and in no other.
//   - What is set if it is missing stays as it is where it is there.
//
// Only attributes in which about is interested are told apart; nil: all.
func (w *Workload) Steps(p *spec.Pattern, e *spec.Entity, about func(name string) bool) []Step {
	return w.StepsOf(p, ActionOf(p, e), e, about)
}

// StepsOf are the [Workload.Steps] of one of a pattern's actions on an entity, where it has several; a is nil where it
// has none.
func (w *Workload) StepsOf(p *spec.Pattern, a *spec.Action, e *spec.Entity, about func(name string) bool) []Step {
	steps := w.stepsOf(p, a, e, about)
	for i, s := range steps {
		steps[i].Before, steps[i].After = w.implied(s.Before, e), w.implied(s.After, e)
	}
	return steps
}

func (w *Workload) stepsOf(p *spec.Pattern, a *spec.Action, e *spec.Entity, about func(name string) bool) []Step {
	var steps []Step
	for _, d := range demands(a, e) {
		steps = append(steps, Step{Share: d.Share, Before: d.Is, After: d.Is})
	}
	if a == nil || a.Verb != spec.Update {
		return steps
	}
	for _, q := range p.Parameters { // which of those that can be left out are stated
		var names []string
		for _, s := range a.Set {
			if name := s.Path[0]; q.Optional && stated(p, a, name) == q && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) == 0 || 2*len(steps) > mostSteps || about != nil && !slices.ContainsFunc(names, about) {
			continue
		}
		var next []Step
		for _, s := range steps {
			with := s
			with.Share = float64(s.Share * q.Stated)
			next = append(next, with, s.leaves(1-q.Stated, names...))
		}
		steps = slices.DeleteFunc(next, func(s Step) bool { return s.Share <= 0 })
	}
	moved := false // one life cycle at a time
	for _, set := range a.Set {
		at := e.Attribute(set.Path[0])
		if at == nil || len(set.Path) > 1 {
			continue
		}
		if set.Value.Op == "if_missing" && slices.Equal(set.Value.Args[0].Path, set.Path) {
			steps = missing(steps, at)
			continue
		}
		turns := func(Step) []turn { return []turn{{share: 1, after: There}} }
		interesting := about == nil || about(at.Name)
		to, literal := text(set.Value)
		switch {
		case at.States != nil && !moved:
			moved = true
			turns = func(s Step) []turn { return w.lives(a, at, s.Before, to) }
		case len(shares(at)) > 0 && at.States == nil && (interesting || literal):
			stays := Adds(a) || Reports(a) && to == ""
			turns = func(s Step) []turn { return flips(at, s.Before, to, stays, a.Condition) }
		case literal:
			turns = func(Step) []turn { return []turn{{share: 1, after: to}} }
		}
		var next []Step
		for _, s := range steps {
			if s.Left[at.Name] {
				next = append(next, s)
				continue
			}
			if _, ok := s.Before[at.Name]; !ok && at.Optional && at.Present < half {
				s.Before = s.Before.With(at.Name, Gone)
			}
			all := turns(s)
			if len(steps)*len(all) > mostSteps {
				all = []turn{{share: 1, after: There}}
			}
			for _, t := range all {
				one := Step{Share: float64(s.Share * t.share), Before: s.Before, After: s.After.With(at.Name, t.after), Left: s.Left}
				if t.from {
					one.Before = s.Before.With(at.Name, t.before)
				}
				if t.none {
					one.After = s.After
				}
				next = append(next, one)
			}
		}
		steps = next
	}
	for _, path := range a.Remove {
		if len(path) > 1 {
			continue
		}
		for i, s := range steps {
			if _, ok := s.Before[path[0]]; !ok {
				steps[i].Before = s.Before.With(path[0], There)
			}
			steps[i].After = s.After.With(path[0], Gone)
		}
	}
	return steps
}

// missing are steps that set an attribute only where it is missing: those that find it leave it as it is.
func missing(steps []Step, at *spec.Attribute) (out []Step) {
	for _, s := range steps {
		there := s.Before.Presence(at)
		if s.Left[at.Name] {
			there = 1
		}
		if there > 0 {
			out = append(out, s.leaves(there, at.Name))
		}
		if there < 1 {
			s.Share = float64(s.Share * (1 - there))
			s.Before, s.After = s.Before.With(at.Name, Gone), s.After.With(at.Name, There)
			out = append(out, s)
		}
	}
	return out
}

// turn is how the value of an attribute changes in a share of updates.
type turn struct {
	share         float64
	before, after string
	from          bool // before is known
	none          bool // nothing is known
}

// Leaves are the states in which an action finds what it moves to a state, or on to the next one where to is "". A life
// passes the states of a list one after the other: what moves to one of them finds the last one before it that anything
// enters. An end beside the list, and a state of a map, are entered from each that leads there and that anything
// enters. Where the action says in which states it wants to find what it moves, it finds these.
func Leaves(r *spec.Requirements, a *spec.Action, at *spec.Attribute, to string) []string {
	wanted := false
	out := slices.DeleteFunc(slices.Clone(at.States.Names), func(from string) bool {
		next := slices.DeleteFunc(slices.Clone(at.States.Next[from]), func(s string) bool { return s == from })
		gone := len(next) == 0 || to != "" && !slices.Contains(next, to)
		for _, c := range spec.Conjuncts(a.Condition) {
			if values, ok := among(at, c); ok {
				wanted, gone = true, gone || !slices.Contains(values, from)
			}
		}
		return gone
	})
	if wanted || to == "" {
		return out
	}
	enters := entered(r, at)
	met := slices.DeleteFunc(slices.Clone(out), func(s string) bool { return !enters[s] })
	if len(met) == 0 {
		return out
	}
	if slices.Contains(listed(at.States), to) {
		return met[len(met)-1:]
	}
	return met
}

// Origins are the Leaves of an action with the shares of its updates that find each. What enters a state leaves it
// again: by the updates that leave this state alone as often as they are called, and by the action in all other cases.
// Where rates do not say how often a state is entered, or nothing would be left for the action, each is as frequent.
func Origins(r *spec.Requirements, a *spec.Action, at *spec.Attribute, to string) (out []spec.Share) {
	states, total := Leaves(r, a, at, to), 0.0
	enters, leaves, known := traffic(r, a, at)
	for _, s := range states {
		of := max(enters[s]-leaves[s], 0)
		out, total = append(out, spec.Share{Value: s, Of: of}), total+of
	}
	for i := range out {
		if out[i].Of /= total; !known || to == "" || total <= 0 {
			out[i].Of = 1 / float64(len(out))
		}
	}
	return out
}

// traffic is how often a month each state of an entity is entered, and left by other actions than one that find no
// other state. known is false if what writes it may move it to any state.
func traffic(r *spec.Requirements, but *spec.Action, at *spec.Attribute) (enters, leaves map[string]float64, known bool) {
	enters, leaves = map[string]float64{}, map[string]float64{}
	for _, p := range r.Patterns {
		for _, a := range p.Actions {
			often := p.Rate.Average * elements(p, a.Each)
			switch {
			case a.Entity != at.Entity && !slices.ContainsFunc(a.With, func(way string) bool { return a.Entity.WayBack(way) == at.Entity.Parent }):
				continue
			case a.Verb == spec.Create && a.Entity != at.Entity:
				way := at.Entity.Parent
				enters[at.States.Names[0]] += often * p.ValueOf(a).Brings(way, way.PerParent).Average
				continue
			case a.Verb == spec.Create:
				enters[at.States.Names[0]] += often
				continue
			case a.Verb == spec.Upsert || a.Verb == spec.Replace || a.Makes:
				return nil, nil, false
			}
			for _, s := range a.Set {
				if s.Path[0] != at.Name {
					continue
				}
				to, literal := text(s.Value)
				if !literal {
					return nil, nil, false
				}
				enters[to] += often
				if from := Leaves(r, a, at, to); a != but && len(from) == 1 {
					leaves[from[0]] += often
				}
			}
		}
	}
	return enters, leaves, true
}

// elements is how many elements a list of an action has on average; 1 without.
func elements(p *spec.Pattern, each spec.Reference) float64 {
	if len(each) == 0 {
		return 1
	}
	if q := p.Parameter(each[0]); q != nil && q.List && q.Length.Average > 0 {
		return q.Length.Average
	}
	return 1
}

// among are the states or values in one of which a test wants to find an attribute; false: it is no such test.
func among(at *spec.Attribute, c spec.Condition) (values []string, ok bool) {
	t, is := c.(*spec.Test)
	if !is || t.Op != "=" && t.Op != "in" || len(t.Path) != 1 || t.Path[0] != at.Name {
		return nil, false
	}
	for _, v := range t.Args {
		s, literal := text(v)
		if !literal {
			return nil, false
		}
		values = append(values, s)
	}
	return values, true
}

// entered are the states that something enters: the first, as all are created in it, and those that an update moves to.
func entered(r *spec.Requirements, at *spec.Attribute) map[string]bool {
	in := map[string]bool{at.States.Names[0]: true}
	for _, p := range r.Patterns {
		for _, a := range p.Actions {
			if a.Entity != at.Entity {
				continue
			}
			for _, s := range a.Set {
				if len(s.Path) != 1 || s.Path[0] != at.Name {
					continue
				}
				if to, literal := text(s.Value); literal {
					in[to] = true
					continue
				}
				for _, name := range at.States.Names {
					in[name] = true
				}
			}
		}
	}
	return in
}

// listed are the states of a list, without the ends beside it; nil: they are no list.
func listed(s *spec.States) []string {
	last := slices.IndexFunc(s.Names, func(n string) bool { return len(s.Next[n]) == 0 })
	if !s.Forward || last < 0 {
		return nil
	}
	return s.Names[:last+1]
}

// lives are the steps of lives: as frequent as Origins says, for what passes through all states makes each step once.
func (w *Workload) lives(a *spec.Action, at *spec.Attribute, before Known, to string) (out []turn) {
	total := 0.0
	for _, from := range Origins(w.requirements, a, at, to) {
		if is, ok := before[at.Name]; ok && is != from.Value && is != There {
			continue
		}
		after := to
		if i := slices.IndexFunc(at.States.Next[from.Value], func(s string) bool { return s != from.Value }); to == "" {
			after = at.States.Next[from.Value][i]
		}
		out = append(out, turn{before: from.Value, after: after, from: true, share: from.Of})
		total += from.Of
	}
	for i := range out {
		if out[i].share /= total; total <= 0 { // it finds what rates say comes to nothing
			out[i].share = 1 / float64(len(out))
		}
	}
	if out == nil {
		return []turn{{share: 1, none: true}}
	}
	return out
}

// refuses reports whether a condition wants an attribute to have other values than one.
func refuses(condition spec.Condition, at *spec.Attribute, value string) bool {
	return slices.ContainsFunc(spec.Conjuncts(condition), func(c spec.Condition) bool {
		of, values := oneOf(at.Entity, c)
		return of == at && !slices.ContainsFunc(values, func(s spec.Share) bool { return s.Value == value })
	})
}

// Reports reports whether an update says how something is, rather than that it changes: it sets more than one
// attribute. Then each value is as frequent as it is stored, and mostly the one that was there; what is set alone is
// set to change it.
func Reports(a *spec.Action) bool { return len(a.Set)+len(a.Remove) > 1 }

// Adds reports whether an update makes another value of one that it finds, as a count is raised. It changes something
// whatever else it sets: a constant beside that is there already as often as it is stored.
func Adds(a *spec.Action) bool {
	return slices.ContainsFunc(a.Set, func(s spec.Assign) bool {
		for term := range s.Value.Terms() {
			if len(s.Path) == 1 && slices.Equal(term.Path, s.Path) && s.Value.Op != "" && s.Value.Op != "if_missing" {
				return true
			}
		}
		return false
	})
}

// flips are the changes between values that have no order: each is as frequent as the one back. stays says that a value
// may stay as it is. The condition of the update may leave some out that it does not change.
func flips(at *spec.Attribute, before Known, to string, stays bool, condition spec.Condition) (out []turn) {
	all := shares(at)
	if is, ok := before[at.Name]; ok && is == Gone { // nothing was there
		for _, s := range all {
			if to == "" || to == s.Value {
				out = append(out, turn{share: s.Of, after: s.Value})
			}
		}
	} else {
		for _, from := range all {
			if ok && is != from.Value && is != There || refuses(condition, at, from.Value) {
				continue
			}
			for _, s := range all {
				if (s.Value != from.Value || stays) && (to == "" || to == s.Value) {
					out = append(out, turn{share: float64(from.Of * s.Of), before: from.Value, after: s.Value, from: true})
				}
			}
		}
	}
	sum := 0.0
	for _, t := range out {
		sum += t.share
	}
	if sum <= 0 {
		return []turn{{share: 1, after: to}}
	}
	for i := range out {
		out[i].share /= sum
	}
	return slices.DeleteFunc(out, func(t turn) bool { return t.share <= 0 })
}

// Changed is the share of a pattern's updates of an entity that change anything: less than all only where nothing is
// set but a state that may be entered again. A life passes each of its states once, however often it is written; it
// cannot pass more of them than it is written.
func (w *Workload) Changed(p *spec.Pattern, e *spec.Entity) float64 {
	a := ActionOf(p, e)
	if a == nil || a.Verb != spec.Update || len(a.Set) != 1 || len(a.Remove) > 0 {
		return 1
	}
	at := e.Attribute(a.Set[0].Path[0])
	if at == nil || at.States == nil || !slices.ContainsFunc(at.States.Names, func(s string) bool { return slices.Contains(at.States.Next[s], s) }) {
		return 1
	}
	most := float64(len(at.States.Names) - 1)
	if way := w.Causes(p, e); way != nil {
		if kids := w.Law(w.Kids(way)); kids.Mean() > 0 {
			return kids.Expect(func(n float64) float64 { return math.Min(n, most) }) / kids.Mean()
		}
	}
	if p.Rate.Average <= 0 {
		return 1
	}
	return math.Min(1, most*e.Growth/p.Rate.Average)
}
