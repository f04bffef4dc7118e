package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// changed looks up a path that an update may change.
func (p *patternReader) changed(a *spec.Action, path spec.Path, at []string) *spec.Attribute {
	segments, err := a.Entity.Resolve(path)
	if err != nil {
		if e, ok := err.(*spec.Error); ok && !p.lost(a.Entity, path) && !p.isBroken(at...) {
			p.errorAtKey(at, or(e.Code, spec.WrongType), e.Remedy, "%s", e.Message)
		}
		return nil
	}
	first, last := segments[0].Attribute, segments[len(segments)-1].Attribute
	if first == nil || last == nil {
		p.errorAtKey(at, "wrong-type", "add an action that updates it", "`%s` is not an attribute of %s itself", path, a.Entity.Name)
		return nil
	}
	refuse := func(format string, args ...any) *spec.Attribute {
		p.errorAtKey(at, "set-fixed", "", format, args...)
		return nil
	}
	switch {
	case slices.Contains(a.Entity.Identity, first):
		return refuse("%s is part of the identity of %s, which never changes", first.Name, a.Entity.Name)
	case a.Entity.Parent != nil && slices.Contains(a.Entity.Parent.By, first):
		return refuse("%s points to the parent that %s lives and dies with: it never changes", first.Name, a.Entity.Name)
	case first.Derived != nil:
		return refuse("%s is derived from %s, and true without being set", first.Name, first.Derived.Path)
	case first.Sequence != nil || first.Generated == "version":
		return refuse("%s counts by itself", first.Name)
	}
	return last
}

func (p *patternReader) set(a *spec.Action, d *actionDoc, s entry[valueText], scope spec.Scope, at []string) {
	path, err := spec.ParsePath(s.Key)
	if err != nil {
		p.expression(err, at)
		return
	}
	target := p.changed(a, path, at)
	if target == nil {
		return
	}
	v := s.Value.Expr
	if s.Short && len(a.Each) > 0 && p.hasElement(a, d, path[len(path)-1]) {
		v = spec.Expr{Reference: spec.Reference{"each", path[len(path)-1]}}
	}
	v, ok := p.assign(scope, p.foundFirst(a, v), target, at)
	if !ok {
		return
	}
	if target.Generated != "" {
		for t := range v.Terms() {
			if len(t.Reference) > 0 {
				p.errorAt(at, "set-fixed", "leave it out, or write `now`", "%s is generated: callers cannot pass it", target.Name)
				return
			}
		}
	}
	if target.States != nil && !a.Makes && v.Literal.Str() != "" && len(target.States.Before(v.Literal.Str())) == 0 {
		p.errorAt(at, "set-fixed", enteredFrom(target, v.Literal.Str()), "no state comes before %s: no update can enter it", v.Literal.Str())
		return
	}
	a.Set = append(a.Set, spec.Assign{Path: path, Value: v})
}

// enteredFrom says how states are stated where one that none leads to is entered from the first; "" if it is the
// first, or no state.
func enteredFrom(a *spec.Attribute, state string) string {
	if first := a.States.Names[0]; state == first || !slices.Contains(a.States.Names, state) {
		return ""
	}
	var all []string
	for i, name := range a.States.Names {
		next := slices.Clone(a.States.Next[name])
		if i == 0 { // with all that none leads to
			for _, x := range a.States.Names[1:] {
				if len(a.States.Before(x)) == 0 {
					next = append(next, x)
				}
			}
		}
		all = append(all, name+": ["+strings.Join(next, ", ")+"]")
	}
	return "say what it is entered from, as a map: `states: {" + strings.Join(all, ", ") + "}`"
}

// neverEntered reports an update that wants to find what it changes in states from which the one that it sets is never entered: it would
// refuse every call.
func (p *patternReader) neverEntered(a *spec.Action, at []string) {
	if a.Verb != spec.Update || a.Makes {
		return
	}
	for _, s := range a.Set {
		of, to := a.Entity.Attribute(s.Path[0]), s.Value.Literal.Str()
		if of == nil || of.States == nil || len(s.Path) > 1 || to == "" {
			continue
		}
		before := of.States.Before(to)
		for _, c := range spec.Conjuncts(a.Condition) {
			t, ok := c.(*spec.Test)
			if !ok || !slices.Equal(t.Path, s.Path) {
				continue
			}
			wanted, listed := a.Entity.Among(t)
			if !listed || len(wanted) == 0 || slices.ContainsFunc(wanted, func(v string) bool { return slices.Contains(before, v) }) {
				continue
			}
			remedy := "correct the condition; or write it in the attribute, `states: " + leading(of.States, wanted, to) + "`"
			if of.States.Forward {
				remedy += ": a list ends with its last state, and what stands in `also` follows the others"
			}
			p.report(p.Inside(t.Pos, at...), Error, "conflict", at,
				fmt.Sprintf("%s refuses every call: it wants %s, and %s.%s enters %s from %s only", p.out.Name, t, a.Entity.Name, of.Name, to, joined(before)), remedy)
			return
		}
	}
}

// neverThere reports an update, or a delete, that wants nothing to be there: what it changes is there, or it is refused as missing.
// An action that only asks may want that, alone or beside other tests of which one is enough.
func (p *patternReader) neverThere(a *spec.Action, at []string) {
	if a.Verb != spec.Update && a.Verb != spec.Delete || a.Makes || a.AdmitsNone() {
		return
	}
	for _, c := range spec.Conjuncts(a.Condition) {
		t, ok := c.(*spec.Test)
		if !ok || t.Op != "absent" || len(t.Path) > 0 {
			continue
		}
		remedy := "leave it out"
		switch {
		case a.Checks():
			remedy = "write it alone, `condition: absent`, or `absent or …`: what is not there passes no other test"
		case a.Verb == spec.Update:
			remedy = "{create: " + a.Entity.Name + "}, which refuses a second one as exists"
		}
		p.report(p.Inside(t.Pos, at...), Error, "conflict", at,
			fmt.Sprintf("%s refuses every call: it wants a %s not to be there, and to find it", p.out.Name, a.Entity.Name), remedy)
		return
	}
}

// leading writes states as a map, in which some lead to another one beside what is stated.
func leading(s *spec.States, from []string, to string) string {
	var all []string
	for _, name := range s.Names {
		next := slices.Clone(s.Next[name])
		if slices.Contains(from, name) && name != to {
			next = append(next, to)
		}
		all = append(all, name+": ["+strings.Join(next, ", ")+"]")
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// onAbsent reports arithmetic on what may be absent: DynamoDB refuses it with an error.
func (p *patternReader) onAbsent(a *spec.Action, v spec.Expr, at []string) {
	if v.Op == "if_missing" {
		p.onAbsent(a, v.Args[1], at)
		return
	}
	if v.Op == "+" || v.Op == "-" {
		for _, arg := range v.Args {
			if len(arg.Path) == 0 {
				continue
			}
			segments, err := a.Entity.Resolve(arg.Path)
			if err == nil && (a.Makes || !there(a.Condition, arg.Path) && slices.ContainsFunc(segments, func(s spec.Segment) bool { return s.Attribute != nil && s.Attribute.Optional })) {
				p.report(p.Inside(arg.Pos, at...), Error, "set-absent", at, fmt.Sprintf("%s may be absent, and then there is no sum", arg.Path),
					fmt.Sprintf("write if_missing(%s, 0)", arg.Path))
			}
		}
	}
	for _, arg := range v.Args {
		p.onAbsent(a, arg, at)
	}
}

// there reports whether a condition holds only where a path has a value: a test on what is absent is false.
func there(c spec.Condition, path spec.Path) bool {
	switch c := c.(type) {
	case *spec.Test:
		return c.Op != "absent" && len(c.Path) > 0 && slices.Equal(c.Path, path)
	case *spec.Logic:
		in := func(a spec.Condition) bool { return there(a, path) }
		return c.Op == "and" && slices.ContainsFunc(c.Args, in) || c.Op == "or" && len(c.Args) > 0 && !slices.ContainsFunc(c.Args, func(a spec.Condition) bool { return !in(a) })
	}
	return false
}

// orphans reports children that a delete would leave behind.
func (p *patternReader) orphans(a *spec.Action, path []string) {
	for _, child := range p.requirementsReader.out.Entities {
		w := child.Parent
		if w == nil || w.To != a.Entity {
			continue
		}
		switch {
		case w.Inverse == "":
			p.errorAt(path, "orphans", "name the way back from "+child.Name+" with `inverse`, and write it in `with`; or let it point here with `references`",
				"%s lives and dies with %s, and would be left behind", child.Name, a.Entity.Name)
		case !slices.Contains(a.With, w.Inverse):
			p.errorAt(path, "orphans", "add `with: ["+w.Inverse+"]`, or let "+child.Name+" point here with `references`",
				"%s lives and dies with %s, and would be left behind", child.Name, a.Entity.Name)
		default:
			for _, grandchild := range p.requirementsReader.out.Entities {
				if grandchild.Parent != nil && grandchild.Parent.To == child {
					p.errorAt(path, "orphans", "let "+grandchild.Name+" point to "+child.Name+" with `references`",
						"%s lives and dies with %s, which is deleted, and would be left behind", grandchild.Name, child.Name)
				}
			}
		}
	}
}
