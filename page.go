package tablewright

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Page is some items of a query, and where to go on.
type Page[T any] struct {
	Items   []T    // where there are none it is empty, not nil: JSON has [] of it
	Next    Cursor // "" at the end. Without a filter it is "" exactly when nothing follows; with one, the last page may be empty
	Scanned int    // items looked at, before the filter

	// Previous is the position of the first item where items precede it, for the next Last; "" if none does, with or without a
	// filter. Only Last fills it.
	Previous Cursor

	at *pageAt
}

// pageAt is where a page's items lie.
type pageAt struct {
	cursors cursorBox
	query   []byte   // names the query
	keys    [][]byte // position of each item
	from    place    // of a query of several partitions: where the page begins,
	spots   []spot   // and where its items lie
}

// At is the cursor after Items[i].
func (p Page[T]) At(i int) Cursor { return p.at.cursor(i) }

func (p *pageAt) cursor(i int) Cursor {
	if p.spots == nil {
		return p.cursors.seal(p.query, p.keys[i])
	}
	return p.cursors.seal(p.query, p.place(i).text())
}

// place is behind the item i of several partitions.
func (p *pageAt) place(i int) place {
	at := p.from
	at.starts, at.ended = slices.Clone(at.starts), slices.Clone(at.ended)
	for _, s := range p.spots[:i+1] {
		at.pass(s)
	}
	return at
}

// pageEnd is a page without its items.
type pageEnd struct {
	next, previous Cursor
	scanned        int
	counted        int // of a scan that counts
	at             pageAt
}

// pageOf puts a page together. It is one function in the compiled code of each type; so is pagesOf.
//
//go:noinline
func pageOf[T any](items []T, end pageEnd) Page[T] {
	if items == nil {
		items = []T{} // which a handler writes as [] and not as null
	}
	return Page[T]{Items: items, Next: end.next, Previous: end.previous, Scanned: end.scanned, at: &end.at}
}

//go:noinline
func pagesOf[T any](ctx context.Context, db *DB, n int, s *state) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		s := s
		for more := true; more; {
			var items []T
			end, err := s.page(ctx, db, n, &items)
			if err == nil && len(items) == 0 && end.next == "" {
				return
			}
			more = yield(pageOf(items, end), err) && err == nil && end.next != ""
			s = s.after(end.next)
		}
	}
}

// readPage reads n items. Without a filter it reads one item further, to know whether one follows.
func readPage(ctx context.Context, r *reader, s *state, n int, items places) (pageEnd, error) {
	p := pageEnd{at: pageAt{cursors: r.db.cursors, query: r.base}}
	if n <= 0 {
		return p, fail(r.c, ErrInvalid, fmt.Errorf("a page of %d items: ask for one or more", n))
	}
	r.page = true
	filtered := len(s.tests) > 0
	want := n
	if !filtered && n < math.MaxInt {
		want++
	}
	full := false
	for !full {
		limit := s.evaluate
		if limit > 0 {
			if limit -= r.scanned; limit <= 0 {
				break // looked at as many as it may
			}
		}
		if !filtered && (limit == 0 || limit > want-items.len()) {
			limit = want - items.len()
		}
		if !r.more(ctx, limit) {
			break
		}
		for raw := range r.items() {
			if items.len() == n { // one item further: something follows
				full = true
				break
			}
			if err := s.append(r, raw, items); err != nil {
				return p, err
			}
			p.at.keys = append(p.at.keys, r.position(raw))
			if filtered && items.len() == n {
				full = true
				break
			}
		}
	}
	if r.err != nil {
		return p, r.err
	}
	p.scanned = r.scanned
	switch {
	case full && items.len() > 0:
		p.next = p.at.cursor(items.len() - 1)
	case !r.ended && r.start != nil:
		p.next = r.db.cursors.seal(r.base, r.start)
	}
	return p, nil
}
