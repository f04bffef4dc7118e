package tablewright

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Page is some items of a query, and where to go on.
type Page[T any] struct {
	Items   []T
	Next    Cursor // "" at the end. Without a filter it is "" exactly when nothing follows; with one, the last page may be empty
	Scanned int    // items looked at, before the filter

	// Previous is the position of the first item where items precede it, for the next Last; "" if none does, with or without a
	// filter. Only Last fills it.
	Previous Cursor

	cursors cursorBox
	query   []byte   // names the query
	keys    [][]byte // position of each item
	from    place    // of a query of several partitions: where the page begins,
	spots   []spot   // and where its items lie
}

// At is the cursor after Items[i].
func (p Page[T]) At(i int) Cursor {
	if p.spots == nil {
		return p.cursors.seal(p.query, p.keys[i])
	}
	at := p.from
	at.starts, at.ended = slices.Clone(at.starts), slices.Clone(at.ended)
	for _, s := range p.spots[:i+1] {
		at.pass(s)
	}
	return p.cursors.seal(p.query, at.text())
}

// readPage reads n items. Without a filter it reads one item further, to know whether one follows.
func readPage[T any](ctx context.Context, r *reader, s *state, n int) (Page[T], error) {
	p := Page[T]{cursors: r.db.cursors, query: r.base}
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
		if !filtered && (limit == 0 || limit > want-len(p.Items)) {
			limit = want - len(p.Items)
		}
		if !r.more(ctx, limit) {
			break
		}
		for raw := range r.items() {
			if len(p.Items) == n { // one item further: something follows
				full = true
				break
			}
			var none T
			p.Items = append(p.Items, none)
			if err := decodeAs(r.db, s.x, raw, s.decode, &p.Items[len(p.Items)-1]); err != nil {
				p.Items = p.Items[:len(p.Items)-1]
				return p, fail(r.c, nil, err)
			}
			p.keys = append(p.keys, r.position(raw))
			if filtered && len(p.Items) == n {
				full = true
				break
			}
		}
	}
	if r.err != nil {
		return p, r.err
	}
	p.Scanned = r.scanned
	switch {
	case full && len(p.Items) > 0:
		p.Next = p.At(len(p.Items) - 1)
	case !r.ended && r.start != nil:
		p.Next = r.db.cursors.seal(r.base, r.start)
	}
	return p, nil
}
