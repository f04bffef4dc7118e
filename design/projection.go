package design

import (
	"slices"
	"strings"
)

// A projection is what an index holds besides keys (rule R11): everything, nothing, or some columns.
type projection struct {
	all     bool
	include []string // needs, sorted; none: keys only
	name    string   // canonical
}

var keysOnly = projection{name: "keys"}
var projectAll = projection{all: true, name: "all"}

// serves reports whether entries have the columns that a plan needs.
func (p projection) serves(need []string) bool { return p.all || containsAll(p.include, need) }

// projectionOf is the projection of some needs: all if nothing else is stored, keys if the keys tell them.
func projectionOf(g *figure, x *indexShape, need []string) projection {
	var include []string
	for _, n := range need {
		if !g.tells(n) && !x.tells(n) {
			include = append(include, n)
		}
	}
	if len(include) == 0 {
		return keysOnly
	}
	for _, c := range g.stored {
		if !slices.Contains(include, c.key) && !x.tells(c.key) {
			return projection{include: include, name: strings.Join(include, ",")}
		}
	}
	return projectAll
}

// tells reports whether the key of an index holds a value.
func (x *indexShape) tells(key string) bool {
	is := func(r ref) bool { return r.key() == key }
	return slices.ContainsFunc(x.partition, is) || slices.ContainsFunc(x.sort, func(p keyPart) bool { return is(p.ref) })
}

// entry is the volume of the entries of an index.
func (l *laws) entry(g *figure, x *indexShape, p projection) volume {
	v := g.partition.size
	v.pick = g.whole.pick
	names := []string{g.partition.name}
	add := func(c column) {
		if c.name != "" && !slices.Contains(names, c.name) {
			names = append(names, c.name)
			v = v.plus(c.size)
		}
	}
	add(g.sort)
	for _, c := range l.indexColumns(g, x) {
		add(c)
	}
	for _, c := range g.stored {
		if p.all || slices.Contains(p.include, c.key) {
			add(c)
		}
	}
	return v
}

// indexColumns are the attributes of an index's key: stored ones, copies, and what is made for it alone.
func (l *laws) indexColumns(g *figure, x *indexShape) []column {
	var out []column
	for _, r := range x.partition {
		out = append(out, l.refColumn(x.entity, r))
	}
	if x.sparse != nil {
		out = append(out, markColumn(x))
	}
	if x.shards > 0 {
		out = append(out, shardColumn(x))
	}
	if x.composite() {
		return append(out, l.keyColumn(x.entity, x.sort, "").renamed(x))
	}
	for _, p := range x.sort {
		out = append(out, l.refColumn(x.entity, p.ref))
	}
	return out
}

// composite reports whether the sort parts lie in one attribute: that of an LSI, and where directions are mixed.
func (x *indexShape) composite() bool {
	if x.local {
		return len(x.sort) > 1
	}
	return slices.ContainsFunc(x.sort, func(p keyPart) bool { return p.inverted })
}

// renamed keeps the composite apart from one of the table's key that is made of the same values.
func (c column) renamed(x *indexShape) column {
	if strings.HasPrefix(template(x.sort), "{") && len(x.sort) == 1 && !x.sort[0].inverted {
		return c
	}
	c.size.fixed += float64(len("Order"))
	c.name += "Order"
	return c
}

// markValue says of an item that it is in a sparse index.
const markValue = "y"

func markColumn(x *indexShape) column {
	name := unusedName(x.entity, camel(x.state.Name, "listed"))
	return column{name: name, size: volume{fixed: float64(len(name) + len(markValue))}}
}

func shardColumn(x *indexShape) column {
	name := unusedName(x.entity, "shard")
	return column{name: name, size: volume{fixed: float64(len(name) + len(shardText(x.shards-1)))}}
}

// shardText is how a shard is written: a number, padded to the width of the largest.
func shardText(largest int) string {
	s := ""
	for largest > 0 {
		s += "0"
		largest /= 10
	}
	return max(s, "0")
}
