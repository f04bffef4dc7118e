// Package kv is the ordered key-value store under the engine: numbered spaces of keys in the order of their bytes, read in
// consistent views and changed by one writer at a time. There are two implementations: Memory, a B-tree per space, and
// Bolt, a file whose changes are on disk before they are answered, many writers' in one commit.
package kv

import "errors"

// Space numbers an ordered space of keys. Spaces need not be made; one without keys is empty.
type Space uint32

// Reader reads a consistent view. What it returns must not be changed and is valid during the transaction only.
type Reader interface {
	// Get is the value of a key; nil if there is none.
	Get(s Space, key []byte) []byte
	// Ascend calls f with the keys from ≤ key < to in ascending order until f returns false; a nil to is no bound. f
	// must not write.
	Ascend(s Space, from, to []byte, f func(key, value []byte) bool)
	// Descend is Ascend in descending order.
	Descend(s Space, from, to []byte, f func(key, value []byte) bool)
}

// Writer also changes. Keys and values are kept and must not be changed afterwards.
type Writer interface {
	Reader
	Put(s Space, key, value []byte)
	Delete(s Space, key []byte)
	// Drop removes all keys of a space.
	Drop(s Space)
}

// Store is a set of spaces. Its methods are safe for concurrent use, but not within one another.
type Store interface {
	// View runs f on the state after some Update, with all changes that were answered before View was called.
	View(f func(Reader) error) error
	// Update runs f alone and keeps what it wrote when it returns; if f returns an error, f must not have written
	// anything. f may be run more than once.
	Update(f func(Writer) error) error
	// Close waits for what runs. Afterwards all methods fail.
	Close() error
}

// ErrClosed is the error of a store that was closed.
var ErrClosed = errors.New("engine: closed")
