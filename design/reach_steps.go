package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/spec"
)

// throughParents answers a demand on values that lie at the end of a way there in two steps: find what the way leads to,
// then the children of each. It is what remains when such a value changes and cannot be copied.
func (s *seeker) throughParents(a ask) []*access {
	var out []*access
	if s.d.snapshot || a.paged || a.prev >= 0 {
		return nil
	}
	var refs []ref
	for _, e := range a.eqs {
		refs = append(refs, e.ref)
	}
	for _, w := range hopsOf(refs, nil) {
		up, rest, ok := a.split(s.facts, w)
		if !ok {
			continue
		}
		sub := *s
		sub.d = s.parentDemand(&embedding{way: w})
		for _, first := range sub.reach(up) {
			if len(first.keep) > 0 || first.last().inside != nil {
				continue
			}
			next := rest
			next.base, next.depth = a.base+len(first.steps), a.depth+len(first.steps)
			next.prev, next.per = next.base-1, first.found
			for i, x := range w.By {
				next.eqs = append(next.eqs, equality{ref: ref{from: w.From, attr: x}, value: "@" + w.To.Identity[i].Name})
			}
			for _, then := range s.reach(next) {
				out = append(out, &access{
					steps: append(slices.Clone(first.steps), then.steps...), keep: a.again(w, then.keep, next.prev+1),
					found: first.found.times(then.found), rule: "steps through " + w.To.Name,
				})
			}
		}
	}
	return out
}

// again has what the client tests of entities by what an earlier step found, which a condition of the answer cannot
// name, be tested by what the ask says of the end of the way there, and the answer is made of what that step found as
// well: of those that lead elsewhere, none is part of it.
func (a ask) again(w *spec.Relationship, keep []remark, by int) []remark {
	byFound := func(r remark) bool { return strings.Contains(r.text, " = @") }
	if !slices.ContainsFunc(keep, byFound) {
		return keep
	}
	out := slices.DeleteFunc(slices.Clone(keep), byFound)
	for _, e := range a.eqs {
		if _, ok := e.ref.lift(w); ok && len(e.ref.hops) > 0 {
			r := e.remark()
			r.by = by
			out = append(out, r)
		}
	}
	return out
}

// split divides an ask between what a way leads to and the children; false if nothing is known of the former, or if the
// answer wants a value that lies there alone.
func (a ask) split(f *facts, w *spec.Relationship) (up, rest ask, ok bool) {
	rest = a
	rest.eqs, rest.ranges, rest.order = nil, nil, nil
	up = ask{entity: w.To, prev: a.prev, per: a.per, base: a.base, depth: a.depth}
	for _, e := range a.eqs {
		if l, ok := e.ref.lift(w); ok && len(e.ref.hops) > 0 {
			up.eqs = append(up.eqs, equality{ref: l, value: e.value, test: e.test})
		} else {
			rest.eqs = append(rest.eqs, e)
		}
	}
	for _, n := range a.ranges {
		if l, ok := n.ref.lift(w); ok && len(n.ref.hops) > 0 {
			up.ranges = append(up.ranges, interval{l, n.bounds, n.cond})
		} else {
			rest.ranges = append(rest.ranges, n)
		}
	}
	for _, r := range a.needs {
		if len(r.hops) > 0 && r.hops[0] == (hop{way: w}) && !hasRef(f.aliases(a.entity), r) {
			return up, rest, false
		}
	}
	return up, rest, len(up.eqs) > 0
}

// times is the number of matches in all when each of m leads to n.
func (m matches) times(n matches) matches {
	return matches{average: m.average * n.average, most: m.most * n.most, members: m.members}
}

// some is the number of those of m that have the foreign key of a way there: no request is made for the others.
func (m matches) some(w *spec.Relationship) matches {
	for _, a := range w.By {
		m.average *= presence(a)
	}
	return m
}

// throughChildren answers a demand that gives a value of a child: find the child, then what it points to, or what belongs to
// that.
func (s *seeker) throughChildren(a ask) []*access {
	if len(s.d.back) != 1 {
		return nil
	}
	return s.throughChild(a, s.d.back[0])
}

// throughOnlyChildren does the same for values of only children, which an item of the target need not hold.
func (s *seeker) throughOnlyChildren(a ask) (out []*access) {
	for i, e := range a.eqs {
		if b, ok := e.onlyChild(); ok {
			rest := a
			rest.eqs = slices.Delete(slices.Clone(a.eqs), i, i+1)
			out = append(out, s.throughChild(rest, b)...)
		}
	}
	return out
}

// onlyChild is an equality on a value behind the way back to an only child as one that goes back; false of any other.
func (e equality) onlyChild() (backEquality, bool) {
	for i, h := range e.ref.hops {
		if h.back {
			r := ref{from: h.way.From, hops: e.ref.hops[i+1:], attr: e.ref.attr, rest: e.ref.rest}
			return backEquality{there: e.ref.hops[:i], way: h.way, ref: r, value: e.value}, true
		}
	}
	return backEquality{}, false
}

func (s *seeker) throughChild(a ask, b backEquality) []*access {
	if s.d.snapshot || a.paged || s.d.locates != nil {
		return nil
	}
	down := ask{entity: b.way.From, eqs: []equality{{ref: b.ref, value: b.value}}, prev: -1, per: oneMatch}
	for _, x := range b.way.By {
		down.needs = append(down.needs, ref{from: b.way.From, attr: x})
	}
	var out []*access
	for _, first := range s.reach(down) {
		one := !slices.ContainsFunc(first.steps, func(t *readStep) bool { return !t.one() }) // by keys: that few are expected is no promise
		if first.last().inside != nil || !one && len(first.keep) > 0 {
			continue // nothing tests the children when they have been found
		}
		next := a
		next.base, next.depth = len(first.steps), len(first.steps)
		next.prev, next.per = next.base-1, first.found.some(b.way)
		for i, x := range b.joins(a.entity) {
			next.eqs = append(slices.Clone(next.eqs), equality{ref: x, value: "@" + b.way.By[i].Name})
		}
		for _, then := range s.reach(next) {
			found := then.found
			switch {
			case len(b.there) > 0:
				found = first.found.times(then.found)
			case !one: // a parent may have several of them
				found = first.found
			}
			out = append(out, &access{
				steps: append(slices.Clone(first.steps), then.steps...), keep: append(slices.Clone(first.keep), then.keep...),
				found: found, sorted: one && (len(b.there) == 0 || then.sorted) || len(a.order) == 0, rule: "steps through " + b.way.From.Name,
			})
		}
	}
	return out
}
