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
func (e *Engine) Backup(ctx context.Context, dir string) (err error) {
	d, err := openDirectory(dir)
	if err != nil {
		return fmt.Errorf("engine: backup: %w", err)
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if there, err := HasData(dir); err != nil || there {
		return errors.Join(err, fmt.Errorf("engine: backup: %s has data already", dir))
	}
	part := ""
	err = e.store.View(func(r kv.Reader) error {
		part, err = d.copy(ctx, r)
		return err
	})
	if err != nil {
		return fmt.Errorf("engine: backup: %w", err)
	}
	return d.replace(part)
}

// copy writes a view to a store in a folder below the directory, which it returns.
func (d *directory) copy(ctx context.Context, r kv.Reader) (part string, err error) {
	part = filepath.Join(d.path, "copy.part")
	if err := os.RemoveAll(part); err != nil { // left by a copy that came to no end
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(part)
		}
	}()
	to, err := (&directory{path: part}).store(true)
	if err != nil {
		return "", err
	}
	if err := errors.Join(copySpaces(ctx, r, to), to.Close()); err != nil {
		return "", err
	}
	return part, syncFile(filepath.Join(part, dataFile))
}

// replace puts a copy in the place of the directory's data, which no store has open. A store that was closed has all it has
// in one file, and the copy takes its name: at every moment either of them is there as a whole.
func (d *directory) replace(part string) error {
	for _, dir := range []string{d.path, part} {
		if logs, err := filepath.Glob(filepath.Join(dir, "log-*")); err != nil || len(logs) > 0 {
			return errors.Join(err, fmt.Errorf("engine: copy: there is more in %s than its file has: %v", dir, logs), os.RemoveAll(part))
		}
	}
	if err := os.Rename(filepath.Join(part, dataFile), filepath.Join(d.path, dataFile)); err != nil {
		return fmt.Errorf("engine: copy: %w", err)
	}
	return errors.Join(syncFile(d.path), os.RemoveAll(part)) // the new name too is on disk
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
	part := ""
	err = store.View(func(r kv.Reader) error {
		if err := checkFormat(r.Get(spaceMeta, keyFormat)); err != nil {
			return err
		}
		part, err = d.copy(ctx, r)
		return err
	})
	if err := errors.Join(err, store.Close()); err != nil {
		if part != "" {
			err = errors.Join(err, os.RemoveAll(part))
		}
		return 0, 0, err
	}
	if err := d.replace(part); err != nil {
		return 0, 0, err
	}
	return before, d.bytes(), nil
}
