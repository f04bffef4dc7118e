package kv_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/engine/internal/kv/kvtest"
)

var powerRounds = flag.Int("power-rounds", 300, "how often TestPowerLoss has the power lost")

// everything is all that a store has.
func everything(t *testing.T, s kv.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := s.View(func(r kv.Reader) error {
		for space := range kv.Space(5) {
			r.Ascend(space, nil, nil, func(k, v []byte) bool {
				all[fmt.Sprintf("%d %x", space, k)] = string(v)
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPowerLoss has the power lost at any operation, with what was not synced lost or torn, and operations that fail
// before it: what was answered is there, what was not is there whole or not at all, and nothing else is. The file of
// tables is written all the time, since next to no changes are kept in memory.
func TestPowerLoss(t *testing.T) {
	rounds := *powerRounds
	if testing.Short() {
		rounds = min(rounds, 100)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir := memoryDir(t)
	disk := kvtest.NewDisk(dir, seed)
	want := map[string]string{}
	var done, lost, torn, refused int
	for round := range rounds {
		store, err := kv.OpenDurable(dir, disk.Options(2000))
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if round > 0 {
			if got := everything(t, store); !maps.Equal(got, want) {
				t.Fatalf("round %d: there is %d, want %d: %v", round, len(got), len(want), difference(got, want))
			}
		}
		disk.CrashAfter(1 + random.IntN(60))
		if random.IntN(3) == 0 {
			disk.FailAfter(1 + random.IntN(30))
		}
		var flying map[string]string
		for !disk.Crashed() {
			next := maps.Clone(want)
			err := store.Update(func(w kv.Writer) error { change(random, w, next); return nil })
			if err == nil {
				want = next
				done++
				continue
			}
			if disk.Crashed() {
				flying = next
				break
			}
			refused++ // a failure that the store survives leaves nothing
			if got := everything(t, store); !maps.Equal(got, want) {
				t.Fatalf("round %d: after %v: %v", round, err, difference(got, want))
			}
			if random.IntN(4) == 0 {
				disk.Crash()
			}
		}
		_ = store.Close() // cannot write any more
		last := dir
		dir = memoryDir(t)
		if disk, err = disk.Restart(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(last); err != nil {
			t.Fatal(err)
		}
		if flying == nil {
			continue
		}
		store, err = kv.OpenDurable(dir, disk.Options(2000))
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		switch got := everything(t, store); {
		case maps.Equal(got, want):
			lost++
		case maps.Equal(got, flying):
			want = flying
			torn++
		default:
			t.Fatalf("round %d: neither before nor after the last update: %v", round, difference(got, want))
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d updates answered, %d failed without a crash; of those cut off %d are gone and %d there", done, refused, lost, torn)
	if done < rounds || refused == 0 || lost == 0 || torn == 0 {
		t.Error("too little was tested")
	}
}

// change changes some pairs, and a model in the same way.
func change(random *rand.Rand, w kv.Writer, model map[string]string) {
	for range 1 + random.IntN(8) {
		s, k := kv.Space(1+random.IntN(4)), []byte(fmt.Sprintf("key %d", random.IntN(60)))
		name := fmt.Sprintf("%d %x", s, k)
		switch random.IntN(12) {
		case 0:
			if random.IntN(8) == 0 {
				w.Drop(s)
				for n := range model {
					if n[0] == name[0] {
						delete(model, n)
					}
				}
			}
		case 1, 2, 3:
			w.Delete(s, k)
			delete(model, name)
		default:
			v := make([]byte, random.IntN(300))
			for i := range v {
				v[i] = byte(random.IntN(256))
			}
			w.Put(s, k, v)
			model[name] = string(v)
		}
	}
}

// memoryDir is a folder that is synced in no time, where there is such: what is on disk is the Disk's to say.
func memoryDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "tablewright")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func difference(got, want map[string]string) (l []string) {
	for k, v := range want {
		if g, ok := got[k]; !ok || g != v {
			l = append(l, fmt.Sprintf("%s is %.9x, want %.9x", k, g, v))
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			l = append(l, k+" is there")
		}
	}
	return l[:min(len(l), 10)]
}

// TestDamagedLog: a log that was changed after it was synced is not opened, and nothing of it thrown away.
func TestDamagedLog(t *testing.T) {
	dir := t.TempDir()
	store, err := kv.OpenDurable(dir, kv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := store.Update(func(w kv.Writer) error { w.Put(1, []byte{byte(i)}, []byte("value")); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	copied := t.TempDir()
	for _, name := range []string{"tables.db", "log-00000001"} {
		text, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "tables.db" {
			text[40] ^= 1
		}
		if err := os.WriteFile(copied+"/"+name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := kv.OpenDurable(copied, kv.Options{})
		if err == nil {
			t.Fatal("opened", errors.Join(s.Close()))
		}
		if want := "log-00000001 is damaged at byte 0"; err.Error() != want {
			t.Errorf("the error is %q, want %q", err, want)
		}
	}
}

// TestShortLives: processes that all end before they have written a log to the file of tables do not leave ever more of them.
func TestShortLives(t *testing.T) {
	dir, want := t.TempDir(), map[string]string{}
	for life := range 8 {
		stopped := make(chan struct{})
		written := false
		o := kv.Options{Memory: 10_000, Step: func() func() {
			if written { // never in the life of this process
				<-stopped
			}
			return func() {}
		}}
		store, err := kv.OpenDurable(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		written = true
		if got := everything(t, store); !maps.Equal(got, want) {
			t.Fatalf("in life %d: %v", life, difference(got, want))
		}
		for i := range 7 { // most of what is kept in memory
			k, v := fmt.Sprintf("%d %d", life, i), strings.Repeat("v", 1000)
			if err := store.Update(func(w kv.Writer) error { w.Put(1, []byte(k), []byte(v)); return nil }); err != nil {
				t.Fatal(err)
			}
			want[fmt.Sprintf("1 %x", k)] = v
		}
		killed := t.TempDir() // what is on disk at this moment
		if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(killed, "log-*")); len(left) > 3 {
			t.Fatalf("in life %d: %v", life, left)
		}
		close(stopped)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		dir = killed
	}
}
