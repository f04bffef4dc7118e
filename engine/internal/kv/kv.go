// Package kv is the ordered key-value store under the engine: numbered spaces of keys in the order of their bytes, read in
// consistent views and changed by one writer at a time. There are two implementations: Memory, a B-tree per space, and
// Durable, a log and a file whose changes are on disk before they are answered, many writers' in one commit.
package kv

import (
	"errors"
	"fmt"
	"runtime/debug"
)

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
	// Undone has f called if what this update does is undone, because it fails or panics or its commit fails. The functions
	// of all that is undone are called latest first, before an update is answered: what they restore, in memory beside the
	// store, is as it was before.
	Undone(f func())
	// Done has f called when what this update does is kept and on disk, at the moment from which on views see it: none runs
	// meanwhile. What f shows, in memory beside the store, is neither ahead of what views read nor behind it.
	Done(f func())
}

// Store is a set of spaces. Its methods are safe for concurrent use, but not within one another.
type Store interface {
	// View runs f on the state after some Update, with all changes that were answered before View was called.
	View(f func(Reader) error) error
	// Aside is View for who reads much: updates go on meanwhile, which f does not see.
	Aside(f func(Reader) error) error
	// Update runs f alone and keeps what it wrote when it returns nil. If it returns an error or panics, which makes the
	// error a *PanicError, what it wrote is undone.
	Update(f func(Writer) error) error
	// Close waits for what runs. Afterwards all methods fail.
	Close() error
}

// ErrClosed is the error of a store that was closed.
var ErrClosed = errors.New("engine: closed")

// ErrInUse is the error of a directory that another store has open.
var ErrInUse = errors.New("in use")

// PanicError is the error of an update that panicked. It does not hold what it panicked with, which may be somebody's
// data: the error goes to logs.
type PanicError struct {
	Type  string // of what it panicked with
	Stack string // where, with addresses in place of arguments
}

// NewPanicError is the error of what was recovered, called where it was.
func NewPanicError(recovered any) *PanicError {
	return &PanicError{fmt.Sprintf("%T", recovered), string(debug.Stack())}
}

func (e *PanicError) Error() string { return "engine: panic with a " + e.Type }

// undo calls the functions that restore what is undone.
func undo(undone []func()) {
	for i := len(undone) - 1; i >= 0; i-- {
		undone[i]()
	}
}
