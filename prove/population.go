package prove

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/spec"
)

// Population says how many of each entity a proof keeps, and how far children are cut. Averages of the way on which
// an entity is created are kept; root counts are scaled down; the largest collection of each relationship is cut at
// what crosses three pages of the patterns that read it, and one 1 MB page where the requirements let one call read
// that much.
type Population struct {
	Count    map[*spec.Entity]int
	Children map[*spec.Relationship]spec.Children
	Results  map[*spec.Pattern]spec.Size
	Values   map[*spec.Attribute]spec.Size // of attributes that patterns look for by value: how many entities share one
	Cuts     []Cut
	roots    float64 // of entities nobody is the parent of, where no collection needs more
}

// Cut is a figure of the requirements that the proof's data does not reach, and why.
type Cut struct {
	What    string  `json:"what"`
	Stated  float64 `json:"stated"`
	Used    float64 `json:"used"`
	Because string  `json:"because"`
}

const (
	rootCount = 40        // of entities nobody is the parent of
	megabyte  = 1_048_576 // what one Query or Scan reads at most
	fewest    = 12        // of children in the largest collection of a relationship that no pattern reads
	// Of what a pattern looks for among all there should be enough that its sizes are those of all.
	few        = 48
	mostForFew = 1_500 // that are made for that
)

// Populate plans the data of a proof of all access patterns.
func Populate(r *spec.Requirements) *Population { return populate(r, r.Patterns, rootCount) }

// populate plans the data of a proof of some access patterns: these alone say what has to be large.
func populate(r *spec.Requirements, asked []*spec.Pattern, roots int) *Population {
	p := &Population{
		roots:    float64(roots),
		Count:    map[*spec.Entity]int{},
		Children: map[*spec.Relationship]spec.Children{},
		Results:  map[*spec.Pattern]spec.Size{},
		Values:   map[*spec.Attribute]spec.Size{},
	}
	cut := map[*spec.Relationship]float64{}
	why := map[*spec.Relationship]string{}
	for _, e := range r.Entities {
		for _, rel := range e.There {
			if rel.PerParent.Stated {
				cut[rel], why[rel] = cutOf(asked, rel)
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
	for _, e := range r.Entities {
		if float64(p.Count[e]) < e.Count {
			p.Cuts = append(p.Cuts, Cut{What: "count of " + e.Name, Stated: e.Count, Used: float64(p.Count[e]), Because: "the proof keeps a sample"})
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
		}
	}
	return p
}

// Figures are what estimates on the proof's data rest on.
func (p *Population) Figures() cost.Figures {
	f := cost.Figures{Count: map[*spec.Entity]float64{}, Children: p.Children, Results: p.Results}
	for e, n := range p.Count {
		f.Count[e] = float64(n)
	}
	return f
}

// primary is the way on which an entity's instances are counted: from its parent, else from the entity of which it
// has the fewest per parent. nil for a root, and for an entity that only points to itself.
func primary(e *spec.Entity) *spec.Relationship {
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
	var of func(e *spec.Entity) float64
	of = func(e *spec.Entity) float64 {
		if n, ok := p.Count[e]; ok {
			return float64(n)
		}
		n := math.Min(e.Count, math.Max(p.roots, least[e]))
		if way := primary(e); way != nil {
			p.Count[e] = 1 // entities that are each other's parents count from one
			n = of(way.To) * way.PerParent.Average
		}
		p.Count[e] = int(math.Max(math.Round(n), 1))
		return float64(p.Count[e])
	}
	for _, e := range r.Entities {
		of(e)
	}
}

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
			ask(way.To, n/way.PerParent.Average)
		}
	}
	for a, law := range p.Values {
		ask(a.Entity, 2*law.Max)
	}
	for _, pattern := range asked {
		if share := selected(pattern); share < 1 && share > 0 {
			ask(pattern.Read, math.Min(few/share, mostForFew))
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

// selected is the share of an entity's instances that a read of all of them in some states, or with some values of enums,
// looks for; 1 of all other patterns.
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
		if !ok || len(t.Path) != 1 || t.Op != "=" && t.Op != "in" {
			continue
		}
		if a := p.Read.Attribute(t.Path[0]); a != nil && len(a.Shares) > 0 {
			sum := 0.0
			for _, s := range a.Shares {
				if slices.ContainsFunc(t.Args, func(x spec.Expr) bool { return x.Literal.Str() == s.Value }) {
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
	if rel != primary(rel.From) {
		share := 1.0
		for _, a := range rel.By {
			if a.Optional {
				share = a.Present
			}
		}
		c.Average = n * share / parents
	}
	c.Max = math.Max(math.Min(cut, n), math.Ceil(c.Average))
	if c.Max < rel.PerParent.Max {
		p.Cuts = append(p.Cuts, Cut{What: fmt.Sprintf("%s per %s (%s)", rel.From.Name, rel.To.Name, rel.Name), Stated: rel.PerParent.Max, Used: c.Max, Because: why})
	}
	p.Children[rel] = c
}

// values notes what a pattern looks for by an attribute that is neither an identity nor a foreign key nor an enum: so many
// entities have the same value.
func (p *Population) values(pattern *spec.Pattern) {
	if pattern.Writes() || len(pattern.Given) != 1 || len(pattern.Given[0]) != 1 {
		return
	}
	if owner, _ := named(pattern); owner != nil {
		return
	}
	a := pattern.Read.Attribute(pattern.Given[0][0])
	if a == nil || len(a.Shares) > 0 || a.Derived != nil || isUnique(pattern.Read, a) {
		return
	}
	most, because := pattern.Results.Max, pattern.Name
	limit := 100.0
	if pattern.Page > 0 {
		limit, because = float64(3*pattern.Page+1), "three pages of "+pattern.Name
	}
	law := spec.Size{Average: pattern.Results.Average, Max: math.Max(math.Min(most, limit), math.Ceil(pattern.Results.Average))}
	if old, ok := p.Values[a]; ok && old.Max >= law.Max {
		return
	}
	if law.Max < most {
		p.Cuts = append(p.Cuts, Cut{What: fmt.Sprintf("%s with one %s", pattern.Read.Name, a.Name), Stated: most, Used: law.Max, Because: because})
	}
	p.Values[a] = law
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
	type combination struct {
		values attr.Item
		share  float64
	}
	all := []combination{{share: 1}}
	for _, g := range p.Given {
		var next []combination
		for _, c := range all {
			for _, s := range p.Read.Attribute(g[0]).Shares {
				values := c.values.Clone()
				values.Set(g[0], attr.Text(s.Value))
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
	} else if a := pattern.Read.Attribute(firstGiven(pattern)); a != nil && p.Values[a].Max > 0 {
		res = p.Values[a]
	} else {
		n := float64(p.Count[pattern.Read])
		res.Average, res.Max = math.Min(res.Average, n), math.Min(res.Max, n)
		if pattern.Read.Count > n && pattern.Read.Count > 0 { // a share of all there are
			res.Average = math.Max(math.Min(pattern.Results.Average/pattern.Read.Count*n, pattern.Results.Average), math.Min(pattern.Results.Average, 1))
		}
	}
	p.Results[pattern] = res
}

func firstGiven(p *spec.Pattern) string {
	if len(p.Given) == 0 {
		return ""
	}
	return p.Given[0][0]
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

// cutOf is the number of children at which the largest collection of a relationship is cut.
func cutOf(patterns []*spec.Pattern, rel *spec.Relationship) (float64, string) {
	need, why := math.Min(fewest, rel.PerParent.Max), "no pattern reads the collection"
	for _, p := range patterns {
		if p.Writes() || !reads(p, rel) {
			continue
		}
		n, because := math.Min(p.Results.Max, 100), p.Name+" reads it whole"
		if p.Page > 0 {
			n, because = float64(3*p.Page+1), fmt.Sprintf("three pages of %s", p.Name)
		}
		once := p.Results.Max
		if p.Page > 0 {
			once = float64(p.Page)
		}
		if per := math.Max(p.Read.Bytes.Average, 1); len(p.Given) > 0 && once*per > megabyte {
			n, because = math.Max(n, math.Ceil(1.05*megabyte/per)), "one 1 MB page of "+p.Name
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
