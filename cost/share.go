package cost

import (
	"slices"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

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
	c, elsewhere := entering(k, keys)
	if c == nil {
		return elsewhere
	}
	return elsewhere * f.Share(c, k.Entity, sure)
}

// turned is indexed before a change, after it, and both.
func (f *figures) turned(k *plan.Kind, keys []*plan.Recipe, before, after known) (was, is, both float64) {
	c, elsewhere := entering(k, keys)
	if c == nil {
		return elsewhere, elsewhere, elsewhere
	}
	was, is, both = f.Turn(c, k.Entity, before, after)
	return elsewhere * was, elsewhere * is, elsewhere * both
}

// entering is the condition under which some templates write anything, as far as the entity's own attributes decide; nil:
// none. elsewhere is the share of items for which attributes that come from other entities are there.
func entering(k *plan.Kind, keys []*plan.Recipe) (c spec.Condition, elsewhere float64) {
	var all []spec.Condition
	var seen []*spec.Attribute
	elsewhere = 1
	for i, r := range keys {
		if r.When != nil && !slices.ContainsFunc(keys[:i], func(b *plan.Recipe) bool { return b.WhenText == r.WhenText }) {
			all = append(all, r.When)
		}
		for _, part := range r.Parts {
			a := part.Attribute
			if a == nil || r.Else != "" || !a.Optional || slices.Contains(seen, a) {
				continue
			}
			if seen = append(seen, a); k.Entity.Attribute(a.Name) == a {
				all = append(all, &spec.Test{Path: spec.Path{a.Name}, Op: "exists"})
			} else {
				elsewhere *= a.Present
			}
		}
	}
	switch len(all) {
	case 0:
		return nil, elsewhere
	case 1:
		return all[0], elsewhere
	}
	return &spec.Logic{Op: "and", Args: all}, elsewhere
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
				if f.Same(a, part.Attribute) {
					sure = sure.With(a.Name, workload.There)
				}
			}
		}
	}
	return sure
}

// stored is how many items of a kind there are.
func (f *figures) stored(k *plan.Kind) float64 {
	n := f.Count(k.Entity)
	switch k.Role {
	case plan.UniqueItem:
		return n * f.marked(k)
	case plan.SequenceItem:
		if a := k.Attribute.Sequence; a.Reference != nil {
			return f.Count(a.Reference.To)
		}
		return 1
	case plan.AggregateItem:
		return n * float64(max(k.Shards, 1))
	}
	return n
}

// marked is the share of instances with a unique marker: those that have all its attributes, while they are to be unique.
func (f *figures) marked(k *plan.Kind) float64 {
	return f.Share(claimed(k), k.Entity, nil)
}

// claimed is the condition under which an instance has a marker; nil: all have one.
func claimed(k *plan.Kind) spec.Condition {
	all := &spec.Logic{Op: "and"}
	for _, a := range k.Unique {
		if a.Optional {
			all.Args = append(all.Args, &spec.Test{Path: spec.Path{a.Name}, Op: "exists"})
		}
	}
	if k.While != nil {
		all.Args = append(all.Args, k.While)
	}
	if len(all.Args) == 0 {
		return nil
	}
	return all
}
