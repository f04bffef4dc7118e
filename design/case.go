package design

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// A layoutCase is a layout with its prices: what it costs whatever is chosen in it, and the choices. Selection sees numbers
// and needs only.
type layoutCase struct {
	layout  *layout
	number  int // among the layouts of the component
	name    string
	writes  []*writePlan
	fixed   capacity.Money // storage, table arms, reads within writes
	points  int            // tables, embeddings, transactions
	detours int            // entities whose table has another key than their identity
	demands []demandCase
	shapes  []*shapeCase
	floor   capacity.Money // no choice can cost less
}

// demandCase is a demand and its plans.
type demandCase struct {
	d       *demand
	choices []*choice
}

// choice is a read plan with its price.
type choice struct {
	number int // among the choices of the demand
	plan   *readPlan
	base   capacity.Money // its steps on tables
	points int
	uses   []shapeUse
}

// shapeUse is what a plan reads through one index: its price by projection, -1 where the projection does not serve.
type shapeUse struct {
	shape int
	need  []string
	price []capacity.Money
}

// shapeCase is an index with the projections it could have, and the upkeep of each.
type shapeCase struct {
	shape       *indexShape
	projections []projection
	upkeep      []capacity.Money
	points      int
	users       int // demands with a plan that reads it
}

// planner makes the cases of a component.
type planner struct {
	ctx    context.Context // of the one call that searches
	asked  uint            // how often over was
	ended  bool
	facts  *facts
	price  *pricer
	c      *component
	plans  map[string][]*readPlan
	foot   map[string][]*spec.Entity
	heat   map[heatKey]capacity.ReadUnits
	losses map[string]int             // why configurations were left out, and how many
	last   string                     // the last of these
	blame  map[*option]map[string]int // the same for those with an option
}

// over reports whether the search is to end. It is asked at every node, and looks at the clock of others now and then only.
func (p *planner) over() bool {
	if p.asked++; p.asked%256 == 0 {
		p.ended = p.ended || p.ctx.Err() != nil
	}
	return p.ended
}

// note records why something was left out, and whether it is a limit of DynamoDB's that it would break, or no rule serves it.
func (p *planner) note(why string, limit bool) {
	p.losses[why]++
	p.last = why
	if limit {
		p.facts.limits[why] = true
	}
}

// accuse records against the options of a layout why it, or a configuration in it, was left out.
func (p *planner) accuse(l *layout) {
	for _, o := range l.options {
		if p.blame[o] == nil {
			p.blame[o] = map[string]int{}
		}
		p.blame[o][p.last]++
	}
}

// layouts are all layouts of a component that serve its writes within the hard limits on items and transactions, those
// with the lowest floor first.
func (p *planner) layouts() []*layoutCase {
	var out []*layoutCase
	p.eachLayout(func(lc *layoutCase) bool {
		lc.number = len(out)
		out = append(out, lc)
		return true
	})
	slices.SortStableFunc(out, func(a, b *layoutCase) int {
		switch {
		case a.floor < b.floor:
			return -1
		case a.floor > b.floor:
			return 1
		}
		return cmpText(a.name, b.name)
	})
	return out
}

// eachLayout enumerates the layouts, until yield answers false.
func (p *planner) eachLayout(yield func(*layoutCase) bool) {
	chosen := map[*spec.Entity]*option{}
	var next func(i int) bool
	next = func(i int) bool {
		if i == len(p.c.entities) {
			l, ok := arrange(p.c.entities, maps.Clone(chosen))
			if !ok {
				return true
			}
			lc := p.layoutCase(l)
			if lc == nil {
				p.accuse(l)
			}
			return (lc == nil || yield(lc)) && p.ctx.Err() == nil
		}
		for _, o := range p.c.options[p.c.entities[i]] {
			chosen[p.c.entities[i]] = o
			if !next(i + 1) {
				return false
			}
		}
		return true
	}
	next(0)
}

// layoutName is the canonical text of a layout.
func (p *planner) layoutName(l *layout) string {
	var b strings.Builder
	for _, e := range p.c.entities {
		b.WriteString(e.Name + ": " + l.options[e].name + "\n")
	}
	return b.String()
}

// layoutCase prices a layout and its choices; nil if it cannot serve.
func (p *planner) layoutCase(l *layout) *layoutCase {
	lc := &layoutCase{layout: l, name: p.layoutName(l)}
	for _, e := range p.c.entities {
		k := l.kinds[e]
		if k == nil {
			continue
		}
		if most := p.facts.most(p.price.figure(k, nil).whole, k); most > float64(capacity.ItemBytes) {
			p.note(fmt.Sprintf("one %s could have %s, and an item may have 400 KB", e.Name, show.Bytes(most)), true)
			return nil
		}
	}
	var locators []*demand
	for _, w := range p.c.writes {
		plan, why, limit := writes(p.facts, l, w, p.c.outside[w].actions)
		if why != "" {
			p.note(why, limit)
			return nil
		}
		if most := p.mostBytes(l, plan); plan.transact && most > float64(capacity.TransactionBytes) {
			p.note(fmt.Sprintf("%s could write %.1f MB in one transaction, and DynamoDB takes %d", w.Name, most/float64(capacity.MB), capacity.TransactionBytes/capacity.MB), true)
			return nil
		}
		lc.writes = append(lc.writes, plan)
		locators = append(locators, plan.locators...)
	}
	demands := slices.Concat(p.c.demands, locators)
	plans := make([][]*readPlan, len(demands))
	for i, d := range demands {
		plans[i] = p.plansOf(l, d)
	}
	for i, plans := range p.divide(lc, plans, demands) {
		if len(plans) == 0 {
			p.note("no plan serves "+demands[i].name, false)
			return nil
		}
		lc.demands = append(lc.demands, demandCase{d: demands[i], choices: p.choices(lc, demands[i], plans)})
	}
	p.projections(lc)
	p.fixedCosts(lc)
	p.reads(lc)
	lc.floor = lc.bound(nil)
	return lc
}

// mostBytes is how much a write could write at once, all items at their largest.
func (p *planner) mostBytes(l *layout, w *writePlan) float64 {
	sum := p.c.outside[w.pattern].bytes
	for _, a := range w.acts {
		if !a.beside() {
			k := l.kinds[a.entity]
			sum += float64(p.facts.mostTimes(a.times) * p.facts.most(p.price.figure(k, nil).whole, k))
		}
	}
	return sum
}

// plansOf are the read plans of a demand. They depend on those entities only that it can go over, so layouts share them.
func (p *planner) plansOf(l *layout, d *demand) []*readPlan {
	var b strings.Builder
	b.WriteString(d.name)
	if d.locates != nil {
		b.WriteString(" locate " + d.target.Name)
		for _, r := range d.needs {
			b.WriteString(" " + r.key())
		}
	}
	for _, e := range p.footprint(d) {
		b.WriteByte('\n')
		if o := l.options[e]; o != nil {
			b.WriteString(o.name)
		}
		if k := l.kinds[e]; k != nil {
			b.WriteString("/" + k.id)
			if k.mixed {
				for _, n := range l.neighbours(k) {
					b.WriteString("," + n.entity.Name)
				}
			}
		}
	}
	plans, ok := p.plans[b.String()]
	if !ok {
		s := seeker{facts: p.facts, layout: l, wants: p.c.wants, demands: p.c.demands, d: d}
		plans = s.plans()
		p.plans[b.String()] = plans
	}
	return plans
}

// footprint are the entities on whose storage the plans of a demand depend: those it goes over, and what could hold
// them.
func (p *planner) footprint(d *demand) []*spec.Entity {
	if f := p.foot[d.name+d.target.Name]; f != nil {
		return f
	}
	var out []*spec.Entity
	var add func(e *spec.Entity)
	add = func(e *spec.Entity) {
		if slices.Contains(out, e) {
			return
		}
		out = append(out, e)
		for _, o := range p.c.options[e] {
			if o.within != nil {
				add(o.within.way.To)
			}
			if o.root != nil {
				add(o.root)
			}
		}
	}
	path := func(r ref) {
		for _, h := range r.hops {
			add(h.to())
		}
	}
	add(d.target)
	for _, e := range d.eqs {
		path(e.ref)
	}
	for _, n := range d.ranges {
		path(n.ref)
	}
	for _, o := range d.order {
		path(o.ref)
	}
	for _, r := range d.needs {
		path(r)
	}
	for _, b := range d.back {
		add(b.way.From)
	}
	var follow func([]*wayNode)
	follow = func(ns []*wayNode) {
		for _, n := range ns {
			add(n.entity())
			follow(n.inner)
		}
	}
	follow(d.ways)
	p.foot[d.name+d.target.Name] = out
	return out
}

// choices registers the indexes of some plans in the case.
func (p *planner) choices(lc *layoutCase, d *demand, plans []*readPlan) []*choice {
	var out []*choice
	for _, q := range plans {
		c := &choice{plan: q, points: q.points}
		for _, u := range q.uses() {
			i := slices.IndexFunc(lc.shapes, func(x *shapeCase) bool { return x.shape.id == u.shape.id })
			if i < 0 {
				i = len(lc.shapes)
				points := 2
				if u.shape.local {
					points = 1
				}
				if u.shape.shards > 1 {
					points += shardPoints
				}
				lc.shapes = append(lc.shapes, &shapeCase{shape: u.shape, points: points})
			}
			c.uses = append(c.uses, shapeUse{shape: i, need: u.need})
		}
		out = append(out, c)
	}
	for i, x := range lc.shapes {
		if slices.ContainsFunc(out, func(c *choice) bool {
			return slices.ContainsFunc(c.uses, func(u shapeUse) bool { return u.shape == i })
		}) {
			x.users++
		}
	}
	return out
}

// maxUnion is of how many needs a projection is made up, besides the union of all.
const maxUnion = 3

// projections lists for every index what it could project: the unions of up to three needs, and of all.
func (p *planner) projections(lc *layoutCase) {
	for i, x := range lc.shapes {
		g := p.price.figure(lc.layout.kinds[x.shape.entity], nil)
		var needs [][]string
		var all []string
		for _, dc := range lc.demands {
			for _, c := range dc.choices {
				for _, u := range c.uses {
					if u.shape == i && !slices.ContainsFunc(needs, func(n []string) bool { return slices.Equal(n, u.need) }) {
						needs = append(needs, u.need)
						all = union(all, u.need)
					}
				}
			}
		}
		add := func(need []string) {
			pr := projectionOf(g, x.shape, need)
			if len(pr.include) > capacity.ProjectedAttributes {
				pr = projectAll
			}
			if !slices.ContainsFunc(x.projections, func(q projection) bool { return q.name == pr.name }) {
				x.projections = append(x.projections, pr)
			}
		}
		var pick func(from int, n int, sum []string)
		pick = func(from, n int, sum []string) {
			for j := from; j < len(needs); j++ {
				u := union(sum, needs[j])
				add(u)
				if n > 1 {
					pick(j+1, n-1, u)
				}
			}
		}
		pick(0, maxUnion, nil)
		add(all)
		slices.SortFunc(x.projections, func(a, b projection) int { return cmpText(a.name, b.name) })
	}
}

// fixedCosts prices what a layout costs whatever is chosen.
func (p *planner) fixedCosts(lc *layoutCase) {
	s := p.price.bare(lc.layout, nil)
	cost, points := p.price.fixed(s, p.c, lc.writes)
	lc.fixed, lc.points = cost, points
	for _, o := range lc.layout.options {
		if o.indirect() {
			lc.detours++
		}
	}
	extra := p.extras(lc)
	for i, x := range lc.shapes {
		for _, pr := range x.projections {
			s := p.price.bare(lc.layout, func(*indexShape) projection { return pr })
			x.upkeep = append(x.upkeep, p.price.upkeep(s, x.shape, lc.writes)+extra[i])
		}
	}
}

// extras is what storing the attributes costs that an index adds to items. Attributes that several indexes of the case
// would add are shared among all of them, so that no selection is charged more than it will cost.
func (p *planner) extras(lc *layoutCase) []capacity.Money {
	type need struct {
		entity *spec.Entity
		name   string
	}
	users := map[need]int{}
	added := make([][]column, len(lc.shapes))
	for i, x := range lc.shapes {
		k := lc.layout.kinds[x.shape.entity]
		bare := p.price.figure(k, nil)
		for _, c := range p.price.figure(k, []*indexShape{x.shape}).stored {
			if !slices.ContainsFunc(bare.stored, func(d column) bool { return d.name == c.name }) {
				added[i] = append(added[i], c)
				users[need{k.entity, c.name}]++
			}
		}
	}
	out := make([]capacity.Money, len(lc.shapes))
	for i, x := range lc.shapes {
		e := x.shape.entity
		for _, c := range added[i] {
			bytes := float64(e.Count * c.size.mean())
			out[i] += p.price.tariff.Storage(capacity.Bytes(bytes)) / capacity.Money(users[need{e, c.name}])
		}
	}
	return out
}

// reads prices all choices under all projections.
func (p *planner) reads(lc *layoutCase) {
	for i := range lc.demands {
		dc := &lc.demands[i]
		for _, c := range dc.choices {
			c.base = 0
			for _, t := range c.plan.steps {
				if t.index == nil {
					s := p.price.bare(lc.layout, nil)
					c.base += p.price.readMoney(dc.d, p.price.read(s, dc.d, t))
				}
			}
			for j := range c.uses {
				u := &c.uses[j]
				x := lc.shapes[u.shape]
				g := p.price.figure(lc.layout.kinds[x.shape.entity], nil)
				for _, pr := range x.projections {
					if !pr.serves(projectionOf(g, x.shape, u.need).include) {
						u.price = append(u.price, -1)
						continue
					}
					s := p.price.bare(lc.layout, func(*indexShape) projection { return pr })
					var sum capacity.Money
					for _, t := range c.plan.steps {
						if t.index != nil && t.index.id == x.shape.id {
							sum += p.price.readMoney(dc.d, p.price.read(s, dc.d, t))
						}
					}
					u.price = append(u.price, sum)
				}
			}
		}
		slices.SortStableFunc(dc.choices, func(a, b *choice) int { return cmpText(a.plan.name, b.plan.name) })
		for j, c := range dc.choices {
			c.number = j
		}
	}
}

// readMoney is what a month of a demand's reads costs.
func (p *pricer) readMoney(d *demand, perCall capacity.ReadUnits) capacity.Money {
	rate := d.rate.Average
	if d.locates != nil {
		rate *= d.locates.times.average
	}
	return p.tariff.Reads(capacity.ReadUnits(rate) * perCall)
}

// fixed prices what a layout costs whatever is chosen: storage of items, the table arms of all writes, and what they read
// by known keys.
func (p *pricer) fixed(s *scene, c *component, ws []*writePlan) (cost capacity.Money, points int) {
	cost, points = p.keep(s, c)
	for _, w := range ws {
		cost += p.writeMoney(s, w)
		if w.transact {
			points++
		}
	}
	return cost, points
}

// keep is what a month of keeping all items of a layout costs, and the points of its tables, embeddings and markers.
func (p *pricer) keep(s *scene, c *component) (cost capacity.Money, points int) {
	tables := map[*spec.Entity]bool{}
	for _, e := range c.entities {
		o := s.layout.options[e]
		if o.within != nil && o.own != nil {
			points++ // a kind of copy
		}
		if o.own != nil && o.own.shards > 1 {
			points += shardPoints
		}
		k := s.layout.kinds[e]
		if k == nil {
			continue
		}
		tables[k.table] = true
		cost += p.stored(e.Count, s.figure(e).whole)
		for _, u := range e.Unique {
			cost += p.stored(e.Count, p.marker(e, u))
			points++
		}
		if o.aside != nil {
			for _, a := range o.aside.attrs {
				cost += p.stored(e.Count*float64(o.aside.shards), p.aside(a))
				points++
			}
			if o.aside.shards > 1 {
				points += shardPoints
			}
		}
	}
	return cost, points + 3*len(tables)
}

// writeMoney is what a month of a pattern's writes costs on tables, with what they read by known keys.
func (p *pricer) writeMoney(s *scene, w *writePlan) capacity.Money {
	var units capacity.WriteUnits
	for _, a := range w.acts {
		units += p.arm(s, w, a)
	}
	cost := p.tariff.Writes(units * capacity.WriteUnits(w.pattern.Rate.Average))
	for _, t := range w.reads {
		d := &demand{name: w.pattern.Name, pattern: w.pattern, rate: w.pattern.Rate, skew: w.pattern.Skew}
		cost += p.readMoney(d, p.read(s, d, t))
	}
	return cost
}

// upkeep is what a month of keeping an index true and stored costs.
func (p *pricer) upkeep(s *scene, x *indexShape, ws []*writePlan) capacity.Money {
	cost := p.stored(x.entries(), p.entryOf(s.figure(x.entity), x, s.project(x)).volume)
	for _, w := range ws {
		cost += p.armsMoney(s, x, w)
	}
	return cost
}

// armsMoney is what a month of a pattern's writes costs on an index.
func (p *pricer) armsMoney(s *scene, x *indexShape, w *writePlan) capacity.Money {
	if !slices.ContainsFunc(w.acts, func(a *act) bool { return a.entity == x.entity }) {
		return 0
	}
	key := armsKey{w, x, s.figure(x.entity), s.project(x).name}
	cost, ok := p.arms[key]
	if !ok {
		var units capacity.WriteUnits
		for _, a := range w.acts {
			units += p.indexArm(s, x, w, a)
		}
		cost = p.tariff.Writes(units * capacity.WriteUnits(w.pattern.Rate.Average))
		p.arms[key] = cost
	}
	return cost
}
