package design

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A piece is what a part of a configuration costs a month and puts on keys at peak: a plan, the arms of a write on one index,
// what is stored in one place. Package cost prices it, as a fragment of the compiled model. Configurations differ from each
// other in little, so that most pieces are priced once and found again.
type piece struct {
	money capacity.Money
	units float64 // of one call
	heat  []heat
	most  map[*spec.Entity]float64 // of a table: the largest item of each entity
	mean  map[*spec.Entity]float64 // and the average one
	count float64                  // of an index: entries
	bytes float64                  // of an index: an entry on average
	why   string                   // it cannot be resolved
}

// heat is what a piece puts on a key at peak.
type heat struct {
	key         int // among the planner's keys
	read, write float64
	meet        float64 // share of transactions that meet another one
	pattern     string
}

// A hotKey is the hottest key of a table or index, of one owner.
type hotKey struct {
	place, of, value string
	item             bool
}

// pricer prices pieces.
type pricer struct {
	cost      *cost.Pricer
	fragments *plan.Fragments
	tariff    capacity.Tariff
	pieces    map[string]*piece
	schemas   lately[plan.Schema]     // tables by what lies in them
	beside    map[string]*plan.Schema // tables of what lies beside entities, by name
	keys      map[hotKey]int
	hot       []hotKey
	numbers   map[string]int // short for canonical texts
	plans     int            // how many have a number
	frames    int            // the same
	configs   lately[config] // complete configurations
	room      []byte         // for what they are found by
	priced    int            // how many pieces have been priced
	waits     bool           // new pieces are deferred
	later     []unpriced     // the deferred pieces
}

// unpriced is a deferred piece, which may never be priced.
type unpriced struct {
	key   key
	rate  float64 // calls a second of its pattern; 0: storage
	piece *piece
	price func() *piece
}

func newPricer(r *spec.Requirements, prices *capacity.Prices) *pricer {
	c := cost.NewPricer(r, prices)
	return &pricer{
		cost: c, fragments: plan.NewFragments(r), tariff: prices.Tariff(capacity.Standard, capacity.OnDemand),
		pieces: map[string]*piece{}, schemas: lately[plan.Schema]{most: mostSchemas, forgets: c.Forget}, configs: lately[config]{most: mostConfigs}, beside: map[string]*plan.Schema{}, keys: map[hotKey]int{}, numbers: map[string]int{},
	}
}

// number is short for a canonical text.
func (p *pricer) number(text string) int {
	n, ok := p.numbers[text]
	if !ok {
		n = len(p.numbers) + 1
		p.numbers[text] = n
	}
	return n
}

// mostConfigs is how many configurations are found again, at least, without being priced.
const mostConfigs = 2_000

// mostSchemas is how many resolved tables are kept, at least: they are large, and prices outlive them.
const mostSchemas = 400

// schema is a table that has been resolved lately, or is now.
func (p *pricer) schema(id []byte, doc func() plan.Table) (*plan.Schema, error) {
	s := p.schemas.find(id)
	if s != nil {
		return s, nil
	}
	s, err := p.fragments.Table(doc())
	if err == nil {
		p.schemas.keep(id, s)
	}
	return s, err
}

// price prices a configuration. What touches nothing that is different from an old one is taken from that; nil: nothing is.
// New pieces are priced last, and only until it is certain whether the configuration loses to the rival.
func (p *planner) price(c, old, rival *config, most capacity.Money) {
	p.compared++
	p.pricer.waits = most < forever
	same := p.unchanged(c, old)
	c.reads, c.writes = make([]*piece, len(c.demands)), make([]*piece, len(c.writing))
	for i := range c.demands {
		switch q := c.plans[i]; {
		case q == nil:
			c.reads[i] = &piece{}
		case old != nil && old.plans[i] == q && same(q.touched):
			c.reads[i] = old.reads[i]
		default:
			c.reads[i] = p.readPiece(c, i)
		}
	}
	for i, w := range c.writing {
		if old != nil && old.writing[i] == w && same(w.touched) && p.sameLocators(c, old, w) {
			c.writes[i] = old.writes[i]
			continue
		}
		c.writes[i] = p.writePiece(c, w, nil)
	}
	c.arms = make([][]*piece, len(c.indexes))
	for i, x := range c.indexes {
		c.arms[i] = make([]*piece, len(c.writing))
		for j, w := range c.writing {
			if slices.ContainsFunc(w.acts, func(a *act) bool { return a.item() == x.shape.entity && !a.beside() }) {
				c.arms[i][j] = p.writePiece(c, w, &c.indexes[i])
			}
		}
	}
	p.keep(c)
	if p.pricer.waits = false; most < forever {
		c.beaten = p.beaten(c, rival, most)
		return
	}
	p.sum(c)
}

// beaten prices the deferred pieces and reports whether the configuration loses to a rival. It stops as soon as that
// is certain: each further piece can only raise the cost and add obstacles. Frequent patterns come first, as they
// cost most.
func (p *planner) beaten(c, rival *config, most capacity.Money) bool {
	defer func() { p.pricer.later = p.pricer.later[:0] }()
	later := p.pricer.later
	slices.SortStableFunc(later, func(x, y unpriced) int { return cmp.Compare(y.rate, x.rate) })
	for {
		p.sum(c)
		if c.loses(rival, most) {
			return true
		}
		if len(later) == 0 {
			return false
		}
		// Cost decides only once it exceeds most. If it already does, only obstacles can still decide: price all the rest.
		for cost := c.cost; len(later) > 0 && (cost <= most || c.cost > most); later = later[1:] {
			x := later[0]
			*x.piece = *p.remember(x.key, x.rate, x.price)
			cost += x.piece.money
		}
	}
}

// loses reports whether a configuration is certain not to take the place of a rival, whatever it costs besides.
func (c *config) loses(rival *config, most capacity.Money) bool {
	return c.cost > most && c.obstacles(rival) >= 0
}

// unchanged answers whether some entities' items and indexes are the same in two configurations of one frame.
func (p *planner) unchanged(c, old *config) func([]*spec.Entity) bool {
	if old == nil {
		return func([]*spec.Entity) bool { return false }
	}
	same := make(map[*spec.Entity]bool, len(c.figures))
	for e, g := range c.figures {
		same[e] = g == old.figures[e]
	}
	for _, x := range c.indexes {
		if same[x.shape.entity] && old.project(x.shape).name != x.project.name {
			same[x.shape.entity] = false
		}
	}
	return func(es []*spec.Entity) bool {
		for _, e := range es {
			if is, stored := same[e]; stored && !is {
				return false
			}
		}
		return true
	}
}

func (p *planner) sameLocators(c, old *config, w *writePlan) bool {
	for i, d := range c.demands {
		if c.plans[i] != old.plans[i] && slices.Contains(w.locators, d) {
			return false
		}
	}
	return true
}

// key collects what a piece depends on.
type key struct{ text []byte }

func (k *key) add(ns ...int) {
	for _, n := range ns {
		k.text = binary.AppendUvarint(k.text, uint64(n))
	}
}

// tables adds the items of some tables.
func (k *key) tables(c *config, roots []*spec.Entity) {
	for _, e := range roots {
		for _, n := range c.layout.neighbours(c.layout.kinds[e]) {
			k.add(c.figures[n.entity].number)
		}
		k.add(0)
	}
}

// entries adds the entries of an index: their keys and what is projected, whatever else the items have.
func (k *key) entries(p *planner, c *config, x *indexShape, project projection) {
	k.add(p.pricer.number(x.id), p.pricer.number(project.name))
	if project.all {
		k.add(c.figures[x.entity].number)
	}
}

// roots are those of the tables in which some entities lie.
func (l *layout) roots(es []*spec.Entity) (out []*spec.Entity) {
	for _, e := range es {
		if x := l.kinds[e]; x != nil && !slices.Contains(out, x.table) {
			out = append(out, x.table)
		}
	}
	return out
}

// readPiece prices the plan of a demand. A locator's is a part of the write: only what it reads counts here.
func (p *planner) readPiece(c *config, i int) *piece {
	d, q := c.demands[i], c.plans[i]
	var k key
	k.add(1, q.number)
	k.tables(c, c.layout.roots(q.based))
	for _, u := range q.indexUses {
		k.entries(p, c, u.shape, c.project(u.shape))
	}
	roots := c.layout.roots(q.touched)
	return p.remember(k, d.pattern.Rate.Average, func() *piece {
		doc := plan.Plan{Name: d.pattern.Name, Steps: map[string]plan.Step{}}
		var on []chosenIndex
		for _, u := range q.indexUses {
			on = append(on, chosenIndex{u.shape, c.project(u.shape)})
		}
		e, tables, why := p.fragment(c, roots, on, q.beside())
		if why != "" {
			return &piece{why: why}
		}
		if d.locates != nil {
			e.steps(&doc, c.layout, q)
		} else {
			e.reads(&doc, c.layout, q)
		}
		return p.plan(doc, tables, d.pattern, func(string) bool { return true })
	})
}

// writePiece prices what a write does to tables, with what it reads by keys that it knows; or to one index.
func (p *planner) writePiece(c *config, w *writePlan, x *chosenIndex) *piece {
	if w.refused {
		return &piece{}
	}
	if len(p.barred) > 0 {
		if why := p.barred[p.barring(c, w, x)]; why != "" {
			return &piece{why: why}
		}
	}
	var k key
	roots := c.layout.roots(w.touched)
	if x == nil {
		k.add(2, w.number)
		k.tables(c, roots)
	} else {
		k.add(8, w.number)
		k.entries(p, c, x.shape, x.project)
	}
	var found []*readPlan
	for i, d := range c.demands {
		if slices.Contains(w.locators, d) {
			if c.plans[i] == nil {
				return &piece{}
			}
			found = append(found, c.plans[i])
			k.add(c.plans[i].number)
		}
	}
	return p.remember(k, w.pattern.Rate.Average, func() *piece {
		var on []chosenIndex
		if x != nil {
			on = append(on, *x)
		}
		beside := w.beside()
		for _, q := range found {
			beside = append(beside, q.beside()...)
			for _, e := range q.touched {
				if y := c.layout.kinds[e]; y != nil && !slices.Contains(roots, y.table) {
					roots = append(roots, y.table)
				}
			}
			for _, u := range q.indexUses {
				if x == nil || u.shape.id != x.shape.id {
					on = append(on, chosenIndex{u.shape, c.project(u.shape)})
				}
			}
		}
		e, tables, why := p.fragment(c, roots, on, beside)
		if why != "" {
			return &piece{why: why}
		}
		doc := plan.Plan{Name: w.pattern.Name, Steps: map[string]plan.Step{}}
		e.writes(w.pattern, &doc, c)
		place := ""
		if x != nil {
			place = e.indexes[x.shape.id]
		}
		locating := map[string]bool{} // what finds keys is priced by itself
		own := plan.Plan{Name: w.pattern.Name, Steps: map[string]plan.Step{}}
		for i, d := range c.demands {
			if slices.Contains(w.locators, d) {
				for _, name := range e.steps(&own, c.layout, c.plans[i]) {
					locating[name] = true
				}
			}
		}
		return p.planWithout(doc, locating, tables, w.pattern, place)
	})
}

func (p *planner) remember(k key, rate float64, price func() *piece) *piece {
	text := string(k.text)
	out := p.pricer.pieces[text]
	if out == nil && p.pricer.waits {
		out = &piece{}
		p.pricer.later = append(p.pricer.later, unpriced{k, rate, out, price})
		return out
	}
	if out == nil {
		out = price()
		p.pricer.priced++
		p.pricer.pieces[text] = out
	}
	return out
}

// beside names what a plan reads that lies beside entities.
type beside struct {
	entity *spec.Entity
	marker []*spec.Attribute
	aside  *spec.Attribute
	number *spec.Attribute
}

func (q *readPlan) beside() (out []beside) {
	for _, t := range q.steps {
		if t.marker != nil || t.aside != nil {
			out = append(out, beside{entity: t.kinds[0], marker: t.marker, aside: t.aside})
		}
	}
	return out
}

func (w *writePlan) beside() (out []beside) {
	for _, t := range w.reads {
		if t.marker != nil {
			out = append(out, beside{entity: t.kinds[0], marker: t.marker})
		}
	}
	for _, a := range w.acts {
		if a.beside() && !a.part {
			out = append(out, beside{entity: a.entity, marker: a.marker, aside: a.aside, number: a.number})
		}
	}
	return out
}

// fragment resolves tables with some indexes, and those of what lies beside entities.
func (p *planner) fragment(c *config, roots []*spec.Entity, on []chosenIndex, besides []beside) (e *emitter, tables []*plan.Schema, why string) {
	e = &emitter{req: p.facts.req, facts: p.facts, tables: map[*spec.Entity]string{}, indexes: map[string]string{}}
	for _, b := range besides {
		if root := c.layout.host(b); root != nil && !slices.Contains(roots, root) {
			roots = append(slices.Clone(roots), root)
		}
	}
	for _, x := range on {
		place := p.place(c, x.shape)
		e.indexes[x.shape.id], p.shapes[place] = place, x.shape
	}
	for _, r := range roots {
		e.tables[r] = r.Name
	}
	for _, r := range roots {
		k := c.layout.kinds[r]
		var id key
		for _, n := range c.layout.neighbours(k) {
			id.add(c.figures[n.entity].number)
		}
		var mine []chosenIndex
		for _, x := range on {
			if c.layout.kinds[x.shape.entity].table == r && !slices.ContainsFunc(mine, func(y chosenIndex) bool { return y.shape.id == x.shape.id }) {
				mine = append(mine, x)
				id.add(p.pricer.number(x.shape.id), p.pricer.number(x.project.name))
			}
		}
		s, err := p.pricer.schema(id.text, func() plan.Table { return e.table(c.layout, k, c.figure, mine) })
		if err != nil {
			return e, nil, err.Error()
		}
		tables = append(tables, s)
	}
	for _, b := range besides {
		if c.layout.host(b) != nil {
			continue
		}
		t := e.tableBeside(c, b)
		id := fmt.Sprint(t.Name, t.Key, shardsAside(c, b), streamedAside(c, b), togetherAside(c, b), refsKey(c.layout.kinds[b.entity].told()), rosterOf(c, b))
		s := p.pricer.beside[id]
		if s == nil {
			var err error
			if s, err = p.pricer.fragments.Table(t); err != nil {
				return e, nil, err.Error()
			}
			p.pricer.beside[id] = s
		}
		if !slices.Contains(tables, s) {
			tables = append(tables, s)
		}
	}
	return e, tables, ""
}

// host is the entity in whose table a marker lies; nil: in a table of its own.
func (l *layout) host(b beside) *spec.Entity {
	if r := l.options[b.entity].roster(b.marker); r != nil {
		return r.root
	}
	return nil
}

func shardsAside(c *config, b beside) int {
	if b.aside == nil {
		return 0
	}
	return c.layout.options[b.entity].aside.shards
}

// rosterOf is the roster whose markers lie there, as text; "" if it is none.
func rosterOf(c *config, b beside) string {
	if r := c.layout.options[b.entity].roster(b.marker); r != nil {
		return r.text()
	}
	return ""
}

// togetherAside is the partition in which what is counted of several entities lies together, as text; "" if each lies alone.
func togetherAside(c *config, b beside) string {
	if b.aside == nil {
		return ""
	}
	partition, _, _ := c.layout.options[b.entity].together()
	return refsKey(partition)
}

// streamedAside reports whether the consumer of a stream keeps a number true.
func streamedAside(c *config, b beside) bool {
	return b.aside != nil && c.layout.options[b.entity].aside.streamed(b.aside)
}

// tableBeside is the table of a marker, a sequence or a number.
func (e *emitter) tableBeside(c *config, b beside) plan.Table {
	switch {
	case b.marker != nil:
		return e.marker(c.layout.options[b.entity].markerName(b.marker), c.layout.kinds[b.entity], b.marker)
	case b.aside != nil:
		return e.aside(asideName(b.aside), b.aside, c.layout.options[b.entity])
	}
	return e.sequence(sequenceName(b.number), b.entity, b.number)
}

// plan prices a plan.
func (p *planner) plan(doc plan.Plan, tables []*plan.Schema, pattern *spec.Pattern, at func(place string) bool) *piece {
	proc, err := p.pricer.fragments.Plan(doc, tables...)
	if err != nil {
		return &piece{why: err.Error()}
	}
	for _, s := range proc.Stages {
		if s.Verb == plan.Scan && !pattern.Whole && !s.Handful() { // the index holds too much, for the sake of others
			return &piece{why: fmt.Sprintf("%s would read all of %s, which may become many", pattern.Name, s.Access.Name())}
		}
	}
	return p.used(p.pricer.cost.Plan(proc), pattern, at)
}

// used is a piece of what a plan consumes.
func (p *planner) used(u cost.Use, pattern *spec.Pattern, at func(place string) bool) *piece {
	out := &piece{}
	for place, n := range u.Read {
		if at(place) {
			out.units += n
			out.money += p.pricer.tariff.Reads(capacity.ReadUnits(n * pattern.Rate.Average))
		}
	}
	for place, n := range u.Write {
		if at(place) {
			out.units += n
			out.money += p.pricer.tariff.Writes(capacity.WriteUnits(n * pattern.Rate.Average))
		}
	}
	for _, h := range u.Heat {
		if !at(h.Place) {
			continue
		}
		n := h.Part.Rate * h.Part.Share * h.Part.Units
		x := heat{key: p.hotKey(h), pattern: pattern.Name, meet: capacity.Contention(h.Transactions)}
		if h.Part.Write {
			x.write = n
		} else {
			x.read = n
		}
		out.heat = append(out.heat, x)
	}
	return out
}

// planWithout prices a write without the steps that find its keys; or, where a place is named, only what it does there.
func (p *planner) planWithout(doc plan.Plan, steps map[string]bool, tables []*plan.Schema, pattern *spec.Pattern, place string) *piece {
	proc, err := p.pricer.fragments.Plan(doc, tables...)
	if err != nil {
		return &piece{why: err.Error()}
	}
	u := p.pricer.cost.PlanOf(proc, func(s *plan.Stage) bool { return !steps[s.Name] })
	bases := map[string]bool{}
	for _, t := range tables {
		bases[t.Name] = true
	}
	at := func(at string) bool { return bases[at] }
	if place != "" {
		at = func(at string) bool { return at == place }
	}
	out := p.used(u, pattern, at)
	if place != "" {
		return out
	}
	for where, n := range u.Read { // of an index that something else was looked up in
		if !bases[where] {
			out.units += n
			out.money += p.pricer.tariff.Reads(capacity.ReadUnits(n * pattern.Rate.Average))
		}
	}
	return out
}

// hotKey numbers a key.
func (p *planner) hotKey(h cost.Heat) int {
	k := hotKey{place: h.Place, of: h.Of, value: h.Value, item: h.Item}
	n, ok := p.pricer.keys[k]
	if !ok {
		n = len(p.pricer.hot)
		p.pricer.keys[k] = n
		p.pricer.hot = append(p.pricer.hot, k)
	}
	return n
}

// keep prices what is stored.
func (p *planner) keep(c *config) {
	c.kept = c.kept[:0]
	for _, e := range p.c.entities {
		k := c.layout.kinds[e]
		if k == nil {
			continue
		}
		if k.table == e {
			c.kept = append(c.kept, p.tablePiece(c, k))
			c.kept = append(c.kept, p.keeperPieces(c, k)...)
			for i := range c.indexes {
				if x := &c.indexes[i]; c.layout.kinds[x.shape.entity].table == e {
					c.kept = append(c.kept, p.indexPiece(c, k, x))
				}
			}
		}
		for _, b := range besideOf(k) {
			c.kept = append(c.kept, p.besidePiece(c, b))
			if streamedAside(c, b) {
				c.kept = append(c.kept, p.followingPieces(c, b)...)
			}
		}
	}
}

// besideOf is what lies beside the items of a kind.
func besideOf(k *kind) (out []beside) {
	for _, u := range k.markers() {
		if r := k.option.roster(u); r != nil && r.root != nil {
			continue // among what lies in the table of that
		}
		out = append(out, beside{entity: k.entity, marker: u})
	}
	if o := k.option.aside; o != nil {
		for _, a := range o.attrs {
			out = append(out, beside{entity: k.entity, aside: a})
		}
	}
	for _, a := range k.entity.Attributes {
		if a.Sequence != nil {
			out = append(out, beside{entity: k.entity, number: a})
		}
	}
	return out
}

func (p *planner) tablePiece(c *config, k *kind) *piece {
	var id key
	id.add(3)
	id.tables(c, []*spec.Entity{k.table})
	return p.remember(id, 0, func() *piece {
		_, tables, why := p.fragment(c, []*spec.Entity{k.table}, nil, nil)
		if why != "" {
			return &piece{why: why}
		}
		place := p.pricer.cost.Place(tables[0].Base)
		out := &piece{money: place.Bill.Total(), most: map[*spec.Entity]float64{}, mean: map[*spec.Entity]float64{}}
		for _, n := range c.layout.neighbours(k) {
			for _, it := range place.Items {
				if cut := n.option.cut; it.Name == n.entity.Name || cut != nil && it.Name == cut.name {
					out.most[n.entity] += it.Most
					out.mean[n.entity] += it.Bytes
					if it.Most > float64(capacity.ItemBytes) {
						out.why = fmt.Sprintf("one %s could have %s, and an item may have 400 KB", n.entity.Name, show.Bytes(it.Most))
						p.facts.limits[out.why] = true
					}
				}
			}
		}
		return out
	})
}

func (p *planner) indexPiece(c *config, k *kind, x *chosenIndex) *piece {
	var id key
	id.add(4)
	id.tables(c, []*spec.Entity{k.table})
	id.add(p.pricer.number(x.shape.id), p.pricer.number(x.project.name))
	return p.remember(id, 0, func() *piece {
		_, tables, why := p.fragment(c, []*spec.Entity{k.table}, []chosenIndex{*x}, nil)
		if why != "" {
			return &piece{why: why}
		}
		place := p.pricer.cost.Place(tables[0].Indexes[0])
		out := &piece{money: place.Bill.Total(), most: map[*spec.Entity]float64{}}
		for _, it := range place.Items {
			out.count += it.Count
			out.bytes = it.Bytes
			out.most[x.shape.entity] = max(out.most[x.shape.entity], it.Most)
		}
		return out
	})
}

func (p *planner) besidePiece(c *config, b beside) *piece {
	var id key
	id.add(5, p.pricer.number(fmt.Sprint(b.entity.Name, b.marker != nil, joinNames(b.marker), b.aside != nil, b.number != nil, b.name(), shardsAside(c, b), streamedAside(c, b), togetherAside(c, b), refsKey(c.layout.kinds[b.entity].told()), rosterOf(c, b))))
	return p.remember(id, 0, func() *piece {
		_, tables, why := p.fragment(c, nil, nil, []beside{b})
		if why != "" {
			return &piece{why: why}
		}
		return &piece{money: p.pricer.cost.Place(tables[0].Base).Bill.Total()}
	})
}

func (b beside) name() string {
	switch {
	case b.aside != nil:
		return b.aside.Name
	case b.number != nil:
		return b.number.Name
	}
	return ""
}
