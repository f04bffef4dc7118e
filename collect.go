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
	of     func(p P) *state
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
	fields, err := collectedFields(x.x, reflect.TypeFor[C]())
	if err == nil {
		err = x.x.d.table.gather(reflect.TypeFor[C](), x.x, fields)
	}
	if err != nil {
		panicAt(1, "collection %s: %v", reflect.TypeFor[C](), err)
	}
	return Collection[P, C]{fields: fields, of: func(p P) *state { return partitionOf(x.x, p) }}
}

// collectedFields are the fields of typ, a C.
func collectedFields(x *access, typ reflect.Type) (fields []collected, err error) {
	if typ.Kind() != reflect.Struct {
		return nil, fmt.Errorf("it is no struct")
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			return nil, fmt.Errorf("field %s is not exported", f.Name)
		}
		one := collected{index: i}
		of := f.Type
		switch {
		case of == reflect.TypeFor[[]attr.Item]():
			one.form = collectRest
			fields = append(fields, one)
			continue
		case of.Kind() == reflect.Slice:
			one.form, of = collectList, of.Elem()
		case of.Kind() == reflect.Pointer:
			one.form, of = collectAny, of.Elem()
		}
		if one.d = x.d.table.kind(of); one.d == nil {
			return nil, fmt.Errorf("field %s: table %s has no entity of type %s", f.Name, x.d.table.p.Name, of)
		}
		if err := x.shares(one.d); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		fields = append(fields, one)
	}
	return fields, nil
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
		return Collect[C]{}
	}
	return Collect[C]{c.of(p).whole(c.fields)}
}

// Collect reads one partition of a Collection.
type Collect[C any] struct{ c *collectCall }

// Consistent makes the read see every write that was answered before, at twice the price.
func (c Collect[C]) Consistent() Collect[C] {
	own := c.c.copy()
	own.s.consistent = true
	return Collect[C]{own}
}

// Run reads the whole partition. ErrNotFound says that an item which C demands is not there, ErrSeveral that there are
// several where C has one.
func (c Collect[C]) Run(ctx context.Context, db *DB) (out C, err error) {
	err = c.c.run(ctx, db, &out)
	return out, err
}

// Items yields each item as its own type, for a type switch; those that C has no field for as attr.Item.
func (c Collect[C]) Items(ctx context.Context, db *DB) iter.Seq2[any, error] {
	return c.c.items(ctx, db)
}

// Request is what the first request would be.
func (c Collect[C]) Request() (Request, error) { return c.c.copy().s.Request() }

// collectCall is a Collect whatever its type.
type collectCall struct {
	s      *state
	fields []collected
}

// whole makes the query one of all kinds of items of the partition. The query is nobody else's yet.
func (s *state) whole(fields []collected) *collectCall {
	s.kinds = true
	return &collectCall{s, fields}
}

func (c *collectCall) copy() *collectCall {
	if c == nil {
		return (*access)(nil).begin().whole(nil)
	}
	return &collectCall{c.s.copy(), c.fields}
}

// run reads the partition into out, a pointer to a C.
func (c *collectCall) run(ctx context.Context, db *DB, out any) error {
	c = c.copy()
	v := reflect.ValueOf(out).Elem()
	found := make([]int, len(c.fields))
	for got, err := range c.read(ctx, db) {
		if err != nil {
			return err
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
			return c.s.failure(db, ErrNotFound)
		case f.form <= collectAny && found[i] > 1:
			return c.s.failure(db, ErrSeveral)
		}
	}
	return nil
}

func (c *collectCall) items(ctx context.Context, db *DB) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for got, err := range c.copy().read(ctx, db) {
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

func (c *collectCall) read(ctx context.Context, db *DB) iter.Seq2[collectedItem, error] {
	return func(yield func(collectedItem, error) bool) {
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
					got.item, err = f.d.decodeNew(db, raw)
					break
				}
			}
			if got.item == nil && err == nil {
				got.item, err = db.item(raw)
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
	inner := q.s.or()
	s := inner.copy()
	s.made = reflect.TypeFor[U]()
	s.decode = func(db *DB, raw []byte, into any) error {
		var item T
		err := inner.decodeItem(db, raw, reflect.ValueOf(&item).Elem())
		if err == nil {
			*into.(*U), err = f(item)
		}
		return err
	}
	return Query[U]{s}
}
