package design

import (
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// A projection is what an index holds besides keys: everything, nothing, or some columns.
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
	if g.kind.option.pack != nil {
		return projectAll // each entity is an attribute
	}
	var include []string
	for _, n := range need {
		if stored, ok := strings.CutPrefix(n, besideKey); ok {
			include = union(include, []string{stored})
		} else if !g.tells(n) && !x.tells(n) {
			include = union(include, []string{n})
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

// besideKey stands before a column that entries hold under its own name, though the key of the index tells its value.
const besideKey = "="

// remakes reports whether the sort key of an index holds a value in another form, such as a negated number, a rank,
// or a text that sorts absent values. The items hold the value itself as well.
func (x *indexShape) remakes(r ref) bool {
	i := refIndex(partRefs(x.sort), r)
	return i >= 0 && (x.sort[i].special() || x.sort[i].inverted) && !x.composite() && !hasRef(x.partition, r)
}

// beside are the columns that entries hold beside such a key, for a filter that tests some values.
func (x *indexShape) beside(tested []ref) (out []string) {
	for _, r := range tested {
		if x != nil && x.remakes(r) {
			out = append(out, besideKey+r.key())
		}
	}
	return out
}

// indexColumns are the attributes of an index's key, partition before sort: stored ones, copies, and what is made for
// it alone.
func indexColumns(k *kind, x *indexShape) (partition, sort []column) {
	for i, r := range x.partition {
		if i == 0 && x.apart && !x.local {
			partition = append(partition, column{name: apartName(k, r)})
			continue
		}
		partition = append(partition, partColumn(k, keyPart{ref: r}, true))
	}
	if x.marked() {
		partition = append(partition, markColumn(x))
	}
	if x.shards > 1 {
		partition = append(partition, shardColumn(x))
	}
	switch {
	case x.composite():
		sort = append(sort, compositeColumn(k, x))
	default:
		for _, p := range x.sort {
			sort = append(sort, partColumn(k, p, false))
		}
	}
	return partition, sort
}

// partColumn is one attribute of an index's key: what is stored, or what is made for the index where that would not
// sort as it should, or would be missing.
func partColumn(k *kind, p keyPart, partition bool) column {
	if k.option.pack != nil && p.ref.attr == k.option.pack.by {
		return k.periodColumn()
	}
	if !p.special() && !p.inverted || partition && p.ref.attr.Type != spec.Bool {
		return refColumn(k, p.ref)
	}
	c := column{name: specialName(k, p), template: partTemplate(p)}
	if p.negated() || c.template.Else != "" && p.ref.attr.Type == spec.Number {
		c.wire = plan.N
	}
	return c
}

// composite reports whether the sort parts lie in one attribute of their own: that of an LSI. A global index has an
// attribute for each, so that an update which changes one of them need not know the others.
func (x *indexShape) composite() bool {
	return x.local && (len(x.sort) > 1 || x.apart || x.sparse != nil)
}

// compositeColumn is that attribute. That of a sparse index is named after its condition: another condition has another
// attribute.
func compositeColumn(k *kind, x *indexShape) column {
	names, parts := []string{apartName(k, x.sort[0].ref)}, x.sort[1:]
	if x.sparse != nil {
		names, parts = markNames(x), x.sort
	}
	for _, p := range parts {
		names = append(names, wireName(k, p.ref))
	}
	if x.sparse == nil {
		return column{name: camel(names...)}
	}
	return column{name: unusedName(k.entity, camel(names...))}
}

// compositeTemplate writes it.
func compositeTemplate(x *indexShape) plan.Template {
	t := plan.Template{Value: template(x.sort)}
	if x.sparse != nil {
		t.Value, t.When = templateBeside(x.sort), x.sparse.String()
	}
	return t
}

// names reports whether an index's key names a value as it is stored.
func (x *indexShape) names(r ref) bool {
	if i := refIndex(x.partition, r); i >= 0 {
		return r.attr.Type != spec.Bool && (i > 0 || !x.apart || x.local)
	}
	if i := refIndex(partRefs(x.sort), r); i >= 0 && (x.sort[i].special() || x.sort[i].inverted) {
		return false
	}
	return !x.composite()
}

// apartName is an attribute that only the items of one kind have, because items of another kind in the table would
// otherwise be in the index as well.
func apartName(k *kind, r ref) string {
	return unusedName(k.entity, camel(lowerFirst(k.entity.Name), wireName(k, r)))
}

// markValue says of an item that it is in a sparse index.
const markValue = "y"

func markColumn(x *indexShape) column {
	return column{name: unusedName(x.entity, camel(append(markNames(x), "listed")...))}
}

// markNames say which items an index holds: another condition has other names.
func markNames(x *indexShape) []string {
	names := []string{lowerFirst(x.entity.Name)}
	if x.sparse == nil {
		return append(names, "all")
	}
	names = append(names, x.state.Name)
	for t := range spec.Tests(x.sparse) {
		switch word := compares[t.Op]; {
		case word != "":
			names = append(names, word)
		case t.Op != "=" && t.Op != "in" && t.Op != "exists":
			names = append(names, "not")
		}
		for _, v := range t.Args {
			names = append(names, strings.FieldsFunc(spec.ConstantText(v.Literal), notLetter)...)
		}
	}
	return names
}

func shardColumn(x *indexShape) column {
	return column{name: unusedName(x.entity, camel(lowerFirst(x.entity.Name), "shard"))}
}
