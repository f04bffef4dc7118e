// Package workload is what ../../../../STORAGE.md measures stores with: the writes and reads that the engine does for a
// table with one index. Each folder beside it is a program that runs it on one store:
//
//	go run ./bbolt; go run ./pebble; go run ./badger
package workload

import (
	"encoding/binary"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Store is what is compared. A pair is an item and its entry in the index, written together or not at all.
type Store interface {
	// Put reads the item, then writes the pair, and returns when it is on disk.
	Put(Pair) error
	// Load writes n pairs, 400 to a commit.
	Load(n int, pair func(i int) Pair) error
	// Get reads an item.
	Get(key []byte) ([]byte, error)
	// Query hands over up to n entries whose keys begin with a prefix.
	Query(prefix []byte, n int, f func(key, value []byte)) error
	Close() error
}

// Pair is an item and its entry in the index.
type Pair struct{ Key, Value, IndexKey, IndexValue []byte }

const (
	items     = 200_000
	partition = 100 // entries to an index partition
	valueSize = 500
)

// noise is what values are cut from: it does not compress.
var noise = func() []byte {
	b := make([]byte, 1<<16)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}()

// hash spreads keys as the engine does.
func hash(i int) []byte {
	x := uint32(i) * 2654435761
	x ^= x >> 15
	x *= 0x85ebca6b
	return binary.BigEndian.AppendUint32(nil, x^x>>13)
}

func key(i int) []byte { return append(hash(i), fmt.Sprintf("order#%010d", i)...) }

func prefix(p int) []byte { return append(hash(p), fmt.Sprintf("cust#%010d", p)...) }

func value(i int) []byte {
	from := i * 7919 % (len(noise) - valueSize)
	return noise[from : from+valueSize]
}

func pair(i, version int) Pair {
	v := value(i + version)
	return Pair{key(i), v, append(prefix(i/partition), fmt.Sprintf("#%010d", i)...), v}
}

// Main measures a store and prints a line for each figure.
func Main(name string, open func(dir string) (Store, error)) {
	log.SetFlags(0)
	if err := run(name, open); err != nil {
		log.Fatal(name, ": ", err)
	}
}

func run(name string, open func(dir string) (Store, error)) (err error) {
	dir, err := os.MkdirTemp("", "compare-"+name)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	step := func(what string, n int, f func() error) {
		if err != nil {
			return
		}
		at, used := time.Now(), processor()
		err = f()
		each := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) / float64(n) }
		took := time.Since(at)
		fmt.Printf("%-7s %-22s %10.0f/s %10.1f µs, processor %8.1f µs\n", name, what, float64(n)/took.Seconds(), each(took), each(processor()-used))
	}
	var s Store
	opened := func() (err error) { s, err = open(dir); return err }
	step("open, empty", 1, opened)
	step("load", items, func() error { return s.Load(items, func(i int) Pair { return pair(i, 0) }) })
	if err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	step("open, 200,000 items", 1, opened)
	memory(name, "after opening")
	for _, writers := range []int{1, 16, 64} {
		n := min(1000*writers, 16_000)
		step(fmt.Sprintf("put, %d writers", writers), n, func() error { return put(s, writers, n) })
	}
	r := rand.New(rand.NewPCG(9, 9))
	step("get", 100_000, func() error {
		for range 100_000 {
			if v, err := s.Get(key(r.IntN(items))); err != nil || len(v) != valueSize {
				return fmt.Errorf("%d bytes, %w", len(v), err)
			}
		}
		return nil
	})
	step("query of 100", 5000, func() error {
		for range 5000 {
			n := 0
			err := s.Query(prefix(r.IntN(items/partition)), partition, func(_, v []byte) { n += len(v) })
			if err != nil || n != partition*valueSize {
				return fmt.Errorf("%d bytes, %w", n, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	memory(name, "at the end")
	var disk int64
	err = filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			disk += st.Blocks * 512
		}
		return err
	})
	fmt.Printf("%-7s on disk %d MB, of %d MB of keys and values\n", name, disk>>20, items*(2*valueSize+19+30)>>20)
	if err != nil {
		return err
	}
	return s.Close()
}

func put(s Store, writers, n int) error {
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 2))
			for version := 1; version <= n/writers && errs[w] == nil; version++ {
				errs[w] = s.Put(pair(r.IntN(items), version))
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// processor is the user and system time of this process.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		log.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// memory prints what is resident, and what of it is not the page cache's.
func memory(name, when string) {
	runtime.GC()
	text, _ := os.ReadFile("/proc/self/status") // Linux; elsewhere nothing is printed
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "RssAnon") {
			fmt.Printf("%-7s %s: %s\n", name, when, strings.Join(strings.Fields(line), " "))
		}
	}
}
