package tablewright

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/schema"
)

// Kind is a declared kind of items, its Go type unknown when compiling: for tools that load, sort and show items of any
// table.
type Kind struct{ d *decl }

// Kinds are the kinds of items that were declared, in the order of their declaration.
func (t *Table) Kinds() []Kind {
	t.mu.Lock()
	defer t.mu.Unlock()
	kinds := make([]Kind, len(t.decls))
	for i, d := range t.decls {
		kinds[i] = Kind{d}
	}
	return slices.Clip(kinds)
}

// Name is the declared name.
func (k Kind) Name() string { return k.d.name }

// Type is the Go type of the items.
func (k Kind) Type() reflect.Type { return k.d.typ }

// Shape is what items of this kind must be; see [View.Schema].
func (k Kind) Shape() *schema.Shape { return k.d.shape }

// Holds reports whether an item, or its key, is of this kind; see [View.Holds].
func (k Kind) Holds(stored []byte) bool {
	return k.d.table.Seal() == nil && k.d.holds(stored)
}

// Decode reads an item: a value of Type; see [View.Decode].
func (k Kind) Decode(stored []byte) (any, error) {
	if err := k.d.table.Seal(); err != nil {
		return nil, err
	}
	return k.d.decodeNew(nil, stored)
}

// Encode makes an item as the table has it, of a pointer to a value of Type; see [Entity.Encode].
func (k Kind) Encode(item any) ([]byte, error) {
	if t := reflect.TypeOf(item); t == nil || t.Kind() != reflect.Pointer || t.Elem() != k.d.typ {
		return nil, fmt.Errorf("tablewright: an item of %s is given as a *%s, not as %v", k.d.name, k.d.typ, t)
	}
	own := reflect.New(k.d.typ).Elem()
	own.Set(reflect.ValueOf(item).Elem())
	return k.d.encoded(own)
}
