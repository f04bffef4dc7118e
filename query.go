package tablewright

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/tablewright/tablewright/attr"
)

// Index is a field of a declared struct that addresses the table's key or an index: P is the type of its partition, a
// scalar or a struct of up to four, and N the first step on its sort side. Declare it as Index0 to Index4.
type Index[T, P any, N Step[N]] struct{ x *access }

// Index0 to Index4 name the number of sort parts.
type (
	Index0[T, P any]             = Index[T, P, Query[T]]
	Index1[T, P, A any]          = Index[T, P, Next[T, A, Query[T]]]
	Index2[T, P, A, B any]       = Index[T, P, Next[T, A, Next[T, B, Query[T]]]]
	Index3[T, P, A, B, C any]    = Index[T, P, Next[T, A, Next[T, B, Next[T, C, Query[T]]]]]
	Index4[T, P, A, B, C, D any] = Index[T, P, Next[T, A, Next[T, B, Next[T, C, Next[T, D, Query[T]]]]]]
)

func (i *Index[T, P, N]) bindIndex(d *decl, name string) error {
	typ := reflect.TypeFor[T]()
	if typ != d.typ {
		smaller, err := d.origin().view(typ)
		if err != nil {
			return err
		}
		d = smaller
	}
	x, err := newAccess(d, name)
	if err != nil {
		return err
	}
	c, err := newKeyCodec[P](d.origin(), x.partPaths)
	if err != nil {
		return fmt.Errorf("partition: %w", err)
	}
	x.bound = c
	var first N
	if err := first.bindStep(x, 0); err != nil {
		return err
	}
	i.x = x
	return nil
}

func (i *Index[T, P, N]) access() *access { return i.x }

// Of selects a partition.
func (i Index[T, P, N]) Of(p P) N {
	var first N
	if i.x == nil {
		return first.from(state{x: undeclaredAccess, err: errUndeclared})
	}
	s := state{x: i.x}
	c := i.x.bound.(*keyCodec[P])
	s.err = c.values(p, s.parts[:])
	s.n = int8(len(c.paths))
	return first.from(s)
}

// Step is what may follow in a key condition: Next, or a Query when there are no more parts.
type Step[N any] interface {
	from(state) N
	bindStep(x *access, i int) error
}

// Next is a Query that may be narrowed: the next sort part has type A, and what follows an equality is N.
type Next[T, A any, N Step[N]] struct{ Query[T] }

func (n Next[T, A, N]) from(s state) Next[T, A, N] { return Next[T, A, N]{Query[T]{s}} }

func (n Next[T, A, N]) bindStep(x *access, i int) error {
	if i >= len(x.sortPaths) {
		return fmt.Errorf("there are only %d sort parts (%s)", len(x.sortPaths), x.sortPaths)
	}
	f, err := x.d.origin().find(x.sortPaths[i])
	if err != nil {
		return err
	}
	c, err := attr.CodecOf[A](f)
	if err != nil {
		return fmt.Errorf("the sort part %s is %s, not %s", x.sortPaths[i], f.Type, reflect.TypeFor[A]())
	}
	x.steps = append(x.steps, c)
	var next N
	return next.bindStep(x, i+1)
}

// value encodes a value for the part that is next.
func (n Next[T, A, N]) value(s *state, a A) attr.Value {
	if s.x == nil || s.x == undeclaredAccess {
		s.err = errUndeclared
		return attr.Value{}
	}
	i := int(s.n) - len(s.x.partPaths)
	v, err := s.x.steps[i].(attr.Codec[A]).Value(a)
	if err == nil && v.IsZero() {
		err = errEmptyKey
	}
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("%s: %w", s.x.sortPaths[i], err)
	}
	return v
}

// Is demands that the next part equals a, and goes on to the part after it.
func (n Next[T, A, N]) Is(a A) N {
	s := n.s
	v := n.value(&s, a)
	s.parts[s.n] = v
	s.n++
	var next N
	return next.from(s)
}

func (n Next[T, A, N]) ranged(op rangeOp, a A) Query[T] {
	s := n.s
	s.op, s.lo = op, n.value(&s, a)
	return Query[T]{s}
}

// From demands that the next part is a or greater.
func (n Next[T, A, N]) From(a A) Query[T] { return n.ranged(rangeFrom, a) }

// After demands that the next part is greater than a.
func (n Next[T, A, N]) After(a A) Query[T] { return n.ranged(rangeAfter, a) }

// To demands that the next part is a or less.
func (n Next[T, A, N]) To(a A) Query[T] { return n.ranged(rangeTo, a) }

// Before demands that the next part is less than a.
func (n Next[T, A, N]) Before(a A) Query[T] { return n.ranged(rangeBefore, a) }

// Between demands that the next part is from a to b, both included. An a above b is an error of the call.
func (n Next[T, A, N]) Between(a, b A) Query[T] {
	q := n.ranged(rangeBetween, a)
	q.s.hi = n.value(&q.s, b)
	return q
}

// Prefix demands that the next part begins with prefix: of text and bytes only.
func Prefix[T any, A ~string | ~[]byte, N Step[N]](n Next[T, A, N], prefix A) Query[T] {
	return n.ranged(rangePrefix, prefix)
}

// state is a query as it was built.
type state struct {
	x          *access
	parts      [maxParts]attr.Value // partition, then sort parts that equal something
	lo, hi     attr.Value
	n          int8
	op         rangeOp
	across     *across
	shard      int // that is read, from 1; 0: the one that what is bound tells, or all
	descending bool
	consistent bool
	evaluate   int
	top        int
	tests      []test
	resume     Cursor
	whole      bool // of a Collection: all kinds of items of the partition
	pattern    string
	decode     func(db *DB, x *access, raw []byte) (any, error) // of Transform; nil: into T
	err        error
}

// Query reads the items of one partition, or a range of them, in the order of the index. Its methods that configure
// return a changed copy; those that take ctx and db run it.
type Query[T any] struct{ s state }

func (q Query[T]) from(s state) Query[T] { return Query[T]{s} }

func (q Query[T]) bindStep(*access, int) error { return nil }

// Filter drops items that do not meet all conditions, after they were read and paid for. Parts of the key cannot be
// filtered: they belong into the key condition.
func (q Query[T]) Filter(c ...Cond[T]) Query[T] {
	tests := slices.Clone(q.s.tests)
	for _, c := range c {
		tests = append(tests, c.t)
	}
	q.s.tests = tests
	return q
}

// Descending turns the order of the index around.
func (q Query[T]) Descending() Query[T] { q.s.descending = true; return q }

// Consistent makes the query see every write that was answered before, at twice the price. It is an error on a global
// index, which is always read as it was a moment ago.
func (q Query[T]) Consistent() Query[T] { q.s.consistent = true; return q }

// Evaluate lets each request, and a Page as a whole, look at n items at most before the filter: DynamoDB's Limit.
func (q Query[T]) Evaluate(n int) Query[T] { q.s.evaluate = n; return q }

// Top ends the answer after n items.
func (q Query[T]) Top(n int) Query[T] { q.s.top = n; return q }

// Resume begins after a position: where a Page of the same query ended. "" is the beginning. A cursor of another query is
// ErrCursor.
func (q Query[T]) Resume(c Cursor) Query[T] { q.s.resume = c; return q }

// All yields every item. After an error, which comes with the zero T, it ends.
func (q Query[T]) All(ctx context.Context, db *DB) iter.Seq2[T, error] {
	if q.s.several() {
		return q.allRows(ctx, db)
	}
	return func(yield func(T, error) bool) {
		var none T
		r, err := q.s.open(db)
		if err != nil {
			yield(none, err)
			return
		}
		defer r.close()
		limit := q.s.limit()
		item := new(T) // one for all: what is yielded is a copy
		left := q.s.top
		for r.more(ctx, limit) {
			for _, raw := range r.c.raws {
				if !r.belongs(raw) {
					continue
				}
				*item = none
				if err := decodeAs(db, q.s.x, raw, q.s.decode, item); err != nil {
					yield(none, fail(r.c, nil, err))
					return
				}
				if !yield(*item, nil) {
					return
				}
				if left--; left == 0 {
					return
				}
			}
		}
		if r.err != nil {
			yield(none, r.err)
		}
	}
}

// limit is how many items each request looks at; 0: as many as the service does.
func (s *state) limit() int {
	if s.evaluate == 0 && len(s.tests) == 0 {
		return s.top
	}
	return s.evaluate
}

// Slice is all items.
func (q Query[T]) Slice(ctx context.Context, db *DB) ([]T, error) {
	if q.s.several() {
		var items []T
		for item, err := range q.allRows(ctx, db) {
			if err != nil {
				return items, err
			}
			items = append(items, item)
		}
		return items, nil
	}
	r, err := q.s.open(db)
	if err != nil {
		return nil, err
	}
	defer r.close()
	var items []T
	limit := q.s.limit()
	for r.more(ctx, limit) {
		room := len(r.c.raws)
		if q.s.top > 0 {
			room = min(room, q.s.top-len(items))
		}
		items = slices.Grow(items, room)
		for _, raw := range r.c.raws {
			if !r.belongs(raw) {
				continue
			}
			n := len(items)
			var none T
			items = append(items, none)
			if err := decodeAs(db, q.s.x, raw, q.s.decode, &items[n]); err != nil { // into its place, not by way of another
				return items[:n], fail(r.c, nil, err)
			}
			if n+1 == q.s.top {
				return items, nil
			}
		}
	}
	return items, r.err
}

// First is the first item; ErrNotFound if there is none.
func (q Query[T]) First(ctx context.Context, db *DB) (T, error) {
	for item, err := range q.Top(1).All(ctx, db) {
		return item, err
	}
	var none T
	return none, q.s.failure(ErrNotFound)
}

// One is the only item: ErrNotFound if there is none, ErrSeveral, with the first, if there are more.
func (q Query[T]) One(ctx context.Context, db *DB) (one T, err error) {
	n := 0
	for item, err := range q.Top(2).All(ctx, db) {
		if err != nil {
			return item, err
		}
		if n++; n > 1 {
			return one, q.s.failure(ErrSeveral)
		}
		one = item
	}
	if n == 0 {
		return one, q.s.failure(ErrNotFound)
	}
	return one, nil
}

func (s *state) failure(kind error) error {
	return &Error{Operation: "Query", Table: s.x.d.table.p.Name, Index: s.x.index, Pattern: s.pattern, kinds: []error{kind}}
}

// Count is the number of items: they are read and paid for, but not sent, unless other kinds of items or expired ones may
// lie among them.
func (q Query[T]) Count(ctx context.Context, db *DB) (int, error) {
	if q.s.several() {
		return q.countRows(ctx, db)
	}
	r, err := q.s.open(db)
	if err != nil {
		return 0, err
	}
	defer r.close()
	plain := r.plain()
	if plain && q.s.top == 0 {
		r.count()
	}
	n := 0
	for r.more(ctx, q.s.evaluate) {
		if plain && q.s.top == 0 {
			n += r.counted
			continue
		}
		for range r.items() {
			if n++; n == q.s.top {
				return n, nil
			}
		}
	}
	return n, r.err
}

// Request is what the first request would be.
func (q Query[T]) Request() (Request, error) {
	if q.s.several() {
		m, err := q.s.rows(nowhere)
		if err != nil {
			return Request{}, err
		}
		defer m.close()
		m.want, m.most = q.s.limit(), q.s.evaluate
		first := m.shards[0].r
		first.compose(m.limit())
		return first.c.request(), nil
	}
	r, err := q.s.open(nowhere)
	if err != nil {
		return Request{}, err
	}
	defer r.close()
	r.compose(q.s.evaluate)
	return r.c.request(), nil
}

// Page reads n items, or fewer if there are no more.
func (q Query[T]) Page(ctx context.Context, db *DB, n int) (Page[T], error) {
	if q.s.several() {
		m, err := q.s.rows(db)
		if err != nil {
			return Page[T]{}, err
		}
		defer m.close()
		return readRows[T](ctx, m, n)
	}
	r, err := q.s.open(db)
	if err != nil {
		return Page[T]{}, err
	}
	defer r.close()
	return readPage[T](ctx, r, &q.s, n)
}

// Pages yields one page after another, until there are no more items.
func (q Query[T]) Pages(ctx context.Context, db *DB, n int) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		for {
			page, err := q.Page(ctx, db, n)
			if err != nil {
				yield(page, err)
				return
			}
			if len(page.Items) == 0 && page.Next == "" {
				return
			}
			if !yield(page, nil) || page.Next == "" {
				return
			}
			q = q.Resume(page.Next)
		}
	}
}
