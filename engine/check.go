package engine

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// Check looks through all tables: every item is under its key with its size, every entry of an index has its item and
// looks as that item makes it, every item has its entries, and the figures of tables, indexes and item collections add
// up. Streams have neither a gap nor a repeat, and end with the items as they are. Entries that wait because of a Lag are counted as shown, indexes that are still being filled are left out. The error
// joins everything that is wrong, in the order of names and keys; messages name tables and indexes, and tell keys apart by
// a hash: they hold no values. Check is for tests and after accidents: it holds the entries of a table's indexes in memory,
// and no write is done meanwhile if the engine is in memory.
func (e *Engine) Check() error {
	return unreadable(e.store.Aside(func(r kv.Reader) error {
		c, err := readCatalog(r) // as of this view: a table may change beside it
		if err != nil {
			return err
		}
		var wrong []error
		for _, id := range slices.SortedFunc(maps.Keys(c.byID), tableID.compare) {
			wrong = append(wrong, c.byID[id].check(r)...)
		}
		wrong = append(wrong, c.checkStreams(r)...)
		return errors.Join(wrong...)
	}))
}

// unreadable says what a panic of reading the store means: all that can make reading panic is a damaged file.
func unreadable(err error) error {
	if panicked := (*kv.PanicError)(nil); errors.As(err, &panicked) {
		return fmt.Errorf("a page of the file of tables does not read: go back to a copy of the directory, or load a dump of it (%w)", err)
	}
	return err
}

// checker holds what the items of a table say there should be.
type checker struct {
	table       *table
	wrong       []error
	entries     map[*index]map[string]stored
	collections map[string]int64
}

func (t *table) check(r kv.Reader) []error {
	c := checker{table: t, entries: map[*index]map[string]stored{}, collections: map[string]int64{}}
	for _, x := range t.indexes {
		c.entries[x] = map[string]stored{}
	}
	var sum stats
	r.Ascend(t.space, nil, nil, func(key, value []byte) bool {
		sum.count++
		sum.bytes += int64(stored(value).size())
		c.item(key, value)
		return true
	})
	if is := statsOf(r, t.space); is != sum {
		c.complain("%d items of %d bytes, but figures say %d of %d", sum.count, sum.bytes, is.count, is.bytes)
	}
	for _, x := range t.indexes {
		if !x.filling {
			c.index(r, x)
		}
	}
	if t.locals {
		r.Ascend(collectionsOf(t.space), nil, nil, func(key, _ []byte) bool {
			if is := collectionBytes(r, key); c.collections[string(key)] != is {
				c.complain("item collection %08x has %d bytes, but figures say %d", hashOf(key), c.collections[string(key)], is)
			}
			delete(c.collections, string(key))
			return true
		})
		for _, key := range slices.Sorted(maps.Keys(c.collections)) {
			c.complain("item collection %08x has no figures", hashOf([]byte(key)))
		}
	}
	return c.wrong
}

func (c *checker) complain(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Errorf("table %s: "+format, append([]any{c.table.name}, args...)...))
}

func (c *checker) item(key []byte, s stored) {
	it, err := attr.ParseItem(s.json())
	if err != nil {
		c.complain("item %08x is not an item in DynamoDB JSON", hashOf(key))
		return
	}
	if int(s.size()) != it.Size() {
		c.complain("item %08x: size %d is stored as %d", hashOf(key), it.Size(), s.size())
	}
	if c.table.checkItemKey(it) != nil {
		c.complain("item %08x has no key as the table's", hashOf(key))
		return
	}
	if !bytes.Equal(c.table.itemKey(it), key) {
		c.complain("item %08x is not under its key", hashOf(key))
	}
	ch := change{table: c.table, key: bytes.Clone(key), after: s, item: it}
	for x := range c.entries {
		if !x.holds(it) {
			continue
		}
		entry := stored{0}
		if x.kind != expiryIndex {
			entry = bytes.Clone(ch.entry(x))
		}
		c.entries[x][string(c.table.entryKey(x, it))] = entry
	}
	if c.table.locals {
		c.collections[string(ch.collectionKey())] += ch.collectionGrowth()
	}
}

// index compares an index, with what waits for it, with the entries that there should be.
func (c *checker) index(r kv.Reader, x *index) {
	var sum stats
	is := map[string]stored{}
	r.Ascend(x.space, nil, nil, func(key, value []byte) bool {
		sum.count++
		sum.bytes += int64(stored(value).size())
		is[string(key)] = value
		return true
	})
	if figures := statsOf(r, x.space); figures != sum {
		c.complain("index %s: %d entries of %d bytes, but figures say %d of %d", x.name, sum.count, sum.bytes, figures.count, figures.bytes)
	}
	r.Ascend(spacePending, nil, nil, func(_, value []byte) bool {
		switch s, key, entry := decodePending(value); {
		case s != x.space:
		case len(entry) == 0:
			delete(is, string(key))
		default:
			is[string(key)] = entry
		}
		return true
	})
	should := c.entries[x]
	for _, key := range slices.Sorted(maps.Keys(should)) {
		got, ok := is[key]
		switch {
		case !ok:
			c.complain("index %s: no entry %08x", x.name, hashOf([]byte(key)))
		case !bytes.Equal(got, should[key]):
			c.complain("index %s: entry %08x is not what its item makes it", x.name, hashOf([]byte(key)))
		}
		delete(is, key)
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		c.complain("index %s: entry %08x has no item", x.name, hashOf([]byte(key)))
	}
}
