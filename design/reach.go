package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// A seeker finds the read plans of one demand in one layout. It knows keys but no money.
type seeker struct {
	facts   *facts
	layout  *layout
	wants   map[*spec.Entity][]want
	demands []*demand
	d       *demand
	misses  map[string]string // by demand: why no index serves it
}

// An ask is what one access has to bring: entities of one kind that match.
type ask struct {
	entity  *spec.Entity
	eqs     []equality
	ranges  []interval
	order   []orderKey
	needs   []ref                // attributes wanted, also at the end of ways there
	inside  []*spec.Relationship // children that must lie inside the items, because nothing else has them
	limit   int                  // of items, where key and order give exactly the answer
	paged   bool
	related *wayNode // which the ask is about, besides the target; nil: the target
	prev    int      // step whose results it runs for; -1: none
	per     matches  // how many results those are
	base    int      // number of steps before
	depth   int      // of those, in a row
}

// An access is steps that bring what an ask wants.
type access struct {
	steps  []*readStep
	sorted bool
	keep   []remark // what the steps do not restrict: conditions that the answer must still meet
	found  matches
	rule   string
	ahead  bool     // conditions are tested on the step before the last, which finds keys
	again  []remark // of these, what is tested on the last step as well
}

// tests is the step on which conditions are tested.
func (a *access) tests() int {
	if a.ahead {
		return len(a.steps) - 2
	}
	return len(a.steps) - 1
}

// A remark is a condition as the model writes it, with the values that it tests.
type remark struct {
	text string
	refs []ref
	by   int // the number of the step whose findings tell some of these, counted from one; 0: what is tested tells all
}

func (e equality) remark() remark {
	return remark{text: e.ref.key() + " = " + e.value, refs: []ref{e.ref}}
}

func (n interval) remark() remark { return remark{text: n.cond.String(), refs: []ref{n.ref}} }

// tested are the values that conditions test.
func tested(rs []remark) []ref {
	var out []ref
	for _, r := range rs {
		out = append(out, r.refs...)
	}
	return out
}

// last is the step that brings the entities.
func (a *access) last() *readStep { return a.steps[len(a.steps)-1] }

// reach lists the accesses for an ask: of the table, of indexes, inside the parent, by a unique marker.
func (s *seeker) reach(a ask) []*access {
	a = s.expiring(a)
	var out []*access
	if k := s.layout.kinds[a.entity]; k != nil {
		out = append(out, s.table(a, k)...)
		if a.depth < maxSteps {
			out = append(out, s.indexes(a, k)...)
			out = append(out, s.byMarker(a, k)...)
			out = append(out, s.byPointer(a, k)...)
			out = append(out, s.byRoster(a, k)...)
			out = append(out, s.byHolding(a, k)...)
		}
	}
	if o := s.layout.options[a.entity]; o != nil && o.within != nil {
		out = append(out, s.insideParent(a, o.within)...)
	}
	return out
}

// expiring is an ask that also wants to know when what it finds expires: for a read it is gone then, also where it only
// leads on to what is asked.
func (s *seeker) expiring(a ask) ask {
	if x := a.entity.Expires; x != nil && s.d.locates == nil {
		a.needs = withRefs(slices.Clone(a.needs), []ref{{from: a.entity, attr: x}})
	}
	return a
}

// columns are the needs of an ask as columns of the kind that is read: own attributes, copies of what lies at the end
// of ways there, and children inside. Its items have the copies that a key needs, its table's or that of an index on
// the way; copies are those that they are to have besides. It answers false if they cannot have one of them.
func (s *seeker) columns(a ask, k *kind, keys ...*shape) (out []string, copies []ref, ok bool) {
	for _, r := range a.needs {
		if r.local() {
			if !k.option.apart(r.attr) && !k.option.parted(r.attr) {
				out = append(out, r.key())
			}
			continue
		}
		if slices.ContainsFunc(append(keys, k.option.own), func(x *shape) bool { return hasRef(x.refs(), r) }) {
			switch ok, _ := s.facts.copyable(r); {
			case ok, s.facts.fixed(r):
			case s.follows(a, r):
				copies = append(copies, r)
			default:
				return nil, nil, false
			}
		} else if hasRef(s.facts.aliases(a.entity), r) {
			if ok, _ := s.facts.copyable(r); !ok {
				return nil, nil, false
			}
		} else if s.copied(a, r) {
			copies = append(copies, r)
		} else {
			return nil, nil, false
		}
		out = append(out, r.key())
	}
	for _, w := range a.inside {
		if k.embedded(w) == nil {
			return nil, nil, false
		}
		out = append(out, wayColumn(w))
	}
	slices.Sort(out)
	slices.SortFunc(copies, func(a, b ref) int { return cmpText(a.key(), b.key()) })
	return slices.Compact(out), copies, true
}

// wayColumn is the column that holds embedded children.
func wayColumn(w *spec.Relationship) string { return "<" + w.Inverse }

// fit is how far a key serves an ask.
type fit struct {
	eqs    []equality
	rng    *interval
	full   bool // all parts are bound by equality
	sorted bool
	down   bool
	left   []equality
	over   []interval
}

// fitKey binds an ask to a key: all of the partition, sort parts from left to right, then one range. It answers false
// if a part of the partition has no value.
func fitKey(a ask, s *shape) (fit, bool) {
	var f fit
	find := func(r ref) (equality, bool) {
		for _, e := range a.eqs {
			if e.ref.same(r) {
				return e, true
			}
		}
		return equality{}, false
	}
	for _, r := range s.partition {
		e, ok := find(r)
		if !ok {
			return f, false
		}
		f.eqs = append(f.eqs, e)
	}
	i := 0
	for ; i < len(s.sort); i++ {
		e, ok := find(s.sort[i].ref)
		if !ok {
			break
		}
		f.eqs = append(f.eqs, e)
	}
	f.full = i == len(s.sort)
	rest := s.sort[i:]
	if len(rest) > 0 {
		for j := range a.ranges {
			at := a.ranges[j].absent()
			if rest[0].inverted {
				at = at.flipped()
			}
			if a.ranges[j].ref.same(rest[0].ref) && at == rest[0].absent {
				f.rng = &a.ranges[j]
			}
		}
	}
	for _, e := range a.eqs {
		if !slices.ContainsFunc(f.eqs, func(b equality) bool { return b.ref.same(e.ref) }) {
			f.left = append(f.left, e)
		}
	}
	for j := range a.ranges {
		if f.rng != &a.ranges[j] {
			f.over = append(f.over, a.ranges[j])
		}
	}
	f.sorted = len(a.order) <= len(rest)
	flipped := len(a.order) > 0 && len(rest) > 0 && rest[0].inverted // read against the direction of the first of the order
	f.down = len(a.order) > 0 && a.order[0].descending != flipped
	for j, o := range a.order {
		if j >= len(rest) {
			break
		}
		absent := o.absent
		if flipped {
			absent = absent.flipped()
		}
		if !o.ref.same(rest[j].ref) || absent != rest[j].absent || (o.descending != f.down) != rest[j].inverted {
			f.sorted = false
		}
	}
	return f, true
}

// found reports whether an earlier step finds the value.
func (e equality) found() bool { return strings.HasPrefix(e.value, "@") }

// tells reports whether all values that a fit leaves to be tested are known to a filter: what an earlier step finds is
// not.
func (f fit) tells() bool {
	return !slices.ContainsFunc(f.left, equality.found)
}

// leftovers are what a fit does not restrict.
func (f fit) leftovers() []remark {
	var keep []remark
	for _, e := range f.left {
		keep = append(keep, e.remark())
	}
	for _, n := range f.over {
		keep = append(keep, n.remark())
	}
	return keep
}

// table reads the kind's own items by the key of its table: a get if the key is known, else a query of its collection.
func (s *seeker) table(a ask, k *kind) []*access {
	f, ok := fitKey(a, k.option.own)
	if !ok || !f.tells() {
		return nil
	}
	keep := f.leftovers()
	a.needs = append(slices.Clone(a.needs), tested(keep)...)
	cols, copies, ok := s.columns(a, k)
	if !ok {
		return nil
	}
	t := &readStep{
		verb: verbQuery, kinds: []*spec.Entity{a.entity}, need: cols, copies: copies, keepers: s.keepers(k, copies),
		eqs: f.eqs, rng: f.rng, down: f.down, prev: a.prev, per: a.per, strong: s.d.strong,
	}
	acc := &access{steps: []*readStep{t}, sorted: f.sorted, keep: keep, rule: "collection"}
	if p := k.option.pack; p != nil {
		return s.packed(a, p, f, acc)
	}
	if f.full {
		t.verb, t.found, t.parts = verbGet, oneMatch, k.partsOf(a.needs, cols)
		acc.sorted, acc.rule = true, "get"
	} else {
		t.found = s.estimate(a, f)
		if !s.limit(a, t, f) {
			return nil
		}
	}
	acc.found = t.found
	return []*access{acc}
}

// packed reads items in which several entities lie, by their period. What lies in these before and behind the range is
// left out by the client.
func (s *seeker) packed(a ask, p *packing, f fit, acc *access) []*access {
	t := acc.last()
	for _, e := range f.eqs {
		if e.ref.attr == p.by {
			acc.keep = append(acc.keep, e.remark())
		}
	}
	if f.rng != nil {
		acc.keep = append(acc.keep, f.rng.remark())
	}
	t.found = s.estimate(a, f)
	one := f.full && !slices.ContainsFunc(p.within, func(x *spec.Attribute) bool {
		return !slices.ContainsFunc(f.left, func(e equality) bool { return e.ref.same(ref{from: a.entity, attr: x}) })
	})
	if one {
		t.found, acc.sorted, acc.rule = oneMatch, true, "get"
	} else if !s.limit(a, t, f) {
		return nil
	}
	t.limit = p.packedLimit(t.limit, a.paged)
	acc.found = t.found
	return []*access{acc}
}

// limit sets how many items a request evaluates. It answers false if the answer is paged and the key does not give its
// order, or does not bound what is read.
func (s *seeker) limit(a ask, t *readStep, f fit) bool {
	if a.paged && !f.sorted {
		return false
	}
	if !f.sorted || a.limit == 0 {
		return true
	}
	exact := len(f.left) == 0 && len(f.over) == 0 && (a.related != nil || len(s.d.filters) == 0)
	if !exact && a.prev >= 0 {
		return !a.paged // only the first step is asked again until enough have passed
	}
	t.limit = a.limit
	t.last = a.related != nil && a.related.last
	if exact && !a.paged && s.d.expiry != nil && a.related == nil { // some have expired and are left out: with a few more, one request mostly does
		t.limit += a.limit/4 + 1
	}
	return true
}

// estimate is how many items match what a fit binds. What the requirements say of the whole call holds if everything is
// bound; else the number of children of a bound parent, and the share of bound states and enums.
func (s *seeker) estimate(a ask, f fit) matches {
	bound := make([]ref, len(f.eqs))
	for i, e := range f.eqs {
		bound[i] = e.ref
	}
	if identified(a.entity, bound) {
		return matches{average: 1, most: 1, members: float64(membersOf(a.entity.Count))}
	}
	if a.entity != s.d.target || a.prev >= 0 || s.d.locates != nil {
		return s.children(a.entity, bound)
	}
	if len(f.left)+len(f.over)+len(s.d.filters)+len(s.d.sifted) == 0 {
		return s.whole(bound)
	}
	m, least := s.children(a.entity, bound), s.whole(bound)
	if m.average < least.average { // whoever asks for less restriction finds no less
		return least
	}
	m.most, m.paged = max(m.most, least.most), least.paged
	return m
}

// identified reports whether equalities match at most one entity.
func identified(e *spec.Entity, bound []ref) bool {
	has := func(as []*spec.Attribute) bool {
		for _, x := range as {
			if !hasRef(bound, ref{from: e, attr: x}) {
				return false
			}
		}
		return true
	}
	return has(e.Identity) || slices.ContainsFunc(e.Unique, func(u spec.Unique) bool { return u.Always() && has(u.Of) })
}

// whole is the number of matches that the pattern states.
func (s *seeker) whole(bound []ref) matches {
	r := s.d.results
	o := ownerOf(s.d.target, bound)
	return matches{average: r.Average, most: max(r.Max, r.Average), members: o.members, paged: s.d.paged()}
}

// children is the number of entities with some values: those that lie under the one that a value identifies, or one of
// as many groups as there are values.
func (s *seeker) children(e *spec.Entity, bound []ref) matches {
	o := ownerOf(e, bound)
	if o.entity == nil {
		n := e.Count / max(o.members, 1)
		m := matches{average: n, most: n, members: o.members}
		for _, d := range s.demands { // how many there are of a value is said where a pattern gives it
			if d.target == e && d.results.Average > m.average && !slices.ContainsFunc(bound, func(r ref) bool { _, ok := d.equal(r); return !ok }) {
				m.average, m.most = d.results.Average, max(d.results.Max, d.results.Average)
			}
		}
		return m
	}
	m := matches{average: 1, most: 1, members: o.members}
	for _, way := range o.ways {
		c := way.PerParent
		if !c.Stated {
			n := way.From.Count / max(way.To.Count, 1)
			c = spec.Children{Average: n, Max: n}
		}
		// The most of one generation have children like others: not all that is most comes together.
		m.average, m.most = float64(m.average*c.Average), max(float64(m.most*c.Average), float64(m.average*c.Max))
		if !c.Skew.Uniform() {
			m.skew = c.Skew
		}
		m.per = way
	}
	if len(o.ways) != 1 {
		m.per = nil
	}
	return m
}

// owner is whose identity values name: calls spread over its instances, and how much a call finds is a law over them.
type owner struct {
	entity  *spec.Entity // nil: the values are no identity
	members float64
	ways    []*spec.Relationship // to it
}

// ownerOf is who values name, or else as many groups as there are values.
func ownerOf(e *spec.Entity, bound []ref) owner {
	if of, ways := named(e, bound); of != nil {
		return owner{of, float64(membersOf(of.Count)), ways}
	}
	n := 1.0
	for _, r := range bound {
		if !r.local() {
			continue
		}
		if k := len(r.attr.Shares); k > 0 {
			n *= float64(k)
		} else if r.attr.Distinct > 0 {
			n *= r.attr.Distinct
		} else {
			return owner{members: float64(membersOf(e.Count))}
		}
	}
	return owner{members: n}
}

// named is the entity whose whole identity refs name, and the ways to it; nil if they name nobody.
func named(e *spec.Entity, refs []ref) (*spec.Entity, []*spec.Relationship) {
	paths := make([]spec.Path, len(refs))
	for i, r := range refs {
		paths[i] = r.path()
	}
	of, ways, _ := workload.Named(e, paths)
	return of, ways
}

// insideParent reads the parent's items, in which the entities lie, by what the ask says of the parent.
func (s *seeker) insideParent(a ask, m *embedding) []*access {
	if a.paged || len(a.inside) > 0 {
		return nil
	}
	w := m.way
	up := ask{entity: w.To, prev: a.prev, per: a.per, base: a.base, depth: a.depth, inside: []*spec.Relationship{w}}
	var keep []remark
	for _, e := range a.eqs {
		if r, ok := e.ref.lift(w); ok {
			up.eqs = append(up.eqs, equality{ref: r, value: e.value})
		} else if e.ref.local() {
			keep = append(keep, e.remark())
		} else {
			return nil
		}
	}
	if len(up.eqs) == 0 {
		return nil
	}
	for _, n := range a.ranges {
		if r, ok := n.ref.lift(w); ok {
			up.ranges = append(up.ranges, interval{r, n.bounds, n.cond})
		} else if n.ref.local() {
			keep = append(keep, n.remark())
		} else {
			return nil
		}
	}
	for _, o := range a.order {
		r, ok := o.ref.lift(w)
		if !ok {
			up.order = nil
			break
		}
		up.order = append(up.order, orderKey{r, o.descending, o.absent})
	}
	for _, r := range a.needs {
		if l, ok := r.lift(w); ok {
			if !hasRef(identityRefs(w.To), l) {
				up.needs = append(up.needs, l)
			}
		} else if !r.local() {
			return nil
		}
	}
	sub := *s
	sub.d = s.parentDemand(m)
	var out []*access
	for _, acc := range sub.reach(up) {
		if len(acc.keep) > 0 {
			continue // a range on the parent that the key does not bind would have to be tested on each child
		}
		t := *acc.last()
		t.inside = m
		steps := append(slices.Clone(acc.steps[:len(acc.steps)-1]), &t)
		found := acc.found
		found.average *= w.PerParent.Average
		found.most *= w.PerParent.Max
		found.per = nil
		if acc.found.single() {
			found = matches{average: w.PerParent.Average, most: w.PerParent.Max, members: w.To.Count, per: w}
		}
		out = append(out, &access{
			steps: steps, sorted: acc.sorted && len(up.order) == len(a.order), keep: append(slices.Clone(keep), acc.keep...),
			found: found, rule: "embedded",
		})
	}
	return out
}

// parentDemand is the demand as the parent's items see it: as many parents as have the matches.
func (s *seeker) parentDemand(m *embedding) *demand {
	d := *s.d
	per := max(m.way.PerParent.Average, 1e-9)
	if s.d.target == m.way.From {
		d.target = m.way.To
		d.results = spec.Size{Average: s.d.results.Average / per, Max: max(s.d.results.Max/per, s.d.results.Average/per)}
	}
	d.page, d.top, d.filters, d.expiry = 0, 0, nil, nil
	d.eqs = nil
	for _, e := range s.d.eqs {
		if r, ok := e.ref.lift(m.way); ok {
			d.eqs = append(d.eqs, equality{ref: r, value: e.value})
		}
	}
	return &d
}

// byMarker gets the marker that keeps an attribute unique: it tells the identity, strongly consistent.
func (s *seeker) byMarker(a ask, k *kind) []*access {
	if a.depth > 0 || a.prev >= 0 {
		return nil
	}
	var out []*access
	for _, unique := range a.entity.Unique {
		if !unique.Always() && !a.entity.Implies(s.d.pattern.Where, unique.While) {
			continue // there may be more than the one with a marker
		}
		u := unique.Of
		var eqs []equality
		var left []equality
		for _, e := range a.eqs {
			if e.ref.local() && indexOf(u, e.ref.attr) >= 0 {
				eqs = append(eqs, e)
			} else {
				left = append(left, e)
			}
		}
		if len(eqs) != len(u) {
			continue
		}
		m := &readStep{
			verb: verbGet, kinds: []*spec.Entity{a.entity}, marker: u, eqs: eqs, prev: -1, per: oneMatch,
			found: oneMatch, strong: s.d.strong,
		}
		if acc := s.told(a, k, unique, m, left); acc != nil {
			out = append(out, acc)
		}
		next := a
		next.eqs = left
		for _, r := range append(identityRefs(a.entity), k.told()...) {
			next.eqs = append(next.eqs, equality{ref: r, value: "@" + r.key()})
		}
		next.prev, next.per, next.base, next.depth = a.base, oneMatch, a.base+1, 2
		for _, acc := range s.reach(next) {
			if acc.last().verb != verbGet {
				continue
			}
			out = append(out, &access{
				steps: append([]*readStep{m}, acc.steps...), sorted: true, keep: acc.keep, found: oneMatch, rule: "unique marker",
			})
		}
	}
	return out
}
