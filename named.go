package tablewright

import (
	"context"
	"iter"
	"reflect"

	"github.com/tablewright/tablewright/attr"
)

// What makes the call values patterns: a name that goes with the call, and the call whatever its type.

// call is a call value of any kind and type, as tools see it.
type call interface {
	Request() (Request, error)
	outline(m marks) outlined
	// results runs the call under a pattern's name and yields the items it answers.
	results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error]
}

func (g Get[T]) call() call      { return g.c.or() }
func (q Query[T]) call() call    { return q.s.or() }
func (s Scan[T]) call() call     { return s.c.copy() }
func (c Collect[C]) call() call  { return c.c.copy() }
func (p Put[T]) call() call      { return p.c.or() }
func (p PutIf[T]) call() call    { return p.c.or() }
func (u Update[T]) call() call   { return u.c.or() }
func (d Delete[T]) call() call   { return d.c.or() }
func (d DeleteIf[T]) call() call { return d.c.or() }
func (t Tx) call() call          { return t }

func (g Get[T]) named(name string) Get[T]           { return Get[T]{g.c.named(name)} }
func (q Query[T]) named(name string) Query[T]       { return Query[T]{q.s.named(name)} }
func (s Scan[T]) named(name string) Scan[T]         { return Scan[T]{s.c.named(name)} }
func (c Collect[C]) named(name string) Collect[C]   { return Collect[C]{c.c.named(name)} }
func (p Put[T]) named(name string) Put[T]           { return Put[T]{p.c.named(name)} }
func (p PutIf[T]) named(name string) PutIf[T]       { return PutIf[T]{p.c.named(name)} }
func (u Update[T]) named(name string) Update[T]     { return Update[T]{u.c.named(name)} }
func (d Delete[T]) named(name string) Delete[T]     { return Delete[T]{d.c.named(name)} }
func (d DeleteIf[T]) named(name string) DeleteIf[T] { return DeleteIf[T]{d.c.named(name)} }
func (t Tx) named(name string) Tx                   { t.pattern = name; return t }

func (g *getCall) named(name string) *getCall         { g = g.copy(); g.pattern = name; return g }
func (s *state) named(name string) *state             { s = s.copy(); s.pattern = name; return s }
func (c *scanCall) named(name string) *scanCall       { c = c.copy(); c.pattern = name; return c }
func (c *collectCall) named(name string) *collectCall { c = c.copy(); c.s.pattern = name; return c }
func (c *putCall) named(name string) *putCall         { c = c.copy(); c.pattern = name; return c }
func (c *updateCall) named(name string) *updateCall   { c = c.copy(); c.pattern = name; return c }
func (c *deleteCall) named(name string) *deleteCall   { c = c.copy(); c.pattern = name; return c }

func (g *getCall) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		b := db.budget()
		raw, err := g.named(pattern).read(ctx, db, &b)
		if err != nil {
			yield(attr.Item{}, err)
			return
		}
		yield(db.item(raw))
	}
}

func (s *state) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	s = s.named(pattern)
	if s.decode == nil {
		return Query[attr.Item]{s}.All(ctx, db)
	}
	return func(yield func(attr.Item, error) bool) { // of Transform: what it makes of the items
		item := reflect.New(s.made)
		err := s.all(ctx, db, item.Interface(), func() bool {
			codec, err := attr.ItemCodecOf(s.made)
			if err != nil {
				yield(attr.Item{}, err)
				return false
			}
			it, err := codec.Marshal(item.Elem())
			return yield(it, err) && err == nil
		})
		if err != nil {
			yield(attr.Item{}, err)
		}
	}
}

func (c *scanCall) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return Scan[attr.Item]{c.named(pattern)}.All(ctx, db)
}

func (c *collectCall) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return c.s.results(ctx, db, pattern)
}

func (c *collectCall) outline(m marks) outlined { return c.s.outline(m) }

// Request is what the first request would be.
func (c *collectCall) Request() (Request, error) { return c.s.Request() }

// once runs a write and yields the item it answers, if it does.
func (d *decl) once(f func(item any) error) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		if d == undeclared {
			yield(attr.Item{}, d.table.err)
			return
		}
		item := reflect.New(d.typ)
		if err := f(item.Interface()); err != nil {
			yield(attr.Item{}, err)
			return
		}
		yield(d.codec.Marshal(item.Elem()))
	}
}

// silent runs a write that answers nothing.
func silent(f func() error) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		if err := f(); err != nil {
			yield(attr.Item{}, err)
		}
	}
}

func (c *putCall) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return c.d.once(func(item any) error { return c.named(pattern).new(ctx, db, item) })
}

func (c *updateCall) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return c.key.d.once(func(item any) error { return c.named(pattern).new(ctx, db, item) })
}

func (c *deleteCall) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return silent(func() error { return c.named(pattern).run(ctx, db) })
}

func (t Tx) results(ctx context.Context, db *DB, pattern string) iter.Seq2[attr.Item, error] {
	return silent(func() error { return t.named(pattern).Run(ctx, db) })
}
