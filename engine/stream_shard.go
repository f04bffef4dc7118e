package engine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// A shard takes the changes of items whose partition keys' hashes lie in its range. When it is closed its children, one or
// more, take over the range: the changes of an item are in the order of its shards, parents first.

// shard is a shard as it is stored, in JSON. It does not change: a closed shard is another one under the same number.
type shard struct {
	Number   uint64 // from the stream's counter when it was opened
	ID       string
	Parent   string `json:",omitempty"`
	From, To uint32 // the hashes that it takes, both of them too
	Opened   int64  // in nanoseconds since 1970
	Closed   int64  `json:",omitempty"` // as Opened; 0 while it is open
	End      uint64 `json:",omitempty"` // number of its last record, or its own if it has none; 0 while it is open
	Trimmed  uint64 `json:",omitempty"` // up to this number, records are gone
}

// streamWriter is where a stream's next record goes. It is used within updates only, which run one at a time.
type streamWriter struct {
	next   uint64   // number of the next record or shard
	last   int64    // time of the last record: times only grow with the numbers, whatever the clock does
	stamp  int64    // of the last shard's id, in milliseconds since 1970
	opened int64    // when the oldest open shard was opened
	open   []*shard // sorted by From; a change makes a new list
}

// undone has an update that is undone leave the writer as it was before.
func (d *streamWriter) undone(w kv.Writer) {
	before := *d
	w.Undone(func() { *d = before })
}

// take gives the next number.
func (d *streamWriter) take() uint64 {
	d.next++
	return d.next - 1
}

// shard is the open shard that takes a hash.
func (d *streamWriter) shard(hash uint32) *shard {
	i, found := slices.BinarySearchFunc(d.open, hash, func(h *shard, hash uint32) int {
		switch {
		case h.To < hash:
			return -1
		case h.From > hash:
			return 1
		}
		return 0
	})
	if !found {
		panic("engine: no shard for a hash")
	}
	return d.open[i]
}

// openShard adds a shard, whose parent may be nil. Ids sort in the order in which shards are opened.
func (d *streamWriter) openShard(w kv.Writer, s *stream, parent *shard, from, to uint32) {
	d.stamp = max(d.last/int64(time.Millisecond), d.stamp+1)
	h := &shard{Number: d.take(), From: from, To: to, Opened: d.last}
	salt := binary.BigEndian.AppendUint64([]byte(s.id.label), h.Number)
	h.ID = fmt.Sprintf("shardId-%020d-%08x", d.stamp, hashOf(salt))
	if parent != nil {
		h.Parent = parent.ID
	}
	d.open = append(slices.Clone(d.open), h)
	slices.SortFunc(d.open, func(a, b *shard) int { return int(int64(a.From) - int64(b.From)) })
	d.oldest()
	h.put(w, s)
}

// oldest finds when the oldest shard was opened.
func (d *streamWriter) oldest() {
	d.opened = math.MaxInt64
	for _, h := range d.open {
		d.opened = min(d.opened, h.Opened)
	}
}

// replace closes an open shard and opens children for its range: two that share it if it is split, else one. now is the
// time, which is kept.
func (d *streamWriter) replace(w kv.Writer, s *stream, h *shard, now int64, split bool) {
	d.undone(w)
	d.last = max(d.last, now)
	h.close(w, s, d.last)
	d.open = slices.DeleteFunc(slices.Clone(d.open), func(o *shard) bool { return o.Number == h.Number })
	if !split || h.From == h.To {
		d.openShard(w, s, h, h.From, h.To)
		return
	}
	middle := h.From + (h.To-h.From)/2
	d.openShard(w, s, h, h.From, middle)
	d.openShard(w, s, h, middle+1, h.To)
}

// close stores the shard as closed.
func (h *shard) close(w kv.Writer, s *stream, now int64) {
	closed := s.stored(w, h.Number)
	closed.Closed, closed.End = now, max(h.Number, closed.Trimmed, h.lastRecord(w, s))
	closed.put(w, s)
}

// stored is the shard of a number as it is stored; nil if there is none.
func (s *stream) stored(r kv.Reader, number uint64) *shard {
	text := r.Get(s.def.Space, shardKey(number))
	if text == nil {
		return nil
	}
	h := new(shard)
	if err := json.Unmarshal(text, h); err != nil {
		panic("engine: damaged shard: " + err.Error())
	}
	return h
}

// lastRecord is the number of the shard's last record that is stored; 0 if there is none.
func (h *shard) lastRecord(r kv.Reader, s *stream) (number uint64) {
	r.Descend(s.def.Space, recordKey(h.Number, 0), recordKey(h.Number, math.MaxUint64), func(key, _ []byte) bool {
		number = recordNumber(key)
		return false
	})
	return number
}

func (h *shard) put(w kv.Writer, s *stream) {
	text, err := json.Marshal(h)
	if err != nil {
		panic("engine: " + err.Error()) // a struct of numbers and texts
	}
	w.Put(s.def.Space, shardKey(h.Number), text)
}

// shards reads the stream's shards in the order in which they were opened, which is that of their ids.
func (s *stream) shards(r kv.Reader) (l []*shard, err error) {
	r.Ascend(s.def.Space, shardKey(0), shardKey(math.MaxUint64), func(_, value []byte) bool {
		h := new(shard)
		if err = json.Unmarshal(value, h); err != nil {
			err = fmt.Errorf("engine: shard of the stream of %s: %w", s.def.Table, err)
			return false
		}
		l = append(l, h)
		return true
	})
	return l, err
}

// shardsAt is shards without those from which nothing can be read any more at a time.
func (s *stream) shardsAt(r kv.Reader, now int64) ([]*shard, error) {
	l, err := s.shards(r)
	return slices.DeleteFunc(l, func(h *shard) bool { return h.over(now) }), err
}

func (h *shard) over(now int64) bool {
	return h.Closed != 0 && h.Closed <= now-int64(streamRetention)
}

// loadWriter finds where the next record of an enabled stream goes.
func (s *stream) loadWriter(r kv.Reader) error {
	all, err := s.shards(r)
	if err != nil {
		return err
	}
	d := &streamWriter{next: s.floor(r) + 1, last: s.def.Created}
	for _, h := range all {
		d.next = max(d.next, h.Number+1, h.End+1, h.Trimmed+1, h.lastRecord(r, s)+1)
		d.last = max(d.last, h.Opened, h.Closed)
		var stamp int64
		if _, err := fmt.Sscanf(h.ID, "shardId-%020d-", &stamp); err != nil {
			return fmt.Errorf("engine: id of a shard of the stream of %s: %w", s.def.Table, err)
		}
		d.stamp = max(d.stamp, stamp)
		if h.Closed == 0 {
			d.open = append(d.open, h)
		}
		if n := h.lastRecord(r, s); n != 0 {
			d.last = max(d.last, record(r.Get(s.def.Space, recordKey(h.Number, n))).time())
		}
	}
	slices.SortFunc(d.open, func(a, b *shard) int { return int(int64(a.From) - int64(b.From)) })
	d.oldest()
	s.writer = d
	return nil
}

// SplitShard closes an open shard of a stream, of which the ARN and the shard's id are given, and opens two children that
// share its keys, as the service does under load. An error is a *wire.Error: there is no such stream or shard, or the shard
// is closed.
func (e *Engine) SplitShard(streamARN, shardID string) error {
	region := e.options.Region
	if parts := splitARN(streamARN); len(parts) > 3 {
		region = parts[3]
	}
	v := &session{Engine: e, ctx: e.tasks.ctx, region: region}
	s, err := v.findStream(streamARN)
	if err != nil {
		return err
	}
	return e.store.Update(func(w kv.Writer) error {
		if d := e.ahead.Load().streams[s.id].writing(); d != nil {
			for _, h := range d.open {
				if h.ID == shardID {
					d.replace(w, s, h, e.nanoseconds(), true)
					return nil
				}
			}
		}
		return errNoShard
	})
}

var errNoShard = wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Shard does not exist")

// writing is the stream's writer; nil if it is disabled or gone.
func (s *stream) writing() *streamWriter {
	if s == nil {
		return nil
	}
	return s.writer
}
