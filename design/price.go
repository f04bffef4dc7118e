package design

import (
	"math"
	"strconv"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// A pricer turns reads, writes and storage into units and money. It remembers what it has computed: configurations
// differ from each other in little. Its figures are those that package cost computes for the finished model (a test holds
// both together); here they come from structures, before there is a model.
type pricer struct {
	laws
	facts    *facts
	tariff   capacity.Tariff
	figures  map[string]*figure
	reads    map[readKey]capacity.ReadUnits
	writes   map[writeKey]capacity.WriteUnits
	arms     map[armsKey]capacity.Money
	sizes    map[string]*dist.Sums
	joints   map[string][]dist.Outcome
	entries  map[entryKey]*sized
	beside   map[**spec.Attribute]*sized // markers, sequences and what is counted aside
	interned map[string]string
}

func newPricer(f *facts, t capacity.Tariff) *pricer {
	return &pricer{
		facts: f, tariff: t, figures: map[string]*figure{}, reads: map[readKey]capacity.ReadUnits{},
		writes: map[writeKey]capacity.WriteUnits{}, arms: map[armsKey]capacity.Money{}, sizes: map[string]*dist.Sums{},
		joints: map[string][]dist.Outcome{}, entries: map[entryKey]*sized{}, beside: map[**spec.Attribute]*sized{}, interned: map[string]string{},
	}
}

// figure is the form of a kind with some indexes on it.
func (p *pricer) figure(k *kind, indexes []*indexShape) *figure {
	if len(indexes) == 0 && k.bare != nil {
		return k.bare
	}
	id := k.id
	for _, x := range indexes {
		id += "|" + x.id
	}
	g := p.figures[id]
	if g == nil {
		g = p.figureOf(p.facts, k, indexes)
		g.size = &sized{g.whole, p.intern(g.whole)}
		g.read = k.entity.Name + g.size.key + ";"
		p.figures[id] = g
	}
	if len(indexes) == 0 {
		k.bare = g
	}
	return g
}

// sized is a volume with what tells it apart.
type sized struct {
	volume
	key string
}

// intern is a short text that tells a volume apart.
func (p *pricer) intern(v volume) string {
	key := v.key()
	id, ok := p.interned[key]
	if !ok {
		id = strconv.Itoa(len(p.interned))
		p.interned[key] = id
	}
	return id
}

// entryOf is the volume of the entries of an index.
func (p *pricer) entryOf(g *figure, x *indexShape, pr projection) *sized {
	id := entryKey{g, x.id, pr.name}
	e := p.entries[id]
	if e == nil {
		v := p.entry(g, x, pr)
		e = &sized{v, p.intern(v)}
		p.entries[id] = e
	}
	return e
}

// A scene is a configuration as prices see it: the figure of every kind, and what every index projects.
type scene struct {
	layout  *layout
	figure  func(*spec.Entity) *figure
	project func(*indexShape) projection
}

// bare is a scene of a layout without indexes but for the one that is priced: what it adds to items is left out, so that
// nothing costs more than it will in the whole.
func (p *pricer) bare(l *layout, project func(*indexShape) projection) *scene {
	return &scene{layout: l, project: project, figure: func(e *spec.Entity) *figure { return p.figure(l.kinds[e], nil) }}
}

// read is what one call of a demand consumes by a step.
func (p *pricer) read(s *scene, d *demand, t *readStep) capacity.ReadUnits {
	key := p.keyOfRead(s, d, t)
	u, ok := p.reads[key]
	if !ok {
		u = p.units(s, d, t)
		p.reads[key] = u
	}
	return u
}

// kindsRead are the entities whose items a step evaluates: those it asks for, and what else lies in the range.
func (s *scene) kindsRead(t *readStep) []*spec.Entity {
	if t.index != nil || len(t.kinds) == 1 && t.verb != verbScan {
		return t.kinds
	}
	var ks []*kind
	if t.verb == verbScan {
		ks = s.layout.neighbours(s.layout.kinds[t.kinds[0]])
	} else {
		for _, e := range t.kinds {
			ks = append(ks, s.layout.kinds[e])
		}
		ks = s.layout.between(ks)
	}
	out := []*spec.Entity{t.kinds[0]}
	for _, k := range ks {
		if k.entity != t.kinds[0] {
			out = append(out, k.entity)
		}
	}
	return out
}

// shards is over how many parts of a key a query goes.
func (s *scene) shards(t *readStep) int {
	key := s.layout.kinds[t.kinds[0]].option.own
	if t.index != nil {
		key = &t.index.shape
	}
	return max(key.shards, 1)
}

func (p *pricer) units(s *scene, d *demand, t *readStep) capacity.ReadUnits {
	c := capacity.Eventual
	switch {
	case d.snapshot && !t.alone:
		c = capacity.Transactional
	case t.strong:
		c = capacity.Strong
	}
	times := capacity.ReadUnits(p.count(d, t.per, t.per.limit).Mean())
	e := t.kinds[0]
	g := s.figure(e)
	switch t.verb {
	case verbGet:
		v := g.whole
		switch {
		case t.marker != nil:
			v = p.marker(e, t.marker)
		case t.aside != nil:
			v = p.aside(t.aside)
			times *= capacity.ReadUnits(s.layout.options[e].aside.shards)
		}
		pick := dist.Uniform(membersOf(e.Count), 1)
		if d.locates != nil || d.target == e && d.pinned() {
			pick = p.calls(membersOf(e.Count), d.skew)
		}
		return times * capacity.ExpectGet(v.picked(pick), c)
	case verbScan:
		return p.scan(s, t, c)
	}
	one := g.whole
	if t.index != nil {
		one = p.entryOf(g, t.index, s.project(t.index)).volume
	}
	if kinds := s.kindsRead(t); len(kinds) > 1 {
		return times * p.collection(s, d, t, kinds, c)
	}
	n := s.shards(t)
	found := t.found
	if n > 1 {
		found.average, found.most = found.average/float64(n), found.most/float64(n)
	}
	count := p.count(d, found, t.limit)
	if n > 1 && t.found.paged && t.limit > 0 { // parts that are at their end are not asked again
		times *= capacity.ReadUnits(p.count(d, t.found, 0).Asked(n, t.limit))
	}
	if t.thin > 1 {
		want := int(math.Ceil(float64(t.limit)*t.thin - 1e-9))
		var requests float64
		count, requests = p.count(d, found, want).Requests(t.limit)
		times *= capacity.ReadUnits(requests)
	}
	return times * capacity.ReadUnits(n) * capacity.ExpectQuery(p.sums(one).Compound(count), one.mean(), c)
}

// scan reads everything that lies in a table, or a page of it.
func (p *pricer) scan(s *scene, t *readStep, c capacity.Consistency) capacity.ReadUnits {
	total, items := 0.0, 0.0
	for _, e := range s.kindsRead(t) {
		total += float64(e.Count * s.figure(e).whole.mean())
		items += e.Count
	}
	if t.limit > 0 && items > float64(t.limit) {
		total *= float64(t.limit) / items
	}
	return capacity.ExpectQuery(capacity.Fixed(total), total/math.Max(items, 1), c)
}

// law is how many items match, over the values that calls state, and how calls spread over these.
func (p *pricer) law(d *demand, m matches) (law, weight dist.Law) {
	n := membersOf(m.members)
	weight = dist.Uniform(n, 1)
	if d.locates == nil && d.pattern != nil && !d.pattern.Writes() {
		weight = p.calls(n, d.skew)
	}
	return p.laws.law(n, m.average, m.most, m.skew), weight
}

// count is the distribution of the number of items that a request evaluates.
func (p *pricer) count(d *demand, m matches, limit int) dist.Dist {
	law, weight := p.law(d, m)
	count := law.Weighted(weight)
	switch {
	case limit == 0:
		return count
	case m.paged:
		return count.Pages(limit)
	}
	return count.Map(func(k float64) float64 { return math.Min(k, float64(limit)) })
}

// collection is one query over items of several kinds. The parent with the most children of one kind has the most of the
// others too.
func (p *pricer) collection(s *scene, d *demand, t *readStep, kinds []*spec.Entity, c capacity.Consistency) capacity.ReadUnits {
	var laws []dist.Law
	var sums []*dist.Sums
	var weight dist.Law
	bytes, items := 0.0, 0.0
	for i, e := range kinds {
		m := t.found
		if i > 0 {
			m = belonging(e, kinds[0])
		}
		law, w := p.law(d, m)
		if law.Members() > weight.Members() || weight.Members() <= 1 {
			weight = w
		}
		v := s.figure(e).whole
		laws, sums = append(laws, law), append(sums, p.sums(v))
		bytes += float64(law.Mean() * v.mean())
		items += law.Mean()
	}
	units := 0.0
	totals := make([]dist.Dist, len(sums)+1) // of the first kinds together: outcomes rise, so most begin like the one before
	totals[0] = dist.Point(0)
	var last []float64
	for _, o := range p.joint(weight, laws) {
		same := 0
		for same < len(last) && last[same] == o.X[same] {
			same++
		}
		for i := same; i < len(sums); i++ {
			totals[i+1] = dist.Plus(totals[i], sums[i].Of(int(o.X[i])))
		}
		last = o.X
		units += float64(o.P * float64(capacity.ExpectQuery(totals[len(sums)], bytes/math.Max(items, 1e-9), c)))
	}
	return capacity.ReadUnits(units)
}

// joint is how many of each kind lie in one collection.
func (p *pricer) joint(weight dist.Law, laws []dist.Law) []dist.Outcome {
	key := volume{laws: laws, pick: weight}.key()
	out, ok := p.joints[key]
	if !ok {
		out = dist.Joint(weight, laws...)
		p.joints[key] = out
	}
	return out
}

// belonging is how many of an entity lie under one root of their collection.
func belonging(e, root *spec.Entity) matches {
	m := matches{average: 1, most: 1, members: root.Count}
	for _, w := range wayTo(e, root, 4) {
		average, most := w.PerParent.Average, w.PerParent.Max
		if !w.PerParent.Stated {
			average = w.From.Count / math.Max(w.To.Count, 1)
			most = average
		}
		m.average, m.most = float64(m.average*average), float64(m.most*most)
		if !w.PerParent.Skew.Uniform() {
			m.skew = w.PerParent.Skew
		}
	}
	return m
}

// wayTo are the ways there that lead from an entity to another, the shortest; nil if there are none within so many.
func wayTo(e, to *spec.Entity, within int) []*spec.Relationship {
	if within == 0 {
		return nil
	}
	for _, w := range e.There {
		if w.To == to {
			return []*spec.Relationship{w}
		}
	}
	for _, w := range e.There {
		if rest := wayTo(w.To, to, within-1); rest != nil {
			return append([]*spec.Relationship{w}, rest...)
		}
	}
	return nil
}

// sums are the sums of independent sizes of one volume.
func (p *pricer) sums(v volume) *dist.Sums {
	key := v.key()
	s := p.sizes[key]
	if s == nil {
		s = dist.CoarseSums(v.dist(), samples)
		p.sizes[key] = s
	}
	return s
}

// marker is the volume of a unique marker: its key, and whose it is.
func (p *pricer) marker(e *spec.Entity, u []*spec.Attribute) volume {
	k := &kind{entity: e}
	v := p.keyColumn(k, refParts(refsOf(e, u))).size
	for _, r := range identityRefs(e) {
		v = v.plus(p.refColumn(k, r).size)
	}
	v.pick = dist.Uniform(membersOf(e.Count), 1)
	return v
}

// sequence is the volume of the item that counts a number on: what it is counted for, and the number.
func (p *pricer) sequence(a *spec.Attribute) volume {
	k := &kind{entity: a.Entity}
	v := p.refColumn(k, ref{from: a.Entity, attr: a.Sequence}).size
	v = v.plus(p.refColumn(k, ref{from: a.Entity, attr: a}).size)
	v.pick = dist.Uniform(membersOf(a.Entity.Count), 1)
	return v
}

// aside is the volume of an item that holds what is counted of an entity: its key, and the number.
func (p *pricer) aside(a *spec.Attribute) volume {
	k := &kind{entity: a.Entity}
	v := p.keyColumn(k, refParts(identityRefs(a.Entity))).size.plus(p.refColumn(k, ref{from: a.Entity, attr: a}).size)
	v.pick = dist.Uniform(membersOf(a.Entity.Count), 1)
	return v
}

// stored is what a month of keeping so many items of a volume costs.
func (p *pricer) stored(count float64, v volume) capacity.Money {
	return p.tariff.Storage(capacity.Stored(count, v.mean()))
}
