package design

import (
	"fmt"
	"slices"
	"time"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Copies that reads want. What a read answers of the entities at the end of ways there need not be fetched where the
// items that it finds hold copies of it. Copies that are not too many to be written anew in one transaction are kept by
// whoever changes the value. Of others the consumer of a stream takes care, for reads that tolerate that they are as
// old as that may take: it finds the items by an index on their foreign key, and what it reads and writes is part of
// the price.

// copied reports whether items may hold a copy of what the demand answers.
func (s *seeker) copied(a ask, r ref) bool {
	switch {
	case s.d.locates != nil, len(r.hops) == 0, r.hops[0].back:
		return false
	case s.layout.options[r.owner()] != nil && s.layout.options[r.owner()].parted(r.attr): // writes read the rest
		return false
	case a.related != nil:
		if r.alias == nil || !slices.Contains(a.related.wants(), r.alias) {
			return false
		}
	case a.entity != s.d.target, !hasRef(s.d.needs, r) && !s.tests(r):
		return false
	}
	if s.facts.keepable(r) {
		return true
	}
	if a.related == nil && s.tests(r) && !s.follows(a, r) {
		return false
	}
	return tolerated(s.d.pattern, r) > 0 && s.facts.streamed(r) && (!s.facts.fills(r) || s.reaches(r))
}

// reaches reports whether the consumer of a stream gets by its identity what each way of a ref leads to, and can find
// what points there.
func (s *seeker) reaches(r ref) bool {
	for i, h := range r.hops {
		k := s.layout.kinds[h.way.To]
		if k == nil || len(k.option.own.refs()) != len(k.entity.Identity) || i > 0 && s.layout.kinds[h.way.From] == nil {
			return false
		}
	}
	return true
}

// tolerated is how old what an answer shows of a value may be: as its pattern says, or the attribute that is derived
// from the value, which lags in strongly consistent answers as well. 0: it has to be as it is.
func tolerated(p *spec.Pattern, r ref) time.Duration {
	if p.Read != r.from && r.alias != nil && p.Consistency != "snapshot" && brings(p, r.from) { // among what belongs to the answer
		return r.alias.Derived.Within
	}
	if p.Read != r.from || p.Consistency == "snapshot" {
		return 0
	}
	named, itself := answers(p, r)
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

// brings reports whether a pattern answers instances of an entity with what it reads.
func brings(p *spec.Pattern, e *spec.Entity) bool {
	return p.Read != nil && slices.ContainsFunc(p.With, func(with spec.Path) bool {
		segments, _ := p.Read.Resolve(with)
		return slices.ContainsFunc(segments, func(g spec.Segment) bool {
			return g.Way != nil && (g.Back && g.Way.From == e || !g.Back && g.Way.To == e)
		})
	})
}

// answers reports whether a pattern answers a value by the name of the attribute that is derived from it, and by its
// way.
func answers(p *spec.Pattern, r ref) (named, itself bool) {
	named = r.alias != nil && (p.All || len(p.Returns) == 0)
	for _, path := range p.Returns {
		if x, ok := resolveRef(r.from, path); ok && x.same(r) {
			named, itself = named || len(path) == 1, itself || len(path) > 1
		}
	}
	return named, itself
}

// lagging returns a stream-kept copy in the items that a strongly consistent demand reads, if the demand would return
// the copy and does not tolerate a lag.
func (p *planner) lagging(c *config, d *demand, q *readPlan) (ref, bool) {
	if !d.strong || d.locates != nil || !slices.Contains(q.based, d.target) || c.figures[d.target] == nil {
		return ref{}, false
	}
	for _, r := range c.figures[d.target].copies {
		named, itself := answers(d.pattern, r)
		if (named || itself || looksFor(d.pattern, r)) && tolerated(d.pattern, r) == 0 && p.facts.streamed(r) {
			return r, true
		}
	}
	return ref{}, false
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

// follows reports whether a key may hold a copy of a value that the consumer of a stream keeps: of an attribute that
// may lag, in a read that tolerates it. What it fills in itself it has to reach.
func (s *seeker) follows(a ask, r ref) bool {
	return a.entity == s.d.target && s.d.locates == nil && !s.d.strong && len(s.d.pattern.Aggregates) == 0 &&
		r.alias != nil && r.alias.Derived.Within > 0 && looksFor(s.d.pattern, r) && s.facts.streamed(r) &&
		(!s.facts.fills(r) || s.reaches(r))
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
func (f *facts) streamed(r ref) bool { return f.brought(r) || f.fills(r) }

// brought reports whether only the consumer of a stream can keep copies of a value true, which the writes that make the
// items bring.
func (f *facts) brought(r ref) bool {
	if r.local() || len(r.hops) > 1 || f.keepable(r) {
		return false
	}
	ok, _ := f.judged(r, true)
	return ok
}

// fills reports whether the consumer of a stream also has to fill copies of a value into items that come without them,
// or that are made to point to something else: no write needs to know what may not be there, or lies two ways off.
func (f *facts) fills(r ref) bool {
	if r.local() || f.keepable(r) || f.brought(r) {
		return false
	}
	key := r.from.Name + "." + r.key()
	is, known := f.filled[key]
	if !known {
		is = f.canFill(r)
		f.filled[key] = is
	}
	return is
}

// rechecked reports whether the consumer of a stream compares a copy with its source when an item comes, so that the
// write which brings the copy reads the source first and does not check it: a check makes a transaction of a lone put,
// takes twenty times the price of the consumer's read, and falls on one item where many come to one source.
func (f *facts) rechecked(r ref) bool {
	return len(f.changed[r.attr]) > 0 && f.brought(r) && f.req.Lasts(r.hops[0].way.To) &&
		slices.ContainsFunc(f.of[r.from], func(t *touch) bool { return t.makes() })
}

// maxFilled is how many ways the consumer of a stream follows to fill in a copy.
const maxFilled = 2

func (f *facts) canFill(r ref) bool {
	if len(r.hops) == 0 || len(r.hops) > maxFilled || len(r.rest) > 0 || r.attr.Derived != nil || f.within(r) == 0 {
		return false
	}
	for i, h := range r.hops {
		if h.back || h.way.To.External || h.way.To.Expires != nil || len(f.orphans(h.way)) > 0 ||
			i > 0 && slices.ContainsFunc(h.way.By, func(a *spec.Attribute) bool { return a.Optional || !f.tellsAll(a) }) {
			return false
		}
	}
	return f.tellsAll(r.attr)
}

// tellsAll reports whether every write that changes an attribute changes it of one entity, and is given what it
// becomes: the consumer of a stream follows each with as much work as that entity's items take.
func (f *facts) tellsAll(a *spec.Attribute) bool {
	return !slices.ContainsFunc(f.changed[a], func(t *touch) bool { return !t.tells(a) && !t.replaces() })
}

// turned are the touches that make what lies on the way of a copy, behind the first hop, point to something else.
func (f *facts) turned(r ref) (out []*touch) {
	for _, h := range r.hops[min(1, len(r.hops)):] {
		for _, a := range h.way.By {
			out = append(out, f.changed[a]...)
		}
	}
	return out
}

// moves reports whether what a hop leads to can change what lies at the end of a ref: the value, or where one of the
// next hops leads.
func (f *facts) moves(r ref, at int) bool {
	return len(f.changed[r.attr]) > 0 || slices.ContainsFunc(r.hops[at+1:], func(h hop) bool {
		return slices.ContainsFunc(h.way.By, func(a *spec.Attribute) bool { return len(f.changed[a]) > 0 })
	})
}

// kept is who keeps copies of a value true.
func (f *facts) kept(r ref) plan.Kept {
	if f.streamed(r) {
		return plan.Kept{Stream: true, Within: spec.FormatDuration(f.within(r)), Recheck: f.rechecked(r)}
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

// keepers are the indexes by which the consumer of a stream finds the items that hold copies, way by way back from what
// changes.
func (s *seeker) keepers(k *kind, copies []ref) []*indexShape {
	var out []*indexShape
	for _, r := range copies {
		if !s.facts.streamed(r) {
			continue
		}
		for i, h := range r.hops {
			if !s.facts.moves(r, i) {
				continue
			}
			of := k
			if i > 0 {
				of = s.layout.kinds[h.way.From]
			}
			if found(of, h.way) {
				continue
			}
			x := newIndexShape(of.entity, shape{partition: refsOf(of.entity, h.way.By)}, false)
			x.apart = s.mistakable(x, of)
			if !slices.ContainsFunc(out, func(y *indexShape) bool { return y.id == x.id }) {
				out = append(out, x)
			}
		}
	}
	return out
}

// finding are a plan, and the same with the consumer of a stream finding what holds copies by an index that others
// read: one with the same partition holds the same items, in whatever order.
func (s *seeker) finding(q *readPlan) []*readPlan {
	out := []*readPlan{q}
	for _, x := range q.finders() {
		for _, y := range s.wider(x) {
			v := *q
			v.steps = slices.Clone(q.steps)
			for i, t := range v.steps {
				if at := slices.IndexFunc(t.keepers, func(z *indexShape) bool { return z.id == x.id }); at >= 0 {
					u := *t
					u.keepers = slices.Clone(t.keepers)
					u.keepers[at] = y
					v.steps[i] = &u
				}
			}
			out = append(out, &v)
		}
	}
	return out
}

// wider are the indexes that demands want with the partition of another, and which hold every item.
func (s *seeker) wider(x *indexShape) (out []*indexShape) {
	k := s.layout.kinds[x.entity]
	for _, w := range s.wants[x.entity] {
		for _, p := range partitions(w, s.wants[x.entity]) {
			sh := shape{partition: p, sort: tail(w, p)}
			if refsKey(p) != refsKey(x.partition) || len(sh.sort) == 0 || !s.indexable(ask{entity: x.entity}, k, &sh) ||
				slices.ContainsFunc(sh.sort, func(part keyPart) bool {
					return !part.ref.local() || !part.ref.present() || part.absent != nowhere
				}) {
				continue
			}
			y := newIndexShape(x.entity, sh, false)
			y.apart = s.mistakable(y, k)
			if !slices.ContainsFunc(out, func(z *indexShape) bool { return z.id == y.id }) {
				out = append(out, y)
			}
		}
	}
	return out
}

// found reports whether the table finds the items that point to the same entity.
func found(k *kind, way *spec.Relationship) bool {
	_, ok := fitKey(ask{eqs: foreign(way)}, k.option.own)
	return ok
}

// foreign are the equalities on the foreign key of a way.
func foreign(way *spec.Relationship) []equality {
	var out []equality
	for _, x := range way.By {
		out = append(out, equality{ref: ref{from: way.From, attr: x}})
	}
	return out
}

// keeperPieces price what the consumer of a stream does for copies and numbers in a table, for each write that changes
// them.
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
			for _, t := range p.facts.turned(r) {
				changing[t.pattern] = true
			}
			if p.facts.fills(r) || p.facts.rechecked(r) {
				for _, t := range p.facts.of[e] {
					changing[t.pattern] = changing[t.pattern] || t.makes() || t.action.Verb == spec.Update && slices.ContainsFunc(r.hops[0].way.By, func(a *spec.Attribute) bool { return t.action.Changes(a.Name) })
				}
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
	all := slices.Clone(es)
	for _, e := range es {
		for _, r := range c.figures[e].copies {
			for _, h := range r.hops {
				if p.facts.streamed(r) && !slices.Contains(all, h.way.To) && c.layout.kinds[h.way.To] != nil {
					all = append(all, h.way.To)
				}
			}
		}
	}
	roots := c.layout.roots(all)
	id.tables(c, roots)
	var on []chosenIndex
	for _, x := range c.indexes {
		if slices.Contains(all, x.shape.entity) {
			on = append(on, x)
			id.add(p.pricer.number(x.shape.id), p.pricer.number(x.project.name))
		}
	}
	return p.remember(id, 0, func() *piece {
		_, tables, why := p.fragment(c, roots, on, nil)
		if why != "" {
			return &piece{why: why}
		}
		return p.used(p.pricer.cost.Keeping(tables[0], pattern, tables...), pattern, func(string) bool { return true })
	})
}

// keptBy names the copies that the consumer of a stream keeps true by an index.
func keptBy(f *facts, c *config, x *indexShape) []string {
	passes := func(r ref) bool {
		for i, h := range r.hops {
			if f.moves(r, i) && h.way.From == x.entity && refsKey(refsOf(x.entity, h.way.By)) == refsKey(x.partition) {
				return true
			}
		}
		return false
	}
	var out []string
	for _, q := range c.plans {
		for _, t := range q.steps {
			if slices.ContainsFunc(t.keepers, func(y *indexShape) bool { return y.id == x.id }) {
				for _, r := range t.copies {
					if passes(r) {
						out = appendNew(out, r.key())
					}
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
		out = append(out, p.remember(id, 0, func() *piece {
			_, tables, why := p.fragment(c, nil, nil, []beside{b})
			if why != "" {
				return &piece{why: why}
			}
			return p.used(p.pricer.cost.Keeping(tables[0], pattern), pattern, func(string) bool { return true })
		}))
	}
	return out
}
