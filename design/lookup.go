package design

import "github.com/tablewright/tablewright/spec"

// lookup reads all of the few entities to which a way leads, once, instead of those by their keys to which something leads: a list
// shows the kind of each of its forty entries, and there are sixty kinds. It waits for what leads there, which may be newer than
// what was read before.
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

// lookups are the entities that a plan reads all of, to find those to which something leads.
func (p *readPlan) lookups() (out []*spec.Entity) {
	for _, t := range p.steps[1:] {
		if t.verb == verbScan {
			out = append(out, t.kinds[0])
		}
	}
	return out
}
