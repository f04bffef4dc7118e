package design

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Copies that reads want. What a read answers of the entities at the end of ways there need not be fetched where the items
// that it finds hold copies of it. Copies that are not too many to be written anew in one transaction are kept by whoever
// changes the value. Of others the consumer of a stream takes care, for reads that tolerate that they are as old as that may
// take: it finds the items by an index on their foreign key, and what it reads and writes is part of the price.

// copied reports whether items may hold a copy of what the demand answers.
func (s *seeker) copied(a ask, r ref) bool {
	switch {
	case s.d.locates != nil, len(r.hops) == 0, r.hops[0].back:
		return false
	case a.related != nil:
		if r.alias == nil || !slices.Contains(a.related.wants(), r.alias) {
			return false
		}
	case a.entity != s.d.target, !hasRef(s.d.needs, r):
		return false
	}
	for _, c := range s.d.filters {
		for t := range spec.Tests(c) {
			if x, ok := resolveRef(s.d.target, t.Path); ok && x.same(r) {
				return false
			}
		}
	}
	if ok, _ := s.facts.copyable(r); ok {
		return true
	}
	return a.related == nil && tolerated(s.d.pattern, r) > 0 && s.facts.streamed(r)
}

// tolerated is how old what an answer shows of a value may be: as its pattern says, or the attribute that is derived from the
// value, which lags in strongly consistent answers as well. 0: it has to be as it is.
func tolerated(p *spec.Pattern, r ref) time.Duration {
	if p.Read != r.from || p.Consistency == "snapshot" {
		return 0
	}
	named, itself := r.alias != nil && (p.All || len(p.Returns) == 0), false
	for _, path := range p.Returns {
		if x, ok := resolveRef(r.from, path); ok && x.same(r) {
			named, itself = named || len(path) == 1, itself || len(path) > 1
		}
	}
	switch {
	case strong(p): // what may lag does, and everything else is as it is
		if itself || !named || looksFor(p, r) {
			return 0
		}
		return r.alias.Derived.Within
	case itself:
		return p.Staleness
	case named:
		return max(p.Staleness, r.alias.Derived.Within)
	case r.alias != nil && looksFor(p, r):
		return r.alias.Derived.Within
	}
	return 0
}

// looksFor reports whether a pattern finds or orders by an attribute that is derived from a value.
func looksFor(p *spec.Pattern, r ref) bool {
	is := func(path spec.Path) bool {
		x, ok := resolveRef(r.from, path)
		return ok && len(path) == 1 && x.same(r)
	}
	if slices.ContainsFunc(p.Given, is) || slices.ContainsFunc(p.Order, func(o spec.Order) bool { return is(o.Path) }) {
		return true
	}
	for t := range spec.Tests(p.Where) {
		if is(t.Path) {
			return true
		}
	}
	return false
}

// follows reports whether a key may hold a copy of a value that the consumer of a stream keeps: of an attribute that may lag, in a
// read that tolerates it.
func (s *seeker) follows(a ask, r ref) bool {
	return a.entity == s.d.target && s.d.locates == nil && !s.d.strong && len(s.d.pattern.Aggregates) == 0 &&
		r.alias != nil && r.alias.Derived.Within > 0 && looksFor(s.d.pattern, r) && s.facts.streamed(r)
}

// followed are the values in a key that the consumer of a stream keeps.
func (s *seeker) followed(x *shape) (out []ref) {
	for _, r := range x.refs() {
		if !r.local() && s.facts.streamed(r) {
			out = withRefs(out, []ref{r})
		}
	}
	return out
}

// streamed reports whether only the consumer of a stream can keep copies of a value true.
func (f *facts) streamed(r ref) bool {
	if ok, _ := f.copyable(r); ok || r.local() || len(r.hops) > 1 {
		return false
	}
	ok, _ := f.judged(r, true)
	return ok
}

// kept is who keeps copies of a value true.
func (f *facts) kept(r ref) plan.Kept {
	if f.streamed(r) {
		return plan.Kept{Stream: true, Within: spec.FormatDuration(f.within(r))}
	}
	return plan.Kept{By: patternsOf(f.writers(r))}
}

// within is how old a copy may be: as old as the least tolerant of the reads that could show it allows.
func (f *facts) within(r ref) time.Duration {
	var out time.Duration
	for _, p := range f.req.Patterns {
		if d := tolerated(p, r); d > 0 && (out == 0 || d < out) {
			out = d
		}
	}
	return out
}

// copiesOf are the copies that read plans want, by the entity whose items hold them.
func copiesOf(plans []*readPlan) map[*spec.Entity][]ref {
	out := map[*spec.Entity][]ref{}
	for _, q := range plans {
		if q == nil {
			continue
		}
		for _, t := range q.steps {
			for _, r := range t.copies {
				out[r.from] = withRefs(out[r.from], []ref{r})
			}
		}
	}
	return out
}

// withRefs adds to refs those of more that are not among them, by their keys.
func withRefs(refs, more []ref) []ref {
	for _, r := range more {
		if !hasRef(refs, r) {
			refs = append(refs, r)
			slices.SortFunc(refs, func(a, b ref) int { return cmpText(a.key(), b.key()) })
		}
	}
	return refs
}

// keepers are the indexes by which the consumer of a stream finds the items that hold copies.
func (s *seeker) keepers(k *kind, copies []ref) []*indexShape {
	var out []*indexShape
	for _, r := range copies {
		if !s.facts.streamed(r) || found(k, r) {
			continue
		}
		x := newIndexShape(k.entity, shape{partition: refsOf(k.entity, r.hops[0].way.By)}, false)
		x.apart = s.mistakable(x, k)
		if !slices.ContainsFunc(out, func(y *indexShape) bool { return y.id == x.id }) {
			out = append(out, x)
		}
	}
	return out
}

// found reports whether the table finds the items that point to the same entity.
func found(k *kind, r ref) bool {
	_, ok := fitKey(ask{eqs: foreign(r)}, k.option.own)
	return ok
}

// foreign are the equalities on the foreign key of a ref's first way.
func foreign(r ref) []equality {
	var out []equality
	for _, x := range r.hops[0].way.By {
		out = append(out, equality{ref: ref{from: r.from, attr: x}})
	}
	return out
}

// keeperPieces price what the consumer of a stream does for copies and numbers in a table, for each write that changes them.
func (p *planner) keeperPieces(c *config, root *kind) (out []*piece) {
	changing := map[*spec.Pattern]bool{}
	var es []*spec.Entity
	for e, k := range c.layout.kinds {
		if k.table != root.entity {
			continue
		}
		if len(k.option.followed) > 0 {
			es = append(es, e)
			for _, of := range k.option.countedBy() {
				for _, t := range p.facts.of[of] {
					changing[t.pattern] = true
				}
			}
		}
		for _, r := range c.figures[e].copies {
			if !p.facts.streamed(r) {
				continue
			}
			for _, t := range p.facts.changed[r.attr] {
				changing[t.pattern] = changing[t.pattern] || t.entity == r.owner()
			}
			if !slices.Contains(es, e) {
				es = append(es, e)
			}
		}
	}
	slices.SortFunc(es, func(a, b *spec.Entity) int { return cmpText(a.Name, b.Name) })
	for _, pattern := range p.facts.req.Patterns {
		if changing[pattern] {
			out = append(out, p.keeperPiece(c, es, pattern))
		}
	}
	return out
}

func (p *planner) keeperPiece(c *config, es []*spec.Entity, pattern *spec.Pattern) *piece {
	var id key
	id.add(6, p.pricer.number("kept by "+pattern.Name))
	roots := id.tables(c, es)
	var on []chosenIndex
	for _, x := range c.indexes {
		if slices.Contains(es, x.shape.entity) {
			on = append(on, x)
			id.add(p.pricer.number(x.shape.id), p.pricer.number(x.project.name))
		}
	}
	return p.remember(id, func() *piece {
		_, tables, why := p.fragment(c, roots, on, nil)
		if why != "" {
			return &piece{why: why}
		}
		return p.used(p.pricer.cost.Keeping(tables[0], pattern), pattern, func(string) bool { return true })
	})
}

// keptBy names the copies that the consumer of a stream keeps true by an index.
func keptBy(c *config, x *indexShape) []string {
	var out []string
	for _, q := range c.plans {
		for _, t := range q.steps {
			if slices.ContainsFunc(t.keepers, func(y *indexShape) bool { return y.id == x.id }) {
				for _, r := range t.copies {
					out = appendNew(out, r.key())
				}
			}
		}
	}
	return out
}

// followingPieces price what the consumer of a stream writes to keep a number true, for each write that changes it.
func (p *planner) followingPieces(c *config, b beside) (out []*piece) {
	for _, pattern := range p.facts.req.Patterns {
		if !slices.ContainsFunc(p.facts.touches, func(t *touch) bool {
			return t.pattern == pattern && t.entity == b.entity.WayBack(b.aside.Derived.Path[0]).From
		}) {
			continue
		}
		var id key
		id.add(7, p.pricer.number(fmt.Sprint(b.entity.Name, ".", b.name(), " by ", pattern.Name)), shardsAside(c, b))
		out = append(out, p.remember(id, func() *piece {
			_, tables, why := p.fragment(c, nil, nil, []beside{b})
			if why != "" {
				return &piece{why: why}
			}
			return p.used(p.pricer.cost.Keeping(tables[0], pattern), pattern, func(string) bool { return true })
		}))
	}
	return out
}
