package design

import (
	"fmt"
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

// together are the partition and the sort key of what lies aside, where entities lie together under a part of their identity: then what is
// counted of all of them is read by one query, as they are. false: each lies alone, for nobody lists them so or it is divided.
func (o *option) together() (partition, sort []ref, ok bool) {
	if o.aside == nil || o.aside.shards > 1 || o.own == nil || o.own.shards > 1 || len(o.own.partition) == 0 {
		return nil, nil, false
	}
	id := identityRefs(o.entity)
	for _, r := range o.own.partition {
		if !hasRef(id, r) {
			return nil, nil, false
		}
	}
	for _, r := range id {
		if !hasRef(o.own.partition, r) {
			sort = append(sort, r)
		}
	}
	return o.own.partition, sort, len(sort) > 0
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
		// A condition names what its item has.
		if d := a.Derived; d != nil && d.Where == nil && (d.Func == "count" || d.Func == "sum") && !f.tested[a] &&
			a.Expiring() == nil {
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
		if len(f.unsure(e.WayBack(a.Derived.Path[0]))) > 0 {
			some = append(some, a)
		}
	}
	if len(some) > 0 && len(some) < len(attrs) {
		add(some, false)
	}
	if mixed := slices.Concat(late, slices.DeleteFunc(slices.Clone(some), func(a *spec.Attribute) bool { return indexOf(late, a) >= 0 })); len(late) > 0 && len(mixed) > len(late) {
		add(mixed, true)
	}
	return out
}

// followable reports whether the consumer of a stream can keep a derived attribute true by what the records of single children say: a
// number that is counted on, or a largest or smallest value that no write can leave to another child. Conditions of writes need
// it as it is now, and what expires leaves the stream later than it leaves answers. What is deleted when its retention is over
// counts no more by then.
func (f *facts) followable(e *spec.Entity, a *spec.Attribute) bool {
	d := a.Derived
	if d == nil || d.Within <= 0 || d.Func == "" || f.tested[a] {
		return false
	}
	way := e.WayBack(d.Path[0])
	if way == nil || way.From.External || a.Expiring() != nil {
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

// unfollowable says of a number that counts only some children why the consumer of a stream cannot keep it, and what could be stated
// instead; it may lag.
func (f *facts) unfollowable(way *spec.Relationship, a *spec.Attribute) string {
	if f.tested[a] {
		return fmt.Sprintf("the condition of a write tests it, which needs it as it is now: let the writes keep it, "+
			"`%s: {type: number}` and `set: {%s: %s + 1}` beside what counts", a.Name, a.Name, a.Name)
	}
	return "which of them counted before no write knows"
}

// unfollowed says why nothing keeps a number true: some of what it is derived from expires. No write does that, and a
// stream reports it too late.
func unfollowed(a *spec.Attribute, ends *spec.Entity) string {
	read := a.Derived.Func
	if len(a.Derived.Path) > 1 {
		read += "(" + a.Derived.Path[1:].String() + ")"
	}
	return fmt.Sprintf("%s.%s changes whenever a %s ends at its %s, which no write does and a stream tells too late: "+
		"let it be read, `aggregate: {%s: %s}` of %s",
		a.Entity.Name, a.Name, ends.Name, ends.Expires.Name, a.Name, read, ends.Name)
}

// unsure are the touches that count children by a way whose parent may not be there.
func (f *facts) unsure(way *spec.Relationship) (out []*touch) {
	for _, t := range f.of[way.From] {
		may := false
		switch t.verb {
		case spec.Create:
			may = t.inside == nil && !slices.Contains(t.action.Requires, way)
		case spec.Update:
			may = t.action.Makes && !asksFor(t, way)
		case spec.Delete:
			may = len(f.orphans(way)) > 0
		}
		if may {
			out = append(out, t)
		}
	}
	return out
}

// counts reports whether an attribute of a parent is how many children it has by a way.
func counts(a *spec.Attribute, way *spec.Relationship) bool {
	d := a.Derived
	return d != nil && d.Func == "count" && d.Where == nil && len(d.Path) == 1 && d.Path[0] == way.Inverse
}

// placeable reports whether the consumer of a stream can keep a number in the items of its entity: each child that counts comes to one
// that is there, or the entity never comes after its children.
func (f *facts) placeable(e *spec.Entity, a *spec.Attribute) bool {
	return f.followable(e, a) && (f.neverTwice(e) || len(f.unsure(e.WayBack(a.Derived.Path[0]))) == 0)
}

// homeless says what would let a number by which a read finds or orders lie in the items of its entity, where only that is in the
// way; "" if it is not.
func (f *facts) homeless(d *demand) string {
	for _, a := range d.target.Attributes {
		if !f.followable(d.target, a) || f.placeable(d.target, a) || !looksFor(d.pattern, ref{from: d.target, attr: a}) {
			continue
		}
		way := d.target.WayBack(a.Derived.Path[0])
		var remedies []string
		for _, t := range f.unsure(way) {
			switch {
			case t.verb == spec.Create:
				remedies = appendNew(remedies, fmt.Sprintf("`requires: [%s]` in %s", way.Name, t.pattern.Name))
			case t.verb == spec.Update:
				remedies = appendNew(remedies, fmt.Sprintf("`{update: %s, key: {%s}, condition: present}` beside the upsert in %s", way.To.Name, keyStated(t, way), t.pattern.Name))
			default:
				return fmt.Sprintf("%s.%s stands in no key, because %s may count a %s down that is gone", d.target.Name, a.Name, t.pattern.Name, d.target.Name)
			}
		}
		remedy := strings.Join(remedies, ", and ")
		if len(d.eqs) == 0 && !d.whole && !d.paged() {
			remedy += fmt.Sprintf("; or `whole: true` in %s: it reads every %s, and the client tests and orders them", d.pattern.Name, d.target.Name)
		}
		return fmt.Sprintf("%s.%s may count before there is a %s, so that no item of one, and no key of an index, can have it: write %s",
			d.target.Name, a.Name, d.target.Name, remedy)
	}
	return ""
}

// asksFor reports whether a write that may make a child is refused where there is no parent by a way: the same transaction updates or
// tests that.
func asksFor(t *touch, way *spec.Relationship) bool {
	key := keyOfMade(t, way)
	return t.pattern.Atomic && slices.ContainsFunc(t.pattern.Actions, func(a *spec.Action) bool {
		return a.Demands() && a.Entity == way.To && a.Each.String() == t.action.Each.String() &&
			len(a.Key) == len(key) && !slices.ContainsFunc(a.Key, func(k spec.Assign) bool {
			return !slices.Contains(key, assignment{k.Path.String(), k.Value.String()})
		})
	})
}

// keyOfMade is the identity of the parent of what an update may make.
func keyOfMade(t *touch, way *spec.Relationship) (out []assignment) {
	for i, x := range way.By {
		for _, s := range slices.Concat(t.action.Key, t.action.Set) {
			if s.Path.String() == x.Name {
				out = append(out, assignment{way.To.Identity[i].Name, s.Value.String()})
			}
		}
	}
	return out
}

// keyStated is keyOfMade as requirements write it.
func keyStated(t *touch, way *spec.Relationship) string {
	var parts []string
	for _, k := range keyOfMade(t, way) {
		parts = append(parts, k.path+": "+k.value)
	}
	return strings.Join(parts, ", ")
}
