package prove

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// Population says how many of each entity a proof keeps, and how far children are cut. Averages of the way on which
// an entity is created are kept; root counts are scaled down; the largest collection of each relationship is cut at
// what crosses three pages of the patterns that read it, and one 1 MB page where the requirements let one call read
// that much. What would still be more than 20,000 entities in all (times Options.Scale) is bounded: root counts shrink first, then averages.
// What would be more than 20 MB of one entity has smaller averages as well.
type Population struct {
	Count    map[*spec.Entity]int
	Children map[*spec.Relationship]spec.Children
	Results  map[*spec.Pattern]spec.Size
	Values   map[*spec.Attribute]spec.Size // of attributes that patterns look for by value: how many entities share one
	Lengths  map[*spec.Parameter]spec.Size // of lists that are cut
	Cuts     []Cut
	most     float64                        // entities in all
	bytes    float64                        // of one entity
	roots    float64                        // of entities nobody is the parent of, where no collection needs more
	shrunk   float64                        // share of root counts that the bound on all leaves; 1: it is kept anyway
	wide     map[*spec.Entity]float64       // of entities whose children other ways bring: see widen
	average  map[*spec.Relationship]float64 // of children, where it is cut
	because  map[*spec.Relationship]string  // why it is
}

// Cut is a figure of the requirements that the proof's data does not reach, and why.
type Cut struct {
	What    string  `json:"what"`
	Stated  float64 `json:"stated"`
	Used    float64 `json:"used"`
	Because string  `json:"because"`
}

const (
	rootCount   = 40        // of entities nobody is the parent of
	megabyte    = 1_048_576 // what one Query or Scan reads at most
	fewest      = 12        // of children in the largest collection of a relationship that no pattern reads
	mostOfAll   = 20_000    // entities in a proof: what seconds can load and read
	mostBytes   = 20 << 20  // of one entity in a proof: they are kept several times over
	mostWide    = 0.25      // of these, such as are there only to keep the averages of their children
	leastStored = 6         // of any entity, as far as there are as many
	leastRoot   = 16        // of entities nobody is the parent of, where all would be too many: with fewer, means over them are luck
	// Of what a pattern looks for among all there should be enough that its sizes are those of all.
	few        = 48
	mostForFew = 1_500 // that are made for that
)

// Populate plans the data of a proof of all access patterns.
func Populate(r *spec.Requirements) *Population { return populate(r, r.Patterns, rootCount, 1) }

// populate plans the data of a proof of some access patterns: these alone say what has to be large.
func populate(r *spec.Requirements, asked []*spec.Pattern, roots int, scale float64) *Population {
	p := &Population{
		roots:    math.Ceil(float64(roots) * scale),
		most:     mostOfAll * scale,
		bytes:    mostBytes * scale,
		shrunk:   1,
		wide:     map[*spec.Entity]float64{},
		average:  map[*spec.Relationship]float64{},
		because:  map[*spec.Relationship]string{},
		Count:    map[*spec.Entity]int{},
		Children: map[*spec.Relationship]spec.Children{},
		Results:  map[*spec.Pattern]spec.Size{},
		Values:   map[*spec.Attribute]spec.Size{},
		Lengths:  map[*spec.Parameter]spec.Size{},
	}
	cut := map[*spec.Relationship]float64{}
	why := map[*spec.Relationship]string{}
	for _, e := range r.Entities {
		for _, rel := range e.There {
			if rel.PerParent.Stated {
				cut[rel], why[rel] = cutOf(asked, rel)
				p.thin(asked, rel, cut[rel])
			}
		}
	}
	for _, pattern := range asked {
		p.values(pattern)
	}
	// Counts follow from the roots; a collection that has to be large needs enough members, so roots may have to grow.
	least := map[*spec.Entity]float64{}
	for range 20 {
		p.count(r, least)
		if !p.grow(r, asked, cut, least) {
			break
		}
	}
	bounded := p.bound(r, least)
	p.slim(r, least)
	p.widen(r, least)
	for _, e := range r.Entities {
		if float64(p.Count[e]) < e.Count {
			because := bounded
			switch way := primary(e); {
			case because != "":
			case way != nil:
				because = fmt.Sprintf("it follows from that of %s: a %s has as many as there are per parent", way.To.Name, lower(way.To.Name))
			case len(e.Back) == 0:
				because = "a call about one of them, found by key or index, meets the same among few as among many"
			default:
				because = "what lies under one of them, and not how many there are, decides what a call meets; collections keep their sizes"
			}
			p.Cuts = append(p.Cuts, Cut{What: "count of " + e.Name, Stated: e.Count, Used: float64(p.Count[e]), Because: because})
		}
	}
	for _, e := range r.Entities {
		for _, rel := range e.There {
			if rel.PerParent.Stated {
				p.children(rel, cut[rel], why[rel])
			}
		}
	}
	for _, pattern := range r.Patterns {
		if !pattern.Writes() {
			p.results(pattern)
			continue
		}
		for _, q := range pattern.Parameters {
			p.length(pattern, q)
		}
	}
	return p
}

// mostElements of a list that is written bit by bit fill three requests and begin a fourth.
const mostElements = 3*25 + 1

// length cuts a list that is written bit by bit: what comes after the first requests is like them. One call of very many elements
// would take the place of all others.
func (p *Population) length(pattern *spec.Pattern, q *spec.Parameter) {
	law := q.Length
	if !q.List || pattern.Atomic || law.Max <= mostElements {
		return
	}
	law.Max = mostElements
	law.Average = math.Min(law.Average, mostElements/2)
	p.Lengths[q] = law
	because := fmt.Sprintf("as many fill three requests of %s and begin a fourth; further ones are written in the same way", pattern.Name)
	p.Cuts = append(p.Cuts, Cut{What: fmt.Sprintf("length of %s of %s", q.Name, pattern.Name), Stated: q.Length.Max, Used: law.Max, Because: because})
	if law.Average < q.Length.Average {
		p.Cuts = append(p.Cuts, Cut{What: fmt.Sprintf("length of %s of %s on average", q.Name, pattern.Name), Stated: q.Length.Average, Used: law.Average, Because: because})
	}
}

// lengthOf is how many elements a list of a call has.
func (p *Population) lengthOf(q *spec.Parameter) spec.Size {
	if law, ok := p.Lengths[q]; ok {
		return law
	}
	return q.Length
}

// Figures are what estimates on the proof's data rest on.
func (p *Population) Figures() cost.Figures {
	f := cost.Figures{Count: map[*spec.Entity]float64{}, Children: p.Children, Results: p.Results, Lengths: map[*spec.Parameter]float64{}}
	for e, n := range p.Count {
		f.Count[e] = float64(n)
	}
	for q, law := range p.Lengths {
		f.Lengths[q] = law.Average
	}
	return f
}

// primary is the way on which an entity's instances are counted: from its parent, else from the entity of which it
// has the fewest per parent. nil for a root, for an entity that only points to itself, and for the one of which there are fewest
// of those that point to each other in a circle.
func primary(e *spec.Entity) *spec.Relationship {
	way := nearest(e)
	if way == nil {
		return nil
	}
	fewest, seen := e, map[*spec.Entity]bool{}
	for at := way.To; at != e; at = nearest(at).To {
		if nearest(at) == nil || seen[at] {
			return way // it hangs on a root, or on a circle
		}
		seen[at] = true
		if at.Count < fewest.Count || at.Count == fewest.Count && at.Name < fewest.Name {
			fewest = at
		}
	}
	if fewest == e {
		return nil
	}
	return way
}

// nearest is the way on which an entity's instances would be counted if nothing pointed back to it.
func nearest(e *spec.Entity) *spec.Relationship {
	var best *spec.Relationship
	for _, r := range e.There {
		if !r.PerParent.Stated || r.To == e {
			continue
		}
		if r.Identifying {
			return r
		}
		if slices.ContainsFunc(r.By, func(a *spec.Attribute) bool { return a.Optional }) {
			continue
		}
		if best == nil || r.PerParent.Average < best.PerParent.Average {
			best = r
		}
	}
	return best
}

// count fills in the counts that follow from the roots; least are counts that some collection needs.
func (p *Population) count(r *spec.Requirements, least map[*spec.Entity]float64) {
	clear(p.Count)
	named := p.named(r)
	var of func(e *spec.Entity) float64
	of = func(e *spec.Entity) float64 {
		if n, ok := p.Count[e]; ok {
			return float64(n)
		}
		n := math.Max(p.roots, least[e])
		n = math.Min(e.Count, math.Max(math.Max(math.Ceil(n*p.shrunk), math.Min(n, leastRoot)), math.Max(p.wide[e], named[e])))
		if way := primary(e); way != nil {
			n = of(way.To) * p.perParent(way)
			n = math.Max(n, math.Min(leastStored, e.Count))
		}
		p.Count[e] = int(math.Max(math.Round(n), 1))
		return float64(p.Count[e])
	}
	for _, e := range r.Entities {
		of(e)
	}
}

// named are how many roots there are at least, so that children which another foreign key alone tells apart find enough of what it
// names: a train of 27 wagons on average wants twice as many wagons, or no train has its wagons.
func (p *Population) named(r *spec.Requirements) map[*spec.Entity]float64 {
	out := map[*spec.Entity]float64{}
	for _, e := range r.Entities {
		rel := primary(e)
		if rel == nil {
			continue
		}
		for _, other := range e.There {
			if other == rel || !within(e.Identity, rel.By, other.By) {
				continue
			}
			root, n := other.To, 2*math.Ceil(p.perParent(rel))
			for up := primary(root); up != nil && root != e; up = primary(root) {
				root, n = up.To, n/p.perParent(up)
			}
			if root != e {
				out[root] = math.Max(out[root], math.Ceil(n))
			}
		}
	}
	return out
}

// perParent is how many children a relationship has on average.
func (p *Population) perParent(way *spec.Relationship) float64 {
	if n, ok := p.average[way]; ok {
		return n
	}
	return way.PerParent.Average
}

// thin cuts the average number of children where even the average parent has far more pages of them than show anything
// new: a page in the middle costs and answers what the one before it does.
func (p *Population) thin(asked []*spec.Pattern, rel *spec.Relationship, cut float64) {
	if rel.PerParent.Average <= 2*cut || rel != primary(rel.From) {
		return
	}
	paged := ""
	for _, pattern := range asked {
		switch {
		case pattern.Writes() || !reads(pattern, rel) || givesIdentity(pattern):
		case pattern.Page == 0:
			return // it reads all of them
		case paged == "":
			paged = pattern.Name
		}
	}
	if paged != "" {
		p.average[rel] = math.Ceil(cut / 2)
		p.because[rel] = "read in pages only, by " + paged + " for one: beyond the third page each is like the one before it"
	}
}

// bound keeps the number of all entities within mostOfAll: there are fewer roots, then fewer children of each parent. It
// answers why, or "" if there are not too many anyway.
func (p *Population) bound(r *spec.Requirements, least map[*spec.Entity]float64) string {
	total := func() (n float64) {
		for _, e := range r.Entities {
			n += float64(p.Count[e])
		}
		return n
	}
	all := total()
	if all <= p.most {
		return ""
	}
	driver := slices.MaxFunc(r.Entities, func(a, b *spec.Entity) int { return cmp.Compare(p.Count[a], p.Count[b]) })
	because := fmt.Sprintf("a proof keeps %s entities at most: with as many of all as collections and states ask for there would be %s, most of them %s",
		show.Number(p.most), show.Number(all), driver.Name)
	for total() > p.most && p.shrunk > 0.001 {
		p.shrunk *= 0.9
		p.count(r, least)
	}
	if total() <= p.most {
		return because + "; what lies under one of them keeps its size as far as there are enough"
	}
	most := 0.0
	for _, e := range r.Entities {
		if way := primary(e); way != nil {
			most = math.Max(most, p.perParent(way))
		}
	}
	for total() > p.most && most > 1 {
		most *= 0.9
		for _, e := range r.Entities {
			if way := primary(e); way != nil && p.perParent(way) > most {
				p.average[way], p.because[way] = math.Ceil(most), because
			}
		}
		p.count(r, least)
	}
	return because
}

// slim keeps what all of one entity take within mostBytes: of large ones a parent has fewer on average.
func (p *Population) slim(r *spec.Requirements, least map[*spec.Entity]float64) {
	for _, e := range r.Entities {
		way, all := primary(e), float64(p.Count[e])*e.Bytes.Average
		if way == nil || all <= p.bytes || p.perParent(way) <= 1 {
			continue
		}
		p.average[way] = math.Max(math.Floor(p.perParent(way)*p.bytes/all), 1)
		p.because[way] = fmt.Sprintf("a proof keeps %s of one entity at most, and a %s takes %s", show.Bytes(p.bytes), e.Name, show.Bytes(e.Bytes.Average))
		p.count(r, least)
	}
}

// widen keeps the averages of ways on which children are not counted: of recipients there are as many as the parcels that the
// lockers bring need for as many each as is stated, or a call would find ten times that. What another system keeps is stored
// nowhere and may be many; of all else there are mostWide more.
func (p *Population) widen(r *spec.Requirements, least map[*spec.Entity]float64) {
	stored := func() (n float64) {
		for _, e := range r.Entities {
			if !e.External {
				n += float64(p.Count[e])
			}
		}
		return n
	}
	most := math.Min(stored()+mostWide*p.most, math.Max(p.most, stored()))
	for _, e := range r.Entities {
		for _, way := range e.There {
			if !way.PerParent.Stated || way.PerParent.Average <= 0 || way == primary(e) || way.To == e {
				continue
			}
			root, per := way.To, 1.0 // where its instances are counted from
			for up := primary(root); up != nil && root != e; up = primary(root) {
				root, per = up.To, per*p.perParent(up)
			}
			if root == e || per <= 0 {
				continue
			}
			need := math.Min(float64(p.Count[e])*present(way)/p.perParent(way), math.Min(way.To.Count, p.most))
			before, had := p.wide[root], float64(p.Count[way.To])
			for more := need - had; more > nearEnough*had; more /= 2 {
				p.wide[root] = math.Ceil((had + more) / per)
				if p.count(r, least); stored() <= most {
					break
				}
				p.wide[root] = before
				p.count(r, least)
			}
		}
	}
}

// present is the share of children that a way leads somewhere from.
func present(way *spec.Relationship) float64 {
	share := 1.0
	for _, a := range way.By {
		if a.Optional {
			share = a.Present
		}
	}
	return share
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// grow asks for more of what keeps a collection from reaching its cut; it reports whether it had to.
func (p *Population) grow(r *spec.Requirements, asked []*spec.Pattern, cut map[*spec.Relationship]float64, least map[*spec.Entity]float64) bool {
	grew := false
	var ask func(e *spec.Entity, n float64)
	ask = func(e *spec.Entity, n float64) {
		n = math.Min(math.Ceil(n), e.Count)
		if float64(p.Count[e]) >= n || least[e] >= n {
			return
		}
		least[e], grew = n, true
		if way := primary(e); way != nil {
			ask(way.To, n/p.perParent(way))
		}
	}
	for a, law := range p.Values {
		ask(a.Entity, 2*law.Max)
	}
	for _, pattern := range asked {
		share, need := selected(pattern), 0.0
		if share < 1 {
			need = math.Max(few, math.Min(5.5*float64(pattern.Page), pattern.Results.Max)) // some pages, the last half full
		}
		if need > 0 && share > 0 {
			ask(pattern.Read, math.Min(need/share, mostForFew))
		}
	}
	for _, e := range r.Entities {
		for _, rel := range e.There {
			c, ok := cut[rel]
			if !ok {
				continue
			}
			ask(e, 2*c)
			// Children that are told apart by another foreign key alone need as many of its targets.
			for _, other := range e.There {
				if other != rel && within(e.Identity, rel.By, other.By) {
					ask(other.To, c+1)
				}
			}
		}
	}
	return grew
}

// selected is the share of an entity's instances that a read of all of them in some states, with some values of enums, or
// with or without an optional attribute, looks for; 1 of all other patterns.
func selected(p *spec.Pattern) float64 {
	if p.Writes() || len(p.Given) > 0 {
		return 1
	}
	conditions := []spec.Condition{p.Where}
	if l, ok := p.Where.(*spec.Logic); ok && l.Op == "and" {
		conditions = l.Args
	}
	share := 1.0
	for _, c := range conditions {
		t, ok := c.(*spec.Test)
		if !ok || len(t.Path) != 1 {
			continue
		}
		a := p.Read.Attribute(t.Path[0])
		switch {
		case a == nil:
		case t.Op == "exists" && a.Optional:
			share *= a.Present
		case t.Op == "absent" && a.Optional:
			share *= 1 - a.Present
		case (t.Op == "=" || t.Op == "in") && len(a.Shares) > 0:
			sum := 0.0
			for _, s := range a.Shares {
				if slices.ContainsFunc(t.Args, func(x spec.Expr) bool { return spec.ConstantText(x.Literal) == s.Value }) {
					sum += s.Of
				}
			}
			share *= sum
		}
	}
	return share
}

// within reports whether two foreign keys hold the whole identity, and each a part of it.
func within(identity, a, b []*spec.Attribute) bool {
	inA, inB := false, false
	for _, at := range identity {
		x, y := slices.Contains(a, at), slices.Contains(b, at)
		if !x && !y {
			return false
		}
		inA, inB = inA || x, inB || y
	}
	return inA && inB
}

// children fixes the law of children per parent on the proof's counts.
func (p *Population) children(rel *spec.Relationship, cut float64, why string) {
	parents, n := float64(p.Count[rel.To]), float64(p.Count[rel.From])
	c := rel.PerParent
	c.Average = p.perParent(rel)
	if rel == primary(rel.From) && c.Average*parents < leastStored {
		c.Average = math.Max(c.Average, math.Min(leastStored, math.Min(rel.From.Count, rel.PerParent.Max*parents))/parents)
	}
	if c.Average < rel.PerParent.Average {
		p.Cuts = append(p.Cuts, Cut{What: fmt.Sprintf("%s per %s (%s) on average", rel.From.Name, rel.To.Name, rel.Name), Stated: rel.PerParent.Average, Used: c.Average, Because: p.because[rel]})
	}
	if rel != primary(rel.From) {
		c.Average = n * present(rel) / parents
	}
	// Where there are too few, the largest still leaves as many to all others.
	c.Max = math.Max(math.Min(cut, math.Ceil(n/2)), math.Ceil(c.Average))
	// Children that are told apart by another foreign key alone: one parent does not use up all that the other key can name.
	pairs := false
	for _, other := range rel.From.There {
		if other == rel || !within(rel.From.Identity, rel.By, other.By) {
			continue
		}
		if most := math.Max(math.Floor(float64(p.Count[other.To])/2), math.Ceil(c.Average)); float64(p.Count[other.To]) <= c.Max {
			c.Max, pairs = most, true
			why = fmt.Sprintf("there are %d %s here, and a pair comes once", p.Count[other.To], other.To.Name)
		}
	}
	if c.Max < cut && !pairs {
		why = fmt.Sprintf("of %s there are %s here, and one %s has half of them at most", rel.From.Name, show.Number(n), lower(rel.To.Name))
	}
	if c.Max < rel.PerParent.Max {
		p.Cuts = append(p.Cuts, Cut{What: fmt.Sprintf("%s per %s (%s)", rel.From.Name, rel.To.Name, rel.Name), Stated: rel.PerParent.Max, Used: c.Max, Because: why})
	}
	p.Children[rel] = c
}

// values notes what a pattern looks for by an attribute that is neither an identity nor a foreign key nor an enum, alone or
// beside enums and states: so many entities have the same value.
func (p *Population) values(pattern *spec.Pattern) {
	a := plainGiven(pattern)
	if a == nil || pattern.Writes() {
		return
	}
	stated := pattern.Results
	limit, because := 100.0, pattern.Name+" answers all that have one value: 100 show what is left out or comes twice as more do"
	if pattern.Page > 0 {
		limit, because = float64(3*pattern.Page+1), pagesShow(pattern)
	}
	average, most := sharesOf(pattern) // of those with one value, what a call asks for beside it
	law := spec.Size{Average: stated.Average / average, Max: math.Min(stated.Max, limit) / most}
	if stated.Max > limit && law.Average > law.Max/2 {
		law.Average = law.Max * stated.Average / stated.Max
	}
	law.Max = math.Max(law.Max, math.Ceil(law.Average))
	if old, ok := p.Values[a]; ok && old.Max >= law.Max {
		return
	}
	what := fmt.Sprintf("%s with one %s", pattern.Read.Name, a.Name)
	p.Cuts = slices.DeleteFunc(p.Cuts, func(c Cut) bool { return c.What == what })
	if reach := law.Max * most; reach < stated.Max {
		p.Cuts = append(p.Cuts, Cut{What: what, Stated: stated.Max, Used: math.Round(reach), Because: because})
	}
	p.Values[a] = law
}

// plainGiven is the attribute that a pattern looks for by value, if it states that and beside it enums and states only.
func plainGiven(p *spec.Pattern) *spec.Attribute {
	var plain *spec.Attribute
	for _, g := range p.Given {
		a := p.Read.Attribute(g[0])
		owner, _ := leads(p.Read, g)
		if owner == p.Read && len(g) == 1 && a.Given() && !givesIdentity(p) {
			owner = nil // the first part of an identity alone
		}
		switch {
		case owner != nil || len(g) != 1 || a == nil || a.Derived != nil || isUnique(p.Read, a):
			return nil
		case len(a.Shares) > 0:
		case plain != nil:
			return nil
		default:
			plain = a
		}
	}
	return plain
}

// givesIdentity reports whether a pattern states the whole identity of what it reads.
func givesIdentity(p *spec.Pattern) bool {
	return !slices.ContainsFunc(p.Read.Identity, func(a *spec.Attribute) bool {
		return !slices.ContainsFunc(p.Given, func(g spec.Path) bool { return len(g) == 1 && g[0] == a.Name })
	})
}

// pagesShow says what the pages of a pattern show that are left.
func pagesShow(p *spec.Pattern) string {
	return fmt.Sprintf("three pages of %s and the beginning of a fourth: a first, a middle and a last one, and how it goes on after each; more are like those in the middle", p.Name)
}

// enumerated are the shares of a pattern's equalities, if all of them are on enums and states: of the average and of the
// most frequent values.
func enumerated(p *spec.Pattern) (average, most float64, ok bool) {
	for _, g := range p.Given {
		if a := p.Read.Attribute(g[0]); len(g) > 1 || a == nil || len(a.Shares) == 0 {
			return 0, 0, false
		}
	}
	average, most = sharesOf(p)
	return average, most, len(p.Given) > 0
}

// sharesOf are the shares of those of a pattern's equalities that are on enums and states.
func sharesOf(p *spec.Pattern) (average, most float64) {
	average, most = 1, 1
	for _, g := range p.Given {
		a := p.Read.Attribute(g[0])
		if len(g) > 1 || a == nil || len(a.Shares) == 0 {
			continue
		}
		average /= float64(len(a.Shares))
		top := 0.0
		for _, s := range a.Shares {
			top = math.Max(top, s.Of)
		}
		most *= top
	}
	return average, most
}

// combinations are the values that the equalities of a pattern can state if all of them are on enums and states, those
// that most entities have first. nil: they are on something else.
func combinations(p *spec.Pattern) []attr.Item {
	if _, _, ok := enumerated(p); !ok {
		return nil
	}
	return listed(p)
}

// listed are the combinations of values of those of a pattern's equalities that are on enums and states, those that most
// entities have first.
func listed(p *spec.Pattern) []attr.Item {
	type combination struct {
		values attr.Item
		share  float64
	}
	all := []combination{{share: 1}}
	for _, g := range p.Given {
		if a := p.Read.Attribute(g[0]); len(g) > 1 || a == nil || len(a.Shares) == 0 {
			continue
		}
		var next []combination
		for _, c := range all {
			for _, s := range p.Read.Attribute(g[0]).Shares {
				values := c.values.Clone()
				values.Set(g[0], p.Read.Attribute(g[0]).Constant(s.Value))
				next = append(next, combination{values, c.share * s.Of})
			}
		}
		all = next
	}
	slices.SortStableFunc(all, func(a, b combination) int { return cmp.Compare(b.share, a.share) })
	out := make([]attr.Item, len(all))
	for i, c := range all {
		out[i] = c.values
	}
	return out
}

// results fixes the law of matches: the share of the collection that a call matches stays what it is.
func (p *Population) results(pattern *spec.Pattern) {
	res := pattern.Results
	stated, kept := collection(pattern, func(r *spec.Relationship) spec.Children { return r.PerParent }), collection(pattern, func(r *spec.Relationship) spec.Children {
		if c, ok := p.Children[r]; ok {
			return c
		}
		return r.PerParent
	})
	if stated.Average > 0 {
		res.Average = math.Min(res.Average/stated.Average, 1) * kept.Average
		res.Max = math.Min(math.Max(math.Round(res.Max/stated.Max*kept.Max), res.Average), kept.Max)
		if res.Max < kept.Max && pattern.Page > 0 {
			res.Max = kept.Max // one value is read over all its pages
		}
	} else if average, most, ok := enumerated(pattern); ok && pattern.Where == nil {
		n := float64(p.Count[pattern.Read])
		res = spec.Size{Average: n * average, Max: n * most}
	} else if a := plainGiven(pattern); a != nil && p.Values[a].Max > 0 {
		average, most := sharesOf(pattern)
		res = spec.Size{Average: p.Values[a].Average * average, Max: math.Max(p.Values[a].Max*most, p.Values[a].Average*average)}
	} else {
		n := float64(p.Count[pattern.Read])
		res.Average, res.Max = math.Min(res.Average, n), math.Min(res.Max, n)
		if pattern.Read.Count > n && pattern.Read.Count > 0 { // a share of all there are
			res.Average = math.Max(math.Min(pattern.Results.Average/pattern.Read.Count*n, pattern.Results.Average), math.Min(pattern.Results.Average, 1))
		}
	}
	p.Results[pattern] = res
}

// collection is the law of what lies under one value of a pattern's equalities: along the ways of its first path, and of
// that what has one value of each enum or state that is stated as well.
func collection(p *spec.Pattern, of func(*spec.Relationship) spec.Children) spec.Children {
	product := spec.Children{Average: 1, Max: 1}
	found := false
	multiply := func(c spec.Children) {
		product.Average, product.Max, found = product.Average*c.Average, product.Max*c.Max, true
	}
	for _, g := range p.Given {
		e := p.Read
		for _, name := range g {
			if r := e.WayThere(name); r != nil {
				if of(r).Stated {
					multiply(of(r))
				}
				e = r.To
				continue
			}
			if a := e.Attribute(name); a != nil && a.Reference != nil && of(a.Reference).Stated {
				multiply(of(a.Reference))
			}
			break
		}
		if found {
			average, most := sharesOf(p)
			product.Average, product.Max = product.Average*average, product.Max*most
			return product
		}
	}
	return spec.Children{}
}

// cutOf is the number of children at which the largest collection of a relationship is cut, and what that many show.
func cutOf(patterns []*spec.Pattern, rel *spec.Relationship) (float64, string) {
	need, why := math.Min(fewest, rel.PerParent.Max), "no pattern reads such a collection: how large it is shows in no request and no answer"
	for _, p := range patterns {
		if p.Writes() || !reads(p, rel) {
			continue
		}
		n, because := math.Min(p.Results.Max, 100), fmt.Sprintf("%s reads all of it, at the stated most still as one page of DynamoDB, below 1 MB: 100 show what is left out, comes twice or in the wrong order", p.Name)
		once := p.Results.Max
		if p.Page > 0 {
			once = float64(p.Page)
			n, because = float64(3*p.Page+1), pagesShow(p)
		}
		if per := math.Max(p.Read.Bytes.Average, 1); len(p.Given) > 0 && once*per > megabyte {
			n, because = math.Max(n, math.Ceil(1.05*megabyte/per)), fmt.Sprintf("more than the 1 MB that one request of %s can read, so that it has to go on behind that; further megabytes are read in the same way", p.Name)
		}
		if n > need {
			need, why = n, because
		}
	}
	return math.Min(need, math.Max(rel.PerParent.Max, 1)), why
}

// reads reports whether a pattern goes over a relationship from the parent's side, or starts from its children's
// foreign key.
func reads(p *spec.Pattern, rel *spec.Relationship) bool {
	from := func(e *spec.Entity, path spec.Path) bool {
		for _, name := range path {
			there, back := e.WayThere(name), e.WayBack(name)
			switch {
			case there == rel || back == rel:
				return true
			case there != nil:
				e = there.To
			case back != nil:
				e = back.From
			default:
				a := e.Attribute(name)
				return a != nil && a.Reference == rel
			}
		}
		return false
	}
	for _, g := range p.Given {
		if from(p.Read, g) {
			return true
		}
	}
	for _, w := range p.With {
		if from(p.Read, w) {
			return true
		}
	}
	return false
}
