package engine

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// An index that is added to a table with items is filled step by step. From the moment it is defined writes keep it up to
// date; each step adds the entries of some items as they are in the same update. Which step comes next is not stored:
// after a restart the filling begins again, and finds most entries there.

// fillStep is how many items one update reads, at most: it ends as a page of a Scan does, so that large items neither fill
// the memory nor keep writes waiting.
const fillStep = 500

// fillPause is how long filling waits after a step that failed, for instance because the disk was full.
const fillPause = time.Second

// startFills fills the indexes of a table that are not full, but for those that its definition before, if there is one,
// says are being filled already. An index that was just added to a table whose items are few is full afterwards, unless a
// StateTime says that this takes its time.
func (e *Engine) startFills(before, t *table) {
	for _, x := range t.indexes {
		if !x.filling || before != nil && slices.ContainsFunc(before.indexes, func(y *index) bool { return y.space == x.space }) {
			continue
		}
		if before == nil || e.options.StateTime > 0 || !e.fillAtOnce(t, x) {
			e.tasks.startFill(func() { e.backfill(t, x) })
		}
	}
}

// fillAtOnce fills an index if one step does it, and reports whether it is full.
func (e *Engine) fillAtOnce(t *table, x *index) bool {
	few := false
	err := e.store.View(func(r kv.Reader) error {
		s := statsOf(r, t.space)
		few = s.count <= fillStep && !capacity.PageFull(capacity.Bytes(s.bytes))
		return nil
	})
	if err != nil || !few {
		return false
	}
	var from []byte
	more, err := e.fill(t, x, &from)
	return err == nil && !more && e.filled(t, x) == nil
}

// backfill fills an index and then marks it as full. It ends early when table or index are gone or the engine is closed.
func (e *Engine) backfill(t *table, x *index) {
	e.metrics.fills.Add(1)
	defer e.metrics.fills.Add(-1)
	var from []byte
	for more := true; e.tasks.ctx.Err() == nil; {
		var err error
		if more {
			more, err = e.fill(t, x, &from)
		} else if err = e.filled(t, x); err == nil {
			return
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, errNoTable), errors.Is(err, kv.ErrClosed):
			return
		}
		e.options.Logger.Error("filling an index, to be tried again", "table", t.name, "index", x.name, "error", err)
		select {
		case <-e.tasks.ctx.Done():
		case <-time.After(fillPause):
		}
	}
}

// filled marks an index as full.
func (e *Engine) filled(t *table, x *index) error {
	return e.define(t.id, func(kv.Writer) (*definition, error) {
		now, err := e.current(t)
		if err != nil {
			return nil, err
		}
		def := *now.def
		def.Indexes = slices.Clone(def.Indexes)
		i := slices.IndexFunc(def.Indexes, func(d indexDefinition) bool { return d.Space == x.space })
		if i < 0 {
			return nil, errNoTable
		}
		def.Indexes[i].Filling = false
		return &def, nil
	})
}

// fill adds the entries of the next items from *from on.
func (e *Engine) fill(t *table, filling *index, from *[]byte) (more bool, err error) {
	var next []byte
	err = e.store.Update(func(w kv.Writer) error {
		now, err := e.current(t)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(now.indexes, func(y *index) bool { return y.space == filling.space })
		if i < 0 {
			return errNoTable
		}
		x := now.indexes[i]
		var items []stored
		var sum capacity.Bytes
		more = false
		w.Ascend(now.space, *from, nil, func(key, value []byte) bool {
			if len(items) == fillStep || capacity.PageFull(sum) {
				more = true
				next = bytes.Clone(key)
				return false
			}
			items = append(items, value)
			sum += stored(value).size()
			return true
		})
		e.metrics.filled.Add(uint64(len(items)))
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
	if err != nil { // the step is to be done again
		return true, err
	}
	*from = next
	return more, nil
}
