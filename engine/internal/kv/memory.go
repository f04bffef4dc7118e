package kv

import (
	"sync"

	"github.com/tidwall/btree"
)

// Memory is a Store that keeps nothing: a B-tree per space. Views hold a read lock, so that reading copies nothing and
// writing copies nothing either; they are short, since a page of a query ends at 1 MB.
type Memory struct {
	mu     sync.RWMutex
	spaces map[Space]*btree.BTreeG[pair]
	closed bool

	// What the update that runs has done, to take it back if it fails.
	changes []pairChange
	undone  []func()
}

// pairChange is a pair as it was before a change, or a space before it was dropped.
type pairChange struct {
	space   Space
	before  pair
	existed bool
	dropped *btree.BTreeG[pair]
}

// maxKeptChanges is how many changes the room is kept for.
const maxKeptChanges = 4096

type pair struct {
	key   string
	value []byte
}

// NewMemory makes an empty store.
func NewMemory() *Memory { return &Memory{spaces: map[Space]*btree.BTreeG[pair]{}} }

// View implements Store.
func (m *Memory) View(f func(Reader) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return ErrClosed
	}
	return f(memoryTx{m})
}

// Update implements Store.
func (m *Memory) Update(f func(Writer) error) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	defer func() {
		if p := recover(); p != nil {
			err = NewPanicError(p)
		}
		if err != nil {
			m.takeBack()
		}
		clear(m.changes)
		clear(m.undone)
		m.changes, m.undone = m.changes[:0], m.undone[:0]
		if cap(m.changes) > maxKeptChanges {
			m.changes = nil
		}
	}()
	return f(memoryTx{m})
}

// takeBack undoes what the update that runs has changed.
func (m *Memory) takeBack() {
	for i := len(m.changes) - 1; i >= 0; i-- {
		switch c := m.changes[i]; {
		case c.dropped != nil:
			m.spaces[c.space] = c.dropped
		case c.existed:
			m.spaces[c.space].Set(c.before)
		default:
			m.spaces[c.space].Delete(c.before)
		}
	}
	undo(m.undone)
}

// Close implements Store; everything is forgotten.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.spaces = true, nil
	return nil
}

// memoryTx reads and writes under m's lock.
type memoryTx struct{ m *Memory }

func (t memoryTx) Get(s Space, key []byte) []byte {
	tree := t.m.spaces[s]
	if tree == nil {
		return nil
	}
	p, _ := tree.Get(pair{key: text(key)})
	return p.value
}

func (t memoryTx) Ascend(s Space, from, to []byte, f func(key, value []byte) bool) {
	tree := t.m.spaces[s]
	if tree == nil {
		return
	}
	end := text(to)
	tree.Ascend(pair{key: text(from)}, func(p pair) bool {
		return (to == nil || p.key < end) && f(bytesOf(p.key), p.value)
	})
}

func (t memoryTx) Descend(s Space, from, to []byte, f func(key, value []byte) bool) {
	tree := t.m.spaces[s]
	if tree == nil {
		return
	}
	start, end := text(from), text(to)
	step := func(p pair) bool {
		switch {
		case p.key < start:
			return false
		case to != nil && p.key >= end: // the pivot itself
			return true
		}
		return f(bytesOf(p.key), p.value)
	}
	if to == nil {
		tree.Reverse(step)
	} else {
		tree.Descend(pair{key: end}, step)
	}
}

func (t memoryTx) Put(s Space, key, value []byte) {
	tree := t.m.spaces[s]
	if tree == nil {
		tree = btree.NewBTreeGOptions(func(a, b pair) bool { return a.key < b.key }, btree.Options{NoLocks: true})
		t.m.spaces[s] = tree
	}
	now := pair{text(key), value}
	before, existed := tree.Set(now)
	if !existed {
		before.key = now.key
	}
	t.m.changes = append(t.m.changes, pairChange{space: s, before: before, existed: existed})
}

func (t memoryTx) Delete(s Space, key []byte) {
	if tree := t.m.spaces[s]; tree != nil {
		if before, existed := tree.Delete(pair{key: text(key)}); existed {
			t.m.changes = append(t.m.changes, pairChange{space: s, before: before, existed: true})
		}
	}
}

func (t memoryTx) Drop(s Space) {
	if tree := t.m.spaces[s]; tree != nil {
		t.m.changes = append(t.m.changes, pairChange{space: s, dropped: tree})
		delete(t.m.spaces, s)
	}
}

func (t memoryTx) Undone(f func()) { t.m.undone = append(t.m.undone, f) }
