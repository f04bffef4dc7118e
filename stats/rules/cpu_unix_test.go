//go:build unix

package rules_test

import (
	"syscall"
	"time"
)

// worked is how long this process has worked, on all processors: what else the machine does is not counted.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
