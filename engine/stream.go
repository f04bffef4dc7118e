package engine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// A stream holds the changes of a table's items for a day (Streams). It has a space of its own:
//
//	0, number of a shard                        the shard, in JSON
//	1, number of its shard, number of a record  the record, see stream_record.go
//	2                                           the highest number that was trimmed
//
// One counter numbers the shards and records of a stream, each number once and none left out, so that Check finds a gap.
// A record is written in the update that changes its item: stream and table cannot disagree. Streams outlive their
// tables and the time that they are enabled, so they are defined beside the tables.

// StreamOptions are settings of all tables' streams. The zero StreamOptions are what the service does with a small table.
type StreamOptions struct {
	// Shards is how many shards a new stream begins with; the hash of an item's partition key says which one its changes
	// go to. 0: one; more than 1000 are 1000.
	Shards int
	// ShardLife is how long a shard takes records: the next one goes to a child of it, with the same keys. 0: four hours,
	// as the service does (Streams.KCLAdapter); negative: for ever.
	ShardLife time.Duration
}

const (
	// streamRetention is how long records can be read (Streams: 24 hours).
	streamRetention = 24 * time.Hour
	// shardLife is the default of StreamOptions.ShardLife.
	shardLife = 4 * time.Hour
	// maxFirstShards bounds StreamOptions.Shards.
	maxFirstShards = 1000
)

const streamPrefix = "stream/"

// streamLabel is the form of a label (captured on AWS): it ends the stream's ARN.
const streamLabel = "2006-01-02T15:04:05.000"

// streamDefinition is a stream as it is stored, in JSON.
type streamDefinition struct {
	Region, Table, Label string
	Space                kv.Space
	View                 string
	Key                  []wire.KeyElement
	Created              int64 // in nanoseconds since 1970
	Disabled             int64 // as Created; 0 while it is enabled
}

// streamID is what tells a stream from all others.
type streamID struct {
	table tableID
	label string
}

// stream is a stream as operations use it. It does not change, but for what its writer holds.
type stream struct {
	def      *streamDefinition
	id       streamID
	names    []string      // of the key's attributes
	old, new bool          // the images that its records have
	writer   *streamWriter // nil if the stream is disabled
}

func buildStream(def *streamDefinition) *stream {
	s := &stream{def: def, id: streamID{tableID{def.Region, def.Table}, def.Label}}
	for _, k := range def.Key {
		s.names = append(s.names, k.Name)
	}
	s.old = def.View == "OLD_IMAGE" || def.View == "NEW_AND_OLD_IMAGES"
	s.new = def.View == "NEW_IMAGE" || def.View == "NEW_AND_OLD_IMAGES"
	return s
}

func (id streamID) key() []byte {
	return []byte(streamPrefix + id.table.region + "/" + id.table.name + "/" + id.label)
}

func (s *stream) put(w kv.Writer) error {
	text, err := json.Marshal(s.def)
	if err != nil {
		return err
	}
	w.Put(spaceMeta, s.id.key(), text)
	return nil
}

// readStreams reads all definitions.
func readStreams(r kv.Reader) (all map[streamID]*stream, err error) {
	all = map[streamID]*stream{}
	r.Ascend(spaceMeta, []byte(streamPrefix), []byte(streamPrefix+"\xff"), func(key, value []byte) bool {
		def := new(streamDefinition)
		if err = json.Unmarshal(value, def); err != nil {
			err = fmt.Errorf("engine: definition of %s: %w", key, err)
			return false
		}
		s := buildStream(def)
		all[s.id] = s
		return true
	})
	return all, err
}

// streamID is the identity of the stream that records the table's changes. A table that is being deleted has none.
func (t *table) streamID() (id streamID, enabled bool) {
	if t == nil || t.def.State.Name == deleting || t.def.Create.Stream == nil || !t.def.Create.Stream.Enabled {
		return id, false
	}
	return streamID{t.id, t.def.StreamLabel}, true
}

// newStreamLabel is a label for a new stream of a table; no two streams of a table have the same.
func (e *Engine) newStreamLabel(t tableID) string {
	now := e.now().UTC()
	for {
		label := now.Format(streamLabel)
		if e.catalog.Load().streams[streamID{t, label}] == nil {
			return label
		}
		now = now.Add(time.Millisecond)
	}
}

// followStream makes or disables streams as a change of a table from before to after wants it, either of which may be nil,
// and gives after its stream. Streams of the catalog that is changed may be shared with the one before.
func (e *Engine) followStream(w kv.Writer, c *catalog, before, after *table) error {
	was, had := before.streamID()
	is, has := after.streamID()
	if had && (!has || was != is) && c.streams[was] != nil {
		c.streams = maps.Clone(c.streams)
		s, err := e.disableStream(w, c.streams[was])
		if err != nil {
			return err
		}
		c.streams[was] = s
	}
	if !has {
		return nil
	}
	if c.streams[is] == nil {
		c.streams = maps.Clone(c.streams)
		s, err := e.enableStream(w, after)
		if err != nil {
			return err
		}
		c.streams[is] = s
	}
	after.stream = c.streams[is]
	return nil
}

// enableStream makes the stream of a table with its first shards.
func (e *Engine) enableStream(w kv.Writer, t *table) (*stream, error) {
	now := e.nanoseconds()
	s := buildStream(&streamDefinition{Region: t.id.region, Table: t.name, Label: t.def.StreamLabel, Space: e.number(w),
		View: t.def.Create.Stream.View, Key: t.def.Create.Key, Created: now})
	s.writer = &streamWriter{next: 1, last: now}
	n := min(max(e.options.Streams.Shards, 1), maxFirstShards)
	for i := range n {
		from := uint64(i) << 32 / uint64(n)
		to := uint64(i+1)<<32/uint64(n) - 1
		s.writer.openShard(w, s, nil, uint32(from), uint32(to))
	}
	e.streamsDue(s.writer)
	return s, s.put(w)
}

// disableStream closes the shards of a stream. It can be read until its last record is a day old (Streams.Enabling).
func (e *Engine) disableStream(w kv.Writer, s *stream) (*stream, error) {
	now := max(e.nanoseconds(), s.writer.last)
	for _, h := range s.writer.open {
		h.close(w, s, now)
	}
	def := *s.def
	def.Disabled = now
	disabled := buildStream(&def)
	return disabled, disabled.put(w)
}

// dropStream removes a stream from which nothing can be read any more.
func (e *Engine) dropStream(s *stream) error {
	e.control.Lock()
	defer e.control.Unlock()
	return e.store.Update(func(w kv.Writer) error {
		old := e.catalog.Load()
		if old.streams[s.id] != s {
			return nil
		}
		w.Delete(spaceMeta, s.id.key())
		w.Drop(s.def.Space)
		c := &catalog{byID: old.byID, streams: maps.Clone(old.streams)}
		delete(c.streams, s.id)
		e.follow(w, c)
		return nil
	})
}

// over reports whether nothing of the stream can be read at a time.
func (s *stream) over(now int64) bool {
	return s.def.Disabled != 0 && s.def.Disabled <= now-int64(streamRetention)
}

// streamStatus is what a stream is told to be at a time: on the way for Options.StateTime, as its table is.
func (e *Engine) streamStatus(s *stream, now int64) string {
	way := int64(max(e.options.StateTime, 0))
	switch {
	case s.def.Disabled != 0 && now < s.def.Disabled+way:
		return disabling
	case s.def.Disabled != 0:
		return disabled
	case now < s.def.Created+way:
		return enabling
	}
	return enabled
}

func (e *session) streamARN(s *stream) string {
	return e.arn(s.id.table.name) + "/stream/" + s.id.label
}

// findStream finds the stream of an ARN.
func (e *session) findStream(arn string) (*stream, error) {
	const separator = "/stream/"
	arn = e.here(arn)
	table, label, ok := strings.Cut(arn, separator)
	if !ok || !strings.HasPrefix(table, "arn:") || !strings.Contains(table, ":table/") {
		return nil, wire.Invalid("Invalid StreamArn")
	}
	name, own := strings.CutPrefix(table, e.arn(""))
	s := e.catalog.Load().streams[streamID{e.id(name), label}]
	if !own || s == nil || s.over(e.nanoseconds()) || !e.permitsStream(arn) {
		return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Stream: "+arn+" not found")
	}
	return s, nil
}

// Keys of a stream's space.
const (
	keyShard  byte = 0
	keyRecord byte = 1
	keyFloor  byte = 2
)

// floor is the highest number of a record or shard that was trimmed; 0 if none was.
func (s *stream) floor(r kv.Reader) uint64 {
	if v := r.Get(s.def.Space, []byte{keyFloor}); len(v) == 8 {
		return binary.BigEndian.Uint64(v)
	}
	return 0
}

// raiseFloor notes that a number was trimmed.
func (s *stream) raiseFloor(w kv.Writer, number uint64) {
	if number > s.floor(w) {
		w.Put(s.def.Space, []byte{keyFloor}, binary.BigEndian.AppendUint64(nil, number))
	}
}

func shardKey(number uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{keyShard}, number)
}

func recordKey(shard, number uint64) []byte {
	key := make([]byte, 1, 17)
	key[0] = keyRecord
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(key, shard), number)
}

// recordNumber is the number of the record under a key.
func recordNumber(key []byte) uint64 { return binary.BigEndian.Uint64(key[9:]) }
