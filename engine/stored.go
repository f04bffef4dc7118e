package engine

import (
	"encoding/binary"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// An item, and an entry of an index, is stored as its size (uvarint, in bytes as DynamoDB counts) and its DynamoDB JSON,
// attributes sorted by name, so that an answer is written by copying and capacity computed without looking inside.

// stored is an item as it is stored; nil is an absent one.
type stored []byte

func store(it attr.Item) stored {
	size := it.Size()
	s := make([]byte, 0, binary.MaxVarintLen32+size+14*it.Len()+2) // what most items take: names and values with {"S":""} and a comma
	return attr.AppendItem(binary.AppendUvarint(s, uint64(size)), it)
}

// size is that of the item; 0 of an absent one.
func (s stored) size() capacity.Bytes {
	n, _ := binary.Uvarint(s)
	return capacity.Bytes(n)
}

// json is the item's text; nil of an absent one.
func (s stored) json() []byte {
	if s == nil {
		return nil
	}
	_, n := binary.Uvarint(s)
	return s[n:]
}

// item decodes; the absent item is empty. What is stored was written by store: it decodes.
func (s stored) item() attr.Item {
	if s == nil {
		return attr.Item{}
	}
	it, err := attr.ParseItem(s.json())
	if err != nil {
		panic("engine: damaged item: " + err.Error())
	}
	return it
}

// stats are the number of items of a table, or entries of an index, and their sizes together.
type stats struct{ count, bytes int64 }

func statsOf(r kv.Reader, s kv.Space) (v stats) {
	if b := r.Get(spaceStats, spaceKey(s)); len(b) == 16 {
		v.count, v.bytes = int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))
	}
	return v
}

// add changes the stats of a space.
func (v stats) add(w kv.Writer, s kv.Space) {
	if v == (stats{}) {
		return
	}
	now := statsOf(w, s)
	b := binary.BigEndian.AppendUint64(make([]byte, 0, 16), uint64(now.count+v.count))
	w.Put(spaceStats, spaceKey(s), binary.BigEndian.AppendUint64(b, uint64(now.bytes+v.bytes)))
}

func spaceKey(s kv.Space) []byte { return binary.BigEndian.AppendUint32(nil, uint32(s)) }
