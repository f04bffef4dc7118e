package cost

import (
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// owner is whose identity a read's equalities name: calls spread over its instances, and how much a call finds is a law
// over them.
type owner struct {
	entity  *spec.Entity // nil: an attribute that is no identity
	members int64
	ways    []*spec.Relationship // from the entity read to the owner
}

// ownerOf follows the first path that names an identity.
func (f *figures) ownerOf(e *spec.Entity, paths []spec.Path) owner {
	for _, p := range paths {
		if o, ways := follow(e, p); o != nil {
			return owner{o, f.members(o), ways}
		}
	}
	return owner{members: f.values(e, paths)}
}

// values is how many values attributes that name nobody have.
func (f *figures) values(e *spec.Entity, paths []spec.Path) int64 {
	n := int64(1)
	for _, p := range paths {
		if a := e.Attribute(p[0]); a != nil && len(p) == 1 {
			if k := len(a.Shares); k > 0 {
				n *= int64(k)
			} else {
				return f.members(e)
			}
		}
	}
	return n
}

// follow is the entity whose identity (its first attribute) a path from e states, and the ways to it.
func follow(e *spec.Entity, p spec.Path) (*spec.Entity, []*spec.Relationship) {
	var ways []*spec.Relationship
	for i, name := range p {
		if r := e.WayThere(name); r != nil && i < len(p)-1 {
			ways, e = append(ways, r), r.To
			continue
		}
		a := e.Attribute(name)
		switch {
		case a == nil:
			return nil, nil
		case a.Reference != nil:
			return a.Reference.To, append(ways, a.Reference)
		case a.Derived != nil && a.Derived.Func == "":
			to, more := follow(e, a.Derived.Path)
			return to, append(ways, more...)
		case len(e.Identity) > 0 && e.Identity[0] == a:
			return e, ways
		}
		return nil, nil
	}
	return nil, nil
}

// under is the law of how many instances of an entity lie under one instance of an owner, along ways there.
func (f *figures) under(ways []*spec.Relationship, members int64) dist.Law {
	if len(ways) == 0 {
		return dist.Uniform(members, 1)
	}
	average, most, stated := 1.0, 1.0, false
	skew := spec.Skew{}
	for _, r := range ways {
		c := f.children(r)
		if !c.Stated && c.Average == 0 {
			n := f.count(r.From) / math.Max(f.count(r.To), 1)
			c.Average, c.Max = n, n
		}
		average, most, stated = average*c.Average, most*c.Max, stated || c.Stated
		if !c.Skew.Uniform() {
			skew = c.Skew
		}
	}
	return f.law(members, average, most, skew)
}

// read is what one call of a reading stage consumes on average.
func (f *figures) read(p *spec.Pattern, s *plan.Stage) float64 {
	c := capacity.Eventual
	if s.Consistent {
		c = capacity.Strong
	}
	switch s.Verb {
	case plan.Get:
		times := f.times(p, s)
		return times * float64(capacity.ExpectGet(f.item(s.Kind, nil, f.picked(p, s.Kind)), c))
	case plan.BatchGet:
		return f.times(p, s) * float64(capacity.ExpectGet(f.item(s.Kind, nil, f.picked(p, s.Kind)), c))
	case plan.TransactGet:
		sum := 0.0
		for _, a := range s.Actions {
			sum += f.times(p, a) * float64(capacity.ExpectGet(f.item(a.Kind, nil, f.picked(p, a.Kind)), capacity.Transactional))
		}
		return sum
	case plan.Scan:
		return f.scan(s, c)
	}
	return f.query(p, s, c)
}

// picked is how calls spread over the instances of a kind that a key names.
func (f *figures) picked(p *spec.Pattern, k *plan.Kind) dist.Law {
	n := f.members(k.Entity)
	if p.Read == k.Entity || p.Writes() {
		if o := f.ownerOf(k.Entity, p.Given); p.Writes() || o.entity == k.Entity {
			return f.calls(n, p.Skew)
		}
	}
	return dist.Uniform(n, 1)
}

// times is how often a stage with each runs: for the matches of what it goes over.
func (f *figures) times(p *spec.Pattern, s *plan.Stage) float64 {
	if len(s.Each) == 0 {
		return 1
	}
	if q := p.Parameter(s.Each[0]); q != nil {
		return f.elements(p, s.Each)
	}
	for _, before := range s.Procedure.Stages { // an action of a transaction needs nothing itself, the transaction does
		if before.Name == s.Each[0] {
			return f.found(p, before)
		}
	}
	return 1
}

// elements is how many elements a list parameter, or a list of children inside one, has on average.
func (f *figures) elements(p *spec.Pattern, r spec.Reference) float64 {
	q := p.Parameter(r[0])
	if q == nil {
		return 1
	}
	n := 1.0
	if q.List && q.Like != nil && q.Like.Length.Average > 0 {
		n = q.Like.Length.Average
	}
	e := q.Entity
	for _, name := range r[1:] {
		if e == nil {
			break
		}
		way := e.WayBack(name)
		if way == nil {
			break
		}
		n, e = n*f.children(way).Average, way.From
	}
	return n
}

// found is how many items a query finds on average in one call of its pattern.
func (f *figures) found(p *spec.Pattern, s *plan.Stage) float64 {
	if s.Verb != plan.Query || len(s.Kinds) == 0 {
		return 1
	}
	d := f.matches(p, s, s.Kinds[0])
	law := d.count()
	return f.page(p, s, law).Mean()
}

// matched is how many items of a kind lie in a query's range: a law over the values that calls state, and how calls
// spread over these.
type matched struct {
	law, weight dist.Law
	counts      *dist.Dist // instead of both, where the numbers follow from the shares of values
}

// count is the distribution of how many items a call meets.
func (m matched) count() dist.Dist {
	if m.counts != nil {
		return *m.counts
	}
	return m.law.Weighted(m.weight)
}

// matches is the law of how many items of a kind a query meets.
func (f *figures) matches(p *spec.Pattern, s *plan.Stage, k *plan.Kind) matched {
	paths := bound(s, k)
	if k.Role == plan.EntityItem || k.Role == plan.CopyItem {
		if per, whole := f.asked(p, s, k); whole {
			o := f.ownerOf(p.Read, p.Given)
			res := f.results(p)
			if counts, ok := f.enumerated(p); ok && per == 1 && s.Scatter <= 1 {
				return matched{law: f.law(o.members, res.Average, res.Max, spec.Skew{}), weight: f.calls(o.members, p.Skew), counts: &counts}
			}
			if o.entity == nil && o.members == f.members(p.Read) && res.Average > 1 {
				o.members = int64(math.Max(f.count(p.Read)/res.Average, 1)) // as many values as make that many matches each
			}
			return matched{law: f.law(o.members, res.Average/per, res.Max/per, spec.Skew{}), weight: f.calls(o.members, p.Skew)}
		}
	}
	skew := spec.Skew{}
	if !p.Writes() {
		skew = p.Skew
	}
	if k.Role != plan.EntityItem && k.Role != plan.CopyItem {
		return matched{law: dist.Uniform(1, 1), weight: dist.Uniform(1, 1)}
	}
	o := f.ownerOf(k.Entity, paths)
	if o.entity == nil {
		// No identity: what there is, divided by how many values there are.
		n := f.count(k.Entity) / math.Max(float64(o.members), 1)
		return matched{law: dist.Uniform(o.members, n), weight: f.calls(o.members, skew)}
	}
	if o.entity == k.Entity && len(o.ways) == 0 || identifies(k.Entity, s.Where) {
		return matched{law: dist.Uniform(o.members, 1), weight: f.calls(o.members, skew)}
	}
	return matched{law: f.under(o.ways, o.members), weight: f.calls(o.members, skew)}
}

// enumerated is how many items a call meets that states only values of enums and states, each value being as likely: their
// shares of all there are.
func (f *figures) enumerated(p *spec.Pattern) (dist.Dist, bool) {
	shares := []float64{1}
	for _, g := range p.Given {
		a := p.Read.Attribute(g[0])
		if len(g) > 1 || a == nil || len(a.Shares) == 0 {
			return dist.Dist{}, false
		}
		var next []float64
		for _, s := range a.Shares {
			for _, before := range shares {
				next = append(next, before*s.Of)
			}
		}
		shares = next
	}
	if len(p.Given) == 0 || p.Where != nil {
		return dist.Dist{}, false
	}
	weights, counts := make([]float64, len(shares)), make([]dist.Dist, len(shares))
	for i, s := range shares {
		weights[i], counts[i] = 1, dist.Uniform(1, s*f.count(p.Read)).Dist()
	}
	return dist.Mix(weights, counts), true
}

// asked reports whether a query's range is all that the pattern asks of what it reads, so that it meets as many as the
// pattern has results: everything `given` and every test of `where` is bound. What is read may also lie inside the items
// of k: then per of them lie in each on average.
func (f *figures) asked(p *spec.Pattern, s *plan.Stage, k *plan.Kind) (per float64, whole bool) {
	per = 1
	lift := func(path spec.Path) spec.Path { return path }
	if p.Read != k.Entity {
		i := slices.IndexFunc(k.Embeds, func(e *plan.Embedding) bool { return e.Child == p.Read })
		if i < 0 {
			return 1, false
		}
		way := k.Embeds[i].Way
		if c := f.children(way); c.Average > 0 {
			per = c.Average
		}
		lift = func(path spec.Path) spec.Path { return fromParent(way, path) }
	}
	bound := func(path spec.Path) bool {
		at := lift(path)
		return at != nil && slices.ContainsFunc(s.Where, func(b *plan.Bound) bool { return slices.Equal(b.Path, at) })
	}
	for _, g := range p.Given {
		if !bound(g) {
			return per, false
		}
	}
	for t := range spec.Tests(p.Where) {
		if !bound(t.Path) {
			return per, false
		}
	}
	return per, len(s.Where) > 0
}

// fromParent is a path of children as their parent's item has it; nil if it does not lie there.
func fromParent(way *spec.Relationship, path spec.Path) spec.Path {
	if len(path) > 1 && path[0] == way.Name {
		return path[1:]
	}
	if len(path) != 1 {
		return nil
	}
	a := way.From.Attribute(path[0])
	if i := slices.Index(way.By, a); i >= 0 && i < len(way.To.Identity) {
		return spec.Path{way.To.Identity[i].Name}
	}
	if a != nil && a.Derived != nil && a.Derived.Func == "" {
		return fromParent(way, a.Derived.Path)
	}
	if a != nil && way.Single() {
		return spec.Path{way.Inverse, a.Name}
	}
	return nil
}

// bound are the paths of a kind that a query binds by equality: the parts that stand, in the kind's own templates, where
// those of the first kind do.
func bound(s *plan.Stage, k *plan.Kind) []spec.Path {
	var paths []spec.Path
	for _, b := range s.Where {
		if b.Form != "is" || b.Path == nil {
			continue
		}
		first, own := recipe(s.Kinds[0], b.Wire.Name), recipe(k, b.Wire.Name)
		if k == s.Kinds[0] || first == nil || own == nil {
			paths = append(paths, b.Path)
			continue
		}
		at := slices.IndexFunc(first.Parts, func(p *plan.Part) bool { return slices.Equal(p.Path, b.Path) })
		if at >= 0 && at < len(own.Parts) && own.Parts[at].Path != nil {
			paths = append(paths, own.Parts[at].Path)
		} else {
			paths = append(paths, b.Path)
		}
	}
	return paths
}

func recipe(k *plan.Kind, wire string) *plan.Recipe {
	for _, r := range k.Recipes {
		if r.Wire.Name == wire {
			return r
		}
	}
	return nil
}

// identifies reports whether equalities bind the whole identity: at most one item matches.
func identifies(e *spec.Entity, where []*plan.Bound) bool {
	for _, a := range e.Identity {
		found := false
		for _, b := range where {
			found = found || b.Form == "is" && len(b.Path) == 1 && b.Path[0] == a.Name
		}
		if !found {
			return false
		}
	}
	return true
}

// page is how many of the matches one call reads.
func (f *figures) page(p *spec.Pattern, s *plan.Stage, matches dist.Dist) dist.Dist {
	if proc := s.Procedure; proc.Page > 0 && proc.Cursor == s {
		return matches.Pages(proc.Page)
	}
	limit := s.Evaluate
	if limit == 0 {
		return matches
	}
	return matches.Map(func(x float64) float64 { return math.Min(x, float64(limit)) })
}

// query is the expectation of a query of the kinds in its range.
func (f *figures) query(p *spec.Pattern, s *plan.Stage, c capacity.Consistency) float64 {
	n := math.Max(float64(s.Scatter), 1)
	if s.Procedure.Cursor == s || s.Evaluate > 0 || len(s.Kinds) == 1 {
		k := s.Kinds[0]
		m := f.matches(p, s, k)
		if n > 1 {
			m.law = f.law(m.law.Members(), m.law.Mean()/n, m.law.Max()/n, spec.Skew{})
		}
		size := f.item(k, s.Access, dist.Uniform(f.members(k.Entity), 1))
		count := f.page(p, s, m.count())
		return f.times(p, s) * n * f.sum(size, count, c)
	}
	return f.times(p, s) * n * f.collection(p, s, c)
}

// sum is the expectation over the sum of the sizes of a number of items.
func (f *figures) sum(size *bytes, count dist.Dist, c capacity.Consistency) float64 {
	return float64(capacity.ExpectQuery(dist.CoarseSums(size.dist(), samples).Compound(count), size.mean(), c))
}

// collection is the expectation of one query over items of several kinds. The parent with the most children of one kind
// has the most of the others too.
func (f *figures) collection(p *spec.Pattern, s *plan.Stage, c capacity.Consistency) float64 {
	var laws []dist.Law
	var sums []*dist.Sums
	var weight dist.Law
	average, kinds := 0.0, 0.0
	for _, k := range s.Kinds {
		m := f.matches(p, s, k)
		if m.law.Members() > weight.Members() || weight.Members() <= 1 {
			weight = m.weight
		}
		size := f.item(k, s.Access, dist.Uniform(f.members(k.Entity), 1))
		laws, sums = append(laws, m.law), append(sums, dist.CoarseSums(size.dist(), samples))
		average += m.law.Mean() * size.mean()
		kinds += m.law.Mean()
	}
	units := 0.0
	for _, o := range dist.Joint(weight, laws...) {
		total := dist.Point(0)
		for i, n := range o.X {
			total = dist.Plus(total, sums[i].Of(int(n)))
		}
		units += float64(o.P * float64(capacity.ExpectQuery(total, average/math.Max(kinds, 1e-9), c)))
	}
	return units
}

// scan reads everything of a table or index: page by page if the pattern is paged, else all.
func (f *figures) scan(s *plan.Stage, c capacity.Consistency) float64 {
	total, items := 0.0, 0.0
	for _, k := range s.Kinds {
		n := f.stored(k)
		total += n * f.item(k, s.Access, dist.Uniform(f.members(k.Entity), 1)).mean()
		items += n
	}
	if page := s.Procedure.Page; page > 0 && items > float64(page) {
		total *= float64(page) / items
	}
	return float64(capacity.ExpectQuery(capacity.Fixed(total), total/math.Max(items, 1), c))
}

// stored is how many items of a kind there are.
func (f *figures) stored(k *plan.Kind) float64 {
	switch k.Role {
	case plan.UniqueItem:
		n := f.count(k.Entity)
		for _, a := range k.Unique {
			n *= presence(a)
		}
		return n
	case plan.SequenceItem:
		if a := k.Attribute.Sequence; a.Reference != nil {
			return f.count(a.Reference.To)
		}
		return 1
	}
	n := f.count(k.Entity)
	if k.Shards > 0 && k.Role == plan.AggregateItem {
		n *= float64(k.Shards)
	}
	return n
}
