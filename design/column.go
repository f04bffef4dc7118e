package design

import (
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// A column is a wire attribute of the items of a kind, with what it holds.
type column struct {
	name string // on the wire
	key  string // what needs call it: the path of a ref, or a way of embedded children
	size volume // name and value, averaged over items that lack it
	ref  ref    // of a stored attribute or copy
}

// figure is the physical form of a kind in a configuration: its columns, given the indexes on it, which need values to
// stand on their own.
type figure struct {
	kind      *kind
	partition column
	sort      column // without name: none
	stored    []column
	readable  []string // keys of values that the table's key tells, sorted
	id        string   // canonical
	whole     volume   // of an item
}

// figureOf lays a kind out.
func (l *laws) figureOf(f *facts, k *kind, indexes []*indexShape) *figure {
	e, own := k.entity, k.option.own
	g := &figure{kind: k, id: k.id}
	g.partition = l.keyColumn(e, refParts(own.partition), "")
	switch {
	case k.mixed:
		g.sort = l.keyColumn(e, own.sort, k.literal())
	case len(own.sort) > 0:
		g.sort = l.keyColumn(e, own.sort, "")
	}
	for _, r := range own.refs() {
		g.readable = append(g.readable, r.key())
	}
	slices.Sort(g.readable)
	var native []ref
	for _, x := range indexes {
		g.id += "|" + x.id
		for _, r := range x.refs() {
			if !hasRef(native, r) && !(x.composite() && refIndex(partRefs(x.sort), r) >= 0) {
				native = append(native, r)
			}
		}
	}
	add := func(c column) {
		if c.name == g.partition.name || c.name == g.sort.name || slices.ContainsFunc(g.stored, func(d column) bool { return d.name == c.name }) {
			return
		}
		g.stored = append(g.stored, c)
	}
	for _, a := range e.Attributes {
		r := ref{from: e, attr: a}
		if g.tells(r.key()) && !hasRef(native, r) && !f.tested[a] {
			continue
		}
		add(l.refColumn(e, r))
	}
	for _, r := range native {
		if !r.local() {
			add(l.refColumn(e, r))
		}
	}
	for _, x := range indexes {
		for _, c := range l.indexColumns(g, x) {
			if x.sparse != nil {
				c.size = volume{fixed: float64(c.size.mean() * shareOf(e, x))}
			}
			add(c)
		}
	}
	for _, m := range k.embeds {
		add(l.embedColumn(m))
	}
	g.whole = g.item()
	return g
}

func refParts(rs []ref) []keyPart {
	ps := make([]keyPart, len(rs))
	for i, r := range rs {
		ps[i] = keyPart{ref: r}
	}
	return ps
}

// keyColumn is one attribute of a table's key: an attribute of the entity as it is, or a template.
func (l *laws) keyColumn(e *spec.Entity, parts []keyPart, literal string) column {
	if literal == "" && len(parts) == 1 && !parts[0].inverted {
		return l.refColumn(e, parts[0].ref)
	}
	name := partName(e)
	if literal == "" {
		name = compositeName(e, partRefs(parts))
	}
	size := volume{fixed: float64(len(name) + len(literal))}
	for i, p := range parts {
		if i > 0 || literal != "" {
			size.fixed++
		}
		size = size.plus(l.value(p.ref.owner(), textBytes(p.ref.attr)).flat(p.ref.owner() != e))
	}
	return column{name: name, size: size}
}

// flat averages a volume of another population.
func (v volume) flat(other bool) volume {
	if !other {
		return v
	}
	return volume{fixed: v.mean()}
}

// refColumn is an attribute stored under its own name, or the copy of one at the end of a path.
func (l *laws) refColumn(e *spec.Entity, r ref) column {
	c := column{name: wireName(e, r), key: r.key(), ref: r}
	size := l.value(r.owner(), r.attr.Bytes).flat(r.owner() != e)
	size.fixed += float64(len(c.name))
	if p := presence(r); p < 1 {
		size = volume{fixed: float64(p * size.mean())}
	}
	c.size = size
	return c
}

// presence is the share of entities that have a value.
func presence(r ref) float64 {
	p := r.attr.Present
	if !r.attr.Optional {
		p = 1
	}
	for _, h := range r.hops {
		if h.back {
			p *= min(1, h.way.PerParent.Average)
			continue
		}
		for _, a := range h.way.By {
			if a.Optional {
				p *= a.Present
			}
		}
	}
	return p
}

// Overheads of documents (CapacityUnitCalculations): a map or list has 3 bytes, and 1 for each element.
const (
	documentBytes = 3
	elementBytes  = 1
)

// embedColumn holds children inside their parent.
func (l *laws) embedColumn(m *embedding) column {
	w := m.way
	c := column{name: w.Inverse, key: wayColumn(w)}
	child := float64(documentBytes)
	for _, a := range w.From.Attributes {
		if m.told(a) {
			continue
		}
		one := float64(elementBytes+len(a.Name)) + a.Bytes.Average
		child += float64(one * presence(ref{from: w.From, attr: a}))
	}
	if m.by != nil {
		child += m.by.Bytes.Average
	}
	fixed := float64(len(c.name))
	if m.as == "value" {
		c.size = volume{fixed: float64(min(1, w.PerParent.Average) * (fixed + child))}
		return c
	}
	fixed += documentBytes
	child += elementBytes
	if w.PerParent.Max <= w.PerParent.Average {
		c.size = volume{fixed: fixed + float64(child*w.PerParent.Average)}
		return c
	}
	c.size = volume{fixed: fixed, terms: []term{{l.children(w), child}}}
	return c
}

// told reports whether an embedded child need not store an attribute: the parent or the key of the map tells it.
func (m *embedding) told(a *spec.Attribute) bool {
	if a == m.by || indexOf(m.way.By, a) >= 0 {
		return true
	}
	return a.Derived != nil && a.Derived.Func == "" && len(a.Derived.Path) > 1 && a.Derived.Path[0] == m.way.Name
}

// item is the volume of a whole item.
func (g *figure) item() volume {
	v := g.partition.size
	v.terms = slices.Clone(v.terms)
	if g.sort.name != "" {
		v = v.plus(g.sort.size)
	}
	for _, c := range g.stored {
		v = v.plus(c.size)
	}
	return v
}

// largest is the size of the largest item that the requirements allow, children at their largest too.
func (g *figure) largest() float64 {
	v := g.item().most()
	for _, m := range g.kind.embeds {
		for _, a := range m.way.From.Attributes {
			if !m.told(a) {
				v += float64(m.way.PerParent.Max * (a.Bytes.Max - a.Bytes.Average))
			}
		}
	}
	return v
}

// tells reports whether the key of the table tells a value.
func (g *figure) tells(key string) bool {
	_, ok := slices.BinarySearch(g.readable, key)
	return ok
}

// column finds a stored column by what needs call it.
func (g *figure) column(key string) (column, bool) {
	for _, c := range append([]column{g.partition, g.sort}, g.stored...) {
		if c.key == key && key != "" {
			return c, true
		}
	}
	return column{}, false
}
