package plan

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// A write that begins with reading may find some of its items and miss others, so no condition that is written once fits
// all of them. `still` names the step that read them: an item that it found must have the values that the plan uses of it,
// and one that it missed must be absent yet. Otherwise the call begins anew. A query does as well as a get where the write
// is done for each item that the query found, since such a write misses none.

//
// A write may also rest on a query having found everything. The item that both writes know, such as the parent, then
// has a `stamp`. A write that adds an item to the query's result renews the stamp. The other write reads the stamp
// before it queries, and `still` refuses it if the stamp has changed since.

// StampBytes is how long a stamp is.
const StampBytes = 6

// stamp is a new stamp, which follows from what the call says and when: another call, or the same at another time, has another one.
func (c *Call) stamp() attr.Value {
	h := fnv.New64a()
	fmt.Fprint(h, c.proc.Name, c.now.UnixNano(), c.again)
	h.Write(attr.AppendItem(nil, c.args))
	return attr.Text(base64.RawURLEncoding.EncodeToString(h.Sum(nil))[:StampBytes])
}

// stamped resolves the stamp of an item.
func (c *compiler) stamped(k *Kind) {
	name := k.Document.Stamp
	if name == "" {
		return
	}
	place := at(k.Path, "stamp")
	taken := k.recipe(name) != nil || k.stored(name) != nil || k.Table.Document.Attributes[name] != "" ||
		slices.ContainsFunc(k.Embeds, func(m *Embedding) bool { return m.Attribute == name })
	switch {
	case k.Role != EntityItem:
		c.errorf(place, CodeSteps, "leave it out", "%s is no item of an entity, and nothing is read of it before it is written", k.Name)
	case taken:
		c.errorf(place, CodeDuplicate, "call it otherwise", "%s has another attribute %s", k.Name, name)
	default:
		k.Stamp = name
	}
}

// stillAs resolves `still`.
func (c *compiler) stillAs(s *Stage, stages map[string]*Stage) bool {
	if s.Document.Still == "" {
		return true
	}
	place := at(s.Path, "still")
	ref, err := spec.ParseReference(s.Document.Still)
	if err != nil {
		c.failed(place, err)
		return false
	}
	o := stages[ref[0]]
	keyed := o != nil && (o.Verb == Get || o.Verb == BatchGet || o.Verb == Query && s.eachFound() == o)
	if len(ref) != 1 || !keyed || !o.Consistent || o.Kind != s.Kind || s.Embed != nil {
		c.errorf(place, CodeSteps, "name a consistent get or batch-get of "+s.Kind.Name+", or the consistent query whose items are written each", "%s does not read %s by its key before it is written", s.Document.Still, s.Kind.Name)
		return false
	}
	if s.Kind.Shards > 0 && s.Kind.ShardBy == nil {
		c.errorf(place, CodeSteps, "", "%s lies in shards at random, which no key tells", s.Kind.Name)
		return false
	}
	s.still = o
	s.use(o)
	return true
}

// unchanged adds the tests of `still` to the request of an item with a key.
func (c *Call) unchanged(s *Stage, x *translator, r *Request, key attr.Item) error {
	add := func(cond *expr.Condition) {
		r.tests = append(r.tests, test{cond: cond, again: true, still: true})
	}
	defer r.condition()
	var was *found
	for _, f := range c.states[s.still].found {
		if !slices.ContainsFunc(s.Kind.Table.Base.keys(), func(w Wire) bool { return !attr.Equal(f.wire.Get(w.Name), key.Get(w.Name)) }) {
			was = f
		}
	}
	if was == nil {
		add(expr.Not(x.exists()))
		return nil
	}
	add(x.exists())
	if name := s.Kind.Stamp; name != "" {
		if v := was.wire.Get(name); v.IsZero() {
			add(expr.NotExists(expr.Name(name)))
		} else {
			add(expr.Equal(expr.Name(name), expr.Literal(v)))
		}
	}
	for _, path := range c.proc.used(s.still) {
		p, err := x.path(path)
		if err != nil {
			return err
		}
		v := walk(was.entity, path)
		if v.IsZero() {
			add(expr.NotExists(p))
			continue
		}
		cond, err := compare("=", p, expr.Literal(v))
		if err != nil {
			return err
		}
		add(cond)
	}
	return nil
}

// used lists the attributes that the writes of a procedure use of what a step found and that its items store, but for the
// identity.
func (p *Procedure) used(from *Stage) []spec.Path {
	var out []spec.Path
	note := func(t target) {
		at := t.attribute()
		if at == nil || slices.Contains(from.Kind.Entity.Identity, at) || from.Kind.storing(t) == nil {
			return
		}
		if path := spec.Path(t.path); !slices.ContainsFunc(out, func(o spec.Path) bool { return slices.Equal(o, path) }) {
			out = append(out, path)
		}
	}
	for _, s := range p.Stages {
		for _, a := range append([]*Stage{s}, s.Actions...) {
			if a.Kind != nil && (a.value != nil && a.value.stage == from || a.eachFound() == from) {
				for _, t := range a.Kind.while {
					note(t)
				}
			}
			if a.value != nil && a.value.stage == from && a.Kind != nil {
				for _, r := range a.Kind.Recipes {
					for _, part := range r.Parts {
						if part.Attribute != nil {
							note(part.target)
						}
					}
				}
			}
			for _, as := range [][]assign{a.key, a.with, a.sets, a.adds} {
				for _, x := range as {
					for v := range x.value.Terms() {
						v.Neg = false
						if o, t, ok := p.follow(a, v); ok && o.stage == from {
							note(t)
						}
					}
				}
			}
		}
	}
	return out
}
