package engine

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// streamChecker looks through one stream: its numbers have neither gap nor repeat from the last one that was trimmed on,
// each record is in the shard that its key belongs to while that was open, the changes of an item follow from one another,
// and the last of them made the item that is stored.
type streamChecker struct {
	stream *stream
	table  *table // nil if the stream is disabled
	wrong  []error
}

func (c *streamChecker) complain(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Errorf("stream %s of table %s: "+format,
		append([]any{c.stream.id.label, c.stream.id.table.name}, args...)...))
}

// compare orders by table, then by label.
func (id streamID) compare(o streamID) int {
	return cmp.Or(id.table.compare(o.table), cmp.Compare(id.label, o.label))
}

// checkStreams checks all streams, in the order of their names.
func (c *catalog) checkStreams(r kv.Reader) (wrong []error) {
	for _, id := range slices.SortedFunc(maps.Keys(c.streams), streamID.compare) {
		k := streamChecker{stream: c.streams[id]}
		if t := c.byID[id.table]; t != nil && t.stream == k.stream {
			k.table = t
		}
		if enabled := k.stream.def.Disabled == 0; enabled != (k.table != nil) {
			k.complain("is enabled: %v, but not to its table", enabled)
		} else {
			k.check(r)
		}
		wrong = append(wrong, k.wrong...)
	}
	for _, id := range slices.SortedFunc(maps.Keys(c.byID), tableID.compare) {
		if _, enabled := c.byID[id].streamID(); enabled && c.byID[id].stream == nil {
			wrong = append(wrong, fmt.Errorf("table %s: no stream", id.name))
		}
	}
	return wrong
}

// numbered is a shard, or a record of it, and its number.
type numbered struct {
	number uint64
	shard  *shard
	record bool
}

func (c *streamChecker) check(r kv.Reader) {
	s := c.stream
	shards, err := s.shards(r)
	if err != nil {
		c.complain("%v", err)
		return
	}
	c.ranges(shards)
	var all []numbered
	known := map[uint64]*shard{}
	for _, h := range shards {
		known[h.Number] = h
		all = append(all, numbered{h.Number, h, false})
	}
	r.Ascend(s.def.Space, recordKey(0, 0), recordKey(math.MaxUint64, math.MaxUint64), func(key, _ []byte) bool {
		h := known[binary.BigEndian.Uint64(key[1:])]
		if h == nil {
			c.complain("record %d is in no shard", recordNumber(key))
			return true
		}
		all = append(all, numbered{recordNumber(key), h, true})
		return true
	})
	slices.SortStableFunc(all, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	c.numbers(all, s.floor(r))
	c.records(r, all)
}

// ranges checks that every hash has one open shard, or none if the stream is disabled.
func (c *streamChecker) ranges(shards []*shard) {
	open := slices.DeleteFunc(slices.Clone(shards), func(h *shard) bool { return h.Closed != 0 })
	if c.table == nil {
		if len(open) > 0 {
			c.complain("%d shards are open, but it is disabled", len(open))
		}
		return
	}
	slices.SortFunc(open, func(a, b *shard) int { return cmp.Compare(a.From, b.From) })
	next := uint64(0)
	for _, h := range open {
		if uint64(h.From) != next {
			c.complain("open shard %d begins at hash %08x, not %08x", h.Number, h.From, next)
		}
		next = uint64(h.To) + 1
	}
	if next != 1<<32 {
		c.complain("no open shard takes hash %08x", next)
	}
}

// numbers checks that each number behind floor is there once.
func (c *streamChecker) numbers(all []numbered, floor uint64) {
	expected := floor + 1
	for _, n := range all {
		switch {
		case n.number < expected && n.number > floor:
			c.complain("number %d is there twice", n.number)
		case n.number > expected:
			c.complain("numbers %d to %d are missing", expected, n.number-1)
		}
		expected = max(expected, n.number+1)
		if n.record && (n.number <= n.shard.Number || n.number <= n.shard.Trimmed || n.shard.Closed != 0 && n.number > n.shard.End) {
			c.complain("record %d is outside of its shard %d", n.number, n.shard.Number)
		}
	}
}

// lastChange is what the last record of an item says there is.
type lastChange struct {
	exists bool
	image  []byte // nil if records have no new images
}

// records checks what the records say.
func (c *streamChecker) records(r kv.Reader, all []numbered) {
	s := c.stream
	items := map[string]lastChange{} // by key
	var before int64
	for _, n := range all {
		if !n.record {
			continue
		}
		v := record(r.Get(s.def.Space, recordKey(n.shard.Number, n.number)))
		if v.time() < before {
			c.complain("record %d is older than the one before", n.number)
		}
		before = v.time()
		_, keys, newImage, oldImage := v.read()
		key, ok := s.itemKey(keys)
		if !ok {
			c.complain("record %d has no key as the table's", n.number)
			continue
		}
		if hash := binary.BigEndian.Uint32(key); hash < n.shard.From || hash > n.shard.To {
			c.complain("record %d is not in the shard of its key", n.number)
		}
		was, had := items[string(key)]
		insert, removed := v.what() == recordInsert, v.what() == recordRemove || v.what() == recordExpired
		switch {
		case had && was.exists == insert:
			c.complain("record %d does not follow from the item's change before", n.number)
		case had && s.old && s.new && !bytes.Equal(was.image, oldImage):
			c.complain("record %d has another old image than what the change before made", n.number)
		case s.old && insert == (len(oldImage) > 0), s.new && removed == (len(newImage) > 0):
			c.complain("record %d has images that its change cannot have", n.number)
		}
		is := lastChange{exists: !removed}
		if s.new {
			is.image = bytes.Clone(newImage)
		}
		items[string(key)] = is
	}
	if c.table == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(items)) {
		is, item := items[key], stored(r.Get(c.table.space, []byte(key)))
		switch {
		case is.exists != (item != nil):
			c.complain("item %08x and its last record do not agree whether it exists", hashOf([]byte(key)))
		case s.new && !bytes.Equal(is.image, item.json()):
			c.complain("item %08x is not what its last record says", hashOf([]byte(key)))
		}
	}
}

// itemKey is the key, in the space of the table, of an item with these key attributes.
func (s *stream) itemKey(keys []byte) (key []byte, ok bool) {
	it, err := attr.ParseItem(keys)
	if err != nil || it.Len() != len(s.names) {
		return nil, false
	}
	key = partitionKey([]attr.Value{it.Get(s.names[0])})
	for _, name := range s.names[1:] {
		key = attr.AppendKey(key, it.Get(name))
	}
	return key, true
}
