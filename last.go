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
	if q.s.several() {
		return Page[T]{}, &Error{Operation: "Query", Table: q.s.x.d.table.p.Name, Index: q.s.x.index, Pattern: q.s.pattern, kinds: []error{ErrInvalid},
			detail: "it reads several partitions, whose cursors lead forward only: turn its order around with Descending"}
	}
	forward, err := q.s.open(db) // names the query in cursors
	if err != nil {
		return Page[T]{}, err
	}
	defer forward.close()
	s := q.s
	switch {
	case n <= 0:
		return Page[T]{}, fail(forward.c, ErrInvalid, fmt.Errorf("a page of %d items: ask for one or more", n))
	case s.resume != "" || s.top > 0:
		return Page[T]{}, fail(forward.c, ErrInvalid, fmt.Errorf("the last items are asked for of a query with Resume or Top"))
	}
	s.descending = !s.descending
	r, err := s.open(db)
	if err != nil {
		return Page[T]{}, err
	}
	defer r.close()
	if before != "" {
		if r.start, err = db.cursors.open(forward.base, before); err != nil {
			return Page[T]{}, fail(r.c, nil, err)
		}
	}
	want := n
	if n < math.MaxInt {
		want++
	}
	p, err := readPage[T](ctx, r, &s, want)
	if err != nil {
		return p, err
	}
	more := len(p.Items) > n || p.Next != "" && len(p.Items) < want // Evaluate ended it early: something may precede
	p.Items, p.keys = p.Items[:min(n, len(p.Items))], p.keys[:min(n, len(p.keys))]
	slices.Reverse(p.Items)
	slices.Reverse(p.keys)
	p.query, p.Next = forward.base, ""
	switch {
	case len(p.Items) == 0 && more:
		p.Previous = db.cursors.seal(forward.base, r.start)
	case more:
		p.Previous = p.At(0)
	}
	if before != "" && len(p.Items) > 0 {
		p.Next = p.At(len(p.Items) - 1)
	}
	return p, nil
}
