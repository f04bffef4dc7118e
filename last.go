package tablewright

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Last reads the n items before a position, or at the end of the answer for "", in the query's order: where a reader pages
// backward. The position is a cursor of the same query, of an item that then is not among them; Resume, which states
// another end, must not be set, nor Top.
//
// It reads from there on in the opposite direction, one item further than it returns, and behind a filter up to the
// next item that passes it. So Page.Previous is exact: it is "" when nothing precedes. Page.Next is the position of the last
// item if before was one, and "" otherwise. A query of several partitions, shards or the buckets of a time, has no Last: it is
// ErrInvalid; turn the order around with Descending.
func (q Query[T]) Last(ctx context.Context, db *DB, before Cursor, n int) (Page[T], error) {
	var items []T
	end, err := q.s.last(ctx, db, before, n, &items)
	return pageOf(items, end), err
}

// last appends the items of a page that ends before a position to a slice.
func (s *state) last(ctx context.Context, db *DB, before Cursor, n int, slice any) (pageEnd, error) {
	items := placesIn(slice)
	s = s.or()
	if s.several() {
		return pageEnd{}, &Error{Operation: "Query", Table: s.x.d.table.p.Name, Index: s.x.index, Pattern: s.pattern, kinds: []error{ErrInvalid},
			detail: "it reads several partitions, whose cursors lead forward only: turn its order around with Descending"}
	}
	forward, err := s.open(db) // names the query in cursors
	if err != nil {
		return pageEnd{}, err
	}
	defer forward.close()
	switch {
	case n <= 0:
		return pageEnd{}, fail(forward.c, ErrInvalid, fmt.Errorf("a page of %d items: ask for one or more", n))
	case s.resume != "" || s.top > 0:
		return pageEnd{}, fail(forward.c, ErrInvalid, fmt.Errorf("the last items are asked for of a query with Resume or Top"))
	}
	s = s.copy()
	s.descending = !s.descending
	r, err := s.open(db)
	if err != nil {
		return pageEnd{}, err
	}
	defer r.close()
	if before != "" {
		if r.start, err = db.cursors.open(forward.base, before); err != nil {
			return pageEnd{}, fail(r.c, nil, err)
		}
	}
	want := n
	if n < math.MaxInt {
		want++
	}
	p, err := readPage(ctx, r, s, want, items)
	if err != nil {
		return p, err
	}
	more := items.len() > n || p.next != "" && items.len() < want // Evaluate ended it early: something may precede
	items.cut(min(n, items.len()))
	p.at.keys = p.at.keys[:items.len()]
	items.reverse()
	slices.Reverse(p.at.keys)
	p.at.query, p.next = forward.base, ""
	switch {
	case items.len() == 0 && more:
		p.previous = db.cursors.seal(forward.base, r.start)
	case more:
		p.previous = p.at.cursor(0)
	}
	if before != "" && items.len() > 0 {
		p.next = p.at.cursor(items.len() - 1)
	}
	return p, nil
}
