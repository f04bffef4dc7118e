package relay

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
)

// LoaderOptions of NewLoader; the zero value works.
type LoaderOptions struct {
	// Wait is how long the first key of a batch waits for others: long enough for the resolvers of one level to ask, short
	// beside a request. 0: 1 ms.
	Wait time.Duration

	Most       int  // keys of one batch, from 1 to 100, which are what one BatchGetItem takes; 0: 100
	Consistent bool // reads see every write that was answered before, at twice the price
}

// Getter is what a Loader reads by: an entity or a view.
type Getter[K, T any] interface {
	GetAll(keys []K) tablewright.GetAll[K, T]
}

// Loader reads items by key, many at a time. It is safe for concurrent use, and made for each request of a server's anew.
type Loader[K comparable, T any] struct {
	db   *tablewright.DB
	from Getter[K, T]
	o    LoaderOptions

	mu    sync.Mutex
	known map[K]*slot[T]
	next  *batch[K, T] // that is gathering; nil: none
}

// slot is an item that was asked for.
type slot[T any] struct {
	done  chan struct{} // closed when item and err are there
	item  T
	err   error
	leave func() // one who waited does not any more
	join  func()
}

// batch is some keys on their way.
type batch[K comparable, T any] struct {
	keys    []K
	slots   []*slot[T]
	timer   *time.Timer
	ctx     context.Context
	cancel  context.CancelFunc
	waiting int // who waits for any of it, under Loader.mu
	sent    bool
}

// NewLoader makes a loader over an entity or view: relay.NewLoader(db, Customers, relay.LoaderOptions{}).
func NewLoader[K comparable, T any](db *tablewright.DB, from Getter[K, T], o LoaderOptions) *Loader[K, T] {
	if o.Wait <= 0 {
		o.Wait = time.Millisecond
	}
	if o.Most <= 0 || o.Most > capacity.BatchGetItems {
		o.Most = capacity.BatchGetItems
	}
	return &Loader[K, T]{db: db, from: from, o: o, known: map[K]*slot[T]{}}
}

// Load reads the item with a key. tablewright.ErrNotFound says that there is none; that too is remembered. Other errors are
// not: the next Load of the key asks again. The error of ctx is that of this call alone.
func (l *Loader[K, T]) Load(ctx context.Context, key K) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	s := l.ask(ctx, key)
	select {
	case <-s.done:
		return s.item, s.err
	case <-ctx.Done():
		s.leave()
		return none, ctx.Err()
	}
}

// LoadAll reads the items with keys: one for each, in their order. Items that are not there are the zero T, with OK false;
// any other error is that of the whole.
func (l *Loader[K, T]) LoadAll(ctx context.Context, keys []K) ([]tablewright.Found[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slots := make([]*slot[T], len(keys))
	for i, key := range keys {
		slots[i] = l.ask(ctx, key)
	}
	found := make([]tablewright.Found[T], len(keys))
	var failed error
	for i, s := range slots {
		select {
		case <-s.done:
		case <-ctx.Done():
			for _, rest := range slots[i:] {
				rest.leave()
			}
			return nil, ctx.Err()
		}
		switch {
		case s.err == nil:
			found[i] = tablewright.Found[T]{Item: s.item, OK: true}
		case !errors.Is(s.err, tablewright.ErrNotFound) && failed == nil:
			failed = s.err
		}
	}
	if failed != nil {
		return nil, failed
	}
	return found, nil
}

// Prime makes an item known, such as one that a query has brought, unless the key is known already.
func (l *Loader[K, T]) Prime(key K, item T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known[key] != nil {
		return
	}
	s := &slot[T]{done: make(chan struct{}), item: item, leave: func() {}, join: func() {}}
	close(s.done)
	l.known[key] = s
}

// Clear forgets a key: after its item was written. The next Load reads it.
func (l *Loader[K, T]) Clear(key K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.known, key)
}

// ask finds the slot of a key, or puts the key into the batch that is gathering. Who asks waits, until done or leave.
func (l *Loader[K, T]) ask(ctx context.Context, key K) *slot[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.known[key]; s != nil {
		s.join()
		return s
	}
	b := l.next
	if b == nil {
		b = &batch[K, T]{}
		// Values of the context (traces, deadlines of none) are the first caller's; its end is not the others'.
		b.ctx, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
		b.timer = time.AfterFunc(l.o.Wait, func() { l.send(b) })
		l.next = b
	}
	s := &slot[T]{done: make(chan struct{})}
	s.join = func() { b.waiting++ }
	s.leave = func() { l.leave(b) }
	l.known[key] = s
	b.keys, b.slots = append(b.keys, key), append(b.slots, s)
	b.waiting++
	if len(b.keys) == l.o.Most {
		l.next = nil
		b.timer.Stop()
		go l.send(b)
	}
	return s
}

// leave ends a batch that nobody waits for.
func (l *Loader[K, T]) leave(b *batch[K, T]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.waiting--; b.waiting == 0 {
		b.cancel()
		if l.next == b { // not sent yet: others begin a new one
			l.next = nil
		}
		for i, key := range b.keys {
			if l.known[key] == b.slots[i] {
				delete(l.known, key)
			}
		}
	}
}

// send reads a batch and fills its slots.
func (l *Loader[K, T]) send(b *batch[K, T]) {
	l.mu.Lock()
	if l.next == b {
		l.next = nil
	}
	if b.sent { // the timer had fired when the batch became full
		l.mu.Unlock()
		return
	}
	b.sent = true
	l.mu.Unlock()
	defer b.cancel()
	found, errs := make([]tablewright.Found[T], len(b.keys)), make([]error, len(b.keys))
	l.read(b.ctx, b.keys, found, errs)
	l.mu.Lock()
	for i, s := range b.slots {
		switch {
		case errs[i] != nil:
			s.err = errs[i]
			if l.known[b.keys[i]] == s {
				delete(l.known, b.keys[i])
			}
		case found[i].OK:
			s.item = found[i].Item
		default:
			s.err = fmt.Errorf("relay: %w", tablewright.ErrNotFound)
		}
	}
	l.mu.Unlock()
	for _, s := range b.slots {
		close(s.done)
	}
}

// read reads keys. A key that cannot be asked for, such as an empty one, is an error of its own and not of the others that
// happen to be in its batch: these are asked for again without it.
func (l *Loader[K, T]) read(ctx context.Context, keys []K, found []tablewright.Found[T], errs []error) {
	get := l.from.GetAll(keys)
	if l.o.Consistent {
		get = get.Consistent()
	}
	got, err := get.Run(ctx, l.db)
	switch {
	case err == nil:
		copy(found, got)
	case errors.Is(err, tablewright.ErrInvalid) && len(keys) > 1:
		half := len(keys) / 2
		l.read(ctx, keys[:half], found[:half], errs[:half])
		l.read(ctx, keys[half:], found[half:], errs[half:])
	default:
		for i := range errs {
			errs[i] = err
		}
	}
}
