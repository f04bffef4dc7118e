package kv

import "sync"

// Memory is a Store that keeps nothing: a B-tree per space. Views hold a read lock, so that reading copies nothing and
// writing copies nothing either; they are short, since a page of a query ends at 1 MB.
type Memory struct {
	mu     sync.RWMutex
	writer writer // of its one level
	closed bool
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{writer: writer{snapshot: snapshot{levels: []*level{newLevel(true)}}}}
}

// View implements Store.
func (m *Memory) View(f func(Reader) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return ErrClosed
	}
	return f(&m.writer.snapshot)
}

// Aside implements Store.
func (m *Memory) Aside(f func(Reader) error) error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return ErrClosed
	}
	now := m.writer.levels[0].copy()
	m.mu.Unlock()
	return f(&snapshot{levels: []*level{now}})
}

// Update implements Store.
func (m *Memory) Update(f func(Writer) error) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	err = m.writer.run(f)
	m.writer.show()
	m.writer.forget()
	return err
}

// Close implements Store; everything is forgotten.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.writer = true, writer{}
	return nil
}

// writer reads a snapshot and changes its first level.
type writer struct {
	snapshot
	undone []func()
	done   []func()
}

// run runs an update. If it fails or panics, the level is as it was before.
func (t *writer) run(f func(Writer) error) (err error) {
	n, m, d := len(t.levels[0].journal), len(t.undone), len(t.done)
	defer func() {
		if p := recover(); p != nil {
			err = NewPanicError(p)
		}
		if err != nil {
			t.levels[0].takeBack(n)
			undo(t.undone[m:])
			t.undone, t.done = t.undone[:m], t.done[:d]
		}
	}()
	return f(t)
}

// show calls what updates gave to Done; no view runs.
func (t *writer) show() {
	for _, f := range t.done {
		f()
	}
}

// forget is that nothing of what was done can be undone any more.
func (t *writer) forget() {
	t.levels[0].forget(0)
	clear(t.undone)
	clear(t.done)
	t.undone, t.done = t.undone[:0], t.done[:0]
}

// Put implements Writer.
func (t *writer) Put(s Space, key, value []byte) {
	if value == nil { // which would be a deleted one
		value = []byte{}
	}
	t.levels[0].set(s, pair{text(key), value})
}

// Delete implements Writer.
func (t *writer) Delete(s Space, key []byte) { t.levels[0].remove(s, text(key)) }

// Drop implements Writer.
func (t *writer) Drop(s Space) { t.levels[0].drop(s) }

// Undone implements Writer.
func (t *writer) Undone(f func()) { t.undone = append(t.undone, f) }

// Done implements Writer.
func (t *writer) Done(f func()) { t.done = append(t.done, f) }
