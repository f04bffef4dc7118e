package engine_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestCheckFindsInStreams damages a stream in every way that Check looks for.
func TestCheckFindsInStreams(t *testing.T) {
	const table, stream = 16, 17 // spaces of a first table and its stream
	// Numbers: 1 and 2 are the shards, 3 to 6 the records, of which 3 and 4 are of one item.
	at := func(w kv.Writer, number uint64) (key, value []byte) {
		w.Ascend(stream, []byte{1}, []byte{2}, func(k, v []byte) bool {
			if binary.BigEndian.Uint64(k[9:]) == number {
				key, value = bytes.Clone(k), bytes.Clone(v)
			}
			return key == nil
		})
		return key, value
	}
	lose := func(w kv.Writer, number uint64) { k, _ := at(w, number); w.Delete(stream, k) }
	moved := func(w kv.Writer, number uint64, place int, to uint64) {
		k, v := at(w, number)
		w.Delete(stream, k)
		binary.BigEndian.PutUint64(k[place:], to)
		w.Put(stream, k, v)
	}
	changed := func(w kv.Writer, number uint64, f func(v []byte) []byte) {
		k, v := at(w, number)
		w.Put(stream, k, f(v))
	}
	shard := func(w kv.Writer, number uint64, f func(h map[string]any)) {
		key := binary.BigEndian.AppendUint64([]byte{0}, number)
		h := map[string]any{}
		if err := json.Unmarshal(w.Get(stream, key), &h); err != nil {
			t.Fatal(err)
		}
		f(h)
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		w.Put(stream, key, text)
	}
	for _, c := range []struct {
		what   string
		damage func(w kv.Writer)
		want   []string
	}{
		{"nothing", func(kv.Writer) {}, nil},
		{"a record lost", func(w kv.Writer) { lose(w, 5) }, []string{"numbers 5 to 5 are missing"}},
		{"a change between two lost", func(w kv.Writer) { lose(w, 3) }, []string{"numbers 3 to 3 are missing"}},
		{"the last record of an item lost", func(w kv.Writer) { lose(w, 4) }, []string{"is not what its last record says"}},
		{"a record twice", func(w kv.Writer) {
			k, v := at(w, 6)
			binary.BigEndian.PutUint64(k[9:], 7)
			w.Put(stream, k, v)
		}, []string{"does not follow from the item's change before"}},
		{"a record renumbered", func(w kv.Writer) { moved(w, 6, 9, 5) }, []string{"is there twice"}},
		{"a record of another shard", func(w kv.Writer) { // all are moved, so that at least one is wrong
			for n := uint64(3); n <= 6; n++ {
				moved(w, n, 1, 1)
			}
		}, []string{"is not in the shard of its key"}},
		{"a record of no shard", func(w kv.Writer) { moved(w, 6, 1, 99) }, []string{"is in no shard"}},
		{"an image changed", func(w kv.Writer) {
			changed(w, 3, func(v []byte) []byte { return bytes.Replace(v, []byte(`"N":"0"`), []byte(`"N":"9"`), 1) })
		}, []string{"has another old image"}},
		{"the last image changed", func(w kv.Writer) {
			changed(w, 4, func(v []byte) []byte { return bytes.Replace(v, []byte(`"N":"1"`), []byte(`"N":"9"`), 1) })
		}, []string{"is not what its last record says"}},
		{"a time changed", func(w kv.Writer) { changed(w, 5, func(v []byte) []byte { v[0] = 0; return v }) }, []string{"is older than the one before"}},
		{"another kind of change", func(w kv.Writer) { changed(w, 6, func(v []byte) []byte { v[8] = 'R'; return v }) }, []string{"images that its change cannot have"}},
		{"an item changed", func(w kv.Writer) {
			var key, value []byte
			w.Ascend(table, nil, nil, func(k, v []byte) bool { key, value = bytes.Clone(k), bytes.Clone(v); return false })
			w.Put(table, key, bytes.Replace(value, []byte(`"N":"`), []byte(`"N":"-`), 1))
		}, []string{"is not what its last record says"}},
		{"a shard lost", func(w kv.Writer) { w.Delete(stream, binary.BigEndian.AppendUint64([]byte{0}, 1)) }, []string{"begins at hash", "is in no shard"}},
		{"a shard closed", func(w kv.Writer) { shard(w, 2, func(h map[string]any) { h["Closed"], h["End"] = 1, 2 }) }, []string{"no open shard takes hash"}},
		{"a range changed", func(w kv.Writer) { shard(w, 2, func(h map[string]any) { h["From"] = 5 }) }, []string{"begins at hash 00000005"}},
		{"the definition lost", func(w kv.Writer) {
			var key []byte
			w.Ascend(0, []byte("stream/"), nil, func(k, _ []byte) bool { key = bytes.Clone(k); return false })
			w.Delete(0, key)
		}, []string{"no stream"}},
	} {
		s := kv.NewMemory()
		e, err := engine.OpenStore(s, &engine.Options{SweepEvery: -1, Streams: engine.StreamOptions{Shards: 2}})
		if err != nil {
			t.Fatal(err)
		}
		do(t, e, "CreateTable", "%s", withStream(hashOnly, "NEW_AND_OLD_IMAGES"))
		for i, pk := range []string{"a", "a", "b", "c"} {
			put(t, e, pk, i)
		}
		if err := s.Update(func(w kv.Writer) error { c.damage(w); return nil }); err != nil {
			t.Fatal(err)
		}
		err = e.Check()
		if len(c.want) == 0 && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %s", c.what, err, want)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
