package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// aside says that what is derived from an entity's children lies in items of its own: they are small however large the
// entity is, and are there before it and after it. What is hot is divided at random.
type aside struct {
	attrs  []*spec.Attribute
	shards int // 1: none
}

// apart reports whether an option keeps an attribute in an item of its own.
func (o *option) apart(a *spec.Attribute) bool {
	return o.aside != nil && indexOf(o.aside.attrs, a) >= 0
}

func (a *aside) text() string {
	var names []string
	for _, x := range a.attrs {
		names = append(names, x.Name)
	}
	text := strings.Join(names, ", ") + " aside"
	if a.shards > 1 {
		text += " in " + strconv.Itoa(a.shards) + " shards"
	}
	return text
}

// asides adds to the options of an entity those that keep what is counted of it in items of its own.
func asides(f *facts, e *spec.Entity, options []*option) []*option {
	var attrs []*spec.Attribute
	for _, a := range e.Attributes {
		if d := a.Derived; d != nil && (d.Func == "count" || d.Func == "sum") {
			attrs = append(attrs, a)
		}
	}
	if len(attrs) == 0 {
		return options
	}
	out := slices.Clone(options)
	add := func(attrs []*spec.Attribute) {
		for _, o := range options {
			if o.own != nil {
				q := *o
				q.aside = &aside{attrs: attrs, shards: 1}
				q.name = q.text()
				out = append(out, &q)
			}
		}
	}
	add(attrs)
	var some []*spec.Attribute // that count where nobody knows whether the entity is there
	for _, a := range attrs {
		if f.unsure(e.WayBack(a.Derived.Path[0])) {
			some = append(some, a)
		}
	}
	if len(some) > 0 && len(some) < len(attrs) {
		add(some)
	}
	return out
}

// unsure reports whether some write counts children by a way whose parent may not be there.
func (f *facts) unsure(way *spec.Relationship) bool {
	return slices.ContainsFunc(f.of[way.From], func(t *touch) bool {
		switch t.verb {
		case spec.Create:
			return t.inside == nil && !slices.Contains(t.action.Requires, way)
		case spec.Delete:
			return !way.Identifying && len(f.deleted[way.To]) > 0
		}
		return false
	})
}
