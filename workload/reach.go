package workload

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// Reached is how a pattern's updates of an entity spread over its instances: as its skew says, or, where the key is a
// foreign key of what the same call creates, as the children spread.
func (w *Workload) Reached(p *spec.Pattern, e *spec.Entity) Spread {
	skew := w.SkewOver(p, e)
	if skew.Uniform() {
		if way := w.Causes(p, e); way != nil {
			return w.Kids(way)
		}
	}
	return Calls(w.Members(e), skew)
}

// Causes is the way from what a call is about to what it changes by that foreign key, if its numbers are stated: a
// parent that an action names so, or, where no action is about it, one that keeps its children inside or counts them.
func (w *Workload) Causes(p *spec.Pattern, e *spec.Entity) *spec.Relationship {
	for _, a := range p.Actions {
		if a.Entity != e {
			continue
		}
		for _, key := range a.Key {
			at := Referenced(p, a, key.Value.Reference)
			if at != nil && at.Reference != nil && at.Reference.To == e && w.Children(at.Reference).Stated {
				return at.Reference
			}
		}
	}
	if ActionOf(p, e) != nil {
		return nil
	}
	for _, a := range p.Actions {
		for _, way := range a.Requires { // what must be there for a child to point to
			if way.To == e && w.Children(way).Stated {
				return way
			}
		}
		for _, way := range a.Entity.There {
			if way.To == e && w.Children(way).Stated && (way.Identifying || derives(e, way)) {
				return way
			}
		}
	}
	return nil
}

// derives reports whether an entity has an attribute that is made of its children along a way.
func derives(e *spec.Entity, way *spec.Relationship) bool {
	return slices.ContainsFunc(e.Attributes, func(a *spec.Attribute) bool {
		return a.Derived != nil && len(a.Derived.Path) > 0 && e.WayBack(a.Derived.Path[0]) == way
	})
}

// Referenced is the attribute of a passed value that a reference inside an action names.
func Referenced(p *spec.Pattern, a *spec.Action, r spec.Reference) *spec.Attribute {
	if len(r) == 0 {
		return nil
	}
	if r[0] == "each" && len(a.Each) > 0 {
		r = append(slices.Clone(a.Each), r[1:]...)
	}
	q := p.Known(r[0])
	if q == nil || q.Entity == nil || len(r) < 2 {
		return nil
	}
	e := q.Entity
	for _, name := range r[1 : len(r)-1] {
		way := e.WayBack(name)
		if way == nil {
			return nil
		}
		e = way.From
	}
	return e.Attribute(r[len(r)-1])
}

// Elements is how many elements a list parameter, or a list of children inside one, has on average.
func (w *Workload) Elements(p *spec.Pattern, r spec.Reference) float64 {
	q := p.Parameter(r[0])
	n := 1.0
	if q.List && q.Like != nil && q.Like.Length.Average > 0 {
		n = q.Like.Length.Average
	} else if q.List && q.Length.Average > 0 {
		n = q.Length.Average
	}
	if stated, ok := w.figures.Lengths[q]; ok {
		n = stated
	}
	e := q.Entity
	for _, name := range r[1:] {
		if e == nil {
			break
		}
		way := e.WayBack(name)
		if way == nil {
			break
		}
		n, e = n*q.Brings(way, w.Children(way)).Average, way.From
	}
	return n
}
