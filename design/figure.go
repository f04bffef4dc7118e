package design

import (
	"github.com/tablewright/tablewright/plan"
	"slices"
)

// A column is a wire attribute of the items of a kind.
type column struct {
	name string // on the wire
	key  string // what needs call it: the path of a ref, or a way of embedded children
	ref  ref    // of a stored attribute or copy

	template plan.Template // of an attribute that is made for an index
	wire     plan.Type     // of it; "" is a text
}

// figure is the physical form of a kind in a configuration: its columns, given the indexes on it, which need values to
// stand on their own.
type figure struct {
	kind      *kind
	indexes   []*indexShape
	copies    []ref // that reads want
	partition column
	sort      column // without name: none
	stored    []column
	stamp     string   // the attribute that tells what has come since the item was read; "": none
	readable  []string // keys of values that the table's key tells, sorted
	id        string   // canonical
	number    int      // short for id
}

// figureOf lays a kind out.
func (f *facts) figureOf(k *kind, indexes []*indexShape, copies []ref, stamped bool) *figure {
	e, own := k.entity, k.option.own
	g := &figure{kind: k, indexes: indexes, copies: copies, id: figureID(k, indexes, copies, stamped)}
	g.partition = keyColumn(k, refParts(own.partition))
	if own.shards > 1 {
		g.partition = column{name: compositeName(k, own.partition, "shard")}
	}
	if name := partitionName(k.table); k.table != e && g.partition.name != name {
		g.partition = column{name: name}
	}
	switch {
	case k.mixed:
		g.sort = column{name: f.part}
	case k.option.pack != nil:
		g.sort = k.periodColumn()
	case len(own.sort) > 0:
		g.sort = keyColumn(k, own.sort)
	}
	for _, r := range own.refs() {
		g.readable = append(g.readable, r.key())
	}
	slices.Sort(g.readable)
	var native []ref
	for _, x := range indexes {
		for _, r := range x.refs() {
			if !hasRef(native, r) && (x.names(r) || !r.local() && !f.fixed(r)) {
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
		if r := (ref{from: e, attr: a}).canonical(); k.option.apart(a) || k.option.parted(a) || !r.local() || a.Last() {
			continue
		}
		r := ref{from: e, attr: a}
		if g.tells(r.key()) && (!hasRef(native, r) && !f.tested[a] || k.option.pack != nil) {
			continue
		}
		add(refColumn(k, r))
	}
	for _, r := range native {
		if !r.local() {
			add(refColumn(k, r))
		}
	}
	for _, x := range indexes {
		partition, sort := indexColumns(k, x)
		for _, c := range slices.Concat(partition, sort) {
			add(c)
		}
	}
	if e.Expires != nil || e.Kept != nil {
		add(column{name: ttlName(e)})
	}
	for _, m := range k.embeds {
		add(column{name: m.way.Inverse, key: wayColumn(m.way)})
	}
	if stamped {
		g.stamp = unusedName(e, "stamp")
		add(column{name: g.stamp})
	}
	for _, r := range copies {
		if slices.ContainsFunc(g.stored, func(d column) bool { return d.key == r.key() }) {
			continue
		}
		c := refColumn(k, r)
		if c.name == g.partition.name || c.name == g.sort.name || slices.ContainsFunc(g.stored, func(d column) bool { return d.name == c.name }) {
			c.name = unusedName(e, camel(r.path()...))
		}
		add(c)
	}
	return g
}

// figureID is the canonical text of a kind with some indexes on it and some copies in it.
func figureID(k *kind, indexes []*indexShape, copies []ref, stamped bool) string {
	id := k.id
	if stamped {
		id += "|stamped"
	}
	for _, x := range indexes {
		id += "|" + x.id
	}
	for _, r := range copies {
		id += "|copy " + r.key()
	}
	return id
}

func refParts(rs []ref) []keyPart {
	ps := make([]keyPart, len(rs))
	for i, r := range rs {
		ps[i] = keyPart{ref: r}
	}
	return ps
}

// keyColumn is one attribute of a key: a value as it is stored, or several one after another.
func keyColumn(k *kind, parts []keyPart) column {
	if len(parts) == 1 && !parts[0].inverted {
		return refColumn(k, parts[0].ref)
	}
	return column{name: compositeName(k, partRefs(parts))}
}

// refColumn is an attribute stored under its own name, or the copy of one at the end of a path.
func refColumn(k *kind, r ref) column { return column{name: wireName(k, r), key: r.key(), ref: r} }

// tells reports whether the key of the table tells a value.
func (g *figure) tells(key string) bool {
	_, ok := slices.BinarySearch(g.readable, key)
	return ok
}
