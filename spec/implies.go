package spec

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Implies reports whether every instance of an entity that meets one condition meets another, as far as single tests
// tell: of constants among fewer constants, and of being there from any other test. false may mean that it is not
// known. A nil condition is met by all.
func (e *Entity) Implies(met, want Condition) bool {
	switch w := want.(type) {
	case nil:
		return true
	case *Logic:
		is := func(a Condition) bool { return e.Implies(met, a) }
		not := func(a Condition) bool { return !is(a) }
		switch {
		case w.Op == "and":
			return !slices.ContainsFunc(w.Args, not)
		case w.Op == "or" && slices.ContainsFunc(w.Args, is):
			return true
		}
		return slices.ContainsFunc(Conjuncts(met), func(c Condition) bool { return c.String() == w.String() })
	case *Test:
		return slices.ContainsFunc(Conjuncts(met), func(c Condition) bool {
			t, ok := c.(*Test)
			return ok && (t.String() == w.String() || slices.Equal(t.Path, w.Path) && len(w.Path) > 0 && e.narrower(t, w))
		})
	}
	return false
}

// narrower reports whether what passes one test of an attribute passes another test of it.
func (e *Entity) narrower(t, want *Test) bool {
	if want.Op == "exists" {
		return t.Op != "absent"
	}
	few, ok := e.Among(t)
	many, known := e.Among(want)
	return ok && known && !slices.ContainsFunc(few, func(v string) bool { return !slices.Contains(many, v) })
}

// Among lists the constants that a test of an attribute allows, as shares name them; false if it does not list any.
func (e *Entity) Among(t *Test) (out []string, ok bool) {
	for _, a := range t.Args {
		if a.Op != "" || a.Neg || a.Literal.IsZero() {
			return nil, false
		}
		if a.Literal.Kind() == attr.KindN {
			out = append(out, a.Literal.Number().String())
		} else {
			out = append(out, ConstantText(a.Literal))
		}
	}
	switch t.Op {
	case "=", "in":
		return out, true
	case "!=":
		if len(t.Path) != 1 || e.Attribute(t.Path[0]) == nil {
			return nil, false
		}
		a := e.Attribute(t.Path[0])
		all := a.Values()
		if a.Type == Bool {
			all = []string{"true", "false"}
		}
		return slices.DeleteFunc(slices.Clone(all), func(v string) bool { return slices.Contains(out, v) }), len(all) > 0
	}
	return nil, false
}

// Conjuncts are the conditions all of which a condition demands.
func Conjuncts(c Condition) []Condition {
	if c == nil {
		return nil
	}
	if l, ok := c.(*Logic); ok && l.Op == "and" {
		var out []Condition
		for _, a := range l.Args {
			out = append(out, Conjuncts(a)...)
		}
		return out
	}
	return []Condition{c}
}

// Excludes reports whether no instance of an entity that meets one condition meets another, as far as single tests
// tell. false may mean that it is not known.
func (e *Entity) Excludes(met, other Condition) bool {
	switch o := other.(type) {
	case *Logic:
		is := func(a Condition) bool { return e.Excludes(met, a) }
		switch o.Op {
		case "and":
			return slices.ContainsFunc(o.Args, is)
		case "or":
			return !slices.ContainsFunc(o.Args, func(a Condition) bool { return !is(a) })
		}
		return e.Implies(met, o.Args[0])
	case *Test:
		return slices.ContainsFunc(Conjuncts(met), func(c Condition) bool {
			t, ok := c.(*Test)
			if !ok || !slices.Equal(t.Path, o.Path) || len(o.Path) == 0 {
				return false
			}
			if (t.Op == "absent") != (o.Op == "absent") {
				return true // of what is not there no other test holds
			}
			few, known := e.Among(t)
			others, listed := e.Among(o)
			return known && listed && !slices.ContainsFunc(few, func(v string) bool { return slices.Contains(others, v) })
		})
	}
	return false
}

// Sure is what is known of a condition before anything is looked at.
type Sure int8

// What can be known of a condition.
const (
	Never  Sure = -1
	Open   Sure = 0
	Always Sure = 1
)

// Decides is what an action that happens tells of a condition on what it is about: before it, by what the action
// demands and by the states from which it may lead on, and after it, by what it sets and leaves. What is created or
// replaced is not known.
func (a *Action) Decides(c Condition) (before, after Sure) {
	if c == nil {
		return Always, Always
	}
	if a.Verb != Update && a.Verb != Delete {
		return Open, Open
	}
	var was, is []Condition
	demanded := Conjuncts(a.Condition)
	was = append(was, demanded...)
	for _, s := range a.Set {
		x := a.Entity.Attribute(s.Path[0])
		if len(s.Path) != 1 || x == nil {
			continue
		}
		if s.Value.Now {
			is = append(is, &Test{Path: s.Path, Op: "exists"})
		}
		switch {
		case s.Value.Op == "" && !s.Value.Literal.IsZero():
			is = append(is, &Test{Path: s.Path, Op: "=", Args: []Expr{s.Value}})
			if x.States != nil {
				was = append(was, among(s.Path, x.States.Before(ConstantText(s.Value.Literal))))
			}
		case x.States != nil && len(s.Value.Reference) > 0 && !s.Optional: // a state that another leads to
			left := func(v string) bool {
				return len(x.States.Next[v]) == 0 || a.Entity.Excludes(a.Condition, among(s.Path, []string{v}))
			}
			from, to := slices.DeleteFunc(slices.Clone(x.States.Names), left), []string(nil)
			for _, v := range from {
				to = append(to, x.States.Next[v]...)
			}
			was, is = append(was, among(s.Path, from)), append(is, among(s.Path, to))
		}
	}
	for _, p := range a.Remove {
		if len(p) == 1 {
			is = append(is, &Test{Path: p, Op: "absent"})
		}
	}
	for _, d := range demanded {
		stays := true
		for t := range Tests(d) {
			stays = stays && len(t.Path) > 0 && !a.Changes(t.Path[0])
		}
		if stays {
			is = append(is, d)
		}
	}
	return a.Entity.sure(was, c), a.Entity.sure(is, c)
}

func (e *Entity) sure(met []Condition, c Condition) Sure {
	all := &Logic{Op: "and", Args: met}
	switch {
	case e.Implies(all, c):
		return Always
	case e.Excludes(all, c):
		return Never
	}
	return Open
}

// among is the test that an attribute has one of some values.
func among(path Path, values []string) *Test {
	t := &Test{Path: path, Op: "in"}
	for _, v := range values {
		t.Args = append(t.Args, Expr{Literal: attr.Text(v)})
	}
	return t
}

// Entered is the constant that an update gives an attribute; "" if it gives none.
func (a *Action) Entered(x *Attribute) string {
	for _, s := range a.Set {
		if len(s.Path) == 1 && s.Path[0] == x.Name && s.Value.Op == "" && !s.Value.Literal.IsZero() {
			return ConstantText(s.Value.Literal)
		}
	}
	return ""
}

// Touches reports whether an update changes what is unique, or may change whether it is.
func (a *Action) Touches(u Unique) bool {
	return slices.ContainsFunc(a.Entity.Attributes, func(x *Attribute) bool { return u.Rests(x) && a.Changes(x.Name) })
}

// Turns is what an update does to the claim of what is unique: whether its instance may have had one that it gives up,
// and whether it may get one that it had not. What lacks a part of it has none.
func (a *Action) Turns(u Unique) (gives, gets bool) {
	if !a.Touches(u) {
		return false, false
	}
	before, after := a.Decides(u.While)
	moved := slices.ContainsFunc(u.Of, func(x *Attribute) bool { return a.Changes(x.Name) })
	removed := slices.ContainsFunc(u.Of, func(x *Attribute) bool { return a.Removes(x.Name) && !a.Sets(x.Name) })
	if !moved && before == after && before != Open {
		return false, false
	}
	lacked := slices.ContainsFunc(u.Of, func(x *Attribute) bool {
		is, _ := a.Decides(&Test{Path: Path{x.Name}, Op: "exists"})
		return is == Never
	})
	return before != Never && !lacked, after != Never && !removed
}
