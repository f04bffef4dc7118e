package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Durable is a Store in a folder. A single goroutine runs all updates: those that wait at a time share one frame of the log
// and with it one sync, so that throughput grows with the number of writers. An update is answered, and seen by views,
// after its frame is on disk; also one that only refused, since it may have refused for what another one of the same frame
// wrote.
//
// What the log has is kept in a level in memory as well, above the file of tables. When the level has grown to Options.Memory it is
// written to the file beside all else, in the order of its keys, and its log removed: the file is changed seldom and much
// at a time, which costs far less than with every commit.
type Durable struct {
	options Options
	dir     Files
	db      *bolt.DB
	updates chan *update
	done    chan struct{} // the goroutine of updates has ended

	mu     sync.RWMutex // held while sending to updates
	closed bool

	levels   sync.RWMutex // held by views while they run, and by who changes what follows
	active   *level       // what the log has
	frozen   *level       // what is being written to the file; nil if nothing is
	writing  sync.WaitGroup
	written  *sync.Cond // on levels: frozen is nil, or failing has changed
	failing  error      // why frozen cannot be written at present
	stopping chan struct{}

	// Of the goroutine of updates.
	log       *log
	broken    error // why nothing can be written any more
	appended  bool  // something was written to the log
	fileReads int   // since pages were let go of
}

// Options are settings of a Durable. The zero Options are for every use but tests.
type Options struct {
	// NoSync leaves it to the operating system when changes reach the disk.
	NoSync bool
	// Memory is how many bytes of changes, and as much again while they are written to the file, are kept in memory. 0: 24 MB.
	Memory int

	// Files is where the log is; nil: in the folder. Step is called before each transaction of the file of tables, and what it
	// returns after it. Both are for tests that crash.
	Files Files
	Step  func() (done func())
}

// DefaultMemory is Options.Memory where it is 0: more makes writing cheaper, and opening after a crash longer.
const DefaultMemory = 24 << 20

type update struct {
	f        func(Writer) error
	err      error
	answered chan struct{}
}

// maxShared is how many updates may share a commit: enough for every client of a busy server, few enough that the first
// does not wait long.
const maxShared = 256

// maxSharedBytes is the size of changes from which on a commit takes no more updates.
const maxSharedBytes = 4 << 20

// TablesFile is the name of the file of tables.
const TablesFile = "tables.db"

// OpenDurable opens or makes the store in a folder, and locks it against other processes.
func OpenDurable(dir string, o Options) (*Durable, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Files == nil {
		o.Files = folder(dir)
	}
	if err := MakeDir(dir); err != nil {
		return nil, err
	}
	if err := makeTables(folder(dir), o.NoSync); err != nil {
		return nil, err
	}
	options := &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType, NoSync: o.NoSync, InitialMmapSize: mapped}
	db, err := openTables(filepath.Join(dir, TablesFile), options)
	var damage *PanicError
	if err != nil && !errors.Is(err, bolterrors.ErrTimeout) && !errors.As(err, &damage) && mapped > 0 { // perhaps addresses are scarce here
		options.InitialMmapSize = 0
		db, err = openTables(filepath.Join(dir, TablesFile), options)
	}
	if err != nil {
		return nil, notOpened(dir, err)
	}
	d := &Durable{
		options: o, dir: o.Files, db: db, active: newLevel(false),
		updates: make(chan *update, maxShared), done: make(chan struct{}), stopping: make(chan struct{}),
	}
	d.written = sync.NewCond(&d.levels)
	left, err := d.recover()
	if err == nil && left > maxLeft {
		err = d.catchUp()
	}
	if errors.As(err, &damage) {
		err = notOpened(dir, err)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	go d.run()
	return d, nil
}

// openTables opens a file of tables. Where the list of its free pages is damaged bbolt panics and keeps the file, until the
// collector closes it.
func openTables(path string, options *bolt.Options) (db *bolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // as in view
	defer recovered(&err)
	return bolt.Open(path, 0o600, options)
}

// notOpened is the error of a file of tables that bbolt does not open.
func notOpened(dir string, err error) error {
	path := filepath.Join(dir, TablesFile)
	var system syscall.Errno
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s is %w by another process", dir, ErrInUse)
	case errors.As(err, &system):
		return fmt.Errorf("open %s: %w", path, err)
	}
	return fmt.Errorf("%s is no file of tables, or pages of it are damaged: go back to a copy of the directory, "+
		"or load a dump into another one (%w)", path, err)
}

// mapped is how many addresses the file of tables has from the beginning. A file that grows beyond them is mapped anew, for which
// bbolt waits for all who read; a copy or check reads for minutes, and meanwhile nobody else could. They cost nothing on Unix;
// Windows would make the file that large.
var mapped = func() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0
	}
	return 1 << (strconv.IntSize/2 + 4) // 64 GB
}()

// lockTimeout is how long opening waits for another process to close the file.
const lockTimeout = time.Second

// appliedBucket of the file has under appliedKey the number of the last log file whose changes are all in the file.
var appliedBucket, appliedKey = []byte("log"), []byte("applied")

func (d *Durable) applied() (n uint64, err error) {
	err = d.view(func(tx *bolt.Tx) error { n = appliedIn(tx); return nil })
	return n, err
}

func appliedIn(tx *bolt.Tx) uint64 {
	if b := tx.Bucket(appliedBucket); b != nil {
		return binary.BigEndian.Uint64(b.Get(appliedKey))
	}
	return 0
}

// recover reads the log, of left files, and opens its last one for what follows.
func (d *Durable) recover() (left int, err error) {
	applied, err := d.applied()
	if err != nil {
		return 0, err
	}
	numbers, err := logs(d.dir)
	if err != nil {
		return 0, err
	}
	d.log = &log{number: applied, noSync: d.options.NoSync}
	for i, n := range numbers {
		if n <= applied {
			if err := d.dir.Remove(logName(n)); err != nil {
				return 0, err
			}
			continue
		}
		if next := d.log.number + 1; n != next { // they are numbered one by one, and removed from the first on
			return 0, fmt.Errorf("%s is missing: %s follows it, and %s does not have what is in it", logName(next), logName(n), TablesFile)
		}
		text, err := d.dir.Read(logName(n))
		if err != nil {
			return 0, err
		}
		l := &log{number: n, noSync: d.options.NoSync}
		if l.size, l.frames, err = readLog(text, n, i == len(numbers)-1, d.active); err != nil {
			return 0, err
		}
		left++
		if d.log = l; i < len(numbers)-1 {
			continue
		}
		if l.file, err = d.dir.Open(logName(n)); err != nil {
			return 0, err
		}
		if l.size < int64(len(text)) { // what was torn must not stand before what follows
			if err := errors.Join(l.file.Truncate(l.size), l.file.Sync()); err != nil {
				return 0, errors.Join(err, l.file.Close())
			}
		}
	}
	return left, nil
}

// maxLeft is how many files of the log a process leaves that ends in the middle: the one it wrote to, and the one that it was
// writing to the file of tables. With more it was not the first that ended before it was through with that.
const maxLeft = 2

// catchUp writes what the log has to the file, before anybody writes more. Processes that all live shorter than this takes
// would else leave ever more to read and to keep in memory. If it cannot be done now it goes on beside all else.
func (d *Durable) catchUp() error {
	d.levels.Lock()
	defer d.levels.Unlock()
	if err := d.retire(); err != nil {
		return err
	}
	for d.frozen != nil && d.failing == nil {
		d.written.Wait()
	}
	return nil
}

// View implements Store.
func (d *Durable) View(f func(Reader) error) error {
	d.levels.RLock()
	defer d.levels.RUnlock()
	return d.view(func(tx *bolt.Tx) error {
		levels := [2]*level{d.active, d.frozen}
		s := snapshot{tx: tx, levels: levels[:1]}
		if d.frozen != nil {
			s.levels = levels[:]
		}
		return f(&s)
	})
}

// view reads the file. Where a page of it is damaged reading may panic, or run into a fault outside of the file, which would
// end the process: both are an error, a *PanicError.
func (d *Durable) view(f func(tx *bolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer recovered(&err)
	err = d.db.View(f)
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// recovered, when deferred, makes an error of a panic.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = NewPanicError(p)
	}
}

// Update implements Store.
func (d *Durable) Update(f func(Writer) error) error {
	u := &update{f: f, answered: make(chan struct{})}
	d.mu.RLock()
	if d.closed {
		d.mu.RUnlock()
		return ErrClosed
	}
	d.updates <- u
	d.mu.RUnlock()
	<-u.answered
	return u.err
}

// Close implements Store. What the log has is written to the file first; where that fails the log stays, and is read
// when the folder is opened again. It also stays where nothing was written: who only looks needs no room on the disk.
func (d *Durable) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	close(d.updates)
	d.mu.Unlock()
	<-d.done
	close(d.stopping)
	d.writing.Wait()
	var err error
	if d.log.file != nil {
		err = d.log.file.Close()
	}
	if d.frozen == nil && d.appended && !d.active.empty() && d.broken == nil {
		d.levels.Lock() // views may still run
		d.frozen, d.active = d.active, newLevel(false)
		d.levels.Unlock()
		err = errors.Join(err, d.write(d.frozen, d.log.number))
	}
	return errors.Join(err, d.db.Close())
}

func (d *Durable) run() {
	defer close(d.done)
	var waiting []*update
	for u := range d.updates {
		waiting = d.commit(append(waiting[:0], u))
		clear(waiting)
	}
}

// commit runs an update, and those that come meanwhile, answers them when what they changed is on disk, and returns them.
func (d *Durable) commit(updates []*update) []*update {
	err := d.ready()
	changes := newLevel(false)
	t := &writer{snapshot: snapshot{levels: []*level{changes, d.active}}}
	if err == nil {
		// Before the file is read: what is frozen may be in the file at any moment, and nowhere else then.
		d.levels.RLock()
		frozen := d.frozen
		d.levels.RUnlock()
		err = d.view(func(tx *bolt.Tx) error {
			t.tx = tx
			if frozen != nil {
				t.levels = append(t.levels, frozen)
			}
			for i := 0; i < len(updates); i++ {
				updates[i].err = t.run(updates[i].f)
				if i == len(updates)-1 && len(updates) < maxShared && changes.bytes < maxSharedBytes {
					select {
					case u, ok := <-d.updates:
						if ok {
							updates = append(updates, u)
						}
					default:
					}
				}
			}
			if d.fileReads += t.fileReads; d.fileReads >= releaseEvery {
				d.fileReads = 0
				d.release(tx)
			}
			return nil
		})
	}
	if err == nil && !changes.empty() {
		if err = d.append(changes); err != nil {
			undo(t.undone)
		}
	}
	if err == nil && (!changes.empty() || len(t.done) > 0) {
		d.levels.Lock()
		d.active.take(changes)
		t.show()
		d.levels.Unlock()
	}
	for _, u := range updates {
		if err != nil {
			u.err = fmt.Errorf("engine: %w", err)
		}
		close(u.answered)
	}
	return updates
}

// append writes changes to the log, whose file is made with the first ones.
func (d *Durable) append(changes *level) error {
	if d.log.file == nil {
		f, err := d.dir.Create(logName(d.log.number + 1))
		if err != nil {
			return err
		}
		d.log = &log{number: d.log.number + 1, file: f, noSync: d.options.NoSync, buffer: d.log.buffer}
	}
	d.appended = true
	broken, err := d.log.append(changes)
	if broken {
		d.broken = fmt.Errorf("nothing can be written until the data is opened again: %w", err)
	}
	return err
}

// ready makes room for more changes; an error is why there can be none.
func (d *Durable) ready() error {
	if d.broken != nil {
		return d.broken
	}
	if d.active.bytes < d.options.Memory {
		return nil
	}
	d.levels.Lock()
	defer d.levels.Unlock()
	for d.frozen != nil && d.failing == nil {
		d.written.Wait()
	}
	if d.frozen != nil {
		if d.active.bytes < 2*d.options.Memory {
			return nil // it is tried again meanwhile
		}
		return fmt.Errorf("changes cannot be written to %s: %w", TablesFile, d.failing)
	}
	return d.retire()
}

// retire begins to write what the log has to the file; its caller holds levels.
func (d *Durable) retire() error {
	number := d.log.number
	if err := d.log.file.Close(); err != nil {
		d.broken = err
		return err
	}
	d.log = &log{number: number, buffer: d.log.buffer}
	d.frozen, d.active = d.active, newLevel(false)
	frozen := d.frozen
	d.writing.Go(func() { d.writeAgain(frozen, number) })
	return nil
}
