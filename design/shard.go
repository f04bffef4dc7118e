package design

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/spec"
)

// Where many items lie under one key and the hottest key carries more at peak than DynamoDB gives one, the key is divided
// into shards: its items or entries spread over several keys by a hash, and its reads gather the parts. Only what is hot is
// divided, because a read costs as many requests as there are shards, and only what DynamoDB does not divide by itself.

// headroom is by how much shards are more than the peak needs.
const headroom = 1.5

// shardPoints are what a division costs in points of simplicity.
const shardPoints = 3

// shardsFor is into how many parts something is divided that carries so many times what DynamoDB gives one key: the next
// power of two.
func shardsFor(share float64) int { return 1 << int(math.Ceil(math.Log2(headroom*share))) }

// spread adds to the options of a component those that divide a table whose hottest key is written too often.
func (p *planner) spread() {
	for _, e := range p.c.entities {
		var out []*option
		for _, o := range p.asides(e, p.c.options[e]) {
			out = append(out, o)
			if n := p.tableShards(o); n > 1 {
				own := *o.own
				own.shards, own.by = n, apartFrom(e, own.partition)
				q := *o
				q.own = &own
				q.name = q.text()
				out = append(out, &q)
			}
		}
		p.c.options[e] = out
	}
}

// tableShards is into how many parts the table of an option has to be divided; 1: it is not hot, nothing spreads it, or its
// key cannot have one more part.
func (p *planner) tableShards(o *option) int {
	if share := float64(p.tableHeat(o) / capacity.PartitionWrites); share > 1 {
		return shardsFor(share)
	}
	return 1
}

// tableHeat is what the hottest key of an option's table is written with at peak, all in one piece; 0 where that does not
// matter, or cannot be helped.
func (p *planner) tableHeat(o *option) capacity.WriteUnits {
	e := o.entity
	if o.own == nil || o.root != nil || ownPartition(e, o.own.partition) || !growing(o.own.sort) ||
		slices.ContainsFunc(o.own.partition, func(r ref) bool { return !composable(r.attr) }) {
		return 0
	}
	k := &kind{entity: e, option: o, table: e}
	k.id = k.describe()
	item := p.price.figure(k, nil).whole
	var sum capacity.WriteUnits
	for _, t := range p.facts.touches {
		if t.entity != e {
			continue
		}
		units := capacity.ExpectWrite(item.picked(dist.Uniform(membersOf(e.Count), 1)))
		if p.facts.transacted(t) {
			units = capacity.Transact(units)
		}
		a := &act{verb: actPut, entity: e}
		sum += units * capacity.WriteUnits(p.facts.peak(t.pattern)*t.times.average*p.price.share(e, o.own.partition, a))
	}
	return sum
}

// transacted reports whether a touch is certainly part of a transaction: another one stands beside it, or a marker.
func (f *facts) transacted(t *touch) bool {
	return len(t.entity.Unique) > 0 || slices.ContainsFunc(f.touches, func(o *touch) bool { return o != t && o.pattern == t.pattern && o.inside == nil })
}

// apartFrom is an attribute of the identity that a partition does not hold: it spreads what lies there, and whoever knows
// the identity knows the part.
func apartFrom(e *spec.Entity, partition []ref) *spec.Attribute {
	for _, a := range e.Identity {
		if !hasRef(partition, ref{from: e, attr: a}) {
			return a
		}
	}
	return nil
}

// divide adds to the plans of a case those that read hot indexes in shards. A plan whose index could not be kept in one
// piece by any configuration is left out.
func (p *planner) divide(lc *layoutCase, plans [][]*readPlan, demands []*demand) [][]*readPlan {
	heat := map[string]*heated{}
	for i, qs := range plans {
		seen := map[string]bool{}
		for _, q := range qs {
			for _, t := range q.steps {
				if t.index == nil || t.index.local || seen[t.index.id] {
					continue
				}
				seen[t.index.id] = true
				h := heat[t.index.id]
				if h == nil {
					h = p.heatOfWrites(lc, t.index)
					heat[t.index.id] = h
				}
				if h.undivided {
					h.read += p.heatOfRead(lc, demands[i], t)
				}
			}
		}
	}
	shards := map[*spec.Entity]int{} // one number for all indexes of an entity: its items have one shard
	for _, h := range heat {
		if n := h.shards(); n > 1 {
			shards[h.shape.entity] = max(shards[h.shape.entity], n)
		}
	}
	for e := range shards { // an item has one shard, so its table and its indexes are divided alike
		if own := lc.layout.kinds[e].option.own; own.shards > 1 {
			shards[e] = own.shards
		}
	}
	if len(shards) == 0 {
		return plans
	}
	out := make([][]*readPlan, len(plans))
	for i, qs := range plans {
		for _, q := range qs {
			hot, always := false, false
			for _, t := range q.steps {
				if t.index != nil && !t.index.local {
					h := heat[t.index.id]
					hot = hot || h.shards() > 1
					always = always || h.least > capacity.PartitionWrites
				}
			}
			if !always {
				out[i] = append(out[i], q)
			}
			if hot {
				if d := p.divided(lc, q, heat, shards); d != nil {
					out[i] = append(out[i], d)
				}
			}
		}
	}
	return out
}

// heated is what the hottest key of an index carries at peak: reads by all demands that could use it, writes at least (if
// it projected keys only) and at most (everything).
type heated struct {
	shape       *indexShape
	by          *spec.Attribute // its hash spreads the entries of one key; nil: nothing does
	undivided   bool            // DynamoDB does not divide the key by itself
	read        capacity.ReadUnits
	least, most capacity.WriteUnits
}

// shards are how many the index needs: the next power of two; 1 if it is not hot, or nothing spreads it.
func (h *heated) shards() int {
	share := max(float64(h.read)/float64(capacity.PartitionReads), float64(h.most)/float64(capacity.PartitionWrites))
	if share <= 1 || !h.undivided || h.by == nil {
		return 1
	}
	return shardsFor(share)
}

func (p *planner) heatOfWrites(lc *layoutCase, x *indexShape) *heated {
	h := &heated{shape: x, undivided: growing(x.sort), by: apartFrom(x.entity, x.partition)}
	if !h.undivided || ownPartition(x.entity, x.partition) {
		h.undivided = false
		return h
	}
	for _, pr := range []projection{keysOnly, projectAll} {
		s := p.price.bare(lc.layout, func(*indexShape) projection { return pr })
		var sum capacity.WriteUnits
		for _, w := range lc.writes {
			for _, a := range w.acts {
				arm := p.price.indexArm(s, x, w, a)
				if arm == 0 {
					continue
				}
				sum += arm * capacity.WriteUnits(p.facts.peak(w.pattern)*p.price.share(x.entity, x.partition, a))
			}
		}
		h.least, h.most = h.most, sum
	}
	return h
}

// heatKey is what the heat of a read depends on. Layouts share plans, so a step belongs to one demand.
type heatKey struct {
	step   *readStep
	figure *figure
	times  float64
}

// heatOfRead is what a demand reads of the hottest key of an index at peak.
func (p *planner) heatOfRead(lc *layoutCase, d *demand, step *readStep) capacity.ReadUnits {
	if step.prev >= 0 {
		return 0
	}
	key := heatKey{step: step, figure: p.price.figure(lc.layout.kinds[step.kinds[0]], nil), times: 1}
	if d.locates != nil {
		key.times = d.locates.times.average
	}
	heat, ok := p.heat[key]
	if !ok {
		t := tally{p: p, s: p.price.bare(lc.layout, func(*indexShape) projection { return projectAll })}
		t.read(d, step)
		heat = t.all[0].read
		p.heat[key] = heat
	}
	return heat
}

// divided is a plan that reads hot indexes in shards; nil if it cannot.
func (p *planner) divided(lc *layoutCase, q *readPlan, heat map[string]*heated, shards map[*spec.Entity]int) *readPlan {
	out := *q
	out.steps = slices.Clone(q.steps)
	for i, t := range q.steps {
		if t.index == nil || t.index.local || heat[t.index.id].shards() == 1 {
			continue
		}
		if len(t.index.partition)+len(t.index.marks()) >= capacity.IndexPartitionKeyParts {
			return nil
		}
		if own := lc.layout.kinds[t.index.entity].option.own; own.shards > 1 && own.by != heat[t.index.id].by {
			return nil
		}
		x := *t.index
		x.shards, x.by = shards[x.entity], heat[t.index.id].by
		x.id = x.describe()
		u := *t
		u.index = &x
		out.steps[i] = &u
	}
	out.rule += " in shards"
	out.name = out.describe()
	return &out
}

// marks are the parts of an index's partition besides what its shape says.
func (x *indexShape) marks() []string {
	var out []string
	if x.marked() {
		out = append(out, markColumn(x).name)
	}
	if x.shards > 1 {
		out = append(out, shardColumn(x).name)
	}
	return out
}
