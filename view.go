package tablewright

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// view is the declaration of a smaller type that reads d's items: every attribute of it must be one of theirs, of the same
// type. Its projection is what it has, the key, and the time to live.
func (d *decl) view(typ reflect.Type) (*decl, error) {
	fields, err := attr.Fields(typ)
	if err != nil {
		return nil, err
	}
	v := &decl{table: d.table, name: d.name, typ: typ, fields: map[string]attr.StructField{}, key: d.key, wires: d.wires,
		parts: d.parts, shards: d.shards, source: d}
	for _, f := range fields {
		if f.Role == attr.RoleRest {
			continue
		}
		own, ok := d.fields[f.Name]
		if !ok {
			return nil, fmt.Errorf("%s has no attribute %s, which %s reads", d.typ, f.Name, typ)
		}
		if own.Kind != f.Kind && f.Kind != 0 {
			return nil, fmt.Errorf("%s is stored as %s in %s, and read as %s in %s", f.Name, own.Kind, d.typ, f.Kind, typ)
		}
		if own.Was != f.Was {
			return nil, fmt.Errorf("%s was %q in %s, and %q in %s: give it the same tag was in both, or one of them misses what stands under it", f.Name, own.Was, d.typ,
				f.Was, typ)
		}
		v.fields[f.Name] = f
	}
	v.renamed = renamed(typ, map[reflect.Type]bool{})
	names := map[string]bool{}
	for name, f := range v.fields {
		names[name] = true
		if f.Was != "" {
			names[f.Was] = true
		}
	}
	for _, w := range d.key {
		names[w.name] = true
	}
	if ttl := d.table.p.TTL; ttl != "" {
		names[ttl] = true
	}
	v.project = slices.Sorted(maps.Keys(names))
	return v, v.learnType()
}
