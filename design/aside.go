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
	shards int  // 1: none
	stream bool // the consumer of a stream keeps those that may lag, in no transaction with the children
}

// streamed reports whether the consumer of a stream keeps an attribute true.
func (a *aside) streamed(x *spec.Attribute) bool {
	return a != nil && a.stream && x.Derived != nil && x.Derived.Within > 0 && indexOf(a.attrs, x) >= 0
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
	if a.stream {
		text += ", kept by a stream"
	}
	if a.shards > 1 {
		text += " in " + strconv.Itoa(a.shards) + " shards"
	}
	return text
}

// asides adds to the options of an entity those that keep what is counted of it in items of its own.
func asides(f *facts, e *spec.Entity, options []*option) []*option {
	var attrs, late []*spec.Attribute
	for _, a := range e.Attributes {
		if d := a.Derived; d != nil && d.Where == nil && (d.Func == "count" || d.Func == "sum") {
			attrs = append(attrs, a)
		}
		if f.followable(e, a) {
			late = append(late, a)
		}
	}
	if len(attrs)+len(late) == 0 {
		return options
	}
	out := slices.Clone(options)
	add := func(attrs []*spec.Attribute, stream bool) {
		for _, o := range options {
			if o.own != nil && len(attrs) > 0 {
				q := *o
				q.aside = &aside{attrs: attrs, shards: 1, stream: stream}
				q.name = q.text()
				out = append(out, &q)
			}
		}
	}
	add(attrs, false)
	add(late, true)
	var some []*spec.Attribute // that count where nobody knows whether the entity is there
	for _, a := range attrs {
		if f.unsure(e.WayBack(a.Derived.Path[0])) {
			some = append(some, a)
		}
	}
	if len(some) > 0 && len(some) < len(attrs) {
		add(some, false)
	}
	if mixed := slices.Concat(late, slices.DeleteFunc(some, func(a *spec.Attribute) bool { return indexOf(late, a) >= 0 })); len(late) > 0 && len(mixed) > len(late) {
		add(mixed, true)
	}
	return out
}

// followable reports whether the consumer of a stream can keep a derived attribute true by what the records of single children say: a
// number that is counted on, or a largest or smallest value that no write can leave to another child. Conditions of writes need
// it as it is now, and what expires leaves the stream later than it leaves answers. What a retention lets go does not count any more then:
// else it has none that becomes a time to live.
func (f *facts) followable(e *spec.Entity, a *spec.Attribute) bool {
	d := a.Derived
	if d == nil || d.Within <= 0 || d.Func == "" || f.tested[a] {
		return false
	}
	way := e.WayBack(d.Path[0])
	if way == nil || way.From.External || way.From.Expires != nil {
		return false
	}
	switch {
	case d.Func == "count" && len(d.Path) == 1:
		return true
	case len(d.Path) != 2 || way.From.Attribute(d.Path[1]) == nil || way.From.Attribute(d.Path[1]).Derived != nil:
		return false
	case d.Func == "sum":
		return true
	case (d.Func == "max" || d.Func == "min") && d.Where == nil:
		of := way.From.Attribute(d.Path[1])
		return !slices.ContainsFunc(f.of[way.From], func(t *touch) bool {
			return t.verb != spec.Create && (t.verb != spec.Update || slices.ContainsFunc(append(slices.Clone(way.By), of), func(x *spec.Attribute) bool {
				return slices.Contains(f.changed[x], t)
			}))
		})
	}
	return false
}

// unsure reports whether some write counts children by a way whose parent may not be there.
func (f *facts) unsure(way *spec.Relationship) bool {
	return slices.ContainsFunc(f.of[way.From], func(t *touch) bool {
		switch t.verb {
		case spec.Create:
			return t.inside == nil && !slices.Contains(t.action.Requires, way)
		case spec.Update:
			return t.action.Makes
		case spec.Delete:
			return !way.Identifying && len(f.deleted[way.To]) > 0
		}
		return false
	})
}
