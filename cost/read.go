package cost

import (
	"math"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// units are per call, by Table and Table.Index.
type units map[string]float64

func (u units) add(where string, n float64) {
	if n != 0 {
		u[where] += n
	}
}

func (u units) plus(v units) {
	for where, n := range v {
		u[where] += n
	}
}

// reads is what a reading stage consumes per call of its pattern; of what writes, nothing.
func (f *figures) reads(p *spec.Pattern, s *plan.Stage) units {
	out, ok := f.read[s]
	if ok {
		return out
	}
	c := capacity.Eventual
	if s.Consistent {
		c = capacity.Strong
	}
	out = units{}
	switch s.Verb {
	case plan.Get, plan.BatchGet:
		out.add(s.Kind.Table.Name, f.get(p, s, c))
	case plan.TransactGet:
		for _, a := range s.Actions {
			out.add(a.Kind.Table.Name, f.get(p, a, capacity.Transactional))
		}
	case plan.Query:
		out.add(s.Access.Name(), f.query(p, s, c))
	case plan.Scan:
		out.add(s.Access.Name(), f.scan(s, c))
	}
	f.read[s] = out
	return out
}

// get is the expectation of a read by key, alone or in a batch: each item, and each shard of one, is rounded up on its
// own.
func (f *figures) get(p *spec.Pattern, s *plan.Stage, c capacity.Consistency) float64 {
	if units, ok := f.run(s, []*size{f.size(s.Kind, nil, f.picked(p, s.Kind))}, c); ok {
		return units
	}
	return f.times(p, s) * math.Max(float64(s.Scatter), 1) * float64(f.size(s.Kind, nil, f.picked(p, s.Kind)).got(c))
}

// asked is all that decides what a query of one kind consumes.
type asked struct {
	each, weight              spread
	per                       *dist.Dist
	size                      *size
	evaluate, wanted, scatter int
	paged                     bool
	consistency               capacity.Consistency
	kept                      float64
}

// query is the expectation of a query of the kinds in its range, over all shards if it is scattered.
func (f *figures) query(p *spec.Pattern, s *plan.Stage, c capacity.Consistency) float64 {
	if f.seen.Met != nil {
		sizes := make([]*size, len(s.Kinds))
		for i, k := range s.Kinds {
			sizes[i] = f.size(k, s.Access, workload.Even(f.Members(k.Entity)))
		}
		if units, ok := f.run(s, sizes, c); ok {
			return units
		}
	}
	n := math.Max(float64(s.Scatter), 1)
	if s.Procedure.Cursor == s || s.Evaluate > 0 || len(s.Kinds) == 1 {
		k := s.Kinds[0]
		m := f.matches(p, s, k)
		all := m
		m = f.inItems(s, k, m)
		size := f.size(k, s.Access, workload.Even(f.Members(k.Entity)))
		q := asked{m.each, m.weight, m.per, size, s.Evaluate, s.Wanted(), s.Scatter, s.Procedure.Cursor == s, c, f.kept(p, s, all)}
		plain := m.counts == nil && k.Pack == nil
		if units, ok := f.queries[q]; ok && plain {
			return f.times(p, s) * units
		}
		count, requests := f.evaluated(p, s, f.inShard(s.Scatter, f.countOf(m)), q.kept, size.mean())
		if page := s.Procedure.Page; n > 1 && page > 0 && s.Procedure.Cursor == s { // shards that are at their end are not asked again
			requests *= f.countOf(all).Asked(s.Scatter, page, len(p.Order) > 0)
		}
		units := n * requests * float64(capacity.ExpectQuery(size.sums().Compound(count), size.mean(), c))
		if plain {
			f.queries[q] = units
		}
		return f.times(p, s) * units
	}
	return f.times(p, s) * n * f.collection(p, s, c)
}

// inShard is how many of so many items lie in one of the shards of their key: each lies in one of them by chance, so
// that shards differ, and with few items their units are rounded up differently.
func (f *figures) inShard(shards int, items dist.Dist) dist.Dist {
	if shards <= 1 {
		return items
	}
	counts, weights := make([]dist.Dist, items.Len()), make([]float64, items.Len())
	for i := range counts {
		var n float64
		n, weights[i] = items.At(i)
		counts[i] = dist.Binomial(int(math.Round(n)), 1/float64(shards))
	}
	return dist.Mix(weights, counts)
}

// gathered is all that decides what a query of several kinds consumes.
type gathered struct {
	kinds       [6]gatheredKind
	consistency capacity.Consistency
}

type gatheredKind struct {
	each, weight spread
	way          *spec.Relationship
	per          *dist.Dist
	size         *size
}

// collection is the expectation of one query over items of several kinds. Models that differ elsewhere ask for the
// same, and sums of many sizes take long: they are remembered.
func (f *figures) collection(p *spec.Pattern, s *plan.Stage, c capacity.Consistency) float64 {
	g := gathered{consistency: c}
	if len(s.Kinds) > len(g.kinds) {
		return f.gather(p, s, c)
	}
	for i, k := range s.Kinds {
		m := f.matches(p, s, k)
		g.kinds[i] = gatheredKind{m.each, m.weight, m.way, m.per, f.size(k, s.Access, workload.Even(f.Members(k.Entity)))}
	}
	units, ok := f.gathers[g]
	if !ok {
		units = f.gather(p, s, c)
		f.gathers[g] = units
	}
	return units
}

// gather computes a collection. The parent with the most children of one kind has the most of the others too; of
// grandchildren each child has its own.
func (f *figures) gather(p *spec.Pattern, s *plan.Stage, c capacity.Consistency) float64 {
	var groups []group
	weight := workload.Even(1)
	average, items := 0.0, 0.0
	for _, k := range s.Kinds {
		m := f.matches(p, s, k)
		if m.each.Members > weight.Members || weight.Members <= 1 {
			weight = m.weight
		}
		size := f.size(k, s.Access, workload.Even(f.Members(k.Entity)))
		groups = join(groups, m, size)
		average += m.average() * size.mean()
		items += m.average()
	}
	sums := make([]*dist.Sums, len(groups))
	for i, g := range groups {
		sums[i] = g.sums
	}
	units := 0.0
	totals := make([]dist.Dist, len(sums)+1) // of the first kinds together: outcomes rise, so that most begin like the one before
	var last []float64
	for _, o := range f.joint(weight, groups) {
		same := 0
		for same < len(last) && last[same] == o.X[same] {
			same++
		}
		for i := same; i < len(sums); i++ {
			totals[i+1] = dist.Plus(totals[i], ofMean(sums[i], o.X[i]))
			if len(sums) > few {
				totals[i+1] = totals[i+1].Coarse(4 * samples)
			}
		}
		last = o.X
		units += float64(o.P * float64(capacity.ExpectQuery(totals[len(sums)], average/math.Max(items, 1e-9), c)))
	}
	return units
}

// few is how many kinds of children are rounded to whole numbers all together. The combinations double with each kind,
// so that of more each is rounded on its own.
const few = 3

// ofMean is the distribution of the sum of n values on average, where n is rounded at random.
func ofMean(s *dist.Sums, n float64) dist.Dist {
	low := math.Floor(n)
	up := n - low
	if up == 0 {
		return s.Of(int(low))
	}
	return dist.Mix([]float64{1 - up, up}, []dist.Dist{s.Of(int(low)), s.Of(int(low) + 1)})
}

// members are what decides how many of each group the owners have.
type members struct {
	weight spread
	each   [6]spread
}

// joint is how many of each group an owner has that a call is about. That many candidates ask for the same few is why
// it is remembered.
func (f *figures) joint(weight spread, groups []group) []dist.Outcome {
	for _, g := range groups { // owners that are counted in two ways are taken for the larger number
		weight.Members = max(weight.Members, g.each.Members)
	}
	k := members{weight: weight}
	laws := make([]dist.Law, len(groups))
	for i, g := range groups {
		g.each.Members = weight.Members
		laws[i] = f.Law(g.each)
		if i < len(k.each) {
			k.each[i] = g.each
		}
	}
	of := dist.Joint
	if len(groups) > few {
		of = dist.Means
	}
	if len(groups) > len(k.each) {
		return of(f.Law(weight), laws...)
	}
	out, ok := f.owners[k]
	if !ok {
		out = of(f.Law(weight), laws...)
		f.owners[k] = out
	}
	return out
}

// group is children by one way, with everything of a collection that lies under them.
type group struct {
	way  *spec.Relationship // nil: the owner itself
	each spread             // how many an owner has
	sums *dist.Sums         // of the sizes of one with what lies under it
}

// join adds a kind's items to the children under which they lie, so that these are counted once.
func join(groups []group, m matched, size *size) []group {
	sums := size.sums()
	if m.per != nil {
		sums = dist.CoarseSums(sums.Compound(*m.per), samples)
	}
	for i, g := range groups {
		if m.way != nil && g.way == m.way && g.each == m.each {
			groups[i].sums = dist.CoarseSums(dist.Plus(g.sums.Of(1), sums.Of(1)), samples)
			return groups
		}
	}
	return append(groups, group{m.way, m.each, sums})
}

// scan reads everything of a table or index: page by page if the pattern is paged, else all.
func (f *figures) scan(s *plan.Stage, c capacity.Consistency) float64 {
	sizes := make([]*size, len(s.Kinds))
	for i, k := range s.Kinds {
		sizes[i] = f.size(k, s.Access, workload.Even(f.Members(k.Entity)))
	}
	if units, ok := f.run(s, sizes, c); ok {
		return units
	}
	total, items := 0.0, 0.0
	for i, k := range s.Kinds {
		n := f.stored(k) * f.entries(k, s.Access)
		total += n * sizes[i].mean()
		items += n
	}
	if page := s.Procedure.Page; page > 0 && s.Procedure.Cursor == s && items > float64(page) {
		total *= float64(page) / items
	}
	return float64(capacity.ExpectQuery(capacity.Fixed(total), total/math.Max(items, 1), c))
}
