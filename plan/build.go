package plan

import (
	"fmt"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/keys"
	"github.com/tablewright/tablewright/spec"
)

// build makes the wire attribute of an entity; zero if it is to be absent.
func (r *Recipe) build(s *scope, shard int, env spec.Env) (attr.Value, error) {
	if r.When != nil {
		holds, err := spec.Holds(r.When, s, env)
		if err != nil || !holds {
			return attr.Value{}, err
		}
	}
	if len(r.Parts) == 0 {
		return r.constant, nil
	}
	var buf [128]byte
	text := append(buf[:0], r.Literals[0]...)
	for i, p := range r.Parts {
		v := attr.Num(attr.Int(int64(shard)))
		if p.Attribute != nil {
			if v = s.at(p.target); v.IsZero() {
				return r.absent, nil
			}
		}
		var err error
		if r.Wire.Type == N {
			v, err = p.codec.number(v)
		} else {
			text, err = p.codec.encode(text, v)
		}
		if err != nil {
			return attr.Value{}, fmt.Errorf("%s in %s: %w", p.name(), r.Wire.Name, err)
		}
		if r.Wire.Type == N {
			return v, nil
		}
		text = append(text, r.Literals[i+1]...)
	}
	if len(text) == 0 {
		return attr.Value{}, fmt.Errorf("%s would be empty, which DynamoDB refuses in keys", r.Wire.Name)
	}
	return r.Wire.text(text), nil
}

// item is the whole wire item of an entity.
func (k *Kind) item(s *scope, shard int, env spec.Env) (attr.Item, error) {
	var it attr.Item
	for _, st := range k.Stored {
		if v := k.initial(s, st); !v.IsZero() {
			it.Set(st.Name, v)
		}
	}
	for _, m := range k.Embeds {
		v, err := m.children(s)
		if err != nil {
			return it, fmt.Errorf("%s: %w", k.Name, err)
		}
		if !v.IsZero() {
			it.Set(m.Attribute, v)
		}
	}
	for _, r := range k.Recipes {
		if r.Native {
			if r.Key && !it.Has(r.Wire.Name) {
				return it, fmt.Errorf("%s: the key attribute %s has no value", k.Name, r.Wire.Name)
			}
			continue
		}
		v, err := r.build(s, shard, env)
		if err != nil {
			return it, fmt.Errorf("%s: %w", k.Name, err)
		}
		if r.Key && v.IsZero() {
			return it, fmt.Errorf("%s: a part of the key attribute %s has no value", k.Name, r.Wire.Name)
		}
		if !v.IsZero() {
			it.Set(r.Wire.Name, v)
		}
	}
	return it, nil
}

// initial is the value of a stored attribute when its item is put. What is counted begins at nothing.
func (k *Kind) initial(s *scope, st *Stored) attr.Value {
	v := s.at(st.target)
	if v.IsZero() && !st.Copy {
		if d := st.Attribute.Derived; d != nil && (d.Func == "count" || d.Func == "sum") {
			return attr.Num(attr.Int(0))
		}
	}
	return v
}

// key is the wire key of an entity.
func (k *Kind) key(s *scope, shard int) (attr.Item, error) {
	var it attr.Item
	for _, r := range k.Recipes {
		if !r.Key {
			continue
		}
		v, err := r.build(s, shard, spec.Env{})
		if err == nil && v.IsZero() {
			err = fmt.Errorf("a part of the key attribute %s has no value", r.Wire.Name)
		}
		if err != nil {
			return it, fmt.Errorf("%s: %w", k.Name, err)
		}
		it.Set(r.Wire.Name, v)
	}
	return it, nil
}

// KeyOf is the wire key of the item that the kind has for an entity, in one of its shards.
func (k *Kind) KeyOf(entity attr.Item, shard int) (attr.Item, error) {
	return k.key(&scope{entity: k.Entity, value: entity}, shard)
}

// shardOf is the shard of an entity, or a random one.
func (k *Kind) shardOf(s *scope, random func(int) int) int {
	switch {
	case k.Shards == 0:
		return 0
	case k.ShardBy == nil:
		return random(k.Shards)
	}
	return keys.Shards{Of: k.Shards}.Hash(s.at(own(k.ShardBy)))
}

// inside lists the children that a value has under a way back: a list, or a single one.
func inside(value attr.Item, way *spec.Relationship) []attr.Item {
	v := value.Get(way.Inverse)
	switch v.Kind() {
	case attr.KindM:
		return []attr.Item{v.Map()}
	case attr.KindL:
		out := make([]attr.Item, 0, len(v.Elems()))
		for _, e := range v.Elems() {
			out = append(out, e.Map())
		}
		return out
	}
	return nil
}

// children is the wire attribute that holds the embedded children of a value. Maps and lists are there also when they
// are empty, so that a child can be added to them later.
func (m *Embedding) children(s *scope) (attr.Value, error) {
	list := inside(s.value, m.Way)
	switch m.As {
	case "value":
		if len(list) == 0 {
			return attr.Value{}, nil
		}
		return attr.Map(m.child(list[0])), nil
	case "list":
		elems := make([]attr.Value, len(list))
		for i, c := range list {
			elems[i] = attr.Map(m.child(c))
		}
		return attr.List(elems...), nil
	}
	var all attr.Item
	for _, c := range list {
		name := m.Name(c.Get(m.By.Name))
		if all.Has(name) {
			return attr.Value{}, fmt.Errorf("two %s have one %s", m.Way.Inverse, m.By.Name)
		}
		all.Set(name, attr.Map(m.child(c)))
	}
	return attr.Map(all), nil
}

// child is what is stored of one embedded child.
func (m *Embedding) child(c attr.Item) attr.Item {
	var it attr.Item
	for _, st := range m.Stored {
		it.Set(st.Name, c.Get(st.Name))
	}
	return it
}

// Name is the key in the map of the child that has a value of By. A number is written as the service writes numbers, so that
// equal ones are one key.
func (m *Embedding) Name(by attr.Value) string {
	if by.Kind() == attr.KindN {
		return by.Number().String()
	}
	return by.Str()
}

// named is the value of By that a key in the map stands for.
func (m *Embedding) named(key string) attr.Value {
	if m.By.Type == spec.Number {
		if n, err := attr.ParseNumber(key); err == nil {
			return attr.Num(n)
		}
	}
	return attr.Text(key)
}

// NameBytes is how long the keys in the map are.
func (m *Embedding) NameBytes() spec.Size {
	if m.By.Type != spec.Number {
		return m.By.Bytes
	}
	n := float64(m.By.Digits)
	if m.By.Scale > 0 {
		n++
	}
	if m.By.Min == nil || m.By.Min.Sign() < 0 {
		n++
	}
	return spec.Size{Average: n, Max: n}
}

// place is where one child lies in the item: its key in the map is known from the scope of the child.
func (m *Embedding) place(child *scope) expr.Path {
	p := expr.Name(m.Attribute)
	if m.As == "map" {
		p = p.Field(m.Name(child.at(own(m.By))))
	}
	return p
}
