package prove

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Match is one entity that a read asks for.
type Match struct {
	Instance *Instance
	Keys     []attr.Value // of the asked order
	Item     attr.Item    // as the answer shows it
}

// Expected is what a read must answer: all matches in the asked order; ties may come in any order, and where no order
// is asked any order will do. Aggregates is set instead if the pattern asks for them.
type Expected struct {
	Pattern    *spec.Pattern
	Matches    []Match
	Aggregates attr.Item

	beyond []Match // what `top` cuts off
}

// Read answers a read pattern by definition.
func (o *Oracle) Read(p *spec.Pattern, args attr.Item) *Expected {
	x := o.find(p, args)
	o.complete(x)
	return x
}

// complete makes the items of all matches.
func (o *Oracle) complete(x *Expected) {
	for i := range x.Matches {
		x.Matches[i].Item = o.shown(x.Matches[i].Instance, x.Pattern)
	}
}

// find is what a read must answer but for the items, which are large and not always looked at.
func (o *Oracle) find(p *spec.Pattern, args attr.Item) *Expected {
	x := &Expected{Pattern: p, Matches: o.matches(p, args)}
	if p.Top > 0 && len(x.Matches) > p.Top && !o.tiedAt(x, p.Top) {
		x.Matches, x.beyond = x.Matches[:p.Top], x.Matches[p.Top:]
	}
	if len(p.Aggregates) > 0 {
		for _, a := range p.Aggregates {
			x.Aggregates.Set(a.Name, o.fold(a, x.Matches))
		}
		x.Matches = nil
	}
	return x
}

// matches are all that a read asks for, in its order.
func (o *Oracle) matches(p *spec.Pattern, args attr.Item) (out []Match) {
	for _, in := range o.passing(p, p.Where, args, false) {
		out = append(out, Match{Instance: in, Keys: o.orderKeys(in, p)})
	}
	slices.SortStableFunc(out, func(a, b Match) int { return compareKeys(p, a.Keys, b.Keys) })
	return out
}

// tiedAt reports whether the cut after n matches goes through a tie; then any of the tied may be answered, and the
// comparison has to know all of them.
func (o *Oracle) tiedAt(x *Expected, n int) bool {
	return compareKeys(x.Pattern, x.Matches[n-1].Keys, x.Matches[n].Keys) == 0
}

// candidates are the instances that can match, by the equalities on attributes of the entity's own: see lookup. exact
// says that there are no other equalities that they have to meet.
func (o *Oracle) candidates(p *spec.Pattern, args attr.Item) (all []*Instance, exact bool) {
	if len(p.Given) == 0 {
		return o.Instances(p.Read), true
	}
	var attributes []string
	var values []attr.Value
	for _, g := range p.Given {
		own := held(p.Read, g)
		if a := p.Read.Attribute(own[0]); len(own) == 1 && a != nil && a.Derived == nil {
			if v := args.Get(g[len(g)-1]); !v.IsZero() {
				attributes, values = append(attributes, a.Name), append(values, v)
			}
		}
	}
	if len(attributes) > 0 {
		return o.stores[p.Read].lookupAll(attributes, values), len(p.Given) == len(attributes)
	}
	// Ways to an entity whose identity is stated: the instances of that entity that match, and what reaches them.
	for _, g := range p.Given {
		to, ways := leads(p.Read, g)
		if to == nil || len(ways) == 0 {
			continue
		}
		if v := args.Get(g[len(g)-1]); !v.IsZero() {
			stated := statedOf(to, ways, g[len(g)-1])
			if last := ways[len(ways)-1]; !last.back { // a foreign key is stated: who has it, whether or not that is there any more
				if fk := last.rel.By[slices.Index(to.Identity, stated)]; fk.Derived == nil {
					return o.reaching(o.stores[last.rel.From].lookup(fk.Name, v), ways[:len(ways)-1]), false
				}
			}
			return o.reaching(o.stores[to].lookup(stated.Name, v), ways), false
		}
	}
	return o.Instances(p.Read), false
}

func (o *Oracle) given(in *Instance, p *spec.Pattern, args attr.Item) bool {
	for _, g := range p.Given {
		want := args.Get(g[len(g)-1])
		if want.IsZero() {
			if q := p.Parameter(g[len(g)-1]); q != nil && q.Optional {
				continue
			}
			return false
		}
		if !slices.ContainsFunc(o.values(in, g), func(v attr.Value) bool { return attr.Equal(v, want) }) {
			return false
		}
	}
	return true
}

func (o *Oracle) orderKeys(in *Instance, p *spec.Pattern) []attr.Value {
	keys := make([]attr.Value, len(p.Order))
	for i, k := range p.Order {
		keys[i] = o.value(in, k.Path)
	}
	return keys
}

// compareKeys orders by a pattern's order.
func compareKeys(p *spec.Pattern, a, b []attr.Value) int {
	for i, k := range p.Order {
		if c := k.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func (o *Oracle) fold(a spec.Aggregate, matches []Match) attr.Value {
	switch a.Func {
	case "count":
		return attr.Num(attr.Int(int64(len(matches))))
	case "exists":
		return attr.Bool(len(matches) > 0)
	}
	var vs []attr.Value
	for _, m := range matches {
		vs = append(vs, o.values(m.Instance, a.Path)...)
	}
	return aggregate(a.Func, vs)
}

// shown is an instance as the pattern returns it: the attributes asked for, to-one paths and related entities under
// the names of the ways that lead to them.
func (o *Oracle) shown(in *Instance, p *spec.Pattern) attr.Item {
	var item attr.Item
	if p.All {
		item = o.whole(in)
	}
	for _, path := range p.Returns {
		place(&item, path, o.value(in, path))
	}
	for _, path := range p.With {
		o.include(&item, in, path)
	}
	return item
}

// place puts a value under a path of names, making the maps on the way.
func place(item *attr.Item, path spec.Path, v attr.Value) {
	if v.IsZero() {
		return
	}
	if len(path) == 1 {
		item.Set(path[0], v)
		return
	}
	inner := item.Get(path[0]).Map().Clone()
	place(&inner, path[1:], v)
	item.Set(path[0], attr.Map(inner))
}

// include puts the related entities at the end of a path of ways inside: one as a map, many as a list.
func (o *Oracle) include(item *attr.Item, in *Instance, path spec.Path) {
	if r := in.Entity.WayThere(path[0]); r != nil {
		if to := o.parent(in, r); to != nil && !o.expired(to) {
			item.Set(path[0], attr.Map(o.related(item.Get(path[0]).Map(), to, path[1:])))
		}
		return
	}
	r := in.Entity.WayBack(path[0])
	if r == nil {
		return
	}
	before := item.Get(path[0])
	var list []attr.Value
	for _, c := range o.children(in, r) {
		if o.expired(c) {
			continue
		}
		var old attr.Item
		if n := len(list); n < len(before.Elems()) {
			old = before.Elems()[n].Map()
		}
		list = append(list, attr.Map(o.related(old, c, path[1:])))
	}
	if r.Single() {
		if len(list) > 0 {
			item.Set(path[0], list[0])
		}
		return
	}
	item.Set(path[0], attr.List(list...))
}

func (o *Oracle) related(old attr.Item, in *Instance, rest spec.Path) attr.Item {
	item := o.whole(in)
	for name, v := range old.All() { // what an earlier path has put inside
		if !item.Has(name) {
			item.Set(name, v)
		}
	}
	if len(rest) > 0 {
		o.include(&item, in, rest)
	}
	return item
}
