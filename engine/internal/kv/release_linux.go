package kv

import (
	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// release lets go of the pages of the file that were read: they stay in the page cache, which is everybody's, and count no
// longer as memory of this process. Only who writes to the file may call it: nobody else moves the mapping.
func (d *Durable) release() {
	var size int64
	if d.view(func(tx *bolt.Tx) error { size = tx.Size(); return nil }) != nil {
		return
	}
	start := d.db.Info().Data
	// Without effect where it fails. The mapping is not Go's memory: its address does not change.
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, start, uintptr(size), unix.MADV_DONTNEED)
}
