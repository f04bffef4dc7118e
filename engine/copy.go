package engine

import (
	"errors"
	"fmt"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// CopyTo writes everything that the engine has at this moment to a directory, which must be empty or not exist, where Open
// finds it. Requests go on meanwhile; a copy that fails leaves nothing. An engine in memory has nothing to copy: it answers
// an error.
func (e *Engine) CopyTo(dir string) error {
	store, ok := e.store.(*kv.Durable)
	if !ok {
		return errors.New("engine: only what is kept in a directory can be copied")
	}
	if err := store.Copy(dir); err != nil {
		return fmt.Errorf("engine: copy: %w", err)
	}
	return nil
}

// Compact writes the data in a directory that no Engine has open anew, without the room in it that is free, and returns its
// bytes before and after. Cut off, it leaves the data as it was.
func Compact(dir string) (before, after int64, err error) {
	if there, err := HasData(dir); err != nil || !there {
		return 0, 0, errors.Join(fmt.Errorf("engine: there is no data in %s", dir), err)
	}
	d, err := openDirectory(dir)
	if err != nil {
		return 0, 0, fmt.Errorf("engine: %w", err)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	before = d.bytes()
	if failed := kv.Compact(dir); failed != nil {
		return before, before, fmt.Errorf("engine: compact: %w", failed)
	}
	return before, d.bytes(), nil
}
