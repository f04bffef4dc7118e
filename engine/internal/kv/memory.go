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
}

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
func (m *Memory) Update(f func(Writer) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	return f(memoryTx{m})
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
	tree.Set(pair{text(key), value})
}

func (t memoryTx) Delete(s Space, key []byte) {
	if tree := t.m.spaces[s]; tree != nil {
		tree.Delete(pair{key: text(key)})
	}
}

func (t memoryTx) Drop(s Space) { delete(t.m.spaces, s) }
