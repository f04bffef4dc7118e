package design

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// A load is what one thing carries at peak, all patterns together: an item, or what lies under one partition key of a
// table or index. Ranks coincide: the instance most read is the one most written.
type load struct {
	place      string // the entity whose item or collection it is, or the canonical text of an index
	item       bool   // a single item: nothing can divide it
	undivided  bool   // a collection that cannot be divided: it has an LSI, or its sort key only grows
	read       capacity.ReadUnits
	write      capacity.WriteUnits
	contention float64
	patterns   []string
}

// loads adds up what every plan of a configuration does to the hottest item and the hottest key of each place.
func (p *planner) loads(c *config, s *scene) []*load {
	t := tally{p: p, s: s}
	for i, dc := range c.lc.demands {
		for _, step := range c.plans[i].steps {
			t.read(dc.d, step)
		}
	}
	for _, w := range c.lc.writes {
		for _, step := range w.reads {
			t.read(&demand{name: w.pattern.Name, pattern: w.pattern, target: step.kinds[0], rate: w.pattern.Rate, skew: w.pattern.Skew}, step)
		}
		for _, a := range w.acts {
			t.write(c, w, a)
		}
	}
	return t.all
}

type tally struct {
	p   *planner
	s   *scene
	all []*load
}

func (t *tally) at(place string, item bool) *load {
	for _, l := range t.all {
		if l.place == place && l.item == item {
			return l
		}
	}
	l := &load{place: place, item: item}
	t.all = append(t.all, l)
	return l
}

func (l *load) from(pattern string) {
	if !slices.Contains(l.patterns, pattern) {
		l.patterns = append(l.patterns, pattern)
	}
}

// read adds a step. Only steps on values that the call states can be aimed at one thing again and again.
func (t *tally) read(d *demand, step *readStep) {
	if step.prev >= 0 || step.marker != nil || step.verb == verbScan {
		return
	}
	peak := t.p.facts.peak(d.pattern)
	if d.locates != nil {
		peak *= d.locates.times.average
	}
	var bound []ref
	for _, e := range step.eqs {
		bound = append(bound, e.ref)
	}
	o := ownerOf(step.kinds[0], bound)
	share := t.p.price.calls(membersOf(o.members), d.skew).Share(1)
	units := t.p.price.read(t.s, d, step) * capacity.ReadUnits(peak*share)
	place, item := step.kinds[0].Name, identified(step.kinds[0], bound)
	switch {
	case step.index != nil:
		place = step.index.id
	case step.aside != nil: // each of the parts is read by every call
		place, item = place+"."+step.aside.Name, true
		units /= capacity.ReadUnits(t.s.layout.options[step.kinds[0]].aside.shards)
	}
	l := t.at(place, item)
	if step.verb == verbQuery {
		units /= capacity.ReadUnits(t.s.shards(step))
	}
	if step.index != nil {
		l.undivided = step.index.local || growing(step.index.sort)
	}
	l.read += units
	l.from(d.name)
}

// write adds an act: what it does to the item it writes, to the collection the item lies in, and to every index.
func (t *tally) write(c *config, w *writePlan, a *act) {
	if a.marker != nil || a.number != nil {
		return
	}
	if a.aside != nil {
		peak := t.p.facts.peak(w.pattern)
		share := t.p.price.aimed(w.pattern, a) / float64(t.s.layout.options[a.entity].aside.shards)
		l := t.at(a.entity.Name+"."+a.aside.Name, true)
		l.write += t.p.price.arm(t.s, w, a) * capacity.WriteUnits(peak*share)
		if w.transact {
			l.contention += capacity.Contention(float64(peak * share * a.times.average))
		}
		l.from(w.pattern.Name)
		return
	}
	e := a.entity
	peak := capacity.WriteUnits(t.p.facts.peak(w.pattern))
	units := t.p.price.arm(t.s, w, a) * peak
	k := t.s.layout.kinds[e]
	if a.verb != actPut {
		share := t.p.price.aimed(w.pattern, a)
		l := t.at(e.Name, true)
		l.write += units * capacity.WriteUnits(share)
		if w.transact {
			l.contention += capacity.Contention(float64(float64(peak) * share * a.times.average))
		}
		l.from(w.pattern.Name)
	}
	if !ownPartition(e, k.option.own.partition) {
		l := t.at(k.table.Name, false)
		l.undivided = growing(k.option.own.sort) || slices.ContainsFunc(c.indexes, func(x chosenIndex) bool {
			return x.shape.local && t.s.layout.kinds[x.shape.entity].table == k.table
		})
		n := max(k.option.own.shards, 1)
		l.write += units * capacity.WriteUnits(t.p.price.share(e, k.option.own.partition, a)/float64(n))
		l.from(w.pattern.Name)
	}
	for _, x := range c.indexes {
		arm := t.p.price.indexArm(t.s, x.shape, w, a)
		if arm == 0 || ownPartition(e, x.shape.partition) {
			continue
		}
		l := t.at(x.shape.id, false)
		l.undivided = x.shape.local || growing(x.shape.sort)
		n := max(x.shape.shards, 1)
		l.write += arm * peak * capacity.WriteUnits(t.p.price.share(e, x.shape.partition, a)/float64(n))
		l.from(w.pattern.Name)
	}
}

// ownPartition reports whether every entity has a partition of its own.
func ownPartition(e *spec.Entity, partition []ref) bool {
	return !slices.ContainsFunc(identityRefs(e), func(r ref) bool { return !hasRef(partition, r) })
}

// growing reports whether a sort key only grows, or is none, so that all writes fall on its end and dividing the
// collection there does not help. Timestamps count as growing: most of what is written is about now.
func growing(sort []keyPart) bool {
	if len(sort) == 0 {
		return true
	}
	a := sort[0].ref.attr
	return a.Type == spec.Timestamp || a.Generated == "ulid" || a.Generated == "ksuid" || a.Sequence != nil
}

// share is the share of an act's writes that fall on the hottest value of a partition: that of the largest parent, of the
// most frequent value, or all of those into the state in which everything begins.
func (p *pricer) share(e *spec.Entity, partition []ref, a *act) float64 {
	share := 1.0
	for _, r := range partition {
		share *= p.shareOfValue(e, r, a)
	}
	if len(partition) > 1 && slices.ContainsFunc(partition, func(r ref) bool { o, _ := follow(r); return o == nil }) {
		share = max(share, p.facts.frequent[valuesName(e, partition)])
	}
	return share
}

func (p *pricer) shareOfValue(e *spec.Entity, r ref, a *act) float64 {
	if n := len(r.attr.Shares); n > 0 {
		if r.attr.States != nil && r.local() && (a.verb == actPut || slices.Contains(a.changes, r.attr)) {
			return 1
		}
		most := 0.0
		for _, v := range r.attr.Shares {
			most = max(most, v.Of)
		}
		return most
	}
	o, hops := follow(r)
	if o == nil {
		return max(1/float64(membersOf(e.Count)), p.facts.frequent[valuesName(e, []ref{r})])
	}
	share := dist.Uniform(membersOf(o.Count), 1).Share(1)
	if len(hops) > 0 {
		last := hops[len(hops)-1].way
		if last.PerParent.Stated {
			share = p.children(last).Share(1)
		}
	}
	return share
}

// aimed is the share of a write's calls that fall on the item most written: as the pattern's skew says, or, where the key
// comes from the foreign keys of passed children, as these are skewed.
func (p *pricer) aimed(w *spec.Pattern, a *act) float64 {
	n := membersOf(a.entity.Count)
	if !w.Skew.Uniform() {
		return p.calls(n, w.Skew).Share(1)
	}
	share := 1 / float64(n)
	if a.via != nil && a.via.PerParent.Stated {
		return max(share, p.children(a.via).Share(1))
	}
	for _, k := range a.key {
		at := referenced(a.touch, k.value)
		if at == nil || at.Reference == nil || !at.Reference.PerParent.Stated {
			continue
		}
		others := float64(n) / float64(membersOf(at.Reference.To.Count))
		share = max(share, p.children(at.Reference).Share(1)/max(others, 1))
	}
	return share
}

// referenced is the attribute of a passed value that a value in a key names: $each.productId, $like.postId.
func referenced(t *touch, value string) *spec.Attribute {
	ref, err := spec.ParseReference(value)
	if err != nil || len(ref) < 2 {
		return nil
	}
	if ref[0] == "each" {
		list, err := spec.ParseReference(t.each)
		if err != nil {
			return nil
		}
		ref = append(slices.Clone(list), ref[1:]...)
	}
	q := t.pattern.Parameter(ref[0])
	if q == nil || q.Entity == nil {
		return nil
	}
	e := q.Entity
	for _, name := range ref[1 : len(ref)-1] {
		w := e.WayBack(name)
		if w == nil {
			return nil
		}
		e = w.From
	}
	return e.Attribute(ref[len(ref)-1])
}

// overLimit says which hard limit a configuration breaks; "" if none.
func (p *planner) overLimit(c *config, s *scene) string {
	for _, e := range p.c.entities {
		if why := p.tooLarge(s, c, e); why != "" {
			return why
		}
	}
	for _, l := range p.loads(c, s) {
		if why := l.over(); why != "" {
			return why
		}
	}
	return ""
}

// over says why a load cannot be carried; "" if it can.
func (l *load) over() string {
	hottest := l.place
	if !l.item {
		hottest = "key of " + l.place
	}
	switch {
	case l.contention > capacity.ContentionLimit:
		return fmt.Sprintf("%.0f %% of the transactions on the hottest %s would conflict", 100*l.contention, l.place)
	case !l.item && !l.undivided:
		return "" // DynamoDB divides the collection by its sort key
	case l.read > capacity.PartitionReads:
		return fmt.Sprintf("the hottest %s would be read with %s units per second, and DynamoDB gives %s", hottest, show.Number(float64(l.read)), show.Number(float64(capacity.PartitionReads)))
	case l.write > capacity.PartitionWrites:
		return fmt.Sprintf("the hottest %s would be written with %s units per second, and DynamoDB gives %s", hottest, show.Number(float64(l.write)), show.Number(float64(capacity.PartitionWrites)))
	}
	return ""
}

// tooLarge holds items, and collections with an LSI, to their limits at the largest that the requirements allow.
func (p *planner) tooLarge(s *scene, c *config, e *spec.Entity) string {
	k := s.layout.kinds[e]
	if k == nil {
		return ""
	}
	most := p.facts.most(s.figure(e).whole, k)
	var local []chosenIndex
	for _, x := range c.indexes {
		if x.shape.local && s.layout.kinds[x.shape.entity].table == k.table {
			local = append(local, x)
		}
	}
	for _, x := range local {
		if x.shape.entity == e { // the limit covers the item and its entries together
			most += p.price.entryOf(s.figure(e), x.shape, x.project).most()
		}
	}
	if most > float64(capacity.ItemBytes) {
		return fmt.Sprintf("one %s could have %s, and an item may have 400 KB", e.Name, show.Bytes(most))
	}
	if len(local) == 0 || k.table != e {
		return ""
	}
	sum := 0.0
	for _, n := range s.layout.neighbours(k) {
		per := 1.0
		if n.entity != e || !ownPartition(e, n.option.own.partition) {
			per = p.facts.largestCollection(n)
		}
		sum += float64(per * (s.figure(n.entity).whole.mean() + float64(capacity.StoredItemOverhead)))
		for _, x := range local {
			if x.shape.entity == n.entity {
				sum += float64(per * (p.price.entryOf(s.figure(n.entity), x.shape, x.project).mean() + float64(capacity.StoredItemOverhead)))
			}
		}
	}
	if sum > float64(capacity.ItemCollectionBytes) {
		return fmt.Sprintf("the largest collection of %s could have %s, and with a local index it may have 10 GB", e.Name, show.Bytes(sum))
	}
	return ""
}

// largestCollection is how many items of a kind the largest partition of its table holds.
func (f *facts) largestCollection(k *kind) float64 {
	for _, r := range k.option.own.partition {
		o, hops := follow(r)
		if o == nil {
			continue
		}
		n := 1.0
		for _, h := range hops {
			if !h.back {
				n *= f.mostChildren(h.way)
			}
		}
		return n
	}
	return k.entity.Count
}
