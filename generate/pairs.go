package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// walk is a path that a read goes along, and the entity at its end.
type walk struct {
	ways     []*spec.Relationship
	end      *spec.Entity
	answered bool // the end's attributes are part of the answer, not only a condition on it
}

// walks are all paths of a read.
func walks(x *spec.Pattern) []walk {
	var out []walk
	add := func(path spec.Path, answered bool) {
		w := walk{end: x.Read, answered: answered}
		for _, name := range path {
			r := w.end.WayThere(name)
			to := (*spec.Entity)(nil)
			if r != nil {
				to = r.To
			} else if r = w.end.WayBack(name); r != nil {
				to = r.From
			}
			if r == nil {
				break
			}
			w.ways, w.end = append(w.ways, r), to
		}
		if len(w.ways) > 0 {
			out = append(out, w)
		}
	}
	for _, g := range x.Given {
		add(g, false)
	}
	for _, w := range x.With {
		add(w, true)
	}
	for _, r := range x.Returns {
		add(r, true)
	}
	for _, o := range x.Order {
		add(o.Path, false)
	}
	return out
}

// answers are the entities that a read answers with.
func answers(x *spec.Pattern) []*spec.Entity {
	out := []*spec.Entity{x.Read}
	for _, w := range walks(x) {
		if w.answered && !slices.Contains(out, w.end) {
			out = append(out, w.end)
		}
	}
	return out
}

// pair is two entities that hang together, or that some read answers together.
type pair struct {
	a, b                  *spec.Entity
	way                   *spec.Relationship // between them; nil: none
	onlyA, onlyB, both    float64            // reads per second
	writesA, writesB      float64            // writes per second of one without the other
	writesBoth            float64
	readsA, readsB, reads []string
}

// pairs lists them, the ones read together most first; what no read needs is left out.
func (in *Input) pairs() []*pair {
	var out []*pair
	es := in.Requirements.Entities
	for i, a := range es {
		for _, b := range es[i+1:] {
			p := &pair{a: a, b: b, way: between(a, b)}
			if p.way != nil && p.way.To == b {
				p.a, p.b = b, a // the one side first
			}
			in.measure(p)
			if p.both > 0 || p.way != nil && p.onlyA+p.onlyB > 0 {
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y *pair) int {
		switch a, b := x.correlation(), y.correlation(); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	return out
}

// between is the relationship between two entities: the identifying one if there are several.
func between(a, b *spec.Entity) *spec.Relationship {
	var found *spec.Relationship
	for _, r := range slices.Concat(a.There, b.There) {
		if (r.To == a && r.From == b || r.To == b && r.From == a) && (found == nil || r.Identifying) {
			found = r
		}
	}
	return found
}

func (in *Input) measure(p *pair) {
	for _, x := range in.Requirements.Patterns {
		var hasA, hasB bool
		if x.Writes() {
			for _, act := range x.Actions {
				touched := append([]*spec.Entity{act.Entity}, inside(act)...)
				hasA = hasA || slices.Contains(touched, p.a)
				hasB = hasB || slices.Contains(touched, p.b)
			}
			tally(hasA, hasB, x.Rate.Average, &p.writesA, &p.writesB, &p.writesBoth)
			continue
		}
		got := answers(x)
		hasA, hasB = slices.Contains(got, p.a), slices.Contains(got, p.b)
		tally(hasA, hasB, x.Rate.Average, &p.onlyA, &p.onlyB, &p.both)
		switch {
		case hasA && hasB:
			p.reads = append(p.reads, x.Name)
		case hasA:
			p.readsA = append(p.readsA, x.Name)
		case hasB:
			p.readsB = append(p.readsB, x.Name)
		}
	}
}

func tally(a, b bool, rate float64, onlyA, onlyB, both *float64) {
	switch {
	case a && b:
		*both += rate
	case a:
		*onlyA += rate
	case b:
		*onlyB += rate
	}
}

// inside are the children that an action writes along with its entity.
func inside(a *spec.Action) []*spec.Entity {
	var out []*spec.Entity
	for _, name := range a.With {
		if r := a.Entity.WayBack(name); r != nil {
			out = append(out, r.From)
		}
	}
	return out
}

func (p *pair) either() float64 { return p.onlyA + p.onlyB + p.both }

// correlation is the share of reads of either that need both.
func (p *pair) correlation() float64 {
	if p.either() == 0 {
		return 0
	}
	return p.both / p.either()
}

// band is what the share of common reads says by itself: above 90 % one item, from 50 % one collection, else apart.
func (p *pair) band() string {
	switch c := p.correlation(); {
	case c > 0.9:
		return "one item"
	case c >= 0.5:
		return "one collection"
	}
	return "apart"
}

// place is how the model keeps two entities.
func (in *Input) place(a, b *spec.Entity) (how, text string) {
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			if k.Role != plan.EntityItem {
				continue
			}
			for _, m := range k.Embeds {
				if k.Entity == a && m.Child == b || k.Entity == b && m.Child == a {
					text = "one item: " + m.Child.Name + " inside " + k.Entity.Name + " (" + code(m.Attribute) + ")"
					how = "one item"
				}
			}
		}
	}
	ka, kb := in.home(a), in.home(b)
	switch {
	case how != "" && ka != nil && kb != nil:
		return how, text + ", and items of its own in " + code(in.homeOf(a, b).Table.Name)
	case how != "":
		return how, text
	case ka == nil:
		return "apart", "apart: " + a.Name + " lies " + in.lives(a.Name)
	case kb == nil:
		return "apart", "apart: " + b.Name + " lies " + in.lives(b.Name)
	case ka.Table != kb.Table:
		return "apart", "apart: tables " + code(ka.Table.Name) + " and " + code(kb.Table.Name)
	case samePartition(ka, kb):
		return "one collection", "one collection of table " + code(ka.Table.Name)
	}
	return "apart", "one table, " + code(ka.Table.Name) + ", in collections of their own"
}

// homeOf is the home of the one of two entities that is embedded in the other.
func (in *Input) homeOf(a, b *spec.Entity) *plan.Kind {
	for _, m := range in.home(a).Embeds {
		if m.Child == b {
			return in.home(b)
		}
	}
	return in.home(a)
}

// home is the kind that an entity's items of its own are; nil if it is only embedded.
func (in *Input) home(e *spec.Entity) *plan.Kind {
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			if k.Role == plan.EntityItem && k.Entity == e {
				return k
			}
		}
	}
	return nil
}

// samePartition reports whether items of two kinds can lie under one partition key: the literals of its templates agree
// and its parts mean the same.
func samePartition(a, b *plan.Kind) bool {
	for _, w := range a.Table.Base.Partition {
		ra, rb := a.Recipe(w.Name), b.Recipe(w.Name)
		if ra == nil || rb == nil || !slices.Equal(ra.Literals, rb.Literals) || len(ra.Parts) != len(rb.Parts) {
			return false
		}
		for i := range ra.Parts {
			if origin(a.Entity, ra.Parts[i].Path) != origin(b.Entity, rb.Parts[i].Path) {
				return false
			}
		}
	}
	return true
}

// origin is the attribute that a path's value comes from: foreign keys are followed to the identity they point to, copies
// to what they copy.
func origin(e *spec.Entity, path spec.Path) *spec.Attribute {
	path = source(e, path)
	for _, name := range path {
		if r := e.WayThere(name); r != nil {
			e = r.To
			continue
		}
		a := e.Attribute(name)
		for a != nil && a.Reference != nil {
			i := slices.Index(a.Reference.By, a)
			if i < 0 || i >= len(a.Reference.To.Identity) {
				break
			}
			a = a.Reference.To.Identity[i]
		}
		return a
	}
	return nil
}

// aggregates analyses which entities are needed together.
func (in *Input) aggregates(p *page) {
	all := in.pairs()
	if len(all) == 0 {
		return
	}
	p.heading(2, "Aggregate analysis")
	p.text("Of the reads that answer one entity or the other, how many answer both in one call. By that share alone, more than 90 %% speaks for one item, 50 to 90 %% for " +
		"items of one collection, less for keeping them apart. It is a rule of thumb: the design is chosen by cost and limits, and where it differs the last column says so.")
	var rows [][]string
	for _, x := range all {
		how, text := in.place(x.a, x.b)
		agrees := "agrees"
		if how != x.band() {
			agrees = "overruled" + in.because(x, how)
		}
		e := math.Max(x.either(), math.SmallestNonzeroFloat64)
		rows = append(rows, []string{
			x.a.Name + " and " + x.b.Name, show.Percent(x.onlyA / e), show.Percent(x.onlyB / e), show.Percent(x.both / e),
			fmt.Sprintf("%s of %s", show.Number(x.both), show.Number(x.either())), x.band(), text, agrees,
		})
	}
	p.table([]string{"entities", ">only the first", ">only the second", ">both", ">reads/s of both, of either", "the share speaks for", "in the model", "rule"}, rows)
}

// because says what overruled the rule of shares, as far as the numbers tell.
func (in *Input) because(x *pair, how string) string {
	bytes, most := x.union()
	switch {
	case how == "apart" && x.writesA+x.writesB > x.writesBoth:
		return fmt.Sprintf(" by cost: written together %s/s, one without the other %s/s", show.Number(x.writesBoth), show.Number(x.writesA+x.writesB))
	case most > itemLimit && x.band() == "one item":
		return fmt.Sprintf(" by limit: %s together at the most", show.Bytes(most))
	case how == "one item" && x.writesBoth > 0:
		return fmt.Sprintf(" by cost: one item of %s on average instead of %s items to write, store and index", show.Bytes(bytes), show.Number(1+x.children()))
	case how == "one item":
		return fmt.Sprintf(" by cost: one item of %s on average, read and written in one unit where items of their own need more", show.Bytes(bytes))
	case how == "one collection" && x.correlation() > 0.9:
		return " by cost: each is also written or read alone"
	case how == "one collection" && len(x.reads) > 0:
		return " by cost: one query answers " + show.List(codes(x.reads)) + ", and what needs one of them reads its range only"
	case how == "apart" && x.way != nil && len(x.reads) > 0:
		return " by cost: together they would be one more index, or a dearer one, for what reads one of them"
	}
	return " by cost"
}

func (p *pair) children() float64 {
	if p.way == nil || !p.way.PerParent.Stated {
		return 1
	}
	return p.way.PerParent.Average
}

// union is the size of one of the first with all its second ones, on average and at most.
func (p *pair) union() (average, most float64) {
	average, most = p.a.Bytes.Average+p.b.Bytes.Average, math.Max(p.a.Bytes.Max, p.a.Bytes.Average)+math.Max(p.b.Bytes.Max, p.b.Bytes.Average)
	if p.way != nil && p.way.PerParent.Stated {
		n := p.way.PerParent
		average = p.a.Bytes.Average + n.Average*p.b.Bytes.Average
		most = math.Max(p.a.Bytes.Max, p.a.Bytes.Average) + n.Max*math.Max(p.b.Bytes.Max, p.b.Bytes.Average)
	}
	return average, most
}

// identifying analyses children that belong to a parent: do their reads know the parent's key?
func (in *Input) identifying(p *page) {
	var rows [][]string
	for _, e := range in.Requirements.Entities {
		r := e.Parent
		if r == nil {
			continue
		}
		knows, reads := 0.0, 0.0
		var others []string
		for _, x := range in.Requirements.Patterns {
			if x.Writes() || x.Read != e {
				continue
			}
			reads += x.Rate.Average
			if givenBy(x, r) {
				knows += x.Rate.Average
			} else {
				others = append(others, x.Name)
			}
		}
		what := "no read starts at " + e.Name + ": it comes with its parent"
		if reads > 0 {
			what = fmt.Sprintf("%s of %s reads/s (%s)", show.Number(knows), show.Number(reads), show.Percent(knows/reads))
		}
		rows = append(rows, []string{e.Name + " of " + r.To.Name, what, in.under(e, r), strings.Join(codes(others), ", "), in.otherWays(e, others)})
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Identifying relationships")
	p.text("A child that lives and dies with its parent can lie under the parent's key. Whatever reads it with that key then needs no index; each index that is " +
		"saved saves one more write per change and one more copy in storage.")
	p.table([]string{"child of parent", "reads that give the parent's key", "in the model", "reads that do not", "and what serves these"}, rows)
}

// under says where a child lies, as seen from its parent.
func (in *Input) under(e *spec.Entity, r *spec.Relationship) string {
	how, text := in.place(r.To, e)
	k := in.home(e)
	switch {
	case how == "one item":
		return text
	case k == nil:
		return "inside another item"
	case keyedBy(k, r):
		return "under the parent's key in " + code(k.Table.Name)
	}
	return "table " + code(k.Table.Name) + ", under a key of its own"
}

// keyedBy reports whether a kind's partition key is made of the foreign key of a relationship.
func keyedBy(k *plan.Kind, r *spec.Relationship) bool {
	for _, w := range k.Table.Base.Partition {
		rec := k.Recipe(w.Name)
		if rec == nil {
			return false
		}
		for _, part := range rec.Parts {
			if part.Path == nil || len(part.Path) != 1 || !slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return a.Name == part.Path[0] }) {
				return false
			}
		}
	}
	return true
}

// otherWays are the tables and indexes that serve patterns, with what the indexes among them cost a month.
func (in *Input) otherWays(e *spec.Entity, patterns []string) string {
	var out []string
	for _, name := range patterns {
		proc := in.Program.Procedure(name)
		if proc == nil {
			continue
		}
		for _, s := range proc.Stages {
			if s.Verb != plan.Query && s.Verb != plan.Scan {
				if s.Kind != nil && !s.Verb.Writes() {
					out = appendNew(out, code(s.Kind.Table.Name))
				}
				continue
			}
			text := code(s.Access.Name())
			if s.Access.Index != "" {
				bill := in.Price.Place(s.Access.Name()).Bill
				text += fmt.Sprintf(" (%s a month for writes and storage)", bill.Writes+bill.Storage)
			}
			out = appendNew(out, text)
		}
	}
	return strings.Join(out, ", ")
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// consolidation looks at pairs of parent and child that could share an item or a table.
func (in *Input) consolidation(p *page) {
	var rows [][]string
	for _, x := range in.pairs() {
		if x.way == nil || !x.way.PerParent.Stated {
			continue
		}
		average, most := x.union()
		bounded := most <= itemLimit
		bound := fmt.Sprintf("%s, at most %s", show.Bytes(average), show.Bytes(most))
		var verdict string
		switch c := x.correlation(); {
		case !bounded:
			verdict = "apart: not bounded by 400 KB"
		case c < 0.3:
			verdict = "apart: needed together too rarely"
		case c > 0.5 && x.way.Identifying:
			verdict = "merge"
		default:
			verdict = "cost decides"
		}
		how, text := in.place(x.a, x.b)
		if apart := strings.HasPrefix(verdict, "apart"); apart && how != "apart" || verdict == "merge" && how == "apart" {
			text += "; the rule is overruled" + in.because(x, how)
		}
		rows = append(rows, []string{
			x.a.Name + " with its " + x.b.Name, yes(x.way.Identifying), show.Percent(x.correlation()), show.Number(x.way.PerParent.Average) + " (" + show.Number(x.way.PerParent.Max) + ")", bound,
			fmt.Sprintf("%s of %s", show.Number(x.writesBoth), show.Number(x.writesA+x.writesB+x.writesBoth)), verdict, text, in.forced(x),
		})
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Consolidation candidates")
	p.text("Parents and children that could share an item or a table. The rule says merge if more than half of the reads need both, the child lives with its parent and the whole " +
		"stays below 400 KB; apart if fewer than 30 %% do or the whole is not bounded; in between, cost decides.")
	p.table([]string{"candidate", "lives with it", ">read together", ">children (most)", "together", ">writes/s of both, of either", "rule", "decision", "the alternatives, for the whole model"}, rows)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// forced are the alternatives that the design has priced for one of a pair, as differences to what was chosen: those that
// would bring it nearer to the other, and of a child that belongs to it also those that keep it apart.
func (in *Input) forced(x *pair) string {
	var out []string
	for _, d := range in.decisions() {
		if d.About != x.b.Name && d.About != x.a.Name+"."+x.way.Inverse {
			continue
		}
		for _, r := range d.Rejected {
			near := strings.Contains(r.What, " of its "+x.a.Name) && !strings.Contains(r.What, " again ")
			apart := x.way.Identifying && strings.HasPrefix(r.What, "items of their own")
			if r.Cost > 0 && d.Cost > 0 && (near || apart) {
				out = append(out, r.What+": "+Difference(r.Cost-d.Cost))
			}
		}
	}
	return strings.Join(out[:min(len(out), 3)], "; ")
}

// names reports whether what a decision is about is a name, or something of it.
func names(about, name string) bool {
	return about == name || strings.HasPrefix(about, name+".")
}
