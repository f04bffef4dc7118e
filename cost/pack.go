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

// Several entities of one identity but for the time lie in one item, as many as come in a period. They come evenly:
// what is stated is how many there are under one identity, and how long they are kept, or how many come. A write meets
// an item that is on its way to be full, of a size between that of one entity and that of all; a read meets items that
// are.

// filled is how many entities lie in an item of a kind on average; 1 where each has its own.
func (f *figures) filled(k *plan.Kind) float64 {
	if k.Pack == nil {
		return 1
	}
	n, ok := f.fill[k]
	if !ok {
		n = f.comes(k.Entity, k.Pack.By, k.Pack.Within, k.Pack.Period()).filled(k.Pack.Period())
		f.fill[k] = n
	}
	return n
}

// arrival says how many entities there are under each identity but for the time, and in which time these come.
type arrival struct {
	under dist.Law
	span  time.Duration // 0: nobody says
	bunch float64       // of those of one item that come at once
}

// in is how many of so many come in a period.
func (a arrival) in(under float64, period time.Duration) float64 {
	if a.span <= 0 {
		return under
	}
	return under * math.Min(period.Seconds()/a.span.Seconds(), 1)
}

// together is how many lie in an item where so many come in its period: an item that is there has those at least that
// come at once.
func (a arrival) together(n float64) float64 {
	if n /= a.bunch; n > 0 {
		n /= 1 - math.Exp(-n)
	}
	return math.Max(n, 1) * a.bunch
}

// filled is how many lie in an item on average.
func (a arrival) filled(period time.Duration) float64 {
	items := a.under.Real(func(x float64) float64 { return x / a.together(a.in(x, period)) })
	if items <= 0 {
		return 1
	}
	return math.Max(a.under.Mean()/items, 1)
}

// met is the mean of what depends on how many lie in an item when it is full, over all entities: where many come, many
// are written.
func (a arrival) met(period time.Duration, of func(n float64) float64) float64 {
	if a.under.Mean() <= 0 {
		return of(1)
	}
	return a.under.Real(func(x float64) float64 { return x * of(a.together(a.in(x, period))) }) / a.under.Mean()
}

// Together is how many of an entity lie in an item on average if those of a period that have one identity but for the
// time and some other parts do, and how many do where one of them is written: where many come, many are written.
func Together(r *spec.Requirements, e *spec.Entity, by *spec.Attribute, within []*spec.Attribute, period time.Duration) (filled, met float64) {
	a := newFigures(r, Figures{}).comes(e, by, within, period)
	return a.filled(period), a.met(period, func(n float64) float64 { return n })
}

// bunch is how many of those of one item a pattern writes in one update, by a list of so many: where the requirements
// say that all of a list are the same but for what may differ within an item, and how close together their times lie.
// They are spread evenly, and begin anywhere within a period.
func bunch(list *spec.Parameter, e *spec.Entity, by *spec.Attribute, within []*spec.Attribute, period time.Duration, elements float64) float64 {
	if list == nil || elements <= 1 || slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool {
		return a != by && !slices.Contains(within, a) && !slices.Contains(list.Same, a.Name)
	}) {
		return 1
	}
	span, ok := list.Spans(by, elements)
	if !ok {
		return 1
	}
	return math.Max(elements/(1+span.Seconds()/period.Seconds()), 1)
}

// bunch is how many of an entity that lie in one item come at once, on average over the patterns that write them.
func (f *figures) bunch(e *spec.Entity, by *spec.Attribute, within []*spec.Attribute, period time.Duration) float64 {
	all, updates := 0.0, 0.0
	for _, p := range f.requirements.Patterns {
		for _, a := range p.Actions {
			if a.Entity != e || a.Verb != spec.Create && a.Verb != spec.Upsert {
				continue
			}
			n := 1.0
			var list *spec.Parameter
			if len(a.Each) > 0 {
				n, list = f.Elements(p, a.Each), p.Parameter(a.Each[0])
			}
			n *= float64(p.Rate.Average)
			all += n
			if len(a.Each) > 0 {
				updates += n / bunch(list, e, by, within, period, f.Elements(p, a.Each))
			} else {
				updates += n
			}
		}
	}
	if updates <= 0 {
		return 1
	}
	return all / updates
}

// bunched is how many entities a step writes in one update.
func (f *figures) bunched(p *spec.Pattern, s *plan.Stage) float64 {
	if s.Kind == nil || s.Kind.Pack == nil || s.Verb != plan.Put && s.Verb != plan.Delete || len(s.Each) == 0 {
		return 1
	}
	k := s.Kind
	return bunch(p.Parameter(s.Each[0]), k.Entity, k.Pack.By, k.Pack.Within, k.Pack.Period(), f.Elements(p, s.Each))
}

// comes says how the entities come that have one identity but for the time and some other parts, and how many of those
// of a period come at once.
func (f *figures) comes(e *spec.Entity, by *spec.Attribute, within []*spec.Attribute, period time.Duration) (a arrival) {
	a.bunch = f.bunch(e, by, within, period)
	var rest []spec.Path
	for _, x := range e.Identity {
		if x != by && !slices.Contains(within, x) {
			rest = append(rest, spec.Path{x.Name})
		}
	}
	if a.span = e.Retention; a.span == 0 && e.Growth > 0 {
		a.span = time.Duration(e.Count / e.Growth * float64(time.Second))
	}
	o := f.OwnerOf(e, rest)
	alike, atLeast := f.Alike(e, rest)
	switch {
	case o.Entity != nil && len(o.Ways) > 0:
		each, per := f.Under(o)
		if per != nil {
			each = each.Times(per.Mean())
		}
		for _, path := range o.Rest { // what says more than whose they are divides them further
			x := e.Attribute(path[0])
			switch {
			case len(path) > 1 || x == nil || len(x.Shares) == 0 && x.Distinct == 0:
				each = workload.Even(1)
			case len(x.Shares) > 0:
				each = each.Times(1 / float64(len(x.Shares)))
			default:
				each = each.Times(1 / x.Distinct)
			}
		}
		a.under = f.Law(each)
	case alike.Average > 0 && !(atLeast && f.Varies(e, rest)):
		members := int64(math.Max(f.Count(e)/alike.Average, 1))
		a.under = f.Law(spread{Members: members, Average: alike.Average, Most: math.Max(alike.Max, alike.Average)})
	case f.Varies(e, rest):
		a.under = f.Law(workload.Even(o.Members).Times(f.Count(e) / math.Max(float64(o.Members), 1)))
	default:
		a.under = f.Law(workload.Even(1)) // nobody says
	}
	return a
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

// inItems is how many items a query meets by how many entities it does. A range begins and ends in the middle of an
// item.
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

// oneBucket reports whether a query is about entities of one time that lie in one item, with others.
func oneBucket(s *plan.Stage, k *plan.Kind) bool {
	if k.Pack == nil || len(k.Pack.Within) == 0 {
		return false
	}
	for _, a := range k.Entity.Identity {
		if !slices.Contains(k.Pack.Within, a) && !slices.ContainsFunc(s.Where, func(b *plan.Bound) bool { return b.Form == "is" && len(b.Path) == 1 && b.Path[0] == a.Name }) {
			return false
		}
	}
	return true
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

// holding is the size of an item, or of its entry in an index, without the entities that it holds.
func (f *figures) holding(k *plan.Kind, in *plan.Access) (bytes float64) {
	if in == nil {
		in = k.Table.Base
	}
	bytes = f.templates(k, in, nil)
	for _, s := range k.Stored { // what its key stores under own names
		bytes += float64(len(s.Name)) + f.valueSize(s.Attribute).Average
	}
	return bytes
}

// growing is the mean of what it takes to write each of the entities that come to an item, so many at once, weighed by
// their place.
func growing(most, bunch, fixed, one float64, weight func(n float64) float64) (units float64) {
	steps := math.Max(math.Min(math.Ceil(most/bunch), 4*samples), 1)
	for i := range int(steps) {
		n := math.Max((float64(i)+1)*most/steps, bunch)
		units += float64(weight(n) * float64(capacity.ExpectWrite(capacity.Fixed(fixed+float64(n*one)))))
	}
	return units / steps
}

// packing is what it takes to write entities into the item in which they lie.
func (f *figures) packing(p *spec.Pattern, s *plan.Stage) capacity.WriteUnits {
	k := s.Kind
	fixed, one, bunch := f.holding(k, nil), f.entryOf(k).mean(), f.bunched(p, s)
	return capacity.WriteUnits(f.comes(k.Entity, k.Pack.By, k.Pack.Within, k.Pack.Period()).met(k.Pack.Period(), func(n float64) float64 {
		return growing(n, bunch, fixed, one, func(float64) float64 { return 1 })
	}))
}

// packed is what an index takes when entities are written into the item in which they lie: nothing as long as none in
// the item is to be found there.
func (f *figures) packed(p *spec.Pattern, s *plan.Stage, x *plan.Access, keys []*plan.Recipe) float64 {
	k := s.Kind
	share := f.indexed(k, keys, nil)
	fixed, one, bunch := f.holding(k, x), f.entryOf(k).mean(), f.bunched(p, s)
	return f.comes(k.Entity, k.Pack.By, k.Pack.Within, k.Pack.Period()).met(k.Pack.Period(), func(n float64) float64 {
		return growing(n, bunch, fixed, one, func(n float64) float64 { return 1 - math.Pow(1-share, n) })
	})
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
