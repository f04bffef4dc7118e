package tablewright

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// While an attribute is renamed on the wire (the tag was=NAME), items have it under the one name or the other: under the
// new one, it counts; else under the one before. Reads see to that where they decode; here is what else has to.

// renamed reports whether an attribute of typ, or something inside one, has a name it had before.
func renamed(typ reflect.Type, seen map[reflect.Type]bool) bool {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array || typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	if seen[typ] {
		return false
	}
	seen[typ] = true
	fields, err := attr.Fields(typ)
	return err == nil && slices.ContainsFunc(fields, func(f attr.StructField) bool { return f.Was != "" || renamed(f.Type, seen) })
}

// bothNames is a condition that sees attributes under either name. A whole map is compared with all its names, which a
// condition cannot do for both: that is refused.
func (d *decl) bothNames(c *expr.Condition) (*expr.Condition, error) {
	if !d.renamed {
		return c, nil
	}
	for _, p := range c.Compared() {
		if typ, ok := d.typeAt(p); ok && renamed(typ, map[reflect.Type]bool{}) {
			return nil, fmt.Errorf("%s: attributes inside were renamed, and a condition on the whole would see one of both names: compare what is inside", p)
		}
	}
	return c.Renamed(d.alias), nil
}

// typeAt is the Go type of what is at a path.
func (d *decl) typeAt(p expr.Path) (typ reflect.Type, ok bool) {
	typ, ok = d.typ, true
	for i := 0; i < p.Len() && ok; i++ {
		name, _ := p.Step(i)
		_, typ, ok = inside(typ, name)
	}
	return typ, ok
}

// inside is the field of a struct, or the element of a list or map, and its type.
func inside(typ reflect.Type, name string) (f attr.StructField, of reflect.Type, ok bool) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch typ.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return f, typ.Elem(), true
	}
	fields, err := attr.Fields(typ)
	if err != nil {
		return f, nil, false
	}
	i := slices.IndexFunc(fields, func(f attr.StructField) bool { return f.Name == name && f.Role != attr.RoleRest })
	if i < 0 {
		return f, nil, false
	}
	return fields[i], fields[i].Type, true
}

// alias finds the next step of a path that had another name.
func (d *decl) alias(p expr.Path, from int) (at int, was string, ok bool) {
	typ := d.typ
	for i := range p.Len() {
		name, _ := p.Step(i)
		f, of, ok := inside(typ, name)
		if !ok {
			return 0, "", false
		}
		if i >= from && f.Was != "" {
			return i, f.Was, true
		}
		typ = of
	}
	return 0, "", false
}

// stands finds an attribute in an item under the name that it has there.
func (d *decl) stands(item []byte, name string) (attr.Value, bool) {
	v, ok := attr.Lookup(item, name)
	if was := d.fields[name].Was; !ok && was != "" {
		return attr.Lookup(item, was)
	}
	return v, ok
}

// count is the action that adds 1 to the version, under whichever name it stands; if it had another, it leaves that one.
func (c *updateCall) count(changes []expr.Change, name string) ([]expr.Change, error) {
	one := attr.Num(attr.Int(1))
	path, was := expr.Name(name), c.key.d.fields[name].Was
	switch {
	case was == "":
		return append(changes, expr.Add(path, one)), nil
	case c.upsert:
		return changes, fmt.Errorf("%s may still stand under %s, its name before, and an upsert cannot tell that from an item which is not there: Put or Update it", name, was)
	}
	now := expr.IfNotExists(path, expr.Name(was))
	return append(changes, expr.Set(path, expr.Plus(now, expr.Literal(one))), expr.Remove(expr.Name(was))), nil
}

// leaves appends the action that removes the name which an attribute had before.
func (c *updateCall) leaves(changes []expr.Change, name string) []expr.Change {
	if was := c.key.d.fields[name].Was; was != "" {
		changes = append(changes, expr.Remove(expr.Name(was)))
	}
	return changes
}
