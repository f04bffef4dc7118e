package kv

import "github.com/tidwall/btree"

// pair is a key and its value. In a level above others a nil value is that the key is deleted.
type pair struct {
	key   string
	value []byte
}

// pairBytes is what a pair takes beside its key and value: itself, and its share of half-full nodes.
const pairBytes = 96

// layer is a space in a level.
type layer struct {
	tree    *btree.BTreeG[pair]
	filter  *filter // of the keys of the tree; nil: there is none
	dropped bool    // what levels below have of the space is gone
}

func newLayer(dropped bool) *layer {
	return &layer{tree: btree.NewBTreeGOptions(func(a, b pair) bool { return a.key < b.key }, btree.Options{NoLocks: true}), dropped: dropped}
}

// get finds a pair.
func (y *layer) get(key []byte) (pair, bool) {
	if y.filter != nil && !y.filter.has(text(key)) {
		return pair{}, false
	}
	return y.tree.Get(pair{key: text(key)})
}

// filtered puts a new key of the tree into the filter, if the layer has or needs one. Keys are never taken out: what has a
// filter keeps its keys, except for those of an update that is taken back.
func (y *layer) filtered(key string) {
	switch n := y.tree.Len(); {
	case y.filter == nil && n < fewKeys:
	case y.filter == nil || y.filter.full():
		y.filter = newFilter(2 * n)
		y.tree.Scan(func(p pair) bool { y.filter.add(p.key); return true })
	default:
		y.filter.add(key)
	}
}

// level is a set of spaces in memory, or changes to those below it: a B-tree per space. What is changed while a journal is
// kept can be taken back.
type level struct {
	layers  map[Space]*layer
	bottom  bool // nothing is below: what is deleted need not be remembered
	bytes   int  // of all pairs, with what they take beside key and value; those of dropped spaces still count
	journal []before
}

// before is a pair as it was before a change, or a space before it was dropped.
type before struct {
	space   Space
	pair    pair
	existed bool
	drop    bool
	layer   *layer // of a dropped space; nil if there was none
}

// maxKeptJournal is how many changes the room is kept for.
const maxKeptJournal = 4096

func newLevel(bottom bool) *level { return &level{layers: map[Space]*layer{}, bottom: bottom} }

func (l *level) empty() bool { return len(l.layers) == 0 }

// copy is a level with the same pairs, which does not see later changes. What is shared is copied when it is changed.
func (l *level) copy() *level {
	c := newLevel(l.bottom)
	for s, y := range l.layers {
		c.layers[s] = &layer{tree: y.tree.Copy(), dropped: y.dropped} // the filter goes on changing
	}
	return c
}

// set puts a pair, or remembers a deleted one.
func (l *level) set(s Space, p pair) {
	y := l.layers[s]
	if y == nil {
		y = newLayer(false)
		l.layers[s] = y
	}
	old, existed := y.tree.Set(p)
	if !existed {
		old.key = p.key
		l.bytes += len(p.key) + pairBytes
		if !l.bottom { // where nothing is below, what is asked for is mostly there
			y.filtered(p.key)
		}
	}
	l.bytes += len(p.value) - len(old.value)
	l.journal = append(l.journal, before{space: s, pair: old, existed: existed})
}

func (l *level) remove(s Space, key string) {
	if !l.bottom {
		l.set(s, pair{key: key})
		return
	}
	if y := l.layers[s]; y != nil {
		if old, existed := y.tree.Delete(pair{key: key}); existed {
			l.bytes -= len(key) + pairBytes + len(old.value)
			l.journal = append(l.journal, before{space: s, pair: old, existed: true})
		}
	}
}

func (l *level) drop(s Space) {
	y := l.layers[s]
	l.journal = append(l.journal, before{space: s, drop: true, layer: y})
	if l.bottom {
		delete(l.layers, s)
	} else {
		l.layers[s] = newLayer(true)
	}
}

// takeBack undoes the changes in the journal from the n-th on.
func (l *level) takeBack(n int) {
	for i := len(l.journal) - 1; i >= n; i-- {
		c := l.journal[i]
		switch {
		case c.drop && c.layer == nil:
			delete(l.layers, c.space)
		case c.drop:
			l.layers[c.space] = c.layer
		case c.existed:
			now, _ := l.layers[c.space].tree.Set(c.pair)
			l.bytes += len(c.pair.value) - len(now.value)
			if l.bottom && now.key == "" && c.pair.key != "" { // it was deleted
				l.bytes += len(c.pair.key) + pairBytes
			}
		default:
			now, _ := l.layers[c.space].tree.Delete(c.pair)
			l.bytes -= len(now.key) + pairBytes + len(now.value)
		}
	}
	l.forget(n)
}

// forget keeps only the first n changes of the journal.
func (l *level) forget(n int) {
	clear(l.journal[n:])
	l.journal = l.journal[:n]
	if n == 0 && cap(l.journal) > maxKeptJournal {
		l.journal = nil
	}
}

// take makes the changes of a level above, whose pairs it shares from then on.
func (l *level) take(above *level) {
	for s, y := range above.layers {
		if y.dropped {
			l.drop(s)
		}
		y.tree.Scan(func(p pair) bool {
			if p.value == nil {
				l.remove(s, p.key)
			} else {
				l.set(s, p)
			}
			return true
		})
		l.forget(0)
	}
}
