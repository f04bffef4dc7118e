package design

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// planner searches the configurations of one component.
type planner struct {
	ctx    context.Context // of the one call that searches
	facts  *facts
	pricer *pricer
	c      *component

	frames  map[string]*frame
	figures map[string]*figure
	banned  map[string]bool   // plans that the compiler refuses, by what they stand in and name
	barred  map[string]string // what it refuses of writes, and why
	plans   map[string][]*readPlan
	written map[string]*synthesis
	foot    map[string][]*spec.Entity
	shapes  map[string]*indexShape // by place
	heats   []heat                 // room to add them up

	shards map[*spec.Entity]int // into how many parts what is hot of an entity is divided
	hot    map[string]bool      // indexes of which some key is too hot in one piece, by canonical text
	heatOf map[string]string    // why something is divided, in words
	losses map[string]int       // why configurations were left out, and how many
	misses map[string]string    // by demand: why no index serves it

	pin         *pin
	report      func(capacity.Money)
	compared    int // configurations
	most        int // of these; see mostCompared
	steps       int // of the search so far
	begun       int // of these until no single change made it better
	budget      int // of steps; 0: no limit
	deadline    time.Time
	patience    time.Time // for explanations
	explained   int       // steps of explanations so far
	weighed     int       // configurations that were compared for them
	ended       bool
	any         bool               // whatever serves everything will do
	pool        map[string]*config // what was found near the cheapest
	hotter      map[string]*config // the cheapest of what serves everything but for limits on keys, by the keys that are too hot
	leastPoints int                // of what costs hardly more than the cheapest
}

// newPlanner prepares the search of a component. When ctx ends, the search ends soon, with what it has found by then.
func newPlanner(ctx context.Context, f *facts, p *pricer, c *component) *planner {
	return &planner{
		ctx: ctx, facts: f, pricer: p, c: c, frames: map[string]*frame{}, figures: map[string]*figure{}, plans: map[string][]*readPlan{},
		most: mostCompared, written: map[string]*synthesis{}, foot: map[string][]*spec.Entity{}, shapes: map[string]*indexShape{}, banned: map[string]bool{}, barred: map[string]string{},
		shards: map[*spec.Entity]int{}, hot: map[string]bool{}, heatOf: map[string]string{}, losses: map[string]int{}, misses: map[string]string{}, pool: map[string]*config{}, hotter: map[string]*config{}, leastPoints: 1 << 30,
	}
}

// mostCompared is how many configurations of a component are compared at most: a step compares few or hundreds of them, and
// they are what takes time. What is simpler is looked for among simplerCompared more, and explanations take
// explainCompared.
const (
	mostCompared    = 60_000
	simplerCompared = 10_000
	explainCompared = 12_000
)

// over reports whether the search is to end: its steps are used up, its time is, or whoever asked wants no more.
func (p *planner) over() bool {
	if p.ended {
		return true
	}
	p.steps++
	if p.budget > 0 && (p.steps > p.budget || p.most > 0 && p.compared > p.most) {
		p.ended = true
	}
	return p.late()
}

// late is over without a step: whoever prices much within one asks it.
func (p *planner) late() bool {
	if !p.ended && (p.ctx.Err() != nil || !p.deadline.IsZero() && time.Now().After(p.deadline)) {
		p.ended = true
	}
	return p.ended
}

// synthesis is the plan of a write in some layouts, or why there is none.
type synthesis struct {
	*writePlan
	why   string
	limit bool
}

// writePlan is the plan of a write in a layout. It depends on what the write touches and what is next to that, so layouts
// share it. extras are what indexes and reads want; known the keys that the configuration finds for the write.
func (p *planner) writePlan(l *layout, w *spec.Pattern, extras map[*spec.Entity]extra, known []*demand) *synthesis {
	var b strings.Builder
	b.WriteString(w.Name)
	for _, e := range p.affected(w) {
		b.WriteByte('\n')
		p.describe(&b, l, e)
	}
	for _, e := range sortedEntities(extras) {
		for _, r := range extras[e].copies {
			b.WriteString("\n" + e.Name + "." + r.key())
			for _, h := range r.hops {
				b.WriteByte(' ')
				p.describe(&b, l, h.way.To)
			}
		}
		for _, x := range extras[e].lists {
			b.WriteString("\n" + x.id)
		}
	}
	s := p.written[b.String()]
	if s == nil {
		plan, why, limit := writes(p.facts, l, w, p.c.outside[w].actions, extras, known)
		s = &synthesis{plan, why, limit}
		plan.refused = why != ""
		p.pricer.plans++
		plan.number = p.pricer.plans
		for _, a := range plan.acts {
			if !slices.Contains(plan.touched, a.item()) {
				plan.touched = append(plan.touched, a.item())
			}
		}
		for _, t := range plan.reads {
			if !slices.Contains(plan.touched, t.kinds[0]) {
				plan.touched = append(plan.touched, t.kinds[0])
			}
		}
		for _, x := range plan.beside() {
			if root := l.host(x); root != nil && !slices.Contains(plan.touched, root) {
				plan.touched = append(plan.touched, root)
			}
		}
		p.written[b.String()] = s
	}
	return s
}

// describe writes how an entity is stored, as far as plans depend on it.
func (p *planner) describe(b *strings.Builder, l *layout, e *spec.Entity) {
	if o := l.options[e]; o != nil {
		b.WriteString(o.name)
	}
	if k := l.kinds[e]; k != nil {
		b.WriteString("/" + k.id)
		if k.mixed {
			for _, n := range l.neighbours(k) {
				b.WriteString("," + n.entity.Name)
				for _, g := range n.guests {
					b.WriteString("," + g.name())
				}
			}
		}
	}
}

// affected are the entities on whose storage the plan of a write depends: what it touches, what these point to, and what
// points to these.
func (p *planner) affected(w *spec.Pattern) []*spec.Entity {
	name := "write " + w.Name
	if es := p.foot[name]; es != nil {
		return es
	}
	var out []*spec.Entity
	add := func(e *spec.Entity) {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	for _, t := range p.facts.touches {
		if t.pattern != w {
			continue
		}
		add(t.entity)
		for _, way := range t.entity.There {
			add(way.To)
		}
		for _, e := range p.c.entities {
			if slices.ContainsFunc(e.There, func(way *spec.Relationship) bool { return way.To == t.entity }) {
				add(e)
			}
		}
	}
	p.foot[name] = out
	return out
}

// unserved says that no plan serves a demand, and what would help.
func (p *planner) unserved(d *demand) string {
	text := "no plan serves " + d.name
	if why := cmp.Or(p.facts.homeless(d), p.misses[d.name]); why != "" {
		text += ": " + why
		p.facts.remedies[text] = true
	}
	return text
}

// plansOf are the read plans of a demand. They depend on those entities only that it can go over, so layouts share them.
func (p *planner) plansOf(l *layout, d *demand) []*readPlan {
	var b strings.Builder
	b.WriteString(d.name)
	if d.locates != nil {
		b.WriteString(" locate " + d.target.Name)
		for _, e := range d.eqs {
			b.WriteString(" " + e.ref.key() + "=" + e.value)
		}
		for _, r := range d.needs {
			b.WriteString(" " + r.key())
		}
	}
	for _, e := range p.footprint(d) {
		b.WriteByte('\n')
		p.describe(&b, l, e)
	}
	plans, ok := p.plans[b.String()]
	if !ok {
		s := seeker{facts: p.facts, layout: l, wants: p.c.wants, demands: p.c.demands, d: d, misses: p.misses}
		plans = p.divide(l, s.plans())
		plans = slices.DeleteFunc(plans, func(q *readPlan) bool { return p.banned[b.String()+q.name] })
		for _, q := range plans {
			p.pricer.plans++
			q.number = p.pricer.plans
			q.indexUses, q.within = q.uses(), b.String()
			for _, x := range q.beside() {
				if root := l.host(x); root != nil {
					q.touched, q.based = append(q.touched, root), append(q.based, root)
				}
			}
			for _, t := range q.steps {
				for _, e := range t.kinds {
					if t.marker == nil && t.aside == nil && !slices.Contains(q.touched, e) {
						q.touched = append(q.touched, e)
					}
					if t.marker == nil && t.aside == nil && t.index == nil && !slices.Contains(q.based, e) {
						q.based = append(q.based, e)
					}
				}
			}
		}
		p.plans[b.String()] = plans
	}
	return plans
}

// footprint are the entities on whose storage the plans of a demand depend: those it goes over, and what could hold
// them.
func (p *planner) footprint(d *demand) []*spec.Entity {
	if f := p.foot[d.name+" "+d.target.Name]; f != nil {
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
			for _, root := range o.roots() {
				add(root)
			}
		}
	}
	path := func(r ref) {
		for _, h := range r.hops {
			add(h.way.From)
			add(h.to())
		}
	}
	add(d.target)
	for _, e := range d.eqs {
		path(e.ref)
		if w := e.ref.attr.Reference; w != nil {
			add(w.To)
		}
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
		path(ref{hops: b.there})
	}
	var follow func([]*wayNode)
	follow = func(ns []*wayNode) {
		for _, n := range ns {
			add(n.entity())
			follow(n.inner)
		}
	}
	follow(d.ways)
	p.foot[d.name+" "+d.target.Name] = out
	return out
}

// divide adds to some plans those that read hot indexes in shards.
func (p *planner) divide(l *layout, plans []*readPlan) []*readPlan {
	out := slices.Clone(plans)
	for _, q := range plans {
		if d := p.divided(l, q); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// divided is a plan that reads hot indexes in shards; nil if it reads none, or cannot.
func (p *planner) divided(l *layout, q *readPlan) *readPlan {
	out := *q
	out.steps = slices.Clone(q.steps)
	some := false
	for i, t := range q.steps {
		if t.index == nil || t.index.local || !p.hot[t.index.id] {
			continue
		}
		by := apartFrom(t.index.entity, t.index.partition)
		if by == nil || len(t.index.partition)+len(t.index.marks()) >= capacity.IndexPartitionKeyParts {
			return nil
		}
		if own := l.kinds[t.index.entity].option.own; own.shards > 1 && own.by != by {
			return nil
		}
		x := *t.index
		x.shards, x.by = p.shards[x.entity], by
		x.id = x.describe()
		u := *t
		u.index = &x
		out.steps[i] = &u
		some = true
	}
	if !some {
		return nil
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
