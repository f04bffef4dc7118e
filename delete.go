package tablewright

import (
	"context"
	"iter"

	"github.com/tablewright/tablewright/expr"
)

// Delete removes one item; one that is not there is no error. It is the only write, with Put, that can be a part of a
// batch.
type Delete[T any] struct{ c *deleteCall }

// If makes the delete depend on the item as it is stored: all conditions must hold.
func (d Delete[T]) If(c ...Cond[T]) DeleteIf[T] { return DeleteIf[T]{d.c.with(testsOf(c))} }

// Run removes the item.
func (d Delete[T]) Run(ctx context.Context, db *DB) error { return d.c.run(ctx, db) }

// Old removes the item and returns it; ErrNotFound says that there was none.
func (d Delete[T]) Old(ctx context.Context, db *DB) (item T, err error) {
	err = d.c.old(ctx, db, &item)
	return item, err
}

// Request is what would be sent.
func (d Delete[T]) Request() (Request, error) { return d.c.Request() }

func (d Delete[T]) tx(add func(write))            { d.c.tx(add) }
func (d Delete[T]) batchPart() (batchPart, error) { return d.c.batchPart() }

// DeleteIf is a Delete with a condition.
type DeleteIf[T any] struct{ c *deleteCall }

// If adds conditions: all must hold.
func (d DeleteIf[T]) If(c ...Cond[T]) DeleteIf[T] { return DeleteIf[T]{d.c.with(testsOf(c))} }

// Else gives the conditions the error that they become: errors.Is finds it.
func (d DeleteIf[T]) Else(err error) DeleteIf[T] { return DeleteIf[T]{d.c.otherwise(err)} }

// Run removes the item.
func (d DeleteIf[T]) Run(ctx context.Context, db *DB) error { return d.c.run(ctx, db) }

// Old removes the item and returns it.
func (d DeleteIf[T]) Old(ctx context.Context, db *DB) (item T, err error) {
	err = d.c.old(ctx, db, &item)
	return item, err
}

// Request is what would be sent.
func (d DeleteIf[T]) Request() (Request, error) { return d.c.Request() }

func (d DeleteIf[T]) tx(add func(write)) { d.c.tx(add) }

// deleteCall is a delete as it was built.
type deleteCall struct {
	key     itemKey
	guard   guard  // of Move
	version *int64 // of Move
	tests   []test
	other   error
	pattern string
}

// deleteOf is a delete by a key of d.
func deleteOf[K any](d *decl, key K) *deleteCall {
	c := new(deleteCall)
	setKey(&c.key, d, key)
	return c
}

var noDelete = &deleteCall{key: noKey}

func (c *deleteCall) tx(add func(write)) { add(c.or()) }

//go:noinline
func (c *deleteCall) or() *deleteCall {
	if c == nil {
		return noDelete
	}
	return c
}

//go:noinline
func (c *deleteCall) copy() *deleteCall { own := *c.or(); return &own }

func (c *deleteCall) with(tests []test) *deleteCall {
	c = c.copy()
	c.tests = both(c.tests, tests)
	return c
}

func (c *deleteCall) otherwise(err error) *deleteCall {
	c = c.copy()
	c.other = err
	return c
}

func (c *deleteCall) run(ctx context.Context, db *DB) error {
	c = c.or()
	return db.run(ctx, c.pattern, c, returnNothing, nil)
}

// old removes the item and decodes it into item, a pointer.
func (c *deleteCall) old(ctx context.Context, db *DB, item any) error {
	c = c.or()
	return db.run(ctx, c.pattern, c, returnOld, func(raw []byte) error {
		if raw == nil {
			return &Error{Operation: "DeleteItem", Table: c.key.d.table.p.Name, Pattern: c.pattern, Time: db.instant(), kinds: []error{ErrNotFound}}
		}
		return c.key.d.decode(db, raw, item)
	})
}

// Request is what would be sent.
func (c *deleteCall) Request() (Request, error) { return requestOf(c.or()) }

func (c *deleteCall) write(db *DB, w *body, p *expr.Printer) (written, error) {
	to := written{d: c.key.d, action: "Delete", guard: c.guard, version: c.version, other: c.other, rep: harmless}
	return to, writeKeyed(db, w, p, &to, c.key, c.tests)
}

// writeKeyed writes the members of an action that has nothing but a key and a condition.
func writeKeyed(db *DB, w *body, p *expr.Printer, to *written, key itemKey, tests []test) (err error) {
	if err := to.d.table.ready(db); err != nil {
		return err
	}
	w.text("TableName", db.actual(to.d.table.p.Name))
	w.key("Key")
	start := len(w.b)
	if w.b, err = key.append(w.b); err != nil {
		return err
	}
	to.key = append([]byte(nil), w.b[start:]...)
	return w.conditionAnd(p, *to, tests)
}

func (c *deleteCall) batchPart() (batchPart, error) {
	c = c.or()
	return batchPart{d: c.key.d, encode: func(db *DB, dst []byte) ([]byte, []byte, error) {
		dst = append(dst, `{"DeleteRequest":{"Key":`...)
		start := len(dst)
		dst, err := c.key.append(dst)
		if err != nil {
			return dst, nil, &Error{Operation: "BatchWriteItem", Table: c.key.d.table.p.Name, Time: db.instant(), kinds: []error{ErrInvalid}, cause: err}
		}
		key := append([]byte(nil), dst[start:]...)
		return append(dst, "}}"...), key, nil
	}}, nil
}

// deleteAll is a batch of deletes.
func deleteAll[K any](d *decl, keys iter.Seq[K]) Batch {
	return Batch{parts: func(yield func(batchPart, error) bool) {
		for key := range keys {
			if !yield(deleteOf(d, key).batchPart()) {
				return
			}
		}
	}}
}

// Check is a condition, in a transaction, on an item that it does not change. Without conditions the item must be there.
type Check struct {
	key   itemKey
	tests []test
	other error
}

// checkOf is a check of the item with a key of d.
func checkOf[K any](d *decl, key K, tests []test) Check {
	c := Check{tests: tests}
	setKey(&c.key, d, key)
	return c
}

// Else gives the condition the error that it becomes: errors.Is finds it.
func (c Check) Else(err error) Check { c.other = err; return c }

func (c Check) tx(add func(write)) { add(&c) }

func (c *Check) write(db *DB, w *body, p *expr.Printer) (written, error) {
	c.key.d = c.key.d.orUndeclared()
	to := written{d: c.key.d, action: "ConditionCheck", other: c.other, rep: harmless}
	if len(c.tests) == 0 {
		to.guard = guardPresent
	}
	return to, writeKeyed(db, w, p, &to, c.key, c.tests)
}
