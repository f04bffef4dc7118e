package tablewright

import (
	"context"
	"iter"
	"reflect"
)

// How queries run, whatever the type of their items: Query's methods are a line each, since all of them are compiled for
// every declared type. What is read goes into a pointer, to an item or to a slice of items, that comes as an any.

// sequence is what a run yields, item by item, each in the same place. It is one function in the compiled code of each type.
//
//go:noinline
func sequence[T any](run func(item any, next func() bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		item := new(T) // one for all: what is yielded is a copy
		if err := run(item, func() bool { return yield(*item, nil) }); err != nil {
			var none T
			yield(none, err)
		}
	}
}

// places is a slice of items that are decoded where they stay.
type places struct{ v reflect.Value }

func placesIn(slice any) places { return places{reflect.ValueOf(slice).Elem()} }

func (p places) len() int { return p.v.Len() }

func (p places) grow(n int) {
	if n > 0 {
		p.v.Grow(n)
	}
}

// add makes a place for one more item.
func (p places) add() reflect.Value {
	n := p.v.Len()
	if n == p.v.Cap() {
		p.v.Grow(1)
	}
	p.v.SetLen(n + 1)
	return p.v.Index(n)
}

// drop takes the last place away.
func (p places) drop() { p.cut(p.len() - 1) }

func (p places) cut(n int) { p.v.SetLen(n) }

func (p places) reverse() {
	swap := reflect.Swapper(p.v.Interface())
	for i, j := 0, p.len()-1; i < j; i, j = i+1, j-1 {
		swap(i, j)
	}
}

// filter adds filters.
func (s *state) filter(tests []test) *state {
	s = s.copy()
	s.tests = both(s.tests, tests)
	return s
}

// first ends the answer after n items.
func (s *state) first(n int) *state {
	s = s.copy()
	s.top = n
	return s
}

// after begins after a position.
func (s *state) after(c Cursor) *state {
	s = s.copy()
	s.resume = c
	return s
}

// decodeItem decodes an item of the answer, with what the index's keys tell of it, by way of what Transform has put in
// between.
func (s *state) decodeItem(db *DB, raw []byte, into reflect.Value) error {
	if s.decode != nil {
		return s.decode(db, raw, into.Addr().Interface())
	}
	return s.x.decodeItem(db, raw, into)
}

// limit is how many items each request looks at; 0: as many as the service does.
func (s *state) limit() int {
	if s.evaluate == 0 && len(s.tests) == 0 {
		return s.top
	}
	return s.evaluate
}

// all decodes one item after the other into item and calls next, until that says no.
func (s *state) all(ctx context.Context, db *DB, item any, next func() bool) error {
	into := reflect.ValueOf(item).Elem()
	s = s.or()
	left := s.top
	var bad error
	err := s.each(ctx, db, func(r *reader, raw []byte) bool {
		if err := s.decodeItem(db, raw, into); err != nil {
			bad = fail(r.c, nil, err)
			return false
		}
		left--
		return next() && left != 0
	})
	return firstOf(bad, err)
}

// each gives every item of a query to f, as JSON that is valid until f returns, until f wants no more.
func (s *state) each(ctx context.Context, db *DB, f func(r *reader, raw []byte) bool) error {
	s = s.or()
	if s.several() {
		m, err := s.rows(db)
		if err != nil {
			return err
		}
		defer m.close()
		m.want = s.top
		for raw, r, _ := m.next(ctx); raw != nil; raw, r, _ = m.next(ctx) {
			if !f(r, raw) {
				return nil
			}
		}
		return m.err
	}
	r, err := s.open(db)
	if err != nil {
		return err
	}
	defer r.close()
	limit := s.limit()
	for r.more(ctx, limit) {
		for _, raw := range r.c.raws {
			if r.belongs(raw) && !f(r, raw) {
				return nil
			}
		}
	}
	return r.err
}

// slice appends all items to a slice.
func (s *state) slice(ctx context.Context, db *DB, slice any) error {
	items := placesIn(slice)
	s = s.or()
	if s.several() {
		var bad error
		err := s.each(ctx, db, func(r *reader, raw []byte) bool {
			bad = s.append(r, raw, items)
			return bad == nil && items.len() != s.top
		})
		return firstOf(bad, err)
	}
	r, err := s.open(db)
	if err != nil {
		return err
	}
	defer r.close()
	limit := s.limit()
	for r.more(ctx, limit) {
		room := len(r.c.raws)
		if s.top > 0 {
			room = min(room, s.top-items.len())
		}
		items.grow(room)
		for _, raw := range r.c.raws {
			if !r.belongs(raw) {
				continue
			}
			if err := s.append(r, raw, items); err != nil {
				return err
			}
			if items.len() == s.top {
				return nil
			}
		}
	}
	return r.err
}

// append decodes an item into its place, not by way of another.
func (s *state) append(r *reader, raw []byte, items places) error {
	if err := s.decodeItem(r.db, raw, items.add()); err != nil {
		items.drop()
		return fail(r.c, nil, err)
	}
	return nil
}

// one decodes the first item; alone says that there must be no other.
func (s *state) one(ctx context.Context, db *DB, item any, alone bool) error {
	n, most := 0, 1
	if alone {
		most = 2
	}
	if s = s.or(); s.top > 0 {
		most = min(most, s.top)
	}
	if s.top >= 0 { // else it is refused
		s = s.first(most)
	}
	into := reflect.ValueOf(item).Elem()
	var bad error
	err := s.each(ctx, db, func(r *reader, raw []byte) bool {
		if n++; n == 1 {
			if err := s.decodeItem(db, raw, into); err != nil {
				bad = fail(r.c, nil, err)
			}
		}
		return bad == nil && n < most
	})
	switch {
	case bad != nil || err != nil:
		return firstOf(bad, err)
	case n == 0:
		return s.failure(db, ErrNotFound)
	case n > 1:
		return s.failure(db, ErrSeveral)
	}
	return nil
}

func (s *state) failure(db *DB, kind error) *Error {
	return &Error{Time: db.instant(), Operation: "Query", Table: s.x.d.table.p.Name, Index: s.x.index, Pattern: s.pattern, kinds: []error{kind}}
}

func (s *state) count(ctx context.Context, db *DB) (int, error) {
	s = s.or()
	if s.several() {
		return s.countRows(ctx, db)
	}
	s = s.copy()
	s.counting = s.top == 0
	r, err := s.open(db)
	if err != nil {
		return 0, err
	}
	defer r.close()
	n := 0
	for r.more(ctx, s.evaluate) {
		if r.counting {
			n += r.counted
			continue
		}
		for range r.items() {
			if n++; n == s.top {
				return n, nil
			}
		}
	}
	return n, r.err
}

// Request is what the first request would be.
func (s *state) Request() (Request, error) {
	s = s.or()
	if s.several() {
		m, err := s.rows(nowhere)
		if err != nil {
			return Request{}, err
		}
		defer m.close()
		m.want, m.most = s.limit(), s.evaluate
		first := m.shards[0].r
		first.compose(m.limit())
		return first.c.request(), nil
	}
	r, err := s.open(nowhere)
	if err != nil {
		return Request{}, err
	}
	defer r.close()
	r.compose(s.evaluate)
	return r.c.request(), nil
}

// page appends the items of a page to a slice.
func (s *state) page(ctx context.Context, db *DB, n int, slice any) (pageEnd, error) {
	items := placesIn(slice)
	s = s.or()
	if s.top > 0 { // whoever goes on behind the page does not know how many are left of them
		e := s.failure(db, ErrInvalid)
		e.detail = "a page of a query with Top: Page and Pages say themselves how many items, leave out Top"
		return pageEnd{}, e
	}
	if s.several() {
		m, err := s.rows(db)
		if err != nil {
			return pageEnd{}, err
		}
		defer m.close()
		return readRows(ctx, m, n, items)
	}
	r, err := s.open(db)
	if err != nil {
		return pageEnd{}, err
	}
	defer r.close()
	return readPage(ctx, r, s, n, items)
}
