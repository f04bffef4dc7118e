package design

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// indexes reads through a secondary index on the kind's items: one that projects what
// is wanted, or one of keys followed by the items themselves.
func (s *seeker) indexes(a ask, k *kind) []*access {
	if f, ok := fitKey(a, k.option.own); ok && f.full {
		return nil // the key is known
	}
	var out []*access
	for _, x := range s.indexShapes(a, k) {
		if k.option.pack != nil && (!x.shape.holdsPacks(k.option.pack) || len(s.facts.deleted[a.entity]) > 0) {
			continue
		}
		out = append(out, s.throughIndex(a, k, x.shape, x.rest)...)
	}
	return out
}

// candidate is an index shape, and what of the ask its sparse condition leaves.
type candidateIndex struct {
	shape *indexShape
	rest  ask
}

// indexShapes lists the indexes that could serve an ask.
func (s *seeker) indexShapes(a ask, k *kind) []candidateIndex {
	var out []candidateIndex
	add := func(x *indexShape, rest ask) {
		x.apart = s.mistakable(x, k)
		if !slices.ContainsFunc(out, func(y candidateIndex) bool { return y.shape.id == x.id }) {
			out = append(out, candidateIndex{x, rest})
		}
	}
	eachShape := func(a ask, put func(shape)) {
		w := want{entity: a.entity, equal: bindable(a.eqs)}
		if len(w.equal) == 0 {
			return
		}
		for _, seq := range s.sequences(a) {
			w.then = seq
			for _, p := range partitions(w, s.wants[a.entity]) {
				put(shape{partition: p, sort: tail(w, p)})
			}
		}
		// What others bring into being serves as well, if its partition is bound here.
		for _, o := range s.wants[a.entity] {
			for _, p := range partitions(o, s.wants[a.entity]) {
				if !slices.ContainsFunc(p, func(r ref) bool { return !hasRef(w.equal, r) }) {
					put(shape{partition: p, sort: tail(o, p)})
				}
			}
		}
	}
	eachShape(a, func(sh shape) {
		if s.indexable(a, k, &sh) && !sh.leads(k.option.own) {
			if s.local(k, &sh) {
				add(newIndexShape(a.entity, sh, true), a)
			}
			if !s.d.strong {
				add(newIndexShape(a.entity, sh, false), a)
			}
		}
	})
	for _, c := range s.sparse(a) {
		sparse := func(sh shape, local bool) {
			x := newIndexShape(a.entity, sh, local)
			x.sparse, x.state = c.condition, c.attr
			x.id = x.describe()
			add(x, c.rest)
		}
		strongly := s.strongly(c)
		put := func(sh shape) {
			if !s.indexable(c.rest, k, &sh) {
				return
			}
			if !s.d.strong {
				sparse(sh, false)
			}
			if strongly && len(sh.sort) == 0 {
				sh.sort = k.option.own.sort // its sort key says what is in it
			}
			if strongly && s.local(k, &sh) && !slices.ContainsFunc(sh.sort, func(p keyPart) bool { return !composable(p.ref.attr) }) {
				sparse(sh, true)
			}
		}
		if len(c.rest.eqs) == 0 {
			for _, seq := range s.sequences(c.rest) {
				put(shape{sort: seq})
			}
			continue
		}
		eachShape(c.rest, put)
	}
	return out
}

// exists reports whether a demand asks only for what has a value.
func (d *demand) exists(r ref) bool {
	return slices.ContainsFunc(d.filters, func(c spec.Condition) bool { return existence(d.target, c, r) })
}

// existence reports whether a condition is that an entity has a value.
func existence(e *spec.Entity, c spec.Condition, r ref) bool {
	t, ok := c.(*spec.Test)
	if !ok || t.Op != "exists" {
		return false
	}
	x, ok := resolveRef(e, t.Path)
	return ok && x.same(r)
}

// mistakable reports whether items of another kind in the table have all attributes of an index's key as well.
func (s *seeker) mistakable(x *indexShape, k *kind) bool {
	if !k.mixed {
		return false
	}
	for _, n := range s.layout.neighbours(k) {
		has := func(stores func(name string) bool) bool {
			return !slices.ContainsFunc(x.refs(), func(r ref) bool {
				tables := x.local && hasRef(x.partition, r) // the partition of a local index is the table's
				return !tables && !stores(wireName(k, r))
			})
		}
		if n != k && has(func(name string) bool { return n.entity.Attribute(name) != nil }) ||
			slices.ContainsFunc(n.guests, func(g guest) bool {
				return has(func(name string) bool { return g.roster.has(g.of.entity.Attribute(name)) })
			}) {
			return true
		}
	}
	return false
}

// sequences are the sort parts that serve an ask behind its equalities. DynamoDB takes no filter on the key of what is
// queried. Where a filter tests a number that the order rests on, the same order the other way round is a candidate:
// its key has the number with its sign turned, and the filter tests the number beside it.
func (s *seeker) sequences(a ask) [][]keyPart {
	d := demand{ranges: a.ranges, order: a.order}
	if a.paged {
		d.page = 1
	}
	out := d.sequences()
	if a.limit == 0 || a.entity != s.d.target || len(a.order) == 0 {
		return out
	}
	number := func(p keyPart) bool {
		return p.ref.attr.Type == spec.Number && p.ref.local() && !p.special() && !p.inverted && s.filtered(p.ref)
	}
	fixed := func(p keyPart) bool { return !p.inverted && !invertible(p.ref.attr) }
	if order := out[0]; slices.ContainsFunc(order, number) && !slices.ContainsFunc(order, fixed) {
		out = append(out, flip(order))
	}
	return out
}

// filtered reports whether a filter of the demand tests a value.
func (s *seeker) filtered(r ref) bool {
	return slices.ContainsFunc(s.d.filters, func(c spec.Condition) bool { return hasRef(s.d.remark(c).refs, r) })
}

// tests reports whether a filter or a range of the demand tests a value; a range that no key serves is a filter.
func (s *seeker) tests(r ref) bool {
	return s.filtered(r) || slices.ContainsFunc(s.d.ranges, func(n interval) bool { return n.tells(r) })
}

// indexable reports whether a shape can be an index on a kind's items: at most four and four parts, of types that keys
// can have, and present wherever the answer must not miss an item.
func (s *seeker) indexable(a ask, k *kind, sh *shape) bool {
	if len(sh.partition) > capacity.IndexPartitionKeyParts || len(sh.sort) > capacity.IndexSortKeyParts {
		return false
	}
	for _, r := range sh.refs() {
		if !keyable(r) || r.local() && k.option.apart(r.attr) {
			return false
		}
		bound := slices.ContainsFunc(a.eqs, func(e equality) bool { return e.ref.same(r) }) ||
			slices.ContainsFunc(a.ranges, func(n interval) bool { return n.tells(r) })
		if !bound && !r.present() && sh.placed(r) == nowhere && !(a.entity == s.d.target && s.d.exists(r)) {
			return false // items without the value would not be found
		}
		if !bound && !r.local() && s.facts.fills(r) {
			if why := s.facts.adrift(r); why != "" { // nor those that no consumer of a stream can fill
				s.missed(a, r, why)
				return false
			}
		}
	}
	for _, p := range sh.sort {
		if p.inverted && !invertible(p.ref.attr) {
			return false
		}
		if p.absent != nowhere && (!p.ref.local() || !composable(p.ref.attr) && p.ref.attr.Type != spec.Number) {
			return false // nothing says that it is absent
		}
	}
	if keyBytes(sh.partition) > float64(capacity.IndexPartitionBytes) || keyBytes(partRefs(sh.sort)) > float64(capacity.IndexSortBytes) {
		return false
	}
	for _, r := range sh.refs() {
		if r.local() {
			continue
		}
		if ok, why := s.facts.copyable(r); !ok && !s.follows(a, r) {
			s.missed(a, r, why)
			return false
		}
	}
	return true
}

// missed notes why no index can have a value in its key, if that is known.
func (s *seeker) missed(a ask, r ref, why string) {
	if _, known := s.misses[s.d.name]; !known && why != "" {
		s.misses[s.d.name] = fmt.Sprintf("an index would need %s in every %s, and %s", r.key(), a.entity.Name, why)
	}
}

// placed is where a key has what lacks a value.
func (s *shape) placed(r ref) place {
	for _, p := range s.sort {
		if p.ref.same(r) {
			return p.absent
		}
	}
	return nowhere
}

// needed are the values without which an item is not under a key.
func (s *shape) needed() []ref {
	return slices.DeleteFunc(s.refs(), func(r ref) bool { return s.placed(r) != nowhere })
}

// leads reports whether a shape does no more than a key does already.
func (s *shape) leads(own *shape) bool {
	return refsKey(s.partition) == refsKey(own.partition) && prefixOf(s.sort, own.sort)
}

func prefixOf(a, b []keyPart) bool {
	if len(a) > len(b) {
		return false
	}
	return partsKey(a) == partsKey(b[:len(a)])
}

// local reports whether a shape can be an LSI: the table's own partition, in one piece, one sort attribute, and a
// collection that stays within its limit at the largest parent.
func (s *seeker) local(k *kind, sh *shape) bool {
	own := k.option.own
	if own.shards > 1 || len(own.partition) != len(sh.partition) || len(sh.sort) == 0 || len(own.sort) == 0 && !k.mixed {
		return false
	}
	for _, r := range sh.partition {
		if !hasRef(own.partition, r) {
			return false
		}
	}
	for _, p := range sh.sort {
		if len(sh.sort) > 1 && !composable(p.ref.attr) || !s.facts.fixed(p.ref) || p.absent != nowhere {
			return false
		}
	}
	return true
}

// sparseCandidate is an index that holds only items that meet a condition which the ask states.
type sparseCandidate struct {
	condition spec.Condition
	attr      *spec.Attribute
	rest      ask // without the condition
}

// fewPass is the largest share of an entity's instances that have an index of their own because they pass a comparison
// with a constant: with more the index is hardly smaller than one that all are in.
const fewPass = 0.5

// alwaysStated reports whether every write that changes an attribute states its new value, so that it knows whether the item is in
// a sparse index.
func (f *facts) alwaysStated(a *spec.Attribute) bool {
	return a.Derived == nil && !slices.ContainsFunc(f.changed[a], func(t *touch) bool {
		s, ok := given(t, a)
		return !t.replaces() && !(ok && stated(s.Value))
	})
}

// sparse finds tests on constants: an equality on a state or an enum value, or a filter on one; a comparison of
// something else that few pass; and tests for what is absent.
func (s *seeker) sparse(a ask) []sparseCandidate {
	var out []sparseCandidate
	for i, e := range a.eqs {
		if e.test == nil || !e.ref.local() || len(e.ref.attr.Shares) == 0 {
			continue
		}
		rest := a
		rest.eqs = slices.Delete(slices.Clone(a.eqs), i, i+1)
		out = append(out, sparseCandidate{e.test, e.ref.attr, rest})
	}
	for i, n := range a.ranges {
		t, ok := n.cond.(*spec.Test)
		if !ok || a.entity != s.d.target || !n.ref.local() || !workload.Constant(t) || !s.facts.alwaysStated(n.ref.attr) ||
			s.facts.figures.Share(t, a.entity, nil) > fewPass {
			continue
		}
		rest := a
		rest.ranges = slices.Delete(slices.Clone(a.ranges), i, i+1)
		out = append(out, sparseCandidate{t, n.ref.attr, rest})
	}
	if a.entity == s.d.target {
		for _, c := range s.d.filters {
			if at := constantTest(a.entity, c); at != nil {
				out = append(out, sparseCandidate{c, at, a})
			}
		}
	}
	return out
}

// strongly reports whether a strongly consistent read asks for what meets a condition: a local index of that is a
// candidate, for other reads as well.
func (s *seeker) strongly(c sparseCandidate) bool {
	text := c.condition.String()
	asks := func(d *demand) bool {
		return slices.ContainsFunc(d.filters, func(f spec.Condition) bool { return f.String() == text }) ||
			slices.ContainsFunc(d.eqs, func(e equality) bool { return e.test != nil && e.test.String() == text })
	}
	return s.d.strong || slices.ContainsFunc(s.demands, func(d *demand) bool {
		return d.strong && d.target == s.d.target && d.locates == nil && asks(d)
	})
}

// constantTest is the attribute that a condition tests, if it is one state or enum attribute and constants only, or if
// it asks for what has none, or has any.
func constantTest(e *spec.Entity, c spec.Condition) *spec.Attribute {
	if t, ok := c.(*spec.Test); ok && (t.Op == "absent" || t.Op == "exists") {
		if r, ok := resolveRef(e, t.Path); ok && r.local() && r.attr.Optional {
			return r.attr
		}
		return nil
	}
	var at *spec.Attribute
	for t := range spec.Tests(c) {
		r, ok := resolveRef(e, t.Path)
		if !ok || !r.local() || len(r.attr.Shares) == 0 || at != nil && at != r.attr {
			return nil
		}
		for _, v := range t.Args {
			if v.Literal.IsZero() {
				return nil
			}
		}
		at = r.attr
	}
	return at
}

// throughIndex makes the accesses by one index.
func (s *seeker) throughIndex(a ask, k *kind, x *indexShape, rest ask) []*access {
	f, ok := fitKey(rest, &x.shape)
	if !ok || !f.tells() || a.paged && !f.sorted {
		return nil
	}
	keep := f.leftovers()
	found := s.estimate(rest, f)
	if x.sparse != nil {
		found = s.sparseMatches(rest, f, x, found)
	}
	t := &readStep{
		verb: verbQuery, kinds: []*spec.Entity{a.entity}, index: x,
		eqs: f.eqs, rng: f.rng, down: f.down, prev: a.prev, per: a.per, found: found, strong: x.local && s.d.strong,
	}
	t.copies = s.followed(&x.shape)
	t.keepers = s.keepers(k, t.copies)
	s.limit(a, t, f)
	rule := "index"
	switch {
	case x.sparse != nil:
		rule = "sparse index"
	case x.local:
		rule = "local index"
	}
	var out []*access
	a.needs = append(slices.Clone(a.needs), tested(keep)...)
	if cols, copies, ok := s.columns(a, k, &x.shape); ok && k.partsOf(a.needs, cols) == restOnly {
		u := *t
		u.copies = withRefs(slices.Clone(t.copies), copies)
		u.need, u.keepers = cols, s.keepers(k, u.copies)
		out = append(out, &access{steps: []*readStep{&u}, sorted: f.sorted, keep: keep, found: found, rule: rule})
		if len(cols) == 0 || k.option.pack != nil {
			return out // keys are all that is wanted
		}
	}
	if acc := s.ahead(a, k, t, keep, f, x); acc != nil {
		acc.rule = rule + " of keys and what is tested, then the items"
		out = append(out, acc)
	}
	if a.depth < 2 && !(a.paged && (len(keep) > 0 || len(s.d.filters) > 0 || s.d.expiry != nil)) {
		again := s.changeable(f, x)
		a.needs = append(slices.Clone(a.needs), tested(again)...)
		if acc := s.fetch(a, k, t, found); acc != nil && (!a.paged || x.tested(again)) {
			if len(again) > 0 && !a.paged {
				acc.steps[0].limit = 0 // what does not match any more is known too late to stop
			}
			acc.sorted, acc.keep, acc.rule = f.sorted, append(slices.Clone(keep), again...), rule+" of keys, then the items"
			out = append(out, acc)
		}
	}
	return out
}

// ahead is like fetch, where the index holds all that conditions test: only what passes is fetched, and a page is full
// before anything is. What may have changed since is tested again: a page is short by that. nil where there is no
// condition, or one that the index cannot tell.
func (s *seeker) ahead(a ask, k *kind, t *readStep, keep []remark, f fit, x *indexShape) *access {
	if a.depth >= 2 || a.entity != s.d.target || a.prev >= 0 {
		return nil
	}
	probe := &access{steps: []*readStep{t}, keep: keep}
	conds, again := s.conditions(probe), s.changeable(f, x)
	var need []string
	for _, c := range conds {
		if slices.ContainsFunc(c.refs, func(r ref) bool { return !s.facts.fixed(r) }) {
			again = append(again, c)
		}
		for _, r := range c.refs {
			if !r.local() || k.option.apart(r.attr) || k.option.parted(r.attr) {
				return nil
			}
			if !x.tells(r.key()) {
				need = append(need, r.key())
			}
		}
		if !s.filters(t, c) {
			return nil
		}
	}
	if len(conds) == 0 || len(again) > 0 && !a.paged {
		return nil
	}
	slices.Sort(need)
	a.needs = append(slices.Clone(a.needs), tested(again)...)
	acc := s.fetch(a, k, t, t.found)
	if acc == nil {
		return nil
	}
	acc.steps[0].need = slices.Compact(need)
	acc.steps[0].limit = t.limit
	acc.sorted, acc.keep, acc.again, acc.ahead = f.sorted, keep, again, true
	return acc
}

// fetch follows a step that found keys by gets of the items.
func (s *seeker) fetch(a ask, k *kind, keys *readStep, found matches) *access {
	cols, copies, ok := s.columns(a, k, &keys.index.shape)
	if !ok {
		return nil
	}
	first := *keys
	first.need = nil
	if !a.paged && s.d.expiry != nil {
		first.limit = 0 // which of them have expired is known too late to stop
	}
	found.limit = first.limit
	g := &readStep{
		verb: verbGet, kinds: []*spec.Entity{a.entity}, need: cols, copies: copies, keepers: s.keepers(k, copies), prev: a.base, per: found, found: oneMatch, strong: s.d.strong,
		parts: k.partsOf(a.needs, cols),
	}
	for _, r := range k.option.own.refs() {
		g.eqs = append(g.eqs, equality{ref: r, value: "@" + r.key()})
	}
	return &access{steps: []*readStep{&first, g}, found: found}
}

// changeable are the conditions that an entry met when it was written and its item may not meet any more: they are
// tested again on what is fetched.
func (s *seeker) changeable(f fit, x *indexShape) (keep []remark) {
	for _, e := range f.eqs {
		if !s.facts.fixed(e.ref) {
			keep = append(keep, e.remark())
		}
	}
	if f.rng != nil && !s.facts.fixed(f.rng.ref) {
		keep = append(keep, f.rng.remark())
	}
	if x.sparse != nil && len(s.facts.changed[x.state]) > 0 {
		keep = append(keep, remark{text: x.sparse.String(), refs: []ref{{from: x.entity, attr: x.state}}})
	}
	return keep
}

// tested reports whether the key of an index tells all that some conditions test: then a page of its entries is short
// only by what has changed before the items are fetched.
func (x *indexShape) tested(conds []remark) bool {
	return !slices.ContainsFunc(conds, func(c remark) bool {
		return slices.ContainsFunc(c.refs, func(r ref) bool { return !x.tells(r.key()) })
	})
}

// sparseMatches is how many items of a sparse index match: those of the rest of the ask that meet the condition.
func (s *seeker) sparseMatches(rest ask, f fit, x *indexShape, found matches) matches {
	if len(f.left)+len(f.over)+len(s.d.sifted) == 0 && rest.entity == s.d.target && s.d.locates == nil {
		var bound []ref
		for _, e := range f.eqs {
			bound = append(bound, e.ref)
		}
		return s.whole(bound)
	}
	share := s.facts.figures.Share(x.sparse, rest.entity, nil)
	found.average *= share
	found.most = max(found.average, found.most*share)
	found.per = nil
	return found
}

// holds reports whether an item whose state is v is in a sparse index.
func (x *indexShape) holds(v attr.Value) bool {
	if x.sparse == nil {
		return true
	}
	ok, err := spec.Holds(x.sparse, spec.On(attr.ItemOf(attr.Field{Name: x.state.Name, Value: v})), spec.Env{})
	return ok && err == nil
}
