package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// dataFile is a file that every directory with data has.
const dataFile = kv.TablesFile

// ErrInUse is the error of Open, Compact and CopyTo when another Engine, here or in another process, has the directory
// open. They wait a second for it before they answer it.
var ErrInUse = kv.ErrInUse

// directory is where an engine keeps its data, locked until it is closed.
type directory struct {
	path string
	lock *os.File
}

// openDirectory makes the directory if need be and locks it.
func openDirectory(path string) (*directory, error) {
	if err := kv.MakeDir(path); err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(path, "lock"))
	if errors.Is(err, ErrInUse) {
		return nil, fmt.Errorf("%s is %w", path, err)
	}
	if err != nil {
		return nil, err
	}
	return &directory{path, lock}, nil
}

// store opens the data.
func (d *directory) store(noSync bool) (kv.Store, error) {
	return kv.OpenDurable(d.path, kv.Options{NoSync: noSync})
}

// bytes is the size of the data on disk.
func (d *directory) bytes() (n int64) {
	entries, _ := os.ReadDir(d.path)
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it is gone meanwhile
			n += info.Size()
		}
	}
	return n
}

// close gives the directory free. The file of the lock stays: another process may be waiting for it.
func (d *directory) close() error {
	if d == nil {
		return nil
	}
	return d.lock.Close()
}

// HasData reports whether a directory holds the data of an engine. It opens nothing and makes nothing.
func HasData(path string) (bool, error) {
	_, err := os.Stat(filepath.Join(path, dataFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (e *Engine) fileBytes() int64 {
	if e.dir == nil {
		return 0
	}
	return e.dir.bytes()
}
