//go:build unix && !aix && !solaris

package engine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lockPatience is how long to wait for a lock: a process that was told to stop may still be writing.
const lockPatience = time.Second

// lockFile opens a file that no other process has locked, and writes its process id into it for the one that comes next.
// The lock is the operating system's: it goes with the process, however that ends.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Since(start) > lockPatience {
			holder, _ := io.ReadAll(io.LimitReader(f, 32))
			_ = f.Close()
			if !errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, fmt.Errorf("lock %s: %w", name, err)
			}
			return nil, fmt.Errorf("%w by %s", ErrInUse, holderOf(string(holder)))
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := f.Truncate(0); err != nil && !errors.Is(err, syscall.ENOSPC) {
		return nil, errors.Join(err, f.Close())
	}
	_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0) // only to be told; a full disk is no reason not to read
	return f, nil
}

// holderOf is who holds a lock, as the file says.
func holderOf(text string) string {
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil:
		return "another process"
	case pid == os.Getpid():
		return "this process"
	}
	return "the process with the id " + strconv.Itoa(pid)
}
