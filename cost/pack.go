package cost

import (
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// Several entities of one identity but for the time lie in one item, as many as come in a period. They come evenly: what is stated is how
// many there are under one identity, and how long they are kept, or how many come. A write meets an item that is on its way to be full,
// so that it is a size between that of one entity and that of all; a read meets items that are.

// filled is how many entities lie in an item of a kind; 1 where each has its own.
func (f *figures) filled(k *plan.Kind) float64 {
	if k.Pack == nil {
		return 1
	}
	if n, ok := f.fill[k]; ok {
		return n
	}
	n := f.comes(k.Entity, k.Pack.By, k.Pack.Period())
	if n = n / (1 - math.Exp(-n)); !(n > 1) { // an item that is there has one at least
		n = 1
	}
	f.fill[k] = n
	return n
}

// Together is how many of an entity come in a period under one identity but for the time.
func Together(r *spec.Requirements, e *spec.Entity, by *spec.Attribute, period time.Duration) float64 {
	return newFigures(r, Figures{}).comes(e, by, period)
}

// comes is how many entities of one identity but for the time come in a period.
func (f *figures) comes(e *spec.Entity, by *spec.Attribute, period time.Duration) float64 {
	var rest []spec.Path
	for _, a := range e.Identity {
		if a != by {
			rest = append(rest, spec.Path{a.Name})
		}
	}
	under := f.Count(e)
	if len(rest) > 0 {
		o := f.OwnerOf(e, rest)
		alike, atLeast := f.Alike(e, rest)
		switch {
		case o.Entity != nil && len(o.Ways) > 0:
			each, per := f.Under(o)
			if under = each.Average; per != nil {
				under *= per.Mean()
			}
		case alike.Average > 0 && !atLeast:
			under = math.Min(under, alike.Average)
		case f.Varies(e, rest):
			under /= math.Max(float64(o.Members), 1)
		default: // nobody says
			under = math.Min(under, alike.Average)
		}
	}
	span := e.Retention.Seconds()
	if span == 0 && e.Growth > 0 {
		span = e.Count / e.Growth
	}
	if span <= 0 {
		return under
	}
	return under * math.Min(period.Seconds()/span, 1)
}

// items is how many items of a kind there are, or entries in an index.
func (f *figures) items(k *plan.Kind, x *plan.Access) float64 {
	return f.stored(k) * f.entries(k, x) / f.apiece(k, x)
}

// apiece is how many of the entities that are in an index lie in one of its entries, or in an item of the table.
func (f *figures) apiece(k *plan.Kind, x *plan.Access) float64 {
	n := f.filled(k)
	share := f.entries(k, x)
	if n <= 1 || share <= 0 {
		return 1
	}
	return math.Max(n*share/(1-math.Pow(1-share, n)), 1)
}

// inItems is how many items a query meets by how many entities it does. A range begins and ends in the middle of an item.
func (f *figures) inItems(s *plan.Stage, k *plan.Kind, m matched) matched {
	if k.Pack == nil {
		return m
	}
	per := f.apiece(k, s.Access)
	edges := 0.0
	if slices.ContainsFunc(s.Where, func(b *plan.Bound) bool { return b.Form != "is" }) {
		edges = 1 - 1/per
	}
	m.each = m.each.Times(1 / per)
	m.each.Average += edges
	m.each.Most = math.Max(m.each.Most+edges, m.each.Average)
	if m.counts != nil {
		counts := m.counts.Map(func(x float64) float64 { return math.Ceil(x / per) })
		m.counts = &counts
	}
	return m
}

// entryOf is the size of one entity in an item that holds several: the name of its attribute, and a map.
func (f *figures) entryOf(k *plan.Kind) *size {
	var parts ingredients
	parts.fixed = k.Pack.NameBytes().Average + 3
	for _, s := range k.Pack.Stored {
		there := known(nil).Presence(s.Attribute)
		parts.fixed += there
		parts.add(s.Name, there, f.valueSize(s.Attribute))
	}
	return f.mix(f.Law(workload.Even(f.Members(k.Entity))), parts)
}

// fewer are the numbers of entities that writes find in an item, and their own: from one to all.
func (f *figures) fewer(k *plan.Kind) (numbers, weights []float64) {
	n := f.filled(k)
	steps := math.Min(math.Ceil(n), 4*samples)
	for i := range int(steps) {
		numbers = append(numbers, math.Max((float64(i)+1)*n/steps, 1))
		weights = append(weights, 1)
	}
	return numbers, weights
}

// holding is the size of an item, or of its entry in an index, that holds a number of entities.
func (f *figures) holding(k *plan.Kind, in *plan.Access, n float64) float64 {
	if in == nil {
		in = k.Table.Base
	}
	return f.templates(k, in, nil) + f.natives(k) + float64(n*f.entryOf(k).mean())
}

// natives is what an item has of attributes that its key stores under their own names.
func (f *figures) natives(k *plan.Kind) (bytes float64) {
	for _, s := range k.Stored {
		bytes += float64(len(s.Name)) + f.valueSize(s.Attribute).Average
	}
	return bytes
}

// packing is what it takes to write an entity into the item in which it lies.
func (f *figures) packing(k *plan.Kind) (units capacity.WriteUnits) {
	numbers, weights := f.fewer(k)
	total := 0.0
	for i, n := range numbers {
		units += capacity.WriteUnits(weights[i]) * capacity.ExpectWrite(capacity.Fixed(f.holding(k, nil, n)))
		total += weights[i]
	}
	return units / capacity.WriteUnits(total)
}

// packed is what an index takes when an entity is written into the item in which it lies: nothing as long as none in the item is to be
// found there.
func (f *figures) packed(k *plan.Kind, x *plan.Access, keys []*plan.Recipe) (units float64) {
	share := f.indexed(k, keys, nil)
	numbers, weights := f.fewer(k)
	total := 0.0
	for i, n := range numbers {
		in := 1 - math.Pow(1-share, n)
		units += float64(weights[i] * in * float64(capacity.ExpectWrite(capacity.Fixed(f.holding(k, x, n)))))
		total += weights[i]
	}
	return units / total
}

// looked is how many items a query looks at until it has enough entities.
func (f *figures) looked(s *plan.Stage, tries dist.Dist) dist.Dist {
	k := s.Kinds[0]
	if k.Pack == nil {
		return tries
	}
	per := f.apiece(k, s.Access)
	return tries.Map(func(x float64) float64 { return math.Ceil(x / per) })
}
