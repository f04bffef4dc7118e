package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// copyStep is how many bytes of keys and values one update of a copy has.
const copyStep = 4 << 20

// Backup makes a copy of everything, as it is at one moment, in a directory that must not have data yet: streams, tokens and
// what a Lag holds back are in it too. Requests go on meanwhile, but no write if the engine is in memory. If it fails or the
// program ends before, the directory has no data that Open would take.
func (e *Engine) Backup(ctx context.Context, dir string) error {
	return e.store.View(func(r kv.Reader) error { return copyTo(ctx, r, dir) })
}

// copyTo copies a view to a directory without data.
func copyTo(ctx context.Context, r kv.Reader, path string) (err error) {
	d, err := openDirectory(path)
	if err != nil {
		return fmt.Errorf("engine: backup: %w", err)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if there, err := HasData(path); err != nil || there {
		return errors.Join(err, fmt.Errorf("engine: backup: %s has data already", path))
	}
	return copyFile(ctx, r, filepath.Join(path, dataFile))
}

// copyFile copies a view to a file that is there, as a whole, at the end only.
func copyFile(ctx context.Context, r kv.Reader, name string) (err error) {
	part := name + ".part"
	if err := os.RemoveAll(part); err != nil { // left by a copy that came to no end
		return fmt.Errorf("engine: copy: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
		}
	}()
	to, err := kv.OpenBolt(part, true)
	if err != nil {
		return fmt.Errorf("engine: copy: %w", err)
	}
	if err := errors.Join(copySpaces(ctx, r, to), to.Close()); err != nil {
		return fmt.Errorf("engine: copy: %w", err)
	}
	if err := syncFile(part); err != nil {
		return fmt.Errorf("engine: copy: %w", err)
	}
	if err := os.Rename(part, name); err != nil {
		return fmt.Errorf("engine: copy: %w", err)
	}
	return syncFile(filepath.Dir(name)) // the new name too is on disk
}

func syncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// copySpaces copies everything there is, in the order of keys, so that the pages of the copy are full.
func copySpaces(ctx context.Context, r kv.Reader, to kv.Store) error {
	end := spaceTables
	if next := r.Get(spaceMeta, keyNext); next != nil {
		end = kv.Space(binary.BigEndian.Uint32(next))
	}
	type pair struct{ key, value []byte }
	for s := range end {
		for from, more := []byte(nil), true; more; {
			if err := ctx.Err(); err != nil {
				return err
			}
			var pairs []pair
			size := 0
			more = false
			r.Ascend(s, from, nil, func(key, value []byte) bool {
				if size >= copyStep {
					from, more = bytes.Clone(key), true
					return false
				}
				size += len(key) + len(value)
				pairs = append(pairs, pair{key, value})
				return true
			})
			if len(pairs) == 0 {
				continue
			}
			err := to.Update(func(w kv.Writer) error {
				for _, p := range pairs {
					w.Put(s, p.key, p.value)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Compact rewrites the data of a directory that no engine has open, so that the file has no room that is not used. It needs
// room for the copy beside the old file, which stays as it is until the new one is complete. Before and after are the sizes
// in bytes.
func Compact(ctx context.Context, dir string) (before, after int64, err error) {
	if there, err := HasData(dir); err != nil || !there {
		return 0, 0, errors.Join(err, fmt.Errorf("engine: %s has no data", dir))
	}
	d, err := openDirectory(dir)
	if err != nil {
		return 0, 0, fmt.Errorf("engine: %w", err)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	before = d.bytes()
	store, err := d.store(true)
	if err != nil {
		return 0, 0, fmt.Errorf("engine: %w", err)
	}
	err = store.View(func(r kv.Reader) error {
		if err := checkFormat(r.Get(spaceMeta, keyFormat)); err != nil {
			return err
		}
		return copyFile(ctx, r, filepath.Join(dir, dataFile))
	})
	// The old file has lost its name by now; closing it must not touch the new one.
	if err := errors.Join(err, store.Close()); err != nil {
		return 0, 0, err
	}
	return before, d.bytes(), nil
}
