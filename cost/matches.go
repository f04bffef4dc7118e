package cost

import (
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
	"github.com/tablewright/tablewright/workload"
)

// matched is how many items of a kind lie in a query's range: a law over the values that calls state, and how calls
// spread over these.
type matched struct {
	each, weight spread
	way          *spec.Relationship // by which they lie under the values' owner; nil: by none
	per          *dist.Dist         // items for each of these, where they lie under children, as Under answers; nil: one
	counts       *dist.Dist         // instead of all, where the numbers follow from the shares of values
	guesses      []*spec.Test       // tests that are taken to leave half, so that the range holds what it does
	all          float64            // with guesses: how many lie under its equalities, whatever the range is
	total        float64            // all that the runs of a stage meet together; 0: nobody says
	atLeast      bool               // nobody says how many there are, but patterns that find some of them
}

// average is how many items a value has.
func (m matched) average() float64 {
	if m.per != nil {
		return m.each.Average * m.per.Mean()
	}
	return m.each.Average
}

// countOf is the distribution of how many items a call meets.
func (f *figures) countOf(m matched) dist.Dist {
	if m.counts != nil {
		return *m.counts
	}
	key := counted{m.each, m.weight, m.per}
	d, ok := f.counts[key]
	if !ok {
		d = f.Law(m.each).Weighted(f.Law(m.weight))
		if m.per != nil {
			d = dist.NewSums(*m.per).Compound(d)
		}
		f.counts[key] = d
	}
	return d
}

// matches is how many items of a kind a query meets.
func (f *figures) matches(p *spec.Pattern, s *plan.Stage, k *plan.Kind) matched {
	if !several(k) {
		return matched{each: workload.Even(1), weight: workload.Even(1)}
	}
	if m, ok := f.parts(p, s, k); ok {
		return m
	}
	if oneBucket(s, k) {
		return matched{each: workload.Even(1).Times(f.apiece(k, s.Access)), weight: workload.Even(1)}
	}
	if per, whole := f.asked(p, s, k); whole {
		m := f.results(p, per)
		if counts, ok := f.enumerated(p); ok && per == 1 && s.Scatter <= 1 && agree(counts.Mean(), f.Results(p).Average) {
			m.counts = &counts
		}
		return m
	}
	m := f.collected(p, s, k)
	if there := f.belowUpsert(p, s, k); there < 1 && m.per == nil {
		some := dist.Point(1).Share(there)
		m.per = &some
	}
	if r, ok := f.ranged(p, s, k); ok {
		all := m.average()
		o := f.OwnerOf(k.Entity, bound(s, k))
		if alike, atLeast := f.alike(s, k, o); o.Entity == nil && (alike.Average == 0 || atLeast) {
			m.each.Most = f.Count(k.Entity)
			if !f.Varies(k.Entity, o.Rest) {
				all = m.each.Most // nobody says how many values there are
			} else if all = math.Max(all, f.Results(p).Average); r.Average >= all { // calls may be about the frequent values
				r.Average, r.Guesses = all, nil
			}
		}
		m.each = spread{Members: m.each.Members, Average: math.Min(math.Max(r.Average, f.Results(p).Average), all), Most: math.Max(math.Min(r.Most, f.most(m)), r.Average)}
		m.each.Most = math.Max(m.each.Most, m.each.Average)
		if n := int64(f.Count(k.Entity) * f.entries(k, s.Access) / math.Max(m.each.Average, 1)); o.Entity == nil && n > m.each.Members {
			m.each.Members, m.weight = n, f.calls(p, n, m.each) // a value has several ranges
		}
		if !f.Skew(p).Uniform() {
			m.each, m.weight = f.called(p, m.each)
		}
		m.per, m.guesses, m.all = nil, r.Guesses, all
	}
	return m
}

// results is how many entities a call of a read matches, where per of them lie in each item.
func (f *figures) results(p *spec.Pattern, per float64) matched {
	o := f.OwnerOf(p.Read, p.Given)
	res := f.Results(p)
	each := spread{Members: o.Members, Average: res.Average, Most: math.Max(res.Max, res.Average)}
	if o.Entity == nil && o.Members == f.Members(p.Read) && res.Average > 1 { // as many values as make that many matches each
		each.Members = int64(math.Max(f.Count(p.Read)/res.Average, 1))
	}
	each, weight := f.called(p, each)
	return matched{each: each.Times(1 / per), weight: weight}
}

// belowUpsert is the share of calls that find what lies under an entity which the pattern upserts: there is nothing
// under a new one. 1 of all other queries.
func (f *figures) belowUpsert(p *spec.Pattern, s *plan.Stage, k *plan.Kind) float64 {
	if !p.Writes() || len(s.Each) > 0 {
		return 1
	}
	o := f.OwnerOf(k.Entity, bound(s, k))
	if o.Entity == nil || o.Entity == k.Entity {
		return 1
	}
	if act := workload.ActionOf(p, o.Entity); act == nil || act.Verb != spec.Upsert || len(act.Value) == 0 {
		return 1
	}
	return f.RenewsAtMost(p)
}

// most is how many items the value with most of them has.
func (f *figures) most(m matched) float64 {
	most := f.Law(m.each).Max()
	if m.per != nil {
		most *= m.per.Max()
	}
	return most
}

// parts is how many items of what a pattern reads each run of a query meets that goes over what an earlier stage found,
// where all runs together meet what the pattern has as results: a part of these.
func (f *figures) parts(p *spec.Pattern, s *plan.Stage, k *plan.Kind) (matched, bool) {
	if p.Writes() || p.Read != k.Entity || len(s.Each) == 0 || len(s.Kinds) != 1 || s.Document.Filter != "" || s.Procedure.Document.Answer.Keep != "" ||
		f.Results(p).Average <= 0 || !slices.Contains(s.Procedure.From, s) || earlier(s, s.Each[0]) == nil {
		return matched{}, false
	}
	for t := range spec.Tests(p.Where) {
		if !slices.ContainsFunc(s.Where, func(b *plan.Bound) bool { return plan.SameValue(k.Entity, b.Path, t.Path) }) && !demands(k, s.Access, t) {
			return matched{}, false
		}
	}
	runs := f.times(p, s)
	if runs <= 1 {
		return matched{}, false
	}
	all := f.collected(p, s, k)
	each := f.Results(p).Average / runs
	if each >= all.average() { // no more than lies there
		return matched{}, false
	}
	return matched{
		each:   spread{Members: all.each.Members, Average: each, Most: math.Max(math.Min(f.Results(p).Max, f.most(all)), each)},
		weight: workload.Even(all.each.Members), way: all.way, total: f.Results(p).Max,
	}, true
}

// ranged is how many items of what a pattern reads lie in a query's range, where what it binds besides an owner's key
// and values with stated shares decides that.
func (f *figures) ranged(p *spec.Pattern, s *plan.Stage, k *plan.Kind) (workload.Range, bool) {
	if p.Read != k.Entity || len(s.Each) > 0 || !several(k) {
		return workload.Range{}, false
	}
	o := f.OwnerOf(k.Entity, bound(s, k))
	names := func(path spec.Path) bool { // by itself, or with the others
		return f.OwnerOf(k.Entity, []spec.Path{path}).Entity != nil || !slices.ContainsFunc(o.Rest, func(r spec.Path) bool { return slices.Equal(r, path) })
	}
	decided, equal := true, true
	for _, b := range s.Where {
		equal = equal && b.Form == "is"
		if b.Path == nil || b.Form == "is" && (names(b.Path) || len(b.Path) == 1 && f.Decides(k.Entity.Attribute(b.Path[0]))) {
			continue
		}
		decided = false
	}
	if decided {
		return workload.Range{}, false
	}
	binds := func(path spec.Path) bool {
		return slices.ContainsFunc(s.Where, func(b *plan.Bound) bool { return plan.SameValue(k.Entity, b.Path, path) })
	}
	r, ok := f.Range(p, binds, func(t *spec.Test) bool { return binds(t.Path) || demands(k, s.Access, t) })
	if alike, atLeast := f.alike(s, k, o); ok && equal && alike.Average > 0 && (!atLeast || alike.Average >= r.Average) {
		return workload.Range{}, false // all that has the same values
	}
	if ok && equal && len(r.Guesses) > 0 && o.Entity == nil && f.Varies(k.Entity, o.Rest) {
		return workload.Range{}, false // as many as have a value, whatever the filter leaves of them: no need to guess
	}
	return r, ok
}

// collected is how many items of a kind lie under the equalities that a query binds.
func (f *figures) collected(p *spec.Pattern, s *plan.Stage, k *plan.Kind) matched {
	skew := spec.Skew{}
	if !p.Writes() {
		skew = f.Skew(p)
	}
	o := f.OwnerOf(k.Entity, bound(s, k))
	m := matched{each: workload.Even(o.Members), weight: workload.Calls(o.Members, skew)}
	if by := pickedBy(s, o); by != nil && skew.Uniform() && f.Children(by).Stated {
		m.weight = f.Kids(by)
	}
	alike, atLeast := f.alike(s, k, o)
	valued := f.Count(k.Entity) * f.entries(k, s.Access) / math.Max(float64(o.Members), 1) * f.typical(s, k)
	if atLeast && o.Entity == nil && f.Varies(k.Entity, o.Rest) && valued >= alike.Average {
		alike = spec.Size{} // how many values there are says more
	}
	switch {
	case alike.Average > 0: // as other patterns say
		members := int64(math.Max(f.Count(k.Entity)/alike.Average, 1))
		m = matched{each: spread{Members: members, Average: alike.Average, Most: math.Max(alike.Max, alike.Average)}, weight: workload.Calls(members, skew), atLeast: atLeast}
		if skew.BySize {
			m.weight = m.each
		}
		m.each = m.each.Times(f.entriesUnder(k, s.Access, o))
	case o.Entity == nil: // what there is, divided by how many values there are
		m.each = m.each.Times(valued)
	case o.Entity == k.Entity && len(o.Ways) == 0, identifies(k.Entity, s.Where):
	default:
		m.way = o.Ways[len(o.Ways)-1]
		m.each, m.per = f.Under(o)
		if skew.BySize {
			m.weight = m.each
		}
		m.each = m.each.Times(f.entriesUnder(k, s.Access, o))
		for _, b := range s.Where {
			if b.Form == "is" && len(b.Path) == 1 && len(b.Values) == 1 {
				if a := k.Entity.Attribute(b.Path[0]); f.Decides(a) {
					m.each = m.each.Times(f.Equal(a, b.Values[0]))
				}
			}
		}
	}
	return m
}

// typical returns how many times more frequent the constants of a query are than an average value. A state that holds
// 92 % of the items is not one of four equal ones.
func (f *figures) typical(s *plan.Stage, k *plan.Kind) float64 {
	times := 1.0
	for _, b := range s.Where {
		if !literal(b) {
			continue
		}
		if a := k.Entity.Attribute(b.Path[0]); f.Decides(a) {
			values := float64(f.OwnerOf(k.Entity, []spec.Path{b.Path}).Members)
			times *= f.Equal(a, b.Values[0]) / known(nil).Presence(a) * values
		}
	}
	return times
}

// literal reports whether a query binds an attribute of its items to a literal.
func literal(b *plan.Bound) bool {
	return b.Form == "is" && len(b.Path) == 1 && len(b.Values) == 1 && !b.Values[0].Literal.IsZero()
}

// alike is how many items have the same values of what a query binds by equality, where these say more than whose
// identity it is, and not by enums or states alone: as far as patterns say.
func (f *figures) alike(s *plan.Stage, k *plan.Kind, o owner) (n spec.Size, atLeast bool) {
	if o.Entity == k.Entity && len(o.Ways) == 0 || !slices.ContainsFunc(o.Rest, func(p spec.Path) bool { return len(p) > 1 || !f.Decides(k.Entity.Attribute(p[0])) }) {
		return spec.Size{}, false
	}
	return f.Alike(k.Entity, bound(s, k))
}

// pickedBy is the relationship by which what an earlier stage brings names the owner of a query's range; nil: it does
// not. Whoever asks for the siblings of a child more often meets a parent with many.
func pickedBy(s *plan.Stage, o owner) *spec.Relationship {
	for _, b := range s.Where {
		if b.Form != "is" || len(b.Values) != 1 || len(b.Values[0].Reference) != 2 {
			continue
		}
		r := b.Values[0].Reference
		before := earlier(s, r[0])
		if r[0] == "each" && len(s.Each) > 0 {
			before = earlier(s, s.Each[0])
		}
		if before == nil || before.Kind == nil {
			continue
		}
		if a := before.Kind.Entity.Attribute(r[1]); a != nil && a.Reference != nil && a.Reference.To == o.Entity {
			return a.Reference
		}
	}
	return nil
}

// entriesUnder is the share of an owner's items that have an entry in an index, or a marker. That they have the owner's
// key is known.
func (f *figures) entriesUnder(k *plan.Kind, x *plan.Access, o owner) float64 {
	owned := known{}
	for _, way := range o.Ways {
		for _, by := range way.By {
			owned[by.Name] = workload.There
		}
	}
	if k.Role == plan.UniqueItem {
		return f.Share(claimed(k), k.Entity, owned)
	}
	keys := keyRecipes(k, x)
	if x.Index == "" || keys == nil {
		return 1
	}
	return f.indexed(k, keys, owned)
}

// agree reports whether two figures of one thing may both be meant. Where a pattern finds far fewer than the mean over
// all values of an enum, its calls are about the rare ones.
func agree(x, y float64) bool { return x <= 1.25*y && y <= 1.25*x }

// enumerated is how many items a call meets that states only values of enums and states, each value being as likely:
// their shares of all there are.
func (f *figures) enumerated(p *spec.Pattern) (dist.Dist, bool) {
	if len(p.Given) == 0 || p.Where != nil {
		return dist.Dist{}, false
	}
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
	weights, counts := make([]float64, len(shares)), make([]dist.Dist, len(shares))
	for i, s := range shares {
		weights[i], counts[i] = 1, dist.Uniform(1, s*f.Count(p.Read)).Dist()
	}
	return dist.Mix(weights, counts), true
}

// asked reports whether a query's range is all that the pattern asks of what it reads, so that it meets as many as the
// pattern has results: everything `given` and every test of `where` is bound. What is read may also lie inside the
// items of k: then per of them lie in each on average.
func (f *figures) asked(p *spec.Pattern, s *plan.Stage, k *plan.Kind) (per float64, whole bool) {
	per = 1
	lift := func(path spec.Path) spec.Path { return path }
	if p.Read != k.Entity {
		i := slices.IndexFunc(k.Embeds, func(e *plan.Embedding) bool { return e.Child == p.Read })
		if i < 0 {
			return 1, false
		}
		way := k.Embeds[i].Way
		if c := f.Children(way); c.Average > 0 {
			per = c.Average
		}
		lift = func(path spec.Path) spec.Path { return fromParent(way, path) }
	}
	bound := func(path spec.Path) bool {
		at := lift(path)
		return at != nil && slices.ContainsFunc(s.Where, func(b *plan.Bound) bool { return plan.SameValue(k.Entity, b.Path, at) })
	}
	if len(s.Each) > 0 && identifies(k.Entity, s.Where) {
		return per, false // one of them each time
	}
	for _, g := range p.Given {
		if !bound(g) {
			return per, false
		}
	}
	for t := range spec.Tests(p.Where) {
		if !bound(t.Path) && (p.Read != k.Entity || !demands(k, s.Access, t)) {
			return per, false
		}
	}
	return per, len(s.Where) > 0
}

// several reports whether a kind has an item for each instance of an entity, so that a query may meet several.
func several(k *plan.Kind) bool {
	return k.Role == plan.EntityItem || k.Role == plan.CopyItem || k.Lists()
}

// demands reports whether only what passes a test lies in a table or index: an index that lists open tickets alone
// answers for their being open, one whose key is made of what may be absent for its being there, and a table of markers
// for what they rest on.
func demands(k *plan.Kind, x *plan.Access, t *spec.Test) bool {
	if k.Role == plan.UniqueItem && slices.ContainsFunc(spec.Conjuncts(claimed(k)), func(c spec.Condition) bool { return c.String() == t.String() }) {
		return true
	}
	return slices.ContainsFunc(keyRecipes(k, x), func(r *plan.Recipe) bool {
		if t.Op == "exists" && r.Else == "" && slices.ContainsFunc(r.Parts, func(part *plan.Part) bool { return plan.SameValue(k.Entity, part.Path, t.Path) }) {
			return true
		}
		return slices.ContainsFunc(spec.Conjuncts(r.When), func(c spec.Condition) bool {
			same, ok := c.(*spec.Test)
			return ok && same.String() == t.String()
		})
	})
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

// evaluated is how many items one request of a query evaluates, and how many requests a call makes until its answer is
// full. bytes is the average size of an item, kept the share of what it meets that a filter or the client lets pass.
func (f *figures) evaluated(p *spec.Pattern, s *plan.Stage, matches dist.Dist, kept, bytes float64) (count dist.Dist, requests float64) {
	wanted := s.Wanted()
	if wanted == 0 {
		if limit := float64(s.Evaluate); limit > 0 {
			matches = matches.Map(func(x float64) float64 { return math.Min(x, limit) })
		}
		return matches, 1
	}
	page := math.Max(math.Floor(float64(capacity.PageBytes)/math.Max(bytes, 1)), 1) // of 1 MB
	step := s.Evaluate
	switch {
	case s.Procedure.Cursor != s:
		if step == 0 || float64(step) > page {
			step = int(page)
		}
		return matches.Until(f.looked(s, dist.Tries(wanted, kept)), step)
	case step == 0:
		return remaining(matches, float64(wanted)/kept/f.apiece(s.Kinds[0], s.Access), page), 1
	}
	return matches.PagesUntil(f.looked(s, dist.Tries(wanted, kept)), step)
}

// kept is the share of what a query meets that its filter, or the client's test, lets pass.
func (f *figures) kept(p *spec.Pattern, s *plan.Stage, m matched) float64 {
	if _, whole := f.asked(p, s, s.Kinds[0]); whole || p.Read != s.Kinds[0].Entity || m.average() <= 0 {
		return 1
	}
	if share := f.Results(p).Average / m.average(); share > 0 && share < 1 {
		return share
	}
	return 1
}

// someCalls is how many of the calls that read one collection to its end stand for all of them.
const someCalls = 64

// remaining is how many items a query without a Limit evaluates that only answers some of what it meets: everything
// from where the call before has ended, until a page of 1 MB is full and the answer, too. A collection of k is read by
// k/want calls, all as likely.
func remaining(matches dist.Dist, want, page float64) dist.Dist {
	most := math.Ceil(want/page) * page
	var weights []float64
	var counts []dist.Dist
	matches = matches.Thinned()
	for i := range matches.Len() {
		k, p := matches.At(i)
		n := math.Max(math.Ceil(k/want), 1)
		stands := math.Min(n, someCalls)
		for j := range int(stands) {
			rest := k - want*math.Floor((float64(j)+0.5)*n/stands)
			weights, counts = append(weights, p/stands), append(counts, dist.Point(math.Round(math.Min(rest, most))))
		}
	}
	return dist.Mix(weights, counts)
}

// found is the distribution of how many items a query brings in one call of its pattern: of those that it wants, all
// that a filter or the client lets pass. Of other stages it is one.
func (f *figures) found(p *spec.Pattern, s *plan.Stage) dist.Dist {
	if s.Verb != plan.Query || len(s.Kinds) == 0 {
		return dist.Point(1).Share(onlyChild(p, s) * f.overwritten(p, s))
	}
	m := f.matches(p, s, s.Kinds[0])
	matches := f.countOf(m)
	wanted, share := s.Wanted(), 1.0
	if kept := f.kept(p, s, m); kept < 1 && (wanted > 0 || s.Document.Filter != "") {
		share = kept
	}
	if s.Procedure.Cursor == s {
		return f.page(m, share, wanted)
	}
	if share < 1 {
		matches = matches.Share(share)
	}
	switch {
	case wanted > 0:
		return matches.Map(func(x float64) float64 { return math.Min(x, float64(wanted)) })
	case s.Evaluate > 0:
		return matches.Map(func(x float64) float64 { return math.Min(x, float64(s.Evaluate)) })
	}
	return matches
}

// page returns the number of items on a page, where a filter keeps a share of the matches.
func (f *figures) page(m matched, share float64, size int) dist.Dist {
	key := paged{counted{m.each, m.weight, m.per}, share, size}
	d, ok := f.pages[key]
	if !ok || m.counts != nil {
		d = f.countOf(m)
		if share < 1 {
			d = d.Share(share)
		}
		d = d.Pages(size)
		if m.counts == nil {
			f.pages[key] = d
		}
	}
	return d
}

// paged is what the number of items on a page depends on.
type paged struct {
	of    counted
	share float64
	size  int
}

// overwritten is the share of calls in which a get finds what an upsert of the pattern writes over; 1 of all other
// gets.
func (f *figures) overwritten(p *spec.Pattern, s *plan.Stage) float64 {
	if s.Kind == nil {
		return 1
	}
	if act := workload.ActionOf(p, s.Kind.Entity); act == nil || act.Verb != spec.Upsert {
		return 1
	}
	return f.Renews(p)
}

// times is how often a stage runs in one call: with `each` once for everything that it goes over, else once, if what
// its key is made of is there.
func (f *figures) times(p *spec.Pattern, s *plan.Stage) float64 {
	if len(s.Each) == 0 {
		return f.reachable(p, s) * leading(p, s) * f.enclosed(p, s)
	}
	if p.Parameter(s.Each[0]) != nil {
		if s.Alike() && (s.Verb == plan.BatchGet || p.Atomic) {
			return math.Min(f.Elements(p, s.Each), 1) * leading(p, s)
		}
		return f.Elements(p, s.Each) / f.bunched(p, s) * leading(p, s) * f.enclosed(p, s)
	}
	if joined(s) {
		return 0
	}
	if before := earlier(s, s.Each[0]); before != nil { // an action of a transaction needs nothing itself, the transaction does
		if behind, ok := s.Narrows(); ok {
			return f.narrowed(p, s, before, behind)
		}
		return f.apart(p, s, before, f.inside(entityOf(before), s.Each[1:]))
	}
	return 1
}

// narrowed returns how often a stage runs for the entities that the client leaves of what an earlier stage has found,
// or for what they hold behind a path.
func (f *figures) narrowed(p *spec.Pattern, s, before *plan.Stage, behind []string) float64 {
	n := f.leaves(p, before)
	if way := leadsTo(s, before); way != nil {
		return n.Expect(func(n float64) float64 { return f.Different(way, n*presence(way)) })
	}
	return n.Mean() * f.inside(p.Read, behind)
}

// leaves is the distribution of how many entities a client leaves that cuts them out of what a stage finds, or a later
// one by the keys that it finds: those of a page, where all pages are as likely, or of a top.
func (f *figures) leaves(p *spec.Pattern, s *plan.Stage) dist.Dist {
	for s.Verb == plan.BatchGet && len(s.Each) == 1 {
		keys := earlier(s, s.Each[0])
		if keys == nil || entityOf(keys) != p.Read {
			break
		}
		s = keys
	}
	m, share := f.results(p, 1), 1.0
	if s.Verb == plan.Query && len(s.Each) == 0 && entityOf(s) == p.Read {
		m = f.matches(p, s, s.Kinds[0])
		share = f.kept(p, s, m)
	}
	n := s.Procedure.Leaves()
	if s.Procedure.Cut {
		return f.page(m, share, n)
	}
	return f.countOf(m).Share(share).Map(func(x float64) float64 { return math.Min(x, float64(n)) })
}

// apart returns how often a stage runs for the results of an earlier stage, each of which holds a number of elements. A
// batch requests each key once: children without the foreign key request nothing, and several children request one
// parent together.
func (f *figures) apart(p *spec.Pattern, s, before *plan.Stage, inside float64) float64 {
	way := leadsTo(s, before)
	switch {
	case way == nil:
		return f.brought(p, before) * inside
	case before.Verb != plan.Query || f.times(p, before) != 1:
		return f.Different(way, f.referring(p, s, way, before))
	}
	return f.found(p, before).Expect(func(n float64) float64 { return f.Different(way, n*presence(way)) })
}

// referring returns how many of the results of an earlier stage that a stage goes over have the foreign key of a way.
func (f *figures) referring(p *spec.Pattern, s *plan.Stage, way *spec.Relationship, before *plan.Stage) float64 {
	if _, ok := s.Narrows(); ok {
		return f.leaves(p, before).Mean() * presence(way)
	}
	return f.brought(p, before) * presence(way)
}

// presence is the share of children that have the foreign key of a way.
func presence(way *spec.Relationship) float64 {
	share := 1.0
	for _, a := range way.By {
		share *= known(nil).Presence(a)
	}
	return share
}

// leadsTo returns the way from the results of an earlier stage that a stage goes over to the parents that it requests
// in a batch. It returns nil without such a way.
func leadsTo(s, before *plan.Stage) *spec.Relationship {
	if s.Verb != plan.BatchGet || s.Kind.Role != plan.EntityItem || len(s.Each) == 0 {
		return nil
	}
	e, behind := entityOf(before), s.Each[1:]
	if rest, ok := s.Narrows(); ok {
		e, behind = s.Procedure.Pattern.Read, rest
	}
	if len(behind) > 0 || e == nil {
		return nil
	}
	names := references(s)
	for _, way := range e.There {
		if way.To == s.Kind.Entity && len(way.By) == len(names) && !slices.ContainsFunc(names, func(r spec.Reference) bool {
			return len(r) != 2 || r[0] != "each" || !slices.Contains(way.By, e.Attribute(r[1]))
		}) {
			return way
		}
	}
	return nil
}

// enclosed is how often the value that a stage puts, or numbers, is there: a single child inside another value may be
// missing.
func (f *figures) enclosed(p *spec.Pattern, s *plan.Stage) float64 {
	text := s.Document.Value
	numbers := s.Verb == plan.Update && s.Kind.Role == plan.SequenceItem && s.Kind.Attribute.Sequence != nil
	if numbers {
		text = s.Document.Key[s.Kind.Attribute.Sequence.Name]
	}
	v, err := spec.ParseValue(text)
	r := v.Reference
	if numbers && len(r) > 0 {
		r = r[:len(r)-1]
	}
	if s.Verb != plan.Put && !numbers || err != nil || len(r) < 2 {
		return 1
	}
	n := 1.0
	if r[0] == "each" {
		if n = f.Elements(p, s.Each); n == 0 {
			return 0
		}
		r = slices.Concat(s.Each, r[1:])
	}
	if p.Parameter(r[0]) == nil {
		return 1
	}
	return f.Elements(p, r) / n
}

// leading is the share of calls, or of the elements that they go over, whose value has the foreign key by which a stage
// finds its item.
func leading(p *spec.Pattern, s *plan.Stage) float64 {
	share := 1.0
	if !s.LeadsOn() {
		return share
	}
	for _, r := range references(s) {
		var e *spec.Entity
		if r[0] == "each" {
			r = slices.Concat(s.Each, r[1:])
		}
		if q := p.Parameter(r[0]); q != nil {
			e = q.Entity
		}
		for _, name := range r[1:max(len(r)-1, 1)] {
			if e == nil || e.WayBack(name) == nil {
				return share
			}
			e = e.WayBack(name).From
		}
		if e != nil && len(r) > 1 {
			share *= known(nil).Presence(e.Attribute(r[len(r)-1]))
		}
	}
	return share
}

// joined reports whether an action is always about the item of another action of its transaction, so that the two are
// written as one. This is so if it goes over what a get found, and the other's key is made of the key of that get.
func joined(s *plan.Stage) bool {
	before := earlier(s, s.Each[0])
	if before == nil || before.Verb != plan.Get && before.Verb != plan.BatchGet || s.Verb != plan.Update || len(s.Each) > 1 ||
		s.Kind.Shards > 0 && s.Kind.ShardBy == nil {
		return false
	}
	i := slices.IndexFunc(s.Procedure.Stages, func(t *plan.Stage) bool { return slices.Contains(t.Actions, s) })
	if i < 0 {
		return false
	}
	return slices.ContainsFunc(s.Procedure.Stages[i].Actions, func(o *plan.Stage) bool {
		if o.Verb != plan.Update || o.Kind != s.Kind || !slices.Equal(o.Each, before.Each) || len(s.Document.Key) != len(o.Document.Key) {
			return false
		}
		for name, value := range s.Document.Key {
			found, is := strings.CutPrefix(value, "$each.")
			if !is && value == o.Document.Key[name] {
				continue
			}
			if told, ok := before.Document.Key[found]; !is || !ok || told != o.Document.Key[name] {
				return false
			}
		}
		return len(s.Document.Key) > 0
	})
}

// brought is how many items a stage brings in one call of its pattern, all of its requests together: a get that goes
// over what a query found brings as many as that.
func (f *figures) brought(p *spec.Pattern, s *plan.Stage) float64 {
	if s.Verb == plan.Scan && len(s.Kinds) > 0 {
		n := f.stored(s.Kinds[0]) * f.entries(s.Kinds[0], s.Access)
		if s.Document.Filter != "" && entityOf(s) == p.Read {
			n = math.Min(n, f.Results(p).Average)
		}
		if page := s.Procedure.Page; page > 0 && s.Procedure.Cursor == s {
			n = math.Min(n, float64(page))
		}
		return n
	}
	if p.Writes() && f.seen.Met != nil {
		if runs, ok := f.seen.Met(s); ok {
			n := 0.0
			for _, r := range runs {
				n += float64(r.Times * float64(r.Items[0]))
			}
			return n
		}
	}
	return f.found(p, s).Mean() * f.times(p, s)
}

// inside is how many values a path leads to inside an entity: an attribute that some have, or children.
func (f *figures) inside(e *spec.Entity, path []string) float64 {
	n := 1.0
	for _, name := range path {
		if e == nil {
			return n
		}
		way := e.WayBack(name)
		if way == nil {
			return n * known(nil).Presence(e.Attribute(name))
		}
		n, e = float64(n*f.Lying(way).Average), way.From
	}
	return n
}

// entityOf is whose items a stage finds; nil where that are several items in one transaction.
func entityOf(s *plan.Stage) *spec.Entity {
	switch {
	case s.Kind != nil:
		return s.Kind.Entity
	case len(s.Kinds) > 0:
		return s.Kinds[0].Entity
	}
	return nil
}

// reachable is the share of calls in which earlier stages find what a stage's key is made of: a foreign key that not
// all have leads nowhere in the others, and no request is made.
func (f *figures) reachable(p *spec.Pattern, s *plan.Stage) float64 {
	share := 1.0
	seen := map[string]bool{}
	for _, r := range references(s) {
		before := earlier(s, r[0])
		if before == nil || before.Kind == nil || before.Verb.Writes() || seen[r.String()] {
			continue
		}
		seen[r.String()] = true
		share *= presenceOf(before.Kind, r[1:])
		if !seen[r[0]] {
			seen[r[0]] = true
			share *= 1 - f.found(p, before).Below(1)
		}
	}
	return share
}

// references are what a stage's key is made of that is not in the arguments as it stands.
func references(s *plan.Stage) []spec.Reference {
	var out []spec.Reference
	add := func(v spec.Expr) {
		for t := range v.Terms() {
			if len(t.Reference) > 0 {
				out = append(out, t.Reference)
			}
		}
	}
	for _, b := range s.Where {
		for _, v := range b.Values {
			add(v)
		}
	}
	for _, text := range s.Document.Key {
		if v, err := spec.ParseValue(text); err == nil {
			add(v)
		}
	}
	slices.SortFunc(out, func(a, b spec.Reference) int { return slices.Compare(a, b) }) // the key is a map
	return out
}

func earlier(s *plan.Stage, name string) *plan.Stage {
	i := slices.IndexFunc(s.Procedure.Stages, func(o *plan.Stage) bool { return o.Name == name })
	if i < 0 || name == "" {
		return nil
	}
	return s.Procedure.Stages[i]
}

// presenceOf is the share of a kind's entities that have the attribute a path names.
func presenceOf(k *plan.Kind, path []string) float64 {
	if k == nil || len(path) != 1 {
		return 1
	}
	return known(nil).Presence(k.Entity.Attribute(path[0]))
}
