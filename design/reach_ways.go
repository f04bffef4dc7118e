package design

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// maxSteps is how many steps of a read plan may come one after another.
const maxSteps = 3

// direct lists the read plans whose key gives the order of pages: how to reach the target, combined with how to reach
// each of the related entities that the answer holds.
func (s *seeker) direct() []*readPlan {
	var out []*readPlan
	asked := s.d
	if o := s.layout.options[s.d.target]; o != nil && (o.aside != nil || len(o.followed) > 0) {
		beside, ok := s.d.looksAt(o)
		if !ok {
			return nil // found by what is counted
		}
		if len(beside) > 0 { // the client tests it, and orders by it, when a later step has brought it
			d, there := *s.d, *s
			d.needs, there.d = withRefs(slices.Clone(d.needs), beside), &d
			s = &there
		}
	}
	needs := slices.Clone(s.d.needs)
	for _, n := range s.d.ways { // to go on from there
		if !n.back {
			needs = withRefs(needs, refsOf(s.d.target, n.way.By))
		}
	}
	for _, inside := range s.insides(s.d.ways) {
		a := ask{
			entity: s.d.target, eqs: s.d.eqs, ranges: s.d.ranges, order: s.d.order, needs: needs, inside: inside,
			limit: s.d.limit(), paged: s.d.paged(), prev: -1, per: oneMatch,
		}
		for _, acc := range s.accesses(a) {
			out = append(out, s.complete(acc, inside)...)
		}
	}
	for _, d := range []*demand{s.d.joined(s.facts), s.d.partly(s.facts), s.d.followed(s.facts), s.d.sifting(s.facts)} {
		if d == nil {
			continue
		}
		there := *s
		there.d = d
		out = append(out, there.direct()...)
	}
	for _, q := range out {
		q.demand = asked
	}
	slices.SortStableFunc(out, func(p, q *readPlan) int {
		return cmpText(p.name, q.name)
	})
	return slices.CompactFunc(out, func(p, q *readPlan) bool { return p.name == q.name })
}

// looksAt lists the values that a demand tests, or orders by, and that an option keeps aside. It returns false if the
// demand finds its matches by such a value, if a value lags that it needs as it is, or if it needs all of one moment.
func (d *demand) looksAt(o *option) (beside []ref, ok bool) {
	if d.snapshot && slices.ContainsFunc(d.needs, func(r ref) bool { return o.lags(r.attr) }) {
		return nil, false
	}
	read := d.locates == nil && len(d.pattern.Aggregates) == 0
	ok = true
	look := func(r ref, finds bool) {
		switch {
		case !r.local():
		case o.apart(r.attr):
			beside = withRefs(beside, []ref{r})
			ok = ok && read && !finds
		case o.follows(r.attr): // found by what was
			ok = ok && read && !d.strong
		}
	}
	for _, e := range d.eqs {
		look(e.ref, true)
	}
	for _, n := range d.ranges {
		look(n.ref, false)
	}
	for _, k := range d.order {
		look(k.ref, false)
	}
	for _, c := range d.filters {
		for _, r := range d.remark(c).refs {
			look(r, false)
		}
	}
	return beside, ok
}

// counted adds to a plan the steps that bring what is counted of the entities that one of its steps finds, as far as it
// is wanted. Where the call gives their identity they wait for nothing.
func (s *seeker) counted(p partial, step int, e *spec.Entity, needs []ref, found matches) partial {
	o := s.layout.options[e]
	if o == nil || o.aside == nil {
		return p
	}
	for _, x := range o.aside.attrs {
		if !hasRef(needs, ref{from: e, attr: x}) {
			continue
		}
		t := &readStep{verb: verbGet, kinds: []*spec.Entity{e}, aside: x, need: []string{x.Name}, prev: step, per: found, found: oneMatch, strong: s.d.strong}
		t.per.limit = p.steps[step].limit
		given := e == s.d.target && len(s.d.back) == 0
		for _, r := range identityRefs(e) {
			v, ok := s.d.equal(r)
			given = given && ok
			t.eqs = append(t.eqs, equality{ref: r, value: v.value})
		}
		if given {
			t.prev, t.per = -1, oneMatch
		} else if all := s.allAside(o); all != nil { // of all that the call finds, and as many as that
			t.verb, t.prev, t.per, t.found, t.eqs = verbQuery, -1, oneMatch, found, all
		} else if all := p.steps[step]; s.scansAside(o, all) {
			t.verb, t.prev, t.per, t.found, t.eqs = verbScan, -1, oneMatch, all.found, nil
		} else {
			for i, r := range identityRefs(e) {
				t.eqs[i].value = "@" + r.key()
			}
		}
		p.steps, p.from = append(slices.Clone(p.steps), t), append(slices.Clone(p.from), len(p.steps))
	}
	return p
}

// allAside are the equalities by which one query finds what is counted of all that a demand answers: those of the
// partition in which it lies, where the demand asks for all of that and nothing less. nil: there is none.
func (s *seeker) allAside(o *option) (eqs []equality) {
	partition, _, ok := o.together()
	d := s.d
	if !ok || o.entity != d.target || len(d.back)+len(d.ranges)+len(d.filters)+len(d.sifted) > 0 || d.limit() > 0 || len(d.eqs) != len(partition) {
		return nil
	}
	for _, r := range partition {
		v, ok := d.equal(r)
		if !ok {
			return nil
		}
		eqs = append(eqs, equality{ref: r, value: v.value})
	}
	return eqs
}

// scansAside reports whether what is counted of all that a scan finds is scanned as well, where a get of each reads
// half a unit at least: nobody tests what is found, and no page ends it.
func (s *seeker) scansAside(o *option, t *readStep) bool {
	return t.verb == verbScan && t.prev < 0 && t.limit == 0 && o.aside.shards <= 1 && o.entity == s.d.target &&
		len(s.d.filters)+len(s.d.ranges)+len(s.d.eqs)+len(s.d.sifted) == 0
}

// limit is how many entities a call answers at most; 0: all.
func (d *demand) limit() int {
	if d.page > 0 {
		return d.page
	}
	return d.top
}

// accesses are all accesses to the target.
func (s *seeker) accesses(a ask) []*access {
	var out []*access
	switch {
	case len(s.d.back) > 0:
		return s.throughChildren(a)
	case len(a.eqs) == 0:
		out = s.all(a)
	default:
		out = append(append(s.reach(a), s.throughParents(a)...), s.throughOnlyChildren(a)...)
		if k := s.layout.kinds[a.entity]; k != nil && s.mayScan(a) {
			out = append(out, s.scans(a, k)...)
		}
	}
	return out
}

// all reads every entity: by an index that states and enums bind nothing of, in the order of its key or in none, or by
// a scan, only where the requirements ask for the whole set.
func (s *seeker) all(a ask) []*access {
	k := s.layout.kinds[a.entity]
	if k == nil {
		return nil
	}
	var out []*access
	for _, x := range s.indexShapes(a, k) {
		out = append(out, s.throughIndex(a, k, x.shape, x.rest)...)
	}
	if !s.d.strong {
		for _, seq := range s.sequences(a) {
			x := newIndexShape(a.entity, shape{sort: seq}, false)
			x.all = true
			x.id = x.describe()
			if (len(seq) > 0 || s.gathered(a)) && s.indexable(a, k, &x.shape) && !x.leads(k.option.own) {
				out = append(out, s.throughIndex(a, k, x, a)...)
			}
		}
	}
	return append(out, s.scans(a, k)...)
}

// mayScan reports whether a scan is a candidate although the call asks for what equals something: where that is the
// same for all calls, or all entities are no more than a client may read to cut a list.
func (s *seeker) mayScan(a ask) bool {
	return !slices.ContainsFunc(a.eqs, func(e equality) bool { return e.test == nil }) ||
		float64(a.entity.Count*a.entity.Bytes.Average) <= cutBytes*cutRequests
}

// scans reads every entity, only where the requirements ask for the whole set.
func (s *seeker) scans(a ask, k *kind) (out []*access) {
	if !s.d.whole || a.paged && len(a.order) > 0 {
		return nil
	}
	keep := fit{left: a.eqs, over: a.ranges}.leftovers()
	a.needs = append(slices.Clone(a.needs), tested(keep)...)
	scan := func(x *indexShape, rule string, keys ...*shape) {
		cols, copies, ok := s.columns(a, k, keys...)
		if !ok || (a.paged || x != nil) && k.partsOf(a.needs, cols) != restOnly {
			return
		}
		n := matches{average: a.entity.Count, most: a.entity.Count, members: 1, paged: a.paged}
		t := &readStep{
			verb: verbScan, kinds: []*spec.Entity{a.entity}, index: x, need: cols, copies: copies, keepers: s.keepers(k, copies), prev: -1, per: oneMatch,
			found: n, strong: s.d.strong, parts: k.partsOf(a.needs, cols),
		}
		if len(a.order) == 0 { // else which come first is known when all have been read
			t.limit = a.limit
		}
		out = append(out, &access{steps: []*readStep{t}, sorted: len(a.order) == 0, keep: keep, found: n, rule: rule})
	}
	scan(nil, "scan")
	if x := s.narrow(k); x != nil && !s.d.strong && len(a.inside) == 0 {
		scan(x, "scan of an index", &x.shape)
	}
	return out
}

// gathered reports whether a client that reads all entities, to order them itself, reads no more than one request
// brings: then an index that lists them in no order is a candidate, which is not written where only their order
// changes. Where the requirements ask for the whole set there is a scan for that.
func (s *seeker) gathered(a ask) bool {
	return !s.d.whole && !a.paged && len(a.order) > 0 && float64(a.entity.Count*a.entity.Bytes.Average) <= cutBytes
}

// narrow is an index with the identity as its key, which holds all items, and of each what is scanned for alone; nil if
// there can be none.
func (s *seeker) narrow(k *kind) *indexShape {
	id := identityRefs(k.entity)
	if len(id) > capacity.IndexPartitionKeyParts || slices.ContainsFunc(id, func(r ref) bool { return !keyable(r) }) || keyBytes(id) > float64(capacity.IndexPartitionBytes) {
		return nil
	}
	x := newIndexShape(k.entity, shape{partition: id}, false)
	x.apart = s.mistakable(x, k)
	return x
}

// insides lists which of the children that lie inside their parents are taken from there. Children that also have items
// of their own may be taken from either.
func (s *seeker) insides(ws []*wayNode) [][]*spec.Relationship {
	out := [][]*spec.Relationship{nil}
	for _, n := range ws {
		if !s.within(n) {
			continue
		}
		var next [][]*spec.Relationship
		for _, set := range out {
			next = append(next, append(slices.Clone(set), n.way))
			if s.layout.options[n.entity()].own != nil {
				next = append(next, set)
			}
		}
		out = next
	}
	return out
}

// partial is a plan under construction.
type partial struct {
	steps []*readStep
	from  []int
	rules []string
}

// complete adds to an access the steps for related entities.
func (s *seeker) complete(acc *access, inside []*spec.Relationship) []*readPlan {
	top := len(acc.steps) - 1
	from := []int{top}
	for _, r := range acc.keep {
		if r.by > 0 && !slices.Contains(from, r.by-1) {
			from = append(from, r.by-1)
		}
	}
	parts := []partial{s.counted(partial{steps: acc.steps, from: from}, top, s.d.target, s.d.needs, acc.found)}
	for _, n := range s.d.ways {
		if n.back && slices.Contains(inside, n.way) {
			continue
		}
		parts = s.attach(parts, n, generation{entity: s.d.target, step: top, found: acc.found})
	}
	var out []*readPlan
	for _, p := range parts {
		if depth(p.steps) > maxSteps || s.twice(p.steps, top) {
			continue
		}
		q := &readPlan{demand: s.d, steps: p.steps, from: p.from, sorted: acc.sorted, rule: acc.rule}
		for _, r := range p.rules {
			q.rule += ", " + r
		}
		if slices.ContainsFunc(q.steps, func(t *readStep) bool { return len(t.copies) > 0 }) {
			q.rule += " with copies"
		}
		if s.d.snapshot && !s.oneMoment(q) {
			continue
		}
		if s.d.snapshot && len(q.steps) == 1 { // strongly consistent is enough
			t := *q.steps[0]
			t.alone = true
			q.steps = []*readStep{&t}
		}
		if !s.restrict(q, acc) || s.d.locates != nil && len(q.keep) > 0 {
			continue // a write cannot be about something else than what it was told
		}
		if t := q.steps[top]; s.d.top > 0 && len(q.keep) > 0 && t.verb == verbGet && t.prev >= 0 {
			q.sorted = false // which keys count is known when all items have been tested
		}
		for _, v := range s.rows(q, acc.tests()) {
			for _, u := range s.finding(v) {
				u.name = u.describe()
				u.score()
				out = append(out, u)
			}
		}
	}
	return out
}

// rows are a plan, and the same with more items evaluated by each request, where a filter leaves out some of them:
// requests are repeated until enough have passed, and which number is the cheapest depends on how many do.
func (s *seeker) rows(q *readPlan, at int) []*readPlan {
	out := []*readPlan{q}
	t := q.steps[at]
	if t.limit == 0 || len(t.filter) == 0 {
		return out
	}
	for _, times := range []int{2, 4, 8, 16} {
		u := *t
		if u.limit *= times; u.limit > mostEvaluated {
			break
		}
		v := *q
		v.steps = slices.Clone(q.steps)
		v.steps[at] = &u
		out = append(out, &v)
	}
	return out
}

// mostEvaluated is how many items one request evaluates at most, where it has a limit.
const mostEvaluated = 1_000

// twice reports whether a step besides the one that brings the target reads items in which the target lies as well: the
// answer would have what nobody asks for.
func (s *seeker) twice(steps []*readStep, top int) bool {
	if steps[top].inside != nil {
		return false
	}
	for i, t := range steps {
		k := s.layout.kinds[t.kinds[0]]
		if i > top && k != nil && t.index == nil && t.marker == nil && t.aside == nil && slices.ContainsFunc(k.embeds, func(m *embedding) bool { return m.way.From == s.d.target }) {
			return true
		}
	}
	return false
}

// depth is the longest row of steps that wait for each other.
func depth(steps []*readStep) int {
	longest := 0
	at := make([]int, len(steps))
	for i, t := range steps {
		at[i] = 1
		if t.prev >= 0 {
			at[i] += at[t.prev]
		}
		longest = max(longest, at[i])
	}
	return longest
}

// oneMoment reports whether a plan reads one item, or only gets that can go into one transaction.
func (s *seeker) oneMoment(p *readPlan) bool {
	for _, t := range p.steps {
		if t.verb != verbGet || t.prev >= 0 || t.marker != nil {
			return false
		}
		if t.aside != nil && s.layout.options[t.kinds[0]].aside.shards > 1 {
			return false
		}
	}
	return true
}

// A generation is who children belong to that a plan brings: which step finds these, and how many.
type generation struct {
	entity *spec.Entity
	step   int
	found  matches
	way    *spec.Relationship // by which they are the children of those above; nil: of none
	above  *generation
}

// attach adds the steps that bring the entities of a way node, which belong to a generation, to each partial plan.
func (s *seeker) attach(parts []partial, n *wayNode, of generation) []partial {
	var out []partial
	for _, p := range parts {
		t := s.sameCollection(p.steps[of.step], n, of.entity)
		if t == nil && !n.last {
			t = s.listedThere(p.steps[of.step], n, of.entity)
		}
		if t != nil {
			q := partial{slices.Clone(p.steps), p.from, p.rules}
			q.steps[of.step] = t
			children := of.found.times(s.childrenBy(n))
			q = s.counted(q, of.step, n.entity(), refsOf(n.entity(), n.wants()), children)
			out = append(out, s.inner([]partial{q}, n, of, of.step, children)...)
		}
		add := func(from generation, all []*access) {
			for _, acc := range all {
				if slices.ContainsFunc(acc.keep, func(c remark) bool { return !n.tests(c) }) {
					continue
				}
				q := partial{append(slices.Clone(p.steps), acc.steps...), append(slices.Clone(p.from), len(p.steps)+len(acc.steps)-1), p.rules}
				each := from.found
				switch {
				case acc.steps[0].prev < 0, acc.steps[0].verb == verbScan: // the call says which, or all are read
					each = oneMatch
				case !n.back:
					each = from.found.some(n.way)
				}
				at := len(q.steps) - 1
				children := each.times(acc.found)
				q = s.counted(q, at, n.entity(), refsOf(n.entity(), n.wants()), children)
				out = append(out, s.inner([]partial{q}, n, of, at, children)...)
			}
		}
		asked := s.related(p, n, of.entity, of.step, of.found)
		add(of, append(s.reach(asked), s.lookup(n, of.step, of.found)...))
		shared, fixed := s.shared(asked, n, of.entity)
		if len(fixed) > 0 {
			one := asked
			one.eqs = slices.Concat(asked.eqs, fixed)
			add(of, s.reach(one))
		}
		add(of, s.atOnce(asked, slices.Concat(shared, fixed)))
		up := chain{n.way}
		for g := &of; n.back && !n.last && g.above != nil; g = g.above { // those of all parents at once
			up = append(up, g.way)
			rs := up.inherited()
			if rs == nil {
				continue
			}
			all := s.reach(s.descending(p, n, rs, *g.above))
			for _, acc := range all {
				acc.steps[0].of = g.above.entity
			}
			add(*g.above, all)
		}
	}
	return out
}

// tests reports whether an answer holds a condition on children by itself: it joins them to their parents by the
// foreign key that their items have, so that a child is left out which an index still lists under the parent that it
// had before.
func (n *wayNode) tests(c remark) bool {
	return n.back && !slices.ContainsFunc(c.refs, func(r ref) bool {
		return !r.local() || !slices.Contains(n.way.By, r.attr)
	})
}

func (s *seeker) childrenBy(n *wayNode) matches {
	if n.back {
		return matches{average: n.way.PerParent.Average, most: n.way.PerParent.Max, members: n.way.To.Count, per: n.way}
	}
	return oneMatch
}

// inner goes on with what lies behind a way node, whose entities belong to a generation, and which a step finds.
func (s *seeker) inner(parts []partial, n *wayNode, of generation, step int, found matches) []partial {
	g := generation{entity: n.entity(), step: step, found: found}
	if n.back {
		g.way, g.above = n.way, &of
	}
	for _, m := range n.inner {
		if !s.within(m) {
			parts = s.attach(parts, m, g)
		}
	}
	return parts
}

// related asks for the entities of a way node: by values that the call gives if it gives the identity they belong to,
// else by what an earlier step found.
func (s *seeker) related(p partial, n *wayNode, of *spec.Entity, step int, found matches) ask {
	from, to := n.way.By, n.way.To.Identity // a way there: from the foreign key to the identity
	if n.back {
		from, to = to, from
	}
	by := make([]ref, len(to))
	for i, x := range to[:len(from)] {
		by[i] = ref{from: n.entity(), attr: x}
	}
	a := s.asking(p, n, of, from, by, step, found)
	if n.last {
		a.order, a.limit = []orderKey{{ref: ref{from: n.entity(), attr: n.way.Succession()}, descending: true}}, 1
	}
	return a
}

// shared is what the call says of all the entities of a way there at once, where an earlier step finds which they are:
// the parts of the foreign key that all matches share, and what derives from the entities and cannot change. Whoever
// lists the skills of a station's crew by a value that derives from the crew knows in which station's collection each
// of the crew lies.
func (s *seeker) shared(a ask, n *wayNode, of *spec.Entity) (key, fixed []equality) {
	if a.prev < 0 || n.back || of != s.d.target {
		return nil, nil
	}
	for _, e := range s.d.eqs {
		i := -1
		if e.ref.local() && len(e.ref.rest) == 0 {
			i = indexOf(n.way.By, e.ref.attr)
		}
		switch {
		case e.test != nil:
		case i >= 0:
			key = append(key, equality{ref: ref{from: n.entity(), attr: n.way.To.Identity[i]}, value: e.value})
		case len(e.ref.hops) > 0 && e.ref.hops[0] == (hop{way: n.way}) && s.facts.fixed(e.ref):
			there := ref{from: n.entity(), hops: e.ref.hops[1:], attr: e.ref.attr, rest: e.ref.rest}
			fixed = append(fixed, equality{ref: there.canonical(), value: e.value})
		}
	}
	return key, fixed
}

// atOnce reads the entities of a way there by one query of what they share, instead of each by its key: with forty of a
// crew in a collection, fifteen gets read more than the whole. The client joins what the query finds.
func (s *seeker) atOnce(a ask, shared []equality) (out []*access) {
	if len(shared) == 0 || a.per.single() || s.d.strong || s.d.snapshot {
		return nil
	}
	a.eqs, a.prev, a.per, a.depth = shared, -1, oneMatch, 0
	for _, acc := range s.reach(a) {
		if len(acc.steps) == 1 && acc.steps[0].verb == verbQuery && len(acc.keep) == 0 {
			acc.steps[0].atOnce = true
			out = append(out, acc)
		}
	}
	return out
}

// descending asks for the children of a way node under all their parents at once: by what these have from those further
// above, which an earlier step found, or the call names. Whose parent is not there any more has no place in the answer.
func (s *seeker) descending(p partial, n *wayNode, by []ref, of generation) ask {
	return s.asking(p, n, of.entity, of.entity.Identity, by, of.step, of.found)
}

// asking asks for the entities of a way node in which attributes are what others have: those that a step found, or of
// which the call says which they are.
func (s *seeker) asking(p partial, n *wayNode, of *spec.Entity, from []*spec.Attribute, by []ref, step int, found matches) ask {
	a := ask{entity: n.entity(), prev: step, per: found, base: len(p.steps), depth: 1}
	for t := p.steps[step]; t.prev >= 0; t = p.steps[t.prev] {
		a.depth++
	}
	given := of == s.d.target
	for i, x := range from {
		e, ok := s.d.equal(ref{from: of, attr: x})
		given = given && ok && len(s.d.back) == 0
		a.eqs = append(a.eqs, equality{ref: by[i], value: e.value})
	}
	if given {
		a.prev, a.per, a.depth = -1, oneMatch, 0
	} else {
		if !n.back {
			a.per = found.some(n.way)
		}
		for i, x := range from {
			a.eqs[i].value = "@" + x.Name
		}
	}
	for _, x := range n.wants() {
		a.needs = append(a.needs, ref{from: a.entity, attr: x}.canonical())
	}
	a.related = n
	for _, m := range n.inner { // to go on from there
		if !m.back {
			for _, x := range m.way.By {
				a.needs = append(a.needs, ref{from: a.entity, attr: x})
			}
		}
	}
	for _, m := range n.inner {
		if s.within(m) {
			a.inside = append(a.inside, m.way)
		}
	}
	return a
}

// within reports whether the children of a way node lie inside their parents' items.
func (s *seeker) within(n *wayNode) bool {
	o := s.layout.options[n.entity()]
	return n.back && o != nil && o.within != nil && o.within.way == n.way && len(n.inner) == 0
}

// sameCollection is the step that reads a parent, widened to its whole collection in which the children lie.
func (s *seeker) sameCollection(t *readStep, n *wayNode, of *spec.Entity) *readStep {
	k, c := s.layout.kinds[of], s.layout.kinds[n.entity()]
	if !n.back || k == nil || c == nil || k == c || c.table != k.table || t.prev >= 0 ||
		t.index != nil || t.marker != nil || t.aside != nil || t.inside != nil {
		return nil
	}
	if len(t.eqs) != len(k.option.own.partition) && !(t.verb == verbGet && k.option.bare()) || !gathers(k, c, n.way) {
		return nil
	}
	var needs []ref
	for _, x := range n.wants() {
		needs = append(needs, ref{from: c.entity, attr: x}.canonical())
	}
	_, copies, ok := s.columns(ask{entity: c.entity, needs: needs, related: n}, c)
	if !ok {
		return nil
	}
	root := s.layout.kinds[k.table]
	if t.kinds[0] != root.entity || !root.option.bare() {
		return nil // only from the root is the collection exactly what belongs to one entity
	}
	u := *t
	u.verb = verbQuery
	u.found = oneMatch
	u.kinds = append(slices.Clone(t.kinds), n.entity())
	u.need = nil
	u.copies, u.keepers = slices.Concat(t.copies, copies), slices.Concat(t.keepers, s.keepers(c, copies))
	return &u
}

// gathers reports whether children lie in a collection with their parents by a way: what tells the collection is for a
// child what it is for the parent that the way leads to, and not for another one.
func gathers(parent, child *kind, way *spec.Relationship) bool {
	of, there := child.option.own.partition, parent.option.own.partition
	if len(of) != len(there) {
		return false
	}
	for i, r := range there {
		j := indexOf(way.To.Identity, r.attr)
		switch x := of[i]; {
		case r.local() && j >= 0 && x.local() && x.attr == way.By[j]:
		case !x.local() && x.hops[0] == (hop{way: way}) && x.attr == r.attr && len(x.hops) == len(r.hops)+1:
		default:
			return false
		}
	}
	return true
}

// listedThere is the step that reads a parent, widened to its whole collection, in which the markers of a list of its
// children have all that is asked of these; nil: none lie there.
func (s *seeker) listedThere(t *readStep, n *wayNode, of *spec.Entity) *readStep {
	k, o := s.layout.kinds[of], s.layout.options[n.entity()]
	if !s.d.strong || k == nil || o == nil || s.d.brings(n.entity()) != n || len(n.inner) > 0 {
		return nil
	}
	if !k.option.bare() || t.kinds[0] != of || t.index != nil || t.marker != nil || t.aside != nil || t.inside != nil || t.prev >= 0 {
		return nil
	}
	needs := n.wants()
	if x := n.entity().Expires; x != nil {
		needs = append(slices.Clone(needs), x)
	}
	i := slices.IndexFunc(o.rosters, func(r *roster) bool {
		return r.root == of && r.kin == n.way && !slices.ContainsFunc(needs, func(x *spec.Attribute) bool {
			return !r.shows(ref{from: n.entity(), attr: x}.canonical())
		})
	})
	if i < 0 {
		return nil
	}
	u := *t
	u.verb, u.found, u.need = verbQuery, oneMatch, nil
	u.lists = append(slices.Clone(t.lists), o.rosters[i])
	return &u
}

// conditions are what the steps of an access do not see to, of what the demand asks of its target.
func (s *seeker) conditions(acc *access) []remark {
	conds := slices.Clone(acc.keep)
	t := acc.steps[acc.tests()]
	x := t.index
	held := s.layout.options[t.kinds[0]].roster(t.marker)
	for _, c := range s.d.filters {
		if held != nil && held.while != nil && held.while.String() == c.String() {
			continue // nothing else has a marker
		}
		if x != nil && x.sparse != nil && x.sparse.String() == c.String() {
			continue // the index holds nothing else
		}
		if x != nil && slices.ContainsFunc(x.needed(), func(r ref) bool { return existence(s.d.target, c, r) }) {
			continue // nor what has no key
		}
		conds = append(conds, s.d.remark(c))
	}
	if x := s.d.expiry; x != nil {
		conds = append(conds, expiring(x))
	}
	return conds
}

// remark is a condition on the target with the values that it tests.
func (d *demand) remark(c spec.Condition) remark {
	r := remark{text: c.String()}
	for t := range spec.Tests(c) {
		paths := []spec.Path{t.Path}
		for _, v := range t.Args { // it may be compared with another stored value
			for term := range v.Terms() {
				paths = append(paths, term.Path)
			}
		}
		for _, path := range slices.DeleteFunc(paths, func(p spec.Path) bool { return len(p) == 0 }) {
			if x, ok := resolveRef(d.target, path); ok {
				r.refs = append(r.refs, x)
			}
		}
	}
	return r
}

// expiring is that something has not expired.
func expiring(x *spec.Attribute) remark {
	test := x.Name + " > now"
	if x.Optional {
		test = "absent(" + x.Name + ") or " + test
	}
	return remark{text: test, refs: []ref{{from: x.Entity, attr: x}}}
}

// restrict puts the conditions that no key serves where they belong: to the service where it sees the target's own
// items and the values they test, else to the client. It answers false for a page that the client would have to thin
// out.
func (s *seeker) restrict(q *readPlan, acc *access) bool {
	at := acc.tests()
	t := q.steps[at]
	if k := s.layout.kinds[t.kinds[0]]; k != nil && k.option.pack != nil { // each is tested when its item has come
		if t.index != nil && t.index.sparse != nil { // an item is there for one of them
			q.keep = append(q.keep, t.index.sparse.String())
		}
		for _, c := range s.conditions(acc) {
			if !slices.Contains(q.keep, c.text) {
				q.keep = append(q.keep, c.text)
			}
		}
		return true
	}
	u := *t
	for _, c := range s.conditions(acc) {
		if t.verb != verbGet && t.inside == nil && len(t.kinds) == 1 && s.filters(t, c) {
			u.filter = append(u.filter, c.text)
			u.need = union(u.need, t.index.beside(c.refs))
		} else {
			q.keep = append(q.keep, c.text)
		}
	}
	for _, e := range s.d.sifted {
		q.keep = append(q.keep, e.remark().text)
	}
	thinned := len(q.keep) > 0
	for _, c := range acc.again {
		q.keep = append(q.keep, c.text)
	}
	if len(u.filter) > 0 {
		q.steps = slices.Clone(q.steps)
		q.steps[at] = &u
	}
	return len(q.keep) == 0 || s.unstopped(q, at) || !thinned
}

// unstopped has a plan whose client leaves out some of what a step finds read to the end: how many are left is known
// too late to stop. It answers false for a page of that step; what a page of keys leaves out has changed since, and is
// little.
func (s *seeker) unstopped(q *readPlan, at int) bool {
	for i := at; i >= 0; i = q.steps[i].prev {
		if q.steps[i].limit == 0 {
			continue
		}
		if s.d.paged() {
			return i < at
		}
		q.steps = slices.Clone(q.steps)
		for j, t := range q.steps {
			u := *t
			if j == i {
				u.limit = 0
			}
			if t.prev == i {
				u.per.limit = 0
			}
			q.steps[j] = &u
		}
	}
	return true
}

// filters reports whether a filter of a step can test a condition: DynamoDB allows none on the key of what is queried,
// and sees no value that only a template of the table's key tells (Query, FilterExpression).
func (s *seeker) filters(t *readStep, c remark) bool {
	own := s.layout.kinds[t.kinds[0]].option.own
	for _, r := range c.refs {
		switch {
		case r.local() && s.layout.options[t.kinds[0]].apart(r.attr):
			return false // a later step brings it
		case len(r.hops) > 0 && !hasRef(t.copies, r) && !hasRef(s.facts.aliases(t.kinds[0]), r):
			return false // a later step brings it
		case hasRef(own.refs(), r) && !s.facts.tested[r.attr]:
			return false
		case t.index != nil && t.index.remakes(r):
			continue // the entry has it besides
		case t.index != nil && hasRef(t.index.refs(), r), t.index == nil && hasRef(own.refs(), r),
			r.local() && slices.Contains(t.marker, r.attr):
			return false
		}
	}
	return true
}

// score counts the points of simplicity that a plan costs: a dependent step, sorting or merging at the client.
func (p *readPlan) score() {
	for _, t := range p.steps {
		if t.prev >= 0 {
			p.points++
		}
	}
	if !p.sorted && len(p.demand.order) > 0 {
		p.points++
	}
	if len(p.from) > 1 {
		p.points++
	}
}

func cmpText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
