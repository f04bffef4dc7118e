package design

import (
	"slices"

	"github.com/tablewright/tablewright/internal/dist"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A column is a wire attribute of the items of a kind, with what it holds.
type column struct {
	name string // on the wire
	key  string // what needs call it: the path of a ref, or a way of embedded children
	size volume // name and value, averaged over items that lack it
	ref  ref    // of a stored attribute or copy

	template plan.Template // of an attribute that is made for an index
	wire     plan.Type     // of it; "" is a text
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
	size      *sized   // the same, with what tells it apart
	read      string   // what reading its items depends on
}

// figureOf lays a kind out.
func (l *laws) figureOf(f *facts, k *kind, indexes []*indexShape) *figure {
	e, own := k.entity, k.option.own
	g := &figure{kind: k, id: k.id}
	g.partition = l.keyColumn(k, refParts(own.partition))
	if own.shards > 1 {
		g.partition = l.templateColumn(k, compositeName(k, own.partition, "shard"), refParts(own.partition), "")
		g.partition.size.fixed += float64(1 + len(shardText(own.shards-1)))
	}
	if name := partitionName(k.table); k.table != e && g.partition.name != name {
		g.partition = l.templateColumn(k, name, refParts(own.partition), "")
	}
	switch {
	case k.mixed:
		g.sort = l.templateColumn(k, f.part, own.sort, k.literal())
	case len(own.sort) > 0:
		g.sort = l.keyColumn(k, own.sort)
	}
	for _, r := range own.refs() {
		g.readable = append(g.readable, r.key())
	}
	slices.Sort(g.readable)
	var native []ref
	for _, x := range indexes {
		g.id += "|" + x.id
		for _, r := range x.refs() {
			if !hasRef(native, r) && x.names(r) {
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
		if k.option.apart(a) {
			continue
		}
		if g.tells(r.key()) && !hasRef(native, r) && !f.tested[a] {
			continue
		}
		add(l.refColumn(k, r))
	}
	for _, r := range native {
		if !r.local() {
			add(l.refColumn(k, r))
		}
	}
	for _, x := range indexes {
		partition, sort := l.indexColumns(k, x)
		for _, c := range slices.Concat(partition, sort) {
			if x.sparse != nil && c.name == markColumn(x).name {
				c.size.fixed *= shareOf(e, x)
			}
			add(c)
		}
	}
	if e.Kept != nil {
		add(column{name: ttlName(e), size: volume{fixed: float64(len(ttlName(e)) + epochBytes)}})
	}
	if x := e.Expires; x != nil {
		share := presence(x)
		add(column{name: ttlName(e), size: volume{fixed: float64(share * float64(len(ttlName(e))+epochBytes))}})
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

// keyColumn is one attribute of a key: a value as it is stored, or several one after another.
func (l *laws) keyColumn(k *kind, parts []keyPart) column {
	if len(parts) == 1 && !parts[0].inverted {
		return l.refColumn(k, parts[0].ref)
	}
	return l.templateColumn(k, compositeName(k, partRefs(parts)), parts, "")
}

// templateColumn is an attribute that a template builds: a literal, then values.
func (l *laws) templateColumn(k *kind, name string, parts []keyPart, literal string) column {
	size := spec.Size{Average: float64(len(literal)), Max: float64(len(literal))}
	for i, p := range parts {
		if i > 0 || literal != "" {
			size.Average++
			size.Max++
		}
		t := textBytes(p.ref.attr)
		if literal == "" && len(parts) == 1 && !p.inverted {
			t = p.ref.attr.Bytes
		}
		size.Average += t.Average
		size.Max += t.Max
	}
	v := l.value(k.entity, size)
	v.fixed += float64(len(name))
	return column{name: name, size: v}
}

// refColumn is an attribute stored under its own name, or the copy of one at the end of a path.
func (l *laws) refColumn(k *kind, r ref) column {
	c := column{name: wireName(k, r), key: r.key(), ref: r}
	if share := presence(r.attr); share < 1 {
		c.size.fixed = float64(share * (float64(len(c.name)) + r.attr.Bytes.Average))
	} else {
		c.size = l.value(k.entity, r.attr.Bytes)
		c.size.fixed += float64(len(c.name))
	}
	return c
}

// presence is the share of entities that have an attribute.
func presence(a *spec.Attribute) float64 {
	if !a.Optional {
		return 1
	}
	return a.Present
}

// Overheads of documents (CapacityUnitCalculations): a map or list has 3 bytes, and 1 for each element.
const (
	documentBytes = 3
	elementBytes  = 1
)

// epochBytes are what seconds since 1970 take as a number of ten digits.
const epochBytes = 6

// embedColumn holds children inside their parent.
func (l *laws) embedColumn(m *embedding) column {
	w := m.way
	c := column{name: w.Inverse, key: wayColumn(w)}
	child := volume{fixed: documentBytes, pick: dist.Uniform(membersOf(w.From.Count), 1)}
	for _, a := range w.From.Attributes {
		if m.told(a) {
			continue
		}
		share := presence(a)
		child.fixed += float64(share * float64(elementBytes+len(a.Name)))
		if a.Bytes.Max > a.Bytes.Average && share == 1 {
			child = child.plus(l.value(w.From, a.Bytes))
		} else {
			child.fixed += float64(share * a.Bytes.Average)
		}
	}
	count := l.children(w)
	c.size.fixed = float64(len(c.name))
	switch m.as {
	case "value":
		if count.Mean() >= 1 {
			c.size.fixed += child.mean()
			c.size.slack = child.most() - child.mean()
			return c
		}
	case "map":
		child.fixed += elementBytes + m.by.Bytes.Average
		c.size.fixed += documentBytes
	default:
		child.fixed += elementBytes
		c.size.fixed += documentBytes
	}
	c.size.inside = []brood{{w, count, dist.CoarseSums(child.dist(), samples), child.mean(), child.most()}}
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
	v.pick = dist.Uniform(membersOf(g.kind.entity.Count), 1)
	if g.sort.name != "" {
		v = v.plus(g.sort.size)
	}
	for _, c := range g.stored {
		v = v.plus(c.size)
	}
	return v
}

// tells reports whether the key of the table tells a value.
func (g *figure) tells(key string) bool {
	_, ok := slices.BinarySearch(g.readable, key)
	return ok
}
