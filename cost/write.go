package cost

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// units are per call, by Table and Table.Index.
type units map[string]float64

func (u units) add(where string, n float64) {
	if n != 0 {
		u[where] += n
	}
}

// stage adds what a stage of a plan consumes per call.
func (f *figures) stage(p *spec.Pattern, s *plan.Stage, read, write units) {
	switch s.Verb {
	case plan.Get, plan.BatchGet:
		read.add(s.Kind.Table.Name, f.read(p, s))
	case plan.TransactGet:
		read.add(s.Actions[0].Kind.Table.Name, f.read(p, s))
	case plan.Query, plan.Scan:
		read.add(s.Access.Name(), f.read(p, s))
	case plan.Transact, plan.BatchWrite:
		for _, a := range s.Actions {
			f.write(p, a, s.Verb == plan.Transact, write)
		}
	default:
		f.write(p, s, false, write)
	}
}

// write adds what an action consumes: the table's arm, doubled in a transaction, and that of each index it touches.
func (f *figures) write(p *spec.Pattern, s *plan.Stage, transacted bool, out units) {
	times := f.times(p, s)
	k := s.Kind
	weight := dist.Uniform(f.members(k.Entity), 1)
	if s.Verb != plan.Put {
		weight = f.reached(p, k.Entity)
	}
	size := f.item(k, nil, weight)
	table := k.Table.Name
	if s.Verb == plan.Check {
		out.add(table, times*float64(capacity.ExpectConditionCheck(size)))
		return
	}
	arm := capacity.ExpectWrite(size)
	if transacted {
		arm = capacity.Transact(arm)
	}
	out.add(table, times*float64(arm))
	if changes(p, k.Entity) < 1 { // every life has as many changes, however often it is written
		weight = dist.Uniform(f.members(k.Entity), 1)
	}
	for _, x := range k.Table.Indexes {
		f.arm(p, s, x, weight, times, out)
	}
}

// reached is how a pattern's updates of an entity spread over its instances: as its skew says, or, where the key is a
// foreign key of what the same call creates, as the children spread.
func (f *figures) reached(p *spec.Pattern, e *spec.Entity) dist.Law {
	if p.Skew.Uniform() {
		for _, a := range p.Actions {
			if a.Entity != e {
				continue
			}
			for _, key := range a.Key {
				at := referenced(p, a, key.Value.Reference)
				if at != nil && at.Reference != nil && at.Reference.To == e && f.children(at.Reference).Stated {
					return f.kids(at.Reference)
				}
			}
		}
	}
	return f.calls(f.members(e), p.Skew)
}

// arm adds what an action does to one index.
func (f *figures) arm(p *spec.Pattern, s *plan.Stage, x *plan.Access, weight dist.Law, times float64, out units) {
	k := s.Kind
	keys := keyRecipes(k, x)
	if keys == nil {
		return // this kind never has an entry
	}
	entry := f.item(k, x, weight)
	cost := func(a capacity.Arm) float64 { return float64(capacity.ExpectArm(a, entry)) }
	units := 0.0
	if s.Embed != nil { // a child inside the item: the item's entries stay where they are
		if projects(x, s.Embed.Attribute) {
			out.add(x.Name(), times*indexed(k, keys, nil)*cost(capacity.InPlace))
		}
		return
	}
	switch s.Verb {
	case plan.Put:
		units = indexed(k, keys, initial(k.Entity)) * cost(capacity.Enter)
		if a := actionOf(p, k.Entity); a != nil && a.Verb == spec.Replace {
			units = indexed(k, keys, nil) * cost(capacity.InPlace)
		}
	case plan.Delete:
		units = indexed(k, keys, demanded(p, k.Entity)) * cost(capacity.Leave)
	case plan.Update:
		units = f.updateArm(p, s, x, keys, cost)
	}
	out.add(x.Name(), times*units)
}

// updateArm is what an update does to an index: nothing, in place, or its key changes.
func (f *figures) updateArm(p *spec.Pattern, s *plan.Stage, x *plan.Access, keys []*plan.Recipe, cost func(capacity.Arm) float64) float64 {
	k := s.Kind
	changed := changes(p, k.Entity)
	moved := slices.ContainsFunc(keys, func(r *plan.Recipe) bool { return slices.Contains(s.Changes, r.Wire.Name) })
	if !moved {
		if slices.ContainsFunc(s.Changes, func(name string) bool { return projects(x, name) }) {
			return changed * indexed(k, keys, demanded(p, k.Entity)) * cost(capacity.InPlace)
		}
		return 0
	}
	stay := capacity.InPlace // a template whose `when` alone is concerned has the same value as long as it is there
	if slices.ContainsFunc(keys, func(r *plan.Recipe) bool { return rewritten(p, s, r) }) {
		stay = capacity.Move
	}
	total, n := 0.0, 0.0
	for _, step := range transitions(p, k.Entity) {
		was, is := indexed(k, keys, step.before), indexed(k, keys, step.after)
		was, is = present(k, keys, p, was, is)
		n++
		total += was*is*cost(stay) + (1-was)*is*cost(capacity.Enter) + was*(1-is)*cost(capacity.Leave)
	}
	return changed * total / n
}

// rewritten reports whether an update changes a part of a template.
func rewritten(p *spec.Pattern, s *plan.Stage, r *plan.Recipe) bool {
	return slices.ContainsFunc(r.Parts, func(part *plan.Part) bool {
		if part.Attribute == nil {
			return false
		}
		name := part.Attribute.Name
		if part.Attribute.Entity != s.Kind.Entity {
			return true // copied from elsewhere: it is written because it changes
		}
		return slices.Contains(s.Changes, name) || slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
			return a.Entity == s.Kind.Entity && (slices.ContainsFunc(a.Set, func(set spec.Assign) bool { return set.Path[0] == name }) ||
				slices.ContainsFunc(a.Remove, func(path spec.Path) bool { return path[0] == name }))
		})
	})
}

// demanded are the states and enum values that a pattern demands of what it changes.
func demanded(p *spec.Pattern, e *spec.Entity) map[string]string {
	fixed := map[string]string{}
	a := actionOf(p, e)
	if a == nil {
		return fixed
	}
	conds := []spec.Condition{a.Condition}
	if l, ok := a.Condition.(*spec.Logic); ok && l.Op == "and" {
		conds = l.Args
	}
	for _, c := range conds {
		if t, ok := c.(*spec.Test); ok && t.Op == "=" && len(t.Path) == 1 && len(t.Args) == 1 && t.Args[0].Op == "" && t.Args[0].Literal.Str() != "" {
			fixed[t.Path[0]] = t.Args[0].Literal.Str()
		}
	}
	return fixed
}

// changes is the share of a pattern's updates of an entity that change anything: less than all only where nothing is set
// but a state that may be entered again. A life passes each of its states once, however often it is written.
func changes(p *spec.Pattern, e *spec.Entity) float64 {
	for _, a := range p.Actions {
		if a.Entity != e || a.Verb != spec.Update || len(a.Set) != 1 || len(a.Remove) > 0 {
			continue
		}
		at := e.Attribute(a.Set[0].Path[0])
		if at == nil || at.States == nil || p.Rate.Average <= 0 {
			continue
		}
		for _, state := range at.States.Names {
			if slices.Contains(at.States.Next[state], state) {
				return min(1, float64(len(at.States.Names)-1)*e.Growth/p.Rate.Average)
			}
		}
	}
	return 1
}

// keyRecipes are the templates (or stored attributes) that make an index's key for a kind; nil if it lacks one.
func keyRecipes(k *plan.Kind, x *plan.Access) []*plan.Recipe {
	var out []*plan.Recipe
	for _, w := range slices.Concat(x.Partition, x.Sort) {
		i := slices.IndexFunc(k.Recipes, func(r *plan.Recipe) bool { return r.Wire.Name == w.Name })
		if i < 0 {
			return nil
		}
		out = append(out, k.Recipes[i])
	}
	return out
}

// indexed is the share of items that have an entry, with some attributes known.
func indexed(k *plan.Kind, keys []*plan.Recipe, fixed map[string]string) float64 {
	share := 1.0
	optional := map[*spec.Attribute]bool{}
	for _, r := range keys {
		if r.When != nil {
			share *= holds(r.When, k.Entity, fixed)
		}
		for _, part := range r.Parts {
			if part.Attribute != nil && part.Attribute.Optional && !optional[part.Attribute] {
				optional[part.Attribute] = true
				share *= presence(part.Attribute)
			}
		}
	}
	return share
}

// initial are the states in which an entity is created.
func initial(e *spec.Entity) map[string]string {
	fixed := map[string]string{}
	for _, a := range e.Attributes {
		if a.States != nil {
			fixed[a.Name] = a.States.Names[0]
		}
	}
	return fixed
}

// actionOf is the action of a pattern on an entity.
func actionOf(p *spec.Pattern, e *spec.Entity) *spec.Action {
	for _, a := range p.Actions {
		if a.Entity == e {
			return a
		}
	}
	return nil
}

type transition struct{ before, after map[string]string }

// transitions are the steps of a life cycle that an update can make, all as frequent: what passes through all states makes
// each step once.
func transitions(p *spec.Pattern, e *spec.Entity) []transition {
	var out []transition
	for _, a := range p.Actions {
		if a.Entity != e || a.Verb != spec.Update {
			continue
		}
		for _, set := range a.Set {
			at := e.Attribute(set.Path[0])
			if at == nil || at.States == nil || len(set.Path) > 1 {
				continue
			}
			to := set.Value.Literal.Str()
			for _, from := range at.States.Names {
				next := slices.DeleteFunc(slices.Clone(at.States.Next[from]), func(s string) bool { return s == from })
				switch {
				case to != "" && slices.Contains(next, to):
					out = append(out, transition{map[string]string{at.Name: from}, map[string]string{at.Name: to}})
				case to == "" && len(next) > 0:
					out = append(out, transition{map[string]string{at.Name: from}, map[string]string{at.Name: next[0]}})
				}
			}
		}
	}
	if out == nil {
		out = []transition{{}}
	}
	return out
}

// present corrects shares for optional attributes that the pattern itself sets or removes: what it sets is there after
// it, and was before if it mostly is; what it removes was there.
func present(k *plan.Kind, keys []*plan.Recipe, p *spec.Pattern, was, is float64) (float64, float64) {
	for _, a := range p.Actions {
		if a.Entity != k.Entity || a.Verb != spec.Update {
			continue
		}
		for _, r := range keys {
			for _, part := range r.Parts {
				at := part.Attribute
				if at == nil || !at.Optional || at.Present == 0 {
					continue
				}
				if slices.ContainsFunc(a.Set, func(s spec.Assign) bool { return len(s.Path) == 1 && s.Path[0] == at.Name }) {
					is /= at.Present
					if at.Present < 0.5 {
						was = 0
					}
					return min(was, 1), min(is, 1)
				}
				if slices.ContainsFunc(a.Remove, func(path spec.Path) bool { return len(path) == 1 && path[0] == at.Name }) {
					return min(was/at.Present, 1), 0
				}
			}
		}
	}
	return was, is
}
