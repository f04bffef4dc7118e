package plan

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// teller knows which kind a wire item is of.
type teller struct {
	name  string // a constant that all kinds set, each another one; "": none
	kinds map[string]*Kind
}

// newTeller looks for a constant that tells the kinds of a table apart.
func newTeller(kinds []*Kind) teller {
	if len(kinds) < 2 {
		return teller{}
	}
	for _, r := range kinds[0].constants {
		t := teller{r.Wire.Name, map[string]*Kind{}}
		for _, k := range kinds {
			if o := k.recipe(r.Wire.Name); o != nil && len(o.Parts) == 0 && o.When == nil && o.Wire.Type == S {
				t.kinds[o.Text] = k
			}
		}
		if len(t.kinds) == len(kinds) {
			return t
		}
	}
	return teller{}
}

// KindOf tells of which kind a wire item is, by a constant that all kinds of the table set or else by its key; nil if
// it is none of the model's. The item may be an entry of an index.
func (t *Schema) KindOf(wire attr.Item) *Kind {
	if t.tell.name != "" {
		if v := wire.Get(t.tell.name); v.Kind() == attr.KindS {
			return t.tell.kinds[v.Str()]
		}
	}
	if len(t.Kinds) == 1 {
		return t.Kinds[0]
	}
	var buf [8]string
	for _, k := range t.Kinds {
		if k.owns(wire, buf[:]) {
			return k
		}
	}
	return nil
}

// owns reports whether the key of a wire item is one that the kind can have.
func (k *Kind) owns(wire attr.Item, buf []string) bool {
	for _, r := range k.Recipes {
		if r.Key && !r.own(wire.Get(r.Wire.Name), buf) {
			return false
		}
	}
	return true
}

// Read takes the logical entity out of a wire item of the kind, as far as the item has its attributes: an entry of an
// index may lack some. Copies of other entities' attributes stand under the ways that lead to them, embedded children
// under their way back.
func (k *Kind) Read(wire attr.Item) attr.Item {
	var it attr.Item
	for _, st := range k.Stored {
		if v := wire.Get(st.Name); !v.IsZero() {
			put(&it, st.target.path, v)
		}
	}
	var buf [8]string
	for _, group := range k.readers {
		missing := false
		for _, i := range group.parts {
			missing = missing || walk(it, group.recipe.Parts[i].target.path).IsZero()
		}
		if v := wire.Get(group.recipe.Wire.Name); missing && !v.IsZero() {
			group.read(&it, v, buf[:0])
		}
	}
	for _, d := range k.derived {
		if !it.Has(d.to.Name) {
			if v := walk(it, d.from.path); !v.IsZero() {
				it.Set(d.to.Name, v)
			}
		}
	}
	for _, m := range k.Embeds {
		if v := wire.Get(m.Attribute); !v.IsZero() {
			m.unnest(&it, v)
		}
	}
	return it
}

// read takes what a wire attribute tells and the entity does not have yet.
func (g *reader) read(it *attr.Item, v attr.Value, buf []string) {
	r := g.recipe
	if r.Else != "" && attr.Equal(v, r.absent) {
		return
	}
	if r.Wire.Type != N {
		var ok bool
		if buf, ok = r.split(v.Str(), buf); !ok {
			return
		}
	}
	for _, i := range g.parts {
		p := r.Parts[i]
		if !walk(*it, p.target.path).IsZero() {
			continue
		}
		var x attr.Value
		var err error
		if r.Wire.Type == N {
			x, err = p.codec.back(v)
		} else {
			x, err = p.codec.decode(buf[i])
		}
		if err == nil {
			put(it, p.target.path, x)
		}
	}
}

// derivation is a derived attribute that is not stored, and the target its value is read from.
type derivation struct {
	to   *spec.Attribute
	from target
}

// derivations lists the derived to-one attributes that follow from what the kind does store.
func (k *Kind) derivations() (out []derivation) {
	for _, a := range k.Entity.Attributes {
		if a.Derived == nil || a.Derived.Func != "" || k.byPath[a.Name] != nil {
			continue
		}
		out = append(out, derivation{a, origin(own(a))})
	}
	return out
}

// unnest puts the embedded children into their parent's value.
func (m *Embedding) unnest(parent *attr.Item, v attr.Value) {
	var list []attr.Value
	switch m.As {
	case "value":
		list = []attr.Value{attr.Map(m.whole(*parent, v.Map(), attr.Value{}))}
	case "list":
		for _, e := range v.Elems() {
			list = append(list, attr.Map(m.whole(*parent, e.Map(), attr.Value{})))
		}
	default:
		for name, e := range v.Map().All() {
			list = append(list, attr.Map(m.whole(*parent, e.Map(), m.named(name))))
		}
	}
	if m.Way.Single() {
		if len(list) > 0 {
			parent.Set(m.Way.Inverse, list[0])
		}
		return
	}
	parent.Set(m.Way.Inverse, attr.List(list...))
}

// whole is an embedded child with what its parent, and its key in the map, tell of it.
func (m *Embedding) whole(parent, stored attr.Item, name attr.Value) attr.Item {
	it := stored.Clone()
	if m.By != nil {
		it.Set(m.By.Name, name)
	}
	for i, a := range m.Way.By {
		it.Set(a.Name, parent.Get(m.Way.To.Identity[i].Name))
	}
	for _, a := range m.Child.Attributes {
		if m.told(a) && a.Derived != nil && !slices.Contains(m.Way.By, a) {
			if o := origin(own(a)); o.up != nil {
				it.Set(a.Name, walk(parent, o.up.path))
			} else {
				it.Set(a.Name, it.Get(o.path[0]))
			}
		}
	}
	return it
}
