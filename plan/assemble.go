package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// Answer assembles the pattern's answer from what was read, or for a write the completed values.
func (c *Call) Answer() (*Reply, error) {
	pattern := c.proc.Pattern
	if pattern.Writes() {
		return c.written(), nil
	}
	p := c.pool()
	if err := c.allThere(); err != nil {
		return nil, err
	}
	if len(pattern.Aggregates) > 0 {
		mains, err := c.mains(p)
		if err != nil {
			return nil, err
		}
		return &Reply{Aggregates: c.aggregates(p, mains)}, nil
	}
	var mains []*record
	if c.chosen != nil {
		mains = c.chosenOf(p)
	} else {
		var err error
		if mains, err = c.answered(p); err != nil {
			return nil, err
		}
	}
	reply := &Reply{Items: make([]attr.Item, len(mains)), Next: c.next}
	for i, r := range mains {
		reply.Items[i] = c.shown(p, r)
	}
	return reply, nil
}

// answered are the entities that a call answers, in their order.
func (c *Call) answered(p *pool) ([]*record, error) {
	mains, err := c.mains(p)
	if err != nil {
		return nil, err
	}
	if c.proc.Cut {
		mains = c.cutPage(p, mains)
	} else {
		c.sort(p, mains)
	}
	if top := c.proc.Pattern.Top; top > 0 && len(mains) > top {
		mains = mains[:top]
	}
	return mains, nil
}

// mains are all entities that have been found and that the pattern asks for.
func (c *Call) mains(p *pool) (mains []*record, err error) {
	proc := c.proc
	pattern := proc.Pattern
	// Where an item of the entity itself was looked for and is not there, what is counted of it tells of nothing.
	sought := slices.ContainsFunc(proc.From, func(s *Stage) bool {
		return slices.ContainsFunc(append(slices.Clone(s.Kinds), s.Kind), func(k *Kind) bool {
			return k != nil && k.Entity == pattern.Read && k.Role != AggregateItem
		})
	})
	for _, r := range p.all[pattern.Read] {
		if !r.main && (sought || !slices.ContainsFunc(proc.From, func(s *Stage) bool { return s.Kind.Role == AggregateItem })) {
			continue
		}
		if proc.keep != nil {
			ok, err := spec.Holds(spec.Without(proc.keep, c.left), subject{p, r}, spec.Env{Now: c.now, Values: c.values})
			if err != nil {
				return nil, fmt.Errorf("plan %s: keep: %w", proc.Name, err)
			}
			if !ok {
				continue
			}
		}
		mains = append(mains, r)
	}
	return mains, nil
}

// allThere reports an error if a get found nothing and the plan says that this is a failure.
func (c *Call) allThere() error {
	if c.proc.Document.Answer.Missing != "fail" {
		return nil
	}
	for _, s := range c.proc.From {
		want := 0
		for _, p := range c.states[s].parts {
			switch s.Verb {
			case BatchGet:
				want += len(p.req.Keys)
			case Get:
				want++
			}
		}
		if got := len(c.states[s].found); got < want {
			return fmt.Errorf("plan %s: step %s found %d of %d items", c.proc.Name, s.Name, got, want)
		}
	}
	return nil
}

// sort brings the answer into order, unless it was read in it.
func (c *Call) sort(p *pool, mains []*record) {
	proc := c.proc
	if proc.orderOf != nil {
		rank := map[string]int{}
		for i, f := range c.states[proc.orderOf].found {
			id := proc.Pattern.Read.IdentityOf(f.entity)
			if _, ok := rank[id]; !ok {
				rank[id] = i
			}
		}
		slices.SortStableFunc(mains, func(a, b *record) int {
			return rank[proc.Pattern.Read.IdentityOf(a.value)] - rank[proc.Pattern.Read.IdentityOf(b.value)]
		})
		return
	}
	if proc.native || len(proc.order) == 0 {
		return
	}
	keyed := make(map[*record]attr.Item, len(mains))
	for _, r := range mains {
		keyed[r] = c.ordering(p, r)
	}
	slices.SortStableFunc(mains, func(a, b *record) int { return c.compare(keyed[a], keyed[b]) })
}

// ordering is what a record is ordered by.
func (c *Call) ordering(p *pool, r *record) (it attr.Item) {
	for _, o := range c.proc.order {
		if v := p.value(r, o.target); !v.IsZero() {
			put(&it, o.target.path, v)
		}
	}
	return it
}

// shown is a record as the pattern returns it.
func (c *Call) shown(p *pool, r *record) attr.Item {
	pattern := c.proc.Pattern
	var it attr.Item
	if pattern.All {
		it = c.whole(p, r)
	}
	for _, path := range pattern.Returns {
		if t, err := resolvePath(r.entity, path); err == nil {
			if v := p.value(r, t); !v.IsZero() {
				put(&it, path, v)
			}
		}
	}
	for _, path := range pattern.With {
		c.include(p, &it, r, path)
	}
	return it
}

// whole is an entity's own attributes.
func (c *Call) whole(p *pool, r *record) attr.Item {
	var it attr.Item
	for _, a := range r.entity.Attributes {
		v := r.value.Get(a.Name)
		if v.IsZero() && a.Derived != nil {
			v = c.derive(p, r, a)
		}
		if !v.IsZero() {
			it.Set(a.Name, v)
		}
	}
	return it
}

// derive is a derived attribute that no item told: a to-one path, or nothing counted yet.
func (c *Call) derive(p *pool, r *record, a *spec.Attribute) attr.Value {
	switch {
	case a.Derived.Func == "":
		return p.value(r, origin(own(a)))
	case a.Last():
		return p.newest(r, a)
	}
	return ofNothing(a.Derived.Func)
}

// ofNothing is what is counted of no children at all; min and max are absent.
func ofNothing(function string) attr.Value {
	switch function {
	case "count", "sum":
		return attr.Num(attr.Int(0))
	case "exists":
		return attr.Bool(false)
	}
	return attr.Value{}
}

// include puts related records inside: one as a map, many as a list.
func (c *Call) include(p *pool, it *attr.Item, r *record, path spec.Path) {
	if w := r.entity.WayThere(path[0]); w != nil {
		if up := p.parent(r, w); up != nil && up.whole {
			it.Set(path[0], attr.Map(c.related(p, it.Get(path[0]).Map(), up, path[1:])))
		}
		return
	}
	w := r.entity.WayBack(path[0])
	if w == nil {
		return
	}
	before := it.Get(path[0])
	var list []attr.Value
	for i, child := range p.children(r, w) {
		old := before.Map()
		if i < len(before.Elems()) {
			old = before.Elems()[i].Map()
		}
		list = append(list, attr.Map(c.related(p, old, child, path[1:])))
	}
	if w.Single() {
		if len(list) > 0 {
			it.Set(path[0], list[0])
		}
		return
	}
	it.Set(path[0], attr.List(list...))
}

func (c *Call) related(p *pool, old attr.Item, r *record, rest spec.Path) attr.Item {
	it := c.whole(p, r)
	for name, v := range old.All() { // what an earlier path has put inside
		if !it.Has(name) {
			it.Set(name, v)
		}
	}
	if len(rest) > 0 {
		c.include(p, &it, r, rest)
	}
	return it
}

// aggregates computes the pattern's aggregates, or reads them from where they are kept.
func (c *Call) aggregates(p *pool, mains []*record) attr.Item {
	var it attr.Item
	for i, a := range c.proc.Pattern.Aggregates {
		if k := c.proc.counted[i]; k != nil {
			var v attr.Value
			if list := p.all[k.entity]; len(list) > 0 {
				v = list[0].value.Get(k.attribute.Name)
			}
			switch {
			case a.Func == "exists":
				v = attr.Bool(v.Number().Sign() > 0)
			case v.IsZero() && (a.Func == "count" || a.Func == "sum"):
				v = attr.Num(attr.Int(0))
			}
			it.Set(a.Name, v)
			continue
		}
		it.Set(a.Name, c.fold(p, a, mains))
	}
	return it
}

func (c *Call) fold(p *pool, a spec.Aggregate, mains []*record) attr.Value {
	switch a.Func {
	case "count":
		return attr.Num(attr.Int(int64(len(mains))))
	case "exists":
		return attr.Bool(len(mains) > 0)
	}
	t, err := resolvePath(c.proc.Pattern.Read, a.Path)
	if err != nil {
		return attr.Value{}
	}
	var sum attr.Number
	var best attr.Value
	for _, r := range mains {
		v := p.value(r, t)
		if v.IsZero() {
			continue
		}
		if s, err := sum.Add(v.Number()); err == nil {
			sum = s
		}
		if best.IsZero() || (attr.Compare(v, best) < 0) == (a.Func == "min") {
			best = v
		}
	}
	if a.Func == "sum" {
		return attr.Num(sum)
	}
	return best
}

// written are the completed values of a write, in the order of its actions.
func (c *Call) written() *Reply {
	reply := &Reply{}
	seen := map[string]bool{}
	for _, a := range c.proc.Pattern.Actions {
		if len(a.Value) == 0 {
			continue
		}
		name := a.Value[0]
		if name == "each" && len(a.Each) > 0 {
			name = a.Each[0]
		}
		v := c.args.Get(name)
		if seen[name] || v.IsZero() {
			continue
		}
		seen[name] = true
		if v.Kind() == attr.KindM {
			reply.Items = append(reply.Items, v.Map())
			continue
		}
		for _, e := range v.Elems() {
			reply.Items = append(reply.Items, e.Map())
		}
	}
	return reply
}
