package design

import "github.com/tablewright/tablewright/spec"

// lookup reads all entities of a small kind in one scan, instead of each by its key: a list of forty entries shows the
// kind of each, and there are sixty kinds. The scan runs after the list has been read. A scan made before could miss a
// kind that is newer than it.
func (s *seeker) lookup(n *wayNode, step int, found matches) []*access {
	e := n.entity()
	k := s.layout.kinds[e]
	if k == nil || n.back || len(n.inner) > 0 || found.single() || !e.Handful() || e == s.d.target || s.d.snapshot || len(s.layout.lie(k)) > 1 {
		return nil
	}
	a := ask{entity: e, related: n}
	for _, x := range n.wants() {
		a.needs = append(a.needs, ref{from: e, attr: x}.canonical())
	}
	a = s.expiring(a)
	cols, copies, ok := s.columns(a, k)
	if !ok {
		return nil
	}
	all := matches{average: e.Count, most: e.Count, members: 1}
	t := &readStep{
		verb: verbScan, kinds: []*spec.Entity{e}, need: cols, copies: copies, keepers: s.keepers(k, copies), prev: step, per: oneMatch,
		found: all, strong: s.d.strong, parts: k.partsOf(a.needs, cols),
	}
	return []*access{{steps: []*readStep{t}, sorted: true, found: all, rule: "lookup"}}
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
