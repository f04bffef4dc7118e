package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

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
	whole  bool    // an item of the entity itself, not only an aggregate of it
	main   bool    // found by a step that finds what is asked for, not only what a way from there leads to
	parts  []*Kind // of an entity that lies in parts, those that were found

	outdated []spec.Path // copies whose originals were read
}

func (c *Call) pool() *pool {
	p := &pool{c, map[*spec.Entity][]*record{}, map[*spec.Entity]map[string]*record{}, map[*spec.Relationship]map[string][]*record{}}
	for _, s := range c.proc.From {
		for _, f := range c.states[s].found {
			if f.kind.Role == AggregateItem {
				p.aggregate(f)
			} else {
				r := p.add(f.kind.Entity, f.entity, !c.proc.beside[s])
				if r != nil && f.kind.part && !slices.Contains(r.parts, f.kind) {
					r.parts = append(r.parts, f.kind)
				}
				if r != nil {
					r.outdated = append(r.outdated, s.outdated[f.kind]...)
				}
			}
		}
	}
	p.whole()
	p.originals()
	return p
}

// whole drops what was found in part: an entity is there if all its parts that were looked for are. Reads that pass its
// creation or deletion can meet one part and not the other.
func (p *pool) whole() {
	lacks := func(r *record) bool {
		return slices.ContainsFunc(p.c.proc.parts, func(x soughtPart) bool {
			return x.kind.Entity == r.entity && x.main == r.main && !slices.Contains(r.parts, x.kind)
		})
	}
	for e, all := range p.all {
		if !slices.ContainsFunc(p.c.proc.parts, func(x soughtPart) bool { return x.kind.Entity == e }) {
			continue
		}
		p.all[e] = slices.DeleteFunc(all, func(r *record) bool {
			if !lacks(r) {
				return false
			}
			delete(p.byID[e], e.IdentityOf(r.value))
			return true
		})
	}
}

// add takes an entity in, and the children inside it. What is known of it already stays.
func (p *pool) add(e *spec.Entity, it attr.Item, main bool) *record {
	if p.c.expired(e, it) {
		return nil
	}
	r := p.record(e, it)
	r.whole, r.main = true, r.main || main
	for name, v := range it.All() {
		if !r.value.Has(name) {
			r.value.Set(name, v)
		}
	}
	for _, w := range e.Back {
		for _, child := range inside(it, w) {
			p.add(w.From, child, main)
		}
	}
	return r
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
	if len(t.segs) == 1 && t.segs[0].Attribute != nil && t.segs[0].Attribute.Derived != nil {
		if a := t.segs[0].Attribute; a.Last() {
			return p.newest(r, a)
		}
		return ofNothing(t.segs[0].Attribute.Derived.Func) // nobody has counted anything yet
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
