package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// touches reports whether changing one target can change the other: they are the same, or one lies inside the other.
func touches(a, b target) bool {
	if same(a, b) {
		return true
	}
	n := min(len(a.path), len(b.path))
	return n > 0 && slices.Equal(a.path[:n], b.path[:n]) && a.segs[n-1].Attribute != nil && b.segs[n-1].Attribute != nil
}

// changed lists the targets that an update changes.
func (s *Stage) changed() (out []target) {
	for _, as := range [][]assign{s.sets, s.adds} {
		for _, a := range as {
			out = append(out, a.target)
		}
	}
	return append(out, s.removes...)
}

// updated reports whether the pattern of a stage updates an entity itself: what it only counts there raises no version.
func (c *compiler) updated(s *Stage, e *spec.Entity) bool {
	return slices.ContainsFunc(s.Procedure.Pattern.Actions, func(a *spec.Action) bool {
		return a.Verb == spec.Update && a.Entity == e && !a.Checks()
	})
}

// begun is the state that an update which makes what is not there gives to it, and leaves as it is where there is one.
func (a *assign) begun() (state *spec.Attribute, ok bool) {
	at, v := a.target.attribute(), a.value
	return at, at != nil && at.States != nil && len(a.target.path) == 1 && v.Op == "if_missing" && slices.Equal(v.Args[0].Path, a.target.path) &&
		spec.ConstantText(v.Args[1].Literal) == at.States.Names[0]
}

// standing are the states in which an item can be after an update that at most begins them: the first, and those in which the
// conditions of the update let it find one.
func (s *Stage) standing(a *assign) (out []string) {
	for i, name := range a.target.attribute().States.Names {
		is := &spec.Test{Path: a.target.path, Op: "=", Args: []spec.Expr{{Literal: attr.Text(name)}}}
		if i == 0 || !slices.ContainsFunc(s.guards, func(g guard) bool { return s.entity().Excludes(ofThere(g.cond), is) }) {
			out = append(out, name)
		}
	}
	return out
}

// ofThere is what a condition demands of an item that is there.
func ofThere(c spec.Condition) spec.Condition {
	l, ok := c.(*spec.Logic)
	if !ok || l.Op != "or" || len(l.Args) != 2 {
		return c
	}
	for i, a := range l.Args {
		if t, ok := a.(*spec.Test); ok && t.Op == "absent" && len(t.Path) == 0 {
			return l.Args[1-i]
		}
	}
	return c
}

// stays reports whether a template that only its condition lets follow from states which the update begins stays as it is: what is made has
// none, and what is there keeps the one that it has or has not.
func (s *Stage) stays(r *Recipe, changed []target) bool {
	first := *s
	rest := slices.Clone(changed)
	for i := range s.sets {
		if at, ok := s.sets[i].begun(); ok {
			is := &spec.Test{Path: spec.Path{at.Name}, Op: "=", Args: []spec.Expr{{Literal: attr.Text(at.States.Names[0])}}}
			first.guards = append(slices.Clone(first.guards), guard{cond: is})
			rest = slices.DeleteFunc(rest, func(t target) bool { return same(t, s.sets[i].target) })
		}
	}
	if len(rest) == len(changed) || r.dependsOn(rest) {
		return false
	}
	if _, known := s.decides(r.When); known {
		return false
	}
	holds, known := first.decides(r.When)
	return known && !holds
}

// updates resolves what follows from the changes of an update: which templates must be written anew.
func (c *compiler) updates(s *Stage) bool {
	ok := true
	e := s.entity()
	for _, a := range e.Attributes {
		if a.Generated == "version" && c.updated(s, e) && s.Embed == nil && s.Kind.byPath[a.Name] != nil && !has(s.sets, own(a)) {
			s.version = a
		}
	}
	changed := s.changed()
	if s.version != nil {
		changed = append(changed, own(s.version))
	}
	if s.Document.Stamp && (s.Kind.Stamp == "" || s.Embed != nil) {
		c.errorf(at(s.Path, "stamp"), CodeSteps, "say under which name: stamp: stamp, at the item "+s.Kind.Name, "%s has no stamp", s.Kind.Name)
		return false
	}
	if len(changed) == 0 && !s.Document.Stamp {
		c.errorf(s.Path, CodeSteps, "use set, add or remove", "%s: the update changes nothing", s.Procedure.Name)
		return false
	}
	wires := map[string]bool{}
	if s.Document.Stamp {
		wires[s.Kind.Stamp] = true
	}
	for _, t := range changed {
		name, written := s.storedAs(t)
		if written {
			wires[name] = true
		} else if !s.inTemplate(t) {
			c.errorf(s.Path, CodeElsewhere, "store it, or change the item that does", "%s: %s stores no %s that could be changed", s.Procedure.Name, s.Kind.Name, t.id)
			ok = false
		}
	}
	if s.Embed != nil {
		for _, t := range changed {
			if s.Embed.told(t.segs[0].Attribute) {
				c.errorf(s.Path, CodeKeyChange, "delete it and put it anew", "%s: %s tells where the child lies and cannot change", s.Procedure.Name, t.id)
				ok = false
			}
		}
		s.Changes = sortedKeys(wires)
		return c.arithmetic(s) && ok
	}
	makes := s.makes()
	if makes {
		for _, a := range s.key {
			st := s.Kind.storing(a.target)
			if st == nil || slices.ContainsFunc(s.Kind.Recipes, func(r *Recipe) bool { return r.Key && r.Wire.Name == st.Name }) {
				continue
			}
			s.told = append(s.told, a)
			wires[st.Name] = true
		}
		ok = c.makeable(s, changed) && ok
	}
	for _, r := range s.Kind.Recipes {
		if makes && r.Key && !r.dependsOn(changed) {
			continue
		}
		if !makes && !r.dependsOn(changed) {
			continue
		}
		if makes && s.stays(r, changed) {
			continue
		}
		if makes && !r.dependsOn(changed) && c.filledIn(s, r) {
			s.lacks = append(s.lacks, r.Wire.Name)
			continue // with what it is made of
		}
		if r.Key {
			c.errorf(s.Path, CodeKeyChange, "delete the item and put it anew", "%s: the update changes %s, which the key of %s is built from", s.Procedure.Name, r.Text, s.Kind.Name)
			ok = false
			continue
		}
		if r.Native {
			continue // written under its own name
		}
		s.rewrites = append(s.rewrites, r)
		wires[r.Wire.Name] = true
		ok = c.rewritable(s, r) && ok
	}
	s.Changes = sortedKeys(wires)
	return c.arithmetic(s) && ok
}

// makes reports whether the update makes what is not there. Of several updates of one entity, one that demands it makes nothing.
func (s *Stage) makes() bool {
	return s.Embed == nil && s.Kind.Role == EntityItem && !s.demandsPresent() && slices.ContainsFunc(s.Procedure.Pattern.Actions, func(a *spec.Action) bool {
		return a.Makes && a.Entity == s.Kind.Entity
	})
}

// makeable checks that an update which makes an item writes all that the item stores, but for what the consumer of a
// stream fills in.
func (c *compiler) makeable(s *Stage, changed []target) bool {
	ok := true
	for _, st := range s.Kind.Stored {
		a := st.target.attribute()
		if slices.ContainsFunc(changed, func(t target) bool { return same(t, st.target) }) || a.Rest || len(st.target.segs) == 1 && a.Optional || s.Kind.alone(st.target) != nil || has(s.told, st.target) {
			continue
		}
		if c.fills(s, st) != nil {
			s.lacks = append(s.lacks, st.Name)
			continue
		}
		c.errorf(s.Path, CodeElsewhere, "leave it out of what the item stores, or put the whole value", "%s: the update may make a %s, and does not know its %s", s.Procedure.Name, s.Kind.Name, st.Name)
		ok = false
	}
	return ok
}

// storedAs is the wire attribute in which a target is stored.
func (s *Stage) storedAs(t target) (string, bool) {
	if s.Embed != nil {
		return s.Embed.Attribute, slices.ContainsFunc(s.Embed.Stored, func(st *Stored) bool { return st.Name == t.path[0] })
	}
	if st := s.Kind.storing(t); st != nil {
		return st.Name, true
	}
	return "", false
}

// storing is the stored attribute that holds a target or the map it lies in.
func (k *Kind) storing(t target) *Stored {
	for n := len(t.path); n > 0; n-- {
		if st := k.byPath[t.path[:n].String()]; st != nil {
			return st
		}
		if t.segs[n-1].Way != nil {
			break
		}
	}
	if o := origin(t); o.id != t.id {
		return k.storing(o)
	}
	if i := slices.IndexFunc(k.Stored, func(st *Stored) bool { return !st.Copy && same(st.target, t) }); i >= 0 {
		return k.Stored[i] // derived along the same path
	}
	return nil
}

// inTemplate reports whether a template of the kind is built from the target.
func (s *Stage) inTemplate(t target) bool {
	return slices.ContainsFunc(s.Kind.Recipes, func(r *Recipe) bool { return r.dependsOn([]target{t}) })
}

// targets are what a recipe is made of, and what decides whether it is there.
func (r *Recipe) targets() (out []target) {
	for _, p := range r.Parts {
		if p.Attribute != nil {
			out = append(out, p.target)
		}
	}
	return append(out, r.when...)
}

// dependsOn reports whether a recipe's value can change with one of the targets.
func (r *Recipe) dependsOn(changed []target) bool {
	for _, t := range changed {
		for _, p := range r.Parts {
			if p.Attribute != nil && touches(p.target, t) {
				return true
			}
		}
		for _, w := range r.when {
			if touches(w, t) {
				return true
			}
		}
	}
	return false
}

// rewritable checks that an update knows all parts of a template it must write anew, and whether it is to be there.
func (c *compiler) rewritable(s *Stage, r *Recipe) bool {
	ok := true
	unknown := func(t target) {
		c.errorf(s.Path, CodeElsewhere, "give it: with: {"+t.id+": …}, from a step before whose values `if` checks again",
			"%s: the update changes what %s of %s is built from (%s), and does not know %s", s.Procedure.Name, r.Wire.Name, s.Kind.Name, r.describeText(), t.id)
		ok = false
	}
	holds, decided := s.decides(r.When)
	if decided && !holds {
		return ok // it goes, whatever the rest is
	}
	for _, w := range r.when {
		if !s.knows(w) && s.matters(r.When, w) {
			unknown(w)
		}
	}
	for _, p := range r.Parts {
		if p.Attribute == nil {
			ok = c.shardKnown(s) && ok
		} else if _, once := s.once(r); !once && !s.knows(p.target) {
			if _, _, follows := s.mirrored(r); !follows {
				unknown(p.target)
			}
		}
	}
	return ok
}

// once is what an update gives to what a template is made of where that has no value yet, and leaves as it is where it has one: the template
// follows in the same way.
func (s *Stage) once(r *Recipe) (first spec.Expr, ok bool) {
	if len(r.Parts) != 1 || r.Parts[0].Attribute == nil || r.When != nil || s.Embed != nil {
		return spec.Expr{}, false
	}
	for _, a := range s.sets {
		if same(a.target, r.Parts[0].target) && a.value.Op == "if_missing" && slices.Equal(a.value.Args[0].Path, a.target.path) && len(itemPaths(a.value.Args[1])) == 0 {
			return a.value.Args[1], true
		}
	}
	return spec.Expr{}, false
}

func (r *Recipe) describeText() string {
	if r.WhenText == "" {
		return r.Text
	}
	return r.Text + " when " + r.WhenText
}

// decides tells whether a condition holds after the update, as far as what it sets and removes says so.
func (s *Stage) decides(c spec.Condition) (holds, decided bool) {
	switch c := c.(type) {
	case nil:
		return true, true
	case *spec.Test:
		return s.decidesTest(c)
	case *spec.Logic:
		all := true
		for _, a := range c.Args {
			holds, known := s.decides(a)
			switch {
			case c.Op == "not":
				return !holds, known
			case known && holds != (c.Op == "and"):
				return holds, true
			}
			all = all && known
		}
		return c.Op == "and", all
	}
	return false, false
}

func (s *Stage) decidesTest(c *spec.Test) (holds, decided bool) {
	t, err := resolvePath(s.entity(), c.Path)
	if err != nil || len(c.Path) == 0 {
		return false, false
	}
	if slices.ContainsFunc(s.removes, func(r target) bool { return same(r, t) }) {
		return c.Op == "absent", true
	}
	for _, as := range [][]assign{s.sets, s.key, s.with} {
		for _, a := range as {
			if !same(a.target, t) {
				continue
			}
			if _, ok := a.begun(); ok {
				return s.decidesAny(c, t, s.standing(&a))
			}
			v := a.value
			constant := func(v spec.Expr) bool { return v.Op == "" && !v.Neg && !v.Literal.IsZero() && !v.Duration }
			switch {
			case constant(v) && !slices.ContainsFunc(c.Args, func(e spec.Expr) bool { return !constant(e) }):
				known := &scope{}
				known.give(t, v.Literal)
				holds, err := spec.Holds(c, known, spec.Env{})
				return holds, err == nil
			case c.Op == "exists" || c.Op == "absent":
				return c.Op == "exists", constant(v) || v.Op == "" && (v.Now || len(v.Reference) == 1 && s.required(v.Reference[0]))
			}
			return false, false
		}
	}
	return false, false
}

// decidesAny tells whether a test holds of a state, where that is the same for all of some states.
func (s *Stage) decidesAny(c *spec.Test, t target, states []string) (holds, decided bool) {
	for i, name := range states {
		known := &scope{}
		known.give(t, attr.Text(name))
		is, err := spec.Holds(c, known, spec.Env{})
		if err != nil || i > 0 && is != holds {
			return false, false
		}
		holds = is
	}
	return holds, len(states) > 0
}

// required reports whether every call gives a parameter.
func (s *Stage) required(name string) bool {
	q := s.Procedure.Pattern.Parameter(name)
	return q != nil && !q.Optional
}

// matters reports whether a path is tested where a condition is not decided without it.
func (s *Stage) matters(c spec.Condition, w target) bool {
	if _, decided := s.decides(c); decided {
		return false
	}
	if l, ok := c.(*spec.Logic); ok {
		return slices.ContainsFunc(l.Args, func(a spec.Condition) bool { return s.matters(a, w) })
	}
	for t := range spec.Tests(c) {
		paths := []spec.Path{t.Path}
		for _, a := range t.Args {
			paths = append(paths, itemPaths(a)...)
		}
		for _, p := range paths {
			if u, err := resolvePath(s.entity(), p); err == nil && same(u, w) {
				return true
			}
		}
	}
	return false
}

// arithmetic checks that DynamoDB can compute what an update sets.
func (c *compiler) arithmetic(s *Stage) bool {
	ok := true
	for _, a := range s.sets {
		place := at(s.Path, "set", a.target.id)
		if a.value.Op == "" || len(itemPaths(a.value)) == 0 {
			if len(itemPaths(a.value)) > 0 {
				ok = c.readable(s, place, a.value.Path) && ok
			}
			continue
		}
		switch a.value.Op {
		case "+", "-":
			if a.target.attribute().Type != spec.Number {
				c.errorf(place, CodeSteps, "read it with a step before and check it again in `if`", "%s: DynamoDB computes with numbers only, and %s is a %s", s.Procedure.Name, a.target.id, a.target.attribute().Type)
				ok = false
			}
			if paths := itemPaths(a.value); len(paths) > 2 {
				c.errorf(place, CodeSteps, "", "%s: DynamoDB adds two attributes at most", s.Procedure.Name)
				ok = false
			}
		}
		for _, p := range itemPaths(a.value) {
			ok = c.readable(s, place, p) && ok
		}
	}
	for _, a := range s.adds {
		if ty := a.target.attribute().Type; ty != spec.Number && ty != spec.SetType || len(itemPaths(a.value)) > 0 {
			c.errorf(at(s.Path, "add", a.target.id), CodeSteps, "", "%s: add takes a number or set attribute and a value that the caller knows", s.Procedure.Name)
			ok = false
		}
	}
	return ok
}

// readable checks that an expression on the stored item can name the path.
func (c *compiler) readable(s *Stage, place []string, p spec.Path) bool {
	tg, err := resolvePath(s.entity(), p)
	if err != nil {
		return true // reported before
	}
	if _, ok := s.storedAs(tg); ok {
		return true
	}
	if s.Embed == nil && s.Kind.alone(tg) != nil {
		return true
	}
	c.errorf(place, CodeElsewhere, "store it under its own name", "%s: %s does not store %s, so no condition or update of it can name it", s.Procedure.Name, s.Kind.Name, p)
	return false
}

// testable checks that a condition on the stored item can name all its paths.
func (c *compiler) testable(s *Stage, place []string, cond spec.Condition) bool {
	ok := true
	for t := range spec.Tests(cond) {
		paths := []spec.Path{t.Path}
		for _, a := range t.Args {
			paths = append(paths, itemPaths(a)...)
		}
		for _, p := range paths {
			ok = (len(p) == 0 || c.readable(s, place, p)) && ok
		}
	}
	return ok
}

// alone is a template that is nothing but the target, written as it is stored.
func (k *Kind) alone(t target) *Recipe {
	for _, r := range k.Recipes {
		if len(r.Parts) != 1 || r.Literals[0] != "" || r.Literals[1] != "" || r.When != nil || r.Else != "" || r.Parts[0].Attribute == nil {
			continue
		}
		if cd := r.Parts[0].codec; !cd.readable || kindOf(r.Parts[0].Attribute) != r.Wire.Type || cd.order == keys.Reversed || cd.list != "" || cd.base != (keys.Codec{}) && cd.base != keys.RawCodec && cd.base != keys.ISOCodec {
			continue
		}
		if same(r.Parts[0].target, t) {
			return r
		}
	}
	return nil
}
