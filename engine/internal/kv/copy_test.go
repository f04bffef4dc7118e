package kv_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// TestCopy: a copy made while updates go on has what the store had at some moment after Copy was called, whatever of it
// was in the log and in the file.
func TestCopy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	store, err := kv.OpenDurable(t.TempDir(), kv.Options{NoSync: true, Memory: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	want := map[string]string{}
	for range 20 {
		for range 50 {
			if err := store.Update(func(w kv.Writer) error { change(random, w, want); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		dir := filepath.Join(t.TempDir(), "copy")
		var beside sync.WaitGroup
		beside.Go(func() {
			for i := range 20 { // which must be there as a whole up to some i, or not at all
				_ = store.Update(func(w kv.Writer) error {
					w.Put(9, []byte("a"), []byte{byte(i)})
					w.Put(10, []byte("a"), []byte{byte(i)})
					return nil
				})
			}
		})
		if err := store.Copy(dir); err != nil {
			t.Fatal(err)
		}
		beside.Wait()
		copied, err := kv.OpenDurable(dir, kv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := everything(t, copied); !maps.Equal(got, want) {
			t.Fatalf("the copy has %d, want %d: %v", len(got), len(want), difference(got, want))
		}
		_ = copied.View(func(r kv.Reader) error {
			if a, b := r.Get(9, []byte("a")), r.Get(10, []byte("a")); string(a) != string(b) {
				t.Errorf("half of an update is in the copy: %x, %x", a, b)
			}
			return nil
		})
		if err := copied.Close(); err != nil {
			t.Fatal(err)
		}
		if err := store.Copy(dir); err == nil || !strings.Contains(err.Error(), "is not empty") {
			t.Errorf("copied over another: %v", err)
		}
	}
}

// TestAside: who reads aside sees one moment, while updates go on.
func TestAside(t *testing.T) {
	both(t, func(t *testing.T, s kv.Store) {
		random := rand.New(rand.NewPCG(3, 4))
		want := map[string]string{}
		for range 200 {
			if err := s.Update(func(w kv.Writer) error { change(random, w, want); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Aside(func(r kv.Reader) error {
			next := maps.Clone(want)
			for range 200 {
				if err := s.Update(func(w kv.Writer) error { change(random, w, next); return nil }); err != nil {
					t.Fatal(err)
				}
			}
			got := map[string]string{}
			for space := range kv.Space(5) {
				r.Ascend(space, nil, nil, func(k, v []byte) bool {
					got[fmt.Sprintf("%d %x", space, k)] = string(v)
					return true
				})
			}
			if !maps.Equal(got, want) {
				t.Errorf("aside there is %d, want %d: %v", len(got), len(want), difference(got, want))
			}
			if now := everything(t, s); !maps.Equal(now, next) {
				t.Errorf("meanwhile there is %d, want %d: %v", len(now), len(next), difference(now, next))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Aside(func(kv.Reader) error { return nil }); !errors.Is(err, kv.ErrClosed) {
			t.Errorf("aside of a closed store: %v", err)
		}
	})
}

// TestCompact: what is compacted is smaller, and the same.
func TestCompact(t *testing.T) {
	dir := t.TempDir()
	store, err := kv.OpenDurable(dir, kv.Options{NoSync: true, Memory: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		if err := store.Update(func(w kv.Writer) error {
			w.Put(1, []byte{byte(i >> 8), byte(i)}, make([]byte, 500))
			if i > 100 {
				w.Delete(1, []byte{byte((i - 100) >> 8), byte(i - 100)})
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	want := everything(t, store)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, kv.TablesFile))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	if err := kv.Compact(dir); err != nil {
		t.Fatal(err)
	}
	if after := size(); after > before/2 {
		t.Errorf("%d bytes became %d", before, after)
	}
	if store, err = kv.OpenDurable(dir, kv.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := everything(t, store); !maps.Equal(got, want) {
		t.Errorf("there is %d, want %d: %v", len(got), len(want), difference(got, want))
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%v are left", left)
	}
}

// TestGrowsAside: a file that grows many times its size while somebody reads aside keeps nobody waiting.
func TestGrowsAside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file is mapped anew when it grows: Windows would make it as large as its mapping")
	}
	dir := t.TempDir()
	store, err := kv.OpenDurable(dir, kv.Options{NoSync: true, Memory: 200_000})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, kv.TablesFile))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before, value := size(), make([]byte, 50_000)
	grown := make(chan error)
	err = store.Aside(func(kv.Reader) error {
		go func() {
			for i := 0; size() < before+20<<20; i++ {
				err := store.Update(func(w kv.Writer) error { w.Put(1, fmt.Appendf(nil, "%06d", i), value); return nil })
				if err == nil {
					err = store.View(func(r kv.Reader) error { r.Get(1, []byte("000000")); return nil })
				}
				if err != nil {
					grown <- err
					return
				}
			}
			grown <- nil
		}()
		select {
		case err := <-grown:
			return err
		case <-time.After(time.Minute):
			go func() { <-grown }()
			return errors.New("writers and readers wait for the end of what is read aside")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
