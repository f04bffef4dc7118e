package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// cut brings what a paged or topped stage found into the order of the answer and drops what lies behind the page. It
// notes where the next page begins.
func (c *Call) cut(s *Stage, st *state) error {
	p := c.proc
	if len(st.parts) > 1 && s.Scatter > 0 && (s == p.Cursor || s == p.topStage) {
		slices.SortStableFunc(st.found, func(a, b *found) int { return c.compare(a.entity, b.entity) })
	}
	n := p.Page
	switch {
	case s == p.topStage:
		n = p.Pattern.Top
	case s != p.Cursor:
		return nil
	}
	selected := make([]int, len(st.parts)) // last of the page, by part
	for i := range selected {
		selected[i] = -1
	}
	for _, f := range st.found {
		if n == 0 {
			break
		}
		if c.main(f) {
			selected[f.part] = f.at
			n--
		}
	}
	ends := make([]int, len(st.parts)) // first item behind the page, by part
	next := &Cursor{Step: s.Name}
	more := false
	for i, part := range st.parts {
		end := selected[i] + 1
		if selected[i] >= 0 || !c.hasMain(part) {
			end = c.groupEnd(s, part, end)
		}
		ends[i] = end
		cp := CursorPart{}
		switch {
		case end == len(part.items) && part.ended:
			cp.Ended = true
		case end == len(part.items):
			cp.After = part.last
		case end > 0:
			cp.After = s.Access.position(part.items[end-1].wire)
		case c.cursor != nil:
			cp.After = c.cursor.Parts[i].After
		}
		more = more || !cp.Ended
		next.Parts = append(next.Parts, cp)
	}
	if s == p.Cursor && more {
		c.next = next
	}
	st.found = slices.DeleteFunc(st.found, func(f *found) bool { return f.at >= ends[f.part] })
	return nil
}

// groupEnd extends a page that ends before the item at end over what follows and belongs to it: children of the page's
// entities, which lie beside them, and what the pattern does not ask for. It stops before the next entity, or a child of
// it: read from high to low, children come before their parent.
func (c *Call) groupEnd(s *Stage, p *part, end int) int {
	nests := c.proc.nests(s)
	var ours, dropped map[string]bool
	if nests {
		ours, dropped = map[string]bool{}, map[string]bool{}
		for i, f := range p.items {
			switch {
			case c.main(f) && i < end:
				ours[f.id()] = true
			case !c.main(f) && f.kind.Entity == c.proc.Pattern.Read:
				dropped[f.id()] = true
			}
		}
		c.adopt(p, ours)
		c.adopt(p, dropped)
	}
	for end < len(p.items) {
		f := p.items[end]
		if c.main(f) || nests && c.proc.related(f.kind.Entity) && !ours[f.id()] && !dropped[f.id()] {
			break
		}
		end++
	}
	return end
}

// id names the entity that was found.
func (f *found) id() string { return f.kind.Entity.Name + "\x00" + f.kind.Entity.IdentityOf(f.entity) }

// adopt adds the children, and their children, of entities to a set of them.
func (c *Call) adopt(p *part, set map[string]bool) {
	for grown := true; grown; {
		grown = false
		for _, f := range p.items {
			if set[f.id()] || !c.proc.related(f.kind.Entity) {
				continue
			}
			for _, w := range f.kind.Entity.There {
				var id attr.Item
				for i, by := range w.By {
					id.Set(w.To.Identity[i].Name, f.entity.Get(by.Name))
				}
				if set[w.To.Name+"\x00"+w.To.IdentityOf(id)] {
					set[f.id()], grown = true, true
				}
			}
		}
	}
}

func (c *Call) hasMain(p *part) bool { return slices.ContainsFunc(p.items, c.main) }

// position is the key at which reading can go on behind an item.
func (a *Access) position(wire attr.Item) attr.Item {
	var it attr.Item
	for _, w := range append(a.Table.Base.keys(), a.keys()...) {
		it.Set(w.Name, wire.Get(w.Name))
	}
	return it
}

// compare orders two entities by the answer's order; what lacks an attribute comes first ascending.
func (c *Call) compare(a, b attr.Item) int {
	for _, o := range c.proc.order {
		x, y := walkTarget(a, o.target), walkTarget(b, o.target)
		d := 0
		switch {
		case x.IsZero() && y.IsZero():
		case x.IsZero():
			d = -1
		case y.IsZero():
			d = 1
		case x.Kind() == y.Kind():
			d = attr.Compare(x, y)
		}
		if o.descending {
			d = -d
		}
		if d != 0 {
			return d
		}
	}
	return 0
}

func walkTarget(it attr.Item, t target) attr.Value {
	if v := walk(it, t.path); !v.IsZero() || t.from == t.id {
		return v
	}
	return walk(it, origin(t).path)
}

// pool is everything that the answer's steps found, by entity.
type pool struct {
	c     *Call
	all   map[*spec.Entity][]*record
	byID  map[*spec.Entity]map[string]*record
	joins map[*spec.Relationship]map[string][]*record // children by foreign key
}

// record is one entity, put together from all items that tell of it.
type record struct {
	entity *spec.Entity
	value  attr.Item
	whole  bool // an item of the entity itself, not only an aggregate of it
}

func (c *Call) pool() *pool {
	p := &pool{c, map[*spec.Entity][]*record{}, map[*spec.Entity]map[string]*record{}, map[*spec.Relationship]map[string][]*record{}}
	for _, s := range c.proc.From {
		for _, f := range c.states[s].found {
			if f.kind.Role == AggregateItem {
				p.aggregate(f)
			} else {
				p.add(f.kind.Entity, f.entity)
			}
		}
	}
	return p
}

// add takes an entity in, and the children inside it. What is known of it already stays.
func (p *pool) add(e *spec.Entity, it attr.Item) {
	if p.c.expired(e, it) {
		return
	}
	r := p.record(e, it)
	r.whole = true
	for name, v := range it.All() {
		if !r.value.Has(name) {
			r.value.Set(name, v)
		}
	}
	for _, w := range e.Back {
		for _, child := range inside(it, w) {
			p.add(w.From, child)
		}
	}
}

func (p *pool) record(e *spec.Entity, it attr.Item) *record {
	if p.byID[e] == nil {
		p.byID[e] = map[string]*record{}
	}
	id := e.IdentityOf(it)
	r := p.byID[e][id]
	if r == nil {
		r = &record{entity: e}
		for _, a := range e.Identity {
			r.value.Set(a.Name, it.Get(a.Name))
		}
		p.byID[e][id] = r
		p.all[e] = append(p.all[e], r)
	}
	return r
}

// aggregate takes an aggregate item in: shards add up.
func (p *pool) aggregate(f *found) {
	r := p.record(f.kind.Entity, f.entity)
	a := f.kind.Attribute
	v, old := f.entity.Get(a.Name), r.value.Get(a.Name)
	if !old.IsZero() && f.kind.Shards > 0 && v.Kind() == attr.KindN && old.Kind() == attr.KindN {
		switch a.Derived.Func {
		case "count", "sum":
			if sum, err := old.Number().Add(v.Number()); err == nil {
				v = attr.Num(sum)
			}
		case "min", "max":
			if (attr.Compare(old, v) < 0) == (a.Derived.Func == "min") {
				v = old
			}
		}
	} else if !old.IsZero() {
		return
	}
	if !v.IsZero() {
		r.value.Set(a.Name, v)
	}
}

// children of a record by a way back.
func (p *pool) children(r *record, w *spec.Relationship) []*record {
	m := p.joins[w]
	if m == nil {
		m = map[string][]*record{}
		for _, c := range p.all[w.From] {
			if key, ok := identityKey(c.value, w.By); ok {
				m[key] = append(m[key], c)
			}
		}
		p.joins[w] = m
	}
	key, _ := identityKey(r.value, w.To.Identity)
	return m[key]
}

// parent of a record by a way there.
func (p *pool) parent(r *record, w *spec.Relationship) *record {
	var id attr.Item
	for i, a := range w.By {
		v := r.value.Get(a.Name)
		if v.IsZero() {
			return nil
		}
		id.Set(w.To.Identity[i].Name, v)
	}
	return p.byID[w.To][w.To.IdentityOf(id)]
}

func identityKey(it attr.Item, as []*spec.Attribute) (string, bool) {
	var key []byte
	for _, a := range as {
		v := it.Get(a.Name)
		if v.IsZero() {
			return "", false
		}
		key = attr.AppendValue(key, v)
	}
	return string(key), true
}

// value is what a path leads to from a record: in its own value, or through related records.
func (p *pool) value(r *record, t target) attr.Value {
	if v := walkTarget(r.value, t); !v.IsZero() {
		return v
	}
	if len(t.segs) > 0 && t.segs[0].Way != nil && t.up != nil {
		w := t.segs[0].Way
		if !t.segs[0].Back {
			if up := p.parent(r, w); up != nil {
				return p.value(up, *t.up)
			}
			return attr.Value{}
		}
		if list := p.children(r, w); len(list) == 1 {
			return p.value(list[0], *t.up)
		}
	}
	if t.from != t.id {
		return p.value(r, origin(t))
	}
	return attr.Value{}
}

// subject is a record as the subject of `keep`.
type subject struct {
	p *pool
	r *record
}

func (s subject) Present() bool { return true }
func (s subject) At(path spec.Path) attr.Value {
	t, err := resolvePath(s.r.entity, path)
	if err != nil {
		return attr.Value{}
	}
	return s.p.value(s.r, t)
}

// Answer assembles the pattern's answer from what was read, or for a write the completed values.
func (c *Call) Answer() (*Reply, error) {
	proc := c.proc
	pattern := proc.Pattern
	if pattern.Writes() {
		return c.written(), nil
	}
	p := c.pool()
	var mains []*record
	for _, r := range p.all[pattern.Read] {
		if !r.whole && !slices.ContainsFunc(proc.From, func(s *Stage) bool { return s.Kind.Role == AggregateItem }) {
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
	if slices.ContainsFunc(mains, func(r *record) bool { return r.whole }) { // aggregates of entities that are not there tell of nothing
		mains = slices.DeleteFunc(mains, func(r *record) bool { return !r.whole })
	}
	if err := c.allThere(); err != nil {
		return nil, err
	}
	if len(pattern.Aggregates) > 0 {
		return &Reply{Aggregates: c.aggregates(p, mains)}, nil
	}
	c.sort(p, mains)
	if pattern.Top > 0 && len(mains) > pattern.Top {
		mains = mains[:pattern.Top]
	}
	reply := &Reply{Items: make([]attr.Item, len(mains)), Next: c.next}
	for i, r := range mains {
		reply.Items[i] = c.shown(p, r)
	}
	return reply, nil
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
		var it attr.Item
		for _, o := range proc.order {
			if v := p.value(r, o.target); !v.IsZero() {
				put(&it, o.target.path, v)
			}
		}
		keyed[r] = it
	}
	slices.SortStableFunc(mains, func(a, b *record) int { return c.compare(keyed[a], keyed[b]) })
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
	switch a.Derived.Func {
	case "":
		return p.value(r, origin(own(a)))
	case "count", "sum":
		return attr.Num(attr.Int(0))
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
