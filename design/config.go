package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// A config is a complete configuration of a component: a layout, a plan for every demand, the indexes they need and
// exactly what those project. It is priced whole: with everything that indexes add to the items.
type config struct {
	lc      *layoutCase
	plans   []*readPlan // by demand of the case
	indexes []chosenIndex
	cost    capacity.Money
	points  int
	name    string // canonical
	bill    bill
	checked bool // against the limits
	over    string
}

// admissible reports whether a configuration keeps within the hard limits.
func (p *planner) admissible(c *config) bool {
	if !c.checked {
		c.checked = true
		if c.over = p.overLimit(c, p.scene(c)); c.over != "" {
			p.note(c.over, true)
			p.accuse(c.lc.layout)
		}
	}
	return c.over == ""
}

// chosenIndex is an index of a configuration.
type chosenIndex struct {
	shape   *indexShape
	project projection
}

// bill is where the money goes: a line per pattern, in the order of the requirements, and storage.
type bill struct {
	patterns map[string]capacity.Money
	storage  capacity.Money
}

// complete makes the configuration of a selection.
func (p *planner) complete(sel *selection) *config {
	c := &config{lc: sel.lc}
	needs := make([][]string, len(sel.lc.shapes))
	used := make([]bool, len(sel.lc.shapes))
	for i, j := range sel.plans {
		ch := sel.lc.demands[i].choices[j]
		c.plans = append(c.plans, ch.plan)
		c.points += ch.points
		for _, u := range ch.uses {
			needs[u.shape] = union(needs[u.shape], u.need)
			used[u.shape] = true
		}
	}
	for i, x := range sel.lc.shapes {
		if used[i] {
			c.indexes = append(c.indexes, chosenIndex{shape: x.shape})
			c.points += x.points
		}
	}
	slices.SortFunc(c.indexes, func(a, b chosenIndex) int { return cmpText(a.shape.id, b.shape.id) })
	s := p.scene(c)
	for i := range c.indexes {
		x := c.indexes[i].shape
		for j, y := range sel.lc.shapes {
			if y.shape.id == x.id {
				c.indexes[i].project = projectionOf(s.figure(x.entity), x, needs[j])
			}
		}
	}
	p.bill(c, s)
	c.name = c.describe()
	return c
}

// scene is a configuration as prices see it.
func (p *planner) scene(c *config) *scene {
	figures := make(map[*spec.Entity]*figure, len(c.lc.layout.kinds))
	return &scene{
		layout: c.lc.layout,
		figure: func(e *spec.Entity) *figure {
			g := figures[e]
			if g == nil {
				g = p.price.figure(c.lc.layout.kinds[e], c.on(e))
				figures[e] = g
			}
			return g
		},
		project: func(x *indexShape) projection {
			for _, y := range c.indexes {
				if y.shape.id == x.id {
					return y.project
				}
			}
			return projectAll
		},
	}
}

// on are the indexes on the items of an entity.
func (c *config) on(e *spec.Entity) []*indexShape {
	var out []*indexShape
	for _, x := range c.indexes {
		if x.shape.entity == e {
			out = append(out, x.shape)
		}
	}
	return out
}

// bill prices the whole.
func (p *planner) bill(c *config, s *scene) {
	c.bill = bill{patterns: map[string]capacity.Money{}}
	add := func(pattern string, m capacity.Money) {
		c.bill.patterns[pattern] += m
		c.cost += m
	}
	storage, points := p.price.keep(s, p.c)
	for _, x := range c.indexes {
		storage += p.price.stored(x.shape.entries(), p.price.entryOf(s.figure(x.shape.entity), x.shape, x.project).volume)
	}
	c.bill.storage = storage
	c.cost += storage
	for _, w := range c.lc.writes {
		add(w.pattern.Name, p.price.writeMoney(s, w))
		if w.transact {
			points++
		}
		for _, x := range c.indexes {
			add(w.pattern.Name, p.price.armsMoney(s, x.shape, w))
		}
	}
	for i, dc := range c.lc.demands {
		for _, t := range c.plans[i].steps {
			add(dc.d.name, p.price.readMoney(dc.d, p.price.read(s, dc.d, t)))
		}
	}
	c.points += points
}

// describe is the canonical text of a configuration: two with the same text are the same model.
func (c *config) describe() string {
	var b strings.Builder
	b.WriteString(c.lc.name)
	for _, x := range c.indexes {
		b.WriteString(x.shape.id + " -> " + x.project.name + "\n")
	}
	for i, dc := range c.lc.demands {
		b.WriteString(dc.d.name + ": " + c.plans[i].name + "\n")
	}
	return b.String()
}

// simpler orders configurations: fewer points, then more tables under the identity of what they hold, then less money, then
// by text.
func (c *config) simpler(d *config) bool {
	switch {
	case c.points != d.points:
		return c.points < d.points
	case c.lc.detours != d.lc.detours:
		return c.lc.detours < d.lc.detours
	case c.cost != d.cost:
		return c.cost < d.cost
	}
	return c.name < d.name
}

// cheaper orders configurations: less money, then the simpler.
func (c *config) cheaper(d *config) bool {
	if c.cost != d.cost {
		return c.cost < d.cost
	}
	return c.simpler(d)
}
