package tablewright

import (
	"context"
	"errors"
	"reflect"
)

// Edit reads an item, lets a function change it, and writes the difference, again and again until nobody else has changed
// it meanwhile.
type Edit[T any] struct{ c *editCall }

// Edit reads the item with a strong read, calls f on it, and patches it: again when another version was stored meanwhile,
// within the retry budget, so that f may run more than once. An error of f ends it and is returned. T must have a version.
func (e *Entity[K, T]) Edit(key K, f func(*T) error) Edit[T] {
	c := &editCall{get: getOf(e.d, key), f: func(item any) error { return f(item.(*T)) }}
	c.get.consistent = true
	return Edit[T]{c}
}

// Run edits the item. ErrNotFound says that there is none, ErrStale that the budget is used up.
func (e Edit[T]) Run(ctx context.Context, db *DB) error {
	_, err := e.New(ctx, db)
	return err
}

// New edits the item and returns it as stored.
func (e Edit[T]) New(ctx context.Context, db *DB) (item T, err error) {
	err = e.c.new(ctx, db, &item)
	return item, err
}

// editCall is an Edit whatever its type.
type editCall struct {
	get *getCall
	f   func(item any) error // of a pointer
}

// new edits the item and decodes it as stored into item, a pointer.
func (e *editCall) new(ctx context.Context, db *DB, item any) error {
	if e == nil {
		return undeclared.table.err
	}
	d := e.get.key.d
	if err := d.table.ready(db); err != nil {
		return err
	}
	if d.version == "" {
		return &Error{Operation: "UpdateItem", Table: d.table.p.Name, Time: db.instant(), kinds: []error{ErrInvalid},
			detail: d.name + " has no version, by which Edit would see that somebody else was faster: tag a field version"}
	}
	b := db.budget()
	for {
		start := db.clock.Now()
		raw, err := e.get.read(ctx, db, &b)
		if err != nil {
			return err
		}
		before, after := reflect.New(d.typ), reflect.New(d.typ) // decoded apart: f may change what both would share
		for _, v := range []reflect.Value{before, after} {      // a method of T's may fail the second time
			if err := d.decodeInto(db, raw, v.Elem()); err != nil {
				return &Error{Operation: "GetItem", Table: d.table.p.Name, Time: db.clock.Now(), cause: err}
			}
		}
		if err := e.f(after.Interface()); err != nil {
			return err
		}
		err = patchOf(d, before.Elem(), after.Elem()).new(ctx, db.left(&b), item)
		e, ok := errors.AsType[*Error](err)
		if !ok || !e.is(ErrStale) || e.is(ErrUnknownOutcome) || !b.failed(ctx, start) {
			return err
		}
		e.followed.ask() // by reading it again
	}
}

// Move writes an item under the key of after and removes the one under the key of before, in one transaction. If it has a
// version, before's must be stored; its created time stays. What is at the new key already is ErrExists. For a change that leaves the key as it is
// use Patch.
func (e *Entity[K, T]) Move(before, after T) Tx {
	return moveOf(e.d, reflect.ValueOf(&before).Elem(), putOf(e.d, after, guardAbsent))
}

func moveOf(d *decl, before reflect.Value, put *putCall) Tx {
	remove := new(deleteCall)
	if remove.key.setKeyOf(d, before); d == nil {
		return Transact(remove, put)
	}
	if name := d.version; name != "" {
		n := versionOf(before, d.fields[name])
		remove.version = &n
	} else {
		remove.guard = guardPresent
	}
	put.moved = true
	return Transact(remove, put)
}
