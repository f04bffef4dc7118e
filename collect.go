package tablewright

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// Collection reads items of several kinds that share a partition into a C: a struct with a field for each kind.
type Collection[P, C any] struct {
	x      *access
	of     func(p P) state
	fields []collected
}

// collected is a field of C.
type collected struct {
	index int
	d     *decl // nil: everything that has no other field
	form  collectForm
}

type collectForm uint8

const (
	collectOne  collectForm = iota // T: there must be one
	collectAny                     // *T: there may be one
	collectList                    // []T
	collectRest                    // []attr.Item
)

// NewCollection makes a Collection of the partitions of x. Each field of C has the type T of an entity of the same table
// (exactly one must be there), *T (one or none) or []T; a field []attr.Item takes the items that no other field takes.
// Every kind declared in the table whose items lie in these partitions needs a field, or there is one []attr.Item: Table.Seal
// demands it. Items of kinds that nobody declared, by another program, say, are passed over without such a field.
//
// It panics, naming the caller's file and line, if a field has another type, or one whose items lie in other partitions.
func NewCollection[C, T, P any, N Step[N]](x Index[T, P, N]) Collection[P, C] {
	if x.x == nil {
		panicAt(1, "collection %s: the index %v", reflect.TypeFor[C](), errUndeclared)
	}
	c, err := newCollection[P, C](x.x)
	if err == nil {
		err = x.x.d.table.gather(reflect.TypeFor[C](), c.x, c.fields)
	}
	if err != nil {
		panicAt(1, "collection %s: %v", reflect.TypeFor[C](), err)
	}
	c.of = func(p P) state {
		s := state{x: x.x}
		k := x.x.bound.(*keyCodec[P])
		s.err = k.values(p, s.parts[:])
		s.n = int8(len(k.paths))
		return s
	}
	return c
}

func newCollection[P, C any](x *access) (c Collection[P, C], err error) {
	c.x = x
	typ := reflect.TypeFor[C]()
	if typ.Kind() != reflect.Struct {
		return c, fmt.Errorf("it is no struct")
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			return c, fmt.Errorf("field %s is not exported", f.Name)
		}
		one := collected{index: i}
		of := f.Type
		switch {
		case of == reflect.TypeFor[[]attr.Item]():
			one.form = collectRest
			c.fields = append(c.fields, one)
			continue
		case of.Kind() == reflect.Slice:
			one.form, of = collectList, of.Elem()
		case of.Kind() == reflect.Pointer:
			one.form, of = collectAny, of.Elem()
		}
		if one.d = x.d.table.kind(of); one.d == nil {
			return c, fmt.Errorf("field %s: table %s has no entity of type %s", f.Name, x.d.table.p.Name, of)
		}
		if err := x.shares(one.d); err != nil {
			return c, fmt.Errorf("field %s: %w", f.Name, err)
		}
		c.fields = append(c.fields, one)
	}
	return c, nil
}

// kind finds the declaration of a Go type.
func (t *Table) kind(typ reflect.Type) *decl {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.decls {
		if d.typ == typ {
			return d
		}
	}
	return nil
}

// shares reports an error unless items of d lie in the partitions of x: their partition attributes are built alike.
func (x *access) shares(d *decl) error {
	for _, w := range x.partition {
		other := d.column(w.name)
		if other == nil {
			return fmt.Errorf("items of %s have no %s", d.name, w.name)
		}
		if alike := w.native() && other.native() || !w.native() && !other.native() && w.tmpl.like(other.tmpl); !alike {
			return fmt.Errorf("%s of %s is built otherwise than that of %s", w.name, d.name, x.d.name)
		}
	}
	return nil
}

// like reports whether two templates have the same literals and codecs.
func (t *template) like(u *template) bool {
	if len(t.parts) != len(u.parts) {
		return false
	}
	for i, l := range t.literals {
		if l != u.literals[i] || i < len(t.parts) && t.parts[i].codec != u.parts[i].codec {
			return false
		}
	}
	return true
}

// Of selects a partition.
func (c Collection[P, C]) Of(p P) Collect[C] {
	if c.of == nil {
		return Collect[C]{s: state{x: undeclaredAccess, err: errUndeclared}}
	}
	return Collect[C]{s: c.of(p), fields: c.fields}
}

// Collect reads one partition of a Collection.
type Collect[C any] struct {
	s      state
	fields []collected
}

// Consistent makes the read see every write that was answered before, at twice the price.
func (c Collect[C]) Consistent() Collect[C] { c.s.consistent = true; return c }

// Run reads the whole partition. ErrNotFound says that an item which C demands is not there, ErrSeveral that there are
// several where C has one.
func (c Collect[C]) Run(ctx context.Context, db *DB) (out C, err error) {
	v := reflect.ValueOf(&out).Elem()
	found := make([]int, len(c.fields))
	for got, err := range c.read(ctx, db) {
		if err != nil {
			return out, err
		}
		if got.field < 0 {
			continue
		}
		field := v.Field(c.fields[got.field].index)
		found[got.field]++
		item := reflect.ValueOf(got.item)
		switch c.fields[got.field].form {
		case collectOne:
			field.Set(item)
		case collectAny:
			p := reflect.New(item.Type())
			p.Elem().Set(item)
			field.Set(p)
		default:
			field.Set(reflect.Append(field, item))
		}
	}
	for i, f := range c.fields {
		switch {
		case f.form == collectOne && found[i] == 0:
			return out, c.s.failure(ErrNotFound)
		case f.form <= collectAny && found[i] > 1:
			return out, c.s.failure(ErrSeveral)
		}
	}
	return out, nil
}

// Items yields each item as its own type, for a type switch; those that C has no field for as attr.Item.
func (c Collect[C]) Items(ctx context.Context, db *DB) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for got, err := range c.read(ctx, db) {
			if !yield(got.item, err) || err != nil {
				return
			}
		}
	}
}

// collectedItem is one item of a partition.
type collectedItem struct {
	field int // of fields; of Items, where it has no field, -1
	item  any
}

func (c Collect[C]) read(ctx context.Context, db *DB) iter.Seq2[collectedItem, error] {
	return func(yield func(collectedItem, error) bool) {
		c.s.whole = true
		rest := -1
		for i, f := range c.fields {
			if f.form == collectRest {
				rest = i
			}
		}
		emit := func(r *reader, raw []byte) bool {
			got := collectedItem{field: rest}
			var err error
			for i, f := range c.fields {
				if f.d != nil && f.d.holds(raw) {
					got.field = i
					got.item, err = f.d.decode(db, raw)
					break
				}
			}
			if got.item == nil && err == nil {
				got.item, err = attr.ParseItem(raw)
			}
			if err != nil {
				yield(collectedItem{}, fail(r.c, nil, err))
				return false
			}
			return yield(got, nil)
		}
		if err := c.s.each(ctx, db, emit); err != nil {
			yield(collectedItem{}, err)
		}
	}
}

// partitionTerms are the terms that bind the whole partition.
func (x *access) partitionTerms(s *state) ([]expr.KeyTerm, error) {
	terms, _, err := (&access{partition: x.partition, partPaths: x.partPaths}).keyCondition(s)
	return terms, err
}

// Transform maps each result of a query at the client. Filters and cursors stay those of the query.
func Transform[T, U any](q Query[T], f func(T) (U, error)) Query[U] {
	inner := q.s.decode
	s := q.s
	s.decode = func(db *DB, x *access, raw []byte) (any, error) {
		var item T
		if err := decodeAs(db, x, raw, inner, &item); err != nil {
			return nil, err
		}
		return f(item)
	}
	return Query[U]{s}
}

// decodeAs decodes an item into a T, by way of what Transform has put in between.
func decodeAs[T any](db *DB, x *access, raw []byte, by func(*DB, *access, []byte) (any, error), into *T) error {
	if by == nil {
		return decodeItem(db, x.d, x, raw, into)
	}
	v, err := by(db, x, raw)
	if err != nil {
		return err
	}
	*into = v.(T)
	return nil
}
