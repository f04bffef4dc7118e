package plan

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// element is one element of `each`.
type element struct {
	scope *scope // of an entity
	value attr.Value
}

// elements lists what a stage is done for: one nil element without `each`.
func (c *Call) elements(s *Stage) ([]*element, error) {
	if s.each == nil {
		return []*element{nil}, nil
	}
	if s.each.stage == nil && s.each.entity == nil { // a list of plain values
		var out []*element
		for _, v := range spec.Env.Lookup(spec.Env{Values: c.values}, s.Each).Elems() {
			out = append(out, &element{value: v})
		}
		return out, nil
	}
	level, err := c.narrow(s, c.roots(s.each))
	if err != nil {
		return nil, err
	}
	for _, g := range s.each.segs {
		var next []*scope
		for _, up := range level {
			for _, v := range inside(up.value, g.Way) {
				next = append(next, &scope{entity: g.Way.From, value: v, outer: up, way: g.Way})
			}
		}
		if level, err = c.narrow(s, next); err != nil {
			return nil, err
		}
	}
	out := make([]*element, len(level))
	for i, s := range level {
		out[i] = &element{scope: s, value: attr.Map(s.value)}
	}
	return out, nil
}

// roots are the values that a referent begins at: a parameter's, or what a step found.
func (c *Call) roots(r *referent) []*scope {
	if r.stage != nil {
		var out []*scope
		for _, f := range c.states[r.stage].found {
			if f.kind.Entity == r.from {
				out = append(out, &scope{entity: r.from, value: f.entity})
			}
		}
		return out
	}
	v := c.values.Get(r.param.Name)
	if r.param.List {
		var out []*scope
		for _, e := range v.Elems() {
			out = append(out, &scope{entity: r.from, value: e.Map()})
		}
		return out
	}
	if v.IsZero() {
		return nil
	}
	return []*scope{{entity: r.from, value: v.Map()}}
}

// valueScope is the value that a put writes.
func (c *Call) valueScope(s *Stage, e *element) (*scope, error) {
	var sc *scope
	if s.value.each {
		sc = e.scope
	} else if list := c.roots(s.value); len(list) > 0 {
		sc = list[0]
	}
	for _, g := range s.value.segs {
		if sc == nil {
			break
		}
		list := inside(sc.value, g.Way)
		if len(list) == 0 {
			sc = nil
			break
		}
		sc = &scope{entity: g.Way.From, value: list[0], outer: sc, way: g.Way}
	}
	if sc == nil {
		return nil, nil
	}
	copied := *sc // with is this step's alone
	return &copied, nil
}

// env is what values and conditions of a stage can see.
func (c *Call) env(s *Stage, e *element) (spec.Env, error) {
	env := spec.Env{Now: c.now, Values: c.values}
	if e == nil {
		return env, nil
	}
	env.Values = c.values.Clone()
	env.Values.Set("each", e.value)
	for before := range s.uses {
		if !s.goesWith(before) {
			continue
		}
		own, err := c.env(before, e)
		if err != nil {
			return env, err
		}
		sc, err := c.keyScope(before, own)
		if err != nil {
			return env, err
		}
		env.Values.Set(before.Name, c.foundFor(before, sc))
	}
	return env, nil
}

// foundFor is what a batch-get found for the element of its list that has a key; zero if it found nothing for that.
func (c *Call) foundFor(s *Stage, key *scope) attr.Value {
	id := func(at func(target) attr.Value) string {
		var text []byte
		for _, a := range s.key {
			text = attr.AppendValue(text, at(a.target))
		}
		return string(text)
	}
	st := c.states[s]
	if st.byKey == nil {
		st.byKey = make(map[string]attr.Value, len(st.found))
		for _, f := range st.found {
			st.byKey[id((&scope{entity: f.kind.Entity, value: f.entity}).at)] = attr.Map(f.entity)
		}
	}
	return st.byKey[id(key.at)]
}

// left reports whether a parameter is left out of the call.
func (c *Call) left(name string) bool {
	p := c.proc.Pattern.Parameter(name)
	return p != nil && p.Optional && !c.values.Has(name)
}

// leaves reports whether a value uses a parameter that is left out.
func (c *Call) leaves(v spec.Expr) bool {
	for t := range v.Terms() {
		if len(t.Reference) > 0 && c.left(t.Reference[0]) {
			return true
		}
	}
	return false
}

func (c *Call) assign(sc *scope, as []assign, env spec.Env) error {
	for _, a := range as {
		if len(itemPaths(a.value)) > 0 || c.leaves(a.value) {
			continue
		}
		v, err := spec.Eval(a.value, spec.On(attr.Item{}), env)
		if err != nil {
			return err
		}
		sc.give(a.target, v)
	}
	return nil
}

// keyScope is what a stage without value knows of its item.
func (c *Call) keyScope(s *Stage, env spec.Env) (*scope, error) {
	sc := &scope{entity: s.entity()}
	if err := c.assign(sc, s.key, env); err != nil {
		return nil, err
	}
	return sc, nil
}

// itemScope is the scope of the item: of the parent if the stage is about a child inside it.
func (s *Stage) itemScope(sc *scope) *scope {
	if s.Embed == nil {
		return sc
	}
	parent := &scope{entity: s.Kind.Entity}
	for _, r := range s.Kind.Recipes {
		for _, p := range r.Parts {
			if r.Key && p.Attribute != nil {
				parent.give(p.target, sc.at(s.Embed.up(p.target)))
			}
		}
	}
	if s.Kind.ShardBy != nil {
		t := own(s.Kind.ShardBy)
		parent.give(t, sc.at(s.Embed.up(t)))
	}
	return parent
}

// reads reports whether the stage only reads.
func (s *Stage) reads() bool { return s.Verb == Get || s.Verb == BatchGet }

// claimed reports whether an entity has a marker of the kind, if all that is unique is there.
func (k *Kind) claimed(sc *scope) bool {
	if k.While == nil || sc == nil {
		return true
	}
	holds, err := spec.Holds(k.While, sc, spec.Env{})
	return err == nil && holds
}

// complete reports whether all parts of the key have a value.
func (k *Kind) complete(sc *scope) bool {
	for _, r := range k.Recipes {
		for _, p := range r.Parts {
			if r.Key && p.Attribute != nil && sc.at(p.target).IsZero() {
				return false
			}
		}
	}
	return true
}
