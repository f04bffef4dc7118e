package design

import (
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

// Where a component has few enough layouts, all of its configurations are gone through, those that cannot cost less than
// the best one in whole branches.

// maxLayouts is how many layouts are gone through.
const maxLayouts = 600

// exhaust goes through everything that could cost less than a configuration, or be simpler at hardly more. It answers the
// cheapest, and whether that is proven.
func (p *planner) exhaust(best *config) (*config, bool) {
	frames, all := p.layouts()
	if !all || best.obstacles(&config{stretched: best.stretched}) != 0 {
		return best, false
	}
	for _, f := range frames {
		if p.over() {
			return best, false
		}
		b := p.bounds(f)
		if b == nil {
			continue
		}
		b.search(p, func(cost capacity.Money, points int) bool {
			return cost <= best.cost || cost <= withSlack(best.cost) && points <= p.leastPoints
		}, func(c *config) {
			if c.obstacles(&config{stretched: best.stretched}) > 0 {
				p.note(c)
				return
			}
			if c.cheaper(best) {
				best = c
			}
			p.note(c)
			if c.cost <= withSlack(best.cost) {
				p.leastPoints = min(p.leastPoints, c.points)
			}
		})
	}
	return best, !p.ended
}

// layouts are the frames of all layouts that serve all writes, if there are few enough.
func (p *planner) layouts() (out []*frame, all bool) {
	n := 1
	for _, e := range p.c.entities {
		if n *= len(p.c.options[e]); n > maxLayouts {
			return nil, false
		}
	}
	options := make([]*option, len(p.c.entities))
	var next func(i int)
	next = func(i int) {
		if i == len(options) {
			if f := p.frame(options); f != nil && len(f.refused) == 0 && !slices.ContainsFunc(f.choices, func(qs []*readPlan) bool { return len(qs) == 0 }) {
				out = append(out, f)
			}
			return
		}
		for _, o := range p.c.options[p.c.entities[i]] {
			options[i] = o
			next(i + 1)
		}
	}
	next(0)
	return out, true
}

// least is what parts of the configurations of a frame cost at least: an index that only one plan reads projects no more
// than that plan needs.
type least struct {
	f      *frame
	fixed  capacity.Money // tables and their writes
	points int
	read   [][]capacity.Money // by demand and choice
	use    [][][]indexCost    // by demand, choice and index that it reads
	users  []int              // by index: demands that could read it
	own    []int              // by index: its points
}

type indexCost struct {
	index  int
	upkeep capacity.Money
}

func (p *planner) bounds(f *frame) *least {
	b := &least{f: f, read: make([][]capacity.Money, len(f.demands)), use: make([][][]indexCost, len(f.demands))}
	bare := p.complete(f, make([]*readPlan, len(f.demands)))
	for _, x := range slices.Concat(bare.writes, bare.kept) {
		if x.why != "" {
			return nil
		}
		b.fixed += x.money
	}
	b.points = bare.points
	shapes := map[string]int{}
	for i := range f.demands {
		seen := map[int]bool{}
		for _, q := range f.choices[i] {
			plans := make([]*readPlan, len(f.demands))
			plans[i] = q
			c := p.complete(f, plans)
			b.read[i] = append(b.read[i], c.reads[i].money)
			var uses []indexCost
			for j, x := range c.indexes {
				n, ok := shapes[x.shape.id]
				if !ok {
					n = len(shapes)
					shapes[x.shape.id] = n
					b.users = append(b.users, 0)
					b.own = append(b.own, x.shape.points())
				}
				if !seen[n] {
					seen[n] = true
					b.users[n]++
				}
				u := indexCost{index: n, upkeep: p.indexPiece(c, c.layout.kinds[c.layout.kinds[x.shape.entity].table], &c.indexes[j]).money}
				for _, arm := range c.arms[j] {
					if arm != nil {
						u.upkeep += arm.money
					}
				}
				uses = append(uses, u)
			}
			b.use[i] = append(b.use[i], uses)
		}
	}
	return b
}

// node is a partial choice.
type node struct {
	plans  []int // -1: not decided
	cost   capacity.Money
	points int
	open   map[int]capacity.Money
}

func (b *least) search(p *planner, within func(capacity.Money, int) bool, found func(*config)) {
	n := &node{plans: make([]int, len(b.f.demands)), cost: b.fixed, points: b.points, open: map[int]capacity.Money{}}
	for i := range n.plans {
		n.plans[i] = -1
	}
	b.descend(p, n, within, found)
}

// share is the least that a choice adds, with its share of indexes that are not there yet.
func (b *least) share(n *node, i, j int) capacity.Money {
	sum := b.read[i][j]
	for _, u := range b.use[i][j] {
		if _, ok := n.open[u.index]; !ok {
			sum += u.upkeep / capacity.Money(b.users[u.index])
		}
	}
	return sum
}

func (b *least) descend(p *planner, n *node, within func(capacity.Money, int) bool, found func(*config)) {
	if p.over() {
		return
	}
	total := n.cost
	pick, most := -1, capacity.Money(-1)
	for i, j := range n.plans {
		if j >= 0 {
			continue
		}
		first, second := capacity.Money(math.MaxInt64), capacity.Money(math.MaxInt64)
		for k := range b.read[i] {
			if s := b.share(n, i, k); s < first {
				first, second = s, first
			} else if s < second {
				second = s
			}
		}
		total += first
		if d := second - first; d > most {
			pick, most = i, d
		}
	}
	if !within(total, n.points) {
		return
	}
	if pick < 0 {
		plans := make([]*readPlan, len(n.plans))
		for i, j := range n.plans {
			plans[i] = b.f.choices[i][j]
		}
		found(p.complete(b.f, plans))
		return
	}
	order := make([]int, len(b.read[pick]))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int {
		if a, c := b.share(n, pick, x), b.share(n, pick, y); a != c {
			if a < c {
				return -1
			}
			return 1
		}
		return cmpText(b.f.choices[pick][x].name, b.f.choices[pick][y].name)
	})
	for _, k := range order {
		m := &node{plans: slices.Clone(n.plans), cost: n.cost + b.read[pick][k], points: n.points + b.f.choices[pick][k].points, open: n.open}
		m.plans[pick] = k
		cloned := false
		for _, u := range b.use[pick][k] {
			old, ok := m.open[u.index]
			if ok && old >= u.upkeep {
				continue
			}
			if !cloned {
				m.open, cloned = maps.Clone(n.open), true
			}
			if !ok {
				m.points += b.own[u.index]
			}
			m.cost += u.upkeep - old
			m.open[u.index] = u.upkeep
		}
		b.descend(p, m, within, found)
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
