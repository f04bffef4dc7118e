package attr

import (
	"iter"
	"slices"
)

// Field is one attribute of an item or map: a name and a value.
type Field struct {
	Name  string
	Value Value
}

// Item is a whole item, or the content of a map: attributes by name, kept sorted by the bytes of their names so that
// everything printed from it is deterministic. The zero Item is empty and ready to use. Copying an Item shares its
// attributes; use Clone before changing a copy.
type Item struct{ fields []Field }

// ItemOf makes an item of fields; of several with one name the last counts.
func ItemOf(fields ...Field) Item {
	var it Item
	it.fields = make([]Field, 0, len(fields))
	for _, f := range fields {
		it.Set(f.Name, f.Value)
	}
	return it
}

// find is the place of an attribute, and whether it is there. Most items have few attributes: halving by hand, without a
// function value, is worth it.
func (it Item) find(name string) (int, bool) {
	low, high := 0, len(it.fields)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if it.fields[middle].Name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(it.fields) && it.fields[low].Name == name
}

// Get is the value of an attribute; the zero Value if there is none.
func (it Item) Get(name string) Value {
	if i, ok := it.find(name); ok {
		return it.fields[i].Value
	}
	return Value{}
}

// Has reports whether the item has the attribute.
func (it Item) Has(name string) bool {
	_, ok := it.find(name)
	return ok
}

// Set puts an attribute in place. A zero Value removes it.
func (it *Item) Set(name string, v Value) {
	if v.IsZero() {
		it.Remove(name)
		return
	}
	i, ok := it.find(name)
	if ok {
		it.fields[i].Value = v
		return
	}
	it.fields = slices.Insert(it.fields, i, Field{name, v})
}

// Remove drops an attribute; no matter if there is none.
func (it *Item) Remove(name string) {
	if i, ok := it.find(name); ok {
		it.fields = slices.Delete(it.fields, i, i+1)
	}
}

// Len is the number of attributes.
func (it Item) Len() int { return len(it.fields) }

// At is the i-th attribute in the order of names.
func (it Item) At(i int) Field { return it.fields[i] }

// All yields the attributes in the order of their names.
func (it Item) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, f := range it.fields {
			if !yield(f.Name, f.Value) {
				return
			}
		}
	}
}

// Clone is a copy whose attributes can be set and removed without changing it. Values are immutable and shared.
func (it Item) Clone() Item { return Item{slices.Clone(it.fields)} }

// EqualItems reports whether two items have the same attributes with equal values.
func EqualItems(a, b Item) bool {
	if len(a.fields) != len(b.fields) {
		return false
	}
	for i := range a.fields {
		if a.fields[i].Name != b.fields[i].Name || !Equal(a.fields[i].Value, b.fields[i].Value) {
			return false
		}
	}
	return true
}
