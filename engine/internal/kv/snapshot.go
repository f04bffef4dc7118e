package kv

import (
	"encoding/binary"

	"github.com/tidwall/btree"
	bolt "go.etcd.io/bbolt"
)

// snapshot reads levels, the newest first, above a file: what one has of a key hides what those below it have. There may be
// no file.
type snapshot struct {
	levels []*level
	tx     *bolt.Tx

	last Space // whose bucket is open
	open *bolt.Bucket
	has  bool // there is one open, or it was looked for

	fileReads int // gets that came to the file
}

// bucketName is where the file keeps a space.
func bucketName(s Space) []byte { return binary.BigEndian.AppendUint32(nil, uint32(s)) }

func (t *snapshot) bucket(s Space) *bolt.Bucket {
	if t.tx == nil {
		return nil
	}
	if !t.has || t.last != s {
		t.last, t.open, t.has = s, t.tx.Bucket(bucketName(s)), true
	}
	return t.open
}

// Get implements Reader.
func (t *snapshot) Get(s Space, key []byte) []byte {
	for _, l := range t.levels {
		y := l.layers[s]
		if y == nil {
			continue
		}
		if p, ok := y.get(key); ok {
			return p.value
		}
		if y.dropped {
			return nil
		}
	}
	if b := t.bucket(s); b != nil {
		t.fileReads++
		return b.Get(key)
	}
	return nil
}

// sources are where pairs of a space may be, the newest first.
func (t *snapshot) sources(s Space) (l []*source) {
	for _, v := range t.levels {
		y := v.layers[s]
		if y == nil {
			continue
		}
		if y.tree.Len() > 0 {
			l = append(l, &source{tree: y.tree})
		}
		if y.dropped {
			return l
		}
	}
	if b := t.bucket(s); b != nil {
		l = append(l, &source{cursor: b.Cursor()})
	}
	return l
}

// only is the tree of a space whose pairs are all in one level; alone is whether they are.
func (t *snapshot) only(s Space) (tree *btree.BTreeG[pair], alone bool) {
	if t.bucket(s) != nil {
		return nil, false
	}
	for _, v := range t.levels {
		if y := v.layers[s]; y != nil {
			if tree != nil {
				return nil, false
			}
			tree = y.tree
		}
	}
	return tree, true
}

// Ascend implements Reader.
func (t *snapshot) Ascend(s Space, from, to []byte, f func(key, value []byte) bool) {
	end := text(to)
	in := func(key string) bool { return to == nil || key < end }
	if tree, alone := t.only(s); alone {
		if tree != nil {
			tree.Ascend(pair{key: text(from)}, func(p pair) bool {
				return in(p.key) && (p.value == nil || f(bytesOf(p.key), p.value))
			})
		}
		return
	}
	l := t.sources(s)
	for _, x := range l {
		x.first(from)
	}
	walk(l, in, (*source).next, func(a, b string) bool { return a < b }, f)
}

// Descend implements Reader.
func (t *snapshot) Descend(s Space, from, to []byte, f func(key, value []byte) bool) {
	start := text(from)
	in := func(key string) bool { return key >= start }
	if tree, alone := t.only(s); alone {
		if tree == nil {
			return
		}
		step := func(p pair) bool {
			if to != nil && p.key >= text(to) { // the pivot itself
				return true
			}
			return in(p.key) && (p.value == nil || f(bytesOf(p.key), p.value))
		}
		if to == nil {
			tree.Reverse(step)
		} else {
			tree.Descend(pair{key: text(to)}, step)
		}
		return
	}
	l := t.sources(s)
	for _, x := range l {
		x.last(to)
	}
	walk(l, in, (*source).previous, func(a, b string) bool { return a > b }, f)
}

// walk calls f with the pairs of sources, in the order of before, as long as in holds of their keys. Of a key that several
// have, the first source's pair counts.
func walk(l []*source, in func(key string) bool, step func(*source), before func(a, b string) bool, f func(key, value []byte) bool) {
	for {
		var first *source
		for _, x := range l {
			if x.ok && in(x.key) && (first == nil || before(x.key, first.key)) {
				first = x
			}
		}
		if first == nil {
			return
		}
		key := first.key
		if first.value != nil && !f(bytesOf(key), first.value) {
			return
		}
		for _, x := range l {
			if x.ok && x.key == key { // an older source's is hidden
				step(x)
			}
		}
	}
}

// source is a place in the pairs of a space in one level or in the file.
type source struct {
	tree   *btree.BTreeG[pair]
	iter   btree.IterG[pair]
	cursor *bolt.Cursor

	ok    bool
	key   string
	value []byte // nil: deleted
}

func (x *source) first(from []byte) {
	if x.tree == nil {
		x.at(x.cursor.Seek(from))
		return
	}
	x.iter.Init(x.tree, false)
	x.found(x.iter.Seek(pair{key: text(from)}))
}

// last goes to the last pair before to.
func (x *source) last(to []byte) {
	switch {
	case x.tree == nil && to == nil:
		x.at(x.cursor.Last())
	case x.tree == nil:
		if k, _ := x.cursor.Seek(to); k == nil {
			x.at(x.cursor.Last())
		} else {
			x.at(x.cursor.Prev())
		}
	default:
		x.iter.Init(x.tree, false)
		switch {
		case to == nil:
			x.found(x.iter.Last())
		case x.iter.Seek(pair{key: text(to)}):
			x.found(x.iter.Prev())
		default:
			x.found(x.iter.Last())
		}
	}
}

func (x *source) next() {
	if x.tree == nil {
		x.at(x.cursor.Next())
		return
	}
	x.found(x.iter.Next())
}

func (x *source) previous() {
	if x.tree == nil {
		x.at(x.cursor.Prev())
		return
	}
	x.found(x.iter.Prev())
}

func (x *source) at(key, value []byte) {
	if x.ok = key != nil; x.ok {
		x.key, x.value = text(key), value
	}
}

func (x *source) found(ok bool) {
	if x.ok = ok; ok {
		p := x.iter.Item()
		x.key, x.value = p.key, p.value
	}
}
