package tablewright

import (
	"context"
	"fmt"
	"iter"
	"reflect"

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

func (i *Index[T, P, N]) bindIndex(d *decl, name string) (*access, error) {
	x, err := newIndex(d, name, reflect.TypeFor[T](), newKeyCodec[P])
	if err != nil {
		return nil, err
	}
	var first N
	if err := first.bindStep(x, 0); err != nil {
		return nil, err
	}
	i.x = x
	return x, nil
}

// newIndex resolves an index that answers items as a typ, with partitions as bind takes them.
func newIndex(d *decl, name string, typ reflect.Type, bind func(*decl, []attrPath) (*keyCodec, error)) (*access, error) {
	if typ != d.typ {
		smaller, err := d.origin().view(typ)
		if err != nil {
			return nil, err
		}
		d = smaller
	}
	x, err := newAccess(d, name)
	if err != nil {
		return nil, err
	}
	if x.bound, err = bind(d.origin(), x.partPaths); err != nil {
		return nil, fmt.Errorf("partition: %w", err)
	}
	return x, nil
}

// Of selects a partition.
func (i *Index[T, P, N]) Of(p P) N {
	var first N
	return first.from(partitionOf(i.x, p))
}

// Scan reads the whole index for the items of one kind, from all its partitions, in no order: of a sparse index, all that has its
// attributes. Of the table's own key it is the scan of the table.
func (i *Index[T, P, N]) Scan() Scan[T] { return Scan[T]{scanOf(i.x)} }

// scanOf is a scan of an index.
func scanOf(x *access) *scanCall {
	switch {
	case x == nil:
		return &scanCall{d: undeclared}
	case x.index == "":
		return &scanCall{d: x.d}
	}
	return &scanCall{d: x.d, x: x}
}

// partitionOf is the query of a partition. It is compiled for each type of partition keys, not for each index.
func partitionOf[P any](x *access, p P) *state {
	s := x.begin()
	if s.err == nil {
		s.err = keyValues(x.bound, p, s.parts[:])
	}
	return s
}

// begin begins a query.
func (x *access) begin() *state {
	if x == nil {
		return &state{x: undeclaredAccess, err: errUndeclared}
	}
	return &state{x: x, n: int8(len(x.bound.paths))}
}

// Step is what may follow in a key condition: Next, or a Query when there are no more parts.
type Step[N any] interface {
	from(*state) N
	bindStep(x *access, i int) error
}

// Next is a Query that may be narrowed: the next sort part has type A, and what follows an equality is N. It has all methods of
// the Query that it embeds; where a Query[T] itself is wanted, as a result or an argument, its field is that: Of(p).Query.
type Next[T, A any, N Step[N]] struct{ Query[T] }

func (n Next[T, A, N]) from(s *state) Next[T, A, N] { return Next[T, A, N]{Query[T]{s}} }

func (n Next[T, A, N]) bindStep(x *access, i int) error {
	if err := x.addStep(i, reflect.TypeFor[A](), stepCodec[A]); err != nil {
		return err
	}
	var next N
	return next.bindStep(x, i+1)
}

func stepCodec[A any](f attr.StructField) (any, error) { return attr.CodecOf[A](f) }

// addStep notes the codec of the sort part i, of type typ.
func (x *access) addStep(i int, typ reflect.Type, codec func(attr.StructField) (any, error)) error {
	if i >= len(x.sortPaths) {
		return fmt.Errorf("there are only %d sort parts (%s)", len(x.sortPaths), x.sortPaths)
	}
	f, err := x.d.origin().find(x.sortPaths[i])
	if err != nil {
		return err
	}
	c, err := codec(f)
	if err != nil {
		return fmt.Errorf("the sort part %s is %s, not %s", x.sortPaths[i], f.Type, typ)
	}
	x.steps = append(x.steps, c)
	return nil
}

// stepValue encodes a value for the part that is next.
func stepValue[A any](s *state, a A) attr.Value {
	codec, ok := s.step().(attr.Codec[A])
	if !ok {
		return attr.Value{}
	}
	v, err := codec.Value(a)
	return s.checked(v, err)
}

// step is the codec of the part that is next; nil if the query is of no declared index.
func (s *state) step() any {
	if s.x == nil || s.x == undeclaredAccess {
		s.err = errUndeclared
		return nil
	}
	return s.x.steps[int(s.n)-len(s.x.partPaths)]
}

// checked notes what is wrong with the value of the part that is next.
func (s *state) checked(v attr.Value, err error) attr.Value {
	if err == nil && v.IsZero() {
		err = errEmptyKey
	}
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("%s: %w", s.x.sortPaths[int(s.n)-len(s.x.partPaths)], err)
	}
	return v
}

// Is demands that the next part equals a, and goes on to the part after it.
func (n Next[T, A, N]) Is(a A) N {
	var next N
	return next.from(equalTo(n.s, a))
}

func equalTo[A any](s *state, a A) *state {
	s = s.copy()
	s.parts[s.n] = stepValue(s, a)
	s.n++
	return s
}

// ranged and bounded are compiled for each type of sort parts, not for each index.
func ranged[A any](s *state, op rangeOp, a A) *state {
	s = s.copy()
	s.op, s.lo = op, stepValue(s, a)
	return s
}

func bounded[A any](s *state, a, b A) *state {
	s = ranged(s, rangeBetween, a)
	s.hi = stepValue(s, b)
	return s
}

// From demands that the next part is a or greater.
func (n Next[T, A, N]) From(a A) Query[T] { return Query[T]{ranged(n.s, rangeFrom, a)} }

// After demands that the next part is greater than a.
func (n Next[T, A, N]) After(a A) Query[T] { return Query[T]{ranged(n.s, rangeAfter, a)} }

// To demands that the next part is a or less.
func (n Next[T, A, N]) To(a A) Query[T] { return Query[T]{ranged(n.s, rangeTo, a)} }

// Before demands that the next part is less than a.
func (n Next[T, A, N]) Before(a A) Query[T] { return Query[T]{ranged(n.s, rangeBefore, a)} }

// Between demands that the next part is from a to b, both included. An a above b is an error of the call.
func (n Next[T, A, N]) Between(a, b A) Query[T] { return Query[T]{bounded(n.s, a, b)} }

// Prefix demands that the next part begins with prefix: of text and bytes only.
func Prefix[T any, A ~string | ~[]byte, N Step[N]](n Next[T, A, N], prefix A) Query[T] {
	return Query[T]{ranged(n.s, rangePrefix, prefix)}
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
	counting   bool // the items are counted, not wanted
	kinds      bool // of a Collection: all kinds of items of the partition
	pattern    string
	decode     func(db *DB, raw []byte, into any) error // of Transform, into a pointer; nil: into T
	made       reflect.Type                             // what decode makes
	err        error
}

// copy is a copy to be changed: calls are values.
//
//go:noinline
func (s *state) copy() *state {
	if s == nil {
		return new(state)
	}
	own := *s
	return &own
}

// or is the query, or one of nothing that was declared.
//
//go:noinline
func (s *state) or() *state {
	if s == nil || s.x == nil {
		own := s.copy()
		own.x = undeclaredAccess
		return own
	}
	return s
}

// Query reads the items of one partition, or a range of them, in the order of the index. Its methods that configure
// return a changed copy; those that take ctx and db run it.
type Query[T any] struct{ s *state }

func (q Query[T]) from(s *state) Query[T] { return Query[T]{s} }

func (q Query[T]) bindStep(*access, int) error { return nil }

// Filter drops items that do not meet all conditions, after they were read and paid for. Parts of the key cannot be
// filtered: they belong into the key condition.
func (q Query[T]) Filter(c ...Cond[T]) Query[T] { return Query[T]{q.s.filter(testsOf(c))} }

// Descending turns the order of the index around.
func (q Query[T]) Descending() Query[T] { s := q.s.copy(); s.descending = true; return Query[T]{s} }

// Consistent makes the query see every write that was answered before, at twice the price. It is an error on a global
// index, which is always read as it was a moment ago.
func (q Query[T]) Consistent() Query[T] { s := q.s.copy(); s.consistent = true; return Query[T]{s} }

// Evaluate lets each request, and a Page as a whole, look at n items at most before the filter: DynamoDB's Limit.
func (q Query[T]) Evaluate(n int) Query[T] { s := q.s.copy(); s.evaluate = n; return Query[T]{s} }

// Top ends the answer after n items. Pages have a number of their own: with Top they are an error of the call.
func (q Query[T]) Top(n int) Query[T] { return Query[T]{q.s.first(n)} }

// Resume begins after a position: where a Page of the same query ended. "" is the beginning. A cursor of another query is
// ErrCursor.
func (q Query[T]) Resume(c Cursor) Query[T] { return Query[T]{q.s.after(c)} }

// All yields every item. After an error, which comes with the zero T, it ends.
func (q Query[T]) All(ctx context.Context, db *DB) iter.Seq2[T, error] {
	return sequence[T](func(item any, next func() bool) error { return q.s.all(ctx, db, item, next) })
}

// Slice is all items.
func (q Query[T]) Slice(ctx context.Context, db *DB) (items []T, err error) {
	err = q.s.slice(ctx, db, &items)
	return items, err
}

// First is the first item; ErrNotFound if there is none.
func (q Query[T]) First(ctx context.Context, db *DB) (item T, err error) {
	err = q.s.one(ctx, db, &item, false)
	return item, err
}

// One is the only item: ErrNotFound if there is none, ErrSeveral, with the first, if there are more.
func (q Query[T]) One(ctx context.Context, db *DB) (one T, err error) {
	err = q.s.one(ctx, db, &one, true)
	return one, err
}

// Count is the number of items: they are read and paid for, but not sent, unless other kinds of items or expired ones may
// lie among them.
func (q Query[T]) Count(ctx context.Context, db *DB) (int, error) { return q.s.count(ctx, db) }

// Request is what the first request would be.
func (q Query[T]) Request() (Request, error) { return q.s.Request() }

// Page reads n items, or fewer if there are no more.
func (q Query[T]) Page(ctx context.Context, db *DB, n int) (Page[T], error) {
	var items []T
	end, err := q.s.page(ctx, db, n, &items)
	return pageOf(items, end), err
}

// Pages yields one page after another, until there are no more items.
func (q Query[T]) Pages(ctx context.Context, db *DB, n int) iter.Seq2[Page[T], error] {
	return pagesOf[T](ctx, db, n, q.s)
}
