package kv_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestFirstFileIsWhole: the file of tables has its name when it is whole, so that a power loss while it is made leaves none.
func TestFirstFileIsWhole(t *testing.T) {
	for range 200 {
		path := filepath.Join(memoryDir(t), "data")
		opened := make(chan error)
		go func() {
			s, err := kv.OpenDurable(path, kv.Options{})
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
		for done := false; !done; {
			select {
			case err := <-opened:
				if err != nil {
					t.Fatal(err)
				}
				done = true
			default:
			}
			if err := whole(filepath.Join(path, kv.TablesFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			} else if done && err != nil {
				t.Fatal("no file was made")
			}
		}
	}
}

// whole reports what is missing of the first pages of a file of bbolt's.
func whole(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const magic = 0xED0CDAED
	for _, at := range []int{16, 4096 + 16} {
		if len(text) < 4*4096 || binary.NativeEndian.Uint32(text[at:]) != magic {
			return fmt.Errorf("the file has %d bytes without the mark at %d", len(text), at)
		}
	}
	return nil
}

// TestHalfMadeFile: what a power loss left of a file that was being made is made anew; one that has its name, which only older
// programs or a fault of the disk leave half, is refused with what to do.
func TestHalfMadeFile(t *testing.T) {
	whole := memoryDir(t)
	s, err := kv.OpenDurable(whole, kv.Options{})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(whole, kv.TablesFile))
	if err != nil {
		t.Fatal(err)
	}
	half := append(make([]byte, 2*4096), text[2*4096:]...)
	for _, left := range [][]byte{half, text[:4096+512], make([]byte, len(text)), []byte("x")} {
		dir := memoryDir(t)
		fresh := filepath.Join(dir, kv.TablesFile+".new")
		if err := os.WriteFile(fresh, left, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := kv.OpenDurable(dir, kv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(fresh); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the half file is there still: %v", err)
		}
		dir = memoryDir(t)
		if err := os.WriteFile(filepath.Join(dir, kv.TablesFile), left, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err = kv.OpenDurable(dir, kv.Options{}); err == nil || !strings.Contains(err.Error(), "go back to a copy of the directory") {
			t.Errorf("opening a file of %d bytes: %v", len(left), err)
		}
	}
}
