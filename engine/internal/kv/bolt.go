package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Bolt is a Store in a file, a bucket per space. A single goroutine runs all updates: those that wait at a time share
// one transaction and with it one sync of the file, so that throughput grows with the number of writers. An update
// is answered after its commit; also one that only refused, since it may have refused for what another one of the same
// commit wrote.
type Bolt struct {
	db      *bolt.DB
	updates chan *update
	done    chan struct{}

	mu     sync.RWMutex // held while sending to updates
	closed bool
}

type update struct {
	f        func(Writer) error
	err      error
	answered chan struct{}
}

// maxShared is how many updates may share a commit: enough for every client of a busy server, few enough that the first
// does not wait long.
const maxShared = 256

// OpenBolt opens or makes the file and locks it against other processes. With noSync, changes reach the disk when the
// operating system likes.
func OpenBolt(path string, noSync bool) (*Bolt, error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout:        time.Second,
		NoFreelistSync: true, // written when closing rather than with every commit
		FreelistType:   bolt.FreelistMapType,
		NoSync:         noSync,
	})
	if err != nil {
		if errors.Is(err, bolterrors.ErrTimeout) {
			return nil, fmt.Errorf("%s is in use by another process", path)
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	b := &Bolt{db: db, updates: make(chan *update, maxShared), done: make(chan struct{})}
	go b.run()
	return b, nil
}

// View implements Store.
func (b *Bolt) View(f func(Reader) error) error {
	err := b.db.View(func(tx *bolt.Tx) error { return f(&boltTx{tx: tx}) })
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// Update implements Store.
func (b *Bolt) Update(f func(Writer) error) error {
	u := &update{f: f, answered: make(chan struct{})}
	b.mu.RLock()
	if b.closed {
		b.mu.RUnlock()
		return ErrClosed
	}
	b.updates <- u
	b.mu.RUnlock()
	<-u.answered
	return u.err
}

// Close implements Store.
func (b *Bolt) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	close(b.updates)
	b.mu.Unlock()
	<-b.done
	// With the list of free pages on disk the next open need not look for them; after a crash it does.
	b.db.NoFreelistSync = false
	err := b.db.Update(func(*bolt.Tx) error { return nil })
	return errors.Join(err, b.db.Close())
}

func (b *Bolt) run() {
	defer close(b.done)
	var waiting []*update
	for u := range b.updates {
		waiting = append(waiting[:0], u)
	more:
		for len(waiting) < maxShared {
			select {
			case u, ok := <-b.updates:
				if !ok {
					break more
				}
				waiting = append(waiting, u)
			default:
				break more
			}
		}
		b.commit(waiting)
	}
}

// commit runs updates in one transaction, in order. If one of them panics, or fails after it wrote, nothing of it may stay:
// it is answered with an error and the others run again without it.
func (b *Bolt) commit(updates []*update) {
	for len(updates) > 0 {
		var failed int
		var undone []func()
		err := b.db.Update(func(tx *bolt.Tx) error {
			for i, u := range updates {
				if err := run(u, tx, &undone); err != nil {
					failed = i
					return err
				}
			}
			failed = -1
			return nil
		})
		if err != nil {
			undo(undone)
		}
		if err == nil || failed < 0 {
			for _, u := range updates {
				if err != nil {
					u.err = fmt.Errorf("engine: commit: %w", err)
				}
				close(u.answered)
			}
			return
		}
		u := updates[failed]
		u.err = err
		close(u.answered)
		updates = append(updates[:failed], updates[failed+1:]...)
	}
}

// run runs one update and keeps its own error in it. The error that it returns is that the transaction is spoiled.
func run(u *update, tx *bolt.Tx, undone *[]func()) (spoiled error) {
	defer func() {
		if p := recover(); p != nil {
			spoiled = NewPanicError(p)
		}
	}()
	t := &boltTx{tx: tx, undone: undone}
	u.err = u.f(t)
	if t.err == nil && t.wrote {
		return u.err
	}
	return t.err
}

// boltTx reads and writes in a transaction of the file.
type boltTx struct {
	tx   *bolt.Tx
	last Space // whose bucket is open
	open *bolt.Bucket
	err  error // the first failed write

	wrote  bool
	undone *[]func() // of all updates of the commit
}

func name(s Space) []byte { return binary.BigEndian.AppendUint32(nil, uint32(s)) }

func (t *boltTx) bucket(s Space) *bolt.Bucket {
	if t.open == nil || t.last != s {
		t.last, t.open = s, t.tx.Bucket(name(s))
	}
	return t.open
}

func (t *boltTx) Get(s Space, key []byte) []byte {
	if b := t.bucket(s); b != nil {
		return b.Get(key)
	}
	return nil
}

func (t *boltTx) Ascend(s Space, from, to []byte, f func(key, value []byte) bool) {
	b := t.bucket(s)
	if b == nil {
		return
	}
	end := text(to)
	c := b.Cursor()
	for k, v := c.Seek(from); k != nil && (to == nil || text(k) < end); k, v = c.Next() {
		if !f(k, v) {
			return
		}
	}
}

func (t *boltTx) Descend(s Space, from, to []byte, f func(key, value []byte) bool) {
	b := t.bucket(s)
	if b == nil {
		return
	}
	start := text(from)
	c := b.Cursor()
	var k, v []byte
	if to == nil {
		k, v = c.Last()
	} else if k, _ = c.Seek(to); k == nil {
		k, v = c.Last()
	} else {
		k, v = c.Prev()
	}
	for ; k != nil && text(k) >= start; k, v = c.Prev() {
		if !f(k, v) {
			return
		}
	}
}

func (t *boltTx) Put(s Space, key, value []byte) {
	t.wrote = true
	b := t.bucket(s)
	if b == nil && t.err == nil {
		b, t.err = t.tx.CreateBucket(name(s))
		t.last, t.open = s, b
	}
	if t.err == nil {
		t.err = b.Put(key, value)
	}
}

func (t *boltTx) Delete(s Space, key []byte) {
	if b := t.bucket(s); b != nil && t.err == nil {
		t.wrote = true
		t.err = b.Delete(key)
	}
}

func (t *boltTx) Drop(s Space) {
	if t.bucket(s) != nil && t.err == nil {
		t.wrote = true
		t.err = t.tx.DeleteBucket(name(s))
		t.open = nil
	}
}

func (t *boltTx) Undone(f func()) {
	t.wrote = true
	*t.undone = append(*t.undone, f)
}
