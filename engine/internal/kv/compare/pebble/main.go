// The workload on Pebble: a prefix of the key tells items from entries.
package main

import (
	"bytes"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/tablewright/tablewright/engine/internal/kv/compare/workload"
)

type store struct{ db *pebble.DB }

// quiet keeps Pebble's events to itself.
type quiet struct{}

func (quiet) Infof(string, ...any)              {}
func (quiet) Errorf(string, ...any)             {}
func (quiet) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func main() { workload.Main("pebble", open) }

func open(dir string) (workload.Store, error) {
	cache := pebble.NewCache(32 << 20)
	defer cache.Unref()
	db, err := pebble.Open(dir, &pebble.Options{Cache: cache, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	return &store{db}, err
}

func item(key []byte) []byte  { return append([]byte{'t'}, key...) }
func entry(key []byte) []byte { return append([]byte{'i'}, key...) }

func write(b *pebble.Batch, p workload.Pair) error {
	if err := b.Set(item(p.Key), p.Value, nil); err != nil {
		return err
	}
	return b.Set(entry(p.IndexKey), p.IndexValue, nil)
}

func (s *store) Put(p workload.Pair) error {
	if _, err := s.Get(p.Key); err != nil {
		return err
	}
	b := s.db.NewBatch()
	if err := write(b, p); err != nil {
		return err
	}
	return b.Commit(pebble.Sync)
}

func (s *store) Load(n int, pair func(int) workload.Pair) error {
	for i := 0; i < n; {
		b := s.db.NewBatch()
		for end := min(i+400, n); i < end; i++ {
			if err := write(b, pair(i)); err != nil {
				return err
			}
		}
		if err := b.Commit(pebble.Sync); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) Get(key []byte) ([]byte, error) {
	v, closer, err := s.db.Get(item(key))
	if err != nil {
		return nil, err
	}
	return bytes.Clone(v), closer.Close()
}

func (s *store) Query(prefix []byte, n int, f func(k, v []byte)) error {
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: entry(prefix), UpperBound: append(entry(prefix), 0xff)})
	if err != nil {
		return err
	}
	for it.First(); n > 0 && it.Valid(); it.Next() {
		f(it.Key(), it.Value())
		n--
	}
	return it.Close()
}

func (s *store) Close() error { return s.db.Close() }
