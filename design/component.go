package design

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// A component is a set of entities whose storage must be decided together, because a layout could put them into one
// item or collection or a plan could go over both. Components are solved apart.
type component struct {
	entities []*spec.Entity // in the order of the requirements
	options  map[*spec.Entity][]*option
	demands  []*demand
	writes   []*spec.Pattern
	wants    map[*spec.Entity][]want
	outside  map[*spec.Pattern]outside // what a write does to other components
}

// outside is what a write does at most besides what it does to a component.
type outside struct{ actions, bytes float64 }

// components divides the requirements.
func components(f *facts, ds []*demand) []*component {
	r := f.req
	ws, strong := wants(f, ds), wants(f, lists(ds))
	together := companions(ds)
	opts := map[*spec.Entity][]*option{}
	for _, e := range r.Entities {
		own := options(f, e, ws[e], together, ds)
		following, listed := followers(f, e, own), rosters(f, e, slices.Concat(own, followers(f, e, own)), ds)
		copied := copiers(f, e, slices.Concat(own, listed), ds)
		cut := splits(f, e, slices.Concat(own, following), ws, ds)
		pointed := pointers(f, e, strong[e], f.busy(e, ds), together[e])
		telling := tellers(f, e, slices.Concat(own, following, listed, copied), ds)
		opts[e] = slices.Concat(asides(f, e, own), following, cut, pointed, listed, copied, telling, packs(f, e, ds))
	}
	u := newUnion(r.Entities)
	for _, e := range r.Entities {
		for _, o := range opts[e] {
			if o.within != nil {
				u.join(e, o.within.way.To)
			}
			for _, root := range o.roots() {
				u.join(e, root)
			}
			if o.own != nil {
				for _, x := range o.own.refs() {
					u.path(x)
				}
			}
		}
	}
	for _, d := range ds {
		u.demand(d)
	}
	for _, t := range f.touches {
		u.touch(t)
	}
	for _, p := range r.Patterns {
		if f.crowded(p) { // what lies inside its parent is no action of its own
			u.pattern(f, p)
		}
	}
	byRoot := map[*spec.Entity]*component{}
	var out []*component
	for _, e := range r.Entities {
		if e.External {
			continue
		}
		root := u.find(e)
		c := byRoot[root]
		if c == nil {
			c = &component{options: map[*spec.Entity][]*option{}, wants: ws, outside: map[*spec.Pattern]outside{}}
			byRoot[root] = c
			out = append(out, c)
		}
		c.entities = append(c.entities, e)
		c.options[e] = opts[e]
	}
	for _, d := range ds {
		c := byRoot[u.find(d.target)]
		c.demands = append(c.demands, d)
	}
	for _, c := range out {
		for _, p := range r.Patterns {
			if !p.Writes() {
				continue
			}
			inside := false
			for _, t := range f.touches {
				if t.pattern != p {
					continue
				}
				switch {
				case slices.Contains(c.entities, t.entity):
					inside = true
				case f.settled(t) && !slices.ContainsFunc(opts[t.entity], func(o *option) bool { return !o.askable() }): // a read before asks for it
				default:
					n := t.times.most
					o := c.outside[p]
					c.outside[p] = outside{o.actions + n, o.bytes + float64(n*t.entity.Bytes.Max)}
				}
			}
			if inside {
				c.writes = append(c.writes, p)
			}
		}
	}
	return out
}

// keyless reports an entity whose identity no key can hold, and the attribute that prevents it.
func keyless(c *component) (Unsupported, bool) {
	for _, e := range c.entities {
		if len(c.options[e]) > 0 {
			continue
		}
		u := Unsupported{Pattern: e.Name, Statement: "its identity", Because: "it is longer than a key may be", At: []string{"entities", e.Name, "identity"}}
		for _, a := range e.Identity {
			why := ""
			switch {
			case !keyType(a):
				why = "a key holds text, numbers, times, dates and bytes, and " + a.Name + " is none of these"
			case a.Optional:
				why = a.Name + " can be absent"
			case !composable(a):
				why = a.Name + " is binary, which cannot stand beside others in a key"
			}
			if why != "" {
				u.Because = why
				break
			}
		}
		return u, true
	}
	return Unsupported{}, false
}

// unionFind joins entities to sets.
type unionFind struct {
	up map[*spec.Entity]*spec.Entity
}

func newUnion(es []*spec.Entity) *unionFind {
	u := &unionFind{map[*spec.Entity]*spec.Entity{}}
	for _, e := range es {
		u.up[e] = e
	}
	return u
}

func (u *unionFind) find(e *spec.Entity) *spec.Entity {
	for u.up[e] != e {
		e = u.up[e]
	}
	return e
}

func (u *unionFind) join(a, b *spec.Entity) { u.up[u.find(a)] = u.find(b) }

// path joins all entities that a ref goes over.
func (u *unionFind) path(r ref) {
	for _, h := range r.hops {
		u.join(h.way.From, h.way.To)
	}
}

// demand joins what a read goes over.
func (u *unionFind) demand(d *demand) {
	for _, e := range d.eqs {
		u.path(e.ref)
	}
	for _, n := range d.ranges {
		u.path(n.ref)
	}
	for _, o := range d.order {
		u.path(o.ref)
	}
	for _, r := range d.needs {
		u.path(r)
	}
	for _, b := range d.back {
		u.join(b.way.From, b.way.To)
		u.path(ref{hops: b.there})
		u.path(b.ref)
	}
	var follow func([]*wayNode)
	follow = func(ns []*wayNode) {
		for _, n := range ns {
			u.join(n.way.From, n.way.To)
			for _, x := range n.wants() {
				if x.Follows() { // its items hold a copy, or it is read where it is
					u.path(ref{from: n.entity(), attr: x}.canonical())
				}
			}
			follow(n.inner)
		}
	}
	follow(d.ways)
}

// crowded reports whether a write could have more actions than a transaction takes, with every entity in items of its
// own.
func (f *facts) crowded(p *spec.Pattern) bool {
	return p.Writes() && p.Atomic && f.mostActions(p) > float64(capacity.TransactionActions)
}

// mostActions is how many entities a call of a write is about at most.
func (f *facts) mostActions(p *spec.Pattern) (n float64) {
	for _, t := range f.touches {
		if t.pattern == p {
			n += t.times.most
		}
	}
	return n
}

// pattern joins all that a write touches.
func (u *unionFind) pattern(f *facts, p *spec.Pattern) {
	var first *spec.Entity
	for _, t := range f.touches {
		if t.pattern != p {
			continue
		}
		if first == nil {
			first = t.entity
		}
		u.join(first, t.entity)
	}
}

// touch joins what one write must look at together: what it requires, and what is derived from children.
func (u *unionFind) touch(t *touch) {
	if t.inside == nil {
		for _, w := range t.action.Requires {
			u.join(w.From, w.To)
		}
	} else if t.verb == spec.Delete { // the parent's items tell where its children lie
		u.join(t.entity, t.inside.entity)
	}
	for _, q := range t.pattern.Found { // its plan reads what an action of the same plan uses
		u.join(q.From.Entity, t.entity)
	}
	for _, w := range t.entity.There {
		for _, a := range w.To.Attributes {
			if d := a.Derived; a.Counted() && w.Inverse != "" && d.Path[0] == w.Inverse {
				u.join(w.From, w.To)
			}
		}
	}
	for _, a := range t.entity.Attributes {
		if d := a.Derived; d != nil && d.Func == "" {
			if r, ok := resolveRef(t.entity, d.Path); ok && t.inside == nil {
				u.path(r)
			}
		}
	}
}
