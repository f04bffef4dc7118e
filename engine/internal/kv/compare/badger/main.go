// The workload on Badger: a prefix of the key tells items from entries.
package main

import (
	"errors"

	"github.com/dgraph-io/badger/v4"
	"github.com/tablewright/tablewright/engine/internal/kv/compare/workload"
)

type store struct{ db *badger.DB }

func main() { workload.Main("badger", open) }

func open(dir string) (workload.Store, error) {
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithSyncWrites(true).WithBlockCacheSize(32 << 20).WithCompression(0))
	return &store{db}, err
}

func item(key []byte) []byte  { return append([]byte{'t'}, key...) }
func entry(key []byte) []byte { return append([]byte{'i'}, key...) }

func write(tx *badger.Txn, p workload.Pair) error {
	if err := tx.Set(item(p.Key), p.Value); err != nil {
		return err
	}
	return tx.Set(entry(p.IndexKey), p.IndexValue)
}

func (s *store) Put(p workload.Pair) error {
	for {
		err := s.db.Update(func(tx *badger.Txn) error {
			if _, err := tx.Get(item(p.Key)); err != nil {
				return err
			}
			return write(tx, p)
		})
		if !errors.Is(err, badger.ErrConflict) {
			return err
		}
	}
}

func (s *store) Load(n int, pair func(int) workload.Pair) error {
	for i := 0; i < n; {
		err := s.db.Update(func(tx *badger.Txn) error {
			for end := min(i+400, n); i < end; i++ {
				if err := write(tx, pair(i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *store) Get(key []byte) (v []byte, err error) {
	err = s.db.View(func(tx *badger.Txn) error {
		found, err := tx.Get(item(key))
		if err != nil {
			return err
		}
		v, err = found.ValueCopy(nil)
		return err
	})
	return v, err
}

func (s *store) Query(prefix []byte, n int, f func(k, v []byte)) error {
	return s.db.View(func(tx *badger.Txn) error {
		o := badger.DefaultIteratorOptions
		o.Prefix = entry(prefix)
		it := tx.NewIterator(o)
		defer it.Close()
		for it.Seek(o.Prefix); n > 0 && it.ValidForPrefix(o.Prefix); it.Next() {
			if err := it.Item().Value(func(v []byte) error { f(it.Item().Key(), v); return nil }); err != nil {
				return err
			}
			n--
		}
		return nil
	})
}

func (s *store) Close() error { return s.db.Close() }
