package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// decider explains the choices of one component: what was chosen, by which rule, on what figures, and what the best
// total would have been with each alternative forced and everything else chosen anew.
type decider struct {
	s      *solution
	e      *emission
	total  capacity.Money // of the whole model
	others capacity.Money // of all other components
}

// decisions are those of a component: where each entity lies, what each index is for, how each read is served.
func (d *decider) decisions() []plan.Decision {
	var out []plan.Decision
	for _, e := range d.s.planner.c.entities {
		if x, ok := d.home(e); ok {
			out = append(out, x)
		}
	}
	for _, x := range d.s.chosen.indexes {
		out = append(out, d.index(x))
	}
	for i := range d.s.chosen.demands {
		if x, ok := d.read(i); ok {
			out = append(out, x)
		}
	}
	return out
}

// rejected is an alternative with what the whole model would have cost.
func (d *decider) rejected(what string, c *config) plan.Rejected {
	r := plan.Rejected{What: what, Cost: (d.others + c.cost).Dollars()}
	delta := c.cost - d.s.chosen.cost
	less := "costs " + (-delta).String() + fmt.Sprintf(" less a month, within %.0f %%, and ", 100*slack)
	same := max(delta, -delta) < capacity.Dollar/200 // what a price of two decimals does not show
	if same {
		less = "costs the same, and "
	}
	switch {
	case delta > 0 && !same:
		r.Because = "costs " + delta.String() + " more a month"
	case c.points > d.s.chosen.points:
		r.Because = less + fmt.Sprintf("is less simple (%d points to %d, for tables, indexes, copies, steps and transactions)", c.points, d.s.chosen.points)
	case c.detours > d.s.chosen.detours:
		r.Because = less + "reads by identity need an index"
	default:
		r.Because = "costs the same"
	}
	return r
}

// most is how many alternatives a decision lists at most, the cheapest first.
const mostRejected = 6

func closest(rs []plan.Rejected) []plan.Rejected {
	slices.SortStableFunc(rs, func(a, b plan.Rejected) int {
		if (a.Cost == 0) != (b.Cost == 0) { // inadmissible ones last
			if a.Cost == 0 {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Cost, b.Cost)
	})
	return rs[:min(len(rs), mostRejected)]
}

// home decides where the items of an entity lie.
func (d *decider) home(e *spec.Entity) (plan.Decision, bool) {
	p := d.s.planner
	chosen := d.s.chosen.layout.options[e]
	x := plan.Decision{About: e.Name, Rule: chosen.rule(), Because: d.whyHome(e, chosen), Cost: d.total.Dollars()}
	var rs []plan.Rejected
	for _, o := range p.c.options[e] {
		if o == chosen {
			continue
		}
		c := p.withOption(d.s.chosen, p.entityAt(e), o)
		if p.spent() {
			break
		}
		if c == nil {
			because := "no model serves all patterns with it"
			if why := p.whyNot(d.s.chosen, p.entityAt(e), o); why != "" {
				because += ": " + why
			}
			rs = append(rs, plan.Rejected{What: o.describe(), Because: because})
			continue
		}
		rs = append(rs, d.rejected(o.describe(), c))
	}
	for _, w := range e.There {
		if why := forbidsEmbedding(p.facts, e, w, p.c.demands); why != "" && (w.Identifying || d.readTogether(e, w)) {
			rs = append(rs, plan.Rejected{What: "inside the item of its " + w.To.Name, Because: "inadmissible: " + why})
		}
	}
	if len(rs) == 0 {
		return x, false
	}
	x.Inputs = append(x.Inputs, plan.Input{Name: "stored", Value: show.Number(e.Count) + " of " + show.Number(e.Bytes.Average) + " bytes"})
	if p.c.options[e] != nil && chosen.own != nil {
		t := p.tablePiece(d.s.chosen, d.s.chosen.layout.kinds[d.s.chosen.layout.kinds[e].table])
		x.Inputs = append(x.Inputs, plan.Input{Name: "item", Value: show.Number(t.mean[e]) + " bytes, at most " + show.Number(t.most[e])})
	}
	x.Inputs = append(x.Inputs, d.pairInputs(e, chosen)...)
	x.Rejected = closest(rs)
	return x, true
}

func (d *decider) readTogether(e *spec.Entity, w *spec.Relationship) bool {
	for _, q := range d.s.planner.c.demands {
		if q.target == w.To && slices.ContainsFunc(q.ways, func(n *wayNode) bool { return n.back && n.way == w }) {
			return true
		}
	}
	return false
}

// whyHome says what a home is good for.
func (d *decider) whyHome(e *spec.Entity, o *option) string {
	var direct, together []string
	for i, q := range d.s.chosen.plans {
		name := d.s.chosen.demands[i].name
		for _, t := range q.steps {
			if t.index != nil || d.s.chosen.demands[i].locates != nil {
				continue
			}
			switch at := slices.Index(t.kinds, e); {
			case at == 0 && len(t.kinds) == 1 && t.inside == nil:
				direct = appendNew(direct, name)
			case at >= 0:
				together = appendNew(together, name)
			case slices.ContainsFunc(t.lists, func(r *roster) bool { return r.kin.From == e }):
				together = appendNew(together, name)
			}
			if t.inside != nil && t.inside.way.From == e {
				together = appendNew(together, name)
			}
		}
		for _, t := range q.steps {
			if o.within != nil && t.kinds[0] == o.within.way.To && slices.Contains(t.need, wayColumn(o.within.way)) {
				together = appendNew(together, name)
			}
		}
	}
	var parts []string
	if len(direct) > 0 {
		parts = append(parts, "serves "+listOf(direct)+" from the table")
	}
	if len(together) > 0 {
		parts = append(parts, "is read with others by "+listOf(together))
	}
	if o.within != nil && o.own == nil {
		parts = append(parts, "needs no item, index arm or transaction action of its own")
	}
	if o.held {
		parts = append(parts, "is listed inside the item of its "+o.within.way.To.Name+", which whoever makes or deletes one changes in the same transaction anyway")
	}
	if o.own != nil && o.own.shards > 1 {
		parts = append(parts, fmt.Sprintf("is divided into %d parts, because %s: each part takes its share, and reads of a key gather the parts",
			o.own.shards, d.s.planner.heatOf[o.name]))
	}
	if o.aside != nil {
		text := "leaves what is counted of it to items of their own, so that counting does not write it anew"
		if o.aside.shards > 1 {
			text += fmt.Sprintf(", %d parts each, because %s", o.aside.shards, d.s.planner.heatOf[o.name])
		}
		parts = append(parts, text)
	}
	if len(o.followed) > 0 {
		parts = append(parts, "holds "+joinedNames(o.followed)+", which the consumer of a stream writes anew for each child that comes or goes, so that no transaction waits for it")
	}
	if o.cut != nil {
		parts = append(parts, "lies in two items under one key, so that a write of either does not take the units of both: "+joinedNames(o.cut.attrs)+" apart from the rest")
	}
	if o.pack != nil {
		told := ""
		if len(o.pack.within) > 0 {
			told = ", of whatever " + joinedNames(o.pack.within)
		}
		parts = append(parts, "lies with others in one item, "+show.Number(o.pack.each)+" of "+spec.FormatDuration(o.pack.period)+told+
			", so that these share the 100 bytes that DynamoDB adds to each item, and a read of a range takes fewer blocks")
	}
	if o.pointer {
		what := "a strongly consistent list, which no index over all items serves"
		if o.busy {
			what = "a list that shows what often changes, which an index would repeat each time"
		}
		parts = append(parts, "has the key of "+what+"; a small item under "+refsKey(identityRefs(e))+" says where it lies")
	}
	for _, r := range o.rosters {
		var what []string
		if r.sole {
			parts = append(parts, "is "+r.text()+", in the marker that keeps "+joinedNames(r.of)+" unique: whoever gives that gets no other item")
			continue
		}
		if r.asked {
			what = append(what, "for a strongly consistent list")
		}
		if r.way != nil {
			what = append(what, "so that what changes its "+r.way.Name+
				" finds all that hold copies of that by a strongly consistent query")
		}
		parts = append(parts, "is "+r.text()+" "+strings.Join(what, ", and ")+
			", which no global index serves: what writes it keeps the markers in the same transactions")
	}
	if len(parts) == 0 {
		parts = append(parts, "is written under its identity")
	}
	return upperFirst(strings.Join(parts, "; ")) + "."
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func listOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// index decides what an index is and projects. Its alternatives are other projections, all else unchanged; that there
// is an index at all is decided with the reads it serves.
func (d *decider) index(x chosenIndex) plan.Decision {
	p, c := d.s.planner, d.s.chosen
	entries := p.indexPiece(c, c.layout.kinds[c.layout.kinds[x.shape.entity].table], &x)
	upkeep := entries.money
	for i, y := range c.indexes {
		if y.shape.id == x.shape.id {
			for _, arm := range c.arms[i] {
				if arm != nil {
					upkeep += arm.money
				}
			}
		}
	}
	dec := plan.Decision{About: d.e.indexes[x.shape.id], Rule: x.shape.rule(), Cost: d.total.Dollars()}
	var reads, finds []string
	var rate float64
	for i, q := range c.plans {
		for _, t := range q.steps {
			if t.index == nil || t.index.id != x.shape.id {
				continue
			}
			dm := c.demands[i]
			rate += dm.rate.Average
			if dm.locates != nil {
				finds = appendNew(finds, dm.name)
			} else {
				reads = appendNew(reads, dm.name)
			}
		}
	}
	dec.Because = "Holds " + x.shape.entity.Name + " by " + x.shape.describeKey()
	if x.shape.sparse != nil {
		dec.Because += ", only where " + x.shape.sparse.String()
	}
	dec.Because += ", with " + x.project.describe()
	if len(reads) > 0 {
		dec.Because += ", for " + listOf(reads)
	}
	if kept := keptBy(d.s.planner.facts, c, x.shape); len(kept) > 0 {
		dec.Because += "; the consumer of the stream finds there what holds " + listOf(kept)
	}
	if len(finds) > 0 {
		dec.Because += "; " + listOf(finds) + " finds its key there"
	}
	dec.Because += "."
	dec.Inputs = []plan.Input{
		{Name: "upkeep", Value: upkeep.String() + " a month"},
		{Name: "entries", Value: show.Number(entries.count) + " of " + show.Number(entries.bytes) + " bytes"},
		{Name: "read", Value: show.Number(rate) + "/s"},
	}
	if moves := d.moves(x.shape); moves != "" {
		dec.Inputs = append(dec.Inputs, plan.Input{Name: "moved by", Value: moves})
	}
	for _, other := range []projection{projectAll, keysOnly} {
		if other.name == x.project.name {
			continue
		}
		if y := d.reproject(x.shape, other); y != nil {
			dec.Rejected = append(dec.Rejected, d.rejected("project "+other.describe(), y))
		}
	}
	return dec
}

// moves names the writes that change an index's key, which costs two arms each.
func (d *decider) moves(x *indexShape) string {
	var out []string
	for _, w := range d.s.chosen.writing {
		for _, a := range w.acts {
			if a.entity == x.entity && a.verb == actUpdate && slices.ContainsFunc(a.changes, func(at *spec.Attribute) bool {
				return hasRef(x.refs(), ref{from: x.entity, attr: at})
			}) {
				out = appendNew(out, w.pattern.Name)
			}
		}
	}
	return listOf(out)
}

// reproject is the chosen configuration with another projection of one index; nil if plans need more than it has.
func (d *decider) reproject(x *indexShape, pr projection) *config {
	c := *d.s.chosen
	c.indexes = slices.Clone(c.indexes)
	for i := range c.indexes {
		if c.indexes[i].shape.id == x.id {
			c.indexes[i].project = pr
		}
	}
	for _, q := range c.plans {
		for _, u := range q.indexUses {
			if need := projectionOf(c.figures[x.entity], x, u.need); u.shape.id == x.id && !(pr.all || !need.all && pr.serves(need.include)) {
				return nil
			}
		}
	}
	c.kept = nil
	d.s.planner.price(&c, nil, nil, forever)
	return &c
}

// read decides how a pattern is served.
func (d *decider) read(i int) (plan.Decision, bool) {
	c := d.s.chosen
	dm, q := c.demands[i], c.plans[i]
	read := c.reads[i]
	x := plan.Decision{About: dm.name, Rule: q.rule, Because: upperFirst(q.name) + ".", Cost: d.total.Dollars()}
	if dm.locates != nil {
		x.About, x.Rule = dm.name+".key", "locator: "+q.rule
		x.Because = "The caller does not give the whole key: " + q.name + "."
	}
	x.Inputs = []plan.Input{
		{Name: "units", Value: capacity.ReadUnits(read.units).String() + " a call"},
		{Name: "rate", Value: show.Number(dm.rate.Average) + "/s"},
		{Name: "reads", Value: read.money.String() + " a month"},
	}
	var rs []plan.Rejected
	for _, rule := range d.rules(dm) {
		if rule == q.rule {
			continue
		}
		other := d.s.planner.withRule(c, dm, rule)
		if d.s.planner.spent() {
			break
		}
		if other == nil {
			continue
		}
		for j, o := range other.demands {
			if sameDemand(o, dm) {
				rs = append(rs, d.rejected(other.plans[j].name+" ("+rule+")", other))
			}
		}
	}
	few, atOnce := q.lookups(), q.atOnce()
	if len(rs)+len(few)+len(atOnce) == 0 && q.steps[0].verb != verbScan && !q.cut {
		return x, false
	}
	if q.cut {
		x.Because += " Each call reads all that matches, and the client sorts it and cuts the page."
		if late := q.lateOf(); len(late) > 0 {
			x.Because += " What only the answer shows is read for that page alone: " + strings.Join(late, ", ") + "."
		}
		ordered := slices.ContainsFunc(d.rules(dm), func(rule string) bool { return !strings.HasSuffix(rule, byClient) })
		if why := d.s.planner.misses[dm.name]; !ordered && why != "" {
			x.Because += " Nothing serves it in its order: " + why + "."
		}
	}
	for _, e := range few {
		x.Because += fmt.Sprintf(" There are few %s: one scan of all costs less than each that is named by its key.", e.Name)
	}
	for _, e := range atOnce {
		x.Because += fmt.Sprintf(" One query of every %s in question costs less than a get of each that is named; "+
			"the client joins them.", e.Name)
	}
	if q.steps[0].verb == verbScan {
		x.Because = "The requirements ask for the whole set: every item is read. " + x.Because
	}
	x.Rejected = closest(rs)
	return x, true
}

// rules are those by which some layout could serve a demand.
func (d *decider) rules(dm *demand) []string {
	var out []string
	for _, f := range d.s.planner.frames {
		if f == nil || len(f.refused) > 0 {
			continue
		}
		for i, o := range f.demands {
			if !sameDemand(o, dm) {
				continue
			}
			for _, q := range f.choices[i] {
				out = appendNew(out, q.rule)
			}
		}
	}
	slices.Sort(out)
	return out
}

// writes explains the writes of several items, and those that write what belongs together as one.
func (e *emission) writeDecisions(found []*solution, total capacity.Money) []plan.Decision {
	var out []plan.Decision
	for _, q := range e.req.Patterns {
		if !q.Writes() {
			continue
		}
		x := plan.Decision{About: q.Name, Cost: total.Dollars()}
		var table, arms capacity.Money
		actions := 0.0
		transact, joined, merged, between := false, false, false, ""
		for _, s := range found {
			for i, w := range s.chosen.writing {
				if w.pattern != q {
					continue
				}
				transact, joined = transact || w.transact, joined || w.transact && w.oneItem()
				table += s.chosen.writes[i].money
				for _, of := range s.chosen.arms {
					if of[i] != nil {
						arms += of[i].money
					}
				}
				for _, a := range w.acts {
					actions += max(1, a.times.most)
					merged = merged || a.verb == actPut && len(a.touch.inner) > 0
					if a.seen {
						between += fmt.Sprintf(" It begins anew where a copy of what it changes of the %s has come since it looked for all.", a.entity.Name)
					}
					if a.stamp {
						between += fmt.Sprintf(" It makes the stamp of the %s anew, for the units of a check, so that who changes what it copies of that misses no copy.", a.entity.Name)
					}
				}
			}
		}
		switch {
		case joined && q.Idempotency == "":
			x.Rule = "single item"
			x.Because = "A child and the item that it lies in change together, by one update of that item: no transaction." + between
		case transact:
			x.Rule = "transaction"
			x.Because = fmt.Sprintf("Several items change together, so the tables' units count twice: up to %.0f actions of %d.", actions, capacity.TransactionActions) + between
		case merged:
			x.Rule = "single item"
			x.Because = "What is written together lies in one item: no transaction."
		default:
			continue
		}
		x.Inputs = []plan.Input{
			{Name: "tables", Value: table.String() + " a month"},
			{Name: "indexes", Value: arms.String() + " a month"},
		}
		out = append(out, x)
	}
	return out
}
