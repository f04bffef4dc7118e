package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// record is a change of an item as it is stored:
//
//	8 bytes  when, in nanoseconds since 1970
//	1 byte   what, one of the constants below
//	uvarint  sizes of keys and images together, in bytes as DynamoDB counts
//	uvarint  length of what follows
//	         key attributes in DynamoDB JSON
//	uvarint  length of what follows, 0 if the record has no new image
//	         item after the change
//	rest     item before the change, empty if the record has no old image
//
// The images are copied from what the table stores, and to answers from here.
type record []byte

const (
	recordInsert  byte = 'I'
	recordModify  byte = 'M'
	recordRemove  byte = 'R'
	recordExpired byte = 'X' // removed by time to live
)

func (r record) time() int64 { return int64(binary.BigEndian.Uint64(r)) }

func (r record) what() byte { return r[8] }

// read takes a record apart.
func (r record) read() (size int, keys, newImage, oldImage []byte) {
	rest := r[9:]
	n, k := binary.Uvarint(rest)
	rest = rest[k:]
	part := func() (p []byte) {
		n, k := binary.Uvarint(rest)
		p, rest = rest[k:k+int(n)], rest[k+int(n):]
		return p
	}
	keys = part()
	newImage = part()
	return int(n), keys, newImage, rest
}

// record writes the change to the table's stream, unless it leaves the item as it was.
func (c *change) record(e *Engine, w kv.Writer) {
	s := c.table.stream
	what := recordModify
	switch {
	case c.before.stored == nil:
		what = recordInsert
	case c.after == nil && c.expired:
		what = recordExpired
	case c.after == nil:
		what = recordRemove
	case c.unchanged():
		return
	}
	d := s.writer
	now := max(e.nanoseconds(), d.last)
	h := d.shard(binary.BigEndian.Uint32(c.key))
	if life := e.options.Streams.ShardLife; life > 0 && now-h.Opened >= int64(life) {
		d.replace(w, s, h, now, false)
		h = d.shard(binary.BigEndian.Uint32(c.key))
	}
	if e.throttle != nil && e.throttle.divideShards(w, c.table, now) {
		h = d.shard(binary.BigEndian.Uint32(c.key))
	}
	d.undone(w)
	d.last = now
	w.Put(s.def.Space, recordKey(h.Number, d.take()), s.encode(c, what, now))
}

// unchanged reports whether a put or update makes the item that there was. What is stored differs from an equal item
// only in the order of sets and of maps within it.
func (c *change) unchanged() bool {
	if len(c.before.stored) != len(c.after) {
		return false
	}
	return bytes.Equal(c.before.stored, c.after) || attr.EqualItems(c.before.get(), c.item)
}

// encode makes the record of a change.
func (s *stream) encode(c *change, what byte, now int64) record {
	var before, after []byte
	var room [256]byte
	keys, size := s.appendKeys(room[:0], c.key)
	if s.new {
		after, size = c.after.json(), size+int(c.after.size())
	}
	if s.old {
		before, size = c.before.stored.json(), size+int(c.before.stored.size())
	}
	r := make(record, 0, 9+3*binary.MaxVarintLen32+len(keys)+len(after)+len(before))
	r = append(binary.BigEndian.AppendUint64(r, uint64(now)), what)
	r = binary.AppendUvarint(r, uint64(size))
	r = append(binary.AppendUvarint(r, uint64(len(keys))), keys...)
	r = append(binary.AppendUvarint(r, uint64(len(after))), after...)
	return append(r, before...)
}

// appendKeys appends the key attributes under a key of the table, in DynamoDB JSON.
func (s *stream) appendKeys(dst, key []byte) (text []byte, size int) {
	dst = append(dst, '{')
	rest := key[hashBytes:]
	for i, name := range s.names {
		if i > 0 {
			dst = append(dst, ',')
		}
		v, left, err := attr.DecodeKey(rest)
		if err != nil {
			panic("engine: damaged key: " + err.Error())
		}
		rest = left
		dst = attr.AppendValue(append(attr.AppendText(dst, name), ':'), v)
		size += len(name) + v.Size()
	}
	return append(dst, '}'), size
}

// answer is the record as GetRecords answers it; it shares the record's bytes.
func (s *stream) answer(number uint64, r record) wire.StreamRecord {
	a := wire.StreamRecord{Region: s.id.table.region, Created: r.time() / int64(time.Second), Sequence: sequence(number),
		View: s.def.View, EventID: s.eventID(number)}
	var keys, newImage, oldImage []byte
	a.Bytes, keys, newImage, oldImage = r.read()
	a.Keys = keys
	if len(newImage) > 0 {
		a.NewImage = newImage
	}
	if len(oldImage) > 0 {
		a.OldImage = oldImage
	}
	switch r.what() {
	case recordInsert:
		a.EventName = "INSERT"
	case recordModify:
		a.EventName = "MODIFY"
	default:
		a.EventName, a.Expired = "REMOVE", r.what() == recordExpired
	}
	return a
}

// eventID is the same whenever a record is read: 32 hexadecimal digits that depend on the stream and the number.
func (s *stream) eventID(number uint64) string {
	h := fnv.New128a()
	_, _ = h.Write(s.id.key()) // never fails
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, number))
	var sum [16]byte
	return hex.EncodeToString(h.Sum(sum[:0]))
}
