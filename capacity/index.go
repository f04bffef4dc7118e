package capacity

import (
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Arm is what a write does to one index. A write has an arm on every index that it touches.
type Arm uint8

// The arms. How much each costs says [ArmUnits].
const (
	None    Arm = iota // not indexed before or after, or nothing projected changed: no arm at all, not one of 0
	InPlace            // projected attributes change, the index key does not: the larger of both entries, once
	Enter              // the item becomes indexed
	Leave              // the item is no longer indexed
	Move               // the index key changes: the old entry is deleted and a new one inserted, each rounded alone
)

var armNames = [...]string{"none", "in place", "enter", "leave", "move"}

// String is "none", "in place", "enter", "leave" or "move".
func (a Arm) String() string { return armNames[a] }

// ArmUnits is what an arm consumes, given the sizes of the index entry before and after; 0 for an absent one (GSI,
// "Write capacity units"; the rounding measured on AWS). In a transaction it consumes the same.
func ArmUnits(a Arm, before, after Bytes) WriteUnits {
	switch a {
	case None:
		return 0
	case Move:
		return Write(before, 0) + Write(0, after)
	case InPlace, Enter, Leave:
		return Write(before, after)
	}
	panic("capacity: unknown arm")
}

// Projection is which attributes an index entry holds besides the keys of table and index.
type Projection uint8

// The projections, by their names in the API: ALL, KEYS_ONLY, INCLUDE.
const (
	All Projection = iota
	KeysOnly
	Include
)

// Index is what decides the entries of a global or local secondary index.
type Index struct {
	TableKey   []string // key attributes of the table
	Key        []string // key attributes of the index, partition and sort; of an LSI they may repeat the table's
	Projection Projection
	Include    []string // with projection Include: the other attributes
}

// Indexes reports whether an item has an entry: it does if it has all key attributes of the index.
func (x *Index) Indexes(item attr.Item) bool {
	for _, name := range x.Key {
		if !item.Has(name) {
			return false
		}
	}
	return true
}

// Projects reports whether entries hold an attribute.
func (x *Index) Projects(name string) bool {
	switch {
	case x.Projection == All, slices.Contains(x.Key, name), slices.Contains(x.TableKey, name):
		return true
	}
	return x.Projection == Include && slices.Contains(x.Include, name)
}

// EntrySize is the size of an item's entry: names and values of all projected attributes, each once. It is 0 if the item
// has none.
func (x *Index) EntrySize(item attr.Item) Bytes {
	if !x.Indexes(item) {
		return 0
	}
	if x.Projection == All {
		return Bytes(item.Size())
	}
	size := 0
	for i := range item.Len() {
		if f := item.At(i); x.Projects(f.Name) {
			size += len(f.Name) + f.Value.Size()
		}
	}
	return Bytes(size)
}

// Arm is what a write does to the index; an absent item is empty. The table's key does not change in a write.
func (x *Index) Arm(before, after attr.Item) Arm {
	was, is := x.Indexes(before), x.Indexes(after)
	switch {
	case !was && !is:
		return None
	case !was:
		return Enter
	case !is:
		return Leave
	}
	for _, name := range x.Key {
		if !attr.Equal(before.Get(name), after.Get(name)) {
			return Move
		}
	}
	if x.sameEntry(before, after) {
		return None
	}
	return InPlace
}

// Write is a write's arm on the index and what it consumes; an absent item is empty.
func (x *Index) Write(before, after attr.Item) (Arm, WriteUnits) {
	a := x.Arm(before, after)
	if a == None {
		return a, 0
	}
	return a, ArmUnits(a, x.EntrySize(before), x.EntrySize(after))
}

// sameEntry walks both items, sorted by name, side by side and compares what is projected.
func (x *Index) sameEntry(before, after attr.Item) bool {
	i, j := 0, 0
	for i < before.Len() || j < after.Len() {
		switch {
		case j == after.Len() || i < before.Len() && before.At(i).Name < after.At(j).Name:
			if x.Projects(before.At(i).Name) {
				return false
			}
			i++
		case i == before.Len() || after.At(j).Name < before.At(i).Name:
			if x.Projects(after.At(j).Name) {
				return false
			}
			j++
		default:
			b, a := before.At(i), after.At(j)
			if x.Projects(b.Name) && !attr.Equal(b.Value, a.Value) {
				return false
			}
			i, j = i+1, j+1
		}
	}
	return true
}
