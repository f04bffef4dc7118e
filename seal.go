package tablewright

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
)

// boundIndex is an Index field of a declared struct: which range of which key its queries read at most.
type boundIndex struct {
	x     *access
	d     *decl
	field string
	with  []string // other kinds that may lie in the range, by the tag `with`
}

// gathering is a Collection: which kinds it reads of which partitions.
type gathering struct {
	typ   reflect.Type
	x     *access
	kinds []*decl
	rest  bool // it has a field for all others
}

// gather notes a collection, to be checked when the table is sealed; at once if it is already.
func (t *Table) gather(typ reflect.Type, x *access, fields []collected) error {
	g := gathering{typ: typ, x: x}
	for _, f := range fields {
		if f.d == nil {
			g.rest = true
		} else {
			g.kinds = append(g.kinds, f.d)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sealed {
		return t.complete(g)
	}
	t.gathers = append(t.gathers, g)
	return nil
}

// check is what Seal does.
func (t *Table) check() error {
	refuse := func(err error) error {
		return &Error{Table: t.p.Name, kinds: []error{ErrInvalid}, cause: err}
	}
	for _, name := range t.keyAttributes() {
		if t.typeOf(name) == "" {
			return refuse(fmt.Errorf("no item of the table says which type the key attribute %s has: state it in Attributes", name))
		}
	}
	kinds := slices.Clone(t.decls)
	for _, m := range t.markers {
		kinds = append(kinds, &decl{table: t, name: m.name, key: m.columns})
	}
	for i, a := range kinds {
		for _, b := range kinds[:i] {
			if !apart(a, b) {
				return refuse(fmt.Errorf("an item of %s can have the key of an item of %s (%s; %s): their templates need different literals, such as %s#{…} and %s#{…}",
					a.name, b.name, shownKey(a), shownKey(b), strings.ToLower(a.name), strings.ToLower(b.name)))
			}
		}
	}
	for _, r := range t.reads {
		for _, other := range kinds {
			if other == r.d || slices.Contains(r.with, other.name) || !r.x.reaches(other) || t.gathered(r.x, r.d, other) {
				continue
			}
			return refuse(fmt.Errorf("queries of %s, field %s, also read items of %s, which are dropped after they were paid for: let the templates of %s "+
				"begin with different text in the two kinds, read both kinds with a NewCollection, or accept it with the tag `with:%q`",
				r.d.name, r.field, other.name, strings.Join(r.x.names(), " and "), other.name))
		}
		for _, name := range r.with {
			if !slices.ContainsFunc(kinds, func(d *decl) bool { return d.name == name }) {
				return refuse(fmt.Errorf("the tag with of %s of %s lists %s, which is no kind of item of the table", r.field, r.d.name, name))
			}
		}
	}
	for _, g := range t.gathers {
		if err := t.complete(g); err != nil {
			return refuse(err)
		}
	}
	for _, d := range t.decls {
		d.alone = len(t.decls) == 1 && len(t.p.Items) == 0
	}
	return nil
}

// shownKey is the key of a kind of item as it is declared.
func shownKey(d *decl) string {
	var parts []string
	for _, w := range d.key {
		text := "the attribute itself"
		if !w.native() {
			text = w.tmpl.text
		}
		parts = append(parts, w.name+" "+text)
	}
	return strings.Join(parts, ", ")
}

// complete reports an error unless a collection has a place for every declared kind in its partitions.
func (t *Table) complete(g gathering) error {
	if g.rest {
		return nil
	}
	for _, d := range t.decls {
		if !slices.Contains(g.kinds, d) && g.x.partitionReaches(d) {
			return fmt.Errorf("collection %s: items of %s lie in its partitions, too: give it a field of type []%s, or []attr.Item for all others",
				g.typ, d.name, d.typ)
		}
	}
	return nil
}

// gathered reports whether a collection of the index reads both kinds: then that both lie there is meant.
func (t *Table) gathered(x *access, a, b *decl) bool {
	return slices.ContainsFunc(t.gathers, func(g gathering) bool {
		return g.x.index == x.index && slices.Contains(g.kinds, a) && (slices.Contains(g.kinds, b) || g.rest)
	})
}

// names are the attributes of the key.
func (x *access) names() (names []string) {
	for _, w := range slices.Concat(x.partition, x.sort) {
		names = append(names, w.name)
	}
	return names
}

// partitionReaches reports whether an item of d can lie in a partition that x reads.
func (x *access) partitionReaches(d *decl) bool {
	for _, w := range x.partition {
		if other := d.column(w.name); other != nil && !w.native() && !other.native() && differ(w.tmpl, other.tmpl) {
			return false
		}
	}
	return x.indexes(d)
}

// indexes reports whether items of d can be in an index: it has only those with all of its attributes.
func (x *access) indexes(d *decl) bool {
	for _, w := range x.partition {
		if other := d.column(w.name); other == nil || other.typ != w.typ {
			return false
		}
	}
	for _, w := range x.sort {
		if d.column(w.name) == nil {
			return false
		}
	}
	return true
}

// reaches reports whether a query of x that binds nothing but the partition can meet an item of d.
func (x *access) reaches(d *decl) bool {
	if !x.partitionReaches(d) {
		return false
	}
	for _, w := range x.sort {
		other := d.column(w.name)
		if w.native() || w.typ != plan.S {
			return true
		}
		prefix := w.tmpl.literals[0]
		if len(w.tmpl.parts) == 0 { // bound to be equal: what follows is narrowed, too
			if !other.native() && differ(w.tmpl, other.tmpl) {
				return false
			}
			continue
		}
		return other.native() || other.tmpl.mayBegin(prefix)
	}
	return true
}

// mayBegin reports whether a text of the template can begin with prefix.
func (t *template) mayBegin(prefix string) bool {
	first := t.literals[0]
	switch {
	case strings.HasPrefix(first, prefix):
		return true
	case !strings.HasPrefix(prefix, first) || len(t.parts) == 0:
		return false
	}
	return !partRefuses(t.parts[0], prefix[len(first):], t.literals[1])
}
