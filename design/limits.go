package design

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// sum adds up what the parts of a configuration cost, and holds it to the limits of DynamoDB.
func (p *planner) sum(c *config) {
	c.cost, c.unserved, c.stretched, c.hard, c.soft, c.warmest, c.losses, c.crowded = 0, 0, 0, 0, 0, 0, nil, nil
	for i, d := range c.demands {
		if c.plans[i] == nil {
			c.unserved++
			c.losses = append(c.losses, p.unserved(d))
		}
	}
	c.unserved += len(c.refused)
	c.losses = append(c.losses, c.refused...)
	each := func(x *piece) {
		if x == nil {
			return
		}
		c.cost += x.money
		if x.why != "" {
			c.unserved++
			c.losses = append(c.losses, x.why)
		}
	}
	heats := p.heats[:0]
	for range p.pricer.hot {
		heats = append(heats, heat{})
	}
	add := func(x *piece) {
		each(x)
		if x == nil {
			return
		}
		for _, h := range x.heat {
			for len(heats) <= h.key {
				heats = append(heats, heat{})
			}
			heats[h.key].read += h.read
			heats[h.key].write += h.write
			heats[h.key].meet += h.meet
		}
	}
	for _, x := range c.reads {
		add(x)
	}
	for _, x := range c.writes {
		add(x)
	}
	for _, arms := range c.arms {
		for _, x := range arms {
			add(x)
		}
	}
	for _, x := range c.kept {
		each(x)
	}
	p.heats = heats
	for _, q := range c.plans {
		if q != nil && q.stretched {
			c.stretched++
		}
	}
	c.points = p.points(c)
	for i, h := range heats {
		before := c.hard + c.soft
		if p.judge(c, i, h); c.hard+c.soft > before {
			c.crowded = append(c.crowded, i)
		}
	}
	p.limits(c)
}

// judge holds the load of one key to what a partition gives.
func (p *planner) judge(c *config, key int, h heat) {
	share := float64(capacity.Heat(capacity.ReadUnits(h.read), capacity.WriteUnits(h.write)))
	c.warmest = max(c.warmest, share)
	k := p.pricer.hot[key]
	// Transactions that meet on an item are sent again. That is slow, and not a limit, as long as the item is free at
	// times.
	switch {
	case h.meet >= capacity.ContentionFull:
		c.hard += h.meet / capacity.ContentionLimit
		c.lose(p, true, "the transactions on the hottest %s would hold it for %.3g s of each second at peak: only one at a time can; %s",
			k.of, h.meet, c.holders(key))
	case h.meet > capacity.ContentionLimit:
		c.soft += h.meet / capacity.ContentionLimit
	}
	if share <= 1+1e-9 {
		return
	}
	reads := h.read / float64(capacity.PartitionReads)
	what, units, limit := "read", h.read, float64(capacity.PartitionReads)
	if reads < share-1e-9 {
		what, units, limit = "written", h.write, float64(capacity.PartitionWrites)
	}
	of := k.of
	if !k.item {
		of = "key of " + p.placeName(k.place) + " (one " + k.of + ")"
	}
	if k.item || p.undivided(c, k) {
		c.hard += share - 1
		c.lose(p, true, "the hottest %s would be %s with %s units per second at peak, and DynamoDB gives %s", of, what, show.Number(math.Round(units)), show.Number(limit))
		return
	}
	c.soft += share - 1
}

func (c *config) lose(p *planner, limit bool, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	if limit {
		p.facts.limits[why] = true
	}
	c.losses = append(c.losses, why)
}

// holders says how often a second each write holds an item in a transaction at peak, the most frequent first.
func (c *config) holders(key int) string {
	meets := map[string]float64{}
	var names []string
	for h := range c.heats() {
		if h.key == key && h.meet > 0 {
			names = appendNew(names, h.pattern)
			meets[h.pattern] += h.meet
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(meets[b], meets[a]) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s does %s times a second", name, show.Number(meets[name]/capacity.Contention(1)))
	}
	return listOf(names)
}

// heats are what the parts of a configuration put on keys.
func (c *config) heats() iter.Seq[heat] {
	return func(yield func(heat) bool) {
		for _, pieces := range slices.Concat([][]*piece{c.reads, c.writes}, c.arms) {
			for _, x := range pieces {
				if x == nil {
					continue
				}
				for _, h := range x.heat {
					if !yield(h) {
						return
					}
				}
			}
		}
	}
}

// placeName is how people call a place of fragments.
func (p *planner) placeName(place string) string {
	if x := p.indexAt(place); x != nil {
		return x.entity.Name + " by " + x.describeKey()
	}
	return place
}

// indexAt is the index of a place of fragments; nil of a table.
func (p *planner) indexAt(place string) *indexShape { return p.shapes[place] }

// undivided reports whether DynamoDB cannot divide what lies under a key of a place.
func (p *planner) undivided(c *config, k hotKey) bool {
	for _, x := range c.indexes {
		if p.place(c, x.shape) != k.place {
			continue
		}
		s := p.schemaOf(c, c.layout.kinds[x.shape.entity], []chosenIndex{x})
		return s == nil || cost.Undivided(s.Indexes[0])
	}
	for _, e := range p.c.entities {
		if n := c.layout.kinds[e]; n != nil && n.table == e && e.Name == k.place {
			var local []chosenIndex
			for _, x := range c.indexes {
				if x.shape.local && c.layout.kinds[x.shape.entity].table == e {
					local = append(local, x)
				}
			}
			s := p.schemaOf(c, n, local)
			return s == nil || cost.Undivided(s.Base)
		}
	}
	return true
}

// place is where the entries of an index lie in fragments.
func (p *planner) place(c *config, x *indexShape) string {
	return fmt.Sprintf("%s.i%d", c.layout.kinds[x.entity].table.Name, p.pricer.number(x.id))
}

func (p *planner) schemaOf(c *config, k *kind, on []chosenIndex) *plan.Schema {
	_, tables, why := p.fragment(c, []*spec.Entity{k.table}, on, nil)
	if why != "" {
		return nil
	}
	return tables[0]
}

// limits holds what is not about load to DynamoDB's limits: sizes of transactions and of collections with local
// indexes.
func (p *planner) limits(c *config) {
	most, mean := map[*spec.Entity]float64{}, map[*spec.Entity]float64{}
	for _, x := range c.kept {
		for e, n := range x.mean {
			most[e], mean[e] = x.most[e], n
		}
	}
	for _, w := range c.writing {
		if !w.transact {
			continue
		}
		sum := p.c.outside[w.pattern].bytes
		for _, a := range w.acts {
			if !a.beside() {
				sum += a.times.most * most[a.item()]
			}
		}
		if sum > float64(capacity.TransactionBytes) {
			c.unserved++
			c.lose(p, true, "%s could write %.1f MB in one transaction, and DynamoDB takes %d", w.pattern.Name, sum/float64(capacity.MB), capacity.TransactionBytes/capacity.MB)
		}
	}
	for i, d := range c.demands {
		if c.plans[i] == nil {
			continue
		}
		if r, is := p.lagging(c, d, c.plans[i]); is {
			c.unserved++
			c.lose(p, false, "%s asks for strong reads, and the consumer of a stream keeps %s in the %s that it reads", d.name, r.key(), d.target.Name)
		}
	}
	if !slices.ContainsFunc(c.indexes, func(x chosenIndex) bool { return x.shape.local }) {
		return
	}
	for _, e := range p.c.entities {
		k := c.layout.kinds[e]
		if k == nil || k.table != e {
			continue
		}
		sum, local := 0.0, false
		for _, n := range c.layout.neighbours(k) {
			per := 1.0
			if n.entity != e || !ownPartition(e, n.option.own.partition) {
				per = p.facts.largestCollection(n)
			}
			sum += per * (mean[n.entity] + float64(capacity.StoredItemOverhead))
			for _, g := range n.guests {
				sum += g.roster.kin.PerParent.Max * (g.of.entity.Bytes.Max + float64(capacity.StoredItemOverhead))
			}
			for _, x := range c.indexes {
				if x.shape.local && x.shape.entity == n.entity {
					local = true
					sum += per * p.facts.figures.Share(x.shape.sparse, n.entity, nil) * (p.indexPiece(c, k, &x).bytes + float64(capacity.StoredItemOverhead))
				}
			}
		}
		if local && sum > float64(capacity.ItemCollectionBytes) {
			c.unserved++
			c.lose(p, true, "the largest collection of %s could have %s, and with a local index it may have 10 GB", e.Name, show.Bytes(sum))
		}
	}
}

// ownPartition reports whether every entity has a partition of its own.
func ownPartition(e *spec.Entity, partition []ref) bool {
	return !slices.ContainsFunc(identityRefs(e), func(r ref) bool { return !hasRef(partition, r) })
}

// largestCollection is how many items of a kind the largest partition of its table holds.
func (f *facts) largestCollection(k *kind) float64 {
	of, ways := named(k.entity, k.option.own.partition)
	if of == nil {
		return k.entity.Count
	}
	n := 1.0
	for _, way := range ways {
		n *= max(way.PerParent.Average, way.PerParent.Max)
	}
	return n
}

// points are what a configuration takes of simplicity.
func (p *planner) points(c *config) int {
	n := 0
	for _, e := range p.c.entities {
		o := c.layout.options[e]
		if o.within != nil && o.own != nil {
			n++ // a kind of copy
		}
		if o.pack != nil {
			n += 2
		}
		if o.own != nil && o.own.shards > 1 {
			n += shardPoints
		}
		k := c.layout.kinds[e]
		if k == nil {
			continue
		}
		if k.table == e {
			n += tablePoints
		}
		n += len(k.markers())
		for _, r := range o.rosters {
			if r.sole { // a copy of what the item has
				n++
			}
		}
		if len(o.followed) > 0 {
			n++
		}
		if o.aside != nil {
			n += len(o.aside.attrs)
			if o.aside.shards > 1 {
				n += shardPoints
			}
		}
	}
	for _, w := range c.writing {
		if w.transact {
			n++
		}
	}
	for _, q := range c.plans {
		if q != nil {
			n += q.points
		}
	}
	for _, x := range c.indexes {
		n += x.shape.points()
	}
	return n
}

// Points of simplicity, of what has more than one.
const (
	tablePoints = 3
	indexPoints = 2
	shardPoints = 3
)

func (x *indexShape) points() int {
	n := indexPoints
	if x.local {
		n = 1
	}
	if x.shards > 1 {
		n += shardPoints
	}
	return n
}

// loads are what every key carries in a configuration.
func (p *planner) loads(c *config) []heat {
	out := make([]heat, len(p.pricer.hot))
	for h := range c.heats() {
		out[h.key].read += h.read
		out[h.key].write += h.write
		out[h.key].meet += h.meet
	}
	return out
}

func unitsText(units float64, what string, limit float64) string {
	return fmt.Sprintf("in one piece the hottest key would be %s with %s units per second at peak, and DynamoDB gives a key %s", what, show.Number(math.Round(units)), show.Number(limit))
}
