package design

import (
	"math"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// A pricer turns reads, writes and storage into units and money. It remembers what it has computed: configurations
// differ from each other in little.
type pricer struct {
	laws
	facts   *facts
	tariff  capacity.Tariff
	figures map[string]*figure
	reads   map[string]capacity.ReadUnits
	writes  map[string]capacity.WriteUnits
	sizes   map[string]*dist.Sums
}

func newPricer(f *facts, t capacity.Tariff) *pricer {
	return &pricer{
		facts: f, tariff: t, figures: map[string]*figure{}, reads: map[string]capacity.ReadUnits{},
		writes: map[string]capacity.WriteUnits{}, sizes: map[string]*dist.Sums{},
	}
}

// figure is the form of a kind with some indexes on it.
func (p *pricer) figure(k *kind, indexes []*indexShape) *figure {
	id := k.id
	for _, x := range indexes {
		id += "|" + x.id
	}
	g := p.figures[id]
	if g == nil {
		g = p.figureOf(p.facts, k, indexes)
		p.figures[id] = g
	}
	return g
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

// read is what one call of a plan consumes by a step.
func (p *pricer) read(s *scene, d *demand, t *readStep) capacity.ReadUnits {
	key := p.readKey(s, d, t)
	u, ok := p.reads[key]
	if !ok {
		u = p.units(s, d, t)
		p.reads[key] = u
	}
	return u
}

func (p *pricer) readKey(s *scene, d *demand, t *readStep) string {
	var b strings.Builder
	b.WriteByte("gqs"[t.verb])
	if t.strong {
		b.WriteByte('!')
	}
	if d.snapshot {
		b.WriteByte('*')
	}
	if t.marker != nil {
		b.WriteByte('m')
	}
	for _, e := range s.kindsRead(t) {
		b.WriteString(s.figure(e).id)
		b.WriteByte(';')
	}
	if t.index != nil {
		b.WriteString(t.index.id + "/" + s.project(t.index).name)
	}
	num(&b, t.found.average, t.found.most, t.found.members, t.per.average, float64(t.limit), d.skew.Zipf, d.skew.Hottest)
	if t.found.paged {
		b.WriteByte('p')
	}
	if t.prev < 0 {
		b.WriteByte('1')
	}
	return b.String()
}

func num(b *strings.Builder, xs ...float64) {
	for _, x := range xs {
		v := math.Float64bits(x)
		for range 8 {
			b.WriteByte(byte(v))
			v >>= 8
		}
	}
}

// kindsRead are the entities whose items a step evaluates: those it asks for, and what else lies in the range.
func (s *scene) kindsRead(t *readStep) []*spec.Entity {
	if t.index != nil || len(t.kinds) == 1 && t.verb != verbScan {
		return t.kinds
	}
	if t.verb == verbScan {
		var out []*spec.Entity
		for _, k := range s.layout.neighbours(s.layout.kinds[t.kinds[0]]) {
			out = append(out, k.entity)
		}
		return out
	}
	var ks []*kind
	for _, e := range t.kinds {
		ks = append(ks, s.layout.kinds[e])
	}
	var out []*spec.Entity
	for _, k := range s.layout.between(ks) {
		out = append(out, k.entity)
	}
	return out
}

func (p *pricer) units(s *scene, d *demand, t *readStep) capacity.ReadUnits {
	c := capacity.Eventual
	switch {
	case d.snapshot:
		c = capacity.Transactional
	case t.strong:
		c = capacity.Strong
	}
	e := t.kinds[0]
	var pick dist.Law
	if t.prev < 0 {
		pick = p.skewed(d.skew, e.Count)
	}
	calls := capacity.ReadUnits(t.per.average)
	g := s.figure(e)
	switch {
	case t.marker != nil:
		return capacity.ExpectGet(p.marker(e, t.marker), c)
	case t.verb == verbGet:
		return calls * capacity.ExpectGet(g.whole.picked(pick), c)
	case t.verb == verbScan:
		var bytes float64
		for _, o := range s.kindsRead(t) {
			bytes += float64(o.Count * s.figure(o).whole.mean())
		}
		if t.limit > 0 {
			bytes = float64(float64(t.limit) * g.whole.mean())
		}
		return capacity.ExpectQuery(dist.Point(bytes), g.whole.mean(), c)
	}
	one := g.whole
	if t.index != nil {
		one = p.entry(g, t.index, s.project(t.index))
	}
	units := p.query(s, d, t, one, pick, c)
	if t.index != nil && t.index.shards > 1 {
		units = p.scattered(t, one, c)
	}
	return calls * units
}

// query is what reading a range consumes.
func (p *pricer) query(s *scene, d *demand, t *readStep, one volume, pick dist.Law, c capacity.Consistency) capacity.ReadUnits {
	kinds := s.kindsRead(t)
	m := t.found
	switch {
	case len(kinds) > 1:
		sum := one
		for _, e := range kinds {
			if e != t.kinds[0] {
				sum.terms = append(sum.terms[:len(sum.terms):len(sum.terms)], p.belonging(s, e, t.kinds[0]))
			}
		}
		return capacity.ExpectQuery(sum.picked(pick), one.mean(), c)
	case m.most <= 1 && m.average >= 1:
		return capacity.ExpectQuery(one.picked(pick), one.mean(), c)
	}
	count := p.count(d, t)
	average := one.mean()
	if len(one.terms) == 0 && one.fixed == math.Trunc(one.fixed) {
		return capacity.ExpectQuery(count.Map(func(k float64) float64 { return float64(k * one.fixed) }), average, c)
	}
	return capacity.ExpectQuery(p.sums(one).Compound(count), average, c)
}

// count is the distribution of the number of items that a request evaluates.
func (p *pricer) count(d *demand, t *readStep) dist.Dist {
	m := t.found
	law := p.power(max(m.members, 1), m.average, m.most)
	var count dist.Dist
	if w := p.skewed(d.skew, m.members); t.prev < 0 && !d.skew.Uniform() && law.Max() > law.Mean() {
		count = law.Weighted(w)
	} else {
		count = law.Dist()
	}
	if t.limit > 0 {
		if m.paged {
			return count.Pages(t.limit)
		}
		limit := float64(t.limit)
		return count.Map(func(k float64) float64 { return min(k, limit) })
	}
	return count
}

// belonging is the number of children that lie in the collection of one root, each of the average size.
func (p *pricer) belonging(s *scene, e, root *spec.Entity) term {
	average, most := 1.0, 1.0
	at := e
	for _, w := range wayTo(e, root, 4) {
		average, most = average*w.PerParent.Average, most*w.PerParent.Max
		at = w.To
	}
	_ = at
	return term{p.power(max(root.Count, 1), average, most), s.figure(e).whole.mean()}
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
	var b strings.Builder
	num(&b, v.fixed)
	for _, t := range v.terms {
		num(&b, t.each, t.law.Mean(), t.law.Max(), float64(t.law.Members()))
	}
	s := p.sizes[b.String()]
	if s == nil {
		s = dist.NewSums(v.dist())
		p.sizes[b.String()] = s
	}
	return s
}

// dist is the distribution of whole bytes, thinned to what sums of it can show.
func (v volume) dist() dist.Dist {
	d := dist.Uniform(1, v.fixed).Dist()
	for _, t := range v.terms {
		each := t.each
		d = dist.Plus(d, t.law.Dist().Map(func(x float64) float64 { return float64(each * x) }))
	}
	return d
}

// scattered is what a query of all shards consumes: each holds its part and costs at least the minimum.
func (p *pricer) scattered(t *readStep, one volume, c capacity.Consistency) capacity.ReadUnits {
	n := float64(t.index.shards)
	k := t.found.average
	if t.limit > 0 {
		k = min(k, float64(t.limit))
	}
	part := dist.Uniform(1, k/n).Dist().Map(func(x float64) float64 { return float64(x * one.mean()) })
	return capacity.ReadUnits(n) * capacity.ExpectQuery(part, one.mean(), c)
}

// marker is the volume of a unique marker: its key, and whose it is.
func (p *pricer) marker(e *spec.Entity, u []*spec.Attribute) volume {
	var rs []ref
	for _, a := range u {
		rs = append(rs, ref{from: e, attr: a})
	}
	v := p.keyColumn(e, refParts(rs), "").size
	for _, a := range e.Identity {
		v = v.plus(p.refColumn(e, ref{from: e, attr: a}).size)
	}
	return v
}

// stored is what a month of keeping so many items of a volume costs.
func (p *pricer) stored(count float64, v volume) capacity.Money {
	return p.tariff.Storage(capacity.Bytes(math.Round(float64(count * (v.mean() + float64(capacity.StoredItemOverhead))))))
}
