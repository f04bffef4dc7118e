package design

import (
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// Measurements, log entries and counts of an hour are small, keep coming, and are read by ranges of time. As
// items of their own such entities cost 100 bytes of overhead each. As many as come in a period lie in one item
// instead, each an attribute: an update writes it, whether the item is there or not, and a query of a range reads the
// items of its periods. The client drops what lies outside of the range.

// packing says which entities lie together in an item.
type packing struct {
	by     *spec.Attribute   // the time, a part of the identity
	within []*spec.Attribute // what else of the identity tells those in one item
	codec  string            // of the period in the key
	period time.Duration
	each   float64 // how many lie in an item
}

// Bounds of what an item is to hold. With more than a few entities the overhead is small beside what they hold; an item
// of more than a unit is written in more than one, for each of them.
const (
	fewestPacked = 3
	mostPacked   = 16 << 10 // bytes
	packings     = 3        // periods for each of which an option is made
	mostAtOnce   = 90       // of a list that is all or nothing: an update writes 100 attributes
)

// periods are the codecs that tell periods, the shortest first.
var periods = []keys.Codec{
	keys.Minutes(5), keys.Minutes(10), keys.Minutes(15), keys.Minutes(20), keys.Minutes(30), keys.HourCodec, keys.Hours(2), keys.Hours(3), keys.Hours(4),
	keys.Hours(6), keys.Hours(8), keys.Hours(12), keys.DayCodec, keys.MonthCodec,
}

// packs are the options by which several of an entity lie in one item: for the longest period in which an item takes a
// unit of writing, and for longer ones.
func packs(f *facts, e *spec.Entity, ds []*demand) (out []*option) {
	by := timeOf(e)
	if by == nil || forbidsPacking(f, e, by, ds) != "" {
		return nil
	}
	for _, within := range withins(e, by, ds) {
		out = append(out, packsOf(f, e, by, within)...)
	}
	return out
}

// withins are the parts of an identity, beside its time, in which those of one item may differ: those that not every
// read states, and all but what leads to one parent.
func withins(e *spec.Entity, by *spec.Attribute, ds []*demand) (out [][]*spec.Attribute) {
	var open []*spec.Attribute
	for _, a := range e.Identity {
		if a != by && slices.ContainsFunc(ds, func(d *demand) bool {
			_, ok := d.equal(ref{from: e, attr: a})
			return d.target == e && !ok
		}) {
			open = append(open, a)
		}
	}
	add := func(within []*spec.Attribute) {
		if len(within) < len(e.Identity)-1 && !slices.ContainsFunc(within, func(a *spec.Attribute) bool { return !nameable(a) }) &&
			!slices.ContainsFunc(out, func(o []*spec.Attribute) bool { return slices.Equal(o, within) }) {
			out = append(out, within)
		}
	}
	add(open)
	for _, w := range e.There {
		var within []*spec.Attribute
		for _, a := range e.Identity {
			if a != by && !slices.Contains(w.By, a) {
				within = append(within, a)
			}
		}
		if !slices.ContainsFunc(open, func(a *spec.Attribute) bool { return !slices.Contains(within, a) }) {
			add(within)
		}
	}
	return out
}

// nameable reports whether the name of an attribute can tell a value.
func nameable(a *spec.Attribute) bool {
	switch a.Type {
	case spec.String, spec.Number, spec.Bool, spec.Date:
		return true
	}
	return false
}

// packsOf are those options where the entities in an item differ in some of their identity beside the time.
func packsOf(f *facts, e *spec.Entity, by *spec.Attribute, within []*spec.Attribute) (out []*option) {
	own := &shape{sort: []keyPart{{ref: ref{from: e, attr: by}}}}
	for _, r := range identityRefs(e) {
		if r.attr != by && !slices.Contains(within, r.attr) {
			own.partition = append(own.partition, r)
		}
	}
	if homeable(f, e, own) == nil || len(own.partition) > 1 && slices.ContainsFunc(own.partition, func(r ref) bool { return !composable(r.attr) }) {
		return nil
	}
	fixed := float64(len(by.Name)) + 40
	for _, r := range own.partition {
		fixed += float64(len(r.attr.Name)) + r.attr.Bytes.Average
	}
	one, largest := 12.0, 12.0 // the name of an attribute, and a map
	for _, a := range within {
		one += 1 + a.Bytes.Average
		largest += 1 + a.Bytes.Max
	}
	for _, a := range e.Attributes {
		if !slices.Contains(e.Identity, a) {
			one += presence(a) * (float64(len(a.Name)) + 1 + a.Bytes.Average)
			largest += float64(len(a.Name)) + 1 + a.Bytes.Max
		}
	}
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	least := -1
	var all []*option
	for _, c := range periods {
		p := &packing{by: by, within: within, codec: c.String(), period: c.NextBucket(start).Sub(start)}
		each, met := cost.Together(f.req, e, by, within, p.period)
		if p.each = each; each < fewestPacked {
			continue
		}
		if fixed+float64(each*one) > mostPacked || float64(plan.MostPacked(f.req, e, by, within, p.period)*largest) > float64(capacity.ItemBytes) {
			break
		}
		if fixed+float64(met*one) <= 1_000 {
			least = len(all)
		}
		o := &option{entity: e, own: own, pack: p}
		o.name = o.text()
		all = append(all, o)
	}
	if comesInLists(f.req, by) { // a shorter period may have smaller items, and hardly more of them to write
		least--
	}
	all = all[max(least, 0):]
	return all[:min(len(all), packings)]
}

// comesInLists reports whether lists bring what lies close together in a time.
func comesInLists(r *spec.Requirements, by *spec.Attribute) bool {
	return slices.ContainsFunc(r.Patterns, func(p *spec.Pattern) bool {
		return slices.ContainsFunc(p.Parameters, func(q *spec.Parameter) bool {
			return slices.ContainsFunc(q.Within, func(n spec.Near) bool { return n.Of == by })
		})
	})
}

// timeOf is the time by which entities can lie together: the only timestamp of an identity of several attributes.
func timeOf(e *spec.Entity) (by *spec.Attribute) {
	for _, a := range e.Identity {
		if a.Type != spec.Timestamp {
			continue
		}
		if by != nil || len(e.Identity) < 2 {
			return nil
		}
		by = a
	}
	return by
}

// forbidsPacking says what keeps several of an entity from lying in one item; "" if nothing does.
func forbidsPacking(f *facts, e *spec.Entity, by *spec.Attribute, ds []*demand) string {
	switch {
	case len(e.Back) > 0:
		return "others refer to a " + e.Name
	case len(e.Unique) > 0:
		return e.Name + " has unique attributes"
	case e.Expires != nil, e.After != nil && e.After != by,
		e.Kept != nil && e.Kept != by && e.Kept.Generated != "now": // else what comes last ends last, and the item with it
		return e.Name + " expires on its own"
	case slices.Contains(f.req.Application.Streams, e):
		return "others follow each " + e.Name
	}
	for _, a := range e.Attributes {
		if a.Sequence != nil || a.Derived != nil || a.Generated == "version" {
			return e.Name + "." + a.Name + " is kept by other writes"
		}
	}
	for _, w := range e.There {
		for _, a := range w.To.Attributes {
			if a.Counted() && w.Inverse != "" && a.Derived.Path[0] == w.Inverse {
				return w.To.Name + "." + a.Name + " counts each " + e.Name
			}
		}
	}
	for _, t := range f.of[e] {
		twice := t.pattern.Atomic && slices.ContainsFunc(f.of[e], func(o *touch) bool { return o != t && o.pattern == t.pattern })
		alone := t.inside == nil && len(t.inner) == 0 && !twice
		if !alone || t.verb != spec.Create && t.verb != spec.Upsert && !(t.verb == spec.Delete && fades(f, e, by)) || t.action.Condition != nil || len(t.pattern.Found) > 0 || t.pattern.Idempotency != "" {
			return t.pattern.Name + " does more than to write it whole"
		}
		q := t.pattern.ValueOf(t.action)
		if t.verb == spec.Delete && len(t.action.Each) > 0 {
			q = t.pattern.Parameter(t.action.Each[0])
		}
		if t.pattern.Atomic && q != nil && q.List && q.Length.Max > mostAtOnce {
			return t.pattern.Name + " brings more than one update writes"
		}
	}
	for _, d := range ds {
		if slices.ContainsFunc(d.ways, func(n *wayNode) bool { return n.needsEach(e, len(f.deleted[e]) > 0) }) || slices.ContainsFunc(d.back, func(b backEquality) bool { return b.way.From == e }) {
			return d.name + " reads it with others"
		}
		if d.target != e {
			continue
		}
		if d.snapshot || len(d.back)+len(d.ways)+len(d.sifted) > 0 || len(d.pattern.Aggregates) > 0 || d.locates != nil {
			return d.name + " asks for more than what lies in it"
		}
		if !slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool {
			_, ok := d.equal(ref{from: e, attr: a})
			return ok && a != by
		}) {
			return d.name + " does not say which it is about"
		}
		elsewhere := func(r ref) bool { return !r.local() }
		if slices.ContainsFunc(d.needs, elsewhere) || slices.ContainsFunc(d.eqs, func(q equality) bool { return elsewhere(q.ref) }) ||
			slices.ContainsFunc(d.ranges, func(n interval) bool { return elsewhere(n.ref) }) || slices.ContainsFunc(d.order, func(o orderKey) bool { return elsewhere(o.ref) }) {
			return d.name + " asks for what lies elsewhere"
		}
	}
	return ""
}

// fades reports whether an item in which nothing is left ends by itself: a delete leaves it where it is.
func fades(f *facts, e *spec.Entity, by *spec.Attribute) bool {
	return e.Retention > 0 && e.Kept == by
}

// needsEach reports whether an answer holds some of an entity behind a way, but for the newest of one parent, which
// lies in the last of the items that this has, unless some are deleted.
func (n *wayNode) needsEach(e *spec.Entity, deleted bool) bool {
	return n.entity() == e && (deleted || !n.last) || slices.ContainsFunc(n.inner, func(m *wayNode) bool { return m.needsEach(e, deleted) })
}

// holdsPacks reports whether entries of an index can be items in which several entities lie: what its key is made of is
// the same for all of these, and those under one key differ in nothing but the time and what the names tell.
func (x *indexShape) holdsPacks(p *packing) bool {
	if x.local || x.shards > 1 || x.apart || len(x.partition) == 0 {
		return false
	}
	refs := x.refs()
	for _, r := range refs {
		if !r.local() || !slices.Contains(x.entity.Identity, r.attr) || slices.Contains(p.within, r.attr) {
			return false
		}
	}
	return len(refs) == len(x.entity.Identity)-len(p.within) && len(x.sort) > 0 && x.sort[len(x.sort)-1].ref.attr == p.by && !slices.ContainsFunc(x.sort, func(q keyPart) bool { return q.special() || q.inverted })
}

// text is which entities lie together, for canonical names.
func (p *packing) text() string {
	text := "packed by " + p.by.Name + ":" + p.codec
	for _, a := range p.within {
		text += "#" + a.Name
	}
	return text
}

// words is the same for people.
func (p *packing) words() string {
	return show.Number(p.each) + " of " + spec.FormatDuration(p.period) + " in one item"
}

// periodColumn is the attribute of the key that has the period.
func (k *kind) periodColumn() column {
	return column{name: unusedName(k.entity, camel(k.option.pack.by.Name, "period"))}
}

// template writes the period.
func (p *packing) template() string { return "{" + p.by.Name + ":" + p.codec + "}" }

// packed lets an item hold several of its entity, and end with the last of them.
func (p *packing) packed(it *plan.Item, x *spec.Entity, sort string) {
	it.Pack = p.by.Name
	it.Key[sort] = p.template()
	if x.Kept != nil {
		it.Set[ttlName(x)] = plan.Template{Value: "{" + x.Kept.Name + ":epoch-s:plus " + spec.FormatDuration(x.Retention+p.period) + "}"}
	}
}

// packedLimit is how many items a request evaluates for so many entities: they may begin and end in the middle of an
// item.
func (p *packing) packedLimit(n int, paged bool) int {
	if n == 0 {
		return 0
	}
	items := int(float64(n)/p.each) + 1
	if paged {
		items++
	}
	return min(items, n)
}
