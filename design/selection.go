package design

import (
	"math"

	"github.com/tablewright/tablewright/capacity"
)

// A selection is a choice of a plan for every demand of a case, with the projection of every index that they read.
type selection struct {
	lc     *layoutCase
	plans  []int // choice by demand
	open   []int // projection by index; -1: the index does not exist
	cost   capacity.Money
	points int
}

// bound is what no completion of a partial selection can cost less than: what is decided, and for every other demand
// its cheapest plan, in which an index that does not exist yet is shared by all demands that could read it. sel nil
// means that nothing is decided.
func (lc *layoutCase) bound(sel *selection) capacity.Money {
	total := lc.fixed
	if sel != nil {
		total = sel.cost
	}
	for i := range lc.demands {
		if sel != nil && sel.plans[i] >= 0 {
			continue
		}
		best := capacity.Money(math.MaxInt64)
		for _, c := range lc.demands[i].choices {
			if b := lc.share(sel, c); b < best {
				best = b
			}
		}
		if best == math.MaxInt64 {
			return math.MaxInt64
		}
		total += best
	}
	return total
}

// share is the least that a choice adds, with its share of indexes that do not exist yet.
func (lc *layoutCase) share(sel *selection, c *choice) capacity.Money {
	sum := c.base
	for _, u := range c.uses {
		x := lc.shapes[u.shape]
		if sel != nil && sel.open[u.shape] >= 0 {
			p := u.price[sel.open[u.shape]]
			if p < 0 {
				return math.MaxInt64
			}
			sum += p
			continue
		}
		best := capacity.Money(math.MaxInt64)
		for j, p := range u.price {
			if p >= 0 {
				best = min(best, p+x.upkeep[j]/capacity.Money(x.users))
			}
		}
		if best == math.MaxInt64 {
			return best
		}
		sum += best
	}
	return sum
}

// goal is what a search looks for.
type goal struct {
	// within is asked before a branch is followed, with bounds of its cost and points, and found told of every complete
	// selection.
	within func(cost capacity.Money, points int) bool
	found  func(*selection)
}

// search goes through the selections of a case depth first: at every node the undecided demand whose choice matters most.
func (p *planner) search(lc *layoutCase, g goal) {
	within := g.within
	g.within = func(cost capacity.Money, points int) bool { return within(cost, points) && !p.over() }
	sel := &selection{lc: lc, cost: lc.fixed, points: lc.points}
	for range lc.demands {
		sel.plans = append(sel.plans, -1)
	}
	for range lc.shapes {
		sel.open = append(sel.open, -1)
	}
	lc.descend(sel, g)
}

func (lc *layoutCase) descend(sel *selection, g goal) {
	b := lc.bound(sel)
	if b == math.MaxInt64 || !g.within(b, sel.points) {
		return
	}
	i := lc.next(sel)
	if i < 0 {
		done := *sel
		done.plans = append([]int(nil), sel.plans...)
		done.open = append([]int(nil), sel.open...)
		g.found(&done)
		return
	}
	for _, j := range lc.ranked(sel, i) {
		c := lc.demands[i].choices[j]
		sel.plans[i] = j
		lc.take(sel, c, 0, g)
		sel.plans[i] = -1
	}
}

// take opens the indexes of a choice one after another, under every projection that serves, and goes on.
func (lc *layoutCase) take(sel *selection, c *choice, n int, g goal) {
	if n == 0 {
		sel.cost += c.base
		sel.points += c.points
		defer func() { sel.cost -= c.base; sel.points -= c.points }()
	}
	if n == len(c.uses) {
		lc.descend(sel, g)
		return
	}
	u := c.uses[n]
	if j := sel.open[u.shape]; j >= 0 {
		if u.price[j] >= 0 {
			sel.cost += u.price[j]
			lc.take(sel, c, n+1, g)
			sel.cost -= u.price[j]
		}
		return
	}
	x := lc.shapes[u.shape]
	for j, p := range u.price {
		if p < 0 {
			continue
		}
		sel.open[u.shape] = j
		sel.cost += p + x.upkeep[j]
		sel.points += x.points
		lc.take(sel, c, n+1, g)
		sel.points -= x.points
		sel.cost -= p + x.upkeep[j]
		sel.open[u.shape] = -1
	}
}

// next is the undecided demand between whose cheapest and second cheapest plan most lies; -1 if all are decided.
func (lc *layoutCase) next(sel *selection) int {
	pick, most := -1, capacity.Money(-1)
	for i := range lc.demands {
		if sel.plans[i] >= 0 {
			continue
		}
		first, second := capacity.Money(math.MaxInt64), capacity.Money(math.MaxInt64)
		for _, c := range lc.demands[i].choices {
			b := lc.share(sel, c)
			if b < first {
				first, second = b, first
			} else if b < second {
				second = b
			}
		}
		if d := second - first; d > most {
			pick, most = i, d
		}
	}
	return pick
}

// ranked are the choices of a demand that are possible, the cheapest first.
func (lc *layoutCase) ranked(sel *selection, i int) []int {
	cs := lc.demands[i].choices
	var out []int
	var at []capacity.Money
	for j, c := range cs {
		b := lc.share(sel, c)
		if b == math.MaxInt64 {
			continue
		}
		k := len(out)
		for k > 0 && at[k-1] > b {
			k--
		}
		out = append(out, 0)
		at = append(at, 0)
		copy(out[k+1:], out[k:])
		copy(at[k+1:], at[k:])
		out[k], at[k] = j, b
	}
	return out
}
