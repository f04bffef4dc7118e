package tablewright

import (
	"context"
	"iter"

	"github.com/tablewright/tablewright/attr"
)

// What makes the call values patterns: a name that goes with the call, and results as items for those who know no types.

func (g Get[T]) named(name string) Get[T] { g.pattern = name; return g }

func (g Get[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		b := db.budget()
		get := getCall(g)
		raw, err := get.read(ctx, db, &b)
		if err != nil {
			yield(attr.Item{}, err)
			return
		}
		yield(attr.ParseItem(raw))
	}
}

func (q Query[T]) named(name string) Query[T] { q.s.pattern = name; return q }

func (q Query[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		items := Query[attr.Item](q)
		if q.s.decode != nil { // of Transform: what it makes of the items
			transformed := Query[T]{q.s}
			for item, err := range transformed.All(ctx, db) {
				var it attr.Item
				if err == nil {
					it, err = attr.MarshalItem(&item)
				}
				if !yield(it, err) || err != nil {
					return
				}
			}
			return
		}
		for it, err := range items.All(ctx, db) {
			if !yield(it, err) {
				return
			}
		}
	}
}

func (c Collect[C]) named(name string) Collect[C] { c.s.pattern = name; return c }

// Request is what the first request would be.
func (c Collect[C]) Request() (Request, error) {
	c.s.whole = true
	return Query[attr.Item]{c.s}.Request()
}

func (c Collect[C]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	c.s.whole = true
	return Query[attr.Item]{c.s}.results(ctx, db)
}

func (g Get[T]) outline(m marks) outlined      { c := getCall(g); return c.outline(m) }
func (q Query[T]) outline(m marks) outlined    { return q.s.outline(m) }
func (c Collect[C]) outline(m marks) outlined  { c.s.whole = true; return c.s.outline(m) }
func (p Put[T]) outline(m marks) outlined      { return p.c.outline(m) }
func (p PutIf[T]) outline(m marks) outlined    { return p.c.outline(m) }
func (u Update[T]) outline(m marks) outlined   { return u.c.outline(m) }
func (d Delete[T]) outline(m marks) outlined   { return d.c.outline(m) }
func (d DeleteIf[T]) outline(m marks) outlined { return d.c.outline(m) }

// once runs a write and yields the item it answers, if it does.
func once[T any](f func() (T, error)) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		item, err := f()
		if err != nil {
			yield(attr.Item{}, err)
			return
		}
		yield(attr.MarshalItem(&item))
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

func (p Put[T]) named(name string) Put[T] { p.c.pattern = name; return p }

func (p Put[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return once(func() (T, error) { return p.New(ctx, db) })
}

func (p PutIf[T]) named(name string) PutIf[T] { p.c.pattern = name; return p }

func (p PutIf[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return once(func() (T, error) { return p.New(ctx, db) })
}

func (u Update[T]) named(name string) Update[T] { u.c.pattern = name; return u }

func (u Update[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return once(func() (T, error) { return u.New(ctx, db) })
}

func (d Delete[T]) named(name string) Delete[T] { d.c.pattern = name; return d }

func (d Delete[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return silent(func() error { return d.Run(ctx, db) })
}

func (d DeleteIf[T]) named(name string) DeleteIf[T] { d.c.pattern = name; return d }

func (d DeleteIf[T]) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return silent(func() error { return d.Run(ctx, db) })
}

func (t Tx) named(name string) Tx { t.pattern = name; return t }

func (t Tx) results(ctx context.Context, db *DB) iter.Seq2[attr.Item, error] {
	return silent(func() error { return t.Run(ctx, db) })
}
