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
// item if before was one, and "" otherwise. A query of several partitions, shards or the buckets of a time, asks each of them
// twice for a page before a position: for the first item behind it, and back from there. It has no Last with Evaluate.
func (q Query[T]) Last(ctx context.Context, db *DB, before Cursor, n int) (Page[T], error) {
	var items []T
	end, err := q.s.last(ctx, db, before, n, &items)
	return pageOf(items, end), err
}

// last appends the items of a page that ends before a position to a slice.
func (s *state) last(ctx context.Context, db *DB, before Cursor, n int, slice any) (pageEnd, error) {
	items := placesIn(slice)
	s = s.or()
	refuse := func(format string, args ...any) error {
		e := s.failure(db, ErrInvalid)
		e.detail = fmt.Sprintf(format, args...)
		return e
	}
	switch {
	case n <= 0:
		return pageEnd{}, refuse("a page of %d items: ask for one or more", n)
	case s.resume != "" || s.top > 0:
		return pageEnd{}, refuse("the last items are asked for of a query with Resume or Top, which say where it begins and ends: Last begins at the end")
	case s.several() && s.evaluate > 0:
		return pageEnd{}, refuse("it reads several partitions backward, which ends only at an item of each: leave out Evaluate")
	case s.several():
		return s.lastRows(ctx, db, before, n, items)
	}
	forward, err := s.open(db) // names the query in cursors
	if err != nil {
		return pageEnd{}, err
	}
	defer forward.close()
	s = s.copy()
	s.descending = !s.descending
	r, err := s.open(db)
	if err != nil {
		return pageEnd{}, err
	}
	defer r.close()
	if before != "" {
		if err = r.from(forward.base, before); err != nil {
			return pageEnd{}, err
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

// lastRows is last of several partitions. What the cursor tells of each is the last item that comes before its own: reading back
// begins at the item behind that, so that it is among what is read.
func (s *state) lastRows(ctx context.Context, db *DB, before Cursor, n int, items places) (p pageEnd, err error) {
	forward, err := s.after(before).rows(db)
	if err != nil {
		return p, err
	}
	defer forward.close()
	forward.want = 1
	reversed := s.copy()
	reversed.descending = !reversed.descending
	back, err := reversed.rows(db)
	if err != nil {
		return p, err
	}
	defer back.close()
	if before != "" {
		if err := forward.turn(ctx, back); err != nil {
			return p, err
		}
	}
	back.want = min(n, math.MaxInt-1) + 1
	for items.len() < n {
		raw, r, i := back.next(ctx)
		if raw == nil {
			break
		}
		if err := s.append(r, raw, items); err != nil {
			return p, err
		}
		p.at.spots = append(p.at.spots, spot{len(back.buckets) - 1 - back.at, i, r.position(raw)})
	}
	more := items.len() == n && back.ready(ctx)
	if back.err != nil {
		return p, back.err
	}
	items.reverse()
	slices.Reverse(p.at.spots)
	p.at.cursors, p.at.query = db.cursors, forward.name
	p.scanned = forward.looked() + back.looked()
	if items.len() == 0 {
		return p, nil
	}
	p.at.from = newPlace(p.at.spots[0].bucket, len(back.shards))
	if back.at == len(back.buckets)-1-p.at.from.bucket {
		for i, sh := range back.shards {
			if sh.head {
				p.at.from.starts[i] = sh.r.position(sh.raws[0])
			}
		}
	}
	if more {
		p.previous = p.at.cursor(0)
	}
	if before != "" {
		p.next = p.at.cursor(items.len() - 1)
	}
	return p, nil
}

// turn makes back read, in the opposite direction, what comes before the item whose cursor m goes on from.
func (m *rows) turn(ctx context.Context, back *rows) error {
	if err := back.enter(len(back.buckets) - 1 - m.from.bucket); err != nil {
		return err
	}
	var lack []*shardRows
	for i, sh := range m.shards {
		if i != m.from.own && !sh.ended && m.from.starts[i] != nil {
			lack = append(lack, sh)
		}
	}
	if err := m.fill(ctx, lack); err != nil {
		return err
	}
	for i, sh := range back.shards {
		switch ahead := m.shards[i]; {
		case i == m.from.own:
			sh.r.start = m.from.starts[i]
		case ahead.head:
			sh.r.start = ahead.r.position(ahead.raws[0])
		case ahead.ended: // all of it comes before
		default:
			sh.ended, sh.r.ended = true, true
		}
		sh.behind = sh.r.start
	}
	return nil
}
