package kv_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tablewright/tablewright/engine/internal/kv"
)

// both runs a test on each implementation.
func both(t *testing.T, f func(t *testing.T, s kv.Store)) {
	t.Run("memory", func(t *testing.T) { f(t, kv.NewMemory()) })
	t.Run("durable", func(t *testing.T) {
		b, err := kv.OpenDurable(t.TempDir(), kv.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		f(t, b)
	})
}

// model is a space as a map.
type model map[string]string

// between is what Ascend should see.
func (m model) between(from, to []byte) (keys []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if k >= string(from) && (to == nil || k < string(to)) {
			keys = append(keys, k)
		}
	}
	return keys
}

func randomKey(r *rand.Rand) []byte {
	b := make([]byte, 1+r.IntN(3))
	for i := range b {
		b[i] = []byte{0, 1, 'a', 'b', 0xfe, 0xff}[r.IntN(6)]
	}
	return b
}

// TestAgainstModel: random changes and reads give what a map gives, within an update and after it.
func TestAgainstModel(t *testing.T) {
	both(t, func(t *testing.T, s kv.Store) {
		r := rand.New(rand.NewPCG(1, 2))
		models := map[kv.Space]model{1: {}, 2: {}}
		check := func(tx kv.Reader) {
			for space, m := range models {
				from, to := randomKey(r), randomKey(r)
				if r.IntN(4) == 0 {
					from = nil
				}
				if r.IntN(4) == 0 {
					to = nil
				}
				want := m.between(from, to)
				var up, down []string
				see := func(l *[]string) func(k, v []byte) bool {
					return func(k, v []byte) bool {
						if string(v) != m[string(k)] {
							t.Errorf("%x is %q, want %q", k, v, m[string(k)])
						}
						*l = append(*l, string(k))
						return true
					}
				}
				tx.Ascend(space, from, to, see(&up))
				tx.Descend(space, from, to, see(&down))
				slices.Reverse(down)
				if !slices.Equal(up, want) || !slices.Equal(down, want) {
					t.Fatalf("space %d from %x to %x: up %x, down %x, want %x", space, from, to, up, down, want)
				}
				if len(want) > 1 { // stops when told
					var first []string
					tx.Ascend(space, from, to, func(k, _ []byte) bool { first = append(first, string(k)); return false })
					if len(first) != 1 || first[0] != want[0] {
						t.Errorf("first of %x is %x", want, first)
					}
				}
				k := randomKey(r)
				if v := tx.Get(space, k); string(v) != m[string(k)] || (v == nil) != (m[string(k)] == "") {
					t.Errorf("%x is %q, want %q", k, v, m[string(k)])
				}
			}
		}
		for i := range 300 {
			err := s.Update(func(w kv.Writer) error {
				for range r.IntN(5) {
					space, k := kv.Space(1+r.IntN(2)), randomKey(r)
					switch n := r.IntN(20); {
					case n == 0:
						w.Drop(space)
						models[space] = model{}
					case n < 6:
						w.Delete(space, k)
						delete(models[space], string(k))
					default:
						v := fmt.Sprint("v", i, r.IntN(100))
						w.Put(space, k, []byte(v))
						models[space][string(k)] = v
					}
				}
				check(w)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.View(func(tx kv.Reader) error { check(tx); return nil }); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestManyWriters: updates run one after another, and each sees those before it.
func TestManyWriters(t *testing.T) {
	both(t, func(t *testing.T, s kv.Store) {
		const writers, each = 16, 50
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				for range each {
					err := s.Update(func(w kv.Writer) error {
						w.Put(1, []byte("n"), append(bytes.Clone(w.Get(1, []byte("n"))), 'x'))
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		_ = s.View(func(r kv.Reader) error {
			if n := len(r.Get(1, []byte("n"))); n != writers*each {
				t.Errorf("counted %d", n)
			}
			return nil
		})
	})
}

func TestRefusedAndClosed(t *testing.T) {
	both(t, func(t *testing.T, s kv.Store) {
		refused := errors.New("refused")
		if err := s.Update(func(kv.Writer) error { return refused }); !errors.Is(err, refused) {
			t.Error(err)
		}
		if err := s.View(func(kv.Reader) error { return refused }); !errors.Is(err, refused) {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Update(func(kv.Writer) error { return nil }); !errors.Is(err, kv.ErrClosed) {
			t.Errorf("update of a closed store: %v", err)
		}
		if err := s.View(func(kv.Reader) error { return nil }); !errors.Is(err, kv.ErrClosed) {
			t.Errorf("view of a closed store: %v", err)
		}
	})
}

// TestFailureSpoilsOnlyItself: an update that panics or fails in a commit shared with others leaves nothing of itself, and
// the others are done.
func TestFailureSpoilsOnlyItself(t *testing.T) {
	b, err := kv.OpenDurable(t.TempDir(), kv.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	refused := errors.New("refused")
	hold := make(chan struct{}) // lets the rest pile up behind the first
	var wg sync.WaitGroup
	wg.Go(func() { _ = b.Update(func(kv.Writer) error { <-hold; return nil }) })
	for i := range 20 {
		wg.Go(func() {
			err := b.Update(func(w kv.Writer) error {
				w.Put(1, []byte{byte(i)}, []byte("x"))
				switch i % 5 {
				case 0:
					panic("broken")
				case 1:
					return refused
				}
				return nil
			})
			var panicked *kv.PanicError
			if (i%5 == 0) != errors.As(err, &panicked) || (i%5 == 1) != errors.Is(err, refused) || i%5 > 1 && err != nil {
				t.Errorf("update %d: %v", i, err)
			}
			if panicked != nil && (panicked.Type != "string" || strings.Contains(err.Error()+panicked.Stack, "broken")) {
				t.Errorf("update %d: the error is to tell the type and not the value: %v\n%s", i, err, panicked.Stack)
			}
		})
	}
	close(hold)
	wg.Wait()
	_ = b.View(func(r kv.Reader) error {
		n := 0
		r.Ascend(1, nil, nil, func(k, _ []byte) bool {
			if k[0]%5 < 2 {
				t.Errorf("%d is there", k[0])
			}
			n++
			return true
		})
		if n != 12 {
			t.Errorf("%d of 12 are there", n)
		}
		return nil
	})
}

// TestFailedIsUndone: what an update wrote before it failed or panicked is as it was, and so is what it had changed beside
// the store.
func TestFailedIsUndone(t *testing.T) {
	refused := errors.New("refused")
	for _, how := range []func() error{func() error { panic("broken") }, func() error { return refused }} {
		failedIsUndone(t, how, refused)
	}
}

func failedIsUndone(t *testing.T, end func() error, refused error) {
	both(t, func(t *testing.T, s kv.Store) {
		state := func() (all []string) {
			_ = s.View(func(r kv.Reader) error {
				for space := range kv.Space(4) {
					r.Ascend(space, nil, nil, func(k, v []byte) bool {
						all = append(all, fmt.Sprintf("%d %s=%s", space, k, v))
						return true
					})
				}
				return nil
			})
			return all
		}
		if err := s.Update(func(w kv.Writer) error {
			for _, k := range []string{"a", "b", "c"} {
				w.Put(1, []byte(k), []byte("1"))
				w.Put(2, []byte(k), []byte("2"))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		before := state()
		var told []int
		err := s.Update(func(w kv.Writer) error {
			w.Undone(func() { told = append(told, 1) })
			w.Done(func() { t.Error("done") })
			w.Put(1, []byte("a"), []byte("changed"))
			w.Put(1, []byte("a"), []byte("again"))
			w.Put(1, []byte("d"), []byte("new"))
			w.Delete(1, []byte("b"))
			w.Put(1, []byte("b"), []byte("back"))
			w.Delete(1, []byte("c"))
			w.Delete(1, []byte("none"))
			w.Put(2, []byte("e"), []byte("before the drop"))
			w.Drop(2)
			w.Put(2, []byte("a"), []byte("after the drop"))
			w.Put(3, []byte("a"), []byte("a new space"))
			w.Undone(func() { told = append(told, 2) })
			return end()
		})
		var panicked *kv.PanicError
		if !errors.As(err, &panicked) && !errors.Is(err, refused) {
			t.Errorf("the error is %v", err)
		}
		if after := state(); !slices.Equal(before, after) {
			t.Errorf("after %v there is %q, want %q", err, after, before)
		}
		if !slices.Equal(told, []int{2, 1}) {
			t.Errorf("told of the undoing in the order %v", told)
		}
		if err := s.Update(func(w kv.Writer) error { w.Undone(func() { t.Error("undone") }); return nil }); err != nil {
			t.Error(err)
		}
	})
}

// TestDone: what an update gives to Done is shown with what it wrote: never before or after it, to no view.
func TestDone(t *testing.T) {
	both(t, func(t *testing.T, s kv.Store) {
		var shown atomic.Int64
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := s.View(func(r kv.Reader) error {
						written, _ := strconv.ParseInt(string(r.Get(1, []byte("n"))), 10, 64)
						if told := shown.Load(); told != written {
							return fmt.Errorf("%d is written, %d is shown", written, told)
						}
						return nil
					}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for n := range int64(300) {
			if err := s.Update(func(w kv.Writer) error {
				w.Done(func() { shown.Store(n) })
				w.Put(1, []byte("n"), strconv.AppendInt(nil, n, 10))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if shown.Load() != n {
				t.Fatalf("answered, and %d is shown in place of %d", shown.Load(), n)
			}
		}
		close(stop)
		readers.Wait()
		called := false
		if err := s.Update(func(w kv.Writer) error { w.Done(func() { called = true }); return nil }); err != nil || !called {
			t.Errorf("an update that writes nothing: %v, its Done was called: %v", err, called)
		}
	})
}

// TestReopenDurable: what was answered is in the file, also if it was not closed properly.
func TestReopenDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	for i := range 5 {
		b, err := kv.OpenDurable(path, kv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = b.Update(func(w kv.Writer) error {
			if i > 0 && w.Get(1, []byte{byte(i - 1)}) == nil {
				t.Errorf("update %d is lost", i-1)
			}
			w.Put(1, []byte{byte(i)}, bytes.Repeat([]byte("x"), 10_000))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCloseAfterReading: what was left in the log by a crash is read, and neither the log nor the file is written where
// nothing changes, so that one can look at a full disk.
func TestCloseAfterReading(t *testing.T) {
	live, crashed := filepath.Join(t.TempDir(), "live"), filepath.Join(t.TempDir(), "crashed")
	d, err := kv.OpenDurable(live, kv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Update(func(w kv.Writer) error { w.Put(1, []byte("k"), []byte("v")); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(crashed, os.DirFS(live)); err != nil {
		t.Fatal(err)
	}
	files := func() (names []string) {
		entries, err := os.ReadDir(crashed)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, fmt.Sprint(e.Name(), info.Size(), info.ModTime()))
		}
		return names
	}
	before := files()
	for range 2 {
		c, err := kv.OpenDurable(crashed, kv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.View(func(r kv.Reader) error {
			if got := r.Get(1, []byte("k")); string(got) != "v" {
				t.Errorf("read %q", got)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if after := files(); !slices.Equal(before, after) {
		t.Errorf("files %q, before %q", after, before)
	}
}
