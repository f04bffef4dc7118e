package tablewright

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

var itemType = reflect.TypeFor[attr.Item]()

// Raw is the untyped way in: items and keys as they are stored, key templates unapplied, kinds not told apart. It is for
// tools and for repairs.
func (t *Table) Raw() *Entity[attr.Item, attr.Item] {
	d := &decl{table: t, name: "item", typ: itemType, alone: true}
	for _, name := range []string{t.p.Key.Partition, t.p.Key.Sort} {
		if name != "" {
			d.key = append(d.key, &column{name: name, deps: []attrPath{attrPath(name)}})
			d.parts = append(d.parts, attrPath(name))
		}
	}
	e := new(Entity[attr.Item, attr.Item])
	if err := d.attach(e.head()); err != nil {
		panic(err) // every table's key has parts
	}
	return e
}

// raw reports whether the declaration is of Raw.
func (d *decl) raw() bool { return d.typ == itemType }

// errNotKey says that an item given as a key has other attributes than these.
var errNotKey = errors.New("has other attributes than the table's key")

// rawKeyValues takes the parts of a key given as an item.
func rawKeyValues(paths []attrPath, key attr.Item, dst []attr.Value) error {
	if key.Len() != len(paths) {
		return errNotKey
	}
	for i, p := range paths {
		if dst[i] = key.Get(string(p)); dst[i].IsZero() {
			return fmt.Errorf("%s: %w", p, errNotKey)
		}
	}
	return nil
}

// keyOfRaw is the key of an untyped item.
func (d *decl) keyOfRaw(it attr.Item) (key attr.Item) {
	for _, w := range d.key {
		key.Set(w.name, it.Get(w.name))
	}
	return key
}

// keyNames are the attributes of the table's key.
func (d *decl) keyNames() []string {
	names := make([]string, len(d.key))
	for i, w := range d.key {
		names[i] = w.name
	}
	return names
}
