package design

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/spec"
)

// A config is a complete configuration of a component: an option for every entity, a plan for every demand, the indexes
// that these read, and exactly what those project. Its price is the sum of the prices of its parts.
type config struct {
	*frame
	plans   []*readPlan  // by demand; nil: nothing serves it
	writing []*writePlan // by write; those of the frame, with what indexes want besides
	refused []string     // writes that cannot be served so, and why
	indexes []chosenIndex
	figures map[*spec.Entity]*figure

	reads  []*piece   // by demand
	writes []*piece   // by write: on tables, with what they read by known keys
	arms   [][]*piece // by index and write: nil where it has none
	kept   []*piece   // by place: tables, their indexes, and what lies beside entities

	cost      capacity.Money
	points    int
	unserved  int      // demands and writes that nothing serves, items that are too large
	stretched int      // demands whose calls each read very much, because nothing else serves them
	hard      float64  // by how much keys exceed limits that DynamoDB does not lift by itself
	soft      float64  // the same of keys that it would divide while they are throttled
	crowded   []int    // the keys that exceed them
	warmest   float64  // the share of its limit that the hottest key takes
	losses    []string // why it is no candidate
	bill      map[string]capacity.Money
	beaten    bool // pricing stopped early because a rival is better: cost and obstacles are lower bounds
}

// chosenIndex is an index of a configuration.
type chosenIndex struct {
	shape   *indexShape
	project projection
}

// A frame is what follows from the options of all entities: where everything lies, how it is written, and what could
// read it.
type frame struct {
	options []*option // by entity of the component
	layout  *layout
	plans   []*writePlan
	refused []string  // writes that the layout cannot serve, and why
	demands []*demand // reads, then the locators of writes
	choices [][]*readPlan
	detours int    // entities whose table has another key than their identity
	name    string // canonical
	number  int    // no two frames have the same
}

// frame makes what follows from options; nil if they do not fit together.
func (p *planner) frame(options []*option) *frame {
	var b strings.Builder
	chosen := make(map[*spec.Entity]*option, len(options))
	for i, e := range p.c.entities {
		chosen[e] = options[i]
		b.WriteString(e.Name + ": " + options[i].name + "\n")
	}
	name := b.String()
	if f, ok := p.frames[name]; ok {
		return f
	}
	l, ok := arrange(p.c.entities, chosen)
	if !ok {
		p.frames[name] = nil
		return nil
	}
	p.pricer.frames++
	f := &frame{options: slices.Clone(options), layout: l, name: name, number: p.pricer.frames, demands: slices.Clone(p.c.demands)}
	for _, o := range options {
		if o.indirect() {
			f.detours++
		}
	}
	for _, w := range p.c.writes {
		plan := p.writePlan(l, w, nil, nil)
		f.plans = append(f.plans, plan.writePlan)
		if plan.why != "" {
			f.refused = append(f.refused, plan.why)
			if plan.limit {
				p.facts.limits[plan.why] = true
			}
		}
		f.demands = append(f.demands, plan.locators...)
	}
	for _, d := range f.demands {
		f.choices = append(f.choices, p.plansOf(l, d))
	}
	p.frames[name] = f
	return f
}

// complete makes a configuration of some plans, and prices it.
func (p *planner) complete(f *frame, plans []*readPlan) *config {
	c := &config{frame: f, plans: plans}
	p.equip(c)
	p.price(c, nil, nil, forever)
	p.meet(c)
	return c
}

// replan is a configuration with another plan for one demand. What does not change is not priced again, and nothing is where
// the same configuration has been met lately: three of four have been. Where whoever asked wants no more, nothing is changed.
// A configuration that loses to the rival is priced only until that is certain.
func (p *planner) replan(old *config, demand int, q *readPlan, is aim, rival *config) *config {
	if old.plans[demand] == q || p.ctx.Err() != nil {
		return old
	}
	id := key{p.pricer.room[:0]}
	id.add(old.number)
	for i, r := range old.plans {
		if i == demand {
			r = q
		}
		if r == nil {
			id.add(0)
		} else {
			id.add(r.number)
		}
	}
	p.pricer.room = id.text
	most := is.atMost(rival)
	if c := p.pricer.configs.find(id.text); c != nil && (!c.beaten || c.loses(rival, most)) {
		p.meet(c)
		return c
	}
	c := &config{frame: old.frame, plans: slices.Clone(old.plans)}
	c.plans[demand] = q
	p.equip(c)
	p.price(c, old, rival, most)
	p.meet(c)
	if c.unserved == 0 { // why nothing serves a demand may be known better later
		p.pricer.configs.keep(id.text, c)
	}
	return c
}

// A lately is what has been met lately, by what it is made of: as much as most says, at least, and at most twice that.
type lately[T any] struct {
	most       int
	now, older map[string]*T
	forgets    func() // what has not been met since long; nil: nobody asks
}

func (l *lately[T]) find(id []byte) *T {
	if v := l.now[string(id)]; v != nil {
		return v
	}
	v := l.older[string(id)]
	if v != nil {
		l.keep(id, v)
	}
	return v
}

func (l *lately[T]) keep(id []byte, v *T) {
	if l.now == nil || len(l.now) >= l.most {
		l.older, l.now = l.now, map[string]*T{}
		if l.forgets != nil {
			l.forgets()
		}
	}
	l.now[string(id)] = v
}

// equip gives a configuration the indexes that its plans read, with what these need.
func (p *planner) equip(c *config) {
	var uses []indexUse
	for _, q := range c.plans {
		if q == nil {
			continue
		}
		for _, u := range q.indexUses {
			if i := slices.IndexFunc(uses, func(n indexUse) bool { return n.shape.id == u.shape.id }); i >= 0 {
				uses[i].need = union(uses[i].need, u.need)
			} else {
				uses = append(uses, u)
			}
		}
	}
	slices.SortFunc(uses, func(a, b indexUse) int { return cmpText(a.shape.id, b.shape.id) })
	c.figures = make(map[*spec.Entity]*figure, len(c.layout.kinds))
	for _, u := range uses {
		c.indexes = append(c.indexes, chosenIndex{shape: u.shape})
	}
	extras, copies := map[*spec.Entity]extra{}, copiesOf(c.plans)
	stamped, shapes := map[*spec.Entity]bool{}, map[*spec.Entity][]*indexShape{}
	for e, k := range c.layout.kinds {
		copies[e] = withRefs(copies[e], p.facts.aliases(e))
		for _, r := range k.option.rosters {
			copies[e] = withRefs(copies[e], r.brings)
		}
		var on []*indexShape
		for _, u := range uses {
			if u.shape.entity == e {
				on = append(on, u.shape)
			}
		}
		if x := p.extras(k, on, copies[e]); len(x.copies)+len(x.lists) > 0 {
			extras[e] = x
		}
		for _, r := range extras[e].copies {
			stamped[r.owner()] = stamped[r.owner()] || p.facts.stamped(r)
		}
		shapes[e] = on
	}
	for e, k := range c.layout.kinds {
		c.figures[e] = p.figure(k, shapes[e], copies[e], stamped[e])
	}
	for i, u := range uses {
		c.indexes[i].project = projectionOf(c.figures[u.shape.entity], u.shape, u.need)
	}
	p.writePlans(c, extras)
}

func (c *config) figure(e *spec.Entity) *figure { return c.figures[e] }

// project is what an index projects.
func (c *config) project(x *indexShape) projection {
	for _, y := range c.indexes {
		if y.shape.id == x.id {
			return y.project
		}
	}
	return projectAll
}

// figure is the form of a kind with some indexes on it, and copies that reads want.
func (p *planner) figure(k *kind, indexes []*indexShape, copies []ref, stamped bool) *figure {
	bare := len(indexes)+len(copies) == 0 && !stamped
	if bare && k.bare != nil {
		return k.bare
	}
	id := figureID(k, indexes, copies, stamped)
	g := p.figures[id]
	if g == nil {
		g = p.facts.figureOf(k, indexes, copies, stamped)
		g.number = p.pricer.number(id)
		p.figures[id] = g
	}
	if bare {
		k.bare = g
	}
	return g
}

// describe is the canonical text of a configuration: two with the same text are the same model.
func (c *config) describe() string {
	var b strings.Builder
	b.WriteString(c.name)
	for _, x := range c.indexes {
		b.WriteString(x.shape.id + " -> " + x.project.name + "\n")
	}
	for i, d := range c.demands {
		b.WriteString(d.name + ": ")
		if c.plans[i] != nil {
			b.WriteString(c.plans[i].name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// admissible reports whether a configuration serves everything within the limits of DynamoDB. Keys that it would divide by
// itself may be over theirs: they are throttled until it has.
func (c *config) admissible() bool { return c.unserved == 0 && c.hard == 0 }

// crowd is about by how much keys exceed limits that they may exceed, in steps of a fifth: what makes a key busier by a
// thousandth is no obstacle that money could not outweigh.
func (c *config) crowd() float64 { return math.Round(4 * math.Log2(1+c.soft)) }

// obstacles compares configurations by what keeps them from being candidates.
func (c *config) obstacles(d *config) int {
	return cmp.Or(
		cmp.Compare(c.unserved, d.unserved), cmp.Compare(c.hard, d.hard),
		cmp.Compare(c.stretched, d.stretched), cmp.Compare(c.crowd(), d.crowd()),
	)
}

// cheaper orders configurations: fewer obstacles, less money, then the simpler.
func (c *config) cheaper(d *config) bool {
	if n := cmp.Or(c.obstacles(d), cmp.Compare(c.cost, d.cost)); n != 0 {
		return n < 0
	}
	return c.simplicity(d) < 0
}

// simpler orders configurations that are cheap enough: fewer obstacles, then simplicity, then less money.
func (c *config) simpler(d *config) bool {
	if n := c.obstacles(d); n != 0 {
		return n < 0
	}
	return c.simplicity(d) < 0
}

// warm is the share of its limit from which on a key is said to be warm: among equals the one without warm keys wins.
const warm = 0.25

// parts is of how many values the keys of indexes are made.
func (c *config) parts() int {
	n := 0
	for _, x := range c.indexes {
		n += len(x.shape.refs())
	}
	return n
}

// simplicity compares: fewer points, then no warm key, then more tables under the identity of what they hold, then less
// money, then shorter keys of indexes, then text.
func (c *config) simplicity(d *config) int {
	heat := func(c *config) float64 {
		if c.warmest < warm {
			return 0
		}
		return c.warmest
	}
	if n := cmp.Or(cmp.Compare(c.points, d.points), cmp.Compare(heat(c), heat(d)), cmp.Compare(c.detours, d.detours), cmp.Compare(c.cost, d.cost)); n != 0 {
		return n
	}
	return cmp.Or(cmp.Compare(c.parts(), d.parts()), cmpText(c.describe(), d.describe()))
}
