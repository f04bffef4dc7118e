package design

import (
	"errors"
	"slices"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A demand is a read that the model must serve: that of a read pattern, or the search for the key of what a write
// changes (a locator). It is the pattern in the form in which candidates are made: equalities, a range, an order, what
// is left as filters, and what the answer needs.
type demand struct {
	name    string
	pattern *spec.Pattern
	target  *spec.Entity
	locates *touch // of a locator: what it finds the key for

	eqs     []equality
	back    []backEquality
	ranges  []interval
	sifted  []equality // on what lies at the end of ways there, which the client tests once it has that
	filters []spec.Condition
	order   []orderKey
	page    int
	top     int
	whole   bool
	ways    []*wayNode
	needs   []ref // attributes of target, or at the end of ways there, that must be read
	counts  bool  // only the number of matches is wanted

	strong   bool
	snapshot bool
	rate     spec.Rate
	skew     spec.Skew
	results  spec.Size
	expiry   *spec.Attribute
}

// equality binds a value of the target.
type equality struct {
	ref   ref
	value string
	test  *spec.Test // set if the value is a constant of the requirements
}

// backEquality binds a value of an entity that points to the target, or to what lies at the end of ways there.
type backEquality struct {
	there []hop // from the target to what the way leads back from
	way   *spec.Relationship
	ref   ref // of way.From
	value string
}

// interval is a range, or a prefix, on a value of the target.
type interval struct {
	ref    ref
	bounds plan.Range
	cond   spec.Condition // the same as a condition, for plans that filter
}

// absent is where a key has to have what lacks the value, for the range to find that as well.
func (n interval) absent() place {
	switch {
	case !n.bounds.Absent:
		return nowhere
	case n.bounds.From+n.bounds.After != "":
		return highest
	}
	return lowest
}

// tells reports whether the range has nothing without a value of a ref.
func (n interval) tells(r ref) bool { return !n.bounds.Absent && n.ref.same(r) }

type orderKey struct {
	ref        ref
	descending bool
	absent     place // where the key of an index has what has no value
}

// wayNode is a related entity that the answer holds inside the one it belongs to.
type wayNode struct {
	way   *spec.Relationship
	back  bool              // a way back: the children; else a way there
	only  []*spec.Attribute // what is wanted of it; nil: all
	inner []*wayNode
	last  bool // of the children, the newest of each parent alone
}

// wants are the attributes that an answer needs of a related entity.
func (n *wayNode) wants() []*spec.Attribute {
	if n.only == nil {
		return n.entity().Attributes
	}
	return n.only
}

func (w *wayNode) entity() *spec.Entity {
	if w.back {
		return w.way.From
	}
	return w.way.To
}

// paged reports whether a call answers a part of the matches only, so that the order must come from the key.
func (d *demand) paged() bool { return d.page > 0 }

// bindings is the equality on a ref; false if there is none.
func (d *demand) equal(r ref) (equality, bool) {
	for _, e := range d.eqs {
		if e.ref.same(r) {
			return e, true
		}
	}
	return equality{}, false
}

// demands are those of all read patterns that a rule covers. The error names all others.
func (f *facts) demands() ([]*demand, error) {
	var out []*demand
	var none []Unsupported
	for _, p := range f.req.Patterns {
		if p.Writes() {
			continue
		}
		d, err := f.normalize(p)
		var u *UnsupportedError
		switch {
		case errors.As(err, &u):
			none = append(none, u.Cases...)
			continue
		case err != nil:
			return nil, err
		}
		if u, unserved := d.unserved(); unserved {
			none = append(none, u)
			continue
		}
		out = append(out, d)
	}
	if len(none) > 0 {
		return out, &UnsupportedError{Cases: none}
	}
	return out, nil
}

// normalize makes the demand of a read pattern.
func (f *facts) normalize(p *spec.Pattern) (*demand, error) {
	d := &demand{
		name: p.Name, pattern: p, target: p.Read,
		page: p.Page, top: p.Top, whole: p.Whole,
		strong: strong(p),
		rate:   p.Rate, skew: p.Skew, results: p.Results,
		expiry: p.Read.Expires,
	}
	d.snapshot = d.strong && p.Consistency == "snapshot"
	for _, g := range p.Given {
		if err := d.bind(g, "$"+g[len(g)-1]); err != nil {
			return nil, err
		}
	}
	if err := d.restrict(p.Where); err != nil {
		return nil, err
	}
	for _, o := range p.Order {
		r, ok := resolveRef(p.Read, o.Path)
		if !ok {
			return nil, unsupported(p, "order by %s", o.Path)
		}
		if _, bound := d.equal(r); bound {
			continue // all matches have one value
		}
		if d.placed() {
			break // what stands there already has no equal
		}
		d.order = append(d.order, orderKey{ref: r, descending: o.Descending})
		if k := &d.order[len(d.order)-1]; d.limit() > 0 && !r.present() && !d.exists(r) && !slices.ContainsFunc(d.ranges, func(n interval) bool { return n.tells(r) }) {
			if k.absent = highest; o.First != d.order[0].descending { // an index is read in one direction: that of the first
				k.absent = lowest
			}
		}
	}
	for _, w := range p.With {
		if err := d.include(w); err != nil {
			return nil, err
		}
	}
	if err := d.collectNeeds(); err != nil {
		return nil, err
	}
	d.leadBack(f)
	d.newest()
	return d, nil
}

// newest has what the newest of some children has read from these: of the target, and of all that its answer holds.
func (d *demand) newest() {
	read := func(from *[]*wayNode, a *spec.Attribute) {
		way, of, by := a.Newest()
		for _, n := range *from {
			if n.way == way && n.back {
				if n.only != nil {
					n.only = append(slices.Clone(n.only), of)
				}
				return
			}
		}
		*from = append(*from, &wayNode{way: way, back: true, only: []*spec.Attribute{by, of}, last: true})
	}
	for _, r := range slices.Clone(d.needs) {
		if r.local() && r.attr.Last() {
			d.needs = slices.DeleteFunc(d.needs, r.same)
			read(&d.ways, r.attr)
		}
	}
	var walk func(ns []*wayNode)
	walk = func(ns []*wayNode) {
		for _, n := range ns {
			for _, x := range n.wants() {
				if x.Last() {
					n.leave(x)
					read(&n.inner, x)
				}
			}
			walk(n.inner)
		}
	}
	walk(d.ways)
}

// placed reports whether equalities and what is ordered by so far tell each match from all others.
func (d *demand) placed() bool {
	return !slices.ContainsFunc(identityRefs(d.target), func(r ref) bool {
		_, bound := d.equal(r)
		return !bound && !slices.ContainsFunc(d.order, func(o orderKey) bool { return o.ref.same(r) })
	})
}

// bind adds an equality.
func (d *demand) bind(path spec.Path, value string) error {
	if r, ok := resolveRef(d.target, path); ok {
		if _, twice := d.equal(r); twice {
			return unsupported(d.pattern, "two equalities on %s", path)
		}
		if len(r.hops) == 0 && len(r.rest) > 0 { // in no key: it is tested on what others find
			d.filters = append(d.filters, &spec.Test{Path: path, Op: "=", Args: []spec.Expr{{Reference: spec.Reference{path[len(path)-1]}}}})
			return nil
		}
		d.eqs = append(d.eqs, equality{ref: r, value: value})
		return nil
	}
	if b, ok := goingBack(d.target, path); ok {
		b.value = value
		d.back = append(d.back, b)
		return nil
	}
	return unsupported(d.pattern, "an equality on %s", path)
}

// goingBack follows a path that goes back to several entities once, from the start or from the end of ways there.
func goingBack(e *spec.Entity, path spec.Path) (b backEquality, ok bool) {
	for i, name := range path[:len(path)-1] {
		if w := e.WayThere(name); w != nil {
			b.there = append(b.there, hop{way: w})
			e = w.To
			continue
		}
		if b.way = e.WayBack(name); b.way == nil {
			return b, false
		}
		b.ref, ok = resolveRef(b.way.From, path[i+1:])
		return b, ok
	}
	return b, false
}

// joins are the values of the target that are the identity of what the way leads back from.
func (b backEquality) joins(target *spec.Entity) []ref {
	out := identityRefs(b.way.To)
	for i := range out {
		out[i] = ref{from: target, hops: b.there, attr: out[i].attr}.canonical()
	}
	return out
}

// restrict takes a condition apart: equalities, ranges and prefixes that a key could serve, and filters.
func (d *demand) restrict(c spec.Condition) error {
	switch c := c.(type) {
	case nil:
		return nil
	case *spec.Logic:
		if c.Op == "and" {
			for _, a := range c.Args {
				if err := d.restrict(a); err != nil {
					return err
				}
			}
			return nil
		}
		if x, t := spec.OrAbsent(c); t != nil {
			if r, ok := resolveRef(d.target, x); ok && r.local() && constant(t) && d.always(t) {
				b, _ := bounds(t)
				b.Absent = true
				d.addRange(interval{r, b, c})
				return nil
			}
		}
	case *spec.Test:
		if r, ok := resolveRef(d.target, c.Path); ok && len(r.rest) == 0 && constant(c) {
			always := d.always(c)
			if c.Op == "=" && always {
				if _, twice := d.equal(r); !twice {
					e := equality{ref: r, value: c.Args[0].String()}
					if !c.Args[0].Literal.IsZero() {
						e.test = c
					}
					d.eqs = append(d.eqs, e)
					return nil
				}
			} else if b, ok := bounds(c); ok && (always || r.present()) { // a call may leave out an end, or the value
				d.addRange(interval{r, b, c})
				return nil
			}
		}
	}
	for t := range spec.Tests(c) {
		if len(t.Path) == 0 {
			continue
		}
		if _, ok := resolveRef(d.target, t.Path); !ok {
			return unsupported(d.pattern, "a condition on %s", t.Path)
		}
	}
	d.filters = append(d.filters, c)
	return nil
}

// constant reports whether a test compares with values that are not attributes.
func constant(t *spec.Test) bool {
	for _, a := range t.Args {
		for term := range a.Terms() {
			if len(term.Path) > 0 {
				return false
			}
		}
	}
	return true
}

// always reports whether a test is made in every call: it uses no parameter that a call may leave out.
func (d *demand) always(t *spec.Test) bool {
	for _, a := range t.Args {
		for term := range a.Terms() {
			if len(term.Reference) > 0 {
				if q := d.pattern.Parameter(term.Reference[0]); q != nil && q.Optional {
					return false
				}
			}
		}
	}
	return true
}

// bounds is a test as a range of a key part. An equality that a call may leave out is one: all values, or one.
func bounds(t *spec.Test) (plan.Range, bool) {
	switch t.Op {
	case "=":
		return plan.Range{Is: t.Args[0].String()}, true
	case "between":
		return plan.Range{Between: []string{t.Args[0].String(), t.Args[1].String()}}, true
	case ">=":
		return plan.Range{From: t.Args[0].String()}, true
	case "<=":
		return plan.Range{To: t.Args[0].String()}, true
	case ">":
		return plan.Range{After: t.Args[0].String()}, true
	case "<":
		return plan.Range{Before: t.Args[0].String()}, true
	case "begins_with":
		return plan.Range{Prefix: t.Args[0].String()}, true
	}
	return plan.Range{}, false
}

// addRange joins a lower and an upper bound of one value; a second bound of the same side stays a filter.
func (d *demand) addRange(n interval) {
	for i, m := range d.ranges {
		if m.ref.key() != n.ref.key() {
			continue
		}
		if m.bounds.Absent || n.bounds.Absent {
			d.filters = append(d.filters, n.cond)
			return
		}
		lower := func(b plan.Range) bool { return b.From != "" || b.After != "" }
		upper := func(b plan.Range) bool { return b.To != "" || b.Before != "" }
		a, b := m.bounds, n.bounds
		if lower(a) && !upper(a) && upper(b) && !lower(b) {
			a.To, a.Before = b.To, b.Before
		} else if upper(a) && !lower(a) && lower(b) && !upper(b) {
			a.From, a.After = b.From, b.After
		} else {
			d.filters = append(d.filters, n.cond)
			return
		}
		d.ranges[i].bounds = a
		d.ranges[i].cond = &spec.Logic{Op: "and", Args: []spec.Condition{m.cond, n.cond}}
		return
	}
	d.ranges = append(d.ranges, n)
}

// include adds a path of `with`, or one that leads to a value.
func (d *demand) include(path spec.Path, only ...*spec.Attribute) error {
	at, list := d.target, &d.ways
	for depth, name := range path {
		n := &wayNode{only: []*spec.Attribute{}}
		if w := at.WayBack(name); w != nil {
			n.way, n.back = w, true
		} else if w := at.WayThere(name); w != nil {
			n.way = w
		} else {
			return unsupported(d.pattern, "with %s", path)
		}
		i := slices.IndexFunc(*list, func(m *wayNode) bool { return m.way == n.way && m.back == n.back })
		if i < 0 {
			*list = append(*list, n)
			i = len(*list) - 1
		}
		n = (*list)[i]
		switch {
		case len(only) == 0 || n.only == nil:
			n.only = nil
		case depth == len(path)-1:
			n.only = append(slices.Clone(n.only), only...)
		}
		at, list = n.entity(), &n.inner
	}
	return nil
}

// joined is the demand with what lies at the end of ways there read where it is, instead of from copies; nil if there
// is no such thing. What its own items hold in any case is read there.
func (d *demand) joined(f *facts) *demand { return d.fetching(f, func(ref) bool { return true }) }

// partly is the demand with what no copy can be of read where it is, and the rest from copies; where there can be
// copies of all, what changes is read where it is. nil if that is nothing, or all.
func (d *demand) partly(f *facts) *demand {
	copyable := f.keepable
	var away []ref
	for _, r := range d.needs {
		if d.lies(f, r) {
			away = append(away, r)
		}
	}
	if !slices.ContainsFunc(away, copyable) {
		return nil
	}
	stays := copyable
	if !slices.ContainsFunc(away, func(r ref) bool { return !copyable(r) }) {
		stays = f.fixed
	}
	goes := func(r ref) bool { // with another that lies there, or further on the same way
		return slices.ContainsFunc(away, func(x ref) bool {
			return !stays(x) && len(x.hops) >= len(r.hops) && slices.Equal(x.hops[:len(r.hops)], r.hops)
		})
	}
	if !slices.ContainsFunc(away, func(r ref) bool { return !goes(r) }) {
		return nil
	}
	return d.fetching(f, goes)
}

// lies reports whether a value lies at the end of ways there, and not in the target's own items in any case.
func (d *demand) lies(f *facts, r ref) bool {
	return !r.local() && !hasRef(f.aliases(d.target), r) && !slices.ContainsFunc(r.hops, func(h hop) bool { return h.back })
}

// fetching returns the demand that reads some values at the end of ways there from their own entities: those that goes
// selects. It returns nil if goes selects none.
func (d *demand) fetching(f *facts, goes func(ref) bool) *demand {
	out := *d
	out.needs, out.ways = nil, cloneWays(d.ways)
	for _, r := range d.needs {
		if !d.lies(f, r) || !goes(r) {
			out.needs = append(out.needs, r)
			continue
		}
		if out.include(waysOf(r), r.attr) != nil {
			return nil
		}
	}
	if len(out.needs) == len(d.needs) {
		return nil
	}
	return &out
}

// sifting is the demand with the equalities on parents tested by the client, which reads the parents of all that the
// other equalities find. It returns nil without equalities of both kinds, and for a page, a top or an aggregate.
func (d *demand) sifting(f *facts) *demand {
	if d.limit() > 0 || len(d.back) > 0 || d.locates != nil || len(d.pattern.Aggregates) > 0 {
		return nil
	}
	out := *d
	out.eqs, out.ways, out.counts = nil, cloneWays(d.ways), false
	for _, e := range d.eqs {
		if !d.lies(f, e.ref) {
			out.eqs = append(out.eqs, e)
			continue
		}
		if out.include(waysOf(e.ref), e.ref.attr) != nil {
			return nil
		}
		out.sifted = append(slices.Clone(out.sifted), e)
	}
	if len(out.eqs) == 0 || len(out.eqs) == len(d.eqs) {
		return nil
	}
	return &out
}

// waysOf are the names of the ways that a ref follows.
func waysOf(r ref) (out spec.Path) {
	for _, h := range r.hops {
		out = append(out, h.way.Name)
	}
	return out
}

// followed is the demand with what related entities derive along ways read at the end of these, instead of from copies;
// nil if there is no such thing.
func (d *demand) followed(f *facts) *demand {
	out := *d
	out.ways = cloneWays(d.ways)
	some := false
	ok := out.eachDerived(f, func(path spec.Path, outer, n *wayNode, r ref) bool {
		some = true
		n.leave(r.alias)
		for _, h := range r.hops {
			path = append(slices.Clone(path), h.name())
		}
		return out.include(path, r.attr) == nil
	})
	if !some || !ok {
		return nil
	}
	return &out
}

// leadBack has what children derive from the entity under which the answer holds them taken from that entity.
func (d *demand) leadBack(f *facts) {
	d.eachDerived(f, func(path spec.Path, outer, n *wayNode, r ref) bool {
		if !n.back || len(r.hops) > 1 || r.hops[0] != (hop{way: n.way}) {
			return true
		}
		n.leave(r.alias)
		switch up := (ref{from: n.way.To, attr: r.attr}); {
		case outer == nil && !hasRef(d.needs, up):
			d.needs = append(d.needs, up)
		case outer != nil && outer.only != nil && !slices.Contains(outer.only, r.attr):
			outer.only = append(slices.Clone(outer.only), r.attr)
		}
		return true
	})
}

// eachDerived calls do for each value that an answer wants of a related entity, that is derived along ways, and that no
// item of it holds in any case: with the path to the entity, what it lies under (nil: the target), and the entity. It
// ends when do says so.
func (d *demand) eachDerived(f *facts, do func(path spec.Path, outer, n *wayNode, r ref) bool) bool {
	var walk func(path spec.Path, outer *wayNode, ns []*wayNode) bool
	walk = func(path spec.Path, outer *wayNode, ns []*wayNode) bool {
		for _, n := range slices.Clone(ns) {
			here := append(slices.Clone(path), hop{n.way, n.back}.name())
			for _, x := range n.wants() {
				r := ref{from: n.entity(), attr: x}.canonical()
				if x.Follows() && r.alias == x && !hasRef(f.aliases(n.entity()), r) && !do(here, outer, n, r) {
					return false
				}
			}
			if !walk(here, n, n.inner) {
				return false
			}
		}
		return true
	}
	return walk(nil, nil, d.ways)
}

// leave takes an attribute out of what is wanted of a related entity.
func (n *wayNode) leave(a *spec.Attribute) {
	n.only = slices.DeleteFunc(slices.Clone(n.wants()), func(b *spec.Attribute) bool { return b == a })
}

func cloneWays(ns []*wayNode) []*wayNode {
	var out []*wayNode
	for _, n := range ns {
		m := *n
		m.inner = cloneWays(n.inner)
		out = append(out, &m)
	}
	return out
}

// collectNeeds lists what the answer is made of.
func (d *demand) collectNeeds() error {
	p := d.pattern
	need := func(r ref) {
		if !hasRef(d.needs, r) {
			d.needs = append(d.needs, r)
		}
	}
	whole := func(path spec.Path) error {
		if r, ok := resolveRef(d.target, path); ok {
			r.rest = nil // a map is stored whole
			need(r)
			return nil
		}
		return unsupported(p, "an answer with %s", path)
	}
	switch {
	case len(p.Aggregates) > 0:
		d.counts = true
		for _, a := range p.Aggregates {
			if len(a.Path) == 0 {
				continue
			}
			d.counts = false
			if err := whole(a.Path); err != nil {
				return err
			}
		}
	case p.All || len(p.Returns) == 0:
		for _, a := range d.target.Attributes {
			need(ref{from: d.target, attr: a}.canonical())
		}
	}
	for _, path := range p.Returns {
		if w := d.target.WayThere(path[len(path)-1]); w != nil && len(path) == 1 {
			for _, a := range w.By {
				need(ref{from: d.target, attr: a})
			}
			continue
		}
		if err := whole(path); err != nil {
			return err
		}
	}
	for _, o := range d.order { // sorted by the client, if no key does it
		if len(p.Aggregates) == 0 {
			r := o.ref
			r.rest = nil
			need(r)
		}
	}
	for _, c := range d.filters {
		for t := range spec.Tests(c) {
			if len(t.Path) > 0 {
				if err := whole(t.Path); err != nil {
					return err
				}
			}
			for _, a := range t.Args {
				for term := range a.Terms() {
					if len(term.Path) > 0 {
						if err := whole(term.Path); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	if d.expiry != nil {
		need(ref{from: d.target, attr: d.expiry})
	}
	if len(d.filters) > 0 || d.expiry != nil {
		d.counts = false
	}
	return nil
}
