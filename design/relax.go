package design

import (
	"cmp"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

// A relaxation is what the configurations of a frame cost at least. Tables and writes cost what they do without indexes. A
// plan costs what it reads if there is no other plan, and its share of the indexes that it reads. An index costs what one of
// its plans makes of it: it is a pile of parts, and a plan that needs more projected needs more of the pile.
//
// How the plans share a part is free, as long as all shares together are at most its cost: whatever plans are chosen then cost
// no less than the sum of the cheapest plan of each demand. Dual ascent looks for shares with which that sum is large.
type relaxation struct {
	f      *frame
	bare   *config
	clear  bool // plans that make something too hot are left out
	much   bool // plans that read very much are not left out with them
	fixed  capacity.Money
	choice [][]choice // by demand
	least  []int      // by demand: the fewest points of a plan
	parts  []part
	pay    [][]capacity.Money // by demand and part: the shares
	bound  capacity.Money     // no configuration of the frame costs less
}

// choice is a plan of a demand.
type choice struct {
	plan   *readPlan
	read   capacity.Money
	points int
	parts  []int
	upkeep []indexCost // what it makes of indexes
}

type indexCost struct {
	id     string
	points int
	money  capacity.Money
}

// part of an index: what its upkeep costs from one height on to the next.
type part struct {
	index string
	cost  capacity.Money
	above capacity.Money // of the pile, with this part
}

// Rounds of dual ascent for a frame, and for a node of its search.
const (
	rootRounds = 150
	nodeRounds = 4
)

// forever is more than anything costs.
const forever = capacity.Money(math.MaxInt64 / 4)

// relaxed begins the relaxation of a frame; nil if its tables and writes cannot be. clear leaves out what makes something too
// hot, or reads very much if not even much is allowed.
func (p *planner) relaxed(f *frame, clear, much bool) *relaxation {
	b := &relaxation{f: f, bare: p.complete(f, make([]*readPlan, len(f.demands))), clear: clear, much: much}
	if b.bare.unserved > len(f.demands) || clear && b.bare.obstacles(&config{unserved: b.bare.unserved}) > 0 { // more than its plans is missing
		return nil
	}
	b.fixed = b.bare.cost
	for j, w := range f.plans {
		if len(w.locators) > 0 {
			b.fixed += p.leastWrite(f, nil, -1, j, "")
		}
	}
	b.bound = b.fixed
	for _, d := range f.demands {
		b.bound += p.leastRead(d)
	}
	return b
}

// maxWays bounds the ways in which a write could find its keys that are looked at.
const maxWays = 16

// leastWrite is what a write costs at least on tables, or on one index, whatever finds its keys; a plan of one demand is given.
func (p *planner) leastWrite(f *frame, given *readPlan, at, write int, index string) capacity.Money {
	var open []int
	ways := 1
	for i, d := range f.demands {
		if i != at && slices.Contains(f.plans[write].locators, d) {
			open = append(open, i)
			ways *= len(f.choices[i])
		}
	}
	if ways > maxWays {
		return 0
	}
	least := forever
	plans := make([]*readPlan, len(f.demands))
	if given != nil {
		plans[at] = given
	}
	var next func(k int)
	next = func(k int) {
		if k < len(open) {
			for _, q := range f.choices[open[k]] {
				plans[open[k]] = q
				next(k + 1)
			}
			return
		}
		c := &config{frame: f, plans: plans}
		p.equip(c)
		var x *chosenIndex
		for i := range c.indexes {
			if c.indexes[i].shape.id == index {
				x = &c.indexes[i]
			}
		}
		if w := p.writePiece(c, c.writing[write], x); w.why == "" {
			least = min(least, w.money)
		}
	}
	next(0)
	if least == forever {
		return 0
	}
	return least
}

// barred reports whether a configuration with so many open demands has obstacles that no plan of them takes away: what is
// added makes none of these less.
func (b *relaxation) barred(c *config, open int) bool {
	allowed := &config{unserved: open}
	if b.much {
		allowed.stretched = c.stretched
	}
	return c.obstacles(allowed) > 0
}

// plansAt fills in what the plans of one demand cost at least.
func (b *relaxation) plansAt(p *planner, i int) {
	f := b.f
	for _, q := range f.choices[i] {
		if p.late() {
			return
		}
		c := p.replan(b.bare, i, q, aim{}, nil)
		if c.unserved >= len(f.demands) || b.clear && b.barred(c, c.unserved) {
			continue
		}
		o := choice{plan: q, read: c.reads[i].money, points: q.points}
		for j, w := range f.plans {
			if len(w.locators) == 1 && w.locators[0] == f.demands[i] {
				o.read += max(0, c.writes[j].money-p.leastWrite(f, nil, -1, j, ""))
			}
		}
		for k, x := range c.indexes {
			u := indexCost{id: x.shape.id, points: x.shape.points(), money: p.indexPiece(c, c.layout.kinds[c.layout.kinds[x.shape.entity].table], &c.indexes[k]).money}
			for j, arm := range c.arms[k] {
				if arm == nil {
					continue
				}
				u.money += arm.money
				if len(f.plans[j].locators) > 0 && (len(f.plans[j].locators) > 1 || f.plans[j].locators[0] != f.demands[i]) {
					u.money += p.leastWrite(f, q, i, j, x.shape.id)
				}
			}
			o.upkeep = append(o.upkeep, u)
		}
		b.choice[i] = append(b.choice[i], o)
	}
}

// tighten prices all plans of a frame, those of frequent demands first, and shares indexes among them. It ends as soon as the
// frame costs more than something.
func (b *relaxation) tighten(p *planner, more capacity.Money) {
	n := len(b.f.demands)
	b.choice = make([][]choice, n)
	b.least = make([]int, n)
	order := make([]int, n)
	users := map[string]int{}
	for i := range order {
		order[i] = i
		seen := map[string]bool{}
		for _, q := range b.f.choices[i] {
			for _, u := range q.indexUses {
				if !seen[u.shape.id] {
					seen[u.shape.id] = true
					users[u.shape.id]++
				}
			}
		}
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Compare(b.f.demands[y].rate.Average, b.f.demands[x].rate.Average)
	})
	for _, i := range order {
		if p.over() {
			return
		}
		if b.plansAt(p, i); p.ended { // not all of them
			return
		}
		first := forever
		b.least[i] = 1 << 20
		for _, o := range b.choice[i] {
			sum := o.read
			for _, u := range o.upkeep {
				sum += u.money / capacity.Money(users[u.id])
			}
			first, b.least[i] = min(first, sum), min(b.least[i], o.points)
		}
		if first == forever { // no plan of this demand can be
			b.bound = forever
			return
		}
		b.bound += first - p.leastRead(b.f.demands[i])
		if b.bound > more {
			return
		}
	}
	b.pile()
	b.pay = make([][]capacity.Money, n)
	for i := range b.pay {
		b.pay[i] = make([]capacity.Money, len(b.parts))
	}
	root := &node{plans: make([]int, n)}
	for i := range root.plans {
		root.plans[i] = -1
	}
	root.pay = b.pay
	b.bound = max(b.bound, b.fixed+b.ascend(root, rootRounds, more-b.fixed))
	b.pay = root.pay
}

// pile divides indexes into parts.
func (b *relaxation) pile() {
	heights := map[string][]capacity.Money{}
	var ids []string
	for _, os := range b.choice {
		for _, o := range os {
			for _, u := range o.upkeep {
				if heights[u.id] == nil {
					ids = append(ids, u.id)
				}
				heights[u.id] = append(heights[u.id], u.money)
			}
		}
	}
	from := map[string]int{}
	for _, id := range ids {
		hs := heights[id]
		slices.Sort(hs)
		from[id] = len(b.parts)
		below := capacity.Money(0)
		for _, h := range slices.Compact(hs) {
			if h > below {
				b.parts = append(b.parts, part{index: id, cost: h - below, above: h})
				below = h
			}
		}
	}
	for i := range b.choice {
		for j := range b.choice[i] {
			o := &b.choice[i][j]
			for _, u := range o.upkeep {
				for k := from[u.id]; k < len(b.parts) && b.parts[k].index == u.id && b.parts[k].above <= u.money; k++ {
					o.parts = append(o.parts, k)
				}
			}
		}
	}
}

// node is a choice of plans for some demands.
type node struct {
	plans  []int              // by demand; -1: open
	open   []bool             // by part: paid for
	pay    [][]capacity.Money // shares of the others
	paid   capacity.Money     // for plans that are chosen, and parts
	points int
	own    map[string]bool // indexes
	config *config         // with these plans alone
}

// add is what a plan of an open demand adds at least, with its shares of what nobody has paid for.
func (b *relaxation) add(n *node, i, j int) capacity.Money {
	o := &b.choice[i][j]
	sum := o.read
	for _, k := range o.parts {
		if n.open == nil || !n.open[k] {
			sum += n.pay[i][k]
		}
	}
	return sum
}

// rest is what open demands add at least, and by which plans.
func (b *relaxation) rest(n *node, picks []int) capacity.Money {
	var sum capacity.Money
	for i, chosen := range n.plans {
		picks[i] = -1
		if chosen >= 0 {
			continue
		}
		first := forever
		for j := range b.choice[i] {
			if s := b.add(n, i, j); s < first {
				first, picks[i] = s, j
			}
		}
		sum += first
	}
	return sum
}

// ascend shares parts so that open demands cost more: whoever would pick a plan with a part pays more of it, and the others
// less. It answers the most that it has seen, with the shares that make it so, and ends when that is enough.
func (b *relaxation) ascend(n *node, rounds int, enough capacity.Money) capacity.Money {
	picks := make([]int, len(n.plans))
	pay := make([][]capacity.Money, len(n.pay))
	for i := range pay {
		pay[i] = slices.Clone(n.pay[i])
	}
	users := make([][]int, len(b.parts)) // open demands with a plan that needs the part
	for i, chosen := range n.plans {
		if chosen >= 0 {
			continue
		}
		for _, o := range b.choice[i] {
			for _, k := range o.parts {
				if (n.open == nil || !n.open[k]) && (len(users[k]) == 0 || users[k][len(users[k])-1] != i) {
					users[k] = append(users[k], i)
				}
			}
		}
	}
	for k, us := range users {
		left := b.parts[k].cost
		for _, i := range us {
			left -= pay[i][k]
		}
		for _, i := range us {
			pay[i][k] += left / capacity.Money(len(us))
		}
	}
	try := &node{plans: n.plans, open: n.open, pay: pay}
	best := capacity.Money(-1)
	wants := make([]bool, len(n.plans))
	for round := range rounds + 1 {
		sum := b.rest(try, picks)
		if sum > best {
			best = sum
			n.pay = make([][]capacity.Money, len(pay))
			for i := range pay {
				n.pay[i] = slices.Clone(pay[i])
			}
		}
		if round == rounds || best > enough {
			break
		}
		for k, us := range users {
			if len(us) < 2 {
				continue
			}
			many := 0
			for _, i := range us {
				wants[i] = slices.Contains(b.choice[i][picks[i]].parts, k)
				if wants[i] {
					many++
				}
			}
			if many == 0 || many == len(us) {
				continue
			}
			step := b.parts[k].cost / capacity.Money(4+round)
			var freed capacity.Money
			for _, i := range us {
				if !wants[i] {
					less := min(pay[i][k], step)
					pay[i][k] -= less
					freed += less
				}
			}
			for _, i := range us {
				if wants[i] {
					pay[i][k] += freed / capacity.Money(many)
				}
			}
		}
	}
	return best
}

// search goes through the configurations of a frame whose cost and points could be within something, depth first. It answers
// what those cost at least that it has not come to; forever if there are none.
func (b *relaxation) search(p *planner, within func(capacity.Money, int) bool, found func(*config)) capacity.Money {
	n := &node{plans: make([]int, len(b.f.demands)), open: make([]bool, len(b.parts)), pay: b.pay, paid: b.fixed, points: b.bare.points, own: map[string]bool{}, config: b.bare}
	for i := range n.plans {
		n.plans[i] = -1
	}
	return b.descend(p, n, within, found)
}

func (b *relaxation) descend(p *planner, n *node, within func(capacity.Money, int) bool, found func(*config)) capacity.Money {
	picks := make([]int, len(n.plans))
	points, more := n.points, capacity.Money(0)
	left := 0
	for i, chosen := range n.plans {
		if chosen < 0 {
			left++
			points += b.least[i]
		}
	}
	shared := n.paid + b.rest(n, picks)
	bound := shared
	if !within(bound, points) {
		return forever
	}
	if p.over() {
		return bound
	}
	if left == 0 {
		found(n.config)
		return forever
	}
	// What is chosen may cost more together than its parts: what others add then is their shares of other indexes.
	for i, chosen := range n.plans {
		if chosen >= 0 {
			continue
		}
		first := forever
		for j := range b.choice[i] {
			first = min(first, b.apart(n, i, j))
		}
		more += first
	}
	if bound = max(bound, n.config.cost+more); !within(bound, points) {
		return forever
	}
	if left > 1 {
		shared = n.paid + b.ascend(n, nodeRounds, forever)
		if bound = max(bound, shared); !within(bound, points) {
			return forever
		}
	}
	pick, most := -1, capacity.Money(-1)
	for i, chosen := range n.plans {
		if chosen >= 0 {
			continue
		}
		first, second := forever, forever
		for j := range b.choice[i] {
			if s := b.add(n, i, j); s < first {
				first, second = s, first
			} else if s < second {
				second = s
			}
		}
		if d := second - first; d > most {
			pick, most = i, d
		}
	}
	order := make([]int, len(b.choice[pick]))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(b.add(n, pick, x), b.add(n, pick, y)), cmpText(b.choice[pick][x].plan.name, b.choice[pick][y].plan.name))
	})
	unseen := forever
	for _, j := range order {
		if m := b.child(p, n, pick, j, within, shared-b.add(n, pick, order[0])+b.add(n, pick, j), points-b.least[pick]); m != nil {
			unseen = min(unseen, b.descend(p, m, within, found))
		}
	}
	return unseen
}

// apart is what a plan of an open demand adds at least to what is chosen, with its shares of indexes that are not there.
func (b *relaxation) apart(n *node, i, j int) capacity.Money {
	o := &b.choice[i][j]
	sum := o.read
	for _, k := range o.parts {
		if !n.own[b.parts[k].index] {
			sum += n.pay[i][k]
		}
	}
	return sum
}

// child is a node with one more plan; nil if that is not within what is looked for, or breaks a limit.
func (b *relaxation) child(p *planner, n *node, i, j int, within func(capacity.Money, int) bool, bound capacity.Money, points int) *node {
	o := &b.choice[i][j]
	m := &node{plans: slices.Clone(n.plans), open: n.open, pay: n.pay, paid: n.paid + o.read, points: n.points + o.points, own: n.own}
	m.plans[i] = j
	for _, u := range o.upkeep {
		if !n.own[u.id] {
			points += u.points
			m.points += u.points
		}
	}
	if !within(bound, points+o.points) {
		return nil
	}
	if len(o.upkeep) > 0 {
		m.open, m.own = slices.Clone(n.open), make(map[string]bool, len(n.own)+1)
		for id := range n.own {
			m.own[id] = true
		}
		for _, u := range o.upkeep {
			m.own[u.id] = true
		}
		for _, k := range o.parts {
			if !m.open[k] {
				m.open[k] = true
				m.paid += b.parts[k].cost
			}
		}
	}
	m.config = p.replan(n.config, i, o.plan, aim{}, nil)
	open := 0
	for _, chosen := range m.plans {
		if chosen < 0 {
			open++
		}
	}
	if b.barred(m.config, open) {
		if open == 0 {
			p.note(m.config)
		}
		return nil
	}
	return m
}
