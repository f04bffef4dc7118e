package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// A touch is what one call of a write pattern does to the entities of one kind: an action, or a child that lies inside
// the value of a created parent, or a child that goes with a deleted parent.
type touch struct {
	pattern *spec.Pattern
	action  *spec.Action
	entity  *spec.Entity
	verb    spec.Verb
	inside  *touch             // the touch whose value encloses this one; nil: an action of its own
	way     *spec.Relationship // leads from inside.entity back to entity
	source  string             // where the value is: $order, $order.items; "" of updates and deletes
	each    string             // the list it is repeated for; "": once
	times   times
	inner   []*touch
}

// times is how often something happens in one call: once, for each element of a list, for each child of a way.
type times struct {
	average, most float64
	ways          []*spec.Relationship // whose children multiply it
}

var once = times{average: 1, most: 1}

// depth is how many touches enclose one.
func (t *touch) depth() (n int) {
	for ; t.inside != nil; t = t.inside {
		n++
	}
	return n
}

// many is times t for every one of u.
func (t times) many(u times) times {
	return times{average: float64(t.average * u.average), most: float64(t.most * u.most), ways: append(slices.Clone(t.ways), u.ways...)}
}

// strong reports whether a pattern must see what was answered before.
func strong(p *spec.Pattern) bool { return p.Consistency != "eventual" }

// facts are what all write patterns together do, seen once for all candidates.
type facts struct {
	req      *spec.Requirements
	figures  *workload.Workload // as they are stated
	touches  []*touch
	of       map[*spec.Entity][]*touch
	changed  map[*spec.Attribute][]*touch // touches that can change the attribute of a stored entity
	deleted  map[*spec.Entity][]*touch
	frequent map[string]float64       // the share of entities that have the most frequent values of what a pattern gives
	part     string                   // the sort key of tables that hold several kinds
	tested   map[*spec.Attribute]bool // named by the condition of a write, which needs it under its own name
	limits   map[string]bool          // why configurations were left out, where it is a limit of DynamoDB's
	remedies map[string]bool          // why, where the requirements could say something that helps
	copies   map[string]verdict       // whether items can hold values at the end of ways there
	filled   map[string]bool          // whether a stream's consumer fills in copies of them
	named    map[*spec.Entity][]ref   // what aliases has found

	overflows map[*touch]overflow // what does not fit into the transactions of writes
	refused   []string            // what the compiler refused of models that the search took for sound: mistakes of this package
}

func study(r *spec.Requirements) *facts {
	f := &facts{
		req:      r,
		figures:  workload.New(r, workload.Figures{}),
		part:     partName(r),
		of:       map[*spec.Entity][]*touch{},
		changed:  map[*spec.Attribute][]*touch{},
		deleted:  map[*spec.Entity][]*touch{},
		tested:   map[*spec.Attribute]bool{},
		limits:   map[string]bool{},
		remedies: map[string]bool{},
		copies:   map[string]verdict{},
		filled:   map[string]bool{},
		named:    map[*spec.Entity][]ref{},

		overflows: map[*touch]overflow{},
		frequent:  map[string]float64{},
	}
	for _, p := range r.Patterns {
		for _, a := range p.Actions {
			f.add(newTouch(p, a))
		}
	}
	for _, t := range f.touches {
		f.note(t)
	}
	for _, p := range r.Patterns {
		if p.Writes() || len(p.Given) == 0 || p.Read.Count <= 0 {
			continue
		}
		var given []ref
		for _, g := range p.Given {
			if at, ok := resolveRef(p.Read, g); ok {
				given = append(given, at)
			}
		}
		if len(given) == len(p.Given) {
			name := valuesName(p.Read, given)
			f.frequent[name] = max(f.frequent[name], min(max(p.Results.Max, p.Results.Average)/p.Read.Count, 1))
		}
	}
	for _, e := range r.Entities {
		for _, a := range e.Attributes {
			if a.Hottest > 0 {
				name := valuesName(e, []ref{{from: e, attr: a}})
				f.frequent[name] = max(f.frequent[name], a.Hottest)
			}
		}
	}
	return f
}

// valuesName is a name for values that several reads give together.
func valuesName(e *spec.Entity, rs []ref) string {
	names := []string{e.Name}
	for _, r := range rs {
		names = append(names, r.key())
	}
	slices.Sort(names[1:])
	return strings.Join(names, " ")
}

// aliases are the values from elsewhere that items of an entity hold under the names of derived attributes, whatever
// else is chosen: those that come with whatever makes an item and never change, and those that conditions of writes
// test.
func (f *facts) aliases(e *spec.Entity) []ref {
	out, known := f.named[e]
	if !known {
		for _, a := range e.Attributes {
			if r := (ref{from: e, attr: a}).canonical(); a.Follows() && !r.local() && !hasRef(out, r) && (f.tested[a] || f.free(r)) {
				out = append(out, r)
			}
		}
		slices.SortFunc(out, func(a, b ref) int { return cmpText(a.key(), b.key()) })
		f.named[e] = out
	}
	return out
}

// free reports whether whatever makes an entity has the value of a ref, which never changes.
func (f *facts) free(r ref) bool { return f.fixed(r) && f.carried(r) }

func (f *facts) add(t *touch) {
	f.touches = append(f.touches, t)
	f.of[t.entity] = append(f.of[t.entity], t)
	for _, c := range t.inner {
		f.add(c)
	}
}

// newTouch unfolds an action with the children in its value.
func newTouch(p *spec.Pattern, a *spec.Action) *touch {
	t := &touch{pattern: p, action: a, entity: a.Entity, verb: a.Verb, times: once}
	if len(a.Each) > 0 {
		t.each = a.Each.String()
		t.times = timesOfList(p, a.Each)
	}
	switch a.Verb {
	case spec.Create, spec.Replace, spec.Upsert:
		t.source = a.Value.String()
		if len(a.Each) > 0 && len(a.Value) == 0 {
			t.source = "$each"
		}
	}
	for _, w := range a.With {
		t.unfold(strings.Split(w, "."))
	}
	return t
}

// unfold adds the children that a dotted path of ways back leads to, each level once.
func (t *touch) unfold(path []string) {
	w := t.entity.WayBack(path[0])
	if w == nil {
		return
	}
	var c *touch
	for _, d := range t.inner {
		if d.way == w {
			c = d
		}
	}
	if c == nil {
		n := broughtBy(t.pattern.ValueOf(t.action), w)
		c = &touch{pattern: t.pattern, action: t.action, entity: w.From, verb: t.verb, inside: t, way: w, times: t.times.many(n)}
		if t.source != "" {
			c.source = t.source + "." + path[0]
		}
		if single(w) {
			c.each = t.each
		} else {
			c.each = c.source
		}
		t.inner = append(t.inner, c)
	}
	if len(path) > 1 {
		c.unfold(path[1:])
	}
}

// single reports whether a parent has at most one child by w.
func single(w *spec.Relationship) bool { return w.PerParent.Stated && w.PerParent.Max <= 1 }

// childrenOf is all stored children of a parent.
func childrenOf(w *spec.Relationship) times { return broughtBy(nil, w) }

// broughtBy is the children inside one value of a parameter.
func broughtBy(q *spec.Parameter, w *spec.Relationship) times {
	if !w.PerParent.Stated {
		return once
	}
	n := q.Brings(w, w.PerParent)
	return times{average: n.Average, most: n.Max, ways: []*spec.Relationship{w}}
}

// timesOfList is the number of elements of a list parameter, or of children inside an entity's value.
func timesOfList(p *spec.Pattern, list spec.Reference) times {
	q := p.Parameter(list[0])
	n := once
	if q == nil {
		return n
	}
	if q.List && q.Length.Average > 0 {
		n.average, n.most = q.Length.Average, max(q.Length.Max, q.Length.Average)
	}
	if q.Entity == nil {
		return n
	}
	at := q.Entity
	for _, name := range list[1:] {
		w := at.WayBack(name)
		if w == nil {
			return n
		}
		n = n.many(broughtBy(q, w))
		at = w.From
	}
	return n
}

// note records what a touch can change of entities that are stored already, and what its conditions test.
func (f *facts) note(t *touch) {
	if t.inside == nil {
		for test := range spec.Tests(t.action.Condition) {
			paths := []spec.Path{test.Path}
			for _, v := range test.Args {
				for term := range v.Terms() {
					paths = append(paths, term.Path)
				}
			}
			for _, p := range paths {
				if len(p) > 0 && t.entity.Attribute(p[0]) != nil {
					f.tested[t.entity.Attribute(p[0])] = true
				}
			}
		}
	}
	mark := func(a *spec.Attribute) { f.changed[a] = append(f.changed[a], t) }
	switch t.verb {
	case spec.Update:
		for _, s := range t.action.Set {
			if a := t.entity.Attribute(s.Path[0]); a != nil {
				mark(a)
			}
		}
		for _, p := range t.action.Remove {
			if a := t.entity.Attribute(p[0]); a != nil {
				mark(a)
			}
		}
		for _, a := range t.entity.Attributes {
			if a.Generated == "version" {
				mark(a)
			}
		}
	case spec.Replace, spec.Upsert:
		for _, a := range t.entity.Attributes {
			if indexOf(t.entity.Identity, a) < 0 {
				mark(a)
			}
		}
	case spec.Delete:
		f.deleted[t.entity] = append(f.deleted[t.entity], t)
	}
}

// fixed reports whether the value of a ref can never change while the entity it starts from is stored: no write
// changes an attribute on the path, and what is passed on the way cannot be deleted before it.
func (f *facts) fixed(r ref) bool {
	for _, h := range r.hops {
		for _, a := range h.way.By {
			if len(f.changed[a]) > 0 {
				return false
			}
		}
		if h.to().Expires != nil {
			return false // the path ends when it expires
		}
		if h.back && !f.bornWith(h.way) || !h.back && len(f.orphans(h.way)) > 0 {
			return false
		}
	}
	if len(f.changed[r.attr]) > 0 {
		return false
	}
	return r.attr.Derived == nil
}

// settled reports whether a read can tell what an action asks before the write, by a key that the call gives: it is
// true for good once it is true, and the write does nothing else to entities of the kind.
func (f *facts) settled(t *touch) bool {
	return t.pattern.Atomic && t.inside == nil && f.req.Settled(t.action) &&
		!slices.ContainsFunc(t.action.Key, func(k spec.Assign) bool { return fromStored(k.Value) }) &&
		!slices.ContainsFunc(f.of[t.entity], func(o *touch) bool { return o != t && o.pattern == t.pattern })
}

// encloses reports whether the value of a touch, or one around it, has the value of a ref.
func encloses(t *touch, r ref) bool {
	for len(r.hops) > 0 {
		if r.hops[0].back {
			return t.inside == nil && slices.ContainsFunc(t.inner, func(c *touch) bool { return c.way == r.hops[0].way })
		}
		if t.inside == nil || t.way != r.hops[0].way {
			return false
		}
		l, ok := r.lift(t.way)
		if !ok {
			return false
		}
		t, r = t.inside, l
	}
	return true
}

// carried reports whether whatever makes an entity has the value of a ref in it or around it, so that its items can
// hold a copy.
func (f *facts) carried(r ref) bool {
	return !slices.ContainsFunc(f.of[r.from], func(t *touch) bool {
		return t.makes() && !encloses(t, r)
	})
}

// belongs reports whether there are children by a way only where there is a parent: all are created inside it, or
// require it.
func (f *facts) belongs(way *spec.Relationship) bool {
	return !slices.ContainsFunc(f.of[way.From], func(t *touch) bool {
		return t.makes() && t.way != way && !slices.Contains(t.action.Requires, way)
	})
}

// bornWith reports whether the children by w come and go with their parent only.
func (f *facts) bornWith(w *spec.Relationship) bool {
	for _, t := range f.of[w.From] {
		if t.verb != spec.Update && (t.inside == nil || t.way != w) {
			return false
		}
	}
	return true
}

// present reports whether every entity has the value.
func (r ref) present() bool {
	for _, h := range r.hops {
		if h.back {
			if h.way.PerParent.Average < 1 {
				return false
			}
			continue
		}
		for _, a := range h.way.By {
			if a.Optional {
				return false
			}
		}
	}
	return !r.attr.Optional
}

// neverTwice reports whether no two entities can ever have one identity. One attribute of it is an id that the client
// generates, or a number of a sequence. Or the identity contains the key of such a parent, and the entity is only created
// inside the parent's value, whose children are compared before a request is sent.
func (f *facts) neverTwice(e *spec.Entity) bool {
	if e.GeneratesIdentity() || slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool {
		return a.Sequence != nil && indexOf(e.Identity, a.Sequence) >= 0
	}) {
		return true
	}
	p := e.Parent
	if p == nil || !e.Under(p) ||
		slices.ContainsFunc(f.of[e], func(t *touch) bool { return t.inside == nil && (t.verb == spec.Create || t.verb == spec.Upsert) }) {
		return false
	}
	return f.neverTwice(p.To)
}
