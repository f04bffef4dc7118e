package engine

import (
	"bytes"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// An index that is added to a table with items is filled step by step. From the moment it is defined writes keep it up to
// date; each step adds the entries of some items as they are in the same update. Which step comes next is not stored:
// after a restart the filling begins again, and finds most entries there.

// fillStep is how many items one update reads.
const fillStep = 500

// resumeBackfills goes on filling the indexes of a table that are not full.
func (e *Engine) resumeBackfills(t *table) {
	for _, x := range t.indexes {
		if x.filling {
			e.running.Go(func() { e.backfill(t, x.name) })
		}
	}
}

// backfill fills an index and then marks it as full.
func (e *Engine) backfill(t *table, name string) {
	var from []byte
	for {
		select {
		case <-e.stop:
			return
		default:
		}
		more, err := e.fill(t, name, &from)
		if err != nil {
			return // the table or index is gone, or the disk: the next start goes on
		}
		if !more {
			break
		}
	}
	_ = e.define(t.name, func(kv.Writer) (*definition, error) {
		now, err := e.current(t)
		if err != nil {
			return nil, err
		}
		def := *now.def
		def.Indexes = append([]indexDefinition(nil), def.Indexes...)
		for i := range def.Indexes {
			if def.Indexes[i].Name == name {
				def.Indexes[i].Filling = false
			}
		}
		return &def, nil
	})
}

// fill adds the entries of the next items from *from on.
func (e *Engine) fill(t *table, name string, from *[]byte) (more bool, err error) {
	start := *from
	err = e.store.Update(func(w kv.Writer) error {
		now, err := e.current(t)
		if err != nil {
			return err
		}
		var x *index
		for _, i := range now.indexes {
			if i.name == name {
				x = i
			}
		}
		if x == nil {
			return errNoTable
		}
		var items []stored
		more = false
		w.Ascend(now.space, start, nil, func(key, value []byte) bool {
			if len(items) == fillStep {
				more = true
				*from = bytes.Clone(key)
				return false
			}
			items = append(items, value)
			return true
		})
		for _, s := range items {
			it := s.item()
			if !x.holds(it) {
				continue
			}
			entry := stored{0}
			switch {
			case x.kind == expiryIndex:
			case x.entries.Projection == capacity.All:
				entry = bytes.Clone(s)
			default:
				entry = store(x.project(it))
			}
			putEntry(w, x.space, now.entryKey(x, it), entry)
		}
		return nil
	})
	return more, err
}
