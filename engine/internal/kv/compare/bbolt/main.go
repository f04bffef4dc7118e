// The workload on bbolt, with group commit as in ../../bolt.go.
package main

import (
	"bytes"
	"path/filepath"

	"github.com/tablewright/tablewright/engine/internal/kv/compare/workload"
	bolt "go.etcd.io/bbolt"
)

var table, index = []byte("table"), []byte("index")

type store struct {
	db    *bolt.DB
	waits chan *wait
	done  chan struct{}
}

type wait struct {
	workload.Pair
	answer chan error
}

func main() { workload.Main("bbolt", open) }

func open(dir string) (workload.Store, error) {
	db, err := bolt.Open(filepath.Join(dir, "data"), 0o600, &bolt.Options{NoFreelistSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists(table); err != nil {
			return err
		}
		_, err := tx.CreateBucketIfNotExists(index)
		return err
	})
	s := &store{db, make(chan *wait, 256), make(chan struct{})}
	go s.run()
	return s, err
}

// run commits all writes that wait in one transaction.
func (s *store) run() {
	defer close(s.done)
	for w := range s.waits {
		together := []*wait{w}
		for len(s.waits) > 0 && len(together) < 256 {
			together = append(together, <-s.waits)
		}
		err := s.db.Update(func(tx *bolt.Tx) error {
			for _, w := range together {
				_ = tx.Bucket(table).Get(w.Key)
				if err := write(tx, w.Pair); err != nil {
					return err
				}
			}
			return nil
		})
		for _, w := range together {
			w.answer <- err
		}
	}
}

func write(tx *bolt.Tx, p workload.Pair) error {
	if err := tx.Bucket(table).Put(p.Key, p.Value); err != nil {
		return err
	}
	return tx.Bucket(index).Put(p.IndexKey, p.IndexValue)
}

func (s *store) Put(p workload.Pair) error {
	w := &wait{p, make(chan error, 1)}
	s.waits <- w
	return <-w.answer
}

func (s *store) Load(n int, pair func(int) workload.Pair) error {
	for i := 0; i < n; {
		err := s.db.Update(func(tx *bolt.Tx) error {
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
	err = s.db.View(func(tx *bolt.Tx) error { v = bytes.Clone(tx.Bucket(table).Get(key)); return nil })
	return v, err
}

func (s *store) Query(prefix []byte, n int, f func(k, v []byte)) error {
	return s.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(index).Cursor()
		for k, v := c.Seek(prefix); n > 0 && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			f(k, v)
			n--
		}
		return nil
	})
}

func (s *store) Close() error {
	close(s.waits)
	<-s.done
	s.db.NoFreelistSync = false // as the engine does when closing
	if err := s.db.Update(func(*bolt.Tx) error { return nil }); err != nil {
		return err
	}
	return s.db.Close()
}
