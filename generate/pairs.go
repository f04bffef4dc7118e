package generate

import (
	"fmt"
	"math"
	"slices"

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
			if a.External || b.External {
				continue // they can share nothing
			}
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

// home is the kind that an entity's items of its own are, of parts the one that is called like it; nil if it is only embedded.
func (in *Input) home(e *spec.Entity) *plan.Kind {
	parts := in.Program.Parts(e)
	if len(parts) == 0 {
		return nil
	}
	return parts[max(slices.IndexFunc(parts, func(k *plan.Kind) bool { return k.Name == e.Name }), 0)]
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
	for i, name := range path {
		if r := e.WayOn(path[i:]); r != nil {
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
