package design

import (
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// Where there are too many layouts to go through, each demand and each write is looked at alone: in all ways to store what it
// depends on. What else lies beside that makes it no cheaper.

// maxScope is how many ways to store what one demand or write depends on are looked at.
const maxScope = 200

// floor is what no configuration costs less than: every demand and every write alone, at the least that any way to store what
// it depends on makes of it.
func (p *planner) floor() capacity.Money {
	var sum capacity.Money
	for i, d := range p.c.demands {
		sum += max(p.leastRead(d), p.leastOver(p.footprint(d), func(f *frame) capacity.Money {
			least := forever
			for _, q := range f.choices[i] {
				c := &config{frame: f, plans: make([]*readPlan, len(f.demands))}
				c.plans[i] = q
				p.equip(c)
				if x := p.readPiece(c, i); x.why == "" {
					least = min(least, x.money)
				}
			}
			return least
		}))
	}
	for j, w := range p.c.writes {
		sum += p.leastOver(p.affected(w), func(f *frame) capacity.Money { // a call may write nothing here, and all of it elsewhere
			if f.plans[j].refused {
				return forever
			}
			return p.leastWrite(f, nil, -1, j, "")
		})
	}
	return sum
}

// leastOver is the least price over all ways to store some entities; 0 if these are too many, or there is no time.
func (p *planner) leastOver(es []*spec.Entity, price func(*frame) capacity.Money) capacity.Money {
	least := forever
	if !p.waysToStore(es, func(f *frame) { least = min(least, price(f)) }) || least == forever {
		return 0
	}
	return least
}

// waysToStore goes through all ways to store some entities, and those whose items or collections they could be in; false if
// these are too many, or there is no time.
func (p *planner) waysToStore(es []*spec.Entity, see func(*frame)) bool {
	var scope []int
	var add func(e *spec.Entity)
	add = func(e *spec.Entity) {
		i := p.entityAt(e)
		if i < 0 || slices.Contains(scope, i) {
			return
		}
		scope = append(scope, i)
		for _, o := range p.c.options[e] {
			if o.within != nil {
				add(o.within.way.To)
			}
			for _, root := range o.roots() {
				add(root)
			}
		}
	}
	for _, e := range es {
		add(e)
	}
	if p.over() {
		return false
	}
	ways := 1
	for _, i := range scope {
		if ways *= len(p.c.options[p.c.entities[i]]); ways > maxScope {
			return false
		}
	}
	options := make([]*option, len(p.c.entities))
	for i, e := range p.c.entities {
		options[i] = p.c.options[e][0]
	}
	var next func(k int)
	next = func(k int) {
		if k < len(scope) {
			for _, o := range p.c.options[p.c.entities[scope[k]]] {
				options[scope[k]] = o
				next(k + 1)
			}
			return
		}
		if p.over() {
			return
		}
		if f := p.frame(options); f != nil {
			see(f)
		}
	}
	next(0)
	return !p.ended
}

// leastRead is what a demand costs at least: each call reads something.
func (p *planner) leastRead(d *demand) capacity.Money {
	return p.pricer.tariff.Reads(capacity.ReadUnits(0.5 * d.rate.Average))
}
