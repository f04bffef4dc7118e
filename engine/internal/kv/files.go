package kv

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Files is a folder as the log uses it. Tests have one that loses what was not synced.
type Files interface {
	// Names are those of the folder's files.
	Names() ([]string, error)
	// Read is the content of a file.
	Read(name string) ([]byte, error)
	// Create makes a file, which must not exist, and its entry in the folder durable.
	Create(name string) (File, error)
	// Open opens a file to append to it.
	Open(name string) (File, error)
	// Remove removes a file. It may be there again after a crash.
	Remove(name string) error
}

// File is appended to.
type File interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// folder is Files on disk.
type folder string

func (d folder) Names() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (d folder) Read(name string) ([]byte, error) { return os.ReadFile(filepath.Join(string(d), name)) }

func (d folder) Create(name string) (File, error) {
	path := filepath.Join(string(d), name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := d.sync(); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return appended{f}, nil
}

func (d folder) Open(name string) (File, error) {
	f, err := os.OpenFile(filepath.Join(string(d), name), os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return appended{f}, nil
}

// appended is a file that is written at its end. It is not opened with O_APPEND, since Windows does not let such a file be cut.
type appended struct{ *os.File }

func (f appended) Truncate(size int64) error {
	if err := f.File.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}

func (d folder) Remove(name string) error { return os.Remove(filepath.Join(string(d), name)) }

// sync makes the folder's entries durable. Windows refuses to sync a folder, and needs no such call: NTFS writes entries to
// its own log (golang/go#75541 has the error).
func (d folder) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(string(d))
	if err != nil {
		return err
	}
	return errors.Join(ignoreUnsupported(f.Sync()), f.Close())
}

// ignoreUnsupported drops the error of systems where folders cannot be synced.
func ignoreUnsupported(err error) error {
	if errors.Is(err, os.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// MakeDir makes a folder and those above it, so that they are there after a power loss too.
func MakeDir(path string) error {
	var parents []string
	for p := filepath.Clean(path); ; {
		if _, err := os.Stat(p); err == nil {
			break
		}
		parent := filepath.Dir(p)
		if parent == p {
			break
		}
		parents, p = append(parents, parent), parent
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := folder(parent).sync(); err != nil && !errors.Is(err, os.ErrPermission) { // who may make one in it may not read it, perhaps
			return err
		}
	}
	return nil
}
