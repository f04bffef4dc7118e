package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// complete checks the arguments and fills in what callers do not pass.
func (c *Call) complete(args attr.Item) error {
	p := c.proc.Pattern
	for name := range args.All() {
		if p.Parameter(name) == nil {
			var names []string
			for _, q := range p.Parameters {
				names = append(names, q.Name)
			}
			return fmt.Errorf("%s has no parameter %s: %s", p.Name, name, meant(name, names))
		}
	}
	for _, q := range p.Parameters {
		v := args.Get(q.Name)
		switch {
		case v.IsZero() && q.Optional:
			continue
		case v.IsZero():
			return fmt.Errorf("%s: the parameter %s is missing", p.Name, q.Name)
		case q.List && v.Kind() != attr.KindL:
			return fmt.Errorf("%s: the parameter %s is a list", p.Name, q.Name)
		case q.Entity == nil:
			c.values.Set(q.Name, v)
			continue
		}
		create := slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
			return a.Verb == spec.Create && len(a.Value) > 0 && a.Value[0] == q.Name
		})
		x := &completion{c, create, q.With}
		list := []attr.Value{v}
		if q.List {
			list = slices.Clone(v.Elems())
		}
		seen := map[string]bool{}
		eachCreated := slices.ContainsFunc(p.Actions, func(a *spec.Action) bool {
			return a.Verb == spec.Create && len(a.Each) == 1 && a.Each[0] == q.Name && a.Entity == q.Entity
		})
		for i, e := range list {
			if e.Kind() != attr.KindM {
				return fmt.Errorf("%s: the parameter %s is a value of %s", p.Name, q.Name, q.Entity.Name)
			}
			it, err := x.entity(q.Entity, e.Map(), nil, nil, "")
			if err != nil {
				return err
			}
			id := q.Entity.IdentityOf(it)
			if eachCreated && seen[id] {
				return &Refusal{Pattern: p.Name, Code: RefusedExists}
			}
			seen[id] = true
			list[i] = attr.Map(it)
		}
		if q.List {
			c.values.Set(q.Name, attr.List(list...))
		} else {
			c.values.Set(q.Name, list[0])
		}
	}
	c.begun = c.values
	return nil
}

type completion struct {
	c      *Call
	create bool
	with   []string // ways back, as the pattern writes them: items, shipments.items
}

// entity completes a value and the children inside it: generated attributes, the foreign key to the value around it, and
// derived attributes that follow from what is known.
func (x *completion) entity(e *spec.Entity, v attr.Item, outer *scope, way *spec.Relationship, prefix string) (attr.Item, error) {
	if err := x.known(e, v); err != nil {
		return v, err
	}
	it := v.Clone()
	if way != nil {
		for i, a := range way.By {
			it.Set(a.Name, outer.value.Get(way.To.Identity[i].Name))
		}
	}
	if err := x.generate(e, &it, way); err != nil {
		return it, err
	}
	sc := &scope{entity: e, value: it, outer: outer, way: way}
	for _, a := range e.Attributes {
		if d := a.Derived; d != nil && d.Func == "" {
			if t := own(a); t.from != t.id {
				it.Set(a.Name, sc.direct(origin(t)))
			}
		}
	}
	x.numbers(e, &it)
	sc.value = it
	for _, w := range e.Back {
		name := prefix + w.Inverse
		inner := it.Get(w.Inverse)
		if inner.IsZero() || !slices.ContainsFunc(x.with, func(s string) bool {
			return s == name || len(s) > len(name) && s[:len(name)+1] == name+"."
		}) {
			continue
		}
		var list []attr.Value
		seen := map[string]bool{}
		for _, child := range inside(it, w) {
			done, err := x.entity(w.From, child, sc, w, name+".")
			if err != nil {
				return it, err
			}
			if id := w.From.IdentityOf(done); seen[id] {
				return it, &Refusal{Pattern: x.c.proc.Name, Code: RefusedExists}
			} else {
				seen[id] = true
			}
			list = append(list, attr.Map(done))
		}
		if inner.Kind() == attr.KindM {
			it.Set(w.Inverse, list[0])
		} else {
			it.Set(w.Inverse, attr.List(list...))
		}
		x.numbers(e, &it) // children have states by now
	}
	return it, nil
}

// followed reports whether the consumer of a stream keeps a number in what the call puts, alone or in a transaction.
func (x *completion) followed(a *spec.Attribute) bool {
	puts := func(s *Stage) bool {
		return s.Verb == Put && s.Kind.Role == EntityItem && s.Kind.Entity == a.Entity && slices.Contains(s.Kind.Followed(), a)
	}
	return slices.ContainsFunc(x.c.proc.Stages, func(s *Stage) bool { return puts(s) || slices.ContainsFunc(s.Actions, puts) })
}

// numbers are what is derived of the children inside a value, as far as they tell it.
func (x *completion) numbers(e *spec.Entity, it *attr.Item) {
	for _, a := range e.Attributes {
		switch d := a.Derived; {
		case d == nil || d.Func == "" || a.Last():
		case x.followed(a): // the consumer of the stream counts each child as it comes, these too
			if d.Func == "count" || d.Func == "sum" {
				it.Set(a.Name, attr.Num(attr.Int(0)))
			}
		case d.Func == "count" || d.Func == "sum":
			it.Set(a.Name, x.count(*it, d))
		case len(d.Path) == 2:
			it.Set(a.Name, x.extreme(*it, d))
		}
	}
}

// counted are the children inside a value of which something is derived.
func (x *completion) counted(it attr.Item, d *spec.Derived) (out []attr.Item) {
	list := it.Get(d.Path[0])
	all := list.Elems()
	if list.Kind() == attr.KindM {
		all = []attr.Value{list}
	}
	for _, v := range all {
		if d.Where != nil {
			if ok, err := spec.Holds(d.Where, spec.On(v.Map()), spec.Env{Now: x.c.now}); err != nil || !ok {
				continue
			}
		}
		out = append(out, v.Map())
	}
	return out
}

// known refuses what the entity does not have: items would leave it out, and who wrote it would take it for stored.
func (x *completion) known(e *spec.Entity, v attr.Item) error {
	for name := range v.All() {
		if e.Attribute(name) == nil && e.WayThere(name) == nil && e.WayBack(name) == nil {
			return fmt.Errorf("%s: %s has no attribute %s: %s", x.c.proc.Name, e.Name, name, meant(name, attributeNames(e)))
		}
	}
	return nil
}

// generate fills in what the client generates. A foreign key to the value around may be a number still to be drawn.
func (x *completion) generate(e *spec.Entity, it *attr.Item, way *spec.Relationship) error {
	for _, a := range e.Attributes {
		switch a.Generated {
		case "":
			if a.States != nil && it.Get(a.Name).IsZero() {
				it.Set(a.Name, attr.Text(a.States.Names[0])) // create starts at the first unless given
			}
			if it.Get(a.Name).IsZero() && a.Given() && !a.Optional && !a.Rest && (way == nil || !slices.Contains(way.By, a)) {
				return fmt.Errorf("%s: the value of %s has no %s", x.c.proc.Name, e.Name, a.Name)
			}
		case "now":
			if a.Type == spec.Date {
				it.Set(a.Name, attr.Text(x.c.now.Format(spec.DateLayout)))
			} else {
				it.Set(a.Name, spec.TimeValue(x.c.now))
			}
		case "version":
			it.Set(a.Name, attr.Num(attr.Int(1)))
		default:
			if x.create || it.Get(a.Name).IsZero() { // replace and upsert name what they replace
				it.Set(a.Name, attr.Text(x.c.source.ID(a.Generated)))
			}
		}
	}
	return nil
}

// extreme is a derived min or max of the children inside the value; nothing where there are none.
func (x *completion) extreme(it attr.Item, d *spec.Derived) attr.Value {
	var best attr.Value
	for _, child := range x.counted(it, d) {
		if v := child.Get(d.Path[1]); !v.IsZero() && (best.IsZero() || (attr.Compare(v, best) < 0) == (d.Func == "min")) {
			best = v
		}
	}
	return best
}

// count is a derived count or sum as far as the children inside the value tell it.
func (x *completion) count(it attr.Item, d *spec.Derived) attr.Value {
	children := x.counted(it, d)
	n := attr.Int(0)
	if d.Func == "count" && len(d.Path) == 1 {
		n = attr.Int(int64(len(children)))
	}
	if d.Func == "sum" && len(d.Path) == 2 {
		for _, child := range children {
			if s, err := n.Add(child.Get(d.Path[1]).Number()); err == nil {
				n = s
			}
		}
	}
	return attr.Num(n)
}
