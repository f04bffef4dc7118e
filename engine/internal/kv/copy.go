package kv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Copy writes what the store has at this moment to a folder, which must be empty or not exist, as a store of its own.
// Updates go on meanwhile. A copy that fails leaves nothing.
func (d *Durable) Copy(dir string) (err error) {
	if err := MakeDir(dir); err != nil {
		return err
	}
	if there, err := os.ReadDir(dir); err != nil {
		return err
	} else if len(there) > 0 {
		return fmt.Errorf("%s is not empty", dir)
	}
	tx, levels, err := d.freeze()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	target := folder(dir)
	defer func() {
		if err != nil {
			err = errors.Join(err, removeAll(target))
		}
	}()
	// The log first: without the file of tables the folder is no store.
	l := &log{number: appliedIn(tx) + 1}
	if l.file, err = target.Create(logName(l.number)); err != nil {
		return err
	}
	for _, v := range levels {
		if _, err := l.append(v); err != nil {
			return errors.Join(err, l.file.Close())
		}
	}
	if err := l.file.Close(); err != nil {
		return err
	}
	return writeTables(target, func(f *os.File) error { _, err := tx.WriteTo(f); return err })
}

// Aside implements Store.
func (d *Durable) Aside(f func(Reader) error) (err error) {
	tx, levels, err := d.freeze()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // as in view
	defer recovered(&err)
	slices.Reverse(levels) // the newest first
	return f(&snapshot{tx: tx, levels: levels})
}

// freeze is what the store has at this moment: a transaction of the file, to be rolled back, and the levels above it, the
// oldest first.
func (d *Durable) freeze() (tx *bolt.Tx, levels []*level, err error) {
	d.levels.Lock()
	defer d.levels.Unlock()
	tx, err = d.db.Begin(false)
	switch {
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return nil, nil, ErrClosed
	case err != nil:
		return nil, nil, err
	}
	if d.frozen != nil {
		levels = append(levels, d.frozen)
	}
	return tx, append(levels, d.active.copy()), nil
}

// makeTables makes an empty file of tables where there is none. It has its name when it is whole: bbolt writes a new file in
// place, and what a power loss leaves of that nobody could open.
func makeTables(dir folder, noSync bool) error {
	path := filepath.Join(string(dir), TablesFile)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bolt.Open(fresh, 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType, NoSync: noSync, Timeout: lockTimeout})
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	return os.Rename(fresh, path) // the entry becomes durable with that of the first log, before anything is answered
}

// writeTables makes the file of tables whole and durable under its name.
func writeTables(dir folder, write func(f *os.File) error) error {
	path := filepath.Join(string(dir), TablesFile)
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return dir.sync()
}

func removeAll(dir folder) error {
	names, err := dir.Names()
	for _, name := range names {
		err = errors.Join(err, dir.Remove(name))
	}
	return err
}

// compactBytes is how much one transaction of a file that is being made writes.
const compactBytes = 8 << 20

// Compact writes the file of tables of a store that nobody has open anew, without the room that is free in it.
func Compact(dir string) error {
	d, err := OpenDurable(dir, Options{})
	if err != nil {
		return err
	}
	if err := d.Close(); err != nil { // what a crash left in the log may stay there: it is newer than the file, and read after it
		return err
	}
	path := filepath.Join(dir, TablesFile)
	old, err := openTables(path, &bolt.Options{ReadOnly: true, Timeout: lockTimeout})
	if err != nil {
		return err
	}
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return errors.Join(err, old.Close())
	}
	db, err := bolt.Open(fresh, 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType, NoSync: true, Timeout: lockTimeout})
	if err != nil {
		return errors.Join(err, old.Close())
	}
	var size int64
	err = errors.Join(compact(db, old),
		db.View(func(tx *bolt.Tx) error { size = tx.Size(); return nil }), db.Close(), old.Close())
	if err == nil {
		err = truncate(fresh, size) // it grows by 16 MB at a time
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	if err := os.Rename(fresh, path); err != nil {
		return err
	}
	return folder(dir).sync()
}

// compact copies what a file of tables has to another one.
func compact(to, from *bolt.DB) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // as in view
	defer recovered(&err)
	return bolt.Compact(to, from, compactBytes)
}

// truncate cuts a file to its size and makes it durable.
func truncate(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Sync(), f.Close())
}
