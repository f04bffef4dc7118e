package kv

import (
	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// release lets go of the pages of the file that were read: they stay in the page cache, which is everybody's, and count no
// longer as memory of this process. The mapping does not move while the transaction is open.
func (d *Durable) release(tx *bolt.Tx) {
	// Without effect where it fails.
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, d.db.Info().Data, uintptr(tx.Size()), unix.MADV_DONTNEED)
}
