package cost

import (
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// known is what is known of an instance: the values of some attributes, by name; there for one whose value is not known,
// gone for one that is absent.
type known map[string]string

const (
	there = ""
	gone  = "\x00"
)

// presence is the share of instances that have an attribute.
func (k known) presence(a *spec.Attribute) float64 {
	if a != nil {
		if v, ok := k[a.Name]; ok {
			if v == gone {
				return 0
			}
			return 1
		}
	}
	return presence(a)
}

// with is k with what else is known.
func (k known) with(name, value string) known {
	out := known{name: value}
	for n, v := range k {
		if n != name {
			out[n] = v
		}
	}
	return out
}

// initial are the states in which an entity is created.
func initial(e *spec.Entity) known {
	k := known{}
	for _, a := range e.Attributes {
		if a.States != nil {
			k[a.Name] = a.States.Names[0]
		}
	}
	return k
}

// actionOf is the action of a pattern on an entity; nil if it has none.
func actionOf(p *spec.Pattern, e *spec.Entity) *spec.Action {
	i := slices.IndexFunc(p.Actions, func(a *spec.Action) bool { return a.Entity == e })
	if i < 0 {
		return nil
	}
	return p.Actions[i]
}

func sets(a *spec.Action, name string) bool {
	return slices.ContainsFunc(a.Set, func(s spec.Assign) bool { return s.Path[0] == name })
}

func removes(a *spec.Action, name string) bool {
	return slices.ContainsFunc(a.Remove, func(path spec.Path) bool { return path[0] == name })
}

// touched are the attributes that an update of an entity sets or removes: the larger of the item before and after has them.
func touched(p *spec.Pattern, e *spec.Entity) known {
	a := actionOf(p, e)
	if a == nil || a.Verb != spec.Update {
		return nil
	}
	k := known{}
	for _, s := range a.Set {
		if len(s.Path) == 1 {
			k[s.Path[0]] = there
		}
	}
	for _, path := range a.Remove {
		if len(path) == 1 {
			k[path[0]] = there
		}
	}
	return k
}

// demanded is what a pattern demands of what it changes.
func demanded(p *spec.Pattern, e *spec.Entity) known {
	k := known{}
	a := actionOf(p, e)
	if a == nil {
		return k
	}
	for _, c := range conjuncts(a.Condition) {
		t, ok := c.(*spec.Test)
		if !ok || len(t.Path) != 1 || e.Attribute(t.Path[0]) == nil {
			continue
		}
		switch at := e.Attribute(t.Path[0]); {
		case t.Op == "absent":
			k[at.Name] = gone
		case t.Op == "=" && len(t.Args) == 1 && t.Args[0].Op == "" && spec.ConstantText(t.Args[0].Literal) != "":
			k[at.Name] = spec.ConstantText(t.Args[0].Literal)
		case at.Optional && (t.Op == "exists" || t.Op == "=" || t.Op == "in"):
			k[at.Name] = there
		}
	}
	return k
}

// step is what is known of an instance before and after an update.
type step struct{ before, after known }

// steps are what an update can do to a life, all as frequent: what passes through all states makes each step once.
// Optional attributes that it sets are there afterwards, and were before if most have them; those that it removes were there.
func steps(p *spec.Pattern, e *spec.Entity) []step {
	start := step{demanded(p, e), demanded(p, e)}
	a := actionOf(p, e)
	if a == nil || a.Verb != spec.Update {
		return []step{start}
	}
	var states *spec.Attribute
	var to string
	for _, set := range a.Set {
		at := e.Attribute(set.Path[0])
		if at == nil || len(set.Path) > 1 {
			continue
		}
		if at.States != nil && states == nil {
			states, to = at, set.Value.Literal.Str()
			continue
		}
		if _, ok := start.before[at.Name]; !ok && at.Optional && at.Present < 0.5 {
			start.before = start.before.with(at.Name, gone)
		}
		start.after = start.after.with(at.Name, spec.ConstantText(set.Value.Literal)) // there, if it is no literal
	}
	for _, path := range a.Remove {
		if len(path) > 1 {
			continue
		}
		if _, ok := start.before[path[0]]; !ok {
			start.before = start.before.with(path[0], there)
		}
		start.after = start.after.with(path[0], gone)
	}
	if states == nil {
		return []step{start}
	}
	var out []step
	for _, from := range states.States.Names {
		if is, ok := start.before[states.Name]; ok && is != from && is != there {
			continue
		}
		next := slices.DeleteFunc(slices.Clone(states.States.Next[from]), func(s string) bool { return s == from })
		switch {
		case to != "" && slices.Contains(next, to):
			out = append(out, step{start.before.with(states.Name, from), start.after.with(states.Name, to)})
		case to == "" && len(next) > 0:
			out = append(out, step{start.before.with(states.Name, from), start.after.with(states.Name, next[0])})
		}
	}
	if out == nil {
		return []step{start}
	}
	return out
}

// changes is the share of a pattern's updates of an entity that change anything: less than all only where nothing is set
// but a state that may be entered again. A life passes each of its states once, however often it is written; it cannot
// pass more of them than it is written.
func (f *figures) changes(p *spec.Pattern, e *spec.Entity) float64 {
	a := actionOf(p, e)
	if a == nil || a.Verb != spec.Update || len(a.Set) != 1 || len(a.Remove) > 0 {
		return 1
	}
	at := e.Attribute(a.Set[0].Path[0])
	if at == nil || at.States == nil || !slices.ContainsFunc(at.States.Names, func(s string) bool { return slices.Contains(at.States.Next[s], s) }) {
		return 1
	}
	most := float64(len(at.States.Names) - 1)
	if way := f.causes(p, e); way != nil {
		if kids := f.law(f.kids(way)); kids.Mean() > 0 {
			return kids.Expect(func(n float64) float64 { return math.Min(n, most) }) / kids.Mean()
		}
	}
	if p.Rate.Average <= 0 {
		return 1
	}
	return math.Min(1, most*e.Growth/p.Rate.Average)
}

// optional is what is known of an entity's optional attributes, as text: with equal ones, sizes are equal.
func (k known) optional(e *spec.Entity) string {
	var b strings.Builder
	for _, a := range e.Attributes {
		if v, ok := k[a.Name]; ok && (a.Optional || a.States != nil || len(a.Shares) > 0) {
			b.WriteString(a.Name + "=" + v + ";")
		}
	}
	return b.String()
}
