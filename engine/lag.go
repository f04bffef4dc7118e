package engine

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
)

// Lag makes global secondary indexes eventually consistent, as the service's are: every entry that a write adds, changes
// or removes is shown a random time later, each on its own, also the two of one item whose index key changes and those
// of one transaction. Changes of the same entry keep their order. Time is the engine's Clock's: with a clock that
// stands still nothing shows.
type Lag struct {
	// Max bounds the time; it is drawn evenly from 0 to Max. Below 0 counts as 0, above 70 years as that.
	Max time.Duration
	// Seed makes the times repeatable: the same writes in the same order get the same ones.
	Seed uint64
}

// lag is the state behind a Lag. What waits is stored in spacePending:
//
//	due (8 bytes, ns since 1970) and a number (8 bytes) → space (4 bytes), length of the key (uvarint), key, value
//
// where an empty value removes the entry. An index that is held (HoldIndex) has all its changes due at the end of time. All
// but next is used within updates only, which run one at a time.
type lag struct {
	on     bool             // entries of all global indexes are delayed
	held   map[kv.Space]int // indexes that are held, and how often
	max    time.Duration
	random rand.PCG
	number uint64
	last   map[string]int64 // space and key → when the last waiting change of the entry is due
	next   atomic.Int64     // when the first waiting change is due
	engine *Engine
}

// maxLag added to a time of this century is one that can be stored.
const maxLag = 70 * 365 * 24 * time.Hour

// startLag takes up what waited when the data was closed; without a lag it is shown at once.
func (e *Engine) startLag() error {
	l := &lag{held: map[kv.Space]int{}, last: map[string]int64{}, engine: e}
	l.next.Store(math.MaxInt64)
	e.lag = l
	o := e.options.Lag
	if o == nil {
		return e.showUntil(heldUntil)
	}
	l.on, l.max, l.random = true, min(max(o.Max, 0), maxLag), *rand.NewPCG(o.Seed, 0)
	if err := e.showHeld(nil); err != nil { // nobody is there any more who held them
		return err
	}
	return e.store.View(func(r kv.Reader) error {
		r.Ascend(spacePending, nil, nil, func(key, value []byte) bool {
			due := int64(binary.BigEndian.Uint64(key))
			l.next.Store(min(l.next.Load(), due))
			l.number = max(l.number, binary.BigEndian.Uint64(key[8:])+1)
			s, k, _ := decodePending(value)
			l.last[string(spaceKey(s))+string(k)] = due
			return true
		})
		return nil
	})
}

// delay lets a change of an entry wait.
func (l *lag) delay(w kv.Writer, s kv.Space, key []byte, v stored) {
	due := int64(heldUntil)
	if l.held[s] == 0 {
		random := l.random
		w.Undone(func() { l.random = random })
		due = max(l.engine.nanoseconds()+rand.New(&l.random).Int64N(int64(l.max)+1), l.last[string(spaceKey(s))+string(key)])
	}
	l.put(w, due, s, key, v)
}

// put stores a change that is due at a time.
func (l *lag) put(w kv.Writer, due int64, s kv.Space, key []byte, v stored) {
	id := string(spaceKey(s)) + string(key)
	number, last, next := l.number, l.last[id], l.next.Load()
	w.Undone(func() {
		l.number = number
		l.next.Store(next)
		l.setLast(id, last)
	})
	l.last[id] = due
	l.next.Store(min(l.next.Load(), due))
	k := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(due)), l.number)
	l.number++
	value := binary.AppendUvarint(spaceKey(s), uint64(len(key)))
	w.Put(spacePending, k, append(append(value, key...), v...))
}

// hold has the changes of an index that wait already wait with those that come: the index stays as it is. What is due was
// shown to who asks.
func (l *lag) hold(w kv.Writer, s kv.Space) {
	var keys, values [][]byte
	notDue := binary.BigEndian.AppendUint64(nil, uint64(l.engine.nanoseconds())+1)
	w.Ascend(spacePending, notDue, nil, func(key, value []byte) bool {
		if of, _, _ := decodePending(value); of == s {
			keys, values = append(keys, bytes.Clone(key)), append(values, bytes.Clone(value))
		}
		return true
	})
	for i, value := range values {
		_, key, entry := decodePending(value)
		l.shown(w, keys[i], s, key)
		l.put(w, heldUntil, s, key, entry)
	}
}

// setLast keeps when the last waiting change of an entry is due; 0: none waits.
func (l *lag) setLast(id string, due int64) {
	if due == 0 {
		delete(l.last, id)
		return
	}
	l.last[id] = due
}

func decodePending(value []byte) (s kv.Space, key, entry []byte) {
	s = kv.Space(binary.BigEndian.Uint32(value))
	n, l := binary.Uvarint(value[4:])
	value = value[4+l:]
	return s, value[:n], value[n:]
}

// showDue shows the changes whose time has come. Every read of a global index begins with it.
func (e *Engine) showDue() error {
	now := e.nanoseconds()
	if e.lag.next.Load() > now {
		return nil
	}
	return e.showUntil(now)
}

// showUntil shows what is due up to a time, in as many updates as that takes: others get their turn between.
func (e *Engine) showUntil(time int64) error {
	for more := true; more; {
		err := e.store.Update(func(w kv.Writer) error {
			more = e.show(w, time)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Settle shows all writes answered before it in all global secondary indexes, as if the longest delay had passed, but not in
// those that are held. Without a Lag there is nothing to show.
func (e *Engine) Settle() error { return e.showUntil(heldUntil - 1) }

// Pending is how many changes of index entries wait to be shown at this time.
func (e *Engine) Pending() (n int, err error) {
	if err := e.showDue(); err != nil {
		return 0, err
	}
	err = e.store.View(func(r kv.Reader) error {
		n = 0
		r.Ascend(spacePending, nil, nil, func(_, _ []byte) bool { n++; return true })
		return nil
	})
	return n, err
}

// show carries out what is due up to a time, a megabyte of it; more is whether there is more of it.
func (e *Engine) show(w kv.Writer, now int64) (more bool) {
	var keys, values [][]byte
	var sum capacity.Bytes
	next := int64(math.MaxInt64)
	w.Ascend(spacePending, nil, nil, func(key, value []byte) bool {
		due := int64(binary.BigEndian.Uint64(key))
		if due > now || capacity.PageFull(sum) {
			next, more = due, due <= now
			return false
		}
		sum += capacity.Bytes(len(key) + len(value))
		keys, values = append(keys, bytes.Clone(key)), append(values, bytes.Clone(value))
		return true
	})
	before := e.lag.next.Load()
	w.Undone(func() { e.lag.next.Store(before) })
	spaces := e.ahead.Load().indexSpaces()
	for i, value := range values {
		s, key, entry := decodePending(value)
		if len(entry) == 0 {
			entry = nil
		}
		if spaces[s] { // the index may be gone
			putEntry(w, s, key, entry)
		}
		e.lag.shown(w, keys[i], s, key)
	}
	e.lag.next.Store(next)
	return more
}

// shown removes a change that was carried out.
func (l *lag) shown(w kv.Writer, pending []byte, s kv.Space, key []byte) {
	w.Delete(spacePending, pending)
	id := string(spaceKey(s)) + string(key)
	if due := int64(binary.BigEndian.Uint64(pending)); l.last[id] == due {
		w.Undone(func() { l.setLast(id, due) })
		l.setLast(id, 0)
	}
}

func (c *catalog) indexSpaces() map[kv.Space]bool {
	spaces := map[kv.Space]bool{}
	for _, t := range c.byID {
		for _, x := range t.indexes {
			spaces[x.space] = true
		}
	}
	return spaces
}
