package design

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// slack is how much more than the cheapest a simpler design of the same component may cost (2 %).
const slack = 0.02

func withSlack(m capacity.Money) capacity.Money { return m + m/50 }

// A solution is what the search found for one component.
type solution struct {
	planner  *planner
	cheapest *config
	chosen   *config
	bound    capacity.Money // no configuration costs less
	proven   bool           // the cheapest is: nothing was left out
	layouts  int            // that were looked into
}

// An aim says whether a configuration is to take the place of another one.
type aim struct {
	better func(c, d *config) bool
	// most returns the highest cost at which a configuration with no fewer obstacles can be better; nil: cost decides
	// nothing.
	most func(d *config) capacity.Money
}

// byPrice looks for fewer obstacles, then less money.
var byPrice = aim{(*config).cheaper, func(d *config) capacity.Money { return d.cost }}

// atMost returns the highest cost at which another configuration can be better; forever if no cost rules it out.
func (a aim) atMost(d *config) capacity.Money {
	if d == nil || a.most == nil {
		return forever
	}
	return a.most(d)
}

// solve searches a component. It begins with the simplest configuration that there is, every entity under its identity,
// and changes one thing after another as long as that makes it better; what is too hot is divided on the way. Where all
// configurations can be gone through, they are.
func (p *planner) solve() *solution { return p.finish(p.begin()) }

// A beginning is where the search of a component is when no single change makes its configuration better.
type beginning struct {
	best *config
	last bool // nothing better is looked for
}

// begin is the first half of solve: what it comes to is near the best as a rule, and there after a small part of the
// time.
func (p *planner) begin() beginning {
	best := p.start()
	if p.hopeless(best) {
		if best = p.climb(best, aim{better: func(c, d *config) bool { return c.obstacles(d) < 0 }}); !best.admissible() {
			return beginning{best, true}
		}
	}
	best = p.climb(best, byPrice)
	divided := false
	for range maxDivisions {
		hot := p.divideOne(best)
		if hot == nil {
			break
		}
		if divided = true; p.over() {
			break
		}
		again := p.climb(p.settle(p.frame(hot.options), hot, nil, byPrice), byPrice)
		if again.cheaper(best) {
			best = again
		}
	}
	if divided { // there are plans that there were not
		if q := p.climb(p.refresh(best), byPrice); q.cheaper(best) {
			best = q
		}
	}
	p.begun = p.steps
	return beginning{best, false}
}

// finish is the second half.
func (p *planner) finish(b beginning) *solution {
	s, best := &solution{planner: p}, b.best
	if b.last {
		return s.without(best)
	}
	if !best.admissible() {
		if best = p.wander(best); !best.admissible() {
			return s.without(best)
		}
	}
	x := p.exhaust(best)
	best, s.layouts = x.cheapest, len(p.frames)
	if !x.proven {
		best = p.wander(best)
		x.proven = x.proven || best.cost <= x.bound && best.obstacles(&config{}) == 0
	}
	s.cheapest, s.proven, s.bound = best, x.proven, min(x.bound, best.cost)
	s.chosen = p.simplest(best, x.simplest)
	return s
}

// without is a solution that is none: what comes closest does not serve everything, so that nobody asks what it costs.
func (s *solution) without(best *config) *solution {
	s.cheapest, s.chosen, s.layouts = best, best, len(s.planner.frames)
	return s
}

// hopeless reports whether a configuration does not serve some read that no way to store what it depends on serves:
// what is looked for then is what comes closest, and not what is cheap.
func (p *planner) hopeless(c *config) bool {
	for i, d := range p.c.demands {
		if len(c.choices[i]) > 0 {
			continue
		}
		some := false
		if p.waysToStore(p.footprint(d), func(f *frame) { some = some || len(f.choices[i]) > 0 }) && !some {
			return true
		}
	}
	return false
}

// maxDivisions is how often what turns out to be too hot is divided.
const maxDivisions = 6

// start is the configuration in which every entity lies under its identity, but for those of which something would not
// be served so.
func (p *planner) start() *config {
	options := make([]*option, len(p.c.entities))
	for i, e := range p.c.entities {
		options[i] = p.c.options[e][0]
	}
	return p.settle(p.serving(options), nil, nil, byPrice)
}

// serving is the frame of some options, changed one after another as long as more reads and writes can be served so.
// Nothing is priced for that, so that a search that is cut short has a model all the same.
func (p *planner) serving(options []*option) *frame {
	best := p.frame(options)
	for changed := true; changed && best.lacking() > 0; {
		changed = false
		for i, e := range p.c.entities {
			for _, o := range p.c.options[e] {
				if o == best.options[i] {
					continue
				}
				other := slices.Clone(best.options)
				other[i] = o
				p.repair(other, i)
				if f := p.frame(other); f != nil && f.lacking() < best.lacking() {
					best, changed = f, true
				}
			}
		}
	}
	return best
}

// lacking is how many reads and writes a frame cannot serve.
func (f *frame) lacking() int {
	n := len(f.refused)
	for _, choices := range f.choices {
		if len(choices) == 0 {
			n++
		}
	}
	return n
}

// refresh is a configuration with the plans that there are for it by now.
func (p *planner) refresh(c *config) *config {
	return p.settle(p.frame(c.options), c, nil, byPrice)
}

// settle chooses plans in a frame: those of an old configuration where they still exist, else the best one after
// another. look are the demands that are then looked at again; nil: those that had no plan before.
func (p *planner) settle(f *frame, old *config, look []int, is aim) *config {
	plans := make([]*readPlan, len(f.demands))
	var open []int
	for i, d := range f.demands {
		if old != nil {
			if j := old.demand(d, i); j >= 0 && old.plans[j] != nil {
				for _, q := range f.choices[i] {
					if (q == old.plans[j] || q.name == old.plans[j].name) && p.allows(d, q) {
						plans[i] = q
						break
					}
				}
			}
		}
		if plans[i] == nil {
			open = append(open, i)
		}
	}
	c := p.complete(f, plans)
	slices.SortStableFunc(open, func(a, b int) int {
		return cmp.Compare(f.demands[b].rate.Average, f.demands[a].rate.Average)
	})
	for _, i := range open {
		var best *config
		for _, q := range f.choices[i] {
			if !p.allows(f.demands[i], q) {
				continue
			}
			n := p.replan(c, i, q, is, best)
			if best == nil || is.better(n, best) {
				best = n
			}
			if p.any && (best.unserved < c.unserved && best.obstacles(&config{unserved: best.unserved, hard: c.hard, stretched: best.stretched, soft: c.soft}) <= 0 || p.over()) {
				break
			}
		}
		if best != nil {
			c = best
		}
	}
	return p.adjust(c, append(open, look...), is)
}

// demand finds a demand of another configuration in this one; -1 if there is none. i is where it probably is.
func (c *config) demand(d *demand, i int) int {
	if i < len(c.demands) && (c.demands[i] == d || sameDemand(c.demands[i], d)) {
		return i
	}
	return slices.IndexFunc(c.demands, func(e *demand) bool { return sameDemand(e, d) })
}

func sameDemand(a, b *demand) bool {
	return a == b || a.name == b.name && a.target == b.target && (a.locates != nil) == (b.locates != nil) && (a.locates == nil || slices.EqualFunc(a.eqs, b.eqs, func(x, y equality) bool { return x.value == y.value && x.ref.same(y.ref) }))
}

// adjust changes the plans of some demands, one at a time, as long as that makes the configuration better. It ends
// where it is back at the last one that it changed: all others have been looked at since.
func (p *planner) adjust(c *config, demands []int, is aim) *config {
	if p.any && c.admissible() {
		p.note(c)
		return c
	}
	last := -1
	for changed := true; changed && !p.over(); {
		changed = false
		for at, i := range demands {
			if p.late() {
				break
			}
			for _, q := range c.choices[i] {
				if q == c.plans[i] || !p.allows(c.demands[i], q) {
					continue
				}
				if n := p.replan(c, i, q, is, c); is.better(n, c) {
					c, changed, last = n, true, at
				}
			}
			if !changed && at == last {
				break
			}
		}
	}
	p.note(c)
	return c
}

func (c *config) all() []int {
	out := make([]int, len(c.demands))
	for i := range out {
		out[i] = i
	}
	return out
}

// climb makes a configuration better until no single change does. It ends where it is back at the last change that it
// made.
func (p *planner) climb(c *config, is aim) *config {
	c = p.adjust(c, c.all(), is)
	last := 0
	for !p.over() {
		p.tell(c)
		at, changed := 0, false
		tried := func(n *config) (back bool) {
			at++
			if n != nil && n != c && is.better(n, c) {
				c, last, changed = n, at, true
			}
			return !changed && at == last
		}
		if tried(p.reindex(c, is)) {
			return c
		}
		for i := range p.c.entities {
			for _, o := range p.c.options[p.c.entities[i]] {
				var n *config
				if o != c.options[i] && o.near(c.options[i]) && !p.over() {
					n = p.moved(c, is, i, o)
				}
				if tried(n) {
					return c
				}
			}
		}
		for _, r := range p.c.entities {
			if tried(p.gathered(c, is, r)) {
				return c
			}
		}
		if !changed {
			break
		}
	}
	return c
}

// tell reports how far the search is.
func (p *planner) tell(c *config) {
	if p.report != nil {
		cost := c.cost
		if !c.admissible() {
			cost = 0
		}
		p.report(cost)
	}
}

// reindex tries what changes of single plans do not reach: to do without an index, and to have another one that several
// demands would share.
func (p *planner) reindex(c *config, is aim) *config {
	for changed := true; changed && !p.over(); {
		changed = false
		for _, x := range c.indexes {
			if n := p.without(c, x.shape, is); n != nil && is.better(n, c) {
				c, changed = n, true
				break
			}
		}
		if changed {
			continue
		}
		for _, x := range c.candidates() {
			if p.over() {
				return c
			}
			if n := p.with(c, x, is); n != nil && is.better(n, c) {
				c, changed = n, true
				break
			}
		}
	}
	return c
}

// candidates are the indexes that plans of several demands could read, and none does.
func (c *config) candidates() []*indexShape {
	users := map[string]int{}
	shapes := map[string]*indexShape{}
	for i := range c.demands {
		seen := map[string]bool{}
		for _, q := range c.choices[i] {
			for _, u := range q.indexUses {
				if !seen[u.shape.id] {
					seen[u.shape.id] = true
					users[u.shape.id]++
					shapes[u.shape.id] = u.shape
				}
			}
		}
	}
	var out []*indexShape
	for id, x := range shapes {
		if users[id] > 1 && !slices.ContainsFunc(c.indexes, func(y chosenIndex) bool { return y.shape.id == id }) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b *indexShape) int { return cmpText(a.id, b.id) })
	return out
}

func (q *readPlan) reads(x *indexShape) bool {
	return q != nil && slices.ContainsFunc(q.indexUses, func(u indexUse) bool { return u.shape.id == x.id })
}

// without is a configuration that does not have an index; nil if some demand needs it.
func (p *planner) without(c *config, x *indexShape, is aim) *config {
	var users []int
	for i := range c.demands {
		if !c.plans[i].reads(x) {
			continue
		}
		users = append(users, i)
		var best *config
		for _, q := range c.choices[i] {
			if q.reads(x) || !p.allows(c.demands[i], q) {
				continue
			}
			n := p.replan(c, i, q, is, best)
			if best == nil || is.better(n, best) {
				best = n
			}
			if p.any && (best.unserved < c.unserved && best.obstacles(&config{unserved: best.unserved, hard: c.hard, stretched: best.stretched, soft: c.soft}) <= 0 || p.over()) {
				break
			}
		}
		if best == nil {
			return nil
		}
		c = best
	}
	return p.adjust(c, users, is)
}

// with is a configuration in which an index is read by all that gain by it, once it is there.
func (p *planner) with(c *config, x *indexShape, is aim) *config {
	var users []int
	n := c
	for i := range c.demands {
		var best *config
		for _, q := range c.choices[i] {
			if !q.reads(x) || !p.allows(c.demands[i], q) {
				continue
			}
			if m := p.replan(n, i, q, is, best); best == nil || is.better(m, best) {
				best = m
			}
		}
		if best != nil {
			n = best
			users = append(users, i)
		}
	}
	return p.adjust(n, users, is)
}

// moved is a configuration in which an entity is stored in another way, and whatever cannot stay as it is because of
// that in the simplest way; nil if that is impossible.
func (p *planner) moved(c *config, is aim, i int, o *option) *config {
	options := slices.Clone(c.options)
	options[i] = o
	p.repair(options, i)
	return p.reframed(c, options, is)
}

// reframed is a configuration with other options; nil if these do not fit together, or serve less.
func (p *planner) reframed(c *config, options []*option, is aim) *config {
	f := p.frame(options)
	if f == nil || len(f.refused) > c.unserved {
		return nil
	}
	var look []int
	for i, d := range f.demands {
		j := c.demand(d, i)
		if j < 0 || len(c.choices[j]) != len(f.choices[i]) || len(f.choices[i]) > 0 && c.choices[j][0] != f.choices[i][0] {
			if len(f.choices[i]) == 0 && len(f.refused)+1 > c.unserved {
				return nil
			}
			look = append(look, i)
		} else if listsMore(c.options, options, f.choices[i]) {
			look = append(look, i)
		}
	}
	return p.settle(f, c, look, is)
}

// listsMore reports whether some of the plans of a demand want copies in an entity whose option lists other items than
// another one of it does: whether whoever changes their values finds them depends on that.
func listsMore(before, options []*option, plans []*readPlan) bool {
	for i, o := range options {
		if rostersText(o.rosters) == rostersText(before[i].rosters) {
			continue
		}
		for _, q := range plans {
			if slices.ContainsFunc(q.steps, func(t *readStep) bool {
				return slices.ContainsFunc(t.copies, func(r ref) bool { return r.from == o.entity })
			}) {
				return true
			}
		}
	}
	return false
}

// repair makes options fit that of one entity: what lies in an item or a collection needs that item or collection.
func (p *planner) repair(options []*option, fixed int) {
	at := func(e *spec.Entity) int { return slices.Index(p.c.entities, e) }
	first := func(i int, fits func(*option) bool) {
		if k := slices.IndexFunc(p.c.options[p.c.entities[i]], fits); k >= 0 {
			options[i] = p.c.options[p.c.entities[i]][k]
		}
	}
	if o := options[fixed]; o.within != nil {
		if i := at(o.within.way.To); !options[i].houses() {
			first(i, (*option).houses)
		}
	}
	for _, root := range options[fixed].roots() {
		if i := at(root); !options[i].hosts() {
			first(i, (*option).hosts)
		}
	}
	for i, o := range options {
		if i == fixed {
			continue
		}
		if o.within != nil {
			if !options[at(o.within.way.To)].houses() {
				options[i] = p.c.options[p.c.entities[i]][0]
			}
		}
		if slices.ContainsFunc(options[i].roots(), func(root *spec.Entity) bool { return !options[at(root)].hosts() }) {
			options[i] = p.c.options[p.c.entities[i]][0]
		}
	}
}

// hosts reports whether others can join the collection of an option.
func (o *option) hosts() bool { return o.own != nil && o.root == nil && o.within == nil && o.bare() }

// gathered is a configuration in which all that is read together with an entity lies in its collection; nil if nothing
// can.
func (p *planner) gathered(c *config, is aim, root *spec.Entity) *config {
	options := slices.Clone(c.options)
	some := 0
	for i, e := range p.c.entities {
		if k := slices.IndexFunc(p.c.options[e], func(o *option) bool { return o.root == root && o.within == nil }); k >= 0 && c.options[i].root != root {
			options[i] = p.c.options[e][k]
			p.repair(options, i)
			some++
		}
	}
	if some < 2 { // one alone has been tried
		return nil
	}
	return p.reframed(c, options, is)
}

// note keeps what is found near the cheapest, for explanations.
func (p *planner) note(c *config) {
	if !c.admissible() {
		for _, why := range c.losses {
			p.losses[why]++
		}
		return
	}
	if p.any {
		p.ended = true
	}
	if len(p.pool) < maxPool {
		p.pool[c.describe()] = c
	}
}

// maxPool is how many configurations are kept for explanations.
const maxPool = 4_000

// cheaperThan compares what serves everything by its price alone.
func (c *config) cheaperThan(d *config) bool {
	return c.unserved == 0 && (d.unserved > 0 || c.cost < d.cost)
}

// meet keeps the cheapest of what serves everything but for limits on keys, for each set of keys that are too hot: also where something
// cooler is chosen, since it may be the cheapest of all once these keys are divided.
func (p *planner) meet(c *config) {
	if c.unserved > 0 || len(c.crowded) == 0 || c.beaten {
		return
	}
	keys := fmt.Sprint(c.crowded)
	if d := p.hotter[keys]; d == nil || c.cost < d.cost {
		p.hotter[keys] = c
	}
}

// divideOne divides what is too hot in the cheapest of what has been met that would be cheaper than a configuration, or in that itself,
// and answers which it is; nil if nothing helps.
func (p *planner) divideOne(best *config) *config {
	hotter := slices.SortedFunc(maps.Values(p.hotter), func(c, d *config) int {
		return cmp.Or(cmp.Compare(c.cost, d.cost), cmpText(c.describe(), d.describe()))
	})
	clear(p.hotter)
	for _, c := range hotter {
		if c.cheaperThan(best) && p.divideHot(c) {
			return c
		}
	}
	if len(best.crowded) > 0 && p.divideHot(best) {
		return best
	}
	return nil
}

// divideHot finds what of a configuration is too hot, and adds candidates that divide it. It answers false if nothing
// helps.
func (p *planner) divideHot(c *config) bool {
	loads := p.loads(c)
	some := false
	for i, h := range loads {
		share := float64(capacity.Heat(capacity.ReadUnits(h.read), capacity.WriteUnits(h.write)))
		meets := h.meet / capacity.ContentionLimit
		if max(share, meets) <= 1 {
			continue
		}
		some = p.divideKey(c, p.pricer.hot[i], h) || some
	}
	if some {
		clear(p.frames)
		clear(p.plans)
	}
	return some
}

// headroom is by how much shards are more than the peak needs, and maxShards how many there are at most.
const (
	headroom  = 1.5
	maxShards = 1024
)

// shardsFor is into how many parts something is divided that carries so many times what DynamoDB gives one key: the
// next power of two.
func shardsFor(share float64) int {
	return int(min(math.Exp2(math.Ceil(math.Log2(headroom*share))), maxShards))
}

// divideKey adds candidates that divide one key. Only what is written is cooled by that: a query asks every part.
func (p *planner) divideKey(c *config, k hotKey, h heat) bool {
	need := max(h.write/float64(capacity.PartitionWrites), h.read/float64(capacity.PartitionReads), h.meet/capacity.ContentionLimit)
	n := shardsFor(need)
	why := p.heatWords(h)
	if x := p.indexAt(k.place); x != nil {
		bare := *x
		bare.shards, bare.by = 0, nil
		id := bare.describe()
		if x.local || apartFrom(x.entity, x.partition) == nil || p.hot[id] && p.shards[x.entity] >= n*max(x.shards, 1) {
			return false
		}
		p.hot[id] = true
		p.heatOf[id] = why
		p.shards[x.entity] = max(p.shards[x.entity], min(n*max(x.shards, 1), maxShards))
		return true
	}
	for _, e := range p.c.entities {
		kind := c.layout.kinds[e]
		if kind == nil {
			continue
		}
		if o := kind.option.aside; o != nil && k.item {
			if i := slices.IndexFunc(o.attrs, func(a *spec.Attribute) bool { return asideName(a) == k.place }); i >= 0 {
				return p.addAside(e, kind.option, min(n*o.shards, maxShards), why)
			}
		}
		if e.Name == k.place && kind.table == e && !k.item {
			return p.addShards(e, kind.option, n, why)
		}
	}
	return false
}

// heatWords says what a key carries.
func (p *planner) heatWords(h heat) string {
	if w := h.write / float64(capacity.PartitionWrites); w >= h.read/float64(capacity.PartitionReads) {
		return unitsText(h.write, "written", float64(capacity.PartitionWrites))
	}
	return unitsText(h.read, "read", float64(capacity.PartitionReads))
}

// addShards adds to the options of an entity those that divide its table.
func (p *planner) addShards(e *spec.Entity, like *option, n int, why string) bool {
	o := like
	if o.own == nil || o.root != nil || o.pack != nil || ownPartition(e, o.own.partition) || slices.ContainsFunc(o.own.partition, func(r ref) bool { return !composable(r.attr) }) {
		return false
	}
	n = min(max(n*max(o.own.shards, 1), p.shards[e]), maxShards)
	own := *o.own
	own.shards, own.by = n, apartFrom(e, own.partition)
	if own.by == nil {
		return false
	}
	q := *o
	q.own = &own
	if !p.add(e, &q) {
		return false
	}
	p.shards[e] = n
	p.heatOf[q.name] = why
	return true
}

// addAside adds to the options of an entity those that divide what is counted of it.
func (p *planner) addAside(e *spec.Entity, like *option, n int, why string) bool {
	some := false
	for _, o := range slices.Clone(p.c.options[e]) {
		if o.aside == nil || o.aside.stream != like.aside.stream || !slices.Equal(o.aside.attrs, like.aside.attrs) {
			continue
		}
		q := *o
		q.aside = &aside{attrs: o.aside.attrs, shards: n, stream: o.aside.stream}
		if p.add(e, &q) {
			p.heatOf[q.name] = why
			some = true
		}
	}
	return some
}

// add adds an option; false if there is such a one.
func (p *planner) add(e *spec.Entity, o *option) bool {
	o.name = o.text()
	if slices.ContainsFunc(p.c.options[e], func(q *option) bool { return q.name == o.name }) {
		return false
	}
	p.c.options[e] = append(p.c.options[e], o)
	return true
}

// wander changes two related entities at once, as long as there is time.
func (p *planner) wander(best *config) *config {
	for changed := true; changed && !p.over(); {
		changed = false
		for i, a := range p.c.entities {
			for j, b := range p.c.entities {
				if i >= j || !p.related(a, b) {
					continue
				}
				for _, o := range p.c.options[a] {
					for _, q := range p.c.options[b] {
						if o == best.options[i] || q == best.options[j] || !o.near(best.options[i]) || !q.near(best.options[j]) {
							continue
						}
						if p.over() {
							return best
						}
						options := slices.Clone(best.options)
						options[i], options[j] = o, q
						p.repair(options, j)
						if options[i] != o || p.lacks(best) && !p.promises(p.frame(options), best) {
							continue
						}
						if n := p.reframed(best, options, byPrice); n != nil && n.cheaper(best) {
							best, changed = p.climb(n, byPrice), true
						}
					}
				}
			}
		}
	}
	return best
}

// lacks reports whether some read or write of a configuration cannot be served, whatever plans are chosen.
func (p *planner) lacks(c *config) bool {
	return len(c.frame.refused) > 0 || slices.ContainsFunc(c.choices[:len(p.c.demands)], func(qs []*readPlan) bool { return len(qs) == 0 })
}

// promises reports whether a frame serves something that that of a configuration does not.
func (p *planner) promises(f *frame, c *config) bool {
	if f == nil || len(f.refused) < len(c.frame.refused) {
		return f != nil
	}
	for i := range p.c.demands {
		if len(c.choices[i]) == 0 && len(f.choices[i]) > 0 {
			return true
		}
	}
	return false
}

// related reports whether the plans of some demand depend on both entities.
func (p *planner) related(a, b *spec.Entity) bool {
	return slices.ContainsFunc(p.c.demands, func(d *demand) bool {
		es := p.footprint(d)
		return slices.Contains(es, a) && slices.Contains(es, b)
	})
}

// simplest finds the configuration with the fewest points that costs at most the slack more than the cheapest.
func (p *planner) simplest(cheapest *config, proven bool) *config {
	limit := withSlack(cheapest.cost)
	is := aim{func(c, d *config) bool {
		if (c.cost <= limit) != (d.cost <= limit) {
			return c.cost <= limit
		}
		return c.simpler(d)
	}, func(d *config) capacity.Money {
		if d.cost <= limit {
			return limit
		}
		return forever
	}}
	best := cheapest
	for _, name := range sortedNames(p.pool) {
		if c := p.pool[name]; c.cost <= limit && is.better(c, best) {
			best = c
		}
	}
	if proven || p.ctx.Err() != nil {
		return best
	}
	ended := p.ended
	p.ended = false
	budget, most := p.budget, p.most
	p.budget, p.most = p.steps+simplerSteps, p.compared+simplerCompared
	best = p.climb(best, is)
	p.budget, p.most, p.ended = budget, most, ended
	return best
}

// simplerSteps bounds the search for what is simpler.
const simplerSteps = 2_000
