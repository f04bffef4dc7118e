package plan

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// scope is what is known of one entity while an item of it is written: its value, what encloses that, and single
// targets given beside it. It is the subject on which a template's `when` is tested.
type scope struct {
	entity *spec.Entity
	value  attr.Item
	outer  *scope             // the value that encloses this one
	way    *spec.Relationship // the way there to it
	given  []given
}

type given struct {
	target target
	value  attr.Value // zero: known to be absent
}

// give states the value of a target; it hides what the value itself says.
func (s *scope) give(t target, v attr.Value) { s.given = append(s.given, given{t, v}) }

// at is the value of a target; zero if it is absent or not known.
func (s *scope) at(t target) attr.Value {
	for i := len(s.given) - 1; i >= 0; i-- {
		if g := &s.given[i]; same(g.target, t) {
			return g.value
		}
	}
	if v := s.direct(t); !v.IsZero() || t.from == t.id {
		return v
	}
	return s.at(origin(t))
}

// direct looks a target up in the value and what encloses it.
func (s *scope) direct(t target) attr.Value {
	if len(t.segs) == 0 {
		return attr.Value{}
	}
	if w := t.segs[0]; w.Way != nil && !w.Back && s.outer != nil && s.way == w.Way {
		if t.up == nil {
			return attr.Map(s.outer.value)
		}
		return s.outer.at(*t.up)
	}
	for i := len(s.given) - 1; i >= 0; i-- { // a given map holds what is inside it
		if g := &s.given[i]; len(g.target.path) < len(t.path) && len(g.target.path) > 0 && g.target.id == t.path[:len(g.target.path)].String() {
			return walk(g.value.Map(), t.path[len(g.target.path):])
		}
	}
	return walk(s.value, t.path)
}

// walk follows names through maps.
func walk(it attr.Item, p spec.Path) attr.Value {
	for i, n := range p {
		v := it.Get(n)
		if i == len(p)-1 || v.Kind() != attr.KindM {
			if i < len(p)-1 {
				return attr.Value{}
			}
			return v
		}
		it = v.Map()
	}
	return attr.Value{}
}

// put sets the value at a path, making the maps on the way.
func put(it *attr.Item, p spec.Path, v attr.Value) {
	if len(p) == 1 {
		it.Set(p[0], v)
		return
	}
	inner := it.Get(p[0]).Map().Clone()
	put(&inner, p[1:], v)
	it.Set(p[0], attr.Map(inner))
}

// Present reports true: what is written is there. At is part of spec.Subject.
func (s *scope) Present() bool { return true }

// At is the value at a path of the entity.
func (s *scope) At(p spec.Path) attr.Value {
	if s.entity == nil { // only given targets are known
		id := p.String()
		for i := len(s.given) - 1; i >= 0; i-- {
			if s.given[i].target.id == id {
				return s.given[i].value
			}
		}
		return attr.Value{}
	}
	t, err := resolvePath(s.entity, p)
	if err != nil {
		return attr.Value{}
	}
	return s.at(t)
}
