package kv

import (
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// retryAfter is how long writing to the file waits after it failed, for instance because the disk was full; twice as long after
// each further failure, to retryAtMost, since bbolt looks through the whole file after one.
const (
	retryAfter  = time.Second
	retryAtMost = 16 * time.Second
)

// writeAgain writes the frozen level to the file, trying until it succeeds or the store is closed.
func (d *Durable) writeAgain(frozen *level, number uint64) {
	for wait := retryAfter; ; wait = min(2*wait, retryAtMost) {
		err := d.write(frozen, number)
		if err == nil {
			return
		}
		_ = d.view(func(tx *bolt.Tx) error { d.release(tx); return nil })
		d.levels.Lock()
		d.failing = err
		d.written.Broadcast()
		d.levels.Unlock()
		select {
		case <-d.stopping:
			return
		case <-time.After(wait):
		}
	}
}

// stepPairs is how many pairs one transaction of the file changes, stepBytes from what size on it changes no more: each
// page that is touched is in memory until the end.
const (
	stepPairs = 4096
	stepBytes = 8 << 20
)

// releaseEvery is how many pairs are written, or read by updates, until the pages are let go of that were read for it: with each
// page the system maps up to 15 of its neighbours.
const releaseEvery = 512

// write writes a frozen level to the file in steps, and then removes the log that it is from. Cut off between steps, the log
// is read again, whose changes hide what is half done.
func (d *Durable) write(frozen *level, number uint64) error {
	spaces := make([]Space, 0, len(frozen.layers))
	for s := range frozen.layers {
		spaces = append(spaces, s)
	}
	slices.Sort(spaces)
	_ = d.view(func(tx *bolt.Tx) error { // the file grows by an eighth at a time
		d.db.AllocSize = int(min(max(tx.Size()/8, growAtLeast), growAtMost))
		return nil
	})
	// The list of free pages is only written with the last step. A crash before it makes the next open look for them.
	d.db.NoFreelistSync = true
	for _, s := range spaces {
		y := frozen.layers[s]
		if y.dropped {
			err := d.step(func(tx *bolt.Tx) error {
				if tx.Bucket(bucketName(s)) == nil {
					return nil
				}
				return tx.DeleteBucket(bucketName(s))
			})
			if err != nil {
				return err
			}
		}
		for from, more := "", true; more; {
			err := d.step(func(tx *bolt.Tx) (err error) {
				from, more, err = d.writePairs(tx, s, y, from)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	d.db.NoFreelistSync = false
	err := d.step(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(appliedBucket)
		if err != nil {
			return err
		}
		return b.Put(appliedKey, binary.BigEndian.AppendUint64(nil, number))
	})
	if err != nil {
		return err
	}
	d.levels.Lock()
	d.frozen, d.failing = nil, nil
	d.written.Broadcast()
	d.levels.Unlock()
	// A log that cannot be removed is not read again, and removed when the folder is opened.
	numbers, _ := logs(d.dir)
	for _, n := range numbers {
		if n <= number {
			_ = d.dir.Remove(logName(n))
		}
	}
	return nil
}

// What the file grows by at least and at most.
const growAtLeast, growAtMost = 1 << 20, 16 << 20

// change is step's transaction. A damaged page is an error as in view: the store's own goroutine is here.
func (d *Durable) change(f func(tx *bolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer recovered(&err)
	return d.db.Update(f)
}

// step changes the file in one transaction.
func (d *Durable) step(f func(tx *bolt.Tx) error) error {
	if d.options.Step != nil {
		defer d.options.Step()()
	}
	if err := d.change(f); err != nil {
		return fmt.Errorf("write %s: %w", TablesFile, err)
	}
	return d.view(func(tx *bolt.Tx) error { d.release(tx); return nil })
}

// writePairs writes the next pairs of a layer, from a key on; more is whether there are more, from next on.
func (d *Durable) writePairs(tx *bolt.Tx, s Space, y *layer, from string) (next string, more bool, err error) {
	b, err := tx.CreateBucketIfNotExists(bucketName(s))
	if err != nil {
		return "", false, err
	}
	n, size := 0, 0
	y.tree.Ascend(pair{key: from}, func(p pair) bool {
		if n == stepPairs || size > stepBytes {
			next, more = p.key, true
			return false
		}
		if n++; n%releaseEvery == 0 {
			d.release(tx)
		}
		size += len(p.value)
		if p.value == nil {
			err = b.Delete(bytesOf(p.key))
		} else {
			err = b.Put(bytesOf(p.key), p.value)
		}
		return err == nil
	})
	return next, more, err
}
