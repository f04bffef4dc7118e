// Package kvtest has a disk that fails and loses power, to test what kv makes of it.
package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// sector is what a disk writes whole or not at all.
const sector = 512

// page is the unit in which the file of tables is changed. Its first two pages say which of the others count: they are
// written, and synced, after all others.
const page = 4096

// Disk holds the log of a store in memory, and knows what of it was synced. Its file of tables lies in a folder. Everything
// that happens on a Disk happens alone: a crash finds no write half done but those that it tears itself.
type Disk struct {
	dir string

	mu      sync.Mutex
	random  *rand.Rand
	files   map[string]*content
	removed map[string]*content // but for a crash
	crashAt int                 // operations until the power is lost; 0: never
	failAt  int                 // operations until one fails; 0: never
	crashed bool
	tables  []byte // as the crash leaves it
}

// content is of a file: what was synced, and what is there without a crash.
type content struct{ synced, now []byte }

// ErrCrashed is the error of everything after the crash.
var ErrCrashed = errors.New("kvtest: the power is lost")

// NewDisk makes an empty disk whose file of tables is in dir.
func NewDisk(dir string, seed uint64) *Disk {
	return &Disk{dir: dir, random: rand.New(rand.NewPCG(seed, 1)), files: map[string]*content{}, removed: map[string]*content{}}
}

// Options are those of a store on the disk.
func (d *Disk) Options(memory int) kv.Options {
	return kv.Options{Memory: memory, Files: d, Step: d.step}
}

// CrashAfter has the power lost at the n-th operation from now on, FailAfter has that operation fail: a write writes a part
// and finds the disk full, a sync fails without doing anything, a file is not made.
func (d *Disk) CrashAfter(n int) { d.mu.Lock(); d.crashAt = n; d.mu.Unlock() }

// FailAfter is described at CrashAfter.
func (d *Disk) FailAfter(n int) { d.mu.Lock(); d.failAt = n; d.mu.Unlock() }

// Crash has the power lost now, if it is not already.
func (d *Disk) Crash() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crash()
}

// Crashed reports whether the power is lost.
func (d *Disk) Crashed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.crashed
}

// operate counts an operation and says how it ends.
func (d *Disk) operate() (fail bool, err error) {
	if d.crashed {
		return false, ErrCrashed
	}
	if d.crashAt--; d.crashAt == 0 {
		d.crash()
		return false, ErrCrashed
	}
	d.failAt--
	return d.failAt == 0, nil
}

// crash leaves of every file what was synced and some of the rest.
func (d *Disk) crash() {
	if d.crashed {
		return
	}
	d.crashed = true
	if d.tables == nil {
		d.tables = d.readTables()
	}
	for name, c := range d.removed {
		if d.files[name] == nil && d.random.IntN(2) == 0 {
			d.files[name] = c
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		c := d.files[name]
		c.now = d.tear(c.synced, c.now, 0)
		c.synced = c.now
	}
}

// tear makes what a crash leaves of a file on the way from synced to now: any of the sectors that differ from the byte
// from on, and any length between.
func (d *Disk) tear(synced, now []byte, from int) []byte {
	size := len(now)
	if len(synced) != len(now) && d.random.IntN(2) == 0 {
		size = min(len(synced), len(now)) + d.random.IntN(max(len(synced), len(now))-min(len(synced), len(now))+1)
	}
	torn := make([]byte, size)
	copy(torn, synced)
	all := d.random.IntN(4) // none, all, or some
	for i := from; i < size; i += sector {
		if all == 1 || all > 1 && d.random.IntN(2) == 0 {
			end := min(i+sector, size)
			copy(torn[i:end], now[min(i, len(now)):min(end, len(now))])
		}
	}
	return torn
}

func (d *Disk) readTables() []byte {
	text, err := os.ReadFile(filepath.Join(d.dir, "tables.db"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
	return text
}

// step is around a transaction of the file of tables, which can be cut off anywhere: while its pages are written any of
// them may be there, afterwards the first two pages as well.
func (d *Disk) step() func() {
	d.mu.Lock()
	if d.crashed {
		return d.mu.Unlock
	}
	d.crashAt--
	if d.crashAt != 0 {
		return d.mu.Unlock
	}
	before := d.readTables()
	return func() {
		defer d.mu.Unlock()
		after := d.readTables()
		if d.random.IntN(3) == 0 || len(before) < 2*page {
			d.tables = slices.Concat(after[:min(2*page, len(after))], after[min(2*page, len(after)):])
			if len(before) >= 2*page { // the first two pages are torn, or not written yet
				copy(d.tables, d.tear(before[:2*page], after[:2*page], 0))
			}
		} else {
			d.tables = d.tear(before, after, 2*page)
			copy(d.tables, before[:2*page])
			if len(d.tables) < len(before) { // the file never shrinks
				d.tables = append(d.tables, before[len(d.tables):]...)
			}
		}
		d.crash()
	}
}

// Restart is the disk after the crash, with the power back, in a new folder.
func (d *Disk) Restart(dir string) (*Disk, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.crashed {
		return nil, fmt.Errorf("kvtest: there was no crash")
	}
	next := &Disk{dir: dir, random: d.random, files: map[string]*content{}, removed: map[string]*content{}}
	for name, c := range d.files {
		next.files[name] = &content{bytes.Clone(c.now), bytes.Clone(c.now)}
	}
	if len(d.tables) == 0 {
		return next, nil
	}
	return next, os.WriteFile(filepath.Join(dir, "tables.db"), d.tables, 0o600)
}

// Names implements kv.Files.
func (d *Disk) Names() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Keys(d.files)), nil
}

// Read implements kv.Files.
func (d *Disk) Read(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.files[name]; c != nil {
		return bytes.Clone(c.now), nil
	}
	return nil, fs.ErrNotExist
}

// Create implements kv.Files.
func (d *Disk) Create(name string) (kv.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if fail, err := d.operate(); err != nil {
		return nil, err
	} else if fail {
		return nil, syscall.ENOSPC
	}
	if d.files[name] != nil {
		return nil, fs.ErrExist
	}
	d.files[name] = &content{}
	delete(d.removed, name)
	return &open{d, d.files[name]}, nil
}

// Open implements kv.Files.
func (d *Disk) Open(name string) (kv.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[name] == nil {
		return nil, fs.ErrNotExist
	}
	return &open{d, d.files[name]}, nil
}

// Remove implements kv.Files.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.operate(); err != nil {
		return err
	}
	if d.files[name] == nil {
		return fs.ErrNotExist
	}
	d.removed[name] = d.files[name]
	delete(d.files, name)
	return nil
}

// open is an open file.
type open struct {
	d *Disk
	c *content
}

// Write implements kv.File.
func (f *open) Write(b []byte) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	before := f.c.now
	f.c.now = slices.Concat(before, b) // a crash tears it
	fail, err := f.d.operate()
	if fail {
		n := f.d.random.IntN(len(b) + 1)
		f.c.now = f.c.now[:len(before)+n]
		return n, syscall.ENOSPC
	}
	return len(b), err
}

// Sync implements kv.File.
func (f *open) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if fail, err := f.d.operate(); err != nil {
		return err
	} else if fail {
		return syscall.EIO
	}
	f.c.synced = bytes.Clone(f.c.now)
	return nil
}

// Truncate implements kv.File.
func (f *open) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if fail, err := f.d.operate(); err != nil {
		return err
	} else if fail {
		return syscall.EIO
	}
	f.c.now = bytes.Clone(f.c.now[:size])
	return nil
}

// Close implements kv.File.
func (f *open) Close() error { return nil }
