package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// lookup reads all entities of a small kind in one scan, instead of each by its key: a list of forty entries shows the
// kind of each, and there are sixty kinds. Where there are more, or each is large, an index holds what the list shows
// of them alone. The scan runs after the list has been read. A scan made before could miss a kind that is newer than
// it.
func (s *seeker) lookup(n *wayNode, step int, found matches) (out []*access) {
	e := n.entity()
	k := s.layout.kinds[e]
	if k == nil || n.back || len(n.inner) > 0 || found.single() || e == s.d.target || s.d.snapshot || len(s.layout.lie(k)) > 1 {
		return nil
	}
	a := ask{entity: e, related: n}
	for _, x := range n.wants() {
		a.needs = append(a.needs, ref{from: e, attr: x}.canonical())
	}
	a = s.expiring(a)
	all := matches{average: e.Count, most: e.Count, members: 1}
	scan := func(x *indexShape, keys ...*shape) {
		cols, copies, ok := s.columns(a, k, keys...)
		if !ok || x != nil && k.partsOf(a.needs, cols) != restOnly {
			return
		}
		t := &readStep{
			verb: verbScan, kinds: []*spec.Entity{e}, index: x, need: cols, copies: copies, keepers: s.keepers(k, copies), prev: step, per: oneMatch,
			found: all, strong: s.d.strong, parts: k.partsOf(a.needs, cols),
		}
		out = append(out, &access{steps: []*readStep{t}, sorted: true, found: all, rule: "lookup"})
	}
	if e.Handful() {
		scan(nil)
	}
	if x := s.narrow(k); x != nil && !s.d.strong && ownAlone(a.needs) && e.HandfulOf(slices.Concat(e.Identity, n.wants())...) {
		scan(x, &x.shape)
	}
	return out
}

// ownAlone reports whether values are attributes of the entity itself that nothing is derived for: what it takes to
// hold them is stated.
func ownAlone(rs []ref) bool {
	return !slices.ContainsFunc(rs, func(r ref) bool { return !r.local() || r.attr.Derived != nil })
}

// lookups returns the entities that a plan scans for its lookups.
func (p *readPlan) lookups() []*spec.Entity {
	return p.behind(func(t *readStep) bool { return t.verb == verbScan })
}

// atOnce returns the entities that a plan reads by one query of what all of them share.
func (p *readPlan) atOnce() []*spec.Entity {
	return p.behind(func(t *readStep) bool { return t.atOnce })
}

// behind returns the entities of some of the steps after the first.
func (p *readPlan) behind(is func(t *readStep) bool) (out []*spec.Entity) {
	for _, t := range p.steps[1:] {
		if is(t) {
			out = append(out, t.kinds[0])
		}
	}
	return out
}
