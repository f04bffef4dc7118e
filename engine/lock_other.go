//go:build !unix || aix || solaris

package engine

import "os"

// lockFile only makes the file: the store's own lock keeps other processes out, without telling which.
func lockFile(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
}
