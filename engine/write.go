package engine

import (
	"encoding/binary"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/wire"
)

// image is an item as it is before a change, read within an update.
type image struct {
	stored stored
	item   attr.Item // decoded, if it was needed
	parsed bool
}

func imageOf(r kv.Reader, t *table, key []byte) image { return image{stored: r.Get(t.space, key)} }

// get decodes the image once.
func (m *image) get() attr.Item {
	if !m.parsed {
		m.item, m.parsed = m.stored.item(), true
	}
	return m.item
}

// change is what a write makes of one item. It is computed before anything is written: applying it cannot fail.
type change struct {
	table  *table
	key    []byte
	before image
	after  stored    // nil: the item is deleted
	item   attr.Item // after, decoded; empty if deleted
	units  units     // what the write consumes, set by apply

	transacted bool // an action of a transaction

	expired bool // deleted by time to live, by the service itself
}

// units are what a write consumed of a table and its indexes.
type units struct {
	table capacity.WriteUnits
	arms  []armUnits
}

type armUnits struct {
	index *index
	units capacity.WriteUnits
}

// check holds the item after the change to what tables and indexes take.
func (c *change) check(updating bool) *wire.Error {
	if c.after == nil {
		return nil
	}
	if len(c.table.indexes) > 0 {
		var before attr.Item
		var large *wire.Error
		if updating {
			before = c.before.get()
			if c.transacted {
				large = errIndexKeyTooLarge
			}
		}
		if err := c.table.checkIndexKeys(before, c.item, updating, large); err != nil {
			return err
		}
	}
	size := c.after.size()
	for _, x := range c.table.indexes {
		if x.kind == localIndex { // an item and its entries in local indexes share the limit (LSI)
			size += x.entries.EntrySize(c.item)
		}
	}
	if size > capacity.ItemBytes {
		if updating {
			return errUpdateTooLarge
		}
		return wire.Invalid("Item size has exceeded the maximum allowed size")
	}
	return nil
}

// growths are what the changes of one request make item collections larger by, those before the one that is checked.
type growths map[string]int64

// check holds the item collection of a change to its limit (LSI: 10 GB), which only what grows it can exceed.
func (g *growths) check(r kv.Reader, c *change) *wire.Error {
	if !c.table.locals {
		return nil
	}
	key, growth := c.collectionKey(), c.collectionGrowth()
	before := collectionBytes(r, key) + (*g)[string(key)]
	if growth > 0 && before+growth > int64(capacity.ItemCollectionBytes) {
		return wire.NewError(wire.CodeCollectionSizeExceeded, "Collection size exceeded.")
	}
	if *g == nil {
		*g = growths{}
	}
	(*g)[string(key)] += growth
	return nil
}

// apply writes the change, the index entries and the figures that follow from it.
func (c *change) apply(e *Engine, w kv.Writer) {
	t := c.table
	before, after := c.before.stored.size(), c.after.size()
	c.units = units{table: capacity.Write(before, after)}
	defer e.metrics.wrote(c)
	if e.throttle != nil {
		defer e.throttle.wrote(w, c)
	}
	if c.before.stored == nil && c.after == nil {
		return
	}
	if t.stream != nil {
		c.record(e, w)
	}
	if c.after == nil {
		w.Delete(t.space, c.key)
	} else {
		w.Put(t.space, c.key, c.after)
	}
	delta := stats{bytes: int64(after - before)}
	if c.before.stored == nil {
		delta.count++
	}
	if c.after == nil {
		delta.count--
	}
	delta.add(w, t.space)
	if len(t.indexes) == 0 {
		return
	}
	if t.locals {
		addCollection(w, c.collectionKey(), c.collectionGrowth())
	}
	was := c.before.get()
	for _, x := range t.indexes {
		c.applyIndex(e, w, x, was)
	}
}

// applyIndex brings the item's entry in an index up to date.
func (c *change) applyIndex(e *Engine, w kv.Writer, x *index, was attr.Item) {
	had, has := x.holds(was), x.holds(c.item)
	if x.kind == expiryIndex {
		if had && has && attr.Equal(was.Get(x.key.Hash[0].Name), c.item.Get(x.key.Hash[0].Name)) {
			return
		}
		if had {
			putEntry(w, x.space, c.table.entryKey(x, was), nil)
		}
		if has {
			putEntry(w, x.space, c.table.entryKey(x, c.item), stored{0})
		}
		return
	}
	is := c.item
	if !had {
		was = attr.Item{}
	}
	if !has {
		is = attr.Item{}
	}
	arm, consumed := x.entries.Write(was, is)
	if arm == capacity.None {
		return
	}
	c.units.arms = append(c.units.arms, armUnits{x, consumed})
	if had && arm != capacity.InPlace {
		e.putIndex(w, x, c.table.entryKey(x, was), nil)
	}
	if has {
		e.putIndex(w, x, c.table.entryKey(x, is), c.entry(x))
	}
}

// entry is what an index stores of the item after the change.
func (c *change) entry(x *index) stored {
	if x.entries.Projection == capacity.All {
		return c.after
	}
	return store(x.project(c.item))
}

// project is the part of an item that an index holds.
func (x *index) project(it attr.Item) attr.Item {
	if x.entries.Projection == capacity.All {
		return it
	}
	var fields []attr.Field
	for i := range it.Len() {
		if f := it.At(i); x.entries.Projects(f.Name) {
			fields = append(fields, f)
		}
	}
	return attr.ItemOf(fields...)
}

// beingMade reports whether an index cannot be read yet.
func (x *index) beingMade(now int64) bool {
	return x.filling || x.state.Name == creating && x.state.at(now) != ""
}

// holds reports whether an item has an entry: it has all key attributes of the index, of their types and with values that
// they may have. Writes are checked for that, but not the time to live, and not items from before the index
// (GSI.OnlineOps.ViolationDetection).
func (x *index) holds(it attr.Item) bool {
	return holdsPart(it, x.key.Hash, capacity.IndexPartitionBytes) && holdsPart(it, x.key.Range, capacity.IndexSortBytes)
}

func holdsPart(it attr.Item, part []expr.KeyAttr, limit capacity.Bytes) bool {
	size := 0
	for _, a := range part {
		v := it.Get(a.Name)
		if v.Kind() != a.Kind || emptyKind(v) != "" {
			return false
		}
		size += v.Size()
	}
	return size <= int(limit)
}

// putIndex writes an entry, or removes it if v is nil; entries of global indexes wait their time if there is a lag.
func (e *Engine) putIndex(w kv.Writer, x *index, key []byte, v stored) {
	if x.kind == globalIndex && (e.lag.on || e.lag.held[x.space] > 0) {
		e.lag.delay(w, x.space, key, v)
		return
	}
	putEntry(w, x.space, key, v)
}

// putEntry writes an entry, or removes it if v is nil, and keeps the figures of its space.
func putEntry(w kv.Writer, s kv.Space, key []byte, v stored) {
	old := stored(w.Get(s, key))
	delta := stats{bytes: int64(v.size() - old.size())}
	if old == nil && v != nil {
		delta.count++
	}
	if old != nil && v == nil {
		delta.count--
	}
	if v == nil {
		w.Delete(s, key)
	} else {
		w.Put(s, key, v)
	}
	delta.add(w, s)
}

// Item collections: the items of one partition key with their entries in local indexes.

func (c *change) collectionKey() []byte {
	end := hashBytes + attrKeyLen(c.key[hashBytes:])
	return append(spaceKey(c.table.space), c.key[:end]...)
}

// attrKeyLen is where the first part of a key ends.
func attrKeyLen(key []byte) int {
	_, rest, err := attr.DecodeKey(key)
	if err != nil {
		panic("engine: damaged key: " + err.Error())
	}
	return len(key) - len(rest)
}

func (c *change) collectionGrowth() int64 {
	was := c.before.get()
	growth := int64(c.after.size() - c.before.stored.size())
	for _, x := range c.table.indexes {
		if x.kind == localIndex {
			growth += int64(x.entries.EntrySize(c.item) - x.entries.EntrySize(was))
		}
	}
	return growth
}

// spaceIn is the table of a collectionKey.
func spaceIn(key []byte) kv.Space { return kv.Space(binary.BigEndian.Uint32(key)) }

func collectionBytes(r kv.Reader, key []byte) int64 {
	if b := r.Get(collectionsOf(spaceIn(key)), key); len(b) == 8 {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func addCollection(w kv.Writer, key []byte, growth int64) {
	now := collectionBytes(w, key) + growth
	if now == 0 {
		w.Delete(collectionsOf(spaceIn(key)), key)
		return
	}
	w.Put(collectionsOf(spaceIn(key)), key, binary.BigEndian.AppendUint64(nil, uint64(now)))
}
