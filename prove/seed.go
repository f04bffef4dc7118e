package prove

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// seeding says how the data set is made without playing every life from its beginning. An instance is created in the state
// that it is to have; what comes into being only when something moves on is created by the same plan without the move.
type seeding struct {
	states  map[*spec.Attribute]bool        // that instances get when they are created
	bare    map[*spec.Pattern]*spec.Pattern // a creation without what it does to states beside it
	put     map[*spec.Entity]*spec.Pattern  // a creation of what updates alone make
	program *tablewright.Program            // the plans of these
}

// newSeeding finds what can be made so. The states of an entity are given at once unless the creation of something else
// depends on them and has no plan that goes without.
func newSeeding(p *plan.Program, order []*creation) *seeding {
	s := &seeding{states: map[*spec.Attribute]bool{}, bare: map[*spec.Pattern]*spec.Pattern{}, put: map[*spec.Entity]*spec.Pattern{}}
	r := p.Requirements
	for _, e := range r.Entities {
		for _, a := range e.Attributes {
			if a.States != nil && a.Given() {
				s.states[a] = true
			}
		}
	}
	var about []*spec.Pattern
	for _, c := range order {
		if slices.ContainsFunc(c.pattern.Actions, func(a *spec.Action) bool { return a.Verb == spec.Delete || guards(c.pattern, a) }) && !slices.Contains(about, c.pattern) {
			about = append(about, c.pattern)
		}
	}
	for _, c := range order {
		if c.action.Makes {
			s.put[c.root] = puts(r, c.root)
		}
	}
	if len(about) == 0 && len(s.put) == 0 {
		return s
	}
	// Plans without the move: the model's own, with the steps on what is moved left out, compiled like any other.
	needs, m := *r, *p.Model
	needs.Patterns, m.Plans = slices.Clone(r.Patterns), slices.Clone(p.Model.Plans)
	for _, pattern := range about {
		bare := withoutMoves(pattern)
		at := slices.IndexFunc(m.Plans, func(d plan.Plan) bool { return d.Name == pattern.Name })
		if bare == nil || at < 0 {
			continue
		}
		needs.Patterns[slices.Index(needs.Patterns, pattern)] = bare
		m.Plans[at] = withoutSteps(p, m.Plans[at], pattern, bare)
		s.bare[pattern] = bare
	}
	for _, c := range order {
		if put := s.put[c.root]; put != nil {
			needs.Patterns, m.Plans = append(needs.Patterns, put), append(m.Plans, putPlan(p, put))
		}
	}
	program, problems := plan.Compile(&m, &needs)
	// Nothing else writes while data is made, so a plan may rely on what it has read (CodeStale).
	broken := func(pattern *spec.Pattern) bool {
		return program.Procedure(pattern.Name) == nil || slices.ContainsFunc(problems, func(x plan.Problem) bool {
			return x.Severity == plan.Error && x.Code != plan.CodeStale && len(x.Path) > 1 && x.Path[0] == "plans" && x.Path[1] == pattern.Name
		})
	}
	for e, put := range s.put {
		if broken(put) {
			delete(s.put, e)
		}
	}
	for _, pattern := range about {
		covered := !slices.ContainsFunc(order, func(c *creation) bool { return c.pattern == pattern && !(c.action.Makes && s.put[c.root] != nil) })
		if covered || s.bare[pattern] == nil || broken(pattern) {
			if delete(s.bare, pattern); covered {
				continue // nothing is made by it
			}
			for _, a := range movedBy(pattern) {
				delete(s.states, a)
			}
		}
	}
	s.program = tablewright.NewProgram(program)
	return s
}

// puts is a pattern that creates an entity whole, for one that only updates make: one by one these would give it what a first
// update writes, and not the values that are stated of what is stored.
func puts(r *spec.Requirements, e *spec.Entity) *spec.Pattern {
	const value = "stored"
	name := "put" + e.Name
	for r.Pattern(name) != nil {
		name += "Whole"
	}
	return &spec.Pattern{Name: name, Atomic: true, Consistency: "eventual", Parameters: []*spec.Parameter{{Name: value, Entity: e, Stated: 1}},
		Actions: []*spec.Action{{Verb: spec.Create, Entity: e, Value: spec.Reference{value}}}}
}

// putPlan puts all items of an entity.
func putPlan(p *plan.Program, put *spec.Pattern) plan.Plan {
	a := put.Actions[0]
	var all []plan.Step
	for _, k := range p.Parts(a.Entity) {
		all = append(all, plan.Step{Put: k.Name, Value: a.Value.String(), If: []string{"absent"}})
	}
	step := plan.Step{Transact: all}
	if len(all) == 1 {
		step = all[0]
	}
	return plan.Plan{Name: put.Name, Steps: map[string]plan.Step{"write": step}}
}

// lives reports whether what a pattern creates is made in states that the pattern does not give it.
func (s *seeding) lives(p *spec.Pattern) bool {
	created := func(e *spec.Entity) bool {
		return slices.ContainsFunc(e.Attributes, func(a *spec.Attribute) bool { return s.states[a] })
	}
	return slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
		return a.Verb == spec.Create && (created(a.Entity) || slices.ContainsFunc(a.With, func(way string) bool {
			r := a.Entity.WayBack(way)
			return r != nil && created(r.From)
		}))
	})
}

// movedBy are the states on which a creation depends: that it moves, or whose value decides whether it can be.
func movedBy(p *spec.Pattern) (out []*spec.Attribute) {
	for _, a := range p.Actions {
		if a.Verb != spec.Update {
			continue
		}
		for _, at := range a.Entity.Attributes {
			if at.States != nil && (a.Sets(at.Name) || tests(a.Condition, at)) {
				out = append(out, at)
			}
		}
	}
	return out
}

// tests reports whether a condition looks at an attribute.
func tests(c spec.Condition, at *spec.Attribute) bool {
	for t := range spec.Tests(c) {
		if len(t.Path) > 0 && t.Path[0] == at.Name {
			return true
		}
	}
	return false
}

// guards reports whether an action moves the states of what it is about, needs room in it, or asks something of it
// whatever callers state: what is created beside it then depends on what state that is in just now, and stored data
// comes from times when it was in another.
func guards(p *spec.Pattern, a *spec.Action) bool {
	return a.Verb == spec.Update && (movesStates(p, a) || needsRoom(a) || ofItself(a.Condition) != nil)
}

// withoutMoves is a pattern without its updates of what has states or has to meet a condition, without what it deletes, and without
// what it learns from these alone; nil if nothing is left, or if a state may be written again: then calls of the pattern as it is
// bring instances to their states.
func withoutMoves(p *spec.Pattern) *spec.Pattern {
	out := *p
	out.Actions, out.Found = slices.Clone(p.Actions), slices.Clone(p.Found)
	left := func(a *spec.Action) bool { // what another creation has made is to be there
		return a.Verb == spec.Delete || guards(p, a)
	}
	if slices.ContainsFunc(p.Actions, func(a *spec.Action) bool { return a.Verb != spec.Delete && guards(p, a) && again(a) }) {
		return nil
	}
	for n := len(p.Actions) + 1; len(out.Actions) < n; { // each that is left out may be the one that others follow
		n = len(out.Actions)
		out.Actions = slices.DeleteFunc(out.Actions, func(a *spec.Action) bool {
			return left(a) || slices.ContainsFunc(p.Found, func(q *spec.Parameter) bool {
				return !slices.Contains(out.Found, q) && usesParameter(a, q.Name)
			})
		})
		out.Found = slices.DeleteFunc(out.Found, func(q *spec.Parameter) bool { return !slices.Contains(out.Actions, q.From) })
	}
	if len(out.Actions) == 0 {
		return nil
	}
	out.Parameters = slices.DeleteFunc(slices.Clone(p.Parameters), func(q *spec.Parameter) bool {
		return q.Name != p.Idempotency && !slices.ContainsFunc(out.Actions, func(a *spec.Action) bool { return usesParameter(a, q.Name) })
	})
	return &out
}

func movesStates(p *spec.Pattern, a *spec.Action) bool {
	one := *p
	one.Actions = []*spec.Action{a}
	return len(movedBy(&one)) > 0
}

// again reports whether callers may write a state that is there already. Where the state is a constant, they do not
// choose.
func again(a *spec.Action) bool {
	return slices.ContainsFunc(a.Set, func(set spec.Assign) bool {
		at := a.Entity.Attribute(set.Path[0])
		return at != nil && at.States != nil && set.Value.Literal.IsZero() && slices.ContainsFunc(at.States.Names, func(n string) bool { return slices.Contains(at.States.Next[n], n) })
	})
}

func usesParameter(a *spec.Action, name string) bool {
	if len(a.Value) > 0 && a.Value[0] == name || len(a.Each) > 0 && a.Each[0] == name {
		return true
	}
	for _, list := range [][]spec.Assign{a.Key, a.Set} {
		if slices.ContainsFunc(list, func(x spec.Assign) bool { return x.Value.Uses(name) }) {
			return true
		}
	}
	for t := range spec.Tests(a.Condition) {
		if slices.ContainsFunc(t.Args, func(x spec.Expr) bool { return x.Uses(name) }) {
			return true
		}
	}
	return false
}

// withoutSteps is a plan without its steps on the items of entities that only actions left out are about, and without
// reads for these. It keeps what such a step counts for the entity. If a created entity requires one of the entities
// left out, the plan still checks that it exists.
func withoutSteps(p *plan.Program, d plan.Plan, pattern, bare *spec.Pattern) plan.Plan {
	about := func(item string) bool {
		k := p.Kind(item)
		return k != nil && k.Role == plan.EntityItem && slices.ContainsFunc(pattern.Actions, func(a *spec.Action) bool {
			return a.Entity == k.Entity && !slices.Contains(bare.Actions, a)
		})
	}
	beside := func(item string) bool { // copies and markers of what is left out
		k := p.Kind(item)
		return k != nil && (k.Role == plan.CopyItem || k.Role == plan.UniqueItem) &&
			slices.ContainsFunc(pattern.Actions, func(a *spec.Action) bool { return a.Entity == k.Entity }) &&
			!slices.ContainsFunc(bare.Actions, func(a *spec.Action) bool { return a.Entity == k.Entity })
	}
	gone := map[string]bool{} // parameters, and reads that are left out
	for _, q := range pattern.Parameters {
		gone[q.Name] = !slices.Contains(bare.Parameters, q)
	}
	follows := func(s plan.Step) bool {
		return slices.ContainsFunc(s.Mentions(), func(name string) bool { return gone[name] })
	}
	drop := func(s plan.Step) bool {
		s.Needs, s.After = nil, nil
		return s.Delete != "" || about(s.Update) || about(s.Check) || beside(s.Put+s.Update+s.Check) || goesOver(s, gone) || len(s.Transact) == 0 && follows(s)
	}
	required := func(item string) bool {
		k := p.Kind(item)
		return k != nil && slices.ContainsFunc(pattern.Actions, func(a *spec.Action) bool {
			return slices.ContainsFunc(a.Requires, func(way *spec.Relationship) bool { return way.To == k.Entity })
		})
	}
	var asksFor func(s plan.Step, name string) bool
	asksFor = func(s plan.Step, name string) bool {
		if len(s.Transact) > 0 {
			return slices.ContainsFunc(s.Transact, func(x plan.Step) bool { return asksFor(x, name) })
		}
		s.Needs, s.After = nil, nil
		return !drop(s) && slices.Contains(s.Mentions(), name)
	}
	for n := -1; n < len(gone); { // what a read is for may be left out, and what it reads by
		n = len(gone)
		for name, s := range d.Steps {
			reads := s.Get + s.BatchGet + s.Query
			if gone[name] || reads == "" {
				continue
			}
			wanted := required(reads)
			for other, x := range d.Steps {
				wanted = wanted || !gone[other] && asksFor(x, name)
			}
			if follows(s) || about(reads) && !wanted {
				gone[name] = true
			}
		}
	}
	counts := func(s plan.Step) (plan.Step, bool) {
		k := p.Kind(s.Update)
		if k == nil || k.Role != plan.EntityItem {
			return s, false
		}
		kept := plan.Step{Update: s.Update, Key: s.Key, Each: s.Each, If: []string{"present"}}
		for name, v := range s.Add {
			if at := k.Entity.Attribute(name); at != nil && at.Derived != nil {
				if kept.Add == nil {
					kept.Add = map[string]string{}
				}
				kept.Add[name] = v
			}
		}
		return kept, len(kept.Add) > 0 && !follows(kept)
	}
	steps := map[string]plan.Step{}
	for name, s := range d.Steps {
		if drop(s) || gone[name] {
			if x, ok := counts(s); ok {
				steps[name] = x
			}
			continue
		}
		if len(s.Transact) > 0 {
			var kept []plan.Step
			for _, x := range s.Transact {
				counting, ok := counts(x)
				switch {
				case !drop(x):
					kept = append(kept, x)
				case ok:
					kept = append(kept, counting)
				case beside(x.Put + x.Update + x.Check):
				case required(x.Update):
					kept = append(kept, plan.Step{Check: x.Update, Key: x.Key, Each: x.Each, If: []string{"present"}})
				case required(x.Check):
					x.If = []string{"present"}
					x.Else = ""
					kept = append(kept, x)
				}
			}
			if s.Transact = kept; len(kept) == 0 {
				continue
			}
		}
		left := func(name string) bool { return gone[name] }
		s.Needs, s.After = slices.DeleteFunc(slices.Clone(s.Needs), left), slices.DeleteFunc(slices.Clone(s.After), left)
		steps[name] = s
	}
	d.Steps = steps
	return d
}

// goesOver reports whether a step is done for each of a list that is gone.
func goesOver(s plan.Step, gone map[string]bool) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(s.Each, "$"), ".")
	return name != "" && gone[name]
}
