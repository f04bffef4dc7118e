package tablewright

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Partial applies a struct P of attr.Opt fields to an item: what is absent is left, null removes, a value sets. It is for
// input that tells these apart, such as the body of an HTTP PATCH. It is a field of a declared struct; the attributes of P
// are bound to T's by their names, and must have their types and tags. They are neither parts of the key nor version,
// created or updated.
type Partial[K, T, P any] struct {
	d     *decl
	names []string // of P's attributes
}

func (p *Partial[K, T, P]) bindPartial(d *decl) (err error) {
	p.names, err = partialNames(d, reflect.TypeFor[K](), reflect.TypeFor[T](), reflect.TypeFor[P]())
	p.d = d
	return err
}

// partialNames are the attributes of change, a struct of Opts, that it changes in items of d.
func partialNames(d *decl, key, item, change reflect.Type) (names []string, err error) {
	if item != d.typ {
		return nil, fmt.Errorf("changes a %s, not a %s", item, d.typ)
	}
	if d.bound.typ != key {
		return nil, fmt.Errorf("the key of %s is no %s", d.typ, key)
	}
	fields, err := attr.Fields(change)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		own, ok := d.fields[f.Name]
		switch {
		case !ok:
			return nil, fmt.Errorf("%s has no attribute %s, which %s changes", d.typ, f.Name, change)
		case !isOpt(f.Type):
			return nil, fmt.Errorf("%s of %s is %s: only an attr.Opt tells absent, null and a value apart", f.Go, change, f.Type)
		case !f.Alike(own):
			return nil, fmt.Errorf("%s is %s in %s, and %s with another type or tag in %s", f.Name, own.Type, d.typ, f.Type, change)
		case own.Role != attr.RoleNone:
			return nil, fmt.Errorf("%s of %s is kept by the client and not changed by callers", f.Name, d.typ)
		case slices.ContainsFunc(d.parts, func(part attrPath) bool { return part.top() == f.Name }):
			return nil, fmt.Errorf("%s is a part of the key of %s and does not change", f.Name, d.typ)
		}
		names = append(names, f.Name)
	}
	return names, nil
}

// isOpt reports whether t is an attr.Opt.
func isOpt(t reflect.Type) bool {
	opt := reflect.TypeFor[attr.Opt[int]]()
	return t.PkgPath() == opt.PkgPath() && len(t.Name()) > len("Opt[") && t.Name()[:len("Opt[")] == "Opt["
}

// partialField is a Partial: a field of a declared struct.
type partialField interface{ bindPartial(d *decl) error }

// Patch is the update that applies change to the item with a key. With nothing to change it still asks whether the item is
// there and meets the conditions, and leaves its version as it is.
func (p *Partial[K, T, P]) Patch(key K, change P) Update[T] {
	it, err := attr.MarshalItem(&change)
	u := updateOf(p.d, key, partialEdits(p.d, p.names, it))
	u.err = err
	return Update[T]{u}
}

// partialEdits are the changes that a partial item makes.
func partialEdits(d *decl, names []string, it attr.Item) (edits []edit) {
	for _, name := range names {
		v := it.Get(name)
		if v.IsZero() {
			continue
		}
		at := []step{{name, -1}}
		e := edit{do: doSet, n: &node{decl: d, at: at, path: pathOf(at)}, v: v}
		if v.Kind() == attr.KindNULL {
			e.do, e.v = doRemove, attr.Value{}
		}
		edits = append(edits, e)
	}
	return edits
}
