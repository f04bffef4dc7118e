package cost

import (
	"slices"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// presence is the share of an entity's instances that have an attribute.
func presence(a *spec.Attribute) float64 {
	if a == nil || !a.Optional {
		return 1
	}
	return a.Present
}

// together finds the optional attributes that come and go with each other, and gives those of a group the first of them:
// as many instances have them, and no write sets or removes one without the others. All others are taken as independent.
func together(r *spec.Requirements) map[*spec.Attribute]*spec.Attribute {
	first := map[*spec.Attribute]*spec.Attribute{}
	for _, e := range r.Entities {
		for i, a := range e.Attributes {
			if !a.Optional || first[a] != nil {
				continue
			}
			for _, b := range e.Attributes[i+1:] {
				if b.Optional && b.Present == a.Present && writtenTogether(r, a, b) {
					first[a], first[b] = a, a
				}
			}
		}
	}
	return first
}

func writtenTogether(r *spec.Requirements, a, b *spec.Attribute) bool {
	written := false
	for _, p := range r.Patterns {
		for _, act := range p.Actions {
			if act.Entity != a.Entity || act.Verb != spec.Update {
				continue
			}
			if sets(act, a.Name) != sets(act, b.Name) || removes(act, a.Name) != removes(act, b.Name) {
				return false
			}
			written = written || sets(act, a.Name)
		}
	}
	return written
}

// keyOf reports whether a wire attribute is part of an access's key.
func keyOf(x *plan.Access, name string) bool {
	is := func(w plan.Wire) bool { return w.Name == name }
	return slices.ContainsFunc(x.Partition, is) || slices.ContainsFunc(x.Sort, is)
}

// keyRecipes are the templates (or stored attributes) that make an index's key for a kind; nil if it lacks one.
func keyRecipes(k *plan.Kind, x *plan.Access) []*plan.Recipe {
	var out []*plan.Recipe
	for _, w := range slices.Concat(x.Partition, x.Sort) {
		r := k.Recipe(w.Name)
		if r == nil {
			return nil
		}
		out = append(out, r)
	}
	return out
}

// entries is the share of a kind's items that have an entry in an index; of the table itself 1.
func (f *figures) entries(k *plan.Kind, x *plan.Access) float64 {
	if x.Index == "" {
		return 1
	}
	keys := keyRecipes(k, x)
	if keys == nil {
		return 0
	}
	return f.indexed(k, keys, nil)
}

// indexed is the share of items that have what some templates write: their conditions hold and their parts are there. Of
// an index's key it is the share of items with an entry.
func (f *figures) indexed(k *plan.Kind, keys []*plan.Recipe, sure known) float64 {
	share := 1.0
	var counted []*spec.Attribute
	for i, r := range keys {
		if r.When != nil && !slices.ContainsFunc(keys[:i], func(b *plan.Recipe) bool { return b.WhenText == r.WhenText }) {
			share *= holds(r.When, k.Entity, sure)
		}
		for _, part := range r.Parts {
			if a := part.Attribute; a != nil && r.Else == "" && a.Optional && !slices.ContainsFunc(counted, func(b *spec.Attribute) bool { return f.same(a, b) }) {
				counted = append(counted, a)
				share *= sure.presence(a)
			}
		}
	}
	return share
}

// same reports whether two optional attributes are there together or not at all.
func (f *figures) same(a, b *spec.Attribute) bool {
	return a == b || f.first[a] != nil && f.first[a] == f.first[b]
}

// entered is what is known of instances that have an entry in an index: all of its key is there, and what comes with it.
func (f *figures) entered(k *plan.Kind, x *plan.Access, sure known) known {
	if x.Index == "" {
		return sure
	}
	for _, r := range keyRecipes(k, x) {
		for _, part := range r.Parts {
			if part.Attribute == nil || r.Else != "" || !part.Attribute.Optional {
				continue
			}
			for _, a := range k.Entity.Attributes {
				if f.same(a, part.Attribute) {
					sure = sure.with(a.Name, there)
				}
			}
		}
	}
	return sure
}

// stored is how many items of a kind there are.
func (f *figures) stored(k *plan.Kind) float64 {
	n := f.count(k.Entity)
	switch k.Role {
	case plan.UniqueItem:
		return n * marked(k)
	case plan.SequenceItem:
		if a := k.Attribute.Sequence; a.Reference != nil {
			return f.count(a.Reference.To)
		}
		return 1
	case plan.AggregateItem:
		return n * float64(max(k.Shards, 1))
	}
	return n
}

// marked is the share of instances with a unique marker: those that have all its attributes.
func marked(k *plan.Kind) float64 {
	share := 1.0
	for _, a := range k.Unique {
		share *= presence(a)
	}
	return share
}

// holds is the share of instances for which a condition on states, enums and presence is true, tests being taken as
// independent. What nothing is stated about holds.
func holds(c spec.Condition, e *spec.Entity, sure known) float64 {
	switch c := c.(type) {
	case *spec.Logic:
		switch c.Op {
		case "not":
			return 1 - holds(c.Args[0], e, sure)
		case "and":
			p := 1.0
			for _, a := range c.Args {
				p *= holds(a, e, sure)
			}
			return p
		}
		none := 1.0
		for _, a := range c.Args {
			none *= 1 - holds(a, e, sure)
		}
		return 1 - none
	case *spec.Test:
		return testHolds(c, e, sure)
	}
	return 1
}

func testHolds(t *spec.Test, e *spec.Entity, sure known) float64 {
	if e == nil || len(t.Path) != 1 {
		return 1
	}
	a := e.Attribute(t.Path[0])
	if a == nil {
		return 1
	}
	switch t.Op {
	case "exists":
		return sure.presence(a)
	case "absent":
		return 1 - sure.presence(a)
	}
	if len(a.Shares) == 0 {
		return 1
	}
	sum := 0.0
	for _, x := range t.Args {
		sum += valueShare(a, spec.ConstantText(x.Literal), sure)
	}
	switch t.Op {
	case "=", "in":
		return sure.presence(a) * sum
	case "!=":
		return sure.presence(a) * (1 - sum)
	}
	return 1
}

// valueShare is the share of instances whose attribute has a value.
func valueShare(a *spec.Attribute, value string, sure known) float64 {
	if v := sure[a.Name]; v != there {
		if v == value {
			return 1
		}
		return 0
	}
	for _, s := range a.Shares {
		if s.Value == value {
			return s.Of
		}
	}
	return 0
}
