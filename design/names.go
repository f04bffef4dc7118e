package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/spec"
)

// namer gives tables, indexes and items of one model their names.
type namer struct {
	req    *spec.Requirements
	tables map[*spec.Entity]string
	taken  map[string]bool
}

func newNamer(r *spec.Requirements) *namer {
	return &namer{req: r, tables: map[*spec.Entity]string{}, taken: map[string]bool{}}
}

// table is the name of the table of a root: the plural of the entity, or how the entity that its partition names calls
// what lies there, if no other way back has the same name: product to its sales, `Sales`.
func (n *namer) table(root *kind) string {
	e := root.entity
	if name := n.tables[e]; name != "" {
		return name
	}
	name := plural(e.Name)
	if n.inverses(lowerFirst(e.Name)) > 0 && !n.singular(e) {
		name = e.Name // what others call it is its own plural: inventory
	}
	if p := root.option.own.partition; len(p) == 1 && len(p[0].hops) == 0 && p[0].attr.Reference != nil {
		if w := p[0].attr.Reference; w.Inverse != "" && n.inverses(w.Inverse) == 1 {
			name = upperFirst(w.Inverse)
		}
	}
	n.tables[e] = n.unused(name)
	return n.tables[e]
}

// singular reports whether a way back calls an only child so.
func (n *namer) singular(e *spec.Entity) bool {
	return slices.ContainsFunc(e.There, func(w *spec.Relationship) bool { return w.Inverse == lowerFirst(e.Name) && single(w) })
}

func (n *namer) inverses(name string) int {
	count := 0
	for _, e := range n.req.Entities {
		for _, w := range e.There {
			if w.Inverse == name {
				count++
			}
		}
	}
	return count
}

// unused makes a name that DynamoDB takes and no other table has.
func (n *namer) unused(name string) string {
	name = plain(name)
	for len(name) < 3 {
		name += "-"
	}
	for i, base := 2, name; n.taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	n.taken[name] = true
	return name
}

// plain keeps what names of tables and indexes may have (a-z, A-Z, 0-9, _, -, .).
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		}
		return '_'
	}, s)
}

// plural is the English plural of an entity's name.
func plural(s string) string {
	switch {
	case s == "":
		return s
	case strings.HasSuffix(s, "y") && len(s) > 1 && !strings.ContainsRune("aeiou", rune(s[len(s)-2])):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	}
	return s + "s"
}

// indexNames names the indexes of one table: By and what the partition is made of, or Listed where a key is made of
// nothing; with the entity before it where the table holds several kinds and the name would not tell; with the sort
// parts behind it where two would be alike.
func indexNames(table *kind, xs []chosenIndex) []string {
	names := make([]string, len(xs))
	for i, x := range xs {
		names[i] = indexName(table, x.shape, false)
	}
	for i := range names {
		if slices.Index(names, names[i]) < i || slices.Contains(names[i+1:], names[i]) {
			names[i] = indexName(table, xs[i].shape, true)
		}
	}
	for i := range names {
		for k, base := 2, names[i]; slices.Contains(names[:i], names[i]); k++ {
			names[i] = base + strconv.Itoa(k)
		}
	}
	return names
}

func indexName(table *kind, x *indexShape, long bool) string {
	var b strings.Builder
	if x.entity != table.entity && refsKey(x.partition) != refsKey(identityRefs(x.entity)) {
		b.WriteString(plural(x.entity.Name))
	}
	b.WriteString(whileName(x.sparse, x.state))
	if len(x.partition)+len(x.sort) == 0 {
		return plain(b.String() + "Listed")
	}
	b.WriteString("By")
	for _, r := range x.partition {
		b.WriteString(upperFirst(shortName(r)))
	}
	if long || len(x.partition) == 0 || x.local {
		for _, p := range x.sort {
			b.WriteString(upperFirst(shortName(p.ref)))
		}
	}
	return plain(b.String())
}

// whileName is a condition on a state in the words of a name: Booked, NotPaid; "" of none.
func whileName(c spec.Condition, state *spec.Attribute) string {
	var b strings.Builder
	if c == nil {
		return ""
	}
	for t := range spec.Tests(c) {
		switch t.Op {
		case "absent":
			b.WriteString("Without" + upperFirst(state.Name))
		case "exists":
			b.WriteString("With" + upperFirst(state.Name))
		case "!=":
			b.WriteString("Not")
		default:
			if word := compares[t.Op]; word != "" {
				b.WriteString(upperFirst(state.Name) + word)
			}
		}
		for _, a := range t.Args {
			switch text := spec.ConstantText(a.Literal); {
			case a.Literal.Kind() != attr.KindBOOL:
				b.WriteString(upperFirst(camel(strings.FieldsFunc(text, notLetter)...)))
			case text == "true":
				b.WriteString(upperFirst(state.Name))
			default:
				b.WriteString("Not" + upperFirst(state.Name))
			}
		}
	}
	return b.String()
}

// compares are the words for comparisons with constants in the names of what passes them.
var compares = map[string]string{"<": "Below", "<=": "UpTo", ">": "Above", ">=": "From", "between": "Between", "begins_with": "Like", "contains": "With"}

func notLetter(r rune) bool { return r == '-' || r == '_' || r == ' ' || r == '.' }

// shortName is how people call a value: the way instead of its foreign key, a thing instead of its own id.
func shortName(r ref) string {
	if w := r.attr.Reference; w != nil && len(w.By) == 1 {
		return w.Name
	}
	return strings.TrimSuffix(r.attr.Name, "Id")
}

// markerName is the item that keeps attributes of an entity unique, leads from its identity to it, or lists it under
// values.
func markerName(e *spec.Entity, u []*spec.Attribute) string {
	s := e.Name
	if slices.Equal(u, e.Identity) {
		return s + "Place"
	}
	if lists := !slices.ContainsFunc(e.Identity, func(a *spec.Attribute) bool { return !slices.Contains(u, a) }); lists {
		by := slices.DeleteFunc(slices.Clone(u), func(a *spec.Attribute) bool { return slices.Contains(e.Identity, a) })
		if len(by) == 0 {
			by = u[:1]
		}
		s += "By"
		for _, a := range by {
			s += upperFirst(shortName(ref{from: e, attr: a}))
		}
		return s
	}
	for _, a := range u {
		s += upperFirst(a.Name)
	}
	return s
}

// markerName returns the name of the marker's item. Lists under the same values are named by what they list, or else by
// their order.
func (o *option) markerName(u []*spec.Attribute) string {
	name, r := markerName(o.entity, u), o.roster(u)
	if r == nil {
		return name
	}
	alike := slices.DeleteFunc(slices.Clone(o.rosters), func(x *roster) bool {
		return x == r || markerName(o.entity, x.of) != name
	})
	if len(alike) == 0 {
		return name
	}
	while := whileName(r.while, r.state)
	name = o.entity.Name + plain(while) + strings.TrimPrefix(name, o.entity.Name)
	if slices.ContainsFunc(alike, func(x *roster) bool { return whileName(x.while, x.state) == while }) {
		for _, p := range r.shape.sort {
			name += upperFirst(shortName(p.ref))
		}
	}
	return name
}

// asideName is the item that holds what is counted of an entity.
func asideName(a *spec.Attribute) string { return a.Entity.Name + upperFirst(a.Name) }

// sequenceName is the item that counts an attribute on.
func sequenceName(a *spec.Attribute) string { return a.Entity.Name + upperFirst(a.Name) }
